"""The maps of the sources, of the decisions and of the documentation are complete."""

import re

from tools.tree import PAGE, in_page, tree


def test_the_tree_is_that_of_the_modules() -> None:
    assert in_page() == tree(), "run `python -m tools.tree --write`"


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
    assert sorted(linked) == sorted(file.name for file in docs.glob("*.md") if file.name != "README.md")
