"""Options for text files: names of the columns, separator and decimal mark."""

from dataclasses import dataclass

from ancestral.data.column_names import column_names
from ancestral.options import TableOptions

__all__ = ["TEXT_OPTIONS", "TextOptions"]

#: The names of these options.
TEXT_OPTIONS = frozenset(("names", "separator", "decimal"))


@dataclass(frozen=True)
class TextOptions:
    """How text files are read; None where the file itself tells."""

    names: tuple[str, ...] | None = None
    separator: str | None = None
    decimal: str | None = None

    @classmethod
    def of(cls, options: TableOptions) -> "TextOptions":
        """Those of the options of a table that are about text files; raises DataError if names are not distinct."""
        names = None if options.names is None else column_names(options.names)
        return cls(names, options.separator, options.decimal)
