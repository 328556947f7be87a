"""A sweep as HTML: tables for a notebook, and a page of its own with the picture, which needs no network."""

from html import escape
from typing import TYPE_CHECKING

from ancestral.graphs.names import quoted
from ancestral.show.labels import plain
from ancestral.sweeping.picture import fill_of, svg_of_sweep
from ancestral.sweeping.words import HEADINGS, cells, changes_in_words, wanted_columns, why_swept

if TYPE_CHECKING:
    from ancestral.sweeping.result import Sweep

__all__ = ["page", "tables"]

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.35rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
svg { max-width: 100%; height: auto; }
.sweep { overflow-x: auto; }
"""

_TABLE = "border-collapse: collapse; margin: 0.6rem 0; font-size: 0.85em"
_CELL = "padding: 0.15rem 0.35rem; text-align: right; border-bottom: 1px solid #ddd; white-space: nowrap"
_HEAD = "padding: 0.15rem 0.35rem; text-align: right; border-bottom: 1px solid #ddd; vertical-align: bottom"
_NAME = "padding: 0.1rem 0.55rem; text-align: left; border-bottom: 1px solid #eee; white-space: nowrap"
_EDGE = "padding: 0.1rem 0.45rem; text-align: center; font-family: monospace; color: #222; white-space: nowrap"

#: Edges that come and go, of which a page shows the first.
MOST_EDGES = 200

_MEANINGS = (
    ("edges, heads, tails, circles", "how many edges and marks the graph has."),
    (
        "without answer, edges on these, on no answer",
        "questions that the data could not answer, which count as ‘dependent’; edges that rest on some of them, and "
        "edges that rest on nothing else.",
    ),
    ("removed by fdr", "edges that the control of false discoveries removed."),
    (
        "denied, beyond chance",
        "dependences in the data that the graph denies, and those of them that are too strong to be chance.",
    ),
    (
        "deviance/df, p of fit, EBIC",
        "the fit as a linear normal model; empty where no class of graphs has exactly these marks, or the test has no "
        "Gaussian likelihood.",
    ),
    ("as neighbours, pairs changed", "how far the edges agree with the levels before and after; pairs that differ."),
    ("instability", "how often two subsamples of the rows disagree about a pair."),
)


def tables(sweep: "Sweep") -> str:
    """The levels, and the edges that come and go, as two tables."""
    columns = wanted_columns(sweep.levels)
    head = "".join(f'<th style="{_HEAD}">{escape(HEADINGS[name])}</th>' for name in columns)
    lines = [
        "<tr>" + "".join(f'<td style="{_CELL}">{escape(cells(level)[name])}</td>' for name in columns) + "</tr>"
        for level in sweep.levels
    ]
    return (
        f'<div class="sweep"><p>{escape(sweep.headline())}</p><table style="{_TABLE}"><tr>{head}</tr>{"".join(lines)}'
        f"</table><p>{escape(changes_in_words(sweep.paths))}</p>{_strip(sweep)}</div>"
    )


def _strip(sweep: "Sweep") -> str:
    """The edges that come and go, a row each, with the edge at every level."""
    changing = [path for path in sweep.paths if path.changes]
    if not changing:
        return ""
    head = "".join(f'<th style="{_EDGE}">{alpha:g}</th>' for alpha in sweep.alphas)
    rows = []
    for path in changing[:MOST_EDGES]:
        marks = "".join(
            f'<td style="{_EDGE}; background: {fill_of(edge)}">{escape(edge)}</td>'
            if edge is not None
            else f'<td style="{_EDGE}"></td>'
            for edge in path.edges
        )
        a, b = (f'<td style="{_NAME}">{escape(plain(quoted(name)))}</td>' for name in (path.a, path.b))
        rows.append(f"<tr>{a}{marks}{b}</tr>")
    more = len(changing) - MOST_EDGES
    note = f"<p>{more:,} more edges come and go.</p>" if more > 0 else ""
    return f'<table style="{_TABLE}"><tr><th></th>{head}<th></th></tr>{"".join(rows)}</table>{note}'


def page(sweep: "Sweep") -> str:
    """The page of a sweep."""
    remarks = [*([chosen] if (chosen := why_swept(sweep.found[0].settings)) else []), *sweep.remarks()]
    told = "".join(f"<p>{escape(line)}</p>" for line in remarks)
    shown = {HEADINGS[name] for name in wanted_columns(sweep.levels)}
    meanings = "".join(
        f"<li><b>{escape(what)}</b>: {escape(text)}</li>" for what, text in _MEANINGS if shown & set(what.split(", "))
    )
    preferred = "".join(f"<li>{escape(str(suggestion))}</li>" for suggestion in sweep.suggestions())
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Sweep over alpha</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head><body>'
        f"<h1>Along alpha: {escape(sweep.headline())}</h1>{told}{svg_of_sweep(sweep)}"
        f"<h2>Levels and edges</h2>{tables(sweep)}<ul>{meanings}</ul>"
        f"<h2>What criteria prefer</h2><p>None of them tells the right alpha.</p><ul>{preferred}</ul></body></html>\n"
    )
