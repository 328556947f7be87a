"""Studies: each has what a study needs, its notebook is made of its page, and running it prints what the page shows."""

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tools.notebooks import PAGES, filled, notebook_of, page_of, parts_of, run, shown_picture, studies

#: The sections of a study, in their order.
SECTIONS = [
    "The question",
    "The data",
    "What is known, and what is expected",
    "Description",
    "The graph",
    "Doubts",
    "The effect",
    "What an expert would object",
    "The answer",
]
#: Bytes of a notebook. Those of today have a fifth of it.
LARGEST = 200_000

each_study = pytest.mark.parametrize("page", studies(), ids=lambda page: page.stem)


def kept(page: Path) -> Any:
    return nbformat.read(page.with_suffix(".ipynb"), as_version=4)


def named(svg: str | None) -> list[str]:
    """The nodes and edges of a picture."""
    return sorted(re.findall(r"<title>(.*?)</title>", svg or ""))


def test_there_are_at_least_five() -> None:
    assert len(studies()) >= 5


@each_study
def test_running_the_notebook_prints_what_the_page_shows(page: Path) -> None:
    parts = parts_of(page.read_text(encoding="utf-8"))
    notebook = notebook_of(parts)
    run(notebook)
    done = filled(parts, notebook)
    assert page_of(done) == page.read_text(encoding="utf-8")
    for part in done:
        if part.picture is not None:
            assert named(part.svg) == named((page.parent / part.picture).read_text(encoding="utf-8")) != []


@each_study
def test_the_notebook_is_made_of_the_page(page: Path) -> None:
    parts = parts_of(page.read_text(encoding="utf-8"))
    notebook = kept(page)
    nbformat.validate(notebook)
    cells = [(cell.id, cell.cell_type, cell.source) for cell in notebook.cells]
    assert cells == [(cell.id, cell.cell_type, cell.source) for cell in notebook_of(parts).cells]
    assert page_of(filled(parts, notebook)) == page.read_text(encoding="utf-8")
    for part, cell in zip(parts, notebook.cells, strict=True):
        if part.picture is not None:
            assert (page.parent / part.picture).read_text(encoding="utf-8") == shown_picture(part, cell)
    assert page.with_suffix(".ipynb").stat().st_size < LARGEST


@each_study
def test_a_study_has_all_that_it_needs(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == SECTIONS
    assert re.findall(r"^\| (licence|not measured|who was measured|source) \|", text, re.MULTILINE)[:1] == ["source"]
    for row in ("source", "licence", "who was measured", "measured", "not measured"):
        assert f"\n| {row} | " in text, row
    assert f"[notebook]({page.stem}.ipynb)" in text
    assert ".check" in text and ".discover" in text and "alpha" in text


def test_the_index_names_each_study() -> None:
    index = (PAGES / "README.md").read_text(encoding="utf-8")
    others = sorted((PAGES.parent / "worked").glob("*.md"))
    for link in (*(page.name for page in studies()), *(f"../worked/{page.name}" for page in others)):
        assert f"]({link})" in index, link


# -- the tool itself --------------------------------------------------------------------------------------------------

PAGE = """# A page

Words.

```python
import warnings

import ancestral as an

print("old")
warnings.warn("beware", UserWarning)
```

```text
something else
```

More words.

```python
an.PAG.parse("a o-> b")
```

![A picture](pictures/a.svg)

```python
1 + 1
```
"""


def test_outputs_replace_what_stood_there(tmp_path: Path) -> None:
    parts = parts_of(PAGE)
    assert page_of(parts) == PAGE
    notebook = notebook_of(parts)
    run(notebook)
    done = filled(parts, notebook)
    expected = PAGE.replace("something else", "UserWarning: beware\nold").replace(
        "1 + 1\n```\n", "1 + 1\n```\n\n```text\n2\n```\n"
    )
    assert page_of(done) == expected
    picture = done[3].svg
    assert picture is not None and picture.startswith("<svg ") and ">b<" in picture


def test_a_picture_that_is_not_shown_is_an_error() -> None:
    parts = parts_of("```python\n1\n```\n\n![A picture](pictures/a.svg)\n")
    notebook = notebook_of(parts)
    notebook.cells[0].outputs = []
    with pytest.raises(ValueError, match=r"pictures/a\.svg: the block above it shows no picture"):
        filled(parts, notebook)
