"""The decisions of a run as CSV: a row for each pair, sets as names with `;` between them."""

import json

import polars as pl

__all__ = ["decisions_csv"]

_SETS = ("sepset", "closest")


def decisions_csv(frame: pl.DataFrame) -> str:
    """The frame of `found.to_frame(library="polars")` as CSV; a set is its names with `;` between them.

    A name with `;` or a quotation mark is quoted as in JSON.
    """
    sets = [pl.Series(name, [_set(cell) for cell in frame[name].to_list()], dtype=pl.String) for name in _SETS]
    return str(frame.with_columns(sets).write_csv())


def _set(names: list[str] | None) -> str | None:
    """The text of a set in a cell; an empty set is an empty text, and None stays None."""
    if names is None:
        return None
    return ";".join(json.dumps(name, ensure_ascii=False) if set(name) & set(';"') else name for name in names)
