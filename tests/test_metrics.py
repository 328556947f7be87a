import pickle
from dataclasses import FrozenInstanceError
from itertools import combinations, product
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ancestral import (
    CPDAG,
    DAG,
    MAG,
    PAG,
    Comparison,
    GraphError,
    OptionError,
    Oracle,
    compare,
    discover,
    pag_of,
    simulate,
    stages,
)
from ancestral.graphs.names import by_name

MARKS = ("none", "circle", "arrowhead", "tail")
SPELLED = {"o": "circle", "<": "arrowhead", ">": "arrowhead", "-": "tail"}

# a–c is right, b–c has a wrong mark at b, c–d is missing, a–d and d–e are extra
TRUTH = PAG.parse("a o-> c, b o-> c, c --> d, e")
ESTIMATE = PAG.parse("e o-o d, a o-o d, b --> c, a o-> c")


# -- by hand -----------------------------------------------------------------------------------------------------


def test_skeleton() -> None:
    c = compare(ESTIMATE, TRUTH)
    assert (c.true_positives, c.false_positives, c.false_negatives, c.true_negatives) == (2, 2, 1, 5)
    assert (c.precision, c.recall, c.fpr, c.fnr) == (2 / 4, 2 / 3, 2 / 7, 1 / 3)
    assert c.f1 == pytest.approx(4 / 7)


def test_orientation_is_the_share_of_the_marks_of_the_truth() -> None:
    # right: both marks of a–c and the arrowhead of b–c; the truth has 6 marks, the estimate 8, common edges 4
    assert compare(ESTIMATE, TRUTH).orientation == 3 / 6
    assert compare(TRUTH, ESTIMATE).orientation == 3 / 8


def test_a_circle_can_be_right() -> None:
    assert compare(PAG.parse("a o-> b"), PAG.parse("a o-o b")).orientation == 1 / 2
    assert compare(PAG.parse("a o-o b"), PAG.parse("a o-o b")).orientation == 1


def test_confusion_counts_ends_by_truth_and_estimate() -> None:
    counted = {
        ("none", "circle"): 4,
        ("circle", "circle"): 1,
        ("circle", "tail"): 1,
        ("arrowhead", "arrowhead"): 2,
        ("arrowhead", "none"): 1,
        ("tail", "none"): 1,
    }
    assert compare(ESTIMATE, TRUTH).confusion == dict.fromkeys(product(MARKS, MARKS), 0) | counted


def test_differences_are_read_from_the_first_name_and_counted_by_shd() -> None:
    c = compare(ESTIMATE, TRUTH)
    assert c.differences == [
        ("a", "o-o", None, "d"),
        ("b", "-->", "o->", "c"),
        ("c", None, "-->", "d"),
        ("d", "o-o", None, "e"),
    ]
    assert (c.shd, c.same) == (4, False)


@pytest.mark.parametrize(
    ("estimate", "truth", "shd"),
    [
        ("a --> b", "a --> b", 0),
        ("a, b", "a --> b", 1),
        ("a --> b", "a, b", 1),
        ("b --> a", "a --> b", 1),  # turned round: both marks are other ones, the pair counts once
        ("a o-> b", "a --> b", 1),  # another mark at the first name only
        ("a --o b", "a --> b", 1),  # at the second only
        ("a o-o b, b o-o c", "a o-> b, c o-> b", 2),
    ],
)
def test_shd_counts_a_pair_once(estimate: str, truth: str, shd: int) -> None:
    assert compare(PAG.parse(estimate), PAG.parse(truth)).shd == shd


def test_differences_are_in_the_natural_order_of_names() -> None:
    c = compare(PAG.parse("x10 <-o x2, x1 o-o x10"), PAG.parse("x1, x2, x10"))
    assert c.differences == [("x1", "o-o", None, "x10"), ("x2", "o->", None, "x10")]


