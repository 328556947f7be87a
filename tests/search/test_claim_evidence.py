"""The evidence of claims: against formulas and brute force, with knowledge, without data, in files and in words."""

import json
from collections.abc import Iterator
from functools import cache
from itertools import combinations, compress, permutations, product
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import ancestral as an
from ancestral._pulse_cy import Pulse
from ancestral.data.stats.column_blocks import ColumnBlocks
from ancestral.graphs.marks import ARROW, CIRCLE, NONE, TAIL
from ancestral.scores._score_cy import ScoredGraph
from ancestral.search.algorithms import ALGORITHMS
from ancestral.search.claims import ClaimEvidence
from ancestral.search.scored.claims import Claim, Denial
from ancestral.search.scored.evidence import challenge_notes
from ancestral.search.scored.limits import Limits
from ancestral.search.scored.run import ScoredOptions, scored
from ancestral.search.stage import GraphStage
from benchmarks.designs import DESIGNS
from tests.support.ancestral_graphs import is_ancestral, is_maximal, set_type

Marks = NDArray[np.uint8]


def y_structure(seed: int) -> pl.DataFrame:
    """Rows in whose graph, a o-> c <-o b and c --> d, there is a tail."""
    return an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c, c -> d"), rows=300, seed=seed)


Y_STRUCTURE = y_structure(3)


