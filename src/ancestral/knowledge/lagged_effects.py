"""Effects of one process on another, at a lag that is known or not: how they are stated, checked and written."""

from collections.abc import Iterable
from numbers import Integral
from typing import Any, NamedTuple

from ancestral.errors import KnowledgeError, Option
from ancestral.graphs.names import by_name, quoted
from ancestral.graphs.series_dag import MOST_LAG
from ancestral.graphs.window import Window, node_at
from ancestral.knowledge.fields import Pair, checked_items, checked_pairs, sorted_names
from ancestral.printing import shown

__all__ = ["Effect", "Lagged", "checked_effects", "lagged_pairs"]

#: A cause, the number of steps until it acts, and what it causes.
Lagged = tuple[str, int, str]


class Effect(NamedTuple):
    """A process causes a process: after `lag` steps, or after a number of steps that is not known if it is None."""

    cause: str
    lag: int | None
    effect: str
    required: bool = False

    @classmethod
    def of(cls, item: Pair | Lagged, required: bool = False) -> "Effect":
        """The effect that a pair of processes states, or two processes around a lag."""
        return cls(item[0], item[1], item[2], required) if len(item) == 3 else cls(item[0], None, item[1], required)

    @property
    def ends(self) -> Pair:
        """The two as they are written: nodes, or processes where the lag is not known."""
        if self.lag is None:
            return self.cause, self.effect
        return node_at(self.cause, self.lag), node_at(self.effect, 0)

    def __str__(self) -> str:
        x, y = map(quoted, self.ends)
        return f"{x} --> {y} (required)" if self.required else f"{x} ~~> {y} (causes)"

    def copies(self, window: Window) -> list[Pair]:
        """The nodes of a window that this is about, at each step; none if the lag is not known.

        Raises a `KnowledgeError` if the lag is longer than the window.
        """
        if self.lag is None:
            return []
        if self.lag > window.lags:
            raise KnowledgeError(
                f"the knowledge has a lag of {self.lag}, {self}, and the window only {window.lags}; pass ",
                Option("lags", self.lag),
                ", or remove the statement",
            )
        return lagged_pairs(self.cause, self.lag, self.effect, window)


def lagged_pairs(x: str, lag: int, y: str, window: Window) -> list[Pair]:
    """The nodes of x and y in a window, x so many steps before y, at each step."""
    return [(node_at(x, k), node_at(y, k - lag)) for k in window.steps if k >= lag]


def checked_effects(value: Any, field: str, needs_lag: bool) -> tuple[Any, ...]:
    """Statements `(x, lag, y)`, and `(x, y)` unless the lag is needed, each once, in the order of names and lags."""
    lagged: dict[Lagged, None] = {}
    pairs = []
    for item in checked_items(value, field, '[("x", 1, "y")]'):
        parts = tuple(item) if isinstance(item, Iterable) and not isinstance(item, str) else ()
        if len(parts) == 2 and not needs_lag:
            pairs.append(parts)
        elif len(parts) == 3:
            lagged[_checked(parts, field)] = None
        else:
            what = "two processes around a lag" if needs_lag else "pairs of processes, or two processes around a lag"
            raise KnowledgeError(f'{field} must have {what}, got {shown(item)}; write {field}=[("x", 1, "y")]')
    found = [*checked_pairs(pairs, field, of="processes"), *lagged]
    return tuple(sorted(found, key=lambda item: (by_name(item[0]), by_name(item[-1]), len(item), item[1:-1])))


def _checked(parts: tuple[Any, ...], field: str) -> Lagged:
    """A cause, a lag and an effect, or a `KnowledgeError`."""
    x, lag, y = parts
    if isinstance(lag, bool) or not isinstance(lag, Integral) or not 0 <= int(lag) <= MOST_LAG:
        raise KnowledgeError(
            f"{field}: a lag must be a whole number of steps from 0 to {MOST_LAG:,}, got {shown(lag)} in {shown(parts)}"
        )
    (cause,), (effect,) = sorted_names([x], field), sorted_names([y], field)
    if cause == effect and int(lag) == 0:
        raise KnowledgeError(f"{field}: within a step, a process must cause another one, got {cause!r} twice")
    return cause, int(lag), effect
