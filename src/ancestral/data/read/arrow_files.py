"""Files of Arrow, also called IPC or Feather: read by polars."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from ancestral.data.read.ordered_categories import with_orders
from ancestral.data.read.path_checks import open_regular

__all__ = ["ENDINGS", "batches", "names", "read"]

ENDINGS = (".arrow", ".ipc", ".feather")


def read(path: Path) -> Any:
    """All rows as a frame of polars."""
    import polars as pl

    with open_regular(path) as file:
        content = file.read()
    return with_orders(
        pl.read_ipc(BytesIO(content)),
        lambda: _opened(content).schema,
        lambda names: _opened(content).read_all().select(names),
    )


def _opened(content: bytes) -> Any:
    import pyarrow as pa

    return pa.ipc.open_file(pa.BufferReader(content))


def names(path: Path) -> list[str]:
    """The names of the columns, from the schema."""
    import polars as pl

    with open_regular(path) as file:
        return list(pl.read_ipc_schema(BytesIO(file.read())))


def batches(path: Path, columns: list[str], rows: int) -> Iterator[Any]:
    """These columns as frames of that many rows."""
    yield from read(path).select(columns).iter_slices(rows)
