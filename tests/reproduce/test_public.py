"""Experiments are programs of a user: they use the public names of ancestral; only what surrounds them uses more."""

import ast
from pathlib import Path

import pytest

import ancestral as an
from ancestral import reproduce

FOLDER = Path(reproduce.__file__).parent
MODULES = sorted(FOLDER.glob("*.py"))

#: Helpers for what is not an experiment: checks of arguments, errors, files, and whether a bar can be shown.
HELPERS = {
    "ancestral.arguments", "ancestral.errors", "ancestral.io.files", "ancestral.show.progress", "ancestral.version",
}  # fmt: skip

#: The modules that may use them.
SURROUNDINGS = {"__init__", "figures", "runner"}


def imports(module: Path) -> list[tuple[str, str]]:
    """The names that a module imports from ancestral, but for those that only type checkers see."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    typing_only = {
        node
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in ast.walk(block)
    }
    return [
        (node.module, alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node not in typing_only
        for alias in node.names
        if (node.module or "").startswith("ancestral") and not (node.module or "").startswith("ancestral.reproduce")
        if node.module is not None
    ]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.stem)
def test_experiments_use_public_names_alone(module: Path) -> None:
    for source, name in imports(module):
        if source == "ancestral":
            assert name in dir(an)
        else:
            assert source in HELPERS and module.stem in SURROUNDINGS, f"{source}.{name}"


def test_the_modules_are_found() -> None:
    assert {"accuracy", "budget", "runner"} <= {module.stem for module in MODULES}
    assert ("ancestral.io.files", "write_atomically") in imports(FOLDER / "runner.py")
