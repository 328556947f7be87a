"""The evidence of the claims of a graph that the scored search found: how much worse the best graph is that denies one.

To deny an edge or a mark leads to another graph (`claims.deny`). Its class may deny other claims, too: without a
collider there is often no tail behind it. So the evidence of a claim is the least loss of all graphs that deny it, of
those that come from denying the claim itself and each claim about an edge that shares an end with it. A graph denies a
mark if its PAG has another mark there, a circle, or no edge.

The evidence of a missing edge is the least that any edge which may be added would cost: one change, without a climb
after it. In districts of many nodes this is a bound from above, as in climbs.

For up to `ScoredOptions.most_challenged` variables, the search itself denies every claim of its last graph. Otherwise,
evidence is computed when it is asked for: each denial is an excursion from the same graph, so that evidence does not
depend on what was asked before.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

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
from ancestral.scores.penalties import latent_cost
from ancestral.search.base import Problem
from ancestral.search.claims import ClaimKey, ClaimSource, kind_of_claim, place_of_claim
from ancestral.search.scored.calibration import share_true, worth_in_words
from ancestral.search.scored.claims import Claim, Denial, claims_of, deny
from ancestral.search.scored.climbs import Climbs
from ancestral.search.scored.graph_stages import GraphStages
from ancestral.search.scored.limits import Limits
from ancestral.search.scored.starts import candidate_pairs
from ancestral.search.stage import GraphStage
from ancestral.trace import Note

__all__ = ["SCORED_CLAIMS", "challenge_notes"]

Marks = NDArray[np.uint8]

#: Turns the marks of a maximal ancestral graph into those of its PAG.
PagOf = Callable[[Marks], Marks]

#: Digits after the point of evidence; scores are known to within less.
DIGITS = 2

#: The types of a pair that make it adjacent.
EDGE_TYPES = (FORTH, BACK, BOTH)


# -- from denials to notes --------------------------------------------------------------------------------------------


def challenge_notes(
    stage: GraphStage,
    denials: Mapping[Claim, Denial],
    blocks: ColumnBlocks,
    limits: Limits,
    pag_of: PagOf,
    pulse: Pulse,
) -> tuple[Note, ...]:
    """Notes about all claims of a stage whose edges and marks were denied, but for those that are known.

    `denials` may also have claims that the stage does not make.
    """
    assert stage.member is not None
    claims = [claim for claim in claims_of(stage.oriented.marks) if claim in denials]
    missing = [(x, y) for x, y in np.argwhere(np.triu(stage.member == NONE, 1)).tolist()]
    losses = losses_of_additions(_climb_at(stage.member, blocks, limits, pulse), limits, missing)
    return _notes(stage, losses | losses_of_denials(claims, denials, pag_of))


def losses_of_denials(claims: Iterable[Claim], denials: Mapping[Claim, Denial], pag_of: PagOf) -> dict[ClaimKey, float]:
    """What the score loses if these claims are denied, each of which is among those that were denied."""
    near: dict[int, list[tuple[float, Marks]]] = {}
    for claim, denial in denials.items():
        assert denial.marks is not None, "the graph of each denial was kept"
        graph = denial.loss, pag_of(denial.marks)
        for end in (claim.x, claim.y):
            near.setdefault(end, []).append(graph)
    out: dict[ClaimKey, float] = {}
    for claim in claims:
        graphs = [*near[claim.x], *near[claim.y]]
        found = [loss for loss, marks in graphs if _is_denied_by(claim, marks)]
        out["edge" if claim.mark == NONE else "mark", claim.x, claim.y] = min([denials[claim].loss, *found])
    return out


def _is_denied_by(claim: Claim, pag: Marks) -> bool:
    """Whether a graph of the class of this PAG denies a claim."""
    return bool(pag[claim.x, claim.y] == NONE if claim.mark == NONE else pag[claim.x, claim.y] != claim.mark)


def losses_of_additions(climb: Climb, limits: Limits, pairs: Iterable[tuple[int, int]]) -> dict[ClaimKey, float]:
    """What the score loses by the best edge that may be added, for pairs without an edge.

    Pairs are left out that knowledge keeps apart, and those to which no edge alone can be added. The result is the same
    for any climb that is at this graph and has not climbed.
    """
    out: dict[ClaimKey, float] = {}
    for x, y in pairs:
        legal = [kind for kind in EDGE_TYPES if limits.types[x, y] >> kind & 1 and climb.may_change_to(x, y, kind)]
        if legal:
            out["no edge", x, y] = min(climb.weigh_change(x, y, kind) for kind in legal)
    return out


def _notes(stage: GraphStage, losses: Mapping[ClaimKey, float]) -> tuple[Note, ...]:
    """Notes about claims, in the order of pairs, of each the edge first."""
    return tuple(_note(stage, claim, round(losses[claim], DIGITS)) for claim in sorted(losses, key=place_of_claim))


def _note(stage: GraphStage, claim: ClaimKey, evidence: float) -> Note:
    about, x, y = claim
    kind = kind_of_claim(stage.oriented.marks, claim)
    text = evidence_in_words(kind, evidence) + worth_in_words(kind, evidence)
    return Note(stage.names[x], stage.names[y], about, evidence, text)


def evidence_in_words(kind: str, evidence: float) -> str:
    """A clause that tells the evidence of a claim of this kind."""
    better = f"a graph was found that is {-evidence:.1f} better, too little to prefer it"
    if kind == "edge":
        worse = f"the best graph found is {evidence:.1f} worse"
        return "without the edge " + (better if evidence < 0 else worse)
    if kind == "no edge":
        return f"adding an edge would gain {-evidence:.1f}" if evidence < 0 else f"adding an edge costs {evidence:.1f}"
    return f"if it is denied, {better}" if evidence < 0 else f"denying it costs {evidence:.1f}"


# -- when it is asked for ---------------------------------------------------------------------------------------------


def _weigh(
    stage: GraphStage, test: Test, constraints: Constraints | None, claims: Sequence[ClaimKey]
) -> tuple[Note, ...]:
    """Notes about claims of a stage, computed now."""
    assert stage.member is not None
    blocks = column_blocks_of(test, stage.names)
    limits = Limits.of(constraints, len(stage.names))
    missing = [(x, y) for about, x, y in claims if about == "no edge"]
    losses = losses_of_additions(_climb_at(stage.member, blocks, limits, Pulse()), limits, missing)
    asked = [_as_denied(stage.oriented.marks, claim) for claim in claims if claim[0] != "no edge"]
    if asked:
        denials = _denials(stage.oriented.marks, stage.member, asked, blocks, limits)
        problem = Problem(
            questions=test.questions(stage.names), names=stage.names, columns=stage.columns, constraints=constraints
        )
        stages = GraphStages(problem, Pulse())
        found = [claim for claim in asked if claim in denials]
        losses |= losses_of_denials(found, denials, lambda member: stages.oriented(member).marks)
    return _notes(stage, losses)


def _denials(
    marks: Marks, member: Marks, asked: Iterable[Claim], blocks: ColumnBlocks, limits: Limits
) -> dict[Claim, Denial]:
    """The denials of claims, and of all others about an edge that shares an end with one of them."""
    ends = {end for claim in asked for end in (claim.x, claim.y)}
    pairs, _ = candidate_pairs([member], limits)
    climb = _climb_at(member, blocks, limits, Pulse(), pairs)
    out = {}
    for claim in claims_of(marks):
        if claim.x in ends or claim.y in ends:
            denial = deny(climb, limits, claim, np.inf)
            if denial is not None:
                out[claim] = denial
    return out


def _as_denied(marks: Marks, claim: ClaimKey) -> Claim:
    """An edge or a mark of a PAG as a claim that can be denied."""
    about, x, y = claim
    return Claim(x, y) if about == "edge" else Claim(x, y, int(marks[x, y]))


def _climb_at(
    member: Marks, blocks: ColumnBlocks, limits: Limits, pulse: Pulse, pairs: NDArray[np.intp] | None = None
) -> Climb:
    """A new climb at a graph, which may change these pairs."""
    some = np.zeros((0, 2), dtype=np.intp) if pairs is None else pairs
    climb = Climbs(blocks, limits, GAMMA, some, np.ones(len(some), dtype=bool)).begin(pulse)
    climb.set_latent_cost(latent_cost(member))
    climb.load(member)
    climb.weigh_all()
    return climb


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
