"""`python -m ancestral`, and the entry point of the `ancestral` command: start-up, exit code, and clean ends.

Only the standard library is imported before Ctrl-C is handled. A standard stream that is closed is opened on /dev/null
first: otherwise the next file that is opened would get its number, and be written to by mistake.
"""

import contextlib
import os
import signal
import sys

__all__ = ["main"]


def main() -> None:
    """Run a command and exit with its code."""
    _open_closed_streams()
    try:
        from ancestral.cli import run

        code = run()
    except KeyboardInterrupt:  # while the command line was being loaded
        code = 130
    except RuntimeError as error:  # Python 3.11 wraps it so, if a class was just being made
        if not isinstance(error.__cause__, KeyboardInterrupt):
            raise
        code = 130
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C while Python shuts down prints no traceback
    _flush()
    sys.exit(code)


def _open_closed_streams() -> None:
    """Open closed standard streams on /dev/null."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is this one
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def _flush() -> None:
    """Flush the standard streams; it is not an error if the reader of one has gone."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            null = os.open(os.devnull, os.O_WRONLY)
            with contextlib.suppress(OSError, ValueError):
                os.dup2(null, stream.fileno())
            os.close(null)


if __name__ == "__main__":
    main()
