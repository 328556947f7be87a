"""Errors about data: each names the column or the line, the reason and the way out."""

from collections.abc import Iterable, Mapping, Sequence

from ancestral.errors import AncestralError, Message, Option
from ancestral.printing import listed

__all__ = [
    "DataError",
    "DataFaults",
    "DataWarning",
    "DropOption",
    "KindsOption",
    "NoRows",
    "combined",
    "infinite",
    "leave_out",
    "overflowing",
    "underflowing",
    "without_values",
]

#: Faults that one error lists; of the others it gives the number.
MOST_FAULTS = 20


class DataError(AncestralError):
    """Data that cannot be used as they are.

    It is raised where data are read, and by methods that need more of the data than there is. Several faults are raised
    as one error, which lists them, and has them in its attribute `faults`.

    Examples:
        >>> import polars as pl
        >>> import ancestral as an
        >>> an.discover(pl.DataFrame({"age": [31.5, 45.0, 39.0, 62.5, 28.0], "site": ["a"] * 5}))
        Traceback (most recent call last):
        ...
        ancestral.data.errors.DataError: column 'site' has a single value; leave it out: drop=['site']
    """


class DataFaults(DataError):
    """Several faults of data, in `faults`; the message lists them, each on a line of its own.

    >>> print(DataFaults([DataError("column 'a' has no values"), DataError("column 'b' has no values")]))
    the data cannot be used as they are:
    - column 'a' has no values
    - column 'b' has no values
    """

    def __init__(self, faults: Sequence[AncestralError]) -> None:
        self.faults = tuple(faults)
        parts = [part for fault in self.faults for part in ("\n- ", *fault.args)]
        super().__init__("the data cannot be used as they are:", *parts)

    def __reduce__(self) -> tuple[type["DataFaults"], tuple[tuple[AncestralError, ...]]]:
        return DataFaults, (self.faults,)


class NoRows(DataError):
    """A table that has columns and no rows; `names` are those of its columns if it could not even be opened."""

    def __init__(self, message: str = "the table has no rows; a search needs data", names: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.names = tuple(names)

    def __reduce__(self) -> tuple[type["NoRows"], tuple[str, tuple[str, ...]]]:
        return NoRows, (str(self), self.names)


class DataWarning(Message, UserWarning):
    """Data that can be used, though their answers may be unreliable.

    It is given where data are read, and by a search of them; `Table.notes` and `Description.warnings` hold such
    warnings.

    Examples:
        >>> import warnings
        >>> import ancestral as an
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore", DataWarning)  # once it is known that the data are so
    """


class DropOption(Option):
    """The advice to leave out columns, `drop=['id']`; it is shown whole, however many they are, so as to be copied."""

    def __init__(self, names: Iterable[str]) -> None:
        super().__init__("drop", list(names))

    def __str__(self) -> str:
        return f"{self.name}={self.value!r}"


class KindsOption(Option):
    """The advice to choose kinds of columns, `kinds={'q': 'ordinal'}`; it is shown whole, so as to be copied."""

    def __init__(self, kinds: Mapping[str, str | list[str]]) -> None:
        super().__init__("kinds", dict(kinds))

    def __str__(self) -> str:
        return f"{self.name}={self.value!r}"


def leave_out(*names: str) -> tuple[str, Option]:
    """The end of a message about columns that can be left out: `leave it out: drop=['id']`."""
    return f"leave {'it' if len(names) == 1 else 'them'} out: ", DropOption(names)


def combined(faults: Sequence[AncestralError]) -> AncestralError:
    """One error for these faults, of which there is at least one; of very many, the last are only counted."""
    single = [one for fault in faults for one in (fault.faults if isinstance(fault, DataFaults) else (fault,))]
    if len(single) > MOST_FAULTS:
        rest = DataError(f"and {len(single) - MOST_FAULTS} more such faults")
        return DataFaults([*single[:MOST_FAULTS], rest])
    return single[0] if len(single) == 1 else DataFaults(single)


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
