"""Remarks: what reading has shown about a source or a column that its user must know, and that ends nothing."""

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ancestral.data.errors import DataError, DataWarning

__all__ = ["Remark", "faults_in", "told", "warnings_in"]


@dataclass(frozen=True)
class Remark:
    """A warning about a source, or about one column; or a fault that counts unless the column is taken as labels."""

    column: str | None
    message: DataWarning | DataError


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


def told(remarks: Iterable[Remark], kinds: Mapping[str, object]) -> tuple[DataWarning, ...]:
    """Give the warnings among remarks (`warnings_in`); returns them."""
    found = warnings_in(remarks, kinds)
    for message in found:
        warnings.warn(message, stacklevel=2)
    return found
