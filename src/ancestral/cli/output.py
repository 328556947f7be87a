"""What a command writes: its result on standard output or into a file, everything else on standard error."""

import contextlib
import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path

from ancestral.cli.exit_codes import Failure, ReaderLeft
from ancestral.errors import Message
from ancestral.printing import visible

__all__ = ["Deliveries", "ended_line", "note", "print_result", "write_result"]


def ended_line(text: str) -> str:
    """The text with a line end after its last line; an empty text stays empty."""
    return text if not text or text.endswith("\n") else text + "\n"


def print_result(text: str, *, styled: bool = False) -> None:
    """Write the result to standard output, which holds nothing else.

    On a terminal, control characters in names are shown escaped, unless the text is `styled` by this program.
    """
    try:
        if sys.stdout.isatty() and not styled:
            text = visible(text, keep="\n\t")
        sys.stdout.write(ended_line(text))
        sys.stdout.flush()
    except UnicodeEncodeError as error:
        text = error.object[error.start : error.end]
        raise Failure(
            f"standard output, in {error.encoding}, cannot hold {text!a}; set PYTHONUTF8=1, or write into a file"
        ) from None
    except OSError as error:
        _let_go_of_stdout()
        if error.errno == errno.EPIPE:
            raise ReaderLeft from None
        raise Failure(f"standard output cannot be written ({error.strerror})") from None


def write_result(text: str, output: Path | None) -> None:
    """Write the result into a file or, if none is named, to standard output."""
    if output is None:
        print_result(text)
        return
    from ancestral.errors import RunError
    from ancestral.io.files import write_atomically

    try:
        write_atomically(output, ended_line(text).encode())
    except RunError as error:  # the result must not be lost
        print_result(text)
        raise Failure(*error.args) from None


class Deliveries:
    """What a command writes at its end. A write that fails does not keep the others from being written."""

    def __init__(self) -> None:
        self._written: list[tuple[str, Path]] = []
        self._failed: list[Message] = []

    def deliver(self, what: str, place: Path | None, write: Callable[[], object]) -> None:
        """Write something, to a file if it has a `place`; a failure is kept for `end`."""
        from ancestral.errors import RunError

        try:
            write()
        except (Failure, RunError) as error:
            self._failed.append(error)
        else:
            if place is not None:
                self._written.append((what, place))

    def tell(self) -> None:
        """Print which files were written."""
        for what, place in self._written:
            note(f"{what} written to {place}")

    def end(self) -> None:
        """Raise `Failure` if anything could not be written."""
        if self._failed:
            parts = [part for error in self._failed for part in ("; ", *error.args)]
            raise Failure(*parts[1:])


def note(text: str = "") -> None:
    """Print a line on standard error, for what is not the result."""
    with contextlib.suppress(OSError):  # standard error is closed
        print(visible(text, keep="\n\t"), file=sys.stderr, flush=True)


def _let_go_of_stdout() -> None:
    """Let standard output write to /dev/null from now on, also when Python flushes it at its end."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError):  # a stream without a file, as in tests
        pass
