"""Options for files: names of the columns, separator, decimal mark and encoding of text, and what counts as missing."""

from dataclasses import dataclass

from ancestral.data.column_names import column_names
from ancestral.data.read.missing_values import IN_FRAMES, IN_TEXT, MissingValues
from ancestral.options import TableOptions

__all__ = ["TEXT_OPTIONS", "TextOptions"]

#: The names of the options that only text files take.
TEXT_OPTIONS = frozenset(("names", "separator", "decimal", "encoding"))


@dataclass(frozen=True)
class TextOptions:
    """How files are read; None where the file itself tells.

    `missing` is what counts as missing in text, and `missing_typed` what does in columns that have a type.
    """

    names: tuple[str, ...] | None = None
    separator: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    missing: MissingValues = IN_TEXT
    missing_typed: MissingValues = IN_FRAMES

    @classmethod
    def of(cls, options: TableOptions) -> "TextOptions":
        """Those of the options of a table that are about files; raises DataError if names are not distinct."""
        names = None if options.names is None else column_names(options.names)
        return cls(
            names,
            options.separator,
            options.decimal,
            options.encoding,
            MissingValues.in_text(options.na),
            MissingValues.in_frames(options.na),
        )
