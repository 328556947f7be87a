"""Series DAGs: reading and writing them, what is refused, and windows that are exact."""

import pickle
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ancestral import MAG, GraphError, OptionError, UnknownName, mag_of
from ancestral.graphs import SeriesDAG
from ancestral.graphs.series_window import CommonPast
from ancestral.graphs.window import Window
from tests.support.series_truth import NAMED, random_series_dags, unrolled

#: Any names that a process may have, more often those made of the characters that mean something in the text.
NAMES = (st.text(min_size=1, max_size=6) | st.text(alphabet='aB01-<>o|,: "#\\[]t', min_size=1, max_size=7)).filter(
    lambda name: bool(name.strip()) and not (name.endswith("]") and "[t" in name)
)


@st.composite
def series_dags(draw: st.DrawFn) -> SeriesDAG:
    names = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    pairs = [(a, lag, b) for i, a in enumerate(names) for j, b in enumerate(names) for lag in range(3) if lag or i < j]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=6))
    return SeriesDAG(names, edges, draw(st.lists(st.sampled_from(names), unique=True)))


@given(series_dags())
def test_reading_what_was_printed_gives_the_same_graph(dag: SeriesDAG) -> None:
    assert SeriesDAG.parse(str(dag)) == dag
    assert eval(repr(dag), {"SeriesDAG": SeriesDAG}) == dag
    assert hash(SeriesDAG.parse(str(dag))) == hash(dag)


def test_blanks_around_edges_may_be_left_out() -> None:
    spaced = SeriesDAG.parse('A -1-> A, A -12-> "b c"\nD # alone\nL -0-> A\nlatent: L')
    assert spaced == SeriesDAG.parse('D,A-1->A,A-12->"b c",L-0->A,', latent=["L"])
    assert spaced.processes == ("A", "b c", "D", "L")
    assert spaced.observed == ("A", "b c", "D")
    assert spaced.latent == {"L"}
    assert spaced.edges == (("A", 1, "A"), ("A", 12, "b c"), ("L", 0, "A"))
    assert spaced.order == 12
    assert str(spaced) == 'A -1-> A\nA -12-> "b c"\nL -0-> A\nD\nlatent: L'


def test_dashes_and_colons_in_names() -> None:
    dag = SeriesDAG.parse('husb-occ -1-> x-1, "latent:" -0-> x-1, a:b-2->-c')
    assert dag.processes == ("husb-occ", "x-1", "latent:", "a:b", "-c")


def test_a_graph_without_edges_has_isolated_processes() -> None:
    dag = SeriesDAG.parse("A, B")
    assert (dag.processes, dag.edges, dag.order) == (("A", "B"), (), 0)
    assert dag.mag(1) == MAG.parse('"A[t-1]", "A[t]", "B[t-1]", "B[t]"')
    assert SeriesDAG.parse("").processes == ()


def test_equality_does_not_depend_on_order_but_on_roles() -> None:
    dag = SeriesDAG(["A", "B"], [("A", 1, "B"), ("A", 0, "B")])
    assert dag == SeriesDAG(["B", "A"], [("A", 0, "B"), ("A", 1, "B")])
    assert dag != SeriesDAG(["A", "B"], dag.edges, ["A"])
    assert dag != SeriesDAG(["A", "B", "C"], dag.edges)
    assert dag != "A -0-> B, A -1-> B"
    assert pickle.loads(pickle.dumps(dag)) == dag


def test_a_series_dag_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        SeriesDAG.parse("A-1->B").latent = frozenset("A")  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A -1-> B\nB => C", "line 2: 'B => C' is neither a process nor an edge; write 'A -1-> B' with the lag"),
        ("A -1-> B, C --> D", "line 1: 'C --> D' is neither a process nor an edge"),
        ("A-1->B-1->C", "'A-1->B-1->C' is neither"),
        ("A -1->, B", "'A -1->' is neither"),
        ("-1-> B", "'-1-> B' is neither"),
        ("A -x-> B", "'A -x-> B' is neither"),
        ("A --1-> B -1-> C", "'A --1-> B -1-> C' is neither"),
        ("A -1234567890-> B", "'A -1234567890-> B' is neither"),
        ('A -1-> "B', "'A -1-> \"B' is neither"),
        ("A->B", "'A->B' looks like an edge without a lag; write 'A -1-> B', or a name in double quotes"),
        ('"\\q" -1-> B', "is not a name in double quotes"),
        ("hidden: L", "line 1: unknown heading 'hidden:'; the only heading is 'latent:'"),
        ("A\nlatent: A -1-> B", "line 2: A -1-> B is not a name; list the latent processes"),
        ("A -1-> B, A-1->B", "the edge A -1-> B is given twice; give it once"),
        ("A -0-> B, B -1-> C, B -0-> A", "cycle within a step, (A -0-> B -0-> A|B -0-> A -0-> B); one of these edges"),
        ("A -0-> A", "directed cycle within a step, A -0-> A; one of these edges needs a lag"),
        ("A -1001-> A", "must be a whole number of steps from 0 to 1,000, got 1001 from 'A' to 'A'"),
        ("A[t-1] -1-> B", r"the name of a process must not end in a step such as \[t\] or \[t-1\], got 'A\[t-1\]'"),
    ],
)
def test_what_is_no_series_dag(text: str, message: str) -> None:
    with pytest.raises(GraphError, match=message):
        SeriesDAG.parse(text)


