"""What a sweep says: frames, criteria, words, pictures and pages."""

import json
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral.graphs.marks import SYMBOLS
from ancestral.sweeping.instability import drawn_of
from ancestral.sweeping.levels import Level, hamming, neighbour_agreement
from ancestral.sweeping.picture import FILLS, MOST_ROWS, fill_of
from ancestral.sweeping.suggestion import suggested

GRAPHS = [
    an.PAG.parse("a o-> b, c"),
    an.PAG.parse("a o-> b, b o-o c"),
    an.PAG.parse("a --> b, b o-o c, a o-o c"),
]


@pytest.fixture(scope="module")
def swept() -> an.Sweep:
    dag = an.simulate.random_dag(10, 2.5, seed=7)
    rows = an.simulate.linear_gaussian(dag, rows=300, seed=7)
    return an.sweep(rows, alphas=[0.0001, 0.01, 0.05, 0.2], resamples=4, progress=False)


def test_agreement_with_neighbours_is_the_mean_of_both_sides() -> None:
    # edges: 1 of 2, and 2 of 3; marks of common edges: 2 of 2, and 3 of 4
    assert neighbour_agreement(GRAPHS, 0) == pytest.approx((1 / 2, 1.0))
    assert neighbour_agreement(GRAPHS, 1) == pytest.approx(((1 / 2 + 2 / 3) / 2, (1 + 3 / 4) / 2))
    assert neighbour_agreement(GRAPHS, 2) == pytest.approx((2 / 3, 3 / 4))
    assert neighbour_agreement(GRAPHS[:1], 0) == (None, None)
    empty = an.PAG.parse("a, b, c")
    assert neighbour_agreement([empty, empty], 0) == (1.0, None)


def test_the_distance_counts_pairs() -> None:
    assert [hamming(one, other) for one, other in pairwise(GRAPHS)] == [1, 2]
    assert hamming(GRAPHS[2], GRAPHS[2]) == 0


def test_a_row_for_each_level(swept: an.Sweep) -> None:
    frame = swept.to_frame(library="polars")
    assert frame["alpha"].to_list() == list(swept.alphas)
    for row, found in zip(frame.iter_rows(named=True), swept.found, strict=True):
        edges = found.pag.edges()
        ends = [mark for _, edge, _ in edges for mark in (edge[0], edge[2])]
        assert row["edges"] == len(edges)
        assert {kind: row[kind] for kind in SYMBOLS} == {k: sum(e == k for _, e, _ in edges) for k in SYMBOLS}
        assert row["arrowheads"] == ends.count("<") + ends.count(">")
        assert (row["tails"], row["circles"]) == (ends.count("-"), ends.count("o"))
        assert row["questions"] == found.tests.total() + found.verify_tests.total()
        assert row["conflicts"] == len(found.trace.conflicts)
        assert found.check is not None
        assert (row["denied"], row["beyond_chance"]) == (found.check.denied, found.check.beyond_chance)
        assert row["contradictions"] == len(found.check.contradictions)
        fit = found.check.fit
        expected = (None, None, None) if fit is None else (fit.deviance, fit.df, fit.p_value)
        assert (row["deviance"], row["df"], row["p_value"]) == expected
        assert (row["ebic"] is None) == (fit is None)
    differ = [an.compare(one, other).shd for one, other in pairwise(swept.graphs)]
    assert frame["changed_pairs"].to_list() == [None, *differ]


def test_the_extended_bic_is_that_of_the_graph_as_a_member() -> None:
    """Of a graph with a single member, the scored search has the same one, and tells its EBIC."""
    rows = an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c, c -> d"), rows=2000, seed=1)
    swept = an.sweep(rows, alphas=[0.001], progress=False)
    scored = an.discover(rows, algorithm="scored", resamples=0, progress=False)
    assert scored.pag == swept.graphs[0]
    assert swept.levels[0].ebic == pytest.approx(scored.score)


