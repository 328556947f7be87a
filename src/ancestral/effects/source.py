"""Where the numbers of an effect come from: the rows or moments that a search has, or data that are passed again."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ancestral.data import Table
from ancestral.data.read.kinds import kind_of_data
from ancestral.data.read_options import ReadOptions
from ancestral.effects.effect import Effect
from ancestral.effects.estimation.estimate import estimated_effect
from ancestral.effects.linear import regression_effect
from ancestral.effects.options import EffectOptions
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

    def adjusted(self, x: tuple[str, ...], y: str, given: frozenset[str]) -> Effect:
        """The effect of x on y, adjusted for the given variables. Raises as `Discovery.effect` does."""
        columns = [*x, y, *in_order(tuple(given))]
        if self.options.estimator == "linear":
            return regression_effect(self.moments(columns).select(columns), x, y, given, self.options.confidence)
        return estimated_effect(self.table(), x, y, given, self.options)

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
        table: Table | None = getattr(self.test, "data_table", None)
        if table is None:
            raise OptionError(
                "this effect needs the rows, which are not at hand",
                way_out=["pass the data, or other rows with the same columns, as ", Option("data")],
            )
        return table

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
