"""Ordered categories of Arrow: polars reads them without their order, which pyarrow puts back."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

__all__ = ["as_enum", "with_orders"]


def with_orders(frame: Any, schema: Callable[[], Any], columns: Callable[[list[str]], Any]) -> Any:
    """A frame of polars with an Enum in the place of each column whose categories are ordered in the file.

    `schema` reads the schema of pyarrow, and `columns` some columns as a table of pyarrow; neither is called if no
    column has categories, or if pyarrow is not installed.
    """
    import polars as pl

    categories = [name for name, dtype in frame.schema.items() if dtype == pl.Categorical]
    if not categories or find_spec("pyarrow") is None:
        return frame
    known = schema()
    ordered = [name for name in categories if getattr(known.field(name).type, "ordered", False)]
    if not ordered:
        return frame
    table = columns(ordered)
    return frame.with_columns([as_enum(frame[name], table.column(name)) for name in ordered])


def as_enum(series: Any, column: Any) -> Any:
    """A column of polars whose categories are ordered, as they are in the column of pyarrow that it was made of."""
    import polars as pl
    import pyarrow as pa

    whole = column.unify_dictionaries() if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])
    categories = whole.chunk(0).dictionary.to_pylist() if whole.num_chunks else []
    if not all(isinstance(category, str) for category in categories):
        return series  # numbers have an order of their own
    return series.cast(pl.Enum(categories))
