"""The examples of docs/series-examples.md: true to all processes with the same separations, and up to date."""

from pathlib import Path

import numpy as np
import pytest

import ancestral as an
from ancestral.graphs.marks import CIRCLE, TAIL
from tests.support.series_truth import NAMED, true_window_pag
from tools.series_examples import DOCS, EXAMPLES, page, picture_of


def test_the_examples_are_the_named_graphs() -> None:
    assert {name: (example.dag, example.lags) for name, example in EXAMPLES.items()} == NAMED


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_window_is_what_all_processes_with_the_same_separations_share(name: str) -> None:
    """But for tails that only a comparison of all processes gives; they are named, and left open."""
    example = EXAMPLES[name]
    truth = true_window_pag(example.dag, example.lags)
    assert truth is not None
    marks = truth.marks.copy()
    for x, y in example.left_open:
        end = truth.index(y), truth.index(x)
        assert marks[end] == TAIL
        marks[end] = CIRCLE
    found = example.found().window
    assert np.array_equal(found.arranged(truth.nodes), marks)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_does_not_depend_on_names(name: str) -> None:
    """The processes take each other's names, in the opposite order."""
    example = EXAMPLES[name]
    new = dict(zip(example.dag.processes, reversed(example.dag.processes), strict=True))
    renamed = an.SeriesDAG(
        [new[process] for process in example.dag.processes],
        [(new[a], lag, new[b]) for a, lag, b in example.dag.edges],
        [new[process] for process in example.latent],
    )
    graph, again = example.found().window, an.discover_series(renamed, lags=example.lags).window
    nodes = [f"{new[node.partition('[')[0]]}[{node.partition('[')[2]}" for node in graph.nodes]
    assert np.array_equal(again.arranged(nodes), graph.marks)


def test_the_page_and_its_pictures_are_up_to_date(tmp_path: Path) -> None:
    assert (DOCS / "series-examples.md").read_text(encoding="utf-8") == page()
    for name, example in EXAMPLES.items():
        example.found().plot(tmp_path / "window.svg", what="window")
        assert (DOCS / "pictures" / picture_of(name)).read_text(encoding="utf-8") == (
            (tmp_path / "window.svg").read_text(encoding="utf-8")
        ), f"python -m tools.series_examples ({name})"
