"""Questions about effects, to a graph that a search learned: methods of `Discovery`."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal, Protocol, Unpack

from ancestral.arguments import names_list, one_of
from ancestral.classes.members import NoClass
from ancestral.data.read_options import ReadOptions
from ancestral.effects.adjustment import AdjustmentSet, adjustment_set
from ancestral.effects.bounds import EffectBounds, bounds_of_table
from ancestral.effects.discrete_formula import Interventional
from ancestral.effects.effect import Effect
from ancestral.effects.identification import Identification, identify
from ancestral.effects.learned import (
    formula_effect,
    learned_effect,
    refuse_no_edge,
    refuse_unidentified,
    stopped,
)
from ancestral.effects.options import EffectKeywords, EffectOptions
from ancestral.effects.pairs import asked_pairs, criterion_of, linear_moments, open_edge, refuse_selection, two_names
from ancestral.effects.panels import EffectPanel, panel
from ancestral.effects.possible import PossibleEffects, effects_in_class
from ancestral.effects.sensitivity import Sensitivity, regression_sensitivity
from ancestral.effects.source import EffectSource
from ancestral.errors import GraphError, Method, Option, OptionError
from ancestral.graphs import PAG
from ancestral.graphs.names import by_name
from ancestral.independence.base import BaseTest, DataTest, MomentsSource, Test
from ancestral.option_groups import with_options
from ancestral.search.settings import Settings
from ancestral.search.stage import Stage

__all__ = ["EffectQuestions"]


class _Learned(Protocol):
    """What the questions need of a search that is done."""

    @property
    def pag(self) -> PAG: ...

    @property
    def test(self) -> Test: ...

    @property
    def stage(self) -> Stage: ...

    @property
    def settings(self) -> Settings: ...

    @property
    def reading(self) -> ReadOptions: ...

    @property
    def complete(self) -> bool: ...

    def adjustment_set(self, x: str | Iterable[str], y: str | Iterable[str], *, limit: int = 100) -> AdjustmentSet: ...

    def identify(
        self,
        x: str | Iterable[str],
        y: str | Iterable[str],
        *,
        within: str | Iterable[str] | None = None,
        adjustment: bool = True,
    ) -> Identification: ...

    def effect(self, x: str | Iterable[str], y: str) -> Effect: ...

    def _not_firm_at(self, x: Sequence[str], y: Sequence[str]) -> str: ...


class EffectQuestions:
    """Questions about effects, to a graph and the test that has its data.

    Examples:
        >>> import ancestral as an
        >>> rows = an.simulate.linear_gaussian(an.DAG.parse("a -> x, b -> x, x -> y"), rows=1000, seed=1)
        >>> found = an.discover(rows, algorithm="icd")
        >>> found.adjustment_set("x", "y").minimal, found.identify("x", "y").text
        ((frozenset(),), 'P(y | do(x)) = P(y | x)')
        >>> effect = found.effect("x", "y")
        >>> possible = found.possible_effects("x", "y")  # there is only this one
        >>> effect.how, bool(abs(effect.estimate - possible.low) < 1e-9), possible.low == possible.high
        ('adjustment', True, True)
        >>> 0 < found.sensitivity("x", "y").robustness < 1
        True
    """

    def adjustment_set(
        self: _Learned, x: str | Iterable[str], y: str | Iterable[str], *, limit: int = 100
    ) -> AdjustmentSet:
        """Which variables to adjust for, to learn the effect of x on y; see `an.adjustment_set`.

        Args:
            x: A variable, or several for a joint effect.
            y: A variable, or several.
            limit: The largest number of minimal sets to return.

        Returns:
            The sets, or "not by adjustment" with the reason, and a `doubt` if the search was stopped, or if edges of x
            or y, or that x and y have no edge, are not firm (see `certainty`).

        Raises:
            OptionError: If the search knew of pairs without an edge (`no_edge`).
            UnknownName: If a name is not a variable.
        """
        refuse_no_edge(self.stage, self.settings)
        sets = adjustment_set(self.pag, x, y, limit=limit)
        return replace(sets, doubt=_doubts(sets.doubt, stopped(self.complete), self._not_firm_at(sets.x, sets.y)))

    def identify(
        self: _Learned,
        x: str | Iterable[str],
        y: str | Iterable[str],
        *,
        within: str | Iterable[str] | None = None,
        adjustment: bool = True,
    ) -> Identification:
        """Whether the effect of x on y follows from the graph, and by which formula; see `an.identify`.

        Args:
            x: A variable, or several.
            y: A variable, or several.
            within: Variables that the effect is conditional on.
            adjustment: Whether the formula is that of an adjustment set where there is one.

        Returns:
            The formula, or the reason why there is none, and a `doubt` if the search was stopped, if edges of x or y
            are not firm, or if the graph has other marks than a PAG, such as those that were known.

        Raises:
            OptionError: If the search knew of pairs without an edge (`no_edge`).
            UnknownName: If a name is not a variable.
        """
        refuse_no_edge(self.stage, self.settings)
        said = identify(self.pag, x, y, within=within, adjustment=adjustment)
        weak = self._not_firm_at(said.x, said.y)
        doubt = _doubts(said.doubt, stopped(self.complete), weak)
        return replace(said, doubt=doubt, final=said.final and doubt is None)

    @with_options(EffectOptions)
    def effect(
        self: _Learned,
        x: str | Iterable[str],
        y: str,
        *,
        given: Iterable[str] | None = None,
        within: str | Iterable[str] | None = None,
        how: Literal["auto", "adjustment", "formula"] = "auto",
        **options: Unpack[EffectKeywords],
    ) -> Effect:
        """The effect of x on y, with its confidence interval (docs/effects.md).

        Args:
            x: A variable, or several for a joint effect.
            y: A variable.
            given: The variables that are adjusted for; by default the set with the smallest variance,
                `found.adjustment_set(x, y).best`. If there is no adjustment set, the effect is computed by the formula
                of `found.identify(x, y)`.
            within: Variables that the effect is conditional on, which asks for a formula.
            how: "auto", or "adjustment" or "formula" for one of the two alone.

        {options}

        Returns:
            The effect; print it.

        Raises:
            GraphError: If the effect is not identified, or `given` is not an adjustment set.
            OptionError: If the data do not suit the estimator, or an option is wrong.
            DataError: If the rows do not determine the effect.
            UnknownName: If a name is not a variable.
        """
        if not isinstance(y, str):
            raise OptionError("must be the name of one variable", option="y", value=y, way_out="ask for one at a time")
        chosen = EffectOptions.from_keywords("effect", options)
        way = one_of("how", how, ("auto", "adjustment", "formula"))
        source = EffectSource(self.test, self.reading, chosen)
        source.check_at_hand()
        if within is None and way != "formula":
            sets = self.adjustment_set(x, y, limit=1)
            if sets.exists or given is not None or way == "adjustment":
                return learned_effect(source, sets, y, given)
        elif given is not None:
            raise OptionError(
                "does not apply to a formula",
                option="given",
                value=given,
                assigned=True,
                way_out=["leave it out, or leave out ", Option("within"), " and ", Option("how")],
            )
        return formula_effect(source, self.identify(x, y, within=within, adjustment=way != "formula"), y)

    def _effect_panels(self: _Learned, effects: Iterable[tuple[str, str]]) -> list[EffectPanel]:
        """What a report says about these effects, each a pair of a cause and an effect."""
        return [panel(self.identify(x, y), partial(self.effect, x, y)) for x, y in asked_pairs(effects, self.pag.nodes)]

    def interventional(
        self: _Learned,
        x: str | Iterable[str],
        y: str | Iterable[str],
        *,
        within: str | Iterable[str] | None = None,
        confidence: float = 0.95,
        seed: int = 0,
        data: Any = None,
    ) -> Interventional:
        """P(y | do(x), within) for each combination of levels, with intervals: for columns with levels.

        It is computed by the formula of `found.identify(x, y, within=within)`.

        Args:
            x: A variable, or several.
            y: A variable, or several.
            within: Variables that the effect is conditional on.
            confidence: The level of the intervals, for which counts are drawn again.
            seed: That of the draws.
            data: The data again, where their rows are not at hand.

        Returns:
            The probabilities; print them for a table.

        Raises:
            GraphError: If the effect is not identified.
            OptionError: If a column of the formula has no levels, or an option is wrong.
            DataError: If there are too few rows.
            UnknownName: If a name is not a variable.

        Examples:
            >>> import ancestral as an
            >>> rows = an.simulate.discrete(an.DAG.parse("a -> x, b -> x, x -> y"), rows=2000, seed=5)
            >>> an.discover(rows, algorithm="icd").interventional("x", "y").values.sum(axis=1).round(6)
            array([1., 1.])
        """
        source = EffectSource(self.test, self.reading, EffectOptions(confidence=confidence, seed=seed, data=data))
        source.check_at_hand()
        said = self.identify(x, y, within=within)
        refuse_unidentified(source, said)
        return source.distribution(said)

    def possible_effects(self: _Learned, x: str, y: str, *, most: int = 2000, seed: int = 0) -> PossibleEffects:
        """The effects of x on y in the MAGs of the class, if nothing is confounded beyond what the data force.

        Each MAG is read plainly: its arrows are causes, its <-> are confounding. docs/possible-effects.md explains it.

        Args:
            x: A variable.
            y: A variable.
            most: The class is listed, if it has at most this number of MAGs; otherwise as many are drawn from it.
            seed: That of the draws.

        Returns:
            The effects; print them.

        Raises:
            OptionError: If the test is not "fisher-z" on data at hand, which assumes linear relations; for labels,
                `effect_bounds` has an answer.
            GraphError: If there is no class of this graph, or the sample was selected.
            UnknownName: If a name is not a variable.
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

        Args:
            x: A variable.
            y: A variable.

        Returns:
            The bounds; print them.

        Raises:
            OptionError: If a column is not discrete or ordinal, or there are no rows to count.
            UnknownName: If a name is not a variable.

        Examples:
            >>> import ancestral as an
            >>> rows = an.simulate.discrete(an.DAG.parse("a -> x, b -> x, x -> y"), rows=2000, seed=5)
            >>> bound = an.discover(rows, algorithm="icd").effect_bounds("x", "y").bound("1", "1")
            >>> width = bound.high - bound.low  # the share of rows in which x is not 1
            >>> round(width - (rows["x"] != 1).mean(), 6)
            0.0
        """
        cause, effect = two_names(x, y)
        if not isinstance(self.test, BaseTest):
            raise OptionError("no bounds can be computed: a test of one's own has no rows to count; pass data")
        return bounds_of_table(self.test.level_table([cause, effect]), cause, effect)

    def sensitivity(
        self: _Learned, x: str, y: str, *, given: Iterable[str] | None = None, confidence: float = 0.95
    ) -> Sensitivity:
        """How strong an unmeasured cause of x and y must be to bring the effect of x on y to zero.

        Args:
            x: A variable.
            y: A variable.
            given: The variables that the effect is adjusted for; by default an adjustment set, or, if there is none,
                all possible ancestors of x and y but for those that x may act on or through.
            confidence: The level of the interval.

        Returns:
            The answer; print it.

        Raises:
            OptionError: If the test is not "fisher-z" on data at hand.
            GraphError: If x has no effect on y by the graph, if the sample was selected, or if x acts on a variable of
                `given`.
            UnknownName: If a name is not a variable.
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


def _doubts(*doubts: str | None) -> str | None:
    return "; ".join(filter(None, doubts)) or None


def _moments(test: Test, names: tuple[str, str]) -> MomentsSource:
    """The moments of a test; the error of one that has none names the way out for labels."""
    try:
        return linear_moments(test)
    except OptionError as error:
        kinds = test.kinds or {}
        if not isinstance(test, DataTest) or any(kinds.get(name) == "continuous" for name in names):
            raise
        bounds = Method("effect_bounds(x, y)", "possible")
        raise OptionError(
            error.reason, way_out=["for columns with levels, ", bounds, " has the bounds that hold in every graph"]
        ) from None


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
