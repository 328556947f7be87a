"""Claims and what it costs to deny them: by hand for two variables; a denied claim is false in the graph found."""

from itertools import permutations

import numpy as np
import pytest

import ancestral as an
from ancestral._pulse_cy import Pulse
from ancestral.data.stats.column_blocks import ColumnBlocks
from ancestral.graphs.marks import ARROW, NONE, TAIL
from ancestral.parallel.clock import Stopped
from ancestral.scores._climb_cy import Climb
from ancestral.search.scored.claims import Claim, claims_of, cost_to_deny, deny
from ancestral.search.scored.climbs import Climbs
from ancestral.search.scored.limits import Limits
from ancestral.search.scored.starts import legal_graph
from tests.support.ancestral_graphs import confounded_mag, every_pair, is_legal, model_correlation, set_type, singles
from tests.support.knowledge_laws import believed, keeps_to

NAMES = tuple("abcdef")


def climb_over(correlation: np.ndarray, limits: Limits, rows: int = 500, gamma: float = 0.5) -> Climb:
    """A climb over all pairs that has come to its end."""
    n = len(correlation)
    pairs = every_pair(n)
    climbs = Climbs(ColumnBlocks.single(correlation, rows), limits, gamma, pairs, np.ones(len(pairs), dtype=bool))
    climb = climbs.begin(Pulse())
    climb.climb()
    climb.weigh_all()
    return climb


def confounded(seed: int) -> Climb:
    rng = np.random.default_rng(seed)
    return climb_over(model_correlation(rng, confounded_mag(rng, 6), singles(6), 500), Limits.of(None, 6))


def holds(claim: Claim, marks: np.ndarray) -> bool:
    """Whether a claim is true of a graph; a mark that is claimed of no edge is not."""
    if claim.mark == NONE:
        return bool(marks[claim.x, claim.y] != NONE)
    return bool(marks[claim.x, claim.y] == claim.mark)


def every_claim(marks: np.ndarray) -> list[Claim]:
    """What a graph says about its edges: that they are there, and their marks."""
    ends = [Claim(x, y, int(marks[x, y])) for x, y in permutations(range(len(marks)), 2) if marks[x, y]]
    return ends + [Claim(x, y) for x, y in every_pair(len(marks)).tolist() if marks[x, y]]


def test_the_claims_of_a_pag() -> None:
    pag = an.PAG.parse("a o-> b, b --> c, c <-> d, d o-o e")
    assert set(claims_of(pag.marks)) == {
        Claim(0, 1), Claim(1, 2), Claim(2, 3), Claim(3, 4),
        Claim(0, 1, ARROW), Claim(1, 2, ARROW), Claim(2, 1, TAIL), Claim(2, 3, ARROW), Claim(3, 2, ARROW),
    }  # fmt: skip


@pytest.mark.parametrize("mark", [NONE, ARROW, TAIL])
def test_the_types_that_deny_a_claim_are_those_in_which_it_is_false(mark: int) -> None:
    for kind in range(4):
        marks = np.zeros((2, 2), dtype=np.uint8)
        set_type(marks, 0, 1, kind)
        denies = not holds(Claim(0, 1, mark), marks) and (mark == NONE or kind != 0)  # a mark is of an edge
        assert bool(Claim(0, 1, mark).denying_types >> kind & 1) == denies


@pytest.mark.parametrize("gamma", [0.0, 0.5, 1.0])
def test_the_evidence_for_an_edge_between_two_variables(gamma: float) -> None:
    r, rows = 0.4, 200
    limits = Limits.of(None, 2)
    climb = climb_over(np.array([[1.0, r], [r, 1.0]]), limits, rows, gamma)
    expected = -rows * np.log(1 - r * r) - np.log(rows) - 4 * gamma * np.log(2)
    assert cost_to_deny(climb, Claim(0, 1)) == pytest.approx(expected, abs=1e-8)
    found = deny(climb, limits, Claim(0, 1))
    assert found is not None and found.loss == pytest.approx(expected, abs=1e-8)
    # the direction of the edge makes no difference
    mark = int(climb.matrix()[0, 1])
    turned = deny(climb, limits, Claim(0, 1, mark))
    assert turned is not None and turned.loss == pytest.approx(0.0, abs=1e-3)


