"""Which variables to adjust for, to learn the effect of X on Y from a graph and a sample that was not selected.

The criterion is in `criterion.py`. There is an adjustment set if and only if the canonical set, all possible ancestors
of X and Y that are not forbidden, is one. The minimal sets, from which no variable can be left out, are the minimal
separators of X and Y in the proper back-door graph of any one graph of the class (`back_door.py`, `separators.py`).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal

from ancestral.arguments import names_list, whole_number
from ancestral.classes.consistency import consistent
from ancestral.classes.members import legal
from ancestral.effects.back_door import BackDoorGraph
from ancestral.effects.criterion import Criterion
from ancestral.effects.pictures import effect_picture
from ancestral.effects.selected import selection_shown
from ancestral.errors import GraphError, Option
from ancestral.graphs import CPDAG, DAG, MAG, PAG, MixedGraph
from ancestral.graphs.marks import TAIL
from ancestral.graphs.names import by_name, quoted
from ancestral.notebook import answer_html
from ancestral.printing import shown_type, visible

__all__ = ["AdjustmentSet", "adjustment_set", "is_adjustment_set"]

Names = str | Iterable[str]

#: Among which sets an adjustment set is the best one.
BestOf = Literal["all", "ancestors"] | None

#: How the best set is printed.
_BEST: dict[BestOf, str] = {
    "all": " (smallest variance of all)",
    "ancestors": " (smallest variance of all sets of ancestors)",
    None: "",
}


@dataclass(frozen=True)
class AdjustmentSet:
    """Whether the effect of `x` on `y` can be estimated by adjusting for variables, and for which.

    All of this assumes that the sample was not selected. Made by `adjustment_set` and `Discovery.adjustment_set`.

    Attributes:
        x: The causes.
        y: The outcomes.
        exists: Whether there is an adjustment set. If not, the effect may still be identified by other means.
        reason: Why there is none; empty if there is one.
        canonical: The largest set that needs to be considered; None if there is no adjustment set.
        minimal: Sets from which nothing can be left out, smaller ones first.
        all_minimal: Whether `minimal` has all of them; otherwise it has as many as were asked for, which need not be
            the smallest.
        nearest: Of the minimal sets the one nearest to the outcome, which has the smallest asymptotic variance of them.
        best: The set with the smallest asymptotic variance; None if there is no adjustment set, or no effect.
        best_of: "all" if `best` is the best of all adjustment sets; "ancestors" if of those whose variables act on x or
            y in a graph of the class, minimal ones among them; None if nothing is known.
        best_reason: Why that is so.
        forbidden: Variables that must not be adjusted for, since x may act on them or through them.
        no_effect: No possibly directed path leads from x to y, so x has no effect on y, whatever is adjusted for.
        doubt: Why the graph may not be the kind of graph that the criterion requires; None if nothing is known against
            it.

    Examples:
        >>> found = adjustment_set(PAG.parse("a o-> x, b o-> x, x --> m, m --> y, c o-> y"), "x", "y")
        >>> found.minimal, found.best, sorted(found.forbidden), found.no_effect
        ((frozenset(),), frozenset({'c'}), ['m', 'y'], False)
        >>> found.allows(["a", "c"]), found.allows(["m"]), found.why_not(["m"])
        (True, False, 'forbidden: m may be on a possibly causal path, or caused by a variable on one')
        >>> found.graph.edge("x", "m")
        '-->'
    """

    x: tuple[str, ...]
    y: tuple[str, ...]
    exists: bool
    reason: str
    canonical: frozenset[str] | None
    minimal: tuple[frozenset[str], ...]
    all_minimal: bool
    nearest: frozenset[str] | None
    best: frozenset[str] | None
    best_of: BestOf
    best_reason: str
    forbidden: frozenset[str]
    no_effect: bool
    doubt: str | None
    _question: "_Question" = field(repr=False, compare=False)

    @property
    def graph(self) -> MixedGraph:
        """The graph that was asked."""
        return self._question.graph

    def allows(self, given: Iterable[str]) -> bool:
        """Whether some variables are an adjustment set; there may be many more than the minimal ones.

        Args:
            given: The variables.

        Returns:
            True if they are one.

        Raises:
            GraphError: If `given` is a single string or has a node that is not observed.
            UnknownName: If it has a name that is not a node.
        """
        return self.why_not(given) is None

    def why_not(self, given: Iterable[str]) -> str | None:
        """Why some variables are not an adjustment set, in words.

        Args:
            given: The variables.

        Returns:
            The reason; None if they are one.

        Raises:
            GraphError: If `given` is a single string or has a node that is not observed.
            UnknownName: If it has a name that is not a node.
        """
        return self._question.refusal(_names(given, "given"))

    def __str__(self) -> str:
        x, y = ", ".join(map(quoted, self.x)), ", ".join(map(quoted, self.y))
        lines = [f"Effect of {x} on {y}: {'by adjustment' if self.exists else 'not by adjustment'}."]
        if self.no_effect:
            verb = "has" if len(self.x) == 1 else "have"
            back = f"every path from {x} to {y} has an arrowhead pointing back towards {x}"
            lines.append(f"  By the graph, {x} {verb} no effect on {y}: {back}.")
        if not self.exists:
            lines.append(f"  {self.reason[:1].upper()}{self.reason[1:]}.")
        else:
            some = "minimal set" if len(self.minimal) == 1 else "minimal sets"
            more = "" if self.all_minimal else " (there are more)"
            lines.append(f"  {some}: {'; '.join(map(_shown, self.minimal))}{more}")
            lines.append(f"  canonical set: {_shown(self.canonical or frozenset())}")
            if self.best is not None:
                lines.append(f"  best set: {_shown(self.best)}{_BEST[self.best_of]}")
            if self.forbidden - set(self.y):
                lines.append(f"  never: {_shown(self.forbidden - set(self.y))}, which {x} may act on or through")
        lines.append("  Assumed: the sample was not selected on anything that these variables cause.")
        if self.doubt:
            lines.append(f"  Beware: {self.doubt}.")
        return "\n".join(map(visible, lines))

    def _repr_html_(self) -> str:
        """What printing shows, and the graph with cause, outcome and the set to adjust for; for notebooks."""
        chosen = self.best if self.best is not None else self.nearest
        return answer_html(str(self), picture=effect_picture(self.graph, self.x, self.y, chosen or ()))


def adjustment_set(graph: MixedGraph, x: Names, y: Names, *, limit: int = 100) -> AdjustmentSet:
    """The sets of variables to adjust for, to estimate the effect of x on y, by a DAG, CPDAG, MAG or PAG.

    Args:
        graph: The graph. In a DAG only observed variables are adjusted for.
        x: A variable, or several for a joint effect.
        y: A variable, or several.
        limit: The largest number of minimal sets to return, at least 1.

    Returns:
        The sets, also where there are none: then the `reason` says why.

    Raises:
        GraphError: If the graph is of another kind, a side is empty, or a variable is on both sides or not observed.
        UnknownName: If a name is not a node.
        OptionError: If the limit is below 1.

    Examples:
        >>> pag = PAG.parse("a o-> x, b o-> x, x --> y, c o-> y")
        >>> found = adjustment_set(pag, "x", "y")
        >>> found.exists, found.minimal, sorted(found.canonical)
        (True, (frozenset(),), ['a', 'b', 'c'])
        >>> print(adjustment_set(PAG.parse("x o-> y, c o-> y"), "x", "y"))
        Effect of x on y: not by adjustment.
          Not amenable: x o-> y, which begins a possibly causal path, leaves open whether x causes y.
          Assumed: the sample was not selected on anything that these variables cause.
    """
    question = _Question(graph, _names(x, "x"), _names(y, "y"))
    return question.answer(whole_number("limit", limit, 1))


def is_adjustment_set(graph: MixedGraph, x: Names, y: Names, given: Iterable[str]) -> bool:
    """Whether adjusting for some variables gives the effect of x on y in every graph of the class.

    Args:
        graph: A DAG, CPDAG, MAG or PAG.
        x: A variable, or several for a joint effect.
        y: A variable, or several.
        given: The variables that are adjusted for.

    Returns:
        True if it does.

    Raises:
        GraphError: If the graph is of another kind, a side is empty, or a variable is on two sides or not observed.
        UnknownName: If a name is not a node.

    Examples:
        >>> dag = DAG.parse("z -> x, z -> y, x -> m, m -> y")
        >>> is_adjustment_set(dag, "x", "y", {"z"}), is_adjustment_set(dag, "x", "y", {"z", "m"})
        (True, False)
    """
    return _Question(graph, _names(x, "x"), _names(y, "y")).refusal(_names(given, "given")) is None


class _Question:
    """A graph, x and y, checked, and what the criterion says about them."""

    def __init__(self, graph: MixedGraph, x: tuple[str, ...], y: tuple[str, ...]) -> None:
        if not isinstance(graph, (DAG, MAG, PAG)):
            raise GraphError(f"effects are defined in a DAG, CPDAG, MAG or PAG, got {shown_type(graph)}")
        if not x or not y:
            raise GraphError("an effect is that of a variable on another; one of the two sides is empty")
        if both := sorted(set(x) & set(y)):
            raise GraphError(f"{both[0]!r} is both cause and effect; ask about two different variables")
        self.graph, self.x, self.y = graph, x, y
        observed = graph.observed if isinstance(graph, DAG) else graph.nodes
        xs, ys = (frozenset(self._position(name, observed) for name in side) for side in (x, y))
        usable = frozenset(graph.index(name) for name in observed)
        self.observed = observed
        unconfounded = graph.unconfounded_pairs if isinstance(graph, PAG) else None
        everything = isinstance(graph, (DAG, CPDAG))
        self.criterion = Criterion(graph.class_marks, xs, ys, everything, usable, unconfounded)
        self.back_door = BackDoorGraph(self.criterion)
        self.selected = selection_shown(graph)

    def _position(self, name: str, observed: tuple[str, ...]) -> int:
        i = self.graph.index(name)
        if name not in observed:
            raise GraphError(f"{name!r} is not observed in this DAG; ask about observed variables")
        return i

    def answer(self, limit: int) -> AdjustmentSet:
        """The answer, with at most `limit` minimal sets."""
        c = self.criterion
        reason = self.refusal(tuple(self.graph.nodes[i] for i in c.canonical))
        minimal: list[frozenset[int]] = []
        all_minimal = True
        if reason is None:
            minimal = list(islice(self.back_door.minimal(), limit + 1)) or [self._reduced()]
            all_minimal = len(minimal) <= limit
        nearest = self._names_of(minimal[0]) if minimal else None
        doubt = self._doubt()
        best, best_of, best_reason = self._best(nearest, doubt)
        sets = sorted(map(self._names_of, minimal[:limit]), key=lambda z: (len(z), sorted(map(by_name, z))))
        return AdjustmentSet(
            x=self.x,
            y=self.y,
            exists=reason is None,
            reason=reason or "",
            canonical=self._names_of(c.canonical) if reason is None else None,
            minimal=tuple(sets),
            all_minimal=all_minimal,
            nearest=nearest,
            best=best,
            best_of=best_of,
            best_reason=best_reason,
            forbidden=self._names_of(c.forbidden),
            no_effect=not c.first_steps and self.selected is None,
            doubt=doubt,
            _question=self,
        )

    def refusal(self, given: tuple[str, ...]) -> str | None:
        """Why these variables are not an adjustment set; None if they are one."""
        c, graph = self.criterion, self.graph
        z = [self._position(name, self.observed) for name in given]
        if self.selected:
            return f"{self.selected}, and adjustment requires that it was not"
        if c.invisible:
            u, v = c.invisible
            a, b = graph.nodes[u], graph.nodes[v]
            if c.marks[v, u] == TAIL:
                why = "is not visible: something unmeasured may cause both"
            else:
                why = f"leaves open whether {a} causes {b}"
            return f"not amenable: {graph.edge_text(a, b)}, which begins a possibly causal path, {why}"
        for i in sorted(z):
            if i in c.xs | c.ys:
                return f"{graph.nodes[i]} is a variable of the effect itself and cannot be adjusted for"
            if i in c.forbidden:
                return f"forbidden: {graph.nodes[i]} may be on a possibly causal path, or caused by a variable on one"
        if walk := c.open_path(z):
            forbidden = [graph.nodes[i] for i in walk[1:-1] if i in c.forbidden]
            why = f", where {forbidden[0]} must not be adjusted for" if forbidden else ""
            return f"not blocked: {graph.path_text(graph.nodes[i] for i in walk)} stays open{why}"
        return None

    def _best(self, nearest: frozenset[str] | None, doubt: str | None) -> tuple[frozenset[str] | None, BestOf, str]:
        """The adjustment set of the smallest asymptotic variance, among which sets, and why."""
        if nearest is None:
            return None, None, "there is no adjustment set"
        if not self.criterion.first_steps:
            return None, None, "there is no effect to estimate"
        found = self.back_door.next_to_outcome()
        if found is None or doubt or not self._is_class():
            chosen = nearest if found is None else self._names_of(found)
            return chosen, None, "the graph is not that of a class, so nothing is known about the best set"
        more = self.back_door.tells_more(found)
        x, y = (", ".join(map(quoted, side)) for side in (self.x, self.y))
        if more is None:
            return self._names_of(found), "all", f"given these and {x}, {y} depends on nothing else that is allowed"
        name = quoted(self.graph.nodes[more])
        reason = f"{y} also depends on {name}, and whether adjusting for that pays depends on the numbers"
        return self._names_of(found), "ancestors", reason

    def _is_class(self) -> bool:
        """Whether the graph is a single one, or that of a class, so that one graph of it represents all."""
        return not isinstance(self.graph, PAG) or bool(legal(self.graph))

    def _reduced(self) -> frozenset[int]:
        """The canonical set without the nodes that can be left out, tried one by one in the order of names."""
        left = self.criterion.canonical
        for i in sorted(left, key=lambda i: by_name(self.graph.nodes[i])):
            if self.criterion.allows(left - {i}):
                left -= {i}
        return left

    def _doubt(self) -> str | None:
        if not isinstance(self.graph, PAG):
            return None
        answer = consistent(self.graph)
        return None if answer else f"the marks of this graph are {answer}"

    def _names_of(self, positions: Iterable[int]) -> frozenset[str]:
        return frozenset(self.graph.nodes[i] for i in positions)


def _names(names: Names, what: str) -> tuple[str, ...]:
    if what == "given" and isinstance(names, str):
        raise GraphError(
            f"given must be a set of names, got the single string {names!r}; pass ", Option("given", {names})
        )
    return tuple(dict.fromkeys(names_list(what, names)))


def _shown(names: frozenset[str]) -> str:
    return "{" + ", ".join(map(quoted, sorted(names, key=by_name))) + "}" if names else "nothing"
