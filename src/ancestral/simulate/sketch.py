"""A DAG under construction: observed nodes, arrows, latent common causes and selected common effects.

Nodes are numbers until the DAG is made. Then the observed ones get the names x1, x2, … in random order, so that neither
position nor name reveals the part of a node in the construction.
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from ancestral.graphs import DAG
from ancestral.graphs.marks import ARROW, TAIL

__all__ = ["Sketch"]


class Sketch:
    """The nodes and arrows so far, and the random generator that decides about further ones."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self._roles: list[str] = []
        self._arrows: list[tuple[int, int]] = []

    def coin(self, probability: float = 0.5) -> bool:
        """True with this probability."""
        return bool(self.rng.random() < probability)

    def between(self, least: int, most: int) -> int:
        """A whole number from least to most, each equally likely."""
        return int(self.rng.integers(least, most, endpoint=True))

    def observe(self, count: int) -> list[int]:
        """Add observed nodes."""
        return [self._new("x") for _ in range(count)]

    def arrow(self, cause: int, effect: int) -> None:
        """Add the arrow cause --> effect; adding it twice changes nothing."""
        self._arrows.append((cause, effect))

    def confound(self, *effects: int) -> None:
        """Add a latent common cause of these nodes."""
        cause = self._new("l")
        for effect in effects:
            self.arrow(cause, effect)

    def select(self, *causes: int) -> None:
        """Add a selection node, a common effect of these nodes."""
        effect = self._new("s")
        for cause in causes:
            self.arrow(cause, effect)

    def scatter(
        self, nodes: Sequence[int], *, arrows: float = 0.0, confounded: float = 0.0, selected: float = 0.0
    ) -> None:
        """Give each pair, with these probabilities, an arrow to the second, a latent cause and a selected effect."""
        for first, second in combinations(nodes, 2):
            if self.coin(arrows):
                self.arrow(first, second)
            if self.coin(confounded):
                self.confound(first, second)
            if self.coin(selected):
                self.select(first, second)

    def dag(self) -> DAG:
        """The DAG of these nodes and arrows."""
        names = np.empty(len(self._roles), dtype=object)
        for role in "xls":
            nodes = np.flatnonzero(np.array(self._roles) == role)
            names[self.rng.permutation(nodes)] = [f"{role}{i}" for i in range(1, len(nodes) + 1)]
        marks = np.zeros((len(names), len(names)), dtype=np.uint8)
        for cause, effect in self._arrows:
            marks[cause, effect], marks[effect, cause] = ARROW, TAIL
        order = sorted(range(len(names)), key=lambda node: ("xls".index(names[node][0]), int(names[node][1:])))
        role_of = {role: [name for name in names if name[0] == role] for role in "ls"}
        return DAG(names[order], marks[np.ix_(order, order)], latent=role_of["l"], selection=role_of["s"])

    def _new(self, role: str) -> int:
        self._roles.append(role)
        return len(self._roles) - 1
