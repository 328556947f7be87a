"""Remarks: what reading has shown about a source or a column that its user must know, and that ends nothing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ancestral.data.errors import DataError, DataWarning
from ancestral.given_warnings import warn

__all__ = ["CodeOrder", "Remark", "code_orders_in", "faults_in", "told", "warnings_in"]


@dataclass(frozen=True)
class CodeOrder:
    """The labels of a column in the order of their codes; only the user knows whether it means anything."""

    labels: tuple[str, ...]


@dataclass(frozen=True)
class Remark:
    """A warning about a source, or about one column; or a fault that counts unless the column is taken as labels.

    Or the order of the labels of a column by their codes, which may mean something.
    """

    column: str | None
    message: DataWarning | DataError | CodeOrder


def faults_in(remarks: Iterable[Remark], kinds: Mapping[str, object]) -> list[DataError]:
    """The faults among remarks about columns, without those of columns that the user takes as labels."""
    return [
        remark.message
        for remark in remarks
        if isinstance(remark.message, DataError) and kinds.get(remark.column or "") != "discrete"
    ]


def warnings_in(remarks: Iterable[Remark], kinds: Mapping[str, object]) -> tuple[DataWarning, ...]:
    """The warnings among remarks, each once and none about labels that the user chose as such."""
    found = {
        str(one.message): one.message
        for one in remarks
        if isinstance(one.message, DataWarning) and kinds.get(one.column or "") != "discrete"
    }
    return tuple(found.values())


def code_orders_in(remarks: Iterable[Remark]) -> dict[str, tuple[str, ...]]:
    """The labels of columns in the order of their codes, where remarks tell it."""
    return {
        one.column: one.message.labels
        for one in remarks
        if one.column is not None and isinstance(one.message, CodeOrder)
    }


def told(remarks: Iterable[Remark], kinds: Mapping[str, object]) -> tuple[DataWarning, ...]:
    """Give the warnings among remarks (`warnings_in`); returns them."""
    found = warnings_in(remarks, kinds)
    for message in found:
        warn(message, stacklevel=2)
    return found
