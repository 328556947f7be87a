"""The decisions of a run as a frame, with a row for each pair."""

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import names_list
from ancestral.certainty import Certainty
from ancestral.data.libraries import Library, frame_of
from ancestral.errors import OptionError, refuse_unknown
from ancestral.graphs.csr import joined
from ancestral.graphs.marks import NONE, symbol
from ancestral.io.json_writer import nullable
from ancestral.knowledge import Knowledge
from ancestral.orientation.rules import BY_KNOWLEDGE
from ancestral.search.evidence import Decisions
from ancestral.search.marginals import pair_number
from ancestral.search.stage import FoundBy, GraphStage, Stage
from ancestral.trace import Trace

__all__ = ["MOST_PAIRS", "Pairs", "checked_pairs", "chosen_pairs", "decisions_frame", "series"]

Pairs = Literal["all", "edges", "separated"]

#: Pairs up to which a frame shows all of them by default; a frame of more takes seconds and is rarely wanted.
MOST_PAIRS = 100_000

#: What a frame says of two contexts whose relation was designed, in the column `found_by`.
BY_DESIGN = "design"


def decisions_frame(
    stage: Stage,
    decisions: Decisions,
    pairs: Pairs,
    involving: Sequence[str] | str | None,
    library: Library,
    knowledge: Knowledge | None = None,
    trace: Trace | None = None,
    certainty: Certainty | None = None,
) -> Any:
    """A frame with a row for each pair, in the order of columns; see `Discovery.to_frame`.

    If there is a trace, its notes about edges and missing edges have the evidence of them, which a column shows. If
    there is a certainty, three columns show it.
    """
    at = stage.positions
    marks = stage.pag.marks
    a, b = chosen_pairs(marks, checked_pairs(pairs), involving, stage.columns)
    table = _Table(stage, decisions.among(at[a], at[b]), at[a], at[b])
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
    designed = np.zeros(len(a), dtype=bool)
    if knowledge is not None and knowledge.contexts:
        pairs_of_names = zip(names[a].tolist(), names[b].tolist(), strict=True)
        designed[:] = [knowledge.is_designed(one, other) for one, other in pairs_of_names]
    p_value[designed], statistic[designed], df[designed] = np.nan, np.nan, 0
    for k in np.flatnonzero(designed).tolist():
        sets[k], notes[k] = None, (None, BY_DESIGN)
    rows = list(zip(adjacent.tolist(), sets, notes, strict=True))
    evidence = {} if trace is None else {"evidence": _evidence(trace, names[a].tolist(), names[b].tolist())}
    return frame_of(
        {
            "a": names[a].tolist(),
            "edge": series("edge", edges, "text"),
            "b": names[b].tolist(),
            "p_value": series("p_value", nullable(p_value), "number"),
            "statistic": series("statistic", nullable(statistic), "number"),
            "df": series("df", [int(d) if d > 0 else None for d in df.tolist()], "count"),
            "sepset": series(
                "sepset",
                [None if edge or note[1] in (BY_KNOWLEDGE, None) else given or [] for edge, given, note in rows],
                "names",
            ),
            "closest": series("closest", [given if edge else None for edge, given, _ in rows], "names"),
            "radius": series("radius", [None if edge else note[0] for edge, _, note in rows], "count"),
            "found_by": series(
                "found_by", [None if edge and note[1] != BY_DESIGN else note[1] for edge, _, note in rows], "text"
            ),
            **evidence,
            **({} if certainty is None else _certainties(certainty, a, b, adjacent)),
        },
        library,
    )


def _evidence(trace: Trace, a: Sequence[str], b: Sequence[str]) -> Any:
    """The number of the note about each of these pairs."""
    notes = [trace.note("edge", *pair) or trace.note("no edge", *pair) for pair in zip(a, b, strict=True)]
    numbers = np.array([np.nan if note is None else note.number for note in notes], dtype=np.float64)
    return series("evidence", nullable(numbers), "number")


