"""Verification in a window: every question is asked given the known ancestors of its pair, too.

What is asked to verify an edge may be asked with more ancestors given (`known_ancestors`): if the pair depends on each
other then, it does without them. Sets are minimal beyond the known ancestors, all of which they contain.
"""

from ancestral._pulse_cy import Pulse
from ancestral.independence._questions_cy import Questions
from ancestral.orientation._judge_cy import Sepsets
from ancestral.search.lookup import Given
from ancestral.search.series.known_ancestors import KnownAncestors
from ancestral.search.verify import Verifier

__all__ = ["WindowVerifier"]


class WindowVerifier(Verifier):
    """Asks about the edges that rules would rest on; each question once. `known`: the ancestors that are given."""

    def __init__(self, questions: Questions, sepsets: Sepsets, pulse: Pulse, known: KnownAncestors) -> None:
        super().__init__(questions, sepsets, pulse)
        self.known = known

    def with_known(self, x: int, y: int, given: Given) -> Given:
        """These nodes, and the known ancestors of x and y, in increasing order."""
        return tuple(sorted({*given, *self.known.of(x, y)}))

    def independent(self, x: int, y: int, given: Given, looked_up: bool = False) -> bool:
        """Whether x and y are independent given these nodes and their known ancestors."""
        return super().independent(x, y, self.with_known(x, y, given), looked_up)

    def minimal(self, x: int, y: int, given: Given) -> Given:
        """The known ancestors, and a subset of the other nodes that still separates and can lose no single node."""
        known = self.known.of(x, y)
        for z in given:
            if z not in known:
                rest = tuple(v for v in given if v != z)
                if self.independent(x, y, rest):
                    return self.minimal(x, y, rest)
        return self.with_known(x, y, given)