@pytest.fixture
def unchallenged(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scored search as it is with many variables: it denies no claims, and leaves no notes."""
    entry = ALGORITHMS["scored"]

    def run(problem: Any) -> Iterator[GraphStage]:
        return scored(problem, ScoredOptions(most_challenged=0))

    monkeypatch.setitem(ALGORITHMS, "scored", type(entry)(**{**vars(entry), "run": run}))


def found(rows: Any = Y_STRUCTURE, **options: Any) -> an.Discovery:
    return an.discover(rows, algorithm="scored", **options)


# -- against formulas and brute force ---------------------------------------------------------------------------------


@pytest.mark.parametrize("coefficient", [0.0, 0.12, 0.5])
@pytest.mark.usefixtures("unchallenged")
def test_two_variables_by_hand(coefficient: float) -> None:
    check_two_variables(coefficient)


@pytest.mark.parametrize("coefficient", [0.0, 0.12, 0.5])
def test_two_variables_by_hand_from_the_notes(coefficient: float) -> None:
    check_two_variables(coefficient)


def check_two_variables(coefficient: float) -> None:
    """An edge gains -N log(1 - r²), and costs log N + 4 gamma log 2."""
    rng = np.random.default_rng(1)
    x = rng.standard_normal(200)
    rows = pl.DataFrame({"x": x, "y": coefficient * x + rng.standard_normal(200)})
    r = np.corrcoef(rows.to_numpy().T)[0, 1]
    gain = -200 * np.log(1 - r**2) - np.log(200) - 4 * 0.5 * np.log(2)
    claims = found(rows).claims("x", "y")
    assert claims.edge == ("o-o" if gain > 0 else None)
    assert claims.adjacency.evidence == pytest.approx(abs(gain), abs=0.01)
    assert (claims.at_a, claims.at_b) == (None, None)
    assert list(claims) == [claims.adjacency]


@cache
def mags(n: int) -> list[Marks]:
    """All maximal ancestral graphs over n nodes without undirected edges."""
    out = []
    for kinds in product(range(4), repeat=n * (n - 1) // 2):
        marks = np.zeros((n, n), dtype=np.uint8)
        for (a, b), kind in zip(combinations(range(n), 2), kinds, strict=True):
            set_type(marks, a, b, kind)
        if is_ancestral(marks) and is_maximal(marks):
            out.append(marks)
    return out


def exact_losses(run: an.Discovery, rows: pl.DataFrame) -> Iterator[tuple[ClaimEvidence, float]]:
    """Each claim of a graph over four variables, and how much worse the best of all graphs is that denies it."""
    names, mag = rows.columns, run.mag
    assert mag is not None and mag.nodes == tuple(names)
    scored = ScoredGraph(np.corrcoef(rows.to_numpy().T), np.arange(5, dtype=np.intc), float(rows.height))
    totals = []
    for marks in mags(4):
        scored.load(marks)
        totals.append(scored.total)
    assert run.score == pytest.approx(min(totals), abs=0.02)
    for claim in run_claims(run):
        x, y = names.index(claim.x), names.index(claim.y)
        rest = np.ones((4, 4), dtype=bool)
        rest[x, y] = rest[y, x] = False
        denied = {
            "edge": [marks[x, y] == NONE for marks in mags(4)],
            "arrowhead": [marks[x, y] != ARROW for marks in mags(4)],
            "tail": [marks[x, y] != TAIL for marks in mags(4)],
            # one edge more, and no other change
            "no edge": [marks[x, y] != NONE and bool((marks == mag.marks)[rest].all()) for marks in mags(4)],
        }[claim.kind]
        yield claim, min(compress(totals, denied)) - min(totals)


def run_claims(run: an.Discovery) -> Iterator[ClaimEvidence]:
    return (claim for a, b in combinations(run.pag.nodes, 2) for claim in run.claims(a, b))


@pytest.mark.parametrize("asked", ["by the search", "afterwards"])
@pytest.mark.parametrize("seed", range(1, 7))
def test_evidence_is_what_the_best_of_all_other_graphs_loses(
    seed: int, asked: str, request: pytest.FixtureRequest
) -> None:
    """Where a short climb misses the best graph without an edge, evidence is larger, never smaller."""
    if asked == "afterwards":
        request.getfixturevalue("unchallenged")
    rows, seen = y_structure(seed), set()
    for claim, loss in exact_losses(found(rows), rows):
        assert claim.evidence is not None and claim.evidence > loss - 0.05
        if claim.kind != "edge":
            assert claim.evidence == pytest.approx(loss, abs=0.05), claim
        seen.add(claim.kind)
    assert seen == {"edge", "no edge", "arrowhead", "tail"}


def test_a_mark_has_no_more_evidence_than_what_it_rests_on() -> None:
    """Without the collider at c there is no tail at c; without an edge there are no marks."""
    for seed in range(1, 7):
        run = found(y_structure(seed))
        behind, into = run.claims("c", "d"), run.claims("a", "c")
        assert behind.at_a is not None and into.at_b is not None and behind.at_a.kind == "tail"
        assert behind.at_a.evidence is not None and into.at_b.evidence is not None
        assert behind.at_a.evidence <= into.at_b.evidence + 0.02
        assert into.adjacency.evidence is not None and into.at_b.evidence <= into.adjacency.evidence


def test_a_claim_that_was_denied_but_is_not_made_has_no_note() -> None:
    stage = found().stage
    assert isinstance(stage, GraphStage) and stage.member is not None
    blocks = ColumnBlocks.single(np.asarray(np.corrcoef(Y_STRUCTURE.select(stage.names).to_numpy().T)), 300)
    made, not_made = Claim(0, 2), Claim(2, 0, TAIL)  # the edge a–c, and a tail at a, which is a circle
    denials = {made: Denial(5.0, stage.member), not_made: Denial(1.0, stage.member)}
    notes = challenge_notes(stage, denials, blocks, Limits.of(None, 4), lambda marks: marks, Pulse())
    assert [(note.x, note.y, note.about) for note in notes if note.about != "no edge"] == [("a", "c", "edge")]


# -- alike however it is asked ----------------------------------------------------------------------------------------


def table(run: an.Discovery) -> dict[tuple[str, ...], float | None]:
    """The evidence of each claim, whatever the order of columns."""
    frame = run.claims_frame(library="polars")
    return {
        (*sorted((row["a"], row["b"])), row["claim"], row["at"] or ""): row["evidence"]
        for row in frame.iter_rows(named=True)
    }


#: Rows of nine variables and five latent causes.
CONFOUNDED = DESIGNS["latent"](9, 3).rows(400, 3)


@pytest.mark.parametrize("asked", ["by the search", "afterwards"])
def test_neither_columns_nor_workers_change_evidence(asked: str, request: pytest.FixtureRequest) -> None:
    if asked == "afterwards":
        request.getfixturevalue("unchallenged")
    one = table(found(CONFOUNDED))
    assert len(one) > 20
    assert table(found(CONFOUNDED.select(CONFOUNDED.columns[::-1]), workers=2)) == one


@pytest.mark.usefixtures("unchallenged")
def test_what_was_asked_before_changes_no_evidence() -> None:
    every, single = found(CONFOUNDED), found(CONFOUNDED)
    expected = table(every)
    for a, b in reversed(list(permutations(CONFOUNDED.columns, 2))):
        for claim in single.claims(a, b):
            at = "" if claim.kind in ("edge", "no edge") else claim.y
            assert expected[(*sorted((a, b)), claim.kind, at)] == claim.evidence
    assert table(single) == expected


def test_the_table_has_a_row_for_each_claim() -> None:
    run = found()
    frame = run.claims_frame(library="polars")
    assert frame.columns == ["a", "edge", "b", "claim", "at", "evidence", "known", "true_share"]
    marks = int(np.isin(run.pag.marks, (ARROW, TAIL)).sum())
    assert len(frame) == 6 + marks and len(run.claims_frame("edges")) == 3 + marks
    assert set(run.claims_frame("separated")["claim"]) == {"no edge"}
    for row in frame.iter_rows(named=True):
        claims = run.claims(row["a"], row["b"])
        claim = {None: claims.adjacency, row["a"]: claims.at_a, row["b"]: claims.at_b}[row["at"]]
        assert claim is not None and row["edge"] == claims.edge == run.pag.edge(row["a"], row["b"])
        assert (row["claim"], row["evidence"], row["true_share"]) == (claim.kind, claim.evidence, claim.true_share)
    assert run.claims_frame(library="pandas").shape == frame.shape
    order = [(row["a"], row["b"], row["at"]) for row in frame.iter_rows(named=True)]
    ends = [(a, b, at) for a, b in combinations(run.pag.nodes, 2) for at in (None, a, b)]
    assert order == [end for end in ends if end in order]
    with pytest.raises(an.OptionError, match="pairs must be one of 'all', 'edges', 'separated', got 'most'"):
        run.claims_frame("most")  # type: ignore[arg-type]


def test_the_table_of_pairs_has_the_evidence_of_edges_and_missing_edges() -> None:
    run = found()
    for row in run.to_frame(library="polars").iter_rows(named=True):
        assert row["evidence"] == run.claims(row["a"], row["b"]).adjacency.evidence
    assert "evidence" not in an.discover(Y_STRUCTURE, algorithm="icd").to_frame().columns


def test_claims_about_a_pair() -> None:
    run = found()
    claims = run.claims("d", "c")
    assert (claims.a, claims.edge, claims.b) == ("d", "<--", "c")
    assert claims.at_a is not None and (claims.at_a.kind, claims.at_a.x, claims.at_a.y) == ("arrowhead", "c", "d")
    assert claims.at_b is not None and (claims.at_b.kind, claims.at_b.x, claims.at_b.y) == ("tail", "d", "c")
    assert (claims.given, claims.p_value) == (None, None)
    assert run.claims("c", "d").at_a == claims.at_b
    apart = run.claims("a", "d")
    assert apart.given == run.sepset("a", "d") == frozenset({"c"})
    assert apart.p_value == run.evidence("a", "d").p_value
    assert str(apart).splitlines()[-1] == (
        f"  independent given {{c}} by the graph (implied; p = {apart.p_value:.2g} in the data)"
    )
    with pytest.raises(an.OptionError, match="the two variables must differ"):
        run.claims("a", "a")
    with pytest.raises(an.UnknownName):
        run.claims("a", "z")


# -- knowledge --------------------------------------------------------------------------------------------------------


def test_what_is_known_has_no_evidence() -> None:
    known = an.Knowledge(tiers=[["a", "b"], ["c", "d"]], required=[("a", "c")], no_edge=[("a", "b")])
    run = found(knowledge=known)
    claims = run.claims("a", "c")
    assert claims.adjacency.known and claims.adjacency.evidence is claims.adjacency.true_share is None
    assert claims.at_b is not None and claims.at_b.known and claims.at_b.kind == "arrowhead"
    assert str(claims.at_b) == "arrowhead at c: known, whatever the data say"
    assert run.claims("a", "b").adjacency.known
    free = run.claims("c", "d")
    assert not free.adjacency.known and free.adjacency.evidence is not None
    frame = run.claims_frame(library="polars")
    assert frame.filter(pl.col("known"))["evidence"].null_count() == frame["known"].sum() > 0
    assert frame.filter(~pl.col("known"))["evidence"].null_count() == 0
    assert "known to be adjacent" in str(run.why("a", "c")) and "known not to be" in str(run.why("a", "b"))
    assert run.at_evidence(10**9, arrowheads=True).edge("a", "c") == run.pag.edge("a", "c")


# -- without data, and in files ---------------------------------------------------------------------------------------


def test_a_file_keeps_the_evidence(tmp_path: Path) -> None:
    run, path = found(), tmp_path / "run.json"
    run.save(path)
    again = an.load(path)
    assert again.trace.notes == run.trace.notes != ()
    for a, b in permutations(Y_STRUCTURE.columns, 2):
        assert str(again.why(a, b)) == str(run.why(a, b))
        assert str(again.claims(a, b)) == str(run.claims(a, b))
    assert again.claims_frame().equals(run.claims_frame()) and again.to_frame().equals(run.to_frame())
    assert again.at_evidence(20) == run.at_evidence(20)
    assert again.to_json() == run.to_json()
    resumed = found(resume=path)
    assert resumed.trace.notes == run.trace.notes and resumed.to_json() == run.to_json()


def test_a_claim_without_a_note_among_others_has_no_evidence(tmp_path: Path) -> None:
    """The search has weighed all claims, so nothing is computed, and no data are missed."""
    document = json.loads(found().to_json())
    notes = document["notes"]
    gone = next(i for i, about in enumerate(notes["about"]) if about == "no edge")
    names = [document["variables"][notes[end].pop(gone)] for end in ("x", "y")]
    for column in ("about", "number", "text"):
        notes[column].pop(gone)
    path = tmp_path / "run.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    for run in (an.load(path), found(resume=path)):
        claim = run.claims(*names).adjacency
        assert (claim.evidence, claim.known, claim.true_share) == (None, False, None)
        assert str(claim) == "no edge: no graph was found that denies it"


def test_a_note_without_a_number_is_no_evidence(tmp_path: Path) -> None:
    document = json.loads(found().to_json())
    document["notes"]["number"] = [None] * len(document["notes"]["number"])
    path = tmp_path / "run.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    run = an.load(path)
    assert all(claim.evidence is claim.true_share is None and not claim.known for claim in run_claims(run))
    assert run.to_frame(library="polars")["evidence"].null_count() == 6
    assert run.at_evidence(1e9, arrowheads=True) == run.pag


@pytest.mark.usefixtures("unchallenged")
def test_a_file_has_all_evidence_or_none(tmp_path: Path) -> None:
    run, path = found(), tmp_path / "run.json"
    before = run.to_json()
    assert json.loads(before)["notes"]["text"] == []
    asked = run.claims("c", "d")
    assert "denying it costs" in str(run.why("a", "c"))
    assert run.to_json() == before  # what was looked at makes no difference
    run.save(path)
    bare = an.load(path)
    assert "costs" not in str(bare.why("c", "d"))
    with pytest.raises(an.OptionError, match="a run file does not hold the data; discover"):
        bare.claims("c", "d")
    with pytest.raises(an.OptionError, match="a run file does not hold the data"):
        bare.at_evidence(6)
    assert str(found(resume=path).claims("c", "d")) == str(asked)  # the data are there again
    with patch("ancestral.show.evidence_questions.MOST_PAIRS", 5):  # of more pairs, a file does not list all claims
        run.claims_frame("all")
    assert json.loads(run.to_json())["notes"]["text"] == []
    run.claims_frame()
    assert run.trace.notes and run.to_json() != before
    run.save(path)
    assert str(an.load(path).claims("c", "d")) == str(asked)
    assert an.load(path).trace.notes == run.trace.notes


@pytest.mark.usefixtures("unchallenged")
def test_evidence_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    run, asked = found(), []
    source = run.settings.chosen.claims
    assert source is not None

    def weigh(stage: Any, test: Any, constraints: Any, claims: Any) -> Any:
        asked.extend(claims)
        return source.weigh(stage, test, constraints, claims)

    entry = ALGORITHMS["scored"]
    counting = type(source)(weigh, source.known, source.share_true)
    monkeypatch.setitem(ALGORITHMS, "scored", type(entry)(**{**vars(entry), "claims": counting}))
    run.claims("c", "d")
    run.why("d", "c")
    assert len(asked) == 3
    run.claims_frame()
    run.at_evidence(6)
    run.claims_frame()
    assert len(asked) == len(set(asked)) == len(run.claims_frame())


def test_an_algorithm_without_a_score_has_no_evidence() -> None:
    asks = an.discover(Y_STRUCTURE, algorithm="icd")
    message = r'must come from a search by score, and algorithm="icd" has none; pass algorithm="scored", or'
    for call in (lambda: asks.claims("a", "c"), asks.claims_frame, lambda: asks.at_evidence(6)):
        with pytest.raises(an.OptionError, match=message):
            call()


def test_a_run_without_a_graph_has_no_evidence(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = ALGORITHMS["scored"]

    def run(problem: Any) -> Iterator[GraphStage]:
        raise KeyboardInterrupt
        yield

    monkeypatch.setitem(ALGORITHMS, "scored", type(entry)(**{**vars(entry), "run": run}))
    with pytest.warns(an.RunWarning):
        nothing = found()
    with pytest.raises(an.OptionError, match="needs a graph, and none was found"):
        nothing.claims("a", "c")
    assert "Not proved" not in str(nothing.why("a", "c"))


# -- views and words --------------------------------------------------------------------------------------------------


def mark_at(pag: an.PAG, claim: ClaimEvidence) -> int:
    return int(pag.marks[pag.index(claim.x), pag.index(claim.y)])


def test_weak_marks_become_circles_in_a_view() -> None:
    run = found(CONFOUNDED)
    frame = run.claims_frame("edges", library="polars")
    for least, arrowheads in product((-1e9, 5.0, 12.0, 1e9), (False, True)):
        view = run.at_evidence(least, arrowheads=arrowheads)
        kinds = ("tail", "arrowhead") if arrowheads else ("tail",)
        weak = frame.filter(pl.col("claim").is_in(kinds) & (pl.col("evidence") < least))
        expected = run.pag.marks.copy()
        for row in weak.iter_rows(named=True):
            other = row["b"] if row["at"] == row["a"] else row["a"]
            expected[run.pag.index(other), run.pag.index(row["at"])] = CIRCLE
        assert view.nodes == run.pag.nodes and (view.marks == expected).all()
    assert run.at_evidence(-1e9, arrowheads=True) == run.pag
    for claim in run_claims(run):
        if claim.kind == "tail" and claim.evidence is not None:  # just enough, and a little too little
            assert mark_at(run.at_evidence(claim.evidence), claim) == TAIL
            assert mark_at(run.at_evidence(claim.evidence + 0.01), claim) == CIRCLE
    assert not np.isin(run.at_evidence(1e9, arrowheads=True).marks, (ARROW, TAIL)).any()
    for bad in ("6", None, float("nan"), float("inf")):
        with pytest.raises(an.OptionError, match="least must be a number, got"):
            run.at_evidence(bad)  # type: ignore[arg-type]
    with pytest.raises(an.OptionError, match="arrowheads must be True or False"):
        run.at_evidence(6, arrowheads="yes")  # type: ignore[arg-type]


def test_why_tells_the_evidence_and_that_nothing_is_proved() -> None:
    run = found()
    claims = run.claims("c", "d")
    assert claims.at_a is not None and claims.at_b is not None
    lines = str(run.why("c", "d")).splitlines()
    assert lines[0] == f"c --> d: kept: {claims.adjacency.text}."
    assert f"without the edge the best graph found is {claims.adjacency.evidence:.1f} worse; of such" in lines[0]
    assert f"    {claims.at_a.text}." in lines and f"    {claims.at_b.text}." in lines
    assert claims.at_a.text.startswith(f"denying it costs {claims.at_a.evidence:.1f}")
    assert lines[-1] == "Not proved: other graphs may score better." and str(run.why("c", "d")).count("Not proved") == 1
    assert run.why("c", "d").steps[-1].kind == "caveat"
    lines = str(run.why("a", "d")).splitlines()
    assert lines[0] == f"No edge between a and d: {run.claims('a', 'd').adjacency.text}."
    assert lines[0].startswith("No edge between a and d: adding an edge costs ")
    assert "(implied; p = " in lines[1] and lines[-1] == "Not proved: other graphs may score better."
    assert "Not proved" not in str(an.discover(Y_STRUCTURE, algorithm="icd").why("a", "d"))
