"""Files of Arrow, also called IPC or Feather: read by polars."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from ancestral.data.read.path_checks import open_regular

__all__ = ["ENDINGS", "batches", "names", "read"]

ENDINGS = (".arrow", ".ipc", ".feather")


def read(path: Path) -> Any:
    """All rows as a frame of polars."""
    import polars as pl

    with open_regular(path) as file:
        return pl.read_ipc(BytesIO(file.read()))


def names(path: Path) -> list[str]:
    """The names of the columns, from the schema."""
    import polars as pl

    with open_regular(path) as file:
        return list(pl.read_ipc_schema(BytesIO(file.read())))


def batches(path: Path, columns: list[str], rows: int) -> Iterator[Any]:
    """These columns as frames of that many rows."""
    yield from read(path).select(columns).iter_slices(rows)
