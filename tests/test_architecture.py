"""The maps of the sources, of the decisions and of the documentation are complete."""

import re
from pathlib import Path

from tools.tree import PAGE, in_page, tree


def test_the_tree_is_that_of_the_modules() -> None:
    assert in_page() == tree(), "run `python -m tools.tree --write`"


def test_a_sentence_does_not_end_with_et_al() -> None:
    assert "_pds_cy: Possible-D-Sep (Spirtes, Glymour & Scheines 2000; Colombo et al. 2012, definition 3.3)" in tree()


def test_modules_that_pages_name_are_there() -> None:
    """Every `room/module` in backticks; a room is a folder of the package."""
    sources = PAGE.parent / "src" / "ancestral"
    rooms = {path.name for path in sources.iterdir() if path.is_dir()}
    pages = [PAGE, PAGE.parent / "CONTRIBUTING.md", *sorted((PAGE.parent / "docs" / "decisions").glob("*.md"))]
    named = {
        (page.name, name)
        for page in pages
        for name in re.findall(r"`([\w.]+(?:/[\w.]+)+)`", page.read_text(encoding="utf-8"))
        if name.partition("/")[0] in rooms
    }
    assert len(named) > 40
    assert [(page, name) for page, name in sorted(named) if not _is_there(sources / name)] == []


def _is_there(path: Path) -> bool:
    """Whether there is this folder, file or module, or this name in a module: `room/module.name`."""
    if path.exists() or path.with_name(f"{path.name}.py").exists():
        return True
    module, _, name = path.name.partition(".")
    file = path.with_name(f"{module}.py")
    return file.exists() and re.search(rf"(?m)^(?:def |class )?{name}\b", file.read_text(encoding="utf-8")) is not None


def test_decisions_are_numbered_once_and_all_listed() -> None:
    folder = PAGE.parent / "docs" / "decisions"
    listed = re.findall(r"docs/decisions/([\w-]+\.md)", PAGE.read_text(encoding="utf-8"))
    assert sorted(listed) == sorted(file.name for file in folder.glob("*.md"))
    for number, name in enumerate(listed, start=1):
        assert name.startswith(f"{number:02d}-")
        assert (folder / name).read_text(encoding="utf-8").startswith(f"# {number}. ")


def test_the_index_of_the_documentation_links_every_page() -> None:
    docs = PAGE.parent / "docs"
    linked = re.findall(r"\]\(([\w-]+\.md)\)", (docs / "README.md").read_text(encoding="utf-8"))
    assert sorted(linked) == sorted({file.name for file in docs.glob("*.md")} - {"README.md", "index.md"})
