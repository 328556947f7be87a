"""From a maximal ancestral graph to a stage: its PAG, oriented by rules from the graph itself, within what is known."""

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.graphs.mixed import circled
from ancestral.orientation import ALL_RULES, Oriented
from ancestral.orientation._board_cy import Board
from ancestral.orientation._judge_cy import TrueGraph
from ancestral.orientation.orient import known_board, orient_checked
from ancestral.orientation.rules import RULES_WITH_KNOWLEDGE, SELECTION_RULES
from ancestral.search.base import Problem
from ancestral.search.stage import GraphStage

__all__ = ["GraphStages"]

Marks = NDArray[np.uint8]


class GraphStages:
    """Makes the stages of a search over ancestral graphs without undirected edges."""

    def __init__(self, problem: Problem, pulse: Pulse) -> None:
        self.problem = problem
        self.pulse = pulse
        known = () if problem.constraints is None else RULES_WITH_KNOWLEDGE
        self._rules = [rule for rule in (*ALL_RULES, *known) if rule not in SELECTION_RULES]

    def oriented(self, member: Marks) -> Oriented:
        """The PAG of a graph that is ancestral and maximal, with what is known written into it."""
        constraints = self.problem.constraints
        no_edge = None if constraints is None else constraints.no_edge
        board = known_board(Board(circled(member), self.pulse, no_edge=no_edge), constraints)
        oriented = orient_checked(board, TrueGraph(member), self._rules, lambda board: True)
        assert oriented is not None, "every path of the graph itself is trusted"
        return oriented

    def stage(self, phase: str, member: Marks, score: float, complete: bool) -> GraphStage:
        """The stage of this graph."""
        return GraphStage(
            phase=phase,
            complete=complete,
            names=self.problem.names,
            columns=self.problem.columns,
            oriented=self.oriented(member),
            score=score,
            member=member,
        )
