"""Compressed text files, read as if they were plain: gzip and zstd, recognised by their first bytes."""

import gzip
import importlib
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from ancestral.data.errors import DataError
from ancestral.data.read.guards import reason
from ancestral.data.read.path_checks import open_regular, shown_path
from ancestral.extras import require_package

__all__ = ["COMPRESSED", "decompressed"]

#: What the name of a compressed file ends with, after the ending of its format.
COMPRESSED = (".gz", ".zst")

#: The first bytes of compressed files.
GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


@contextmanager
def decompressed(path: Path, label: str) -> Iterator[Any]:
    """A binary stream of the content of a file. Errors of decompression while it is read become `DataError`."""
    with open_regular(path) as file:
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
            raise DataError(f"{label} cannot be read: {reason(error)}; save it again") from None


def _faults_of_zstd() -> tuple[type[Exception], ...]:
    try:
        return (importlib.import_module("compression.zstd").ZstdError,)
    except ImportError:
        return ()


def _zstd(path: Path, file: IO[bytes]) -> Any:
    """The stream of Python's own decompressor (from 3.14 on), of pyarrow's, or of polars', which reads it whole."""
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
        require_package("pyarrow", "arrow", f"to decompress {shown_path(path.name)}")
    return io.BytesIO("".join(line + "\n" for line in pl.read_lines(file).to_series()).encode())
