"""The evidence of the claims of a graph that the scored search found.

The evidence of an edge or a mark is what the score loses by denying it (`claims.deny`). That of a missing edge is the
least that any edge which may be added would cost: one change, without a climb after it. In districts of many nodes this
is a bound from above, as in climbs.

For up to `ScoredOptions.most_challenged` variables, the search itself denies every claim of its last graph. Otherwise,
evidence is computed when it is asked for: each claim from the same graph, with nothing remembered of other claims, so
that it does not depend on which of them were asked about before.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.data.stats.column_blocks import ColumnBlocks
from ancestral.graphs.marks import NONE
from ancestral.independence.base import Test, column_blocks_of
from ancestral.knowledge import Constraints
from ancestral.scores._climb_cy import Climb
from ancestral.scores.edge_types import BACK, BOTH, FORTH
from ancestral.scores.fit import GAMMA
from ancestral.search.claims import ClaimKey, ClaimSource, kind_of_claim
from ancestral.search.scored.calibration import share_true, worth_in_words
from ancestral.search.scored.claims import Claim, deny
from ancestral.search.scored.climbs import Climbs
from ancestral.search.scored.limits import Limits
from ancestral.search.scored.starts import candidate_pairs
from ancestral.search.stage import GraphStage
from ancestral.trace import Note

__all__ = ["SCORED_CLAIMS", "challenge_notes"]

Marks = NDArray[np.uint8]

#: Digits after the point of evidence; scores are known to within less.
DIGITS = 2

#: The types of a pair that make it adjacent.
EDGE_TYPES = (FORTH, BACK, BOTH)


def evidence_notes(names: Sequence[str], marks: Marks, losses: Mapping[ClaimKey, float]) -> tuple[Note, ...]:
    """Notes about the claims of a PAG, given by its marks, of which it is known what the score loses by denial."""

    def place(claim: ClaimKey) -> tuple[int, int, bool, int]:
        about, x, y = claim
        return min(x, y), max(x, y), about == "mark", y

    return tuple(_note(names, marks, claim, losses[claim]) for claim in sorted(losses, key=place))


def _note(names: Sequence[str], marks: Marks, claim: ClaimKey, loss: float) -> Note:
    about, x, y = claim
    evidence = round(loss, DIGITS)
    kind = kind_of_claim(marks, claim)
    return Note(names[x], names[y], about, evidence, _in_words(kind, evidence) + worth_in_words(kind, evidence))


def _in_words(kind: str, evidence: float) -> str:
    """A clause that tells the evidence of a claim."""
    better = "a graph was found that is {:.1f} better, too little to prefer it"
    if kind == "edge":
        if evidence < 0:
            return "without the edge " + better.format(-evidence)
        return f"without the edge the best graph found is {evidence:.1f} worse"
    if kind == "no edge":
        return f"adding an edge would gain {-evidence:.1f}" if evidence < 0 else f"adding an edge costs {evidence:.1f}"
    if evidence < 0:
        return "if it is denied, " + better.format(-evidence)
    return f"denying it costs {evidence:.1f}"


def challenge_notes(
    stage: GraphStage, losses: Mapping[Claim, float], blocks: ColumnBlocks, limits: Limits, pulse: Pulse
) -> tuple[Note, ...]:
    """Notes about all claims of a stage, if these are the losses of denying its edges and marks.

    A claim without a loss is known. Missing edges are weighed here.
    """
    assert stage.member is not None
    missing = [(x, y) for x, y in np.argwhere(np.triu(stage.member == NONE, 1)).tolist()]
    every: dict[ClaimKey, float] = losses_of_additions(_climb_at(stage.member, blocks, limits, pulse), limits, missing)
    every |= {("edge" if claim.mark == NONE else "mark", claim.x, claim.y): loss for claim, loss in losses.items()}
    return evidence_notes(stage.names, stage.oriented.marks, every)


def losses_of_additions(climb: Climb, limits: Limits, pairs: Iterable[tuple[int, int]]) -> dict[ClaimKey, float]:
    """What the score loses by the best edge that may be added, for pairs without an edge.

    Pairs are left out that knowledge keeps apart, or for which no edge alone is legal. The result is the same for any
    climb that is at this graph and has not climbed.
    """
    out: dict[ClaimKey, float] = {}
    for x, y in pairs:
        legal = [kind for kind in EDGE_TYPES if limits.types[x, y] >> kind & 1 and climb.may_change_to(x, y, kind)]
        if legal:
            out["no edge", x, y] = min(climb.weigh_change(x, y, kind) for kind in legal)
    return out


def _weigh(
    stage: GraphStage, test: Test, constraints: Constraints | None, claims: Sequence[ClaimKey]
) -> tuple[Note, ...]:
    """Notes about claims of a stage, computed now."""
    assert stage.member is not None, "the scored search has a member at every stage"
    blocks = column_blocks_of(test, stage.names)
    limits = Limits.of(constraints, len(stage.names))
    losses = losses_of_additions(
        _climb_at(stage.member, blocks, limits, Pulse()),
        limits,
        [(x, y) for about, x, y in claims if about == "no edge"],
    )
    pairs, _ = candidate_pairs([stage.member], limits)
    for claim in claims:
        if claim[0] == "no edge":
            continue
        denied = _as_denied(stage.oriented.marks, claim)
        climb = _climb_at(stage.member, blocks, limits, Pulse(), pairs[_near(stage.member, pairs, denied)])
        denial = deny(climb, limits, denied)
        if denial is not None:
            losses[claim] = denial.loss
    return evidence_notes(stage.names, stage.oriented.marks, losses)


def _as_denied(marks: Marks, claim: ClaimKey) -> Claim:
    """An edge or a mark of a PAG as a claim that can be denied."""
    about, x, y = claim
    return Claim(x, y) if about == "edge" else Claim(x, y, int(marks[x, y]))


def _near(member: Marks, pairs: NDArray[np.intp], claim: Claim) -> NDArray[np.bool_]:
    """Which pairs have an end at those of a claim, or next to them: no other pair changes when it is denied."""
    near = (member[[claim.x, claim.y]] != NONE).any(axis=0)
    near[[claim.x, claim.y]] = True
    return np.asarray(near[pairs].any(axis=1))


def _climb_at(
    member: Marks, blocks: ColumnBlocks, limits: Limits, pulse: Pulse, pairs: NDArray[np.intp] | None = None
) -> Climb:
    """A new climb at a graph, which may change these pairs."""
    some = np.zeros((0, 2), dtype=np.intp) if pairs is None else pairs
    return Climbs(blocks, limits, GAMMA, some, np.ones(len(some), dtype=bool)).begin(member, pulse)


def _known(stage: GraphStage, constraints: Constraints | None, claims: Sequence[ClaimKey]) -> set[ClaimKey]:
    """The claims for which knowledge leaves no type of the pair with which they are false."""
    if constraints is None:
        return set()
    types, marks = Limits.of(constraints, len(stage.names)).types, stage.oriented.marks
    return {claim for claim in claims if not _denying_types(marks, claim) & int(types[claim[1], claim[2]])}


def _denying_types(marks: Marks, claim: ClaimKey) -> int:
    """The types of a pair with which a claim is false, as a set."""
    if claim[0] == "no edge":
        return sum(1 << kind for kind in EDGE_TYPES)
    return _as_denied(marks, claim).denying_types


#: How the evidence of claims of the scored search is computed, and what it is worth.
SCORED_CLAIMS = ClaimSource(_weigh, _known, share_true)