@pytest.mark.parametrize(
    ("estimate", "truth", "expected"),
    [
        # precision, recall, f1, fpr, fnr, orientation
        ("a, b", "a, b", (1, 1, 1, 0, 0, 1)),
        ("a", "a", (1, 1, 1, 0, 0, 1)),
        ("", "", (1, 1, 1, 0, 0, 1)),
        ("a o-o b", "a, b", (0, 1, 0, 1, 0, 1)),  # nothing to find, something found
        ("a, b", "a o-o b", (1, 0, 0, 0, 1, 0)),  # nothing found, something to find; no pair is apart in the truth
        ("a --> b", "a <-- b", (1, 1, 1, 0, 0, 0)),
        ("a --> b, c", "a, b --> c", (0, 0, 0, 1 / 2, 1, 0)),
    ],
)
def test_nothing_to_nothing_is_no_error(estimate: str, truth: str, expected: tuple[float, ...]) -> None:
    c = compare(PAG.parse(estimate), PAG.parse(truth))
    assert (c.precision, c.recall, c.f1, c.fpr, c.fnr, c.orientation) == expected


def test_large_graphs_are_counted_in_full() -> None:
    names = [f"x{i}" for i in range(300)]
    complete = PAG(names, [[int(x != y) for x in range(300)] for y in range(300)])
    c = compare(complete, PAG.from_edges([], names))
    assert (c.false_positives, c.confusion["none", "circle"], c.shd) == (300 * 299 // 2, 300 * 299, 300 * 299 // 2)


# -- by plain loops, and laws ----------------------------------------------------------------------------------------

EDGES = (None, None, None, *(f"{left}-{right}" for left in "o<-" for right in "o>-"))
NAMES = ("x10", "b", "x2", "B", "a long name", "x1")


@st.composite
def pags(draw: st.DrawFn, count: int) -> tuple[PAG, ...]:
    """Some graphs over the same names, each in an order of its own."""
    names = NAMES[: draw(st.integers(0, len(NAMES)))]
    out = []
    for _ in range(count):
        nodes = draw(st.permutations(names))
        chosen = [(a, draw(st.sampled_from(EDGES)), b) for a, b in combinations(nodes, 2)]
        out.append(PAG.from_edges([(a, edge, b) for a, edge, b in chosen if edge is not None], nodes))
    return tuple(out)


def spelled(edge: str | None) -> tuple[str, str]:
    return ("none", "none") if edge is None else (SPELLED[edge[0]], SPELLED[edge[2]])


@given(pags(2))
def test_every_number_by_plain_loops(graphs: tuple[PAG, PAG]) -> None:
    estimate, truth = graphs
    right = extra = missing = apart = marks = marks_right = 0
    confusion = dict.fromkeys(product(MARKS, MARKS), 0)
    differences = []
    for a, b in combinations(sorted(truth.nodes, key=by_name), 2):
        guess, fact = estimate.edge(a, b), truth.edge(a, b)
        right += guess is not None and fact is not None
        extra += guess is not None and fact is None
        missing += guess is None and fact is not None
        apart += guess is None and fact is None
        if guess != fact:
            differences.append((a, guess, fact, b))
        for in_truth, in_estimate in zip(spelled(fact), spelled(guess), strict=True):
            confusion[in_truth, in_estimate] += 1
            marks += in_truth != "none"
            marks_right += in_truth == in_estimate != "none"
    confusion["none", "none"] = 0
    c = compare(estimate, truth)
    assert (c.true_positives, c.false_positives, c.false_negatives, c.true_negatives) == (right, extra, missing, apart)
    assert c.confusion == confusion
    assert c.orientation == (marks_right / marks if marks else 1)
    assert c.differences == differences
    assert c.shd == len(differences)
    assert c.same is (estimate == truth)
    if right:
        assert c.f1 == pytest.approx(2 / (1 / c.precision + 1 / c.recall))
        assert c.fnr == pytest.approx(1 - c.recall)


@given(pags(2))
def test_swapping_exchanges_extra_and_missing(graphs: tuple[PAG, PAG]) -> None:
    there, back = compare(*graphs), compare(*reversed(graphs))
    assert (there.false_positives, there.false_negatives) == (back.false_negatives, back.false_positives)
    assert (there.precision, there.recall, there.f1) == (back.recall, back.precision, back.f1)
    assert there.confusion == {(b, a): count for (a, b), count in back.confusion.items()}
    assert there.differences == [(a, guess, fact, b) for a, fact, guess, b in back.differences]


@given(pags(1), st.randoms(use_true_random=False))
def test_a_graph_is_the_same_as_itself_in_any_order(graphs: tuple[PAG], random: Any) -> None:
    (graph,) = graphs
    nodes = list(graph.nodes)
    random.shuffle(nodes)
    c = compare(PAG(nodes, graph.arranged(nodes)), graph)
    assert c.same
    assert (c.shd, c.differences, c.f1, c.orientation) == (0, [], 1, 1)


@given(pags(3))
def test_shd_is_a_distance(graphs: tuple[PAG, PAG, PAG]) -> None:
    one, two, three = graphs
    assert compare(one, three).shd <= compare(one, two).shd + compare(two, three).shd


def test_the_order_of_nodes_does_not_matter() -> None:
    nodes = ("c", "e", "a", "d", "b")
    c = compare(PAG(nodes, ESTIMATE.arranged(nodes)), TRUTH)
    assert str(c) == str(compare(ESTIMATE, TRUTH))
    assert c == compare(ESTIMATE, TRUTH)
    assert c != compare(TRUTH, TRUTH)


# -- what may be compared ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "dag",
    [
        DAG.parse("a -> b, L -> b, L -> c, d -> c", latent=["L"]),
        DAG.parse("a -> s, b -> s, b -> c", selection=["s"]),
    ],
)
def test_a_dag_with_latent_or_selection_nodes_stands_for_its_pag(dag: DAG) -> None:
    assert compare(pag_of(dag), dag).same
    assert compare(dag, pag_of(dag)).same
    assert not compare(PAG.from_edges([], dag.observed), dag).same
    assert set(compare(dag, dag).truth.nodes) == set(dag.observed)  # also where neither is a PAG


