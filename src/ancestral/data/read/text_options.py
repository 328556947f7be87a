"""Options for text files: names of the columns, separator and decimal mark."""

from collections.abc import Collection
from dataclasses import dataclass

from ancestral.data.column_names import column_names
from ancestral.errors import OptionError
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

    def refuse_all_but(self, taken: Collection[str], source: str) -> None:
        """Raise OptionError if an option was given that is not among those that the source, as in "a frame", takes."""
        if self.names is not None and "names" not in taken:
            raise OptionError(
                f"is for arrays and text files without a header, and {source} has names already",
                option="names",
                value=list(self.names),
                way_out="leave it out, or rename the columns",
                assigned=True,
            )
        for option in ("separator", "decimal"):
            value = getattr(self, option)
            if value is not None and option not in taken:
                raise OptionError(
                    f"is for text files, not for {source}",
                    option=option,
                    value=value,
                    way_out="leave it out",
                    assigned=True,
                )
