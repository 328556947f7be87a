"""The formats of results: a graph, a run file, a table, a drawing for graphviz, a comparison; and which is written."""

import json
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ancestral.errors import OptionError

if TYPE_CHECKING:
    from ancestral import Comparison, Discovery, SeriesDiscovery

__all__ = [
    "BY_ENDING",
    "COMPARISON_FORMATS",
    "DISCOVERY_FORMATS",
    "SERIES_FORMATS",
    "comparison_as",
    "discovery_as",
    "series_as",
    "written_format",
]

DISCOVERY_FORMATS = ("text", "json", "csv", "dot")
SERIES_FORMATS = ("text", "window", "summary", "json", "csv", "dot")
COMPARISON_FORMATS = ("text", "json", "csv")

#: What the help of --format says about a format that is not given.
BY_ENDING = "Without it, by the ending of --output; otherwise text."


def written_format(given: str | None, output: Path | None, formats: Collection[str]) -> str:
    """The format that is given, otherwise the one that the ending of the output names, otherwise text.

    Raises `OptionError` for the ending of a page where --output does not write one.

    >>> [written_format(None, Path(name), ["text", "html"]) for name in ("page.HTML", "page.txt")]
    ['html', 'text']
    """
    if given is not None:
        return given
    ending = "" if output is None else output.suffix.lower().removeprefix(".")
    if ending == "html" and ending not in formats:
        raise OptionError(f"{output}: --output writes no HTML; pass --report for a page, or choose another ending")
    return ending if ending in formats else "text"


def discovery_as(found: "Discovery", form: str) -> str:
    """A run as text (its graph), json (the run file), csv (the decisions) or dot (its graph, for graphviz)."""
    if form == "json":
        return found.to_json()
    if form == "csv":
        from ancestral.io.decisions_csv import decisions_csv

        return decisions_csv(found.to_frame(library="polars"))
    if form == "dot":
        from ancestral import to_dot

        return to_dot(found)
    return str(found.pag)


def series_as(found: "SeriesDiscovery", form: str) -> str:
    """A search of time series as text or dot (the edges that end at t), as its window or summary, as json or csv."""
    if form == "summary":
        return str(found.summary)
    if form == "window":
        return str(found.window)
    if form == "dot":
        from ancestral import to_dot

        return to_dot(found.pag)
    return str(found.pag) if form == "text" else discovery_as(found.run, form)


def comparison_as(comparison: "Comparison", form: str) -> str:
    """The comparison as a page, as numbers with the pairs that differ, or as a table of numbers."""
    if form == "csv":
        return str(comparison.to_frame("polars").write_csv())
    if form == "json":
        return json.dumps(_numbers(comparison), indent=2, ensure_ascii=False)
    return str(comparison)


def _numbers(comparison: "Comparison") -> dict[str, Any]:
    from ancestral.metrics import METRICS

    return {
        **{name: getattr(comparison, name) for name in METRICS},
        "confusion": [
            {"truth": truth, "estimate": estimate, "ends": count}
            for (truth, estimate), count in comparison.confusion.items()
        ],
        "differences": [
            {"a": a, "estimate": estimate, "truth": truth, "b": b} for a, estimate, truth, b in comparison.differences
        ],
    }