def test_other_graphs_are_compared_as_they_stand() -> None:
    dag = DAG.parse("a -> b")
    assert compare(dag, MAG.parse("a --> b")).same
    assert compare(CPDAG.parse("a --- b"), dag).differences == [("a", "---", "-->", "b")]
    assert compare(pag_of(dag), MAG.parse("a --> b")).differences == [("a", "o-o", "-->", "b")]


def test_a_dag_beside_a_pag_stands_for_its_pag() -> None:
    dag = DAG.parse("a -> b")
    assert compare(PAG.parse("a o-o b"), dag).same
    assert compare(dag, PAG.parse("a --> b")).differences == [("a", "o-o", "-->", "b")]


def test_what_was_found_may_be_passed_as_it_is() -> None:
    dag = DAG.parse("a -> b, L -> b, L -> c, d -> c", latent=["L"])
    found = discover(Oracle(dag))
    assert compare(found, dag).same
    assert compare(dag, found).same
    first, *_, last = stages(Oracle(simulate.random_dag(nodes=12, degree=3, seed=1)))
    assert compare(first, last).false_positives > 0
    assert compare(last, last).same


@pytest.mark.parametrize(
    ("estimate", "truth", "message"),
    [
        ("a, b", "a, b, x2, x10", "the estimate lacks 'x2' and 'x10'; compare"),
        ("a, b, c", "a, b", "the truth lacks 'c'; compare"),
        ("a, c", "a, b", "the estimate lacks 'b', and the truth lacks 'c'; compare"),
        ("a", "a, " + ", ".join(f"x{i}" for i in range(10)), "'x6', 'x7' and 2 more; compare"),
    ],
)
def test_different_names_are_named(estimate: str, truth: str, message: str) -> None:
    with pytest.raises(GraphError) as error:
        compare(PAG.parse(estimate), PAG.parse(truth))
    assert message in str(error.value)
    assert "latent in the true DAG" in str(error.value)


def test_what_is_no_graph_is_refused() -> None:
    found: Any = "a --> b"
    with pytest.raises(GraphError, match=r"the estimate must be a graph, got a str; read it with PAG\.parse"):
        compare(found, TRUTH)
    found = {"a": "b"}
    with pytest.raises(GraphError, match="the truth must be a graph, got a dict; pass a graph"):
        compare(TRUTH, found)


