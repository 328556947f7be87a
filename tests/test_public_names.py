import subprocess
import sys

import pytest

import ancestral as an
from ancestral.io.interop.texts import FORMATS


@pytest.mark.parametrize("name", dir(an))
def test_every_public_name_is_there(name: str) -> None:
    value = getattr(an, name)
    if isinstance(value, type):
        assert value.__name__ == name


def test_dir_shows_public_names_only() -> None:
    assert dir(an) == sorted(getattr(an, "__all__"))  # noqa: B009
    assert [name for name in dir(an) if name.startswith("_")] == ["__version__"]


def test_star_imports_all_public_names() -> None:
    imported: dict[str, object] = {}
    exec("from ancestral import *", imported)
    assert set(dir(an)) == imported.keys() - {"__builtins__"}


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "text"])  # `str(graph)` and `PAG.parse`
def test_every_graph_format_has_its_two_functions(form: str) -> None:
    """A format of the registry gets its line in `src/ancestral/__init__.pyi`."""
    pag = an.PAG.parse("a o-> b")
    text = FORMATS[form].write(pag)
    suffix = {"pcalg": "pcalg_csv"}.get(form, form.replace("-", "_"))
    assert getattr(an, f"to_{suffix}")(pag) == text
    assert getattr(an, f"from_{suffix}")(text) == pag


def test_what_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'ancestral' has no attribute 'discovr'"):
        getattr(an, "discovr")  # noqa: B009


def test_importing_is_light() -> None:
    heavy = "typer, rich, pandas, polars, pyarrow, scipy, narwhals"
    script = "import ancestral, sys; ancestral.discover, ancestral.compare, ancestral.simulate; "
    script += f"print([m for m in '{heavy}'.split(', ') if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_the_registry_of_graph_formats_imports_no_format() -> None:
    """The command line lists the formats in its help, so the list must not cost the import of numpy."""
    script = "import ancestral.io.interop.texts, sys; print('numpy' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "False"
