"""How a command ends."""

from enum import IntEnum

__all__ = ["Ending", "Failure", "ReaderLeft"]


class Ending(IntEnum):
    """Exit codes; those above 128 are what a shell makes of a signal."""

    COMPLETE = 0  #: also a search that ended at the max_radius it was given
    FAILURE = 1  #: ours; also: the graph is printed, but could not be saved
    BAD_INPUT = 2  #: bad input or usage
    STOPPED = 3  #: by the time limit, Ctrl-C or SIGTERM; a true graph is written
    INTERRUPTED = 130  #: Ctrl-C before there was a graph
    READER_LEFT = 141  #: whoever read our standard output has closed it
    TERMINATED = 143  #: SIGTERM before there was a graph


class Failure(Exception):
    """Something that the user did right and that did not work."""


class ReaderLeft(Exception):
    """Standard output was closed, as by `| head`."""
