"""The reference has every public name, and the options of functions whose docstrings are completed at run time."""

import html
import inspect
import re
from collections.abc import Iterator
from inspect import ismodule
from pathlib import Path

import pytest
import typer

import ancestral as an
from ancestral import simulate, testing
from ancestral.cli.app import app


def text_of(page: Path) -> str:
    """The words of a page."""
    return html.unescape(re.sub(r"<[^>]+>", "", page.read_text(encoding="utf-8")))


def sections(site: Path) -> dict[str, str]:
    """The part of the reference about each name, by anchor."""
    found: dict[str, str] = {}
    for page in sorted((site / "reference").glob("*.html")):
        text = page.read_text(encoding="utf-8")
        starts = [*re.finditer(r'<h2 id="([\w.-]+)"', text)]
        for heading, end in zip(starts, [*(after.start() for after in starts[1:]), len(text)], strict=False):
            found[heading[1]] = html.unescape(re.sub(r"<[^>]+>", "", text[heading.start() : end]))
    return found


def public_names() -> Iterator[tuple[str, object]]:
    for name in dir(an):
        if name not in ("simulate", "__version__"):
            yield f"ancestral.{name}", getattr(an, name)
    for module in (simulate, testing):
        for name in module.__all__:
            value = getattr(module, name)
            if not ismodule(value):
                place = f"{module.__name__}.{name}"
                clash = inspect.isfunction(value) and value.__module__ == place  # a module of the same name
                yield f"{place}.{name}" if clash else place, value


def test_every_public_name_is_described(site: Path) -> None:
    described = sections(site)
    for name, value in public_names():
        assert name in described, f"{name} is missing in docs/reference"
        if isinstance(value, type) or inspect.isfunction(value):
            first = (inspect.getdoc(value) or "").split("\n")[0].split("`")[0].strip()
            assert first
            assert first in " ".join(described[name].split()), name


@pytest.mark.parametrize("name", ["discover", "stages", "bootstrap", "sweep", "describe", "discover_series"])
def test_every_option_is_there_with_its_type_and_default(name: str, site: Path) -> None:
    described = sections(site)[f"ancestral.{name}"]
    signature = without_layout(described)
    options = list(inspect.signature(getattr(an, name)).parameters.values())[1:]
    assert len(options) > 5
    for option in options:
        default = without_layout(repr(option.default).replace("'", '"'))
        assert re.search(rf"[,*(]{option.name}:[^=]+={re.escape(default)}[,)]", signature), option
        assert len(re.findall(rf"(?<!\w){option.name}(?!\w)", described)) > 1, f"{option.name} is not explained"


def test_pages_that_docstrings_name_are_linked(site: Path) -> None:
    page = (site / "reference" / "searching.html").read_text(encoding="utf-8")
    assert '(<a href="../choosing.html">Which algorithm</a>)' in page
    assert not re.search(r"docs/[\w-]+\.md", re.sub(r"<(pre|code).*?</\1>", "", page, flags=re.DOTALL))


def without_layout(code: str) -> str:
    """Code without spaces, line breaks, and the commas that stand at the end of long lists."""
    return re.sub(r",(?=[)\]])", "", re.sub(r"\s", "", code))


def test_every_command_and_every_option_of_the_shell_is_there(site: Path) -> None:
    page = text_of(site / "reference" / "command-line.html")
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    assert len(commands) > 15
    for name, command in commands.items():
        part = page.split(f"ancestral {name}¶")[1].split("¶")[0]
        for parameter in command.params:
            for flag in parameter.opts if parameter.param_type_name == "option" else []:
                assert flag in part, f"{name} {flag}"
