"""The decisions of a run, or the frequencies of a bootstrap, as a frame: a row for each pair."""

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import names_list
from ancestral.data.read.frames import Library, frame_of
from ancestral.errors import OptionError, UnknownName
from ancestral.graphs.csr import joined
from ancestral.graphs.frequencies import Frequencies
from ancestral.graphs.marks import NONE, symbol
from ancestral.io.checked_json import nullable
from ancestral.knowledge import Knowledge
from ancestral.orientation.rules import BY_KNOWLEDGE
from ancestral.search.evidence import Decisions
from ancestral.search.marginals import pair_number
from ancestral.search.stage import FoundBy, Stage

__all__ = ["MOST_PAIRS", "Pairs", "decisions_frame", "frequencies_frame"]

Pairs = Literal["all", "edges", "separated"]

#: Pairs up to which a frame shows all of them by default; a frame of more takes seconds and is rarely wanted.
MOST_PAIRS = 100_000


def decisions_frame(
    stage: Stage,
    decisions: Decisions,
    pairs: Pairs,
    involving: Sequence[str] | str | None,
    library: Library,
    knowledge: Knowledge | None = None,
) -> Any:
    """A frame with a row for each pair, in the order of columns; see `Discovery.to_frame`."""
    if pairs not in get_args(Pairs):
        raise OptionError(f"must be one of {', '.join(map(repr, get_args(Pairs)))}", option="pairs", value=pairs)
    at = stage.positions
    marks = stage.pag.marks
    a, b = _chosen_pairs(marks, pairs, involving, stage.columns)
    table = _Table(stage, decisions, at[a], at[b])
    statistic, df, p_value = table.values
    adjacent = marks[a, b] != NONE
    names = np.array(stage.columns, dtype=object)
    edges = [
        symbol(left, right) if left else None
        for left, right in zip(marks[b, a].tolist(), marks[a, b].tolist(), strict=True)
    ]
    sets = [None if given is None else [stage.names[z] for z in given] for given in table.sets]
    notes = table.notes
    no_edge = {frozenset(pair) for pair in (knowledge.no_edge if knowledge else ())}
    for k, pair in enumerate(zip(names[a].tolist(), names[b].tolist(), strict=True)) if no_edge else ():
        if frozenset(pair) in no_edge and not adjacent[k]:
            sets[k], notes[k] = None, (None, BY_KNOWLEDGE)
    rows = list(zip(adjacent.tolist(), sets, notes, strict=True))
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


def _chosen_pairs(marks: Any, pairs: str, involving: Sequence[str] | str | None, columns: Sequence[str]) -> Any:
    """The chosen pairs in order: an array of the first variable of each, and one of the second."""
    if involving is not None:
        chosen = names_list("involving", involving)
        for name in chosen:
            if name not in columns:
                raise UnknownName(name, columns, what="variable")
        one = np.isin(np.array(columns, dtype=object), chosen)
        a, b = _pairs_of(np.flatnonzero(one), len(columns))
        if pairs != "all":
            kept = (marks[a, b] != NONE) == (pairs == "edges")
            a, b = a[kept], b[kept]
    elif pairs == "edges":
        a, b = joined(marks)[0].T
    elif pairs == "all":
        a, b = np.triu_indices(len(columns), 1)
    else:
        a, b = np.nonzero(np.triu(marks == NONE, 1))
    return a, b


def _pairs_of(some: NDArray[np.intp], n: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """All pairs of n variables that hold one of these, in order."""
    low, high = np.minimum.outer(some, np.arange(n)).ravel(), np.maximum.outer(some, np.arange(n)).ravel()
    first, second = np.divmod(np.unique((low * n + high)[low < high]), n)
    return first, second


def _series(name: str, values: list[Any], kind: str) -> Any:
    """A column of a fixed type, whatever values it holds."""
    import polars as pl

    types: dict[str, Any] = {"text": pl.String, "number": pl.Float64, "count": pl.Int64, "names": pl.List(pl.String)}
    return pl.Series(name, values, dtype=types[kind], strict=False)


class _Table:
    """The decisions about these pairs of positions: `values` of the evidence, `sets`, and `notes` radius, found by."""

    def __init__(self, stage: Stage, decisions: Decisions, x: NDArray[np.int64], y: NDArray[np.int64]) -> None:
        n, found = len(stage.names), stage.separations
        marginal = decisions.marginal.at(x, y)
        self.values = [np.array(marginal.statistic), np.array(marginal.df), np.array(marginal.p_value)]
        self.sets: list[tuple[int, ...] | None] = [None] * len(x)
        self.notes: list[tuple[int | None, str]] = [(0, str(FoundBy.SEARCH))] * len(x)
        number = pair_number(n, x, y)
        order = np.argsort(number)
        for pairs, sets, by in (
            (found.pairs, found.given, decisions.separated_by),
            (decisions.edges, decisions.closest, decisions.kept_by),
        ):
            theirs, ours = _common(pair_number(n, *pairs.T), number, order)
            for mine, other in zip(self.values, (by.statistic, by.df, by.p_value), strict=True):
                mine[ours] = other[theirs]
            for i, k in zip(theirs.tolist(), ours.tolist(), strict=True):
                self.sets[k] = sets[i]
                if sets is found.given:
                    self.notes[k] = (int(found.radius[i]), str(FoundBy(found.found_by[i])))


def _common(
    theirs: NDArray[np.int64], ours: NDArray[np.int64], order: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The indices of the numbers that are in both arrays; `order` sorts ours."""
    at = np.searchsorted(ours, theirs, sorter=order)
    there = at < len(ours)
    there[there] = ours[order[at[there]]] == theirs[there]
    return np.flatnonzero(there), order[at[there]]


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
    a, b = _chosen_pairs(seen.astype(np.uint8), "all" if pairs == "all" else "edges", involving, columns)
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
