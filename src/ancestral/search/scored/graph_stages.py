"""From a maximal ancestral graph to a stage: its PAG, oriented by rules from the graph itself, within what is known."""

from collections.abc import Collection
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.graphs._members_cy import MemberSearch
from ancestral.graphs.marks import ARROW, CIRCLE
from ancestral.graphs.mixed import circled
from ancestral.orientation import ALL_RULES, Oriented, orient
from ancestral.orientation._board_cy import Board
from ancestral.orientation._judge_cy import TrueGraph
from ancestral.orientation.orient import known_board, orient_checked
from ancestral.orientation.rules import RULES_WITH_KNOWLEDGE, SELECTION_RULES, TARGET_RULES
from ancestral.search.base import Problem
from ancestral.search.stage import GraphStage

__all__ = ["GraphStages"]

Marks = NDArray[np.uint8]

#: Steps back in the search for another graph of a class.
STEPS_BACK = 1000


class GraphStages:
    """Makes the stages of a search over ancestral graphs without undirected edges."""

    def __init__(self, problem: Problem, pulse: Pulse) -> None:
        self.problem = problem
        self.pulse = pulse
        known = () if problem.constraints is None else RULES_WITH_KNOWLEDGE
        self._rules = [rule for rule in (*ALL_RULES, *known) if rule not in SELECTION_RULES]

    def oriented(self, member: Marks, leave_out: Collection[str] = ()) -> Oriented:
        """The PAG of a graph that is ancestral and maximal, with what is known written into it.

        `leave_out` are rules that are not applied.
        """
        constraints = self.problem.constraints
        no_edge = None if constraints is None else constraints.no_edge
        board = known_board(Board(circled(member), self.pulse, no_edge=no_edge), constraints)
        rules = [rule for rule in self._rules if rule not in leave_out]
        oriented = orient_checked(board, TrueGraph(member), rules, lambda board: True)
        assert oriented is not None, "every path of the graph itself is trusted"
        return oriented

    def stage(self, phase: str, member: Marks, score: float, complete: bool) -> GraphStage:
        """The stage of this graph, or of one of its class that agrees with what contexts are known to act on.

        If there is none, the rules about that are left out, and the search tells of the contradiction.
        """
        oriented = self.oriented(member)
        if not _agrees(member, oriented.marks):
            other = self._equivalent(member, oriented.marks)
            if other is None:
                oriented = self.oriented(member, TARGET_RULES)
            else:
                member = other
        return GraphStage(
            phase=phase,
            complete=complete,
            names=self.problem.names,
            columns=self.problem.columns,
            oriented=oriented,
            score=score,
            member=member,
        )

    def _equivalent(self, member: Marks, wanted: Marks) -> Marks | None:
        """A graph with the same separations as this one, and with these marks; None if none was found."""
        constraints = self.problem.constraints
        assert constraints is not None, "without knowledge a graph agrees with its own PAG"
        triples, colliders = _unshielded(member)
        search = MemberSearch(
            wanted,
            selection=False,
            no_cause=constraints.no_cause.astype(np.uint8),
            one_way=constraints.one_way,
            triples=triples,
            colliders=colliders,
            pulse=self.pulse,
        )
        if not search.accept(STEPS_BACK).all() or search.marks is None:
            return None
        found: Marks = search.marks
        same = np.array_equal(
            orient(circled(found), TrueGraph(found)).marks, orient(circled(member), TrueGraph(member)).marks
        )
        return found if same and _agrees(found, wanted) else None


def _agrees(member: Marks, marks: Marks) -> bool:
    """Whether a graph has these marks, but for circles."""
    return bool(((marks == CIRCLE) | (marks == member)).all())


def _unshielded(member: Marks) -> tuple[NDArray[np.intc], NDArray[np.uint8]]:
    """The unshielded triples a, b, c of a graph, and whether b is a collider."""
    rows = []
    for b in range(len(member)):
        beside = np.flatnonzero(member[b]).tolist()
        rows += [(a, b, c) for a, c in combinations(beside, 2) if not member[a, c]]
    triples = np.array(rows, dtype=np.intc).reshape(-1, 3)
    ends, middle = triples[:, [0, 2]], triples[:, 1]
    return triples, (member[ends, middle[:, None]] == ARROW).all(axis=1).astype(np.uint8)
