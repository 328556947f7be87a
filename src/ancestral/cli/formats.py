"""What was found, as text: the graph, the run file, a table, or a drawing for graphviz."""

import json
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from ancestral import Comparison, Discovery

__all__ = ["ComparisonFormat", "Format", "comparison_as", "discovery_as"]

Format = Literal["text", "json", "csv", "dot"]
ComparisonFormat = Literal["text", "json", "csv"]


def discovery_as(found: "Discovery", form: Format) -> str:
    """The graph as text or for graphviz, the run as in `found.save`, or the decisions as a table."""
    if form == "json":
        return found.to_json()
    if form == "csv":
        return _csv(found)
    if form == "dot":
        from ancestral import to_dot

        return to_dot(found)
    return str(found.pag)


def _csv(found: "Discovery") -> str:
    """The frame of `found.to_frame()`; a set is its names with `;` between them, in JSON's quotes where need be."""
    import polars as pl

    frame = found.to_frame(library="polars")
    sets = [pl.Series(name, [_set(cell) for cell in frame[name].to_list()], dtype=pl.String) for name in _SETS]
    return str(frame.with_columns(sets).write_csv())


_SETS = ("sepset", "closest")


def _set(names: list[str] | None) -> str | None:
    """An empty set is an empty text, which is not the same as no set."""
    if names is None:
        return None
    return ";".join(json.dumps(name, ensure_ascii=False) if set(name) & set(';"') else name for name in names)


def comparison_as(comparison: "Comparison", form: ComparisonFormat) -> str:
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
