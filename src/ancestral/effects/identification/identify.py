"""The front door of identification: `identify()` and its answer, `Identification`."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, combinations

from ancestral.arguments import flag, names_list, whole_number
from ancestral.classes.consistency import consistent
from ancestral.classes.members import legal
from ancestral.effects.adjustment import AdjustmentSet, adjustment_set
from ancestral.effects.identification.building import conditional_formula, simplest
from ancestral.effects.identification.chains import names_of
from ancestral.effects.identification.conditional_plans import ConditionalPlan, conditional_plan
from ancestral.effects.identification.formulas import Product, adjustment_formula, conditional_of
from ancestral.effects.identification.obstacles import Reason, reason_for
from ancestral.effects.identification.structure import Structure, bits_in, structure_of
from ancestral.effects.identification.texts import LATEX, TEXT, query_in, written
from ancestral.effects.pictures import effect_picture
from ancestral.effects.selected import selection_shown
from ancestral.errors import GraphError, OptionError
from ancestral.graphs import CPDAG, DAG, MAG, PAG, MixedGraph
from ancestral.graphs.names import by_name, quoted
from ancestral.notebook import answer_html
from ancestral.printing import visible

__all__ = ["Identification", "identify"]

Names = str | Iterable[str]


@dataclass(frozen=True)
class Identification:
    """Whether P(y | do(x), within) follows from a graph and what was observed, and by which formula.

    All of this assumes that the sample was not selected. Made by `identify` and `Discovery.identify`.

    Attributes:
        x: The causes.
        y: The outcomes.
        conditions: The variables that the effect is conditional on.
        identified: Whether it follows.
        how: "no effect", "adjustment", "formula", or None if it is not identified.
        adjusted_for: For "adjustment", the set that the formula uses; otherwise None.
        reason: Why it is not identified, in words; empty if it is.
        because: The edges that stand in the way, as pairs of names.
        final: It is not identified, and no method identifies it from this graph alone. Other knowledge may: linear
            relations, an instrument, an experiment.
        doubt: Why the graph may not be the kind of graph that this requires; None if nothing is known against it.

    Examples:
        >>> found = identify(PAG.parse("a o-> x, b o-> x, x --> m, m --> y, c o-> y"), "x", "y")
        >>> found.query, found.text
        ('P(y | do(x))', 'P(y | do(x)) = sum_{c} P(c) P(y | c, x)')
        >>> print(found.latex)
        P(y \\mid \\mathrm{do}(x)) = \\sum_{c} P(c) P(y \\mid c, x)
        >>> found.factors, found.variables, found.any_value
        ([(('c',), ()), (('y',), ('c', 'x'))], ('c', 'x', 'y'), ())
        >>> found.formula.factors[0].over, found.graph.edge("x", "m")
        (frozenset({'c'}), '-->')
        >>> found.left_out("m")
        'what x may do through m'
        >>> refused = identify(PAG.parse("x o-o z, z o-o y"), "x", "y")
        >>> refused.identified, refused.because, refused.within()
        (False, (('x', 'z'),), ('z',))
    """

    x: tuple[str, ...]
    y: tuple[str, ...]
    conditions: tuple[str, ...]
    identified: bool
    how: str | None
    adjusted_for: frozenset[str] | None
    reason: str
    because: tuple[tuple[str, str], ...]
    final: bool
    doubt: str | None
    _asked: "_Asked" = field(repr=False, compare=False)
    _build: Callable[[], Product] | None = field(repr=False, compare=False)

    @property
    def graph(self) -> MixedGraph:
        """The graph that was asked."""
        return self._asked.graph

    def __bool__(self) -> bool:
        return self.identified

    @cached_property
    def formula(self) -> Product | None:
        """The formula as data; None if it is not identified."""
        return self._build() if self._build is not None else None

    @property
    def query(self) -> str:
        """The question: P(y | do(x), within)."""
        return query_in(TEXT, self.y, self.x, self.conditions)

    @property
    def text(self) -> str | None:
        """The equation as text; None if it is not identified."""
        return None if self.formula is None else f"{self.query} = {written(self.formula, TEXT, self._names)}"

    @property
    def latex(self) -> str | None:
        """The equation in LaTeX; None if it is not identified."""
        if self.formula is None:
            return None
        return f"{query_in(LATEX, self.y, self.x, self.conditions)} = {written(self.formula, LATEX, self._names)}"

    @property
    def factors(self) -> list[tuple[tuple[str, ...], tuple[str, ...]]] | None:
        """The conditionals of the formula, each as its heads and what is given; None if it is not identified."""
        if self.formula is None:
            return None
        found = dict.fromkeys(self.formula.conditionals())
        return [(_in_order(factor.heads), _in_order(factor.given)) for factor in found]

    @property
    def any_value(self) -> tuple[str, ...]:
        """The variables of the formula that are not in the question; it holds at any value of them."""
        return () if self.formula is None else _in_order(self.formula.free - self._names)

    @property
    def variables(self) -> tuple[str, ...]:
        """All variables of the question and of the formula, also those that sums bind."""
        inside = () if self.formula is None else self.formula.conditionals()
        return _in_order(self._names.union(*(factor.free for factor in inside)))

    @property
    def _names(self) -> frozenset[str]:
        return frozenset((*self.x, *self.y, *self.conditions))

    def within(self, most: int = 2) -> tuple[str, ...] | None:
        """The fewest variables within whose levels the effect is identified.

        Only for a single x and y that are refused without conditions, in a graph without selection. Variables that x
        does not act on come first; `left_out` says what is lost by the others.

        Args:
            most: The largest number of variables to try.

        Returns:
            The variables; None if there are none.
        """
        largest = whole_number("most", most, 1)
        return None if self.identified or self.conditions else self._asked.smallest_within(largest)

    def left_out(self, within: Names | None = None) -> str | None:
        """What the effect within levels of some variables leaves out, in words.

        That is what x may do through those of them that it may act on.

        Args:
            within: The variables; by default the conditions.

        Returns:
            The words; None if nothing is left out.

        Raises:
            UnknownName: If a name is not a node.
        """
        chosen = self.conditions if within is None else names_list("within", within)
        if not (after := self._asked.acted_on(chosen)):
            return None
        x = ", ".join(map(quoted, self.x))
        return f"what {x} may do through {', '.join(map(quoted, after))}"

    def __str__(self) -> str:
        lines = self._answer()
        lines.append("  Assumed: the sample was not selected on anything that these variables cause.")
        if self.doubt:
            lines.append(f"  Beware: {self.doubt}.")
        return "\n".join(map(visible, lines))

    def _answer(self) -> list[str]:
        x, y = ", ".join(map(quoted, self.x)), ", ".join(map(quoted, self.y))
        if not self.identified:
            how = "not from this graph, by any formula" if self.final else "not identified"
            return [f"{self.query}: {how}.", f"  In the way: {self.reason}."]
        lines = [str(self.text)]
        if self.how == "no effect":
            fixed = f" at fixed values of {', '.join(map(quoted, self.conditions))}" if self.conditions else ""
            lines.append(f"  By the graph, {x} {'has' if len(self.x) == 1 else 'have'} no effect on {y}{fixed}.")
        if self.adjusted_for is not None:
            chosen = ", ".join(map(quoted, _in_order(self.adjusted_for))) or "nothing"
            lines.append(f"  By adjustment for {chosen}.")
        if self.any_value:
            lines.append(f"  It holds at any value of {', '.join(map(quoted, self.any_value))}.")
        if left_out := self.left_out():
            lines.append(f"  Left out: {left_out}.")
        return lines

    def _repr_html_(self) -> str:
        """What printing shows, the formula, and the graph with cause, outcome and adjustment set; for notebooks."""
        drawn = effect_picture(self.graph, self.x, self.y, self.adjusted_for or (), self.conditions)
        return answer_html(str(self), picture=drawn, formula=self.latex)

    def _repr_latex_(self) -> str | None:
        return None if self.latex is None else f"$\\displaystyle {self.latex}$"


def identify(
    graph: MixedGraph, x: Names, y: Names, *, within: Names | None = None, adjustment: bool = True
) -> Identification:
    """Whether the effect of x on y follows from a graph and the observed distribution, and by which formula.

    In a PAG the answer holds for every graph of the class (IDP, and with `within` CIDP: Jaber, Ribeiro, Zhang &
    Bareinboim 2022); in a DAG its latent nodes are not observed.

    Args:
        graph: A PAG, MAG, CPDAG or DAG.
        x: A variable, or several.
        y: A variable, or several.
        within: Variables that the effect is conditional on.
        adjustment: Where there is an adjustment set, the formula adjusts for it; with False it may make more use of the
            graph.

    Returns:
        The formula, also where there is none: then the `reason` says why.

    Raises:
        GraphError: If the graph is of another kind, a side is empty, or a variable is on two sides or not observed.
        UnknownName: If a name is not a node.

    Examples:
        >>> pag = PAG.parse("a o-> x, b o-> x, x --> m, m --> y, c o-> y")
        >>> print(identify(pag, "x", "y"))
        P(y | do(x)) = sum_{c} P(c) P(y | c, x)
          By adjustment for c.
          Assumed: the sample was not selected on anything that these variables cause.
        >>> said = identify(PAG.parse("x o-o z, z o-o y"), "x", "y")
        >>> said.identified, said.final, said.reason
        (False, True, 'x o-o z leaves open which of them, if any, causes the other')
        >>> said.within(), identify(PAG.parse("x o-o z, z o-o y"), "x", "y", within="z").text
        (('z',), 'P(y | do(x), z) = P(y | z)')
    """
    conditions = () if within is None else tuple(dict.fromkeys(names_list("within", within)))
    sets = adjustment_set(graph, x, y, limit=1)  # checks the graph and both sides
    assert isinstance(graph, (DAG, MAG, PAG))
    if shared := sorted(set(conditions) & {*sets.x, *sets.y}):
        raise GraphError(f"{shared[0]!r} is both in the effect and among its conditions; leave it out of within")
    return _Asked(graph, sets, conditions, flag("adjustment", adjustment)).answer()


class _Asked:
    """A question that was checked: the graph, its adjustment sets for x and y, and the conditions."""

    def __init__(
        self, graph: DAG | MAG | PAG, sets: AdjustmentSet, conditions: tuple[str, ...], adjustment: bool
    ) -> None:
        self.graph, self.sets, self.conditions, self.adjustment = graph, sets, conditions, adjustment
        self.observed = graph.observed if isinstance(graph, DAG) else graph.nodes
        self._check_observed(conditions)

    def _check_observed(self, names: Iterable[str]) -> None:
        for name in names:
            self.graph.index(name)
            if name not in self.observed:
                raise GraphError(f"{name!r} is not observed in this DAG; ask about observed variables")

    @cached_property
    def structure(self) -> Structure:
        """The graph as identification reads it."""
        return structure_of(self.graph)

    def answer(self) -> Identification:
        """The answer in full; the formula is built when it is asked for."""
        doubt = self._doubt()
        if selected := selection_shown(self.graph):
            why = f"{selected}, and identification requires that it was not"
            return self._refused(Reason(why, ()), doubt, final=False)
        if self.structure.order is None:
            why = "no order of the variables agrees with the marks, so this is not the PAG of any graph"
            return self._refused(Reason(why, ()), doubt, final=False)
        x, y, z = map(self._bits, (self.sets.x, self.sets.y, self.conditions))
        if self._without_effect(x, y, z):
            return self._identified("no effect", doubt, lambda: conditional_of(self.sets.y, self.conditions))
        if self.adjustment and not z and self.sets.best is not None:
            chosen = self.sets.best
            return self._identified(
                "adjustment", doubt, lambda: adjustment_formula(self.sets.x, self.sets.y, chosen), chosen
            )
        found = conditional_plan(self.structure, x, y, z)
        if not isinstance(found, ConditionalPlan):
            complete = not (isinstance(self.graph, CPDAG) and z)
            return self._refused(reason_for(self.graph, self.structure, found, x), doubt, final=complete and not doubt)
        return self._identified("formula", doubt, lambda: self._formula(found, y))

    def _without_effect(self, x: int, y: int, z: int) -> bool:
        """Whether do(x) can be left out: by the adjustment criterion, or with conditions by the do-calculus' rule 3."""
        if not z:
            return self.sets.no_effect
        acting = x & ~self.structure.ancestors(z, self.structure.all)
        return self.structure.separated(x, y, z, into=acting)

    def _formula(self, found: ConditionalPlan, y: int) -> Product:
        graph = self.structure
        over = names_of(graph, found.target & ~y & ~found.given)
        asked = frozenset((*self.sets.x, *self.sets.y, *self.conditions))
        parts, formula = simplest(graph, found.target, over, asked)
        return conditional_formula(graph, parts, over, names_of(graph, y)) if found.given else formula

    def _identified(
        self, how: str, doubt: str | None, build: Callable[[], Product], chosen: frozenset[str] | None = None
    ) -> Identification:
        x, y = self.sets.x, self.sets.y
        return Identification(x, y, self.conditions, True, how, chosen, "", (), False, doubt, self, build)

    def _refused(self, reason: Reason, doubt: str | None, *, final: bool) -> Identification:
        x, y = self.sets.x, self.sets.y
        return Identification(
            x, y, self.conditions, False, None, None, reason.words, reason.edges, final, doubt, self, None
        )

    def smallest_within(self, most: int) -> tuple[str, ...] | None:
        """The fewest further variables within whose levels the effect of one x on one y is identified."""
        if len(self.sets.x) > 1 or len(self.sets.y) > 1:
            raise OptionError("conditions are searched for a single x and y; pass your own to identify(within=...)")
        if selection_shown(self.graph) or self.structure.order is None:
            return None
        x, y = map(self._bits, (self.sets.x, self.sets.y))
        for chosen in self._candidates(x, y, most):
            if isinstance(conditional_plan(self.structure, x, y, self._bits(chosen)), ConditionalPlan):
                return chosen
        return None

    def acted_on(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those of these variables that x may act on."""
        chosen = _in_order(names)
        self._check_observed(chosen)
        after = self.structure.descendants(self._bits(self.sets.x), self.structure.all)
        return tuple(name for name in chosen if self._bits([name]) & after)

    def _candidates(self, x: int, y: int, most: int) -> Iterator[tuple[str, ...]]:
        """Small sets of other variables; of one size, those first that have the fewest possible descendants of x."""
        others = [name for name in _in_order(self.observed) if not self._bits([name]) & (x | y)]
        late = set(self.acted_on(others))
        sizes = (combinations(others, size) for size in range(1, most + 1))
        return chain.from_iterable(sorted(size, key=lambda chosen: sum(n in late for n in chosen)) for size in sizes)

    def _bits(self, names: Iterable[str]) -> int:
        return bits_in([self.observed.index(name) for name in names])

    def _doubt(self) -> str | None:
        if not isinstance(self.graph, PAG):
            return None
        if legal(self.graph):
            return None
        answer, kind = consistent(self.graph), type(self.graph).__name__
        if not answer:
            return f"the marks of this graph are {answer}"
        return f"this graph has other marks than a {kind} has, such as known ones, and the theory is about those alone"


def _in_order(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(names, key=by_name))