@pytest.mark.parametrize("seed", range(8))
def test_a_claim_that_was_denied_is_false_and_the_climb_is_where_it_was(seed: int) -> None:
    climb, anew = confounded(seed), confounded(seed)
    limits = Limits.of(None, 6)
    marks, score = climb.matrix(), climb.total
    parameters = [values.tolist() for values in climb.parameters()]
    denied = 0
    for claim in every_claim(marks):
        found = deny(climb, limits, claim, np.inf)
        assert np.array_equal(climb.matrix(), marks) and climb.total == score
        assert [values.tolist() for values in climb.parameters()] == parameters
        if found is None:
            continue
        denied += 1
        assert found.marks is not None and is_legal(found.marks)
        assert not holds(claim, found.marks)
        assert claim.mark == NONE or found.marks[claim.x, claim.y] != NONE
        anew.load(found.marks)
        assert found.loss == pytest.approx(anew.total - score, abs=0.1)
        again = deny(climb, limits, claim, found.loss)
        assert again is not None and again.loss == found.loss
        assert again.marks is None  # the loss is not below what was wanted
    assert denied > 5


@pytest.mark.parametrize("seed", range(8))
def test_a_denial_is_at_most_as_dear_as_the_cheapest_change(seed: int) -> None:
    climb = confounded(seed)
    limits = Limits.of(None, 6)
    cheaper = 0
    for claim in every_claim(climb.matrix()):
        cost, found = cost_to_deny(climb, claim), deny(climb, limits, claim)
        if cost == -np.inf:
            continue
        assert found is not None and found.loss <= cost + 0.01
        cheaper += found.loss < cost - 0.1
    assert cheaper > 0


@pytest.mark.parametrize("error", [Stopped, KeyboardInterrupt])
def test_a_denial_that_is_stopped_leaves_the_climb_where_it_was(error: type[BaseException]) -> None:
    rng = np.random.default_rng(5)
    marks = confounded_mag(rng, 6)
    correlation = model_correlation(rng, marks, singles(6), 500)
    limits = Limits.of(None, 6)
    pairs = every_pair(6)
    stopping = False

    def look() -> None:
        if stopping:
            raise error

    def deny_for_ever(climb: Climb) -> None:
        while True:
            for claim in rng.permutation(np.array(every_claim(marks), dtype=object)).tolist():
                deny(climb, limits, claim)

    for _ in range(15):
        climbs = Climbs(ColumnBlocks.single(correlation, 500), limits, 0.5, pairs, np.ones(15, dtype=bool))
        climb = climbs.begin(Pulse(look))
        climb.load(marks)
        score, parameters = climb.total, [values.tolist() for values in climb.parameters()]
        stopping = True
        with pytest.raises(error):  # at the next look, which comes each 20 ms
            deny_for_ever(climb)
        stopping = False
        assert np.array_equal(climb.matrix(), marks) and climb.total == score
        assert [values.tolist() for values in climb.parameters()] == parameters


@pytest.mark.parametrize("seed", range(12))
def test_what_is_known_is_not_denied(seed: int) -> None:
    rng = np.random.default_rng(seed)
    known = believed(NAMES, rng)
    limits = Limits.of(known.constraints(NAMES, False), 6)
    correlation = model_correlation(rng, confounded_mag(rng, 6), singles(6), 500)
    pairs = every_pair(6)
    climbs = Climbs(ColumnBlocks.single(correlation, 500), limits, 0.5, pairs, np.ones(15, dtype=bool))
    climb = climbs.begin(Pulse())
    climb.load(legal_graph(np.zeros((6, 6), dtype=np.uint8), limits))
    climb.climb()
    for claim in every_claim(climb.matrix()):
        found = deny(climb, limits, claim, np.inf)
        pair = NAMES[claim.x], NAMES[claim.y]
        if pair in known.required or pair[::-1] in known.required:
            assert found is None
        if found is not None:
            assert found.marks is not None and keeps_to(found.marks, NAMES, known)
