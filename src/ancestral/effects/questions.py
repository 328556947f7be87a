"""Questions about effects that adjustment leaves open, to a graph that a search learned: methods of `Discovery`."""

from collections.abc import Iterable
from typing import Protocol

from ancestral.arguments import names_list
from ancestral.classes.members import NoClass
from ancestral.effects.adjustment import AdjustmentSet
from ancestral.effects.bounds import EffectBounds, bounds_of_table
from ancestral.effects.pairs import criterion_of, open_edge, refuse_selection, two_names
from ancestral.effects.possible import PossibleEffects, effects_in_class
from ancestral.effects.sensitivity import Sensitivity, regression_sensitivity
from ancestral.errors import GraphError, Option, OptionError
from ancestral.graphs import PAG
from ancestral.graphs.names import by_name
from ancestral.independence.base import BaseTest, DataTest, MomentsSource, Test

__all__ = ["EffectQuestions"]


class _Learned(Protocol):
    """What the questions need of a search that is done."""

    @property
    def pag(self) -> PAG: ...

    @property
    def test(self) -> Test: ...

    def adjustment_set(self, x: str, y: str, *, limit: int = 100) -> AdjustmentSet: ...


class EffectQuestions:
    """Possible effects, bounds and sensitivity, from a graph and the test that has its data."""

    def possible_effects(self: _Learned, x: str, y: str, *, most: int = 2000, seed: int = 0) -> PossibleEffects:
        """The effects of x on y in the MAGs of the class, if nothing is confounded beyond what the data force.

        Each MAG is read plainly: its arrows are causes, its <-> are confounding. The class is listed, if it has at most
        `most` MAGs; otherwise so many are drawn from it, by `seed`. docs/possible-effects.md explains it.

        Raises OptionError unless the test is "fisher-z" on data at hand, which assumes linear relations; for labels,
        `effect_bounds` has an answer. Raises GraphError if there is no class of this graph, or the sample was selected.
        """
        cause, effect = two_names(x, y)
        moments = _moments(self.test, (cause, effect))
        sets = self.adjustment_set(cause, effect, limit=1)
        try:
            return effects_in_class(self.pag, moments, sets, most=most, seed=seed)
        except NoClass as error:
            raise NoClass(*error.args, "; the graph of ", Option("algorithm", "scored"), " always is") from None

    def effect_bounds(self: _Learned, x: str, y: str) -> EffectBounds:
        """Bounds of P(y | do(x)) that hold in every graph, for each level of x and of y; see `an.effect_bounds`.

        Raises OptionError if a column is not discrete or ordinal, or there are no rows to count; UnknownName for a name
        that is not a variable.
        """
        cause, effect = two_names(x, y)
        if not isinstance(self.test, BaseTest):
            raise OptionError("no bounds can be computed: a test of one's own has no rows to count; pass data")
        return bounds_of_table(self.test.level_table([cause, effect]), cause, effect)

    def sensitivity(
        self: _Learned, x: str, y: str, *, given: Iterable[str] | None = None, confidence: float = 0.95
    ) -> Sensitivity:
        """How strong an unmeasured cause of x and y must be to bring the effect of x on y to zero.

        The effect is adjusted for the variables `given`, otherwise for an adjustment set, or, if there is none, for all
        possible ancestors of x and y but for those that x may act on or through. `confidence` is that of the interval.

        Raises OptionError unless the test is "fisher-z" on data at hand; GraphError if x has no effect on y by the
        graph, if the sample was selected, or if x acts on a variable of `given`; UnknownName for a name that is not a
        variable.
        """
        cause, effect = two_names(x, y)
        moments = _moments(self.test, (cause, effect))
        refuse_selection(self.pag)
        sets = self.adjustment_set(cause, effect, limit=1)
        if sets.no_effect:
            raise GraphError(f"by the graph, {cause} has no effect on {effect}, so there is nothing to explain away")
        chosen = _chosen(self.pag, sets, given)
        edge = open_edge(self.pag, cause, effect)
        return regression_sensitivity(
            moments.select([cause, effect, *sorted(chosen, key=by_name)]),
            cause,
            effect,
            chosen,
            confidence=confidence,
            edge=None if edge is None else self.pag.edge_text(*edge),
            doubt=sets.doubt,
        )


def _moments(test: Test, names: tuple[str, str]) -> MomentsSource:
    """The moments of a test; the error of one that has none names the way out for labels."""
    try:
        return test.effect_moments()
    except OptionError as error:
        kinds = test.kinds or {}
        if not isinstance(test, DataTest) or any(kinds.get(name) == "continuous" for name in names):
            raise
        bounds = "for columns with levels, found.effect_bounds(x, y) has the bounds that hold in every graph"
        raise OptionError(error.reason, way_out=bounds) from None


def _chosen(pag: PAG, sets: AdjustmentSet, given: Iterable[str] | None) -> frozenset[str]:
    """The variables to adjust for; raise `GraphError` if x acts on one of them by the graph."""
    (x,), (y,) = sets.x, sets.y
    if given is None:
        return sets.nearest if sets.nearest is not None else _canonical(pag, x, y)
    chosen = frozenset(names_list("given", given))
    after = pag.descendants(x, selection_bias=False)
    for name in sorted(chosen, key=by_name):
        pag.index(name)
        if name in (x, y):
            raise GraphError(Option("given"), f" must not hold the two variables of the effect, got {name!r}")
        if name in after:
            raise GraphError(
                Option("given"), f" must not hold {name!r}, on which {x!r} acts by the graph; leave it out"
            )
    return chosen


def _canonical(pag: PAG, x: str, y: str) -> frozenset[str]:
    """All possible ancestors of x and y that are not forbidden: the set to adjust for if no edge were confounded."""
    return frozenset(pag.nodes[i] for i in criterion_of(pag, x, y).canonical)
