"""Effects in a window: the total effect of a process at one step on a process at another.

The window graph is that of a window in which all earlier steps are unmeasured. So an adjustment set by its marks is one
in the processes themselves, whatever came before the window. A set that needs earlier steps does not exist here; where
a longer window may have one, the answer says so.
"""

from collections.abc import Iterable
from dataclasses import replace

from ancestral.arguments import names_list, whole_number
from ancestral.data.series import Windows
from ancestral.effects import AdjustmentSet, Effect
from ancestral.effects.effect import no_effect
from ancestral.effects.options import EffectOptions
from ancestral.errors import GraphError, Option, OptionError
from ancestral.graphs.names import quoted
from ancestral.graphs.window import Window, node_at
from ancestral.independence.oracle import Oracle
from ancestral.result import Discovery
from ancestral.series.level_effects import levels_effect, node_with_levels
from ancestral.series.longer_windows import lags_with_a_set
from ancestral.series.window_regression import table_of, windows_effect

__all__ = ["series_adjustment_set", "series_effect"]

Names = str | Iterable[str]


def series_adjustment_set(run: Discovery, x: Names, y: str, *, limit: int = 100) -> AdjustmentSet:
    """The adjustment sets of the effect of nodes x on node y within the window; see `SeriesDiscovery`."""
    window = Window.of(run.stage.columns)
    causes, effect = _nodes(window, "x", x), _node(window, y)
    sets = run.adjustment_set(causes, effect, limit=limit)
    if sets.exists:
        return sets
    return replace(sets, reason="; ".join([sets.reason, *_elsewhere(run, window, causes, effect)]))


def _elsewhere(run: Discovery, window: Window, x: tuple[str, ...], y: str) -> Iterable[str]:
    """Where else the effect has an adjustment set: in the copy that ends at t, or in a longer window."""
    late = window.place(y)[1]
    now = [window.place(name) for name in x]
    if late and all(lag >= late for _, lag in now):
        moved = tuple(node_at(process, lag - late) for process, lag in now)
        present = node_at(window.place(y)[0], 0)
        if run.adjustment_set(moved, present, limit=1).exists:
            yield f"{', '.join(map(quoted, moved))} on {quoted(present)}, the same effect at t, has a set"
            return
    lags = lags_with_a_set(run.pag, x, y)
    if lags is not None:
        yield (
            "steps before the window count as unmeasured, and one that reaches further back may have a set: search "
            f"a window of {lags} lags"
        )


def series_effect(
    run: Discovery,
    windows: Windows | None,
    x: Names,
    y: str,
    *,
    given: Iterable[str] | None,
    bandwidth: int | None,
    options: EffectOptions,
) -> Effect:
    """The total effect of nodes x on node y, with its interval; see `SeriesDiscovery`."""
    if bandwidth is not None:
        bandwidth = whole_number("bandwidth", bandwidth, 0)
    rows = _at_hand(run, windows)
    window = rows.window
    sets = series_adjustment_set(run, x, y, limit=1)
    (effect,) = sets.y
    if given is None and sets.no_effect:
        return no_effect(
            sets.x,
            effect,
            confidence=options.confidence,
            rows=rows.report.used,
            contrast="ratio" if options.contrast == "ratio" else "slope",
            doubt=sets.doubt,
        )
    chosen = sets.best if given is None else frozenset(_nodes(window, "given", given))
    if chosen is None:
        raise GraphError(f"not by adjustment within the window: {sets.reason}")
    if why_not := sets.why_not(chosen):
        raise GraphError(
            Option("given"),
            f" must be an adjustment set, got {sorted(chosen)}: {why_not}; leave it out to have one chosen",
        )
    if node_with_levels(rows, [*sets.x, effect, *chosen]) is None:
        options.refuse_levels()
        found = windows_effect(rows, sets.x, effect, chosen, options.confidence, bandwidth)
    else:
        found = levels_effect(rows, sets.x, effect, chosen, options, bandwidth)
    return replace(found, doubt=sets.doubt)


def _at_hand(run: Discovery, windows: Windows | None) -> Windows:
    """The windows of the data. Raises `OptionError` if there are none, `DataError` if their rows are gone."""
    if windows is not None:
        table_of(windows)
        return windows
    if isinstance(run.test, Oracle):
        raise OptionError("an effect needs data, and an oracle has none; ask .adjustment_set(x, y) what the graph says")
    raise OptionError(
        "an effect needs the data, which a run file does not hold",
        way_out=["search the data again, with the file as ", Option("resume"), " to ask nothing anew"],
    )


def _nodes(window: Window, what: str, names: Names) -> tuple[str, ...]:
    """The full names of nodes, each once."""
    return tuple(dict.fromkeys(map(window.node, names_list(what, names))))


def _node(window: Window, name: object) -> str:
    """The full name of one node; raises `OptionError` for anything else than a name."""
    if not isinstance(name, str):
        raise OptionError("must be the name of one node", option="y", value=name, way_out="ask for one at a time")
    return window.node(name)
