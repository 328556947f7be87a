"""Possible effects against brute force over all MAGs of a class, with coefficients and paths by definition."""

from collections.abc import Iterator
from itertools import combinations, pairwise, permutations, product
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import ancestral as an
from ancestral import CPDAG, MAG, PAG
from ancestral.classes.equivalence import cpdag_of
from ancestral.graphs.marks import ARROW, CIRCLE, TAIL
from tests.support.classes import agreed_marks, classes, skeletons_up_to_isomorphism
from tests.support.reference import simple_paths

Floats = NDArray[np.float64]
Marks = NDArray[np.uint8]


def system_of(rng: np.random.Generator, mag: Marks) -> tuple[Floats, Floats]:
    """The covariance of a random linear system with this MAG, read plainly, and its total effects."""
    n = len(mag)
    signs = rng.choice([-1.0, 1.0], (n, n))
    arrows = (mag == ARROW) & (mag.T == TAIL)
    coefficients = np.where(arrows, rng.uniform(0.3, 1.2, (n, n)) * signs, 0.0)
    both = np.triu((mag == ARROW) & (mag.T == ARROW))
    shared = np.where(both, rng.uniform(0.2, 0.6, (n, n)) * signs, 0.0)
    errors = shared + shared.T
    errors += np.diag(np.abs(errors).sum(axis=1) + rng.uniform(0.5, 1.5, n))
    total = np.linalg.inv(np.eye(n) - coefficients)
    return np.asarray(total.T @ errors @ total), np.asarray(total, dtype=np.float64)


def rows_with(covariance: Floats, count: int = 200) -> Floats:
    """Rows whose sample covariance is exactly this one."""
    raw = np.random.default_rng(1).standard_normal((count, len(covariance)))
    raw -= raw.mean(axis=0)
    white = raw @ np.linalg.inv(np.linalg.cholesky(np.cov(raw.T))).T
    return np.asarray(white @ np.linalg.cholesky(covariance).T)


def effect_by_paths(rows: Floats, mag: Marks, x: int, y: int) -> float:
    """The sum over directed paths of products of coefficients, each by least squares on the rows."""
    arrows = (mag == ARROW) & (mag.T == TAIL)
    coefficients = np.zeros(mag.shape)
    for v in range(len(mag)):
        parents = np.flatnonzero(arrows[:, v])
        coefficients[parents, v] = np.linalg.lstsq(rows[:, parents], rows[:, v], rcond=None)[0]
    directed = np.where(arrows | arrows.T, mag, np.uint8(0))
    return float(
        sum(
            np.prod([coefficients[u, v] for u, v in pairwise(path)])
            for path in simple_paths(directed, x, y)
            if all(arrows[u, v] for u, v in pairwise(path))
        )
    )


def some_classes(n: int) -> Iterator[list[Marks]]:
    """The classes of n nodes without signs of selection, each as its MAGs without undirected edges."""
    for members in classes(skeletons_up_to_isomorphism(n)):
        agreed = agreed_marks(members)
        if not ((agreed == TAIL) & (agreed.T != ARROW)).any():
            yield [marks for marks in members if not ((marks == TAIL) & (marks.T == TAIL)).any()]


def expanded(found: an.PossibleEffects) -> Floats:
    """The effect of each graph, in increasing order."""
    return np.repeat(found.values, found.counts)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_values_are_those_of_all_mags_of_the_class(n: int) -> None:
    rng = np.random.default_rng(n)
    names = "abcd"[:n]
    several = 0
    for members in some_classes(n):
        pag = an.pag_of(MAG(names, members[0]))
        chosen = members[rng.integers(len(members))]
        covariance, truth = system_of(rng, chosen)
        rows = rows_with(covariance)
        moments = an.Moments.of(pl.DataFrame(rows, schema=list(names)))
        for x, y in permutations(range(n), 2):
            found = an.possible_effects(pag, moments, names[x], names[y])
            expected = sorted(effect_by_paths(rows, marks, x, y) for marks in members)
            np.testing.assert_allclose(expanded(found), expected, atol=1e-8)
            assert found.all_listed and found.drawn == 0 and found.graphs == len(members)
            assert np.diff(found.values).min(initial=1) > 1e-9
            assert np.abs(np.array(found.values) - truth[x, y]).min() < 1e-8  # that of the system itself is among them
            several += len(found.values) > 1
    assert several >= (1, 10, 100)[n - 2]


