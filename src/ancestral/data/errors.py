"""Errors about data: each names the column or the line, the reason and the way out."""

from collections.abc import Iterable, Sequence

from ancestral.errors import AncestralError, Message, Option

__all__ = [
    "DataError",
    "DataWarning",
    "combined",
    "counted",
    "infinite",
    "leave_out",
    "listed",
    "overflowing",
    "underflowing",
    "without_values",
]

#: Faults that one error lists; of the others it gives the number.
MOST_FAULTS = 20


class DataError(AncestralError):
    """Data that cannot be used as they are."""


class DataWarning(Message, UserWarning):
    """Data that can be used, though their answers may be unreliable."""


def listed(names: Iterable[str], most: int = 8) -> str:
    """Names for a sentence: 'a', 'b' and 3 more."""
    out = [repr(name) for name in names]
    if len(out) > most:
        return ", ".join(out[:most]) + f" and {len(out) - most} more"
    return " and ".join([", ".join(out[:-1]), out[-1]]) if len(out) > 1 else "".join(out)


def counted(count: int, noun: str) -> str:
    """A number of things for a sentence.

    >>> counted(1, "column"), counted(3, "column")
    ('1 column', '3 columns')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def leave_out(*names: str) -> tuple[str, Option]:
    """The end of a message about columns that can be left out: `leave it out: drop=['id']`."""
    return f"leave {'it' if len(names) == 1 else 'them'} out: ", Option("drop", list(names))


def combined(faults: Sequence[AncestralError]) -> AncestralError:
    """One error that lists these faults, of which there is at least one; each keeps its options.

    >>> print(combined([DataError("column 'a' is empty"), DataError("column 'b' is empty; ", *leave_out("b"))]))
    the data cannot be used as they are:
    - column 'a' is empty
    - column 'b' is empty; leave it out: drop=['b']
    """
    if len(faults) == 1:
        return faults[0]
    parts: list[object] = ["the data cannot be used as they are:"]
    for fault in faults[:MOST_FAULTS]:
        parts += ["\n- ", *fault.args]
    if len(faults) > MOST_FAULTS:
        parts.append(f"\n- and {len(faults) - MOST_FAULTS} more such faults")
    return DataError(*parts)


def infinite(name: str, where: object) -> DataError:
    """The error for a column with infinite values, the first of them in `where`."""
    return DataError(
        f"column {name!r} holds infinite values, the first in {where}; make them missing, or ", *leave_out(name)
    )


def without_values(name: str) -> DataError:
    """The error for a column all of whose values are missing."""
    return DataError(f"column {name!r} has no values; ", *leave_out(name))


def overflowing(name: str) -> DataError:
    """The error for a column whose sum of squares is beyond the largest number."""
    return DataError(f"column {name!r} holds numbers beyond 1e150, whose squares overflow; rescale it")


def underflowing(names: Iterable[str]) -> DataError:
    """The error for columns whose values differ by so little that the squares of differences vanish."""
    tiny = list(names)
    what, them = ("column", "it") if len(tiny) == 1 else ("columns", "them")
    reason = "differ by less than 1e-145, so that their squares underflow"
    return DataError(f"the values of {what} {listed(tiny)} {reason}; rescale {them}")
