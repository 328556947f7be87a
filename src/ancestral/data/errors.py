"""What can be wrong with data: each error names the column or line, the reason and the way out."""

from collections.abc import Iterable

from ancestral.errors import AncestralError, Message

__all__ = ["DataError", "DataWarning", "listed", "overflowing", "underflowing"]


class DataError(AncestralError):
    """Data that cannot be used as they are."""


class DataWarning(Message, UserWarning):
    """Data that can be used, with a grain of salt."""


def listed(names: Iterable[str], most: int = 8) -> str:
    """Names for a sentence: 'a', 'b' and 3 more."""
    out = [repr(name) for name in names]
    if len(out) > most:
        return ", ".join(out[:most]) + f" and {len(out) - most} more"
    return " and ".join([", ".join(out[:-1]), out[-1]]) if len(out) > 1 else "".join(out)


def overflowing(name: str) -> DataError:
    """The error for a column whose squares are beyond all numbers."""
    return DataError(f"column {name!r} holds numbers beyond 1e150, whose squares overflow; rescale it")


def underflowing(names: Iterable[str]) -> DataError:
    """The error for columns whose values differ by so little that the squares are as good as 0."""
    tiny = list(names)
    what, them = ("column", "it") if len(tiny) == 1 else ("columns", "them")
    why = "differ by less than 1e-145, so that their squares underflow"
    return DataError(f"the values of {what} {listed(tiny)} {why}; rescale {them}")
