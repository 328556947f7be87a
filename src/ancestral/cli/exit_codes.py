"""How a command ends: its exit codes, and the exceptions that lead to them."""

from enum import IntEnum

from ancestral.errors import Message

__all__ = ["Ending", "Failure", "ReaderLeft"]


class Ending(IntEnum):
    """Exit codes; those above 128 are the ones that a shell gives for a signal."""

    COMPLETE = 0  #: also a search that ended at the max_radius it was given
    FAILURE = 1  #: an error in this program; also a graph that is printed but could not be saved
    BAD_INPUT = 2  #: bad input or usage
    STOPPED = 3  #: by the time limit, Ctrl-C or SIGTERM; a true graph is written
    DOUBTFUL = 4  #: under --strict: a graph contradicts itself or denies dependences beyond chance; data have faults
    INTERRUPTED = 130  #: Ctrl-C before there was a graph
    READER_LEFT = 141  #: the reader of standard output has closed it
    TERMINATED = 143  #: SIGTERM before there was a graph


class Failure(Message, Exception):
    """The input was right, but the command could not be carried out."""


class ReaderLeft(Exception):
    """Standard output was closed, as by `| head`."""