def _certainties(
    certainty: Certainty, a: NDArray[np.intp], b: NDArray[np.intp], adjacent: NDArray[np.bool_]
) -> dict[str, Any]:
    """How certain the edge or missing edge of each pair is, and the marks at both ends, null where there are none."""
    columns = {
        "edge_certainty": certainty.edges[a, b],
        "certainty_at_a": np.where(adjacent, certainty.marks[b, a], np.nan),
        "certainty_at_b": np.where(adjacent, certainty.marks[a, b], np.nan),
    }
    return {name: series(name, nullable(values), "number") for name, values in columns.items()}


def checked_pairs(pairs: Pairs) -> Pairs:
    """Which pairs a frame shows, if it is one of the words for that."""
    if pairs not in get_args(Pairs):
        raise OptionError(f"must be one of {', '.join(map(repr, get_args(Pairs)))}", option="pairs", value=pairs)
    return pairs


def chosen_pairs(marks: Any, pairs: str, involving: Sequence[str] | str | None, columns: Sequence[str]) -> Any:
    """The chosen pairs in the order of columns: an array of the first of each, and one of the second.

    `pairs` is "all", "edges" (pairs with a mark) or another word: pairs without a mark. `involving` are names; then one
    of each pair must be among them.
    """
    if involving is not None:
        chosen = names_list("involving", involving)
        refuse_unknown(chosen, columns, what="variable")
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


def series(name: str, values: list[Any], kind: str) -> Any:
    """A column of a type that does not depend on its values; `kind` is "text", "number", "count" or "names"."""
    import polars as pl

    types: dict[str, Any] = {"text": pl.String, "number": pl.Float64, "count": pl.Int64, "names": pl.List(pl.String)}
    if kind == "names":  # polars is slow to take lists, and many sets are equal
        number: dict[tuple[str, ...] | None, int] = {}
        which = [number.setdefault(None if some is None else tuple(some), len(number)) for some in values]
        distinct = [None if some is None else list(some) for some in number]
        return pl.Series(name, distinct, dtype=types[kind], strict=False).gather(which)
    return pl.Series(name, values, dtype=types[kind], strict=False)


class _Table:
    """The decisions about these pairs of positions: `values` of the evidence, `sets`, and `notes` radius, found by.

    Separations that a graph implies have no radius. Where it implies none, there is neither a set nor any evidence.
    """

    def __init__(self, stage: Stage, decisions: Decisions, x: NDArray[np.int64], y: NDArray[np.int64]) -> None:
        n, found = len(stage.names), decisions.found
        marginal = decisions.marginal.at(x, y)
        self.values = [np.array(marginal.statistic), np.array(marginal.df), np.array(marginal.p_value)]
        self.sets: list[tuple[int, ...] | None] = [None] * len(x)
        self.notes: list[tuple[int | None, str | None]] = [(0, str(FoundBy.SEARCH))] * len(x)
        if isinstance(stage, GraphStage):
            self._take_implied(stage, x, y)
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
                    found_by = FoundBy(found.found_by[i])
                    asked = found_by not in (FoundBy.IMPLIED, FoundBy.SCORE_GRAPH)
                    self.notes[k] = (int(found.radius[i]) if asked else None, str(found_by))

    def _take_implied(self, stage: GraphStage, x: NDArray[np.int64], y: NDArray[np.int64]) -> None:
        """Note which pairs the graph separates by any set, the empty one included."""
        for k, pair in enumerate(zip(x.tolist(), y.tolist(), strict=True)):
            implied = stage.implied(*pair) is not None
            self.notes[k] = (None, str(FoundBy.IMPLIED) if implied else None)
            for values, nothing in zip(self.values, (np.nan, 0.0, np.nan), strict=True) if not implied else ():
                values[k] = nothing


def _common(
    theirs: NDArray[np.int64], ours: NDArray[np.int64], order: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The indices of the numbers that are in both arrays; `order` sorts ours."""
    at = np.searchsorted(ours, theirs, sorter=order)
    there = at < len(ours)
    there[there] = ours[order[at[there]]] == theirs[there]
    return np.flatnonzero(there), order[at[there]]