# -- printing and passing on -----------------------------------------------------------------------------------------


def test_print() -> None:
    assert str(compare(ESTIMATE, TRUTH)).splitlines() == [
        "PAG against a true PAG: 5 nodes",
        "skeleton     precision 0.500  recall 0.667  F1 0.571  FPR 0.286  FNR 0.333",
        "             2 edges right, 2 extra, 1 missing; 5 pairs correctly not adjacent",
        "orientation  0.500: 3 of 6 marks of the truth",
        "SHD          4 of 10 pairs differ",
        "",
        "truth \\ estimate  none  circle  arrowhead  tail",
        "none                 -       4          0     0",
        "circle               0       1          0     1",
        "arrowhead            1       0          2     0",
        "tail                 1       0          0     0",
        "",
        "estimate  truth",
        "a o-o d   no edge",
        "b --> c   b o-> c",
        "no edge   c --> d",
        "d o-o e   no edge",
    ]
    assert repr(compare(ESTIMATE, TRUTH)) == "<Comparison: 5 nodes, F1 0.571, orientation 0.500, SHD 4>"


def test_print_of_what_is_the_same() -> None:
    lines = str(compare(PAG.parse('"a b" o-o c'), PAG.parse('"a b" o-o c'))).splitlines()
    assert lines[2] == "             1 edge right, 0 extra, 0 missing; 0 pairs correctly not adjacent"
    assert lines[4] == "SHD          0 of 1 pair differs"
    assert lines[-1] == "The graphs are the same."


def test_twenty_differences_are_printed_and_the_rest_is_counted() -> None:
    names = "abcdefg"
    edges = [(a, "o-o", b) for a, b in combinations(names, 2)]
    empty = PAG.from_edges([], list(names))
    twenty_one = str(compare(PAG.from_edges(edges), empty)).splitlines()
    twenty = str(compare(PAG.from_edges(edges[:20], list(names)), empty)).splitlines()
    assert twenty_one[-2:] == ["e o-o g   no edge", "and 1 more"]
    assert twenty[-1] == "e o-o g   no edge"
    assert len(compare(PAG.from_edges(edges), empty).differences) == 21


def test_names_that_could_be_misread_are_quoted() -> None:
    printed = str(compare(PAG.parse('"a b" o-o c'), PAG.parse('"a b", c')))
    assert printed.endswith('estimate     truth\n"a b" o-o c  no edge')


def test_frame_has_a_row_for_each_metric() -> None:
    frame = compare(ESTIMATE, TRUTH).to_frame()
    assert isinstance(frame, pl.DataFrame)
    assert frame.schema == {"metric": pl.String, "value": pl.Float64}
    assert dict(frame.iter_rows()) == {
        "true_positives": 2,
        "false_positives": 2,
        "false_negatives": 1,
        "true_negatives": 5,
        "fpr": 2 / 7,
        "fnr": 1 / 3,
        "precision": 2 / 4,
        "recall": 2 / 3,
        "f1": 4 / 7,
        "orientation": 3 / 6,
        "shd": 4,
        "same": 0,
    }


def test_frame_in_the_library_asked_for() -> None:
    c = compare(ESTIMATE, TRUTH)
    rows = c.to_frame("polars").to_dicts()
    assert isinstance(c.to_frame("pandas"), pd.DataFrame)
    assert isinstance(c.to_frame("pyarrow"), pa.Table)
    assert c.to_frame("pandas").to_dict("records") == c.to_frame("pyarrow").to_pylist() == rows
    unknown: Any = "excel"
    with pytest.raises(OptionError, match="library must be one of 'polars', 'pandas', 'pyarrow', got 'excel'"):
        c.to_frame(unknown)


def test_a_comparison_is_frozen_and_can_be_passed_on() -> None:
    c = compare(ESTIMATE, TRUTH)
    with pytest.raises(FrozenInstanceError):
        c.truth = ESTIMATE  # type: ignore[misc]
    c.differences.clear()
    c.confusion.clear()
    again = pickle.loads(pickle.dumps(c))
    assert isinstance(again, Comparison)
    assert str(again) == str(c) == str(compare(ESTIMATE, TRUTH))
    assert again == c