def test_an_effect_that_adjustment_gives_is_the_only_value() -> None:
    rng = np.random.default_rng(4)
    seen = 0
    for seed in range(60):
        dag = an.simulate.random_dag(nodes=9, degree=2.0, seed=seed)
        pag = an.pag_of(dag)
        mag = an.mag_of(dag)
        covariance, truth = system_of(rng, mag.marks)
        moments = an.Moments.from_covariance(covariance, rows=1_000, names=mag.nodes)
        for x, y in permutations(range(len(mag.nodes)), 2):
            sets = an.adjustment_set(pag, mag.nodes[x], mag.nodes[y], limit=1)
            if not sets.exists or sets.no_effect:
                continue
            found = an.possible_effects(pag, moments, mag.nodes[x], mag.nodes[y], most=200)
            np.testing.assert_allclose(found.values, truth[x, y], atol=1e-8)
            assert len(found.values) == 1
            assert not found.unbounded and found.reason == ""
            seen += 1
    assert seen > 30


def test_draws_have_no_other_values_than_the_list_and_nearly_all_of_its_range() -> None:
    rng = np.random.default_rng(5)
    widths = []
    for seed in range(40):
        dag = an.simulate.random_dag(nodes=7, degree=2.5, seed=seed)
        pag, mag = an.pag_of(dag), an.mag_of(dag)
        covariance, _ = system_of(rng, mag.marks)
        moments = an.Moments.from_covariance(covariance, rows=1_000, names=mag.nodes)
        for x, y in list(permutations(mag.nodes, 2))[:10]:
            drawn = an.possible_effects(pag, moments, x, y, most=500, seed=seed)
            if drawn.all_listed:
                continue
            assert drawn.drawn == drawn.graphs == 500
            listed = an.possible_effects(pag, moments, x, y, most=20_000)
            if not listed.all_listed:
                break
            assert listed.graphs > 500
            gaps = np.abs(np.subtract.outer(drawn.values, listed.values)).min(axis=1)
            assert gaps.max() < 1e-8
            if listed.high > listed.low:
                widths.append((drawn.high - drawn.low) / (listed.high - listed.low))
    assert len(widths) >= 30
    assert np.mean(widths) >= 0.98


def test_known_marks_leave_the_mags_that_have_them() -> None:
    """The PAG with one mark more, of a MAG of the class: it is the PAG of no class, and stands for part of one."""
    rng = np.random.default_rng(6)
    fewer = 0
    for members in some_classes(4):
        pag = an.pag_of(MAG("abcd", members[0]))
        circles = np.argwhere(pag.marks == CIRCLE)
        if not len(circles):
            continue
        covariance, _ = system_of(rng, members[0])
        rows = rows_with(covariance)
        moments = an.Moments.of(pl.DataFrame(rows, schema=list("abcd")))
        u, v = circles[rng.integers(len(circles))]
        chosen = members[rng.integers(len(members))]
        marks = pag.marks.copy()
        marks[u, v] = chosen[u, v]
        if chosen[u, v] == TAIL:
            marks[v, u] = ARROW  # nothing is selected
        agreeing = [m for m in members if ((marks == CIRCLE) | (m == marks)).all()]
        # what follows from the mark is not in the graph, so that it may look like a graph of another class
        try:
            found = an.possible_effects(PAG("abcd", marks), moments, "a", "b")
        except an.GraphError:
            continue
        expected = sorted(effect_by_paths(rows, m, 0, 1) for m in agreeing)
        np.testing.assert_allclose(expanded(found), expected, atol=1e-8)
        fewer += len(agreeing) < len(members)
    assert fewer > 5


