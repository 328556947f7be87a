"""The generalised adjustment criterion, for nodes given by their positions.

Z is an adjustment set for the effect of X on Y, in a DAG, CPDAG, MAG or PAG without selection, if and only if

- amenability: every possibly directed path from X to Y that meets X only in its first node begins with a visible edge
  out of X;
- Z has no forbidden node: no possible descendant of a node, other than those of X, on such a path;
- Z blocks every definite-status path from X to Y that meets X only in its first node and is not directed.

(Perković, Textor, Kalisch & Maathuis 2018, Complete graphical characterization and construction of adjustment sets in
Markov equivalence classes of ancestral graphs, JMLR 18.) The paths are never enumerated: possibly directed ones are
found by reachability, and the third condition is separation in the proper back-door graph, from which the first edges
of the causal paths are removed (van der Zander, Liśkiewicz & Textor 2019).
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.ancestry import possible_ancestor_steps
from ancestral.graphs.definite_status import connecting_walk
from ancestral.graphs.marks import ARROW
from ancestral.graphs.visible import visible_by

__all__ = ["Criterion"]

Marks = NDArray[np.uint8]
Nodes = frozenset[int]


@dataclass(frozen=True)
class Criterion:
    """The criterion for one pair X, Y in a graph with these marks.

    `all_visible`: nothing is latent, so every directed edge is visible. `usable`: the nodes that were measured, and
    could be adjusted for. `unconfounded[x, v]`: a directed edge x --> v is known to be visible.
    """

    marks: Marks
    xs: Nodes
    ys: Nodes
    all_visible: bool
    usable: Nodes
    unconfounded: NDArray[np.bool_] | None = None

    @cached_property
    def steps(self) -> NDArray[np.bool_]:
        """At u, v: whether u may be a parent of v."""
        return possible_ancestor_steps(self.marks)

    @cached_property
    def on_causal_paths(self) -> Nodes:
        """The nodes outside X from which Y is reached, and which are reached from X, without meeting X again."""
        outside = self.steps.copy()
        outside[:, list(self.xs)] = False  # no step leads back into X
        after = reached(outside, self.xs) - self.xs
        outside[list(self.xs)] = False
        return after & reached(outside.T, self.ys)

    @cached_property
    def first_steps(self) -> list[tuple[int, int]]:
        """The steps out of X with which a possibly directed path to Y begins."""
        causal = sorted(self.on_causal_paths)
        return [(x, v) for x in sorted(self.xs) for v in causal if self.steps[x, v]]

    @cached_property
    def invisible(self) -> tuple[int, int] | None:
        """A first step that is not a visible edge; None if the graph is amenable."""
        return next((step for step in self.first_steps if not self._is_visible(*step)), None)

    def _is_visible(self, x: int, v: int) -> bool:
        if self.all_visible or (self.unconfounded is not None and self.unconfounded[x, v]):
            return bool(self.marks[x, v] == ARROW)  # a step of `steps` has no arrowhead at x
        return visible_by(self.marks, x, v) is not None

    @cached_property
    def forbidden(self) -> Nodes:
        """The possible descendants of nodes on causal paths."""
        return reached(self.steps, self.on_causal_paths)

    @cached_property
    def cut(self) -> NDArray[np.bool_]:
        """The edges that the proper back-door graph lacks, as a matrix of steps."""
        out = np.zeros(self.marks.shape, dtype=bool)
        for x, v in self.first_steps:
            out[x, v] = True
        return out

    @cached_property
    def allowed(self) -> Nodes:
        """The nodes that an adjustment set may have."""
        return self.usable - self.forbidden - self.xs - self.ys

    @cached_property
    def canonical(self) -> Nodes:
        """All possible ancestors of X and Y that may be adjusted for: an adjustment set if there is any."""
        return reached(self.steps.T, self.xs | self.ys) & self.allowed

    def open_path(self, given: Iterable[int]) -> list[int] | None:
        """A path from X to Y that is not causal and that these nodes leave open; None if they block all."""
        return connecting_walk(self.marks, self.xs, self.ys, given, without=self.cut)

    def allows(self, given: Collection[int]) -> bool:
        """Whether these nodes are an adjustment set."""
        return self.invisible is None and self.allowed.issuperset(given) and self.open_path(given) is None


def reached(steps: NDArray[np.bool_], start: Iterable[int]) -> Nodes:
    """The nodes to which steps lead from one of these nodes, which are included."""
    found = np.zeros(len(steps), dtype=bool)
    found[list(start)] = True
    frontier = np.flatnonzero(found)
    while frontier.size:
        fresh = steps[frontier].any(axis=0) & ~found
        found |= fresh
        frontier = np.flatnonzero(fresh)
    return frozenset(np.flatnonzero(found).tolist())
