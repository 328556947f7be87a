"""Parquet files: read by polars as a whole and by pyarrow some rows at a time."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from ancestral.data.read.ordered_categories import with_orders
from ancestral.data.read.path_checks import is_utf8, open_regular

__all__ = ["batches", "names", "read", "write"]


def read(path: Path) -> Any:
    """All rows as a frame of polars."""
    import polars as pl

    with open_regular(path) as file:
        frame = pl.read_parquet(path if is_utf8(path) else file, glob=False)
        return with_orders(
            frame, lambda: _opened(path, file).schema_arrow, lambda names: _opened(path, file).read(columns=names)
        )


def names(path: Path) -> list[str]:
    """The names of the columns, from the schema."""
    with open_regular(path) as file:
        return list(_opened(path, file).schema_arrow.names)


def batches(path: Path, columns: list[str], rows: int) -> Iterator[Any]:
    """These columns as record batches of that many rows."""
    with open_regular(path) as file:
        yield from _opened(path, file).iter_batches(batch_size=rows, columns=columns)


def _opened(path: Path, file: Any) -> Any:
    import pyarrow.parquet as pq

    return pq.ParquetFile(path if is_utf8(path) else file)  # pyarrow encodes paths as UTF-8


def write(frame: Any) -> bytes:
    """The bytes of a file of a polars frame."""
    out = BytesIO()
    frame.write_parquet(out)
    return out.getvalue()