def test_a_run_with_knowledge_has_the_mags_that_agree_with_it() -> None:
    covariance, _ = system_of(np.random.default_rng(3), MAG.parse("a --> b, b --> c").marks)
    moments = an.Moments.from_covariance(covariance, rows=2_000, names=list("abc"))
    free = an.discover(moments)
    assert str(free.pag) == "a o-o b\nb o-o c"
    known = an.discover(moments, knowledge=an.Knowledge(tiers=[["a", "b"], ["c"]]))
    assert "c --> b" not in str(known.pag)
    assert not an.legal(known.pag)
    assert known.possible_effects("c", "a").values == (0.0,)
    assert free.possible_effects("c", "a").low < 0
    # b --> c or b <-> c, each with what a o-o b leaves open
    plain = {str(mag) for mag in an.list_mags(free.pag) if "c --> b" not in str(mag)}
    assert known.possible_effects("a", "c").graphs == len(plain) == 4


def test_a_cpdag_has_the_effects_of_its_dags() -> None:
    rng = np.random.default_rng(7)
    checked = 0
    for _ in range(40):
        n = 4
        marks = np.zeros((n, n), dtype=np.uint8)
        for u, v in combinations(range(n), 2):
            if rng.random() < 0.6:
                marks[u, v], marks[v, u] = ARROW, TAIL
        cpdag = cpdag_of(an.DAG("abcd", marks))
        covariance, _ = system_of(rng, marks)
        rows = rows_with(covariance)
        moments = an.Moments.of(pl.DataFrame(rows, schema=list("abcd")))
        dags = []
        edges = np.argwhere(np.triu(marks != 0)).tolist()
        for turned in product((False, True), repeat=len(edges)):
            other = np.zeros_like(marks)
            for (u, v), turn in zip(edges, turned, strict=True):
                a, b = (v, u) if turn else (u, v)
                other[a, b], other[b, a] = ARROW, TAIL
            try:
                same = cpdag_of(an.DAG("abcd", other)) == cpdag
            except an.GraphError:
                continue
            if same:
                dags.append(other)
        for x, y in permutations(range(n), 2):
            found = an.possible_effects(cpdag, moments, "abcd"[x], "abcd"[y])
            expected = sorted(effect_by_paths(rows, dag, x, y) for dag in dags)
            np.testing.assert_allclose(expanded(found), expected, atol=1e-8)
            assert found.kind == "DAG" and not found.unbounded
            checked += len(found.values) > 1
    assert checked > 50
    assert "Assumed: nothing unmeasured causes two of the variables." in str(found)


def shifted(covariance: Floats, mag: Marks, x: int, v: int, by: float) -> tuple[Floats, Floats]:
    """Coefficients and errors of a system with the same covariance, in which x --> v is stronger, and confounded.

    v = b x + c z + e and x = a z + r give v = (b + d) x + (c - d a) z + (e - d r) for any d.
    """
    arrows = (mag == ARROW) & (mag.T == TAIL)
    coefficients = np.zeros(covariance.shape)
    for w in range(len(mag)):
        parents = np.flatnonzero(arrows[:, w])
        coefficients[parents, w] = np.linalg.solve(covariance[np.ix_(parents, parents)], covariance[parents, w])
    coefficients[:, v] -= by * coefficients[:, x]
    coefficients[x, v] += by
    back = np.eye(len(mag)) - coefficients
    return coefficients, np.asarray(back.T @ covariance @ back)


def graph_of(coefficients: Floats, errors: Floats, names: str) -> an.DAG:
    """The DAG of a system, with a latent cause for each pair of errors that are not independent."""
    edges = [(names[u], "-->", names[w]) for u, w in np.argwhere(np.abs(coefficients) > 1e-9).tolist()]
    latent = []
    for u, w in np.argwhere(np.triu(np.abs(errors) > 1e-9, 1)).tolist():
        latent.append(f"L{u}{w}")
        edges += [(latent[-1], "-->", names[u]), (latent[-1], "-->", names[w])]
    return an.DAG.from_edges(edges, nodes=list(names), latent=latent)


