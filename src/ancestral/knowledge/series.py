"""`SeriesKnowledge`: what is known about the processes of a time series, written for the nodes of any window.

The series is stationary: what causes what is the same at every step. "Causes" means ancestry, as in `Knowledge`. Time
has an order: nothing causes what came before it. That is always known, and needs no statement.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import combinations, pairwise, permutations
from os import PathLike
from typing import Any, Literal

from ancestral.arguments import path_of
from ancestral.errors import KnowledgeError
from ancestral.graphs.names import by_name, quoted
from ancestral.graphs.paths import predecessors, shortest
from ancestral.graphs.window import Window, node_at, split_node
from ancestral.knowledge.fields import Pair, checked_pairs, checked_tiers, plain, sorted_names, unknown_names
from ancestral.knowledge.lagged_effects import Effect, Lagged, checked_effects, lagged_pairs
from ancestral.knowledge.statements import Knowledge
from ancestral.printing import shown

__all__ = ["SeriesKnowledge"]


@dataclass(frozen=True)
class SeriesKnowledge:
    """What is known about the processes of a stationary series; each statement holds at all steps alike.

    Two objects are equal if their statements are; `str()` gives the format that `parse` reads. Objects are immutable.

    Attributes:
        own_past: A list of processes, or "all": each of them causes itself from one step to the next, directly, as
            `required` says of x[t-1] and x[t]. It is never assumed: where it is false, it makes false edges and marks.
        forbidden: `(x, y)` says that x does not cause y at any lag, directly or indirectly.
        required: `(x, 1, y)` says that x[t-1] causes y[t] along a path without other measured values. So the two are
            adjacent, whatever the tests say. The lag may be any number of steps; 0 is within a step.
        causes: `(x, 1, y)` says that x[t-1] causes y[t], directly or through others; whether they are adjacent is left
            to the data. `(x, y)` says that x causes y at some lag, which is not known. That alone gives no mark to any
            edge. It counts beside `forbidden`: what x causes does not cause what x does not cause.
        tiers: Groups of processes, in their order within a step: x[t] of a later group does not cause y[t] of an
            earlier one. It may cause y[t+1]. Nothing is said within a group, or about processes in no group.
        within_step: False says that nothing acts within a step: no x[t] causes any other y[t].

    Raises:
        KnowledgeError: If statements are not of this form, or contradict each other.

    Examples:
        >>> known = SeriesKnowledge(own_past="all", forbidden=[("sales", "rain")], causes=[("rain", 1, "sales")])
        >>> print(known)
        own past: all
        sales -/-> rain
        rain[t-1] ~~> sales[t]
        >>> known.window(Window(("rain", "sales"), 1)).why_not("sales[t]", "rain[t]")
        'sales[t] does not cause rain[t] (forbidden)'
        >>> SeriesKnowledge(forbidden=[("a", "c")], causes=[("a", "b"), ("b", 2, "c")])
        Traceback (most recent call last):
        ...
        ancestral.errors.KnowledgeError: the knowledge contradicts itself: a ~~> b (causes), b[t-2] ~~> c[t] (causes),
        but a does not cause c (forbidden); remove one of the statements
        >>> known.names, known.as_dict()["causes"]
        (('rain', 'sales'), [['rain', 1, 'sales']])
    """

    own_past: Literal["all"] | Sequence[str] = ()
    forbidden: Sequence[Pair] = ()
    required: Sequence[Lagged] = ()
    causes: Sequence[Pair | Lagged] = ()
    tiers: Sequence[Sequence[str]] = ()
    within_step: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.within_step, bool):
            raise KnowledgeError(f"within_step must be True or False, got {shown(self.within_step)}")
        own = self.own_past
        if isinstance(own, str) and own != "all":
            raise KnowledgeError(f'own_past must be "all" or a list, got {own!r}; write own_past=[{own!r}]')
        for field, value in (
            ("own_past", own if isinstance(own, str) else sorted_names(own, "own_past")),
            ("forbidden", checked_pairs(self.forbidden, "forbidden", of="processes")),
            ("required", checked_effects(self.required, "required", needs_lag=True)),
            ("causes", checked_effects(self.causes, "causes", needs_lag=False)),
            ("tiers", checked_tiers(self.tiers)),
        ):
            object.__setattr__(self, field, value)
        for name in self.names:
            if split_node(name)[1] is not None:
                raise KnowledgeError(
                    f'a process must be named without a step, got {name!r}; write a lag between names: ("x", 1, "y")'
                )
        self._refuse_contradiction()

    # -- reading ------------------------------------------------------------------------------------------------

    @classmethod
    def parse(cls, text: str, form: str | None = None) -> "SeriesKnowledge":
        """Read knowledge about processes from text.

        Args:
            text: The text, in one of the forms of docs/knowledge.md.
            form: "text" or "toml"; if None, it is recognised by the content.

        Returns:
            The knowledge.

        Raises:
            KnowledgeError: If the text cannot be read, or contradicts itself; the message has the number of the line.

        Examples:
            >>> text = "own past: rain\\nrain[t-1] --> sales[t]\\nrain < sales  # within a step"
            >>> SeriesKnowledge.parse(text).required
            (('rain', 1, 'sales'),)
        """
        from ancestral.knowledge.series_reading import parse_series

        return cls(**parse_series(text, form, "the text"))

    @classmethod
    def read(cls, path: str | PathLike[str], form: str | None = None) -> "SeriesKnowledge":
        """Read a file of knowledge about processes: TOML (`.toml`), or plain text (docs/knowledge.md).

        Args:
            path: The file.
            form: As in `parse`.

        Returns:
            The knowledge.

        Raises:
            KnowledgeError: If the file cannot be read; the message has the path.

        Examples:
            >>> import pathlib, tempfile
            >>> file = pathlib.Path(tempfile.mkdtemp()) / "known.txt"
            >>> _ = file.write_text("rain[t-1] --> sales[t]", encoding="utf-8")
            >>> SeriesKnowledge.read(file).required
            (('rain', 1, 'sales'),)
        """
        from ancestral.knowledge.reading import text_of
        from ancestral.knowledge.series_reading import parse_series

        place = path_of("path", path)
        form = form or ("toml" if place.suffix.lower() == ".toml" else None)
        statements = parse_series(text_of(place), form, str(place))
        try:
            return cls(**statements)
        except KnowledgeError as error:
            raise KnowledgeError(f"{place}: {error}") from None

    @classmethod
    def of(cls, source: Any) -> "SeriesKnowledge | None":
        """The value of an option `knowledge`.

        Args:
            source: An object, the path of a file, or None.

        Returns:
            The knowledge; None if nothing is stated.

        Raises:
            KnowledgeError: If it is something else, or the file cannot be read.

        Examples:
            >>> SeriesKnowledge.of(SeriesKnowledge()) is None, SeriesKnowledge.of(SeriesKnowledge(own_past="all"))
            (True, SeriesKnowledge(own_past='all'))
        """
        if source is None or isinstance(source, SeriesKnowledge):
            return source or None
        if isinstance(source, (str, PathLike)):
            return cls.read(source) or None
        raise KnowledgeError(
            f"knowledge about a series must be a SeriesKnowledge or the path of a file, got {shown(source)}; pass "
            "SeriesKnowledge(own_past=…, forbidden=[…], …)"
        )

    # -- questions ----------------------------------------------------------------------------------------------

    def __bool__(self) -> bool:
        return bool(self.as_dict())

    @property
    def names(self) -> tuple[str, ...]:
        """All processes that the statements mention by name, in the order of names."""
        own = () if self.own_past == "all" else self.own_past
        tiers = [name for tier in self.tiers for name in tier]
        pairs = [name for pair in self.forbidden for name in pair]
        effects = [name for found in self._effects for name in (found.cause, found.effect)]
        return tuple(sorted({*own, *tiers, *pairs, *effects}, key=by_name))

    def window(self, window: Window) -> Knowledge:
        """What the statements, and the order of time, say about the nodes of a window.

        The steps are its tiers. Statements are repeated at all steps; the order within a step, and what follows from
        statements about all lags, is among `forbidden`.

        Args:
            window: The window, as `ancestral.graphs.window.Window(processes, lags)`.

        Returns:
            The knowledge about its nodes.

        Raises:
            KnowledgeError: If the window lacks processes of the statements, all of which are listed, or for a lag that
                is longer than the window.

        Examples:
            >>> print(SeriesKnowledge(own_past=["x"], tiers=[["x"], ["y"]]).window(Window(("x", "y"), 1)))
            x[t-1], y[t-1] < x[t], y[t]
            y[t-1] -/-> x[t-1]
            y[t] -/-> x[t]
            x[t-1] --> x[t]
        """
        if not isinstance(window, Window):
            raise KnowledgeError(
                f"window must be a Window, got {shown(window)}; import it from ancestral.graphs.window"
            )
        there = set(window.processes)
        if unknown := [name for name in self.names if name not in there]:
            raise unknown_names(unknown, window.processes, "process", "this series")
        own = window.processes if self.own_past == "all" else self.own_past
        effects = [*self._effects, *(Effect(name, 1, name, required=True) for name in own)]
        forbidden = [(x, lag, y) for x, y in self._forbidden for lag in window.steps]
        forbidden += [(x, 0, y) for x, y in self._forbidden_within(window.processes)]
        return Knowledge(
            tiers=[[node_at(process, lag) for process in window.processes] for lag in window.steps],
            forbidden=[pair for x, lag, y in forbidden for pair in lagged_pairs(x, lag, y, window)],
            required=[pair for found in effects if found.required for pair in found.copies(window)],
            causes=[pair for found in effects if not found.required for pair in found.copies(window)],
        )

    def _forbidden_within(self, processes: Sequence[str]) -> Iterable[Pair]:
        """The pairs x, y of these processes such that x[t] does not cause y[t], by `tiers` or `within_step`."""
        if not self.within_step:
            return permutations(processes, 2)
        return [(x, y) for early, late in combinations(self.tiers, 2) for x in late for y in early]

    @cached_property
    def _forbidden(self) -> list[Pair]:
        """The pairs x, y such that x does not cause y at any lag, as stated or as follows from other statements.

        If a causes x, and y causes b, each at some lag, and a causes b at none, then x causes y at none.
        """
        found = set()
        for a, b in self.forbidden:
            later = [a, *predecessors(self._children, a)]
            earlier = [b, *predecessors(self._parents, b)]
            found |= {(x, y) for x in later for y in earlier}
        return sorted(found)

    @cached_property
    def _effects(self) -> list[Effect]:
        """The statements that a process causes a process, but for `own_past`."""
        return [
            *(Effect.of(item, required=True) for item in self.required),
            *(Effect.of(item) for item in self.causes),
        ]

    def _children(self, process: str) -> list[str]:
        """The processes that a process is stated to cause, at whatever lag."""
        return [found.effect for found in self._effects if found.cause == process]

    def _parents(self, process: str) -> list[str]:
        """The processes that are stated to cause a process, at whatever lag."""
        return [found.cause for found in self._effects if found.effect == process]

    def _refuse_contradiction(self) -> None:
        for a, b in self.forbidden:
            if path := shortest(self._children, a, b):
                steps = [next(str(e) for e in self._effects if (e.cause, e.effect) == step) for step in pairwise(path)]
                raise _contradiction(", ".join(steps), f"{quoted(a)} does not cause {quoted(b)} (forbidden)")
        at_once = [found for found in self._effects if found.lag == 0]
        if at_once and not self.within_step:
            raise _contradiction(str(at_once[0]), "nothing acts within a step (within_step)")
        Knowledge(  # refuses cycles within a step, and what is against its order
            tiers=[[node_at(name, 0) for name in tier] for tier in self.tiers],
            required=[found.ends for found in at_once if found.required],
            causes=[found.ends for found in at_once if not found.required],
        )

    # -- as text and plain values -------------------------------------------------------------------------------

    def __str__(self) -> str:
        from ancestral.knowledge.series_reading import series_as_text

        return series_as_text(self)

    def as_dict(self) -> dict[str, Any]:
        """The statements as lists, by the names of the attributes.

        Returns:
            A dictionary, from which attributes without statements are left out.
        """
        out: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if value != field.default:
                out[field.name] = value if isinstance(value, str | bool) else plain(value)
        return out

    def __repr__(self) -> str:
        return f"SeriesKnowledge({', '.join(f'{key}={value!r}' for key, value in self.as_dict().items())})"


def _contradiction(one: str, other: str) -> KnowledgeError:
    return KnowledgeError(f"the knowledge contradicts itself: {one}, but {other}; remove one of the statements")