def test_without_a_likelihood_there_is_no_fit() -> None:
    rows = an.simulate.discrete(an.DAG.parse("a -> b, b -> c"), rows=300, seed=1)
    frame = an.sweep(rows, alphas=[0.01, 0.05], progress=False).to_frame(library="polars")
    assert frame["deviance"].to_list() == frame["ebic"].to_list() == [None, None]


def test_edges_tell_where_they_appear(swept: an.Sweep) -> None:
    frame = swept.edges(library="polars")
    names = [f"{alpha:g}" for alpha in swept.alphas]
    assert frame.columns == ["a", "b", "first_alpha", "last_alpha", "levels", "kinds", *names]
    seen = {
        (a, b) if (a, b) in set(frame.select("a", "b").iter_rows()) else (b, a)
        for g in swept.graphs
        for a, _, b in g.edges()
    }
    assert set(frame.select("a", "b").iter_rows()) == seen
    for row in frame.iter_rows(named=True):
        edges = [graph.edge(row["a"], row["b"]) for graph in swept.graphs]
        assert [row[name] for name in names] == edges
        having = [alpha for alpha, edge in zip(swept.alphas, edges, strict=True) if edge]
        assert (row["first_alpha"], row["last_alpha"], row["levels"]) == (having[0], having[-1], len(having))
        assert row["kinds"] == len(set(edges) - {None})
    changing = swept.edges(changing=True, library="polars")
    assert 0 < changing.height < frame.height
    assert all(len(set(row[6:])) > 1 for row in changing.iter_rows())


def test_frames_are_of_the_library_that_was_given() -> None:
    rows = an.simulate.linear_gaussian(an.DAG.parse("a -> b"), rows=50, seed=1).to_pandas()
    swept = an.sweep(rows, alphas=[0.01], progress=False)
    assert type(swept.to_frame()) is type(rows)
    assert isinstance(swept.edges(library="polars"), pl.DataFrame)


def level(alpha: float, **known: Any) -> Level:
    nothing = dict.fromkeys(Level.__dataclass_fields__)
    return Level(**{**nothing, "alpha": alpha, **known})


def preferred(by: Any, **values: Any) -> float:
    """The level that a criterion prefers of 0.1, 0.2, …, which have these values."""
    count = len(next(iter(values.values())))
    levels = [
        level((number + 1) / 10, **{name: listed[number] for name, listed in values.items()}) for number in range(count)
    ]
    found: Any = [SimpleNamespace()] * count
    return suggested(by, levels, found).alpha


def test_criteria_prefer_what_they_say() -> None:
    assert preferred("fit", ebic=[5.0, None, 3.0, 4.0]) == 0.3
    assert preferred("denials", beyond_chance=[4, 0, 2, 0]) == 0.2
    assert preferred("stability", same_edges=[0.5, 0.9, 0.9, 0.8], same_marks=[1.0, 0.7, 0.8, 1.0]) == 0.3
    # the largest level before any is unstable, not the largest stable one
    assert preferred("stability", instability=[0.01, 0.05, 0.06, 0.02]) == 0.2
    assert preferred("stability", instability=[0.3, 0.01]) == 0.1


@pytest.mark.parametrize(
    ("by", "values", "message"),
    [
        ("fit", {"ebic": [None, 2.0]}, "1 of 2 graphs can be fitted as linear normal models"),
        ("denials", {"beyond_chance": [None, None]}, "the test tells no p-values to compare"),
        ("stability", {"same_edges": [None]}, "there is a single level, without neighbours"),
    ],
)
def test_criteria_that_cannot_compare_say_so(by: str, values: dict[str, Any], message: str) -> None:
    with pytest.raises(an.OptionError, match=f'^by="{by}" cannot be used here: {message}; pass'):
        preferred(by, **values)


def test_a_criterion_is_one_of_three(swept: an.Sweep) -> None:
    best = swept.best("stability")
    assert best.found is swept.at(best.alpha)
    assert best.caveat in str(best)
    with pytest.raises(an.OptionError, match="by must be one of"):
        swept.best("truth")  # type: ignore[arg-type]
    with pytest.raises(an.OptionError, match=r"alpha must be one of the levels that were searched, 0.0001, 0.01,"):
        swept.at(0.5)


