"""Whether the marks of a graph contradict each other: `consistent`.

A graph is consistent if some ancestral graph with the same edges agrees with all its marks. That asks less than
`legal`, which asks for a graph whose PAG is exactly the given one: a PAG with a mark that is known beside the data, or
with a mark that was left open, is often the PAG of no graph, and yet nothing in it is contradictory.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.errors import GraphError
from ancestral.graphs import CPDAG, PAG, MixedGraph
from ancestral.graphs._members_cy import MemberSearch
from ancestral.graphs.ancestry import directed_steps, possible_anterior_steps, reachable
from ancestral.graphs.csr import joined
from ancestral.graphs.marks import ARROW, CIRCLE, NONE, TAIL
from ancestral.graphs.paths import shortest
from ancestral.knowledge import Constraints, Knowledge
from ancestral.printing import shown_type

__all__ = ["Consistency", "consistent"]

Location = str | os.PathLike[str]

#: Steps back of the search for an ancestral graph, some seconds. With up to about 16 circles all possibilities are
#: tried within them; of larger graphs nearly all need none.
STEPS_BACK = 100_000

#: Searches for a graph with a path from each cause to what it is known to cause, one for each step of a path.
MOST_SEARCHES = 1000

#: Edges up to which the reason names those whose marks contradict each other; of more, looking for them takes long.
MOST_EDGES = 400

Marks = NDArray[np.uint8]


@dataclass(frozen=True)
class Consistency:
    """Whether some ancestral graph agrees with all marks of a graph, and the reason.

    Attributes:
        consistent: Whether there is one; None if the search for one was given up. In an `if` the answer is true only if
            there is one.
        reason: Why, in words.

    Examples:
        >>> answer = consistent(PAG.parse("a --> b, b --> c, c --> a"))
        >>> answer.consistent, answer.reason, bool(answer)
        (False, 'a --> b --> c --> a is a directed cycle', False)
    """

    consistent: bool | None
    reason: str

    def __bool__(self) -> bool:
        return self.consistent is True

    def __str__(self) -> str:
        words = {True: "consistent", False: "not consistent", None: "not known whether consistent"}
        return f"{words[self.consistent]}: {self.reason}"


def consistent(graph: PAG, knowledge: Knowledge | Location | None = None) -> Consistency:
    """Whether some ancestral graph with the same edges agrees with all marks of a PAG, and with what is known.

    An ancestral graph has no directed cycle, no arrowhead at x on an edge to y if a directed path leads from x to y,
    and no arrowhead at a node with an undirected edge. Of a CPDAG, the ancestral graph must have no undirected edge. A
    graph may be consistent and not `legal`: then it leaves open what follows from its other marks, or says more than
    separations do, as beside knowledge.

    All possibilities are tried where there are few circles. In a large graph the search for an ancestral graph may be
    given up after 100,000 steps back; then the answer is false in an `if`, and its `consistent` is None.

    Args:
        graph: A PAG or CPDAG.
        knowledge: A `Knowledge`, or the path of a file with one.

    Returns:
        The answer, with the reason.

    Raises:
        GraphError: If the graph is neither a PAG nor a CPDAG.
        KnowledgeError: If knowledge is something else, or names a variable that the graph does not have.

    Examples:
        >>> print(consistent(PAG.parse("a o-> c, b o-> c, c o-> d")))
        consistent: all its marks are those of, for one, a <-> c, b <-> c, c <-> d
        >>> print(consistent(PAG.parse("a --> b, b --> c, c --> a")))
        not consistent: a --> b --> c --> a is a directed cycle
        >>> print(consistent(PAG.parse("x --> m, m --> y, x <-> y")))
        not consistent: x --> m --> y is a directed path, but there is an arrowhead at x on x <-> y
    """
    if not isinstance(graph, PAG):
        raise GraphError(f"the graph must be a PAG or a CPDAG, got {shown_type(graph)}")
    marks = graph.class_marks
    known = Knowledge.of(knowledge)
    stated: dict[str, Any] = {"selection": not isinstance(graph, CPDAG)}
    cause = None
    if known is not None:
        constraints = known.constraints(graph.nodes)
        if reason := next(_denials(graph, marks, constraints), None):
            return Consistency(False, reason)
        marks = _with_knowledge(marks, constraints)
        stated |= {"no_cause": constraints.no_cause.astype(np.uint8), "one_way": constraints.one_way}
        cause = constraints.cause
    search = MemberSearch(marks, **stated)
    found = search.find(STEPS_BACK)
    if found == 1:
        member = search.marks
        if cause is not None:
            paths = _MembersWithPaths(cause, stated)
            if (member := paths.find(marks, member)) is None:
                return paths.nothing()
        text = str(MixedGraph(graph.nodes, member)).replace("\n", ", ")
        return Consistency(True, f"all its marks are those of, for one, {text}")
    if found < 0:
        return Consistency(None, f"no ancestral graph with its marks was found in {STEPS_BACK:,} steps back")
    if reason := _contradiction(graph, marks):
        return Consistency(False, reason)
    agrees = "" if known is None else " that agrees with what is known"
    return Consistency(False, f"no ancestral graph{agrees} has {_core(graph, marks, stated)}")


class _MembersWithPaths:
    """Searches for ancestral graphs in which each cause is an ancestor of what it is known to cause, or of selection.

    `cause` is that of constraints, `stated` are the other arguments of `MemberSearch`.
    """

    def __init__(self, cause: NDArray[np.bool_], stated: dict[str, Any]) -> None:
        self.cause, self.stated = cause, stated
        self.left = MOST_SEARCHES
        self.gave_up = False

    def find(self, marks: Marks, member: Marks) -> Marks | None:
        """A graph with these marks, of which one is given that may lack paths; None if none was found."""
        missing = np.argwhere(self.cause & ~reachable(member.T == TAIL))
        if not len(missing):
            return member
        x, y = missing[0].tolist()
        return self._along(marks, [x], y)

    def _along(self, marks: Marks, path: list[int], y: int) -> Marks | None:
        """The same, where the first missing path begins with this one, which has its tails, and ends at y."""
        steps = possible_anterior_steps(marks)
        leads = reachable(steps)[:, y]
        for v in np.flatnonzero(steps[path[-1]] & leads).tolist():
            if v in path:
                continue
            if self.left == 0:
                self.gave_up = True
                return None
            self.left -= 1
            tails = marks.copy()
            tails[v, path[-1]] = TAIL
            search = MemberSearch(tails, **self.stated)
            found = search.find(STEPS_BACK)
            self.gave_up |= found < 0
            if found == 1:
                other = self.find(tails, search.marks) if v == y else self._along(tails, [*path, v], y)
                if other is not None:
                    return other
        return None

    def nothing(self) -> Consistency:
        """The answer where no graph was found."""
        if self.gave_up:
            return Consistency(
                None, f"no graph with a path for each known cause was found in {MOST_SEARCHES:,} searches"
            )
        return Consistency(False, "no ancestral graph with its marks has a path for each cause that is known")


def _denials(graph: PAG, marks: Marks, known: Constraints) -> Iterator[str]:
    """Statements of knowledge that an edge, a missing edge or a mark denies."""
    names, opposite = graph.nodes, marks.T  # at x, y the mark at x
    for x, y in known.required[marks[tuple(known.required.T)] == NONE].tolist():
        yield f"{names[x]} and {names[y]} must be adjacent, as is known"
    apart = np.concatenate([known.no_edge, known.apart])
    for x, y in apart[marks[tuple(apart.T)] != NONE].tolist():
        yield f"{names[x]} and {names[y]} must not be adjacent, as is known"
    for x, y in np.argwhere(np.triu(known.unconfounded & (marks == ARROW) & (opposite == ARROW))).tolist():
        yield f"{graph.edge_text(names[x], names[y])}, but nothing unmeasured stands behind the two, as is known"
    for denied, mark, known_to in (
        (known.no_cause & (opposite == TAIL), "a tail", "not to cause"),
        (known.cause & (opposite == ARROW), "an arrowhead", "to cause"),
        (known.tail & ~known.cause & (opposite == ARROW), "an arrowhead", "to be unaffected by"),
    ):
        for x, y in np.argwhere(denied).tolist():
            edge = graph.edge_text(names[x], names[y])
            yield f"there is {mark} at {names[x]} on {edge}, but {names[x]} is known {known_to} {names[y]}"
    for x, y in np.argwhere(known.cause & ~reachable(possible_anterior_steps(marks))).tolist():
        yield f"no path allows {names[x]} to cause {names[y]}, as it is known to"


def _with_knowledge(marks: Marks, known: Constraints) -> Marks:
    """The marks, with what is known where there are circles."""
    out = np.where((marks == CIRCLE) & known.arrow.T, np.uint8(ARROW), marks)
    return np.where((out == CIRCLE) & known.tail.T, np.uint8(TAIL), out)


def _contradiction(graph: PAG, marks: Marks) -> str:
    """A contradiction that shows in marks alone, in words; empty if there is none."""
    names = graph.nodes
    steps = directed_steps(marks)
    reached = reachable(steps)
    for x, y in np.argwhere(reached & (marks.T == ARROW)).tolist():
        path = shortest(lambda node: np.flatnonzero(steps[node]).tolist(), x, y)
        way = " --> ".join(names[i] for i in path)
        if steps[y, x]:
            return f"{way} --> {names[x]} is a directed cycle"
        edge = graph.edge_text(names[x], names[y])
        return f"{way} is a directed path, but there is an arrowhead at {names[x]} on {edge}"
    plain = (marks == TAIL) & (marks.T == TAIL)
    for x, y in np.argwhere((marks == ARROW) & plain.any(axis=1)[None, :]).tolist():
        z = int(np.flatnonzero(plain[y])[0])
        at = graph.edge_text(names[x], names[y])
        return f"{at} has an arrowhead at {names[y]}, which has the undirected edge {names[y]} --- {names[z]}"
    return ""


def _core(graph: PAG, marks: Marks, stated: dict[str, Any]) -> str:
    """Edges whose marks contradict each other, and none of which can be left out, in words."""
    pairs, _ = joined(marks)
    if len(pairs) > MOST_EDGES:
        return "all these marks"
    left = marks.copy()
    needed = []
    for x, y in pairs.tolist():
        changed = left.copy()
        changed[x, y] = changed[y, x] = CIRCLE
        if np.array_equal(changed, left):
            continue
        if MemberSearch(changed, **stated).find(STEPS_BACK) == 0:
            left = changed
        else:
            needed.append(graph.edge_text(graph.nodes[x], graph.nodes[y]))
    return f"the marks of {', '.join(needed)} together" if needed else "these edges"
