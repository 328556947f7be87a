"""The decisions of a run, or the frequencies of a bootstrap, as a frame: a row for each pair."""

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import names_list
from ancestral.data.frames import Library, frame_of
from ancestral.errors import OptionError, UnknownName
from ancestral.graphs.frequencies import Frequencies
from ancestral.graphs.marks import NONE, symbol
from ancestral.io.document import nullable
from ancestral.knowledge import Knowledge
from ancestral.orientation.rules import BY_KNOWLEDGE
from ancestral.search.decisions import Decisions, pair_number
from ancestral.search.stage import FoundBy, Stage

__all__ = ["MOST_PAIRS", "Pairs", "decisions_frame", "frequencies_frame"]

Pairs = Literal["all", "edges", "separated"]

#: Up to so many pairs all are shown without being asked for.
MOST_PAIRS = 100_000


def decisions_frame(
    stage: Stage,
    decisions: Decisions,
    pairs: Pairs,
    involving: Sequence[str] | str | None,
    library: Library,
    knowledge: Knowledge | None = None,
) -> Any:
    """A row for each pair, in the order of columns; see `Discovery.to_frame`."""
    if pairs not in get_args(Pairs):
        raise OptionError(f"pairs={pairs!r} is not known; choose one of {', '.join(map(repr, get_args(Pairs)))}")
    at = stage.positions
    marks = stage.pag.marks
    wanted = _wanted(marks, pairs, involving, stage.columns)
    a, b = np.nonzero(np.triu(wanted, 1))
    n = len(at)
    number = pair_number(n, at[a], at[b])
    table = _Table(n, stage, decisions)
    statistic, df, p_value = (table.values[i][number] for i in range(3))
    joined = marks[a, b] != NONE
    names = np.array(stage.columns, dtype=object)
    edges = [
        symbol(left, right) if left else None
        for left, right in zip(marks[b, a].tolist(), marks[a, b].tolist(), strict=True)
    ]
    sets = [table.sets.get(k) for k in number.tolist()]
    shown = [None if given is None else [stage.names[z] for z in given] for given in sets]
    notes: list[tuple[int | None, str]] = [table.notes.get(k, (0, str(FoundBy.SEARCH))) for k in number.tolist()]
    apart = {frozenset(pair) for pair in (knowledge.no_edge if knowledge else ())}
    for k, pair in enumerate(zip(names[a].tolist(), names[b].tolist(), strict=True)) if apart else ():
        if frozenset(pair) in apart and not joined[k]:
            shown[k], notes[k] = None, (None, BY_KNOWLEDGE)
    rows = list(zip(joined.tolist(), shown, notes, strict=True))
    return frame_of(
        {
            "a": names[a].tolist(),
            "edge": _series("edge", edges, "text"),
            "b": names[b].tolist(),
            "p_value": _series("p_value", nullable(p_value), "number"),
            "statistic": _series("statistic", nullable(statistic), "number"),
            "df": _series("df", [int(d) if d > 0 else None for d in df.tolist()], "count"),
            "sepset": _series(
                "sepset",
                [None if edge or note[1] == BY_KNOWLEDGE else given or [] for edge, given, note in rows],
                "names",
            ),
            "closest": _series("closest", [given if edge else None for edge, given, _ in rows], "names"),
            "radius": _series("radius", [None if edge else note[0] for edge, _, note in rows], "count"),
            "found_by": _series("found_by", [None if edge else note[1] for edge, _, note in rows], "text"),
        },
        library,
    )


def _wanted(marks: Any, pairs: Pairs, involving: Sequence[str] | str | None, columns: Sequence[str]) -> Any:
    wanted = np.ones(marks.shape, dtype=bool)
    if pairs != "all":
        wanted = (marks != NONE) == (pairs == "edges")
    if involving is not None:
        chosen = names_list("involving", involving)
        for name in chosen:
            if name not in columns:
                raise UnknownName(name, columns, what="variable")
        one = np.isin(np.array(columns, dtype=object), chosen)
        wanted &= one[:, None] | one[None, :]
    return wanted


