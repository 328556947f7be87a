"""The bytes of a file, unpacked: a file is known by its first bytes, whatever it is called."""

import gzip
import importlib
import io
import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from ancestral.data.errors import DataError
from ancestral.data.read.guards import reason
from ancestral.data.read.paths import refuse_special, shown
from ancestral.extras import require_package

__all__ = ["opened", "unpacked"]

GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


def opened(path: Path) -> IO[bytes]:
    """The file, open for reading; raises unless it is a regular one, and never waits for a writer."""
    try:
        file = open(path, "rb", buffering=0, opener=_without_waiting)  # noqa: SIM115
    except OSError as error:
        raise DataError(f"'{shown(path)}' cannot be read: {error.strerror}; correct the path") from None
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        refuse_special(path)
        raise DataError(f"'{shown(path)}' is not a regular file; correct the path")
    return file


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


@contextmanager
def unpacked(path: Path, label: str) -> Iterator[Any]:
    """A stream of what is in a file; what is wrong with the packing is a `DataError`."""
    with opened(path) as file:
        beginning = file.read(4)
        file.seek(0)
        faults: tuple[type[Exception], ...] = (OSError, EOFError, zlib.error, *_faults_of_zstd())
        try:
            if beginning.startswith(GZIP):
                yield gzip.GzipFile(fileobj=file)
            elif beginning == ZSTD:
                with _zstd(path, file) as stream:
                    yield stream
            else:
                yield file
        except faults as error:
            raise DataError(f"{label} cannot be read: {reason(error)}; save it anew") from None


def _faults_of_zstd() -> tuple[type[Exception], ...]:
    try:
        return (importlib.import_module("compression.zstd").ZstdError,)
    except ImportError:
        return ()


def _zstd(path: Path, file: IO[bytes]) -> Any:
    """Python's own reader (from 3.14 on), that of pyarrow, or that of polars, which takes all lines at once."""
    try:
        return importlib.import_module("compression.zstd").ZstdFile(file)
    except ImportError:
        pass
    try:
        import pyarrow as pa

        return pa.CompressedInputStream(pa.PythonFile(file, mode="r"), "zstd")
    except ImportError:
        pass
    import polars as pl

    if not hasattr(pl, "read_lines"):
        require_package("pyarrow", "arrow", f"to unpack {shown(path.name)}")
    return io.BytesIO("".join(line + "\n" for line in pl.read_lines(file)["lines"]).encode())
