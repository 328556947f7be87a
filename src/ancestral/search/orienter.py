"""Verification and orientation in turn: from the graph of a search to marks that rest on no edge found to be false.

Before a rule may rest on an edge, verification asks whether the edge is there (`verify`). If it is not, the edge is
removed, with the set that separates it, and orientation begins again from circles.
"""

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.graphs.mixed import circled
from ancestral.orientation import ALL_RULES, ANYTIME_RULES, Oriented
from ancestral.orientation._board_cy import Board
from ancestral.orientation._judge_cy import Judge
from ancestral.orientation.orient import known_board, orient_checked
from ancestral.orientation.rules import ANYTIME_RULES_WITH_KNOWLEDGE, RULES_WITH_KNOWLEDGE, SELECTION_RULES
from ancestral.search.answered import Answered
from ancestral.search.stage import FoundBy
from ancestral.search.verify import Verifier
from ancestral.search.working_graph import WorkingGraph

__all__ = ["Orienter"]


class Orienter:
    """Orients the graph of one search, again after each radius.

    - `verifier`: asks before a rule rests on an edge; None: every edge is trusted.
    - `selection_bias`: whether there may be any; otherwise the rules for it are left out.
    - `every_triple`: verify the triples that R0 takes for non-colliders, too, as RFCI does.
    - `answered`: where some questions cannot be asked, rules rest on its decisions; None: on separating sets.
    - `oriented`: the result of the last orientation, None before the first.
    """

    def __init__(
        self,
        graph: WorkingGraph,
        verifier: Verifier | None,
        pulse: Pulse,
        *,
        selection_bias: bool,
        every_triple: bool = False,
        answered: Answered | None = None,
        oriented: Oriented | None = None,
    ) -> None:
        self.graph = graph
        self.verifier = verifier
        self.pulse = pulse
        self.selection_bias = selection_bias
        self.every_triple = every_triple
        self.answered = answered
        self.oriented = oriented
        self._board: Board | None = None  # the board of the last orientation
        self._judge: Judge = graph.sepsets  # the judge of that board
        self._contested: NDArray[np.bool_] | None = None  # ends whose marks would deny what is known

    def orient(self, radius: int, complete: bool) -> Oriented:
        """Orient from circles: by R0–R4, and by all rules when the search is complete.

        What is known is written first, and stands. If rules deny it by a directed path, because the data contradict
        it, the tails on that path are contested and orientation begins again. Edges that verification removes count as
        separated at this radius.
        """
        rules = self.rules(complete)
        if self.oriented is not None and not self.graph.fresh:  # no edge was removed since
            if not complete:
                return self.oriented
            if self._board is not None:
                self._board.detach()  # the last stage keeps its marks
        while True:
            if self.graph.fresh or self._board is None:
                if self.verifier is not None:
                    self._verify_colliders(self.verifier, radius)
                self.graph.fresh = []
                self._contested = None
                self._board = self._new_board()
            oriented = self.apply_rules(self._board, rules, lambda board: self._trusts(board, radius))
            if oriented is not None and not self._denies(oriented):
                self.oriented = oriented
                self.graph.marks = oriented.marks
                return oriented

    def apply_rules(self, board: Board, rules: tuple[str, ...], review: Callable[[Board], bool]) -> Oriented | None:
        """Apply these rules to the board until none proposes anything new; None if `review` returns False."""
        return orient_checked(board, self._judge, rules, review)

    def rules(self, complete: bool) -> tuple[str, ...]:
        """The rules by which the graph is oriented: all that apply if the search is complete, otherwise sound ones."""
        return _rules(complete, self.graph.constraints is not None, self.selection_bias)

    def _new_board(self) -> Board:
        if self.answered is not None:
            self._judge = self.answered.judge()
        graph = self.graph
        board = Board(circled(graph.marks), self.pulse, no_edge=graph.no_edge, neighbours=graph.neighbours())
        return known_board(board, graph.constraints, self._contested)

    def _verify_colliders(self, verifier: Verifier, radius: int) -> None:
        """Before R0: remove the false edges of the triples that it is about to judge."""
        while self.graph.fresh:  # each removal makes new triples
            fresh = np.concatenate(self.graph.fresh)
            self.graph.fresh = []
            graph = self.graph
            false = verifier.not_colliders(graph.marks, fresh, self.every_triple, graph.neighbours())
            self.graph.remove_false(false, radius, FoundBy.COLLIDER_CHECK, verifier.evidence)

    def _trusts(self, board: Board, radius: int) -> bool:
        """Before R4: whether it may use its paths; otherwise false edges were removed, and orientation begins again.

        Paths about which not all questions have an answer are withheld.
        """
        if self.verifier is None:
            return True
        paths = board.pending()
        if not paths:
            return True
        false = self.verifier.not_discriminating(paths)
        if self.graph.remove_false(false, radius, FoundBy.PATH_CHECK, self.verifier.evidence):
            return False
        if self.answered is not None:
            board.withhold(self.answered.unshown(board))
        return True

    def _denies(self, oriented: Oriented) -> bool:
        """Whether the graph denies what is known; if so, there is a new board on which it cannot."""
        constraints = self.graph.constraints
        if constraints is None:
            return False
        # the tail of a directed edge is at its first node
        denying = (constraints.denying_steps(oriented.marks) & ~constraints.tail).T
        if not denying.any():
            return False
        self._contested = denying if self._contested is None else self._contested | denying
        self._board = self._new_board()
        return True


@cache
def _rules(complete: bool, knows: bool, selection_bias: bool) -> tuple[str, ...]:
    """The rules for a search that is complete or not, with knowledge or without, with selection bias or without."""
    rules = ALL_RULES if complete else ANYTIME_RULES
    known: tuple[str, ...] = ()
    if knows:
        known = RULES_WITH_KNOWLEDGE if complete else ANYTIME_RULES_WITH_KNOWLEDGE
    return tuple(rule for rule in (*rules, *known) if selection_bias or rule not in SELECTION_RULES)
