"""Effects where a node has levels: regressions averaged over windows, with errors between many units.

The rows of a unit may depend on each other in any way, so units are the clusters of the estimator "regression". Of few
units, or a single one, there are no such errors: then these effects are refused.
"""

from dataclasses import replace

from ancestral.data.column_kinds import Labels
from ancestral.data.design import Design
from ancestral.data.series import Windows
from ancestral.effects import Effect
from ancestral.effects.estimation.estimate import estimated_effect
from ancestral.effects.options import EffectOptions
from ancestral.errors import Option, OptionError
from ancestral.printing import counted
from ancestral.series.window_regression import MANY_UNITS, refuse_bandwidth, table_of

__all__ = ["levels_effect", "node_with_levels"]


def node_with_levels(windows: Windows, names: list[str]) -> str | None:
    """The first of these nodes that has levels; None if all have numbers. Raises `DataError` for windows without rows.

    >>> from ancestral.data.series import windows_of
    >>> import numpy as np
    >>> rows = windows_of(np.random.default_rng(1).normal(size=(50, 2)), lags=1)
    >>> node_with_levels(rows, ["x1[t-1]", "x2[t]"]) is None
    True
    """
    columns = table_of(windows).select(names).columns
    return next((column.name for column in columns if column.levels is not None), None)


def levels_effect(
    windows: Windows,
    x: tuple[str, ...],
    y: str,
    given: frozenset[str],
    options: EffectOptions,
    bandwidth: int | None = None,
) -> Effect:
    """The effect of x on y, adjusted for the given nodes, some of which have levels.

    Raises `OptionError` for fewer than 20 units, for a bandwidth and for several causes, and otherwise as the estimator
    does.
    """
    named = node_with_levels(windows, [*x, y, *given])
    units = windows.report.units
    if len(units) < MANY_UNITS:
        raise OptionError(
            f"the effect of nodes with levels, such as {named!r}, has errors between units, and needs at least "
            f"{MANY_UNITS} of them; there {'is' if len(units) == 1 else 'are'} {counted(len(units), 'unit')}",
            way_out=["collect more units, or write numbers in the place of levels and search with ", Option("kinds")],
        )
    refuse_bandwidth(bandwidth, len(units))
    clusters = Design(clusters=Labels(windows.unit, tuple(unit.name for unit in units)), clusters_name="unit")
    table = replace(table_of(windows), design=clusters)
    found = estimated_effect(table, x, y, given, replace(options, estimator="regression"))
    note = f"errors are estimated between {counted(len(units), 'unit')}, whose means stay in columns with levels"
    return replace(found, notes=(*found.notes, note), assumed=(*found.assumed, "relations are the same at every step"))