def test_what_is_no_text_no_edge_and_no_process() -> None:
    with pytest.raises(GraphError, match="a series DAG is read from text, got 5; write it like"):
        SeriesDAG.parse(5)  # type: ignore[arg-type]
    for edge in [("A", "B"), "A", ("A", 1.0, "A"), ("A", True, "A"), ("A", -1, "A"), (1, 1, "A")]:
        with pytest.raises(GraphError, match=r"an edge must be a tuple of a cause|the lag of an edge must be a whole"):
            SeriesDAG(["A"], [edge])  # type: ignore[list-item]
    with pytest.raises(UnknownName, match="unknown process 'M'; there are: 'A', 'B'"):
        SeriesDAG.parse("A -1-> B", latent=["M"])
    with pytest.raises(UnknownName, match="unknown process 'rian'; did you mean 'rain'"):
        SeriesDAG(["rain"], [("rian", 1, "rain")])
    with pytest.raises(GraphError, match="the name 'A' occurs twice"):
        SeriesDAG(["A", "A"])
    with pytest.raises(OptionError, match="edges must be a list of edges"):
        SeriesDAG(["A"], 3)  # type: ignore[arg-type]
    for lags in (-1, 1.0, 1001):
        with pytest.raises(OptionError, match="lags must be a whole number"):
            SeriesDAG.parse("A").window(lags)  # type: ignore[arg-type]


def mag(text: str) -> MAG:
    """A MAG from text in which A1 stands for A[t-1], and A0 for A[t]."""
    words = [f"{w[0]}[t-{w[1]}]".replace("[t-0]", "[t]") if w[0].isalpha() else w for w in text.split()]
    return MAG.parse(" ".join(words).replace(" ; ", "\n"))


@pytest.mark.parametrize(
    ("text", "latent", "lags", "expected"),
    [
        # the edge A1 <-> B1 stands for A two steps back, and has no copy at t
        ("A-1->A, A-1->B", "", 1, "A1 --> A0 ; A1 <-> B1 ; A1 --> B0"),
        ("A-1->A, B-0->A", "", 1, "A1 --> A0 ; B1 --> A1 ; B0 --> A0"),
        ("A-0->B", "", 0, "A0 --> B0"),
        ("A-2->B", "", 1, "A0 ; A1 ; B0 ; B1"),
        ("A-2->B, A-1->C", "", 1, "A1 --> C0 ; B0 <-> C1 ; A0 ; B1"),
        # a latent process acts at every step; one with a memory joins all steps
        ("L-0->A, L-1->B", "L", 1, "A1 <-> B0 ; A0 ; B1"),
        ("L-1->L, L-0->A", "L", 2, "A2 <-> A1 ; A2 <-> A0 ; A1 <-> A0"),
        # A1 causes A0 by way of L, and L2 of the past causes both
        ("A-1->L, L-1->A", "L", 2, "A2 --> A0 ; A1"),
    ],
)
def test_windows_that_can_be_worked_out_by_hand(text: str, latent: str, lags: int, expected: str) -> None:
    assert SeriesDAG.parse(text, latent=list(latent)).mag(lags) == mag(expected)


def test_nodes_of_a_window_are_those_of_the_observed_processes_in_their_order() -> None:
    dag = SeriesDAG.parse("Z-0->A, L-1->A, L-1->Z, L-1->L", latent=["L"])
    window = dag.window(2)
    assert window.observed == dag.mag(2).nodes == Window(("Z", "A"), 2).names
    assert {"L[t]", "L[t-1]", "L[t-2]"} < window.latent


def test_names_of_latent_nodes_do_not_collide_with_processes() -> None:
    dag = SeriesDAG.parse("A-1->A, A-1->B, past.A[t-1].B-1->A")
    window = dag.window(1)
    assert {"past.A[t-1].B[t-1]", "past.A[t-1].B[t]"} <= set(window.observed)
    assert {"past.A[t-1].B[t-1]'"} <= window.latent
    assert mag_of(window) == mag_of(unrolled(dag, 1, 5))


@pytest.mark.parametrize("name", NAMED)
def test_windows_of_named_graphs_equal_those_of_a_long_past(name: str) -> None:
    dag, lags = NAMED[name]
    for more in range(3):
        assert dag.mag(lags + more) == mag_of(unrolled(dag, lags + more, 12))


def test_windows_of_random_graphs_equal_those_of_a_long_past() -> None:
    short = 0
    for dag, lags in islice(random_series_dags(11), 60):
        expected = mag_of(unrolled(dag, lags, 20))
        assert dag.mag(lags) == expected, repr(dag)
        short += mag_of(unrolled(dag, lags, 1)) != expected
    assert short > 10  # a past of one step would not do


def test_a_common_cause_far_back_is_found() -> None:
    """R causes A[t] from 1 + 3k steps back, and D[t] from 2 + 4m steps back; the first step of both kinds is 10."""
    dag = SeriesDAG.parse("A-3->A, B-4->B, A-1->C, B-1->D, R-1->A, R-1->B")
    for lags in range(3):
        assert dag.mag(lags) == mag_of(unrolled(dag, lags, 20))
    assert dag.mag(0).has("A[t]", "<->", "D[t]")
    assert not mag_of(unrolled(dag, 0, 9)).has("A[t]", "<->", "D[t]")


def test_common_pasts_by_definition() -> None:
    for dag, _ in islice(random_series_dags(12), 15):
        past = CommonPast(dag.parents)
        steps = 25
        whole = unrolled(dag, 0, steps)
        for a in dag.processes:
            for b in dag.processes:
                for lag in range(dag.order + 1):
                    shared = whole.ancestors(Window((a,), steps).names[-1 - lag]) & whole.ancestors(f"{b}[t]")
                    assert past.joins((a, lag), (b, 0)) == bool(shared), (repr(dag), a, b, lag)
