"""Claims: what a graph says about two variables, and the evidence that an algorithm has for each.

A graph claims of each pair that it is adjacent, or that it is not; and of each end of an edge that is not a circle,
that the mark there is an arrowhead, or a tail. An algorithm whose claims have evidence, a number for each, tells how it
is computed by a `ClaimSource`, and keeps it in the notes of its stages.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.marks import ARROW, NONE, TAIL
from ancestral.graphs.names import quoted
from ancestral.independence.base import Test
from ancestral.knowledge import Constraints
from ancestral.orientation.explanations import set_in_words
from ancestral.printing import visible
from ancestral.search.stage import GraphStage
from ancestral.trace import About, Note

__all__ = [
    "ClaimEvidence", "ClaimKey", "ClaimSource", "Claims", "claims_about", "kind_of_claim", "place_of_claim",
]  # fmt: skip

Marks = NDArray[np.uint8]

#: A claim about two positions, as a note names it: what it is about, and the pair; of a mark, the one at the second.
ClaimKey = tuple[About, int, int]


@dataclass(frozen=True)
class ClaimSource:
    """How the evidence of an algorithm's claims is computed.

    - `weigh(stage, test, constraints, claims)`: notes about these claims, with the evidence as their number; none for
      claims without evidence. Raises `OptionError` if the data are not there.
    - `known(stage, constraints, claims)`: those of these claims that knowledge alone implies; they have no evidence.
    - `share_true(kind, evidence)`: the share of claims with as much evidence that were true in simulations, None if it
      is not known; `kind` is "edge", "no edge", "arrowhead" or "tail".
    """

    weigh: Callable[[GraphStage, Test, Constraints | None, Sequence[ClaimKey]], tuple[Note, ...]]
    known: Callable[[GraphStage, Constraints | None, Sequence[ClaimKey]], set[ClaimKey]]
    share_true: Callable[[str, float], float | None]


@dataclass(frozen=True, slots=True)
class ClaimEvidence:
    """One claim of a graph about x and y, and the evidence for it.

    Attributes:
        kind: "edge", "no edge", "arrowhead" or "tail"; a mark is the one at `y`.
        x: A variable.
        y: Another variable.
        evidence: What the score loses if the claim is denied. It is not a probability, nor a Bayes factor. None if the
            claim is known, or if no other graph was found that could be compared.
        known: Whether knowledge alone implies the claim.
        true_share: The share of claims of this kind with as much evidence that were true in simulations (see
            docs/evidence.md); None if it was not measured.
        text: The evidence in words.

    Examples:
        >>> import ancestral as an
        >>> rows = an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c, c -> d"), rows=500, seed=1)
        >>> claim = an.discover(rows, resamples=0).claims("c", "d").adjacency
        >>> claim.kind, claim.x, claim.y, claim.known, claim.evidence > 100
        ('edge', 'c', 'd', False, True)
    """

    kind: str
    x: str
    y: str
    evidence: float | None
    known: bool
    true_share: float | None
    text: str

    def __str__(self) -> str:
        what = self.kind if self.kind in ("edge", "no edge") else f"{self.kind} at {quoted(self.y)}"
        return visible(f"{what}: {self.text}")


@dataclass(frozen=True, slots=True)
class Claims:
    """What a graph claims about a and b, each claim with its evidence. Print it, or iterate over the claims.

    Attributes:
        a: A variable.
        edge: The edge between them, such as "-->"; None if there is none.
        b: Another variable.
        adjacency: The claim that there is this edge, or that there is none.
        at_a: The claim about the mark at a; None for a circle, and without an edge.
        at_b: The claim about the mark at b, likewise.
        given: Without an edge, a set given which the graph says that the two are independent; None for an edge.
        p_value: The p-value of that one question in the data; None for an edge, and NaN where the data are not at hand.

    Examples:
        >>> import ancestral as an
        >>> rows = an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c, c -> d"), rows=500, seed=1)
        >>> claims = an.discover(rows, resamples=0).claims("c", "d")
        >>> claims.edge, claims.at_a.kind, claims.at_b.kind, len(list(claims))
        ('-->', 'tail', 'arrowhead', 3)
    """

    a: str
    edge: str | None
    b: str
    adjacency: ClaimEvidence
    at_a: ClaimEvidence | None = None
    at_b: ClaimEvidence | None = None
    given: frozenset[str] | None = None
    p_value: float | None = None

    def __iter__(self) -> Iterator[ClaimEvidence]:
        return (claim for claim in (self.adjacency, self.at_a, self.at_b) if claim is not None)

    def __str__(self) -> str:
        a, b = quoted(self.a), quoted(self.b)
        lines = [f"{a} and {b} are not adjacent" if self.edge is None else f"{a} {self.edge} {b}"]
        lines += [f"  {claim}" for claim in self]
        if self.given is not None:
            asked = "" if self.p_value is None or np.isnan(self.p_value) else f"; p = {self.p_value:.2g} in the data"
            given = set_in_words(self.given) if self.given else "nothing"
            lines.append(visible(f"  independent given {given} by the graph (implied{asked})"))
        return "\n".join(lines)


def claims_about(marks: Marks, x: int, y: int) -> list[ClaimKey]:
    """The claims that a graph, given by its marks, makes about two positions: the edge, the mark at x, that at y."""
    if marks[x, y] == NONE:
        return [("no edge", x, y)]
    ends = ((y, x), (x, y))
    return [("edge", x, y), *(("mark", u, v) for u, v in ends if marks[u, v] in (ARROW, TAIL))]


def place_of_claim(claim: ClaimKey) -> tuple[int, int, bool, int]:
    """The place of a claim in a list: pairs in order, of each the edge and then the marks."""
    about, x, y = claim
    return min(x, y), max(x, y), about == "mark", y


def kind_of_claim(marks: Marks, claim: ClaimKey) -> str:
    """Whether a claim is an "edge", "no edge", an "arrowhead" or a "tail"; an open mark, a "circle", claims nothing."""
    about, x, y = claim
    return about if about != "mark" else {ARROW: "arrowhead", TAIL: "tail"}.get(int(marks[x, y]), "circle")
