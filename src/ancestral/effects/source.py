"""Where the numbers of an effect come from: the rows or moments that a search has, or data that are passed again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ancestral.data import Counts, Table
from ancestral.data.read.kinds import kind_of_data
from ancestral.data.read_options import ReadOptions
from ancestral.effects.discrete_formula import Interventional, Query, interventional, no_design
from ancestral.effects.effect import Effect
from ancestral.effects.estimation.contrasts import reference_level
from ancestral.effects.estimation.estimate import estimated_effect
from ancestral.effects.identification import Identification
from ancestral.effects.identification.formulas import adjustment_formula
from ancestral.effects.level_contrasts import contrasted
from ancestral.effects.linear import regression_effect
from ancestral.effects.linear_formula import linear_formula_effect
from ancestral.effects.options import EffectOptions, EstimatorName
from ancestral.errors import Option, OptionError
from ancestral.graphs.names import in_order
from ancestral.independence.base import MomentsSource, Test
from ancestral.independence.choice import choose_test
from ancestral.options import Missing

__all__ = ["EffectSource"]


@dataclass(frozen=True)
class EffectSource:
    """The test of a search, how its data were read, and the options of the effect, with the data if passed again."""

    test: Test
    reading: ReadOptions
    options: EffectOptions

    @property
    def data(self) -> Any:
        """The data that were passed again; None if none were."""
        return self.options.data

    def check_at_hand(self) -> None:
        """Raise `OptionError`, with the reason, if there is nothing to compute from, whatever the graph says."""
        if self.data is not None:
            return
        at_hand = self._rows is not None or self._stored_counts is not None
        if self.options.estimator == "linear" or (self.options.estimator is None and not at_hand):
            self.test.effect_moments()
        elif not at_hand:
            self.table()

    def adjusted(self, x: tuple[str, ...], y: str, given: frozenset[str]) -> Effect:
        """The effect of x on y, adjusted for the given variables. Raises as `Discovery.effect` does."""
        columns = [*x, y, *in_order(tuple(given))]
        chosen = self._estimator(columns)
        if chosen == "linear":
            return regression_effect(self.moments(columns).select(columns), x, y, given, self.options.confidence)
        if chosen == "levels" and self.options.estimator is None and self._has_design:
            chosen = "regression"  # tables of levels are for rows without weights and clusters
        if chosen == "levels":
            query = Query(x, (y,), (), adjustment_formula(x, [y], given))
            return contrasted(self._distribution(query), "adjustment", self.options, self._reference(x[0]), given)
        return estimated_effect(self.table(), x, y, given, replace(self.options, estimator=chosen))

    def by_formula(self, said: Identification) -> Effect:
        """The effect that the formula of an identified effect gives. Raises as `Discovery.effect` does."""
        columns = list(said.variables)
        chosen = self._estimator(columns)
        if chosen == "linear":
            return linear_formula_effect(self.moments(columns), said, self.options.confidence)
        if chosen == "levels":
            return contrasted(self.distribution(said), "formula", self.options, self._reference(said.x[0]))
        raise OptionError(
            f"this effect needs a formula, which the estimator {chosen!r} cannot compute: {said.text}; numbers exist "
            "for linear relations and for columns with levels",
            way_out=self._formula_way_out(columns, said),
        )

    def _formula_way_out(self, columns: list[str], said: Identification) -> list[str | Option]:
        if all(kind == "continuous" for kind in self._kinds_of(columns)):
            return ["pass ", Option("estimator", "linear")]
        discrete = "search with all columns of the formula discrete"
        if said.conditions:
            return [discrete]
        return ["where there is an adjustment set, pass ", Option("how", "adjustment"), f"; otherwise {discrete}"]

    def distribution(self, said: Identification) -> Interventional:
        """P(y | do(x), within) for columns with levels, by the formula of an identified effect."""
        assert said.formula is not None
        query = Query(said.x, said.y, said.conditions, said.formula)
        return replace(self._distribution(query), doubt=said.doubt)

    def _distribution(self, query: Query) -> Interventional:
        counts = self._counts(query.variables)
        return interventional(counts, query, confidence=self.options.confidence, seed=self.options.seed)

    def _estimator(self, columns: list[str]) -> EstimatorName:
        """The estimator that was chosen, otherwise one by the kinds of these columns."""
        if self.options.estimator is not None:
            return self.options.estimator
        kinds = self._kinds_of(columns)
        if kinds and all(kind != "continuous" for kind in kinds):
            return "levels"
        if not kinds or all(kind == "continuous" for kind in kinds):
            self.options.refuse_levels()
            return "linear"
        return "regression"

    def _kinds_of(self, columns: Sequence[str]) -> list[str]:
        """The kinds of these columns; none if they are not known."""
        if self.data is not None:
            return [self.table().column(name).kind for name in columns]
        return [] if self.test.kinds is None else [self.test.kinds[name] for name in columns]

    def _counts(self, columns: Sequence[str]) -> Counts:
        """The counts of columns with levels. Raises `OptionError` if a column has none, or the counts are gone."""
        for name, kind in zip(columns, self._kinds_of(columns), strict=False):
            if kind == "continuous":
                raise OptionError(
                    f"column {name!r} is continuous, and shares are counted of columns with levels",
                    way_out=["search with ", Option("kinds", {name: "discrete"})],
                )
        if self.data is None and self._stored_counts is not None:
            return self._stored_counts
        chosen = self.table().select(list(columns)).complete_rows()
        if chosen.design is not None:
            raise no_design()
        levels, codes = zip(*((column.levels or (), column.values) for column in chosen.columns), strict=True)
        ordered = frozenset(column.name for column in chosen.columns if column.ordered)
        return replace(Counts.of_codes(chosen.names, levels, codes), ordered=ordered)

    def _reference(self, x: str) -> str:
        counts = self._counts([x])
        position = counts.names.index(x)
        return reference_level(counts.levels[position], x in counts.ordered, counts.rows_by_level[x])

    def moments(self, columns: list[str]) -> MomentsSource:
        """What linear effects are computed from. Raises `OptionError`, with the reason, if there is nothing."""
        if self.data is None:
            return self.test.effect_moments()
        chosen = self.table().select(columns).complete_rows()
        if labels := [column.name for column in chosen.columns if column.levels is not None]:
            raise OptionError(
                [f"is for columns of numbers, and {labels[0]!r} has levels"],
                option="estimator",
                value="linear",
                assigned=True,
                way_out=["pass ", Option("estimator", "robust")],
            )
        return choose_test(chosen, test="fisher-z").effect_moments()

    def table(self) -> Table:
        """The rows. Raises `OptionError` if they are gone, and says what to pass."""
        if self.data is not None:
            return self._again
        table = self._rows
        if table is None:
            raise OptionError(
                "this effect needs the rows, which are not at hand",
                way_out=["pass the data, or other rows with the same columns, as ", Option("data")],
            )
        return table

    @property
    def _has_design(self) -> bool:
        """Whether the rows have weights or clusters."""
        rows = self._again if self.data is not None else self._rows
        return rows is not None and rows.design is not None

    @property
    def _rows(self) -> Table | None:
        """The rows that the test has; a test of one's own has none."""
        return getattr(self.test, "data_table", None)

    @property
    def _stored_counts(self) -> Counts | None:
        return getattr(self.test, "data_counts", None)

    @property
    def same_rows(self) -> bool:
        """Whether the rows are those that were searched."""
        return self.data is None or self._again.fingerprint == self.test.fingerprint

    @cached_property
    def _again(self) -> Table:
        if isinstance(self.data, Table):
            return self.data.select(self.test.names)
        kind = kind_of_data(self.data)
        options = {name: value for name, value in self.reading.given if name in kind.takes and name in _READ}
        design = self.reading.weights is not None or self.reading.clusters is not None
        missing: Missing = "drop" if design or self.reading.missing == "drop" else "testwise"
        return Table.of(self.data, **options, columns=self.test.names, kinds=self._kinds(), missing=missing)

    def _kinds(self) -> Mapping[str, Any] | None:
        """The kind of each column, as it was searched: levels in order where they were given in order."""
        if self.test.kinds is None:
            return None
        chosen = self.reading.kinds if isinstance(self.reading.kinds, Mapping) else {}
        return {name: chosen.get(name, kind) for name, kind in self.test.kinds.items()}


#: Options of reading that hold for the data when they are passed again.
_READ = frozenset(("names", "separator", "decimal", "na", "encoding", "weights", "clusters"))
