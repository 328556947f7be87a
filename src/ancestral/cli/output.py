"""What a command writes: its result on standard output or into a file, everything else on standard error."""

import errno
import os
import sys
from pathlib import Path

from ancestral.cli.ending import Failure, ReaderLeft
from ancestral.errors import OptionError

__all__ = ["ended_line", "leave_data_alone", "note", "print_result", "refuse_same_file", "write_result"]


def ended_line(text: str) -> str:
    """The text with a line end after its last line; nothing stays nothing."""
    return text if not text or text.endswith("\n") else text + "\n"


def print_result(text: str) -> None:
    """Write the result, which is all that standard output holds."""
    try:
        sys.stdout.write(ended_line(text))
        sys.stdout.flush()
    except UnicodeEncodeError as error:
        what = error.object[error.start : error.end]
        raise Failure(
            f"standard output, in {error.encoding}, cannot hold {what!a}; set PYTHONUTF8=1, or write into a file"
        ) from None
    except OSError as error:
        _let_go_of_stdout()
        if error.errno == errno.EPIPE:
            raise ReaderLeft from None
        raise Failure(f"standard output cannot be written ({error.strerror})") from None


def write_result(text: str, output: Path | None) -> None:
    """Write the result into a file, or, where none is named, on standard output."""
    if output is None:
        print_result(text)
        return
    from ancestral.errors import RunError
    from ancestral.io.files import write_atomically

    try:
        write_atomically(output, ended_line(text).encode())
    except RunError as error:  # the result must not be lost
        print_result(text)
        raise Failure(error) from None


def note(text: str = "") -> None:
    """Tell the user something that is not the result."""
    print(text, file=sys.stderr, flush=True)


def leave_data_alone(place: Path | None, data: Path) -> None:
    """Raise if something would be written over a file of data, or be read as one the next time."""
    if place is None:
        return
    from ancestral.data.files import is_readable
    from ancestral.data.scans import files_in

    for file in files_in(data) or ():
        refuse_same_file(place, file, "is one of the data files, which are left alone")
    refuse_same_file(place, data, "is the data file, which is left alone")
    there = Path(os.path.realpath(place))
    if data.is_dir() and there.is_relative_to(data.resolve()) and is_readable(there):
        raise OptionError(f"{place}: lies in the folder of the data, and would be read as data; choose another folder")


def refuse_same_file(one: Path | None, other: Path | None, why: str) -> None:
    """Raise if both name the same file."""
    if one is not None and other is not None and os.path.realpath(one) == os.path.realpath(other):
        raise OptionError(f"{one}: {why}; choose another name")


def _let_go_of_stdout() -> None:
    """Nothing is written there any more, also not when Python ends."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError):  # a stream without a file, as in tests
        pass
