import subprocess
import sys

import pytest

import ancestral as an


@pytest.mark.parametrize("name", an.__all__)
def test_every_public_name_is_there(name: str) -> None:
    value = getattr(an, name)
    if isinstance(value, type):
        assert value.__name__ == name


def test_what_is_not_there_is_an_attribute_error() -> None:
    assert set(an.__all__) <= set(dir(an))
    with pytest.raises(AttributeError, match="'ancestral' has no attribute 'discovr'"):
        getattr(an, "discovr")  # noqa: B009


def test_importing_is_light() -> None:
    heavy = "typer, rich, pandas, polars, pyarrow, scipy, narwhals"
    said = "import ancestral, sys; ancestral.discover, ancestral.compare, ancestral.simulate; "
    said += f"print([m for m in '{heavy}'.split(', ') if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