def total_effects(coefficients: Floats) -> Floats:
    return np.asarray(np.linalg.inv(np.eye(len(coefficients)) - coefficients), dtype=np.float64)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_an_effect_that_is_called_unbounded_is_any_number_in_some_system(n: int) -> None:
    """For each such pair, a system with the same PAG and the same covariance, and an effect of a million or more."""
    rng = np.random.default_rng(n)
    names = "abcd"[:n]
    proved = 0
    for members in some_classes(n):
        pag = an.pag_of(MAG(names, members[0]))
        covariance, _ = system_of(rng, members[0])
        moments = an.Moments.from_covariance(covariance, rows=100, names=list(names))
        for x, y in permutations(range(n), 2):
            found = an.possible_effects(pag, moments, names[x], names[y])
            if not found.unbounded:
                assert (len(found.values), found.reason) == (1, "")
                continue
            assert found.reason.startswith(names[x])
            for mag in members:
                for v in np.flatnonzero((mag[x] == ARROW) & (mag[:, x] == TAIL)).tolist():
                    coefficients, _ = shifted(covariance, mag, x, v, 1e7)
                    if abs(total_effects(coefficients)[x, y]) < 1e6:
                        continue  # v does not lead to y
                    mild, mild_errors = shifted(covariance, mag, x, v, 0.7)  # the same pattern, without large numbers
                    back = total_effects(mild)
                    np.testing.assert_allclose(back.T @ mild_errors @ back, covariance, atol=1e-9)
                    if an.pag_of(graph_of(mild, mild_errors, names)) == pag:
                        break
                else:
                    continue
                break
            else:
                pytest.fail(f"no system of {pag} has another effect of {names[x]} on {names[y]}")
            proved += 1
    assert proved >= (2, 16, 200)[n - 2]


def test_what_adjustment_alone_leaves_open_is_not_called_unbounded() -> None:
    """c o-> x <-> a <-> m, x --> v --> m --> y, a --> y: visible, and not adjustable, since a opens x <-> a <-> m."""
    dag = an.DAG.parse(
        "c -> x, L1 -> x, L1 -> a, L2 -> a, L2 -> m, x -> v, v -> m, m -> y, a -> y", latent=["L1", "L2"]
    )
    pag, mag = an.pag_of(dag), an.mag_of(dag)
    covariance, truth = system_of(np.random.default_rng(1), mag.marks)
    moments = an.Moments.from_covariance(covariance, rows=100, names=mag.nodes)
    found = an.possible_effects(pag, moments, "x", "y")
    assert not found.unbounded
    assert "not blocked" in found.reason
    assert f"Adjustment does not give the effect: {found.reason}." in str(found)
    assert found.values == pytest.approx([truth[mag.index("x"), mag.index("y")]])


def test_the_reason_names_the_edge_that_leaves_the_effect_open() -> None:
    moments = an.Moments.from_covariance(np.eye(3) + 0.3, rows=100, names=["x", "y", "z"])
    found = an.possible_effects(PAG.parse("x o-o y, z o-o x, z o-o y"), moments, "x", "y")
    assert found.reason == "x o-o y may be a cause and confounded at once, and then any effect fits the data"
    assert str(found).splitlines()[-1] == f"  Without that, there is no bound: {found.reason}."


def test_frames_text_and_html() -> None:
    covariance, _ = system_of(np.random.default_rng(8), MAG.parse("a --> b, b --> c").marks)
    moments = an.Moments.from_covariance(covariance, rows=100, names=["a", "b", "c<d"])
    found = an.possible_effects(PAG.parse('a o-o b, b o-o "c<d"'), moments, "a", "c<d")
    frame = found.to_frame()
    assert frame.columns == ["value", "graphs", "share"]
    assert frame["value"].to_list() == list(found.values)
    assert frame["graphs"].sum() == 5 and frame["share"].sum() == pytest.approx(1)
    assert type(found.to_frame(library="pandas")).__module__.startswith("pandas")
    page = found._repr_html_()
    assert "c&lt;d" in page and "c<d" not in page and "no bound" in page
    assert sum("of the 5 MAGs of the class" in line for line in str(found).splitlines()) == 2


