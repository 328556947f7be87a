"""Bad input is refused with a message that names the thing, the reason and the way out; nothing is written."""

from pathlib import Path

import pytest

import ancestral as an
from bad_inputs import CASES, GRAPHS, BadInput


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def write(case: BadInput) -> None:
    if case.content is not None:
        Path(case.name).write_bytes(case.content)


def test_the_table_is_long_enough() -> None:
    assert len(CASES) + len(GRAPHS) >= 60


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
def test_python_refuses(case: BadInput, folder: Path) -> None:
    write(case)
    before = contents(folder)
    with pytest.raises(an.AncestralError) as caught:
        an.discover(case.name, **case.options)
    assert case.words in str(caught.value)
    assert has_way_out(str(caught.value))
    assert contents(folder) == before


def has_way_out(message: str) -> bool:
    """After the reason comes what to do about it."""
    return ";" in message or "?" in message or ":" in message.rsplit(". ", 1)[-1]


@pytest.mark.parametrize(("text", "words"), GRAPHS, ids=[words for _, words in GRAPHS])
def test_python_refuses_a_text_that_is_no_graph(text: str, words: str) -> None:
    kind = an.DAG if "latent" in text else an.PAG
    with pytest.raises(an.AncestralError) as caught:
        kind.parse(text)
    assert words in str(caught.value)