def test_a_sweep_prints_levels_edges_and_criteria(swept: an.Sweep) -> None:
    text = str(swept)
    changing = swept.edges(changing=True, library="polars")
    a, b = changing.row(0)[:2]
    assert any(line.split()[0] == a and line.split()[-1] == b for line in text.splitlines() if line.strip())
    assert "What criteria prefer; none of them tells the right alpha:" in text
    assert text.count("  by ") == len(swept.suggestions())
    assert repr(swept) == f"<Sweep: {len(swept.graphs[0].nodes)} variables, 4 of 4 levels>"


def test_plain_values_are_json(swept: an.Sweep) -> None:
    read = json.loads(swept.to_json())
    assert read == swept.to_dict()
    assert [row["alpha"] for row in read["levels"]] == list(swept.alphas)
    assert len(read["edges"]) == swept.edges(library="polars").height


def test_pictures_are_files_that_do_not_change(swept: an.Sweep, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for name, start in (("a.svg", b"<?xml"), ("b.svg", b"<?xml"), ("a.png", b"\x89PNG"), ("a.pdf", b"%PDF")):
        swept.plot(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(start)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    with pytest.raises(an.OptionError, match=r"path must end in .svg, .png or .pdf"):
        swept.plot(tmp_path / "a.gif")


def test_the_picture_has_a_cell_for_each_edge_at_each_level(swept: an.Sweep) -> None:
    pytest.importorskip("matplotlib")
    figure = swept.plot()
    strip = figure.axes[-1]
    changing = swept.edges(changing=True, library="polars")
    cells = [edge for row in changing.iter_rows() for edge in row[6:] if edge is not None]
    assert changing.height <= MOST_ROWS
    assert sorted(text.get_text() for text in strip.texts) == sorted(cells)
    assert len(strip.patches) == len(cells)
    assert {label.get_text() for label in strip.get_yticklabels()} == {
        f"{a} · {b}" for a, b in changing.select("a", "b").iter_rows()
    }


def test_a_picture_without_changes_says_so() -> None:
    pytest.importorskip("matplotlib")
    rows = an.simulate.linear_gaussian(an.DAG.parse("a -> b"), rows=200, seed=1)
    strip = an.sweep(rows, alphas=[0.01], progress=False).plot().axes[-1]
    assert [text.get_text() for text in strip.texts] == ["every edge is the same at all levels"]


def test_kinds_of_edges_have_their_fills() -> None:
    assert {edge: fill_of(edge) for edge in ("-->", "<--", "<->", "o->", "<-o", "o-o", "---", "o--", "--o")} == {
        "-->": FILLS["directed"], "<--": FILLS["directed"], "<->": FILLS["bidirected"], "o->": FILLS["partly open"],
        "<-o": FILLS["partly open"], "o-o": FILLS["open"], "---": FILLS["undirected"], "o--": FILLS["partly open"],
        "--o": FILLS["partly open"],
    }  # fmt: skip


def test_pages_escape_names(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    rows = an.simulate.linear_gaussian(an.DAG.parse("a -> b, b -> c, a -> c"), rows=60, seed=2)
    rows = rows.rename({"a": "<script>$x$", "b": "b&c"})
    swept = an.sweep(rows, alphas=[1e-12, 0.5], progress=False)
    assert swept.edges(changing=True, library="polars").height > 0
    swept.report(tmp_path / "sweep.html")
    page = (tmp_path / "sweep.html").read_text(encoding="utf-8")
    for text in (page, swept._repr_html_()):
        assert "<script" not in text
        assert "&lt;script&gt;$x$" in text
        assert "b&amp;c" in text
    assert page.count("<svg") == 1
    assert "None of them tells the right alpha." in page
    with pytest.raises(an.OptionError, match=r"path must end in .html"):
        swept.report(tmp_path / "sweep.pdf")


def test_subsamples_are_as_large_as_published() -> None:
    assert [drawn_of(rows) for rows in (100, 144, 145, 10_000)] == [80, 115, 120, 1000]


# -- what must be known to read a sweep -------------------------------------------------------------------------------


def clustered(clusters: int) -> pl.DataFrame:
    """One hidden cause of all columns, in few clusters, with weights."""
    rng = np.random.default_rng(1)
    cause = rng.standard_normal(300)
    columns: dict[str, Any] = {name: cause + rng.standard_normal(300) for name in "abcde"}
    return pl.DataFrame({**columns, "s": np.arange(300) % clusters, "w": rng.random(300) + 0.5})


@pytest.fixture(scope="module")
def few() -> an.Sweep:
    with pytest.warns(an.DataWarning, match="only 6 clusters"):
        return an.sweep(clustered(6), alphas=[0.1, 0.2], weights="w", clusters="s", fdr=0.2, progress=False)


def test_a_sweep_tells_its_design_its_control_and_questions_without_an_answer(few: an.Sweep) -> None:
    unsupported = [found.unsupported.total() for found in few.found]
    assert max(unsupported) > 0
    frame = few.to_frame(library="polars")
    assert frame["unsupported"].to_list() == unsupported
    for name in ("unanswered", "untold"):
        assert frame[name].to_list() == [getattr(found.check, name) for found in few.found]
    removed = [(found.to_frame(library="polars")["found_by"] == "fdr").sum() for found in few.found]
    assert frame["fdr_removed"].to_list() == removed
    read = few.to_dict()
    assert (read["fdr"], read["weights"], read["clusters"]) == (0.2, "w", "s")
    for text in (str(few), html(few)):
        assert "rows with weights &#x27;w&#x27;, 6 clusters" in text or "rows with weights 'w', 6 clusters" in text
        assert "false discoveries among edges controlled at 0.2, at every level" in text
        assert f"these data could not answer up to {max(unsupported)} questions of a level" in text
        assert "without answer" in text and "removed by fdr" in text


def html(swept: an.Sweep) -> str:
    from ancestral.sweeping.page import page

    return page(swept)


def test_columns_that_say_nothing_are_not_shown(swept: an.Sweep) -> None:
    assert "without answer" not in str(swept) and "without answer" not in html(swept)
    assert swept.to_dict()["clusters"] is None
    assert swept.to_frame(library="polars")["fdr_removed"].to_list() == [None] * 4


def test_the_algorithm_is_chosen_because_of_the_sweep(swept: an.Sweep, few: an.Sweep) -> None:
    for text in (str(swept), html(swept), str(few)):
        assert "chosen because a sweep varies the significance level" in text
        assert "a significance level was given" not in text


def test_ties_are_told_as_ties() -> None:
    found: Any = [SimpleNamespace()] * 3
    for by, values in (
        ("fit", {"ebic": [4.0, 3.0 + 1e-9, 3.0]}),
        ("denials", {"beyond_chance": [1, 0, 0]}),
        ("stability", {"same_edges": [0.5, 0.9, 0.9], "same_marks": [1.0, 0.8, 0.8]}),
    ):
        levels = [
            level((number + 1) / 10, **{name: listed[number] for name, listed in values.items()}) for number in range(3)
        ]
        best = suggested(by, levels, found)  # type: ignore[arg-type]
        assert (best.alpha, best.ties) == (0.2, (0.3,))
        assert f"by {by}: alpha 0.2, the smallest of equals (0.3 is as good)." in str(best)
    levels = [level(0.1, ebic=3.0), level(0.2, ebic=4.0)]
    assert "equals" not in str(suggested("fit", levels, found))


def test_an_unstable_smallest_level_does_not_speak_for_the_others() -> None:
    levels = [level(0.1, instability=0.3), level(0.2, instability=0.01)]
    found: Any = [SimpleNamespace()] * 2
    assert "Already the smallest level has an instability above 0.05" in suggested("stability", levels, found).reason