def test_many_values_are_cut_short_in_print_only() -> None:
    names = [f"v{i}" for i in range(5)]
    marks = np.where(np.eye(5, dtype=bool), np.uint8(0), np.uint8(CIRCLE))
    dag = np.where(np.triu(np.ones((5, 5)), 1) > 0, np.uint8(ARROW), np.uint8(0))
    dag[dag.T == ARROW] = TAIL
    covariance, _ = system_of(np.random.default_rng(1), dag)
    moments = an.Moments.from_covariance(covariance, rows=100, names=names)
    found = an.possible_effects(PAG(names, marks), moments, "v0", "v4", most=300)
    assert found.drawn == 300 and not found.all_listed
    assert len(found.values) > 12
    assert f"{len(found.values) - 12} more values up to" in str(found)
    assert "of 300 MAGs drawn from the class" in str(found)
    assert an.possible_effects(PAG(names, marks), moments, "v0", "v4", most=300) == found
    assert an.possible_effects(PAG(names, marks), moments, "v0", "v4", most=300, seed=1) != found


def test_refusals(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    covariance, _ = system_of(rng, MAG.parse("a --> b, b --> c").marks)
    moments = an.Moments.from_covariance(covariance, rows=100, names=list("abc"))
    pag = PAG.parse("a o-o b, b o-o c")
    with pytest.raises(an.OptionError, match=r"x must be the name of one variable, got \['a', 'b'\]; ask for one"):
        an.possible_effects(pag, moments, ["a", "b"], "c")  # type: ignore[arg-type]
    with pytest.raises(an.OptionError, match="the two variables must differ, got 'a' twice"):
        an.possible_effects(pag, moments, "a", "a")
    with pytest.raises(an.UnknownName, match="'d'"):
        an.possible_effects(pag, moments, "a", "d")
    with pytest.raises(an.OptionError, match="most must be a whole number of at least 1, got 0"):
        an.possible_effects(pag, moments, "a", "b", most=0)
    with pytest.raises(an.GraphError, match=r"the tail at . on .* says that the sample was selected"):
        an.possible_effects(PAG.parse("a --- b, b --- c, c --- d, d --- a"), moments, "a", "b")
    with pytest.raises(an.GraphError, match=r"not the PAG of any graph: .* need not be legal"):
        an.possible_effects(PAG.parse("a o-> c, b o-> c, c o-> d"), moments, "a", "c")
    with pytest.raises(an.GraphError, match="not the CPDAG of any graph"):
        an.possible_effects(CPDAG.parse("a --- b, b --> c, d --> b"), moments, "a", "c")
    few = an.Moments.from_covariance(covariance, rows=2, names=list("abc"))
    with pytest.raises(an.DataError, match="2 rows are too few for a regression on"):
        an.possible_effects(pag, few, "a", "c")
    dag = an.simulate.random_dag(nodes=7, degree=2.2, latent=2, seed=0)
    illegal = an.discover(an.simulate.linear_gaussian(dag, rows=300, seed=0), algorithm="icd", selection_bias=False)
    assert not an.legal(illegal.pag)
    with pytest.raises(an.GraphError, match=r'need not be legal; the graph of algorithm="scored" always is'):
        illegal.possible_effects("x3", "x5")
    found = an.discover(moments)
    found.save(tmp_path / "run.json")
    with pytest.raises(an.OptionError, match="a run file does not hold the data"):
        an.load(tmp_path / "run.json").possible_effects("a", "c")
    with pytest.raises(an.OptionError, match="no_edge"):
        an.discover(moments, algorithm="icd", knowledge=an.Knowledge(no_edge=[("a", "c")])).possible_effects("a", "b")
