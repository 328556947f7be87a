"""A sweep in lines that a person reads: a line for each level, and the edges that come and go."""

from collections.abc import Sequence

from ancestral.graphs.names import quoted
from ancestral.printing import counted
from ancestral.search.settings import Settings
from ancestral.show.summary import why_chosen
from ancestral.sweeping.frames import EdgePath
from ancestral.sweeping.levels import Level

__all__ = ["HEADINGS", "cells", "changes_in_words", "strip_lines", "table_lines", "wanted_columns", "why_swept"]

#: Edges that come and go, of which a page lists the first.
MOST_CHANGING = 40

#: The columns of the table of levels, and what stands over them.
HEADINGS = {
    "alpha": "alpha",
    "edges": "edges",
    "arrowheads": "heads",
    "tails": "tails",
    "circles": "circles",
    "questions": "questions",
    "unsupported": "without answer",
    "unanswered": "edges on these",
    "untold": "on no answer",
    "fdr_removed": "removed by fdr",
    "denied": "denied",
    "beyond_chance": "beyond chance",
    "fit": "deviance/df",
    "p_value": "p of fit",
    "ebic": "EBIC",
    "same_edges": "as neighbours",
    "changed_pairs": "pairs changed",
    "instability": "instability",
}


#: Columns that are shown only if they are not 0 at all levels.
_UNLESS_NONE = ("unsupported", "unanswered", "untold")


def why_swept(settings: Settings) -> str:
    """Why the algorithm was chosen, as a clause; empty if it was asked for. The levels are the sweep's, not given."""
    swept = settings.algorithm_reason == "alpha"
    return "chosen because a sweep varies the significance level (docs/choosing.md)" if swept else why_chosen(settings)


def cells(level: Level) -> dict[str, str]:
    """What the table says of a level, by column; empty where nothing can be said."""
    ratio = None if level.deviance is None or not level.df else level.deviance / level.df
    return {
        "alpha": f"{level.alpha:g}",
        "edges": f"{level.edges:,}",
        "arrowheads": f"{level.arrowheads:,}",
        "tails": f"{level.tails:,}",
        "circles": f"{level.circles:,}",
        "questions": f"{level.questions:,}",
        "unsupported": _count(level.unsupported),
        "unanswered": _count(level.unanswered),
        "untold": _count(level.untold),
        "fdr_removed": _count(level.fdr_removed),
        "denied": _count(level.denied),
        "beyond_chance": _count(level.beyond_chance),
        "fit": "" if ratio is None else f"{ratio:.2f}",
        "p_value": "" if level.p_value is None else f"{level.p_value:.2g}",
        "ebic": "" if level.ebic is None else f"{level.ebic:,.1f}",
        "same_edges": "" if level.same_edges is None else f"{level.same_edges:.2f}",
        "changed_pairs": _count(level.changed_pairs),
        "instability": "" if level.instability is None else f"{level.instability:.3f}",
    }


def _count(value: int | None) -> str:
    return "" if value is None else f"{value:,}"


def wanted_columns(levels: Sequence[Level]) -> list[str]:
    """The columns in which something can be said of a level."""
    rows = [cells(level) for level in levels]
    nothing = {name for name in _UNLESS_NONE if not any(getattr(level, name) for level in levels)}
    return [name for name in HEADINGS if name not in nothing and any(row[name] for row in rows)]


def table_lines(levels: Sequence[Level]) -> list[str]:
    """The table of levels, as lines."""
    columns = wanted_columns(levels)
    table = [[HEADINGS[name] for name in columns]]
    table += [[cells(level)[name] for name in columns] for level in levels]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in table]


def changes_in_words(paths: Sequence[EdgePath]) -> str:
    """How many edges stay the same, and how many come and go."""
    lasting = sum(None not in path.edges for path in paths)
    same = sum(not path.changes for path in paths)
    return (
        f"{counted(lasting, 'edge')} at every level, {same:,} of them with the same marks; "
        f"{counted(len(paths) - lasting, 'edge')} only at some levels"
    )


def strip_lines(paths: Sequence[EdgePath], alphas: Sequence[float]) -> list[str]:
    """The edges that come and go, or change a mark, a line each: the edge at each level, a dot where there is none."""
    changing = [path for path in paths if path.changes]
    if not changing:
        return []
    shown = changing[:MOST_CHANGING]
    table = [["", *(f"{alpha:g}" for alpha in alphas), ""]]
    table += [[quoted(path.a), *(edge or "." for edge in path.edges), quoted(path.b)] for path in shown]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = [
        "  ".join(
            [row[0].rjust(widths[0]), *(c.center(w) for c, w in zip(row[1:-1], widths[1:-1], strict=True)), row[-1]]
        ).rstrip()
        for row in table
    ]
    more = len(changing) - len(shown)
    return lines + [f"and {counted(more, 'more edge')}, in edges()"] * bool(more)
