import runpy
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral.graphs.marks import SYMBOLS
from ancestral.show import LEGEND, edge_in_words


def test_every_edge_has_its_meaning() -> None:
    assert set(LEGEND) == set(SYMBOLS)


def test_each_certain_mark_is_a_sentence() -> None:
    assert edge_in_words("a", "o-o", "b") == []
    assert edge_in_words("a", "-->", "b") == [
        "a is a cause of b (or of the selection)",
        "b is not a cause of a (nor of the selection)",
    ]
    assert edge_in_words("a", "<-o", "b") == ["a is not a cause of b (nor of the selection)"]


def test_the_seven_nodes_stage_by_stage(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(Path(__file__).parents[2] / "examples" / "seven_nodes.py"), run_name="__main__")
    told = capsys.readouterr().out
    assert "Radius 2: 3 questions given 2 nodes, 9 edges left" in told
    assert "A\n├── B\n│   └── F\n└── D" in told
    assert "A and E are independent given B, D, F: the edge between them is removed." in told


def test_sentences_show_names_that_a_terminal_would_act_on() -> None:
    bell = "bell\x07"
    rows = np.random.default_rng(1).normal(size=(100, 3))
    rows[:, 1] += rows[:, 0]
    frame = pl.DataFrame(rows, schema=["a", bell, "c"])
    found, boot = an.discover(frame), an.bootstrap(frame, repeats=2, progress=False)
    for printed in (
        found.why("a", bell),
        found.adjustment_set("a", bell),
        found.pag,
        found,
        boot,
        boot.edge("a", bell),
        found.effect("c", bell),
    ):
        assert "\x07" not in str(printed)
        assert "bell\\u0007" in str(printed)


def test_variables_without_an_edge_are_not_listed_as_edges() -> None:
    found = an.discover(an.Oracle(an.DAG.parse('a -> b, "x y", d')))
    lines = str(found).splitlines()
    assert lines[lines.index("1 edge:") + 1 : lines.index("1 edge:") + 4] == [
        "  a o-o b",
        "",
        'without an edge: "x y", d',
    ]