def _series(name: str, values: list[Any], kind: str) -> Any:
    """A column whose type does not hang on what happens to be in it."""
    import polars as pl

    types: dict[str, Any] = {"text": pl.String, "number": pl.Float64, "count": pl.Int64, "names": pl.List(pl.String)}
    return pl.Series(name, values, dtype=types[kind], strict=False)


class _Table:
    """The decisions by the number of the pair."""

    def __init__(self, n: int, stage: Stage, decisions: Decisions) -> None:
        marginal = decisions.marginal
        self.values = [marginal.statistic.copy(), marginal.df.copy(), marginal.p_value.copy()]
        self.sets: dict[int, tuple[int, ...] | None] = {}
        self.notes: dict[int, tuple[int, str]] = {}
        found = stage.sets
        for pairs, sets, weighed in (
            (decisions.separations, [row[2] for row in found], decisions.separated_by),
            (decisions.edges, decisions.closest, decisions.kept_by),
        ):
            number = pair_number(n, *pairs.T)
            for mine, theirs in zip(self.values, (weighed.statistic, weighed.df, weighed.p_value), strict=True):
                mine[number] = theirs
            self.sets.update(zip(number.tolist(), sets, strict=True))
        separated = pair_number(n, *decisions.separations.T).tolist()
        self.notes.update((k, (row[3], str(FoundBy(row[4])))) for k, row in zip(separated, found, strict=True))


def frequencies_frame(
    columns: Sequence[str],
    names: Sequence[str],
    frequencies: Frequencies,
    estimate: NDArray[np.uint8],
    pairs: Literal["all", "seen"],
    involving: Sequence[str] | str | None,
    library: Library,
) -> Any:
    """A row for each pair, in the order of columns; see `Bootstrap.to_frame`. `estimate` are marks by columns."""
    if pairs not in ("all", "seen"):
        raise OptionError(f"pairs={pairs!r} is not known; choose 'all' or 'seen'")
    at = {name: i for i, name in enumerate(columns)}
    places = np.array([at[name] for name in names])[frequencies.pairs].reshape(-1, 2)
    seen = estimate != NONE
    seen[places[:, 0], places[:, 1]] = seen[places[:, 1], places[:, 0]] = True
    wanted = _wanted(seen.astype(np.uint8), "all" if pairs == "all" else "edges", involving, columns)
    a, b = np.nonzero(np.triu(wanted, 1))
    row = np.full(seen.shape, -1)
    row[places.min(axis=1), places.max(axis=1)] = np.arange(len(places))
    turned = (places[:, 0] > places[:, 1])[:, None, None]
    counts = np.where(turned, frequencies.counts.transpose(0, 2, 1), frequencies.counts)
    counts = np.concatenate([counts, np.zeros((1, 3, 3), dtype=np.int64)])[row[a, b]]  # the last one: never an edge
    shown = np.array(columns, dtype=object)
    left, right = estimate[b, a].tolist(), estimate[a, b].tolist()

    def share(count: NDArray[np.int64]) -> Any:
        return (count / frequencies.repeats if frequencies.repeats else np.full(len(count), np.nan)).tolist()

    edges = counts.sum(axis=(1, 2))
    out: dict[str, Any] = {
        "a": _series("a", shown[a].tolist(), "text"),
        "b": _series("b", shown[b].tolist(), "text"),
        "estimate": _series(
            "estimate", [symbol(*ends) if ends[0] else None for ends in zip(left, right, strict=True)], "text"
        ),
        "edge": share(edges),
        "no_edge": share(frequencies.repeats - edges),
    }
    for end, axis in (("a", 2), ("b", 1)):
        for mark, name in enumerate(("circle", "arrowhead", "tail")):
            out[f"{name}_at_{end}"] = share(counts.sum(axis=axis)[:, mark])
    for first in range(3):
        for second in range(3):
            out[symbol(first + 1, second + 1)] = share(counts[:, first, second])
    return frame_of({name: _floats(name, values) for name, values in out.items()}, library)


def _floats(name: str, values: Any) -> Any:
    return _series(name, values, "number") if isinstance(values, list) else values
