"""The options of a source: how it is read as a table, and which test at which level answers questions about it."""

# ruff: noqa: RUF009 (`option` makes the field of a dataclass)

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypedDict, get_args

from ancestral.arguments import column_kinds, flag, names_list, one_of, significance_level, text_of, whole_number
from ancestral.errors import Option, OptionError
from ancestral.independence.registry import TESTS
from ancestral.option_groups import Group, option
from ancestral.options.checks import choice, encoding_of, none_or, separator_of, words_of
from ancestral.options.words import ASKED, DEFAULT_ALPHA, READ, Names
from ancestral.printing import listed

if TYPE_CHECKING:
    from ancestral.independence.sources import TestChoice

__all__ = [
    "ROWS_OPTIONS",
    "AnsweredKeywords",
    "AnsweredOptions",
    "Matrix",
    "Missing",
    "RowsKeywords",
    "SourceKeywords",
    "SourceKind",
    "SourceOptions",
    "TableKeywords",
    "TableOptions",
]

Missing = Literal["refuse", "drop", "testwise", "impute"]
Matrix = Literal["covariance", "correlation"]

#: The tests, for the help of the option `test`.
_TESTS_IN_WORDS = listed(TESTS, len(TESTS), last="or", spell='"{}"'.format)


@dataclass(frozen=True)
class SourceKind:
    """A kind of source: its name, what error messages call it, and the options that it takes.

    An existing test has a significance level of its own (`own_alpha`), which may be given again.
    """

    name: str
    what: str
    takes: frozenset[str]
    own_alpha: float | None = None


#: Why a source may have no use for an option, and what to do besides leaving it out.
_UNUSED = {
    "test": ("the source itself is the test", ", or pass the data as the source"),
    "alpha": ("the answers of the source do not depend on it", ""),
    "names": ("the source has names already", ", or rename its variables"),
    **dict.fromkeys(
        ("columns", "drop"), ("its variables are fixed", ", and make the test of the variables that you want")
    ),
    "kinds": ("it says how to read columns, and the source has none to read", ""),
    "missing": ("it says what to do about missing values, and the source has no rows to read", ""),
    **dict.fromkeys(("separator", "decimal", "encoding"), ("it says how to read text files", "")),
    "na": ("it says which values to read as missing, and the source has none to read", ""),
    "in_memory": ("it says how to read rows, and the source has none to read", ""),
    "matrix": ("it says how to read the file of a matrix", ", or name the file of a covariance or correlation matrix"),
    "rows": ("it is the number of rows of a matrix, and other data have their rows", ""),
    **dict.fromkeys(
        ("weights", "clusters"),
        ("it names a column of rows, and the source has none to read", ", or pass the rows as the source"),
    ),
}


class RowsKeywords(TypedDict, total=False):
    """Names and types of the options of `TableOptions` that `Moments.of` and `Counts.of` take: all but the kinds."""

    names: Names | None
    columns: Names | None
    drop: Names | None
    missing: Missing
    separator: str | None
    decimal: str | None
    na: Names | None
    encoding: str | None
    weights: str | None
    clusters: str | None


#: The names of these options.
ROWS_OPTIONS = tuple(RowsKeywords.__annotations__)


class TableKeywords(RowsKeywords, total=False):
    """Names and types of `TableOptions`."""

    kinds: Mapping[str, str | Sequence[str]] | str | None
    in_memory: bool
    matrix: Matrix | None
    rows: int | None


@dataclass(frozen=True, kw_only=True)
class TableOptions(Group):
    """How a source is read as a table.

    >>> TableOptions(drop=iter(["id"])).drop
    ('id',)
    """

    names: Names | None = option(
        READ,
        None,
        none_or(names_list),
        "The names of the columns, for a file without a header.",
        "Also those of an array, and the variables that a function can be asked about.",
    )
    columns: Names | None = option(READ, None, none_or(names_list), "Use only these columns.")
    drop: Names | None = option(READ, None, none_or(names_list), "Leave these columns out.")
    kinds: Mapping[str, str | Sequence[str]] | str | None = option(
        READ,
        None,
        none_or(column_kinds),
        "Read columns as continuous, discrete or ordinal, whatever their values suggest.",
        'For example {{"origin": "discrete"}}, or "discrete" for all. Levels in a list are ordinal, the lowest first.',
    )
    missing: Missing = option(
        READ,
        "refuse",
        choice(Missing),
        '"refuse" missing values, "drop" incomplete rows, "testwise": each question uses the rows complete for it, or '
        '"impute": each question is asked of several tables with the gaps filled (docs/missing.md).',
    )
    separator: str | None = option(
        READ, None, none_or(separator_of), "The separator of a text file, if it is not detected correctly."
    )
    decimal: str | None = option(
        READ,
        None,
        none_or(one_of, (".", ",")),
        'The decimal mark of a text file, "." or ",", if it is not detected correctly.',
    )
    na: Names | None = option(
        READ,
        None,
        none_or(words_of),
        "The values that count as missing, in place of NA, N/A, NaN, nan, null, None, * and ? in text files.",
        'For example ["NA", "-999"]. Numbers alone, such as ["-999"], come beside these words. What is left empty in a '
        "text file, and nulls and NaN elsewhere, always is.",
    )
    encoding: str | None = option(
        READ, None, none_or(encoding_of), "The encoding of text files, such as latin-1, if it is not UTF-8."
    )
    in_memory: bool = option(
        READ, False, flag, "Read all rows of several files, or of any other source that comes in parts, as one table."
    )
    matrix: Matrix | None = option(
        READ,
        None,
        none_or(one_of, get_args(Matrix)),
        'What the file holds if it is not a table of rows: a "covariance" or a "correlation" matrix.',
    )
    rows: int | None = option(
        READ, None, none_or(whole_number, 2), "The number of rows that a matrix is of, if its file does not tell."
    )
    weights: str | None = option(
        READ,
        None,
        none_or(text_of),
        "The column with survey weights: how many rows of the population each row stands for (docs/designs.md).",
    )
    clusters: str | None = option(
        READ,
        None,
        none_or(text_of),
        "The column that says which rows belong together, so that they are not independent: schools, households, "
        "patients with several visits (docs/designs.md).",
    )

    def refuse_unused(self, kind: SourceKind) -> None:
        """Refuse an option that was given and that this kind of source does not take."""
        for name, value in self.given:
            own_alpha = kind.own_alpha if name == "alpha" else None
            if name in kind.takes or (own_alpha is not None and value == own_alpha):
                continue
            why, instead = _UNUSED[name]
            reason: list[str | Option] = [f"does not apply to {kind.what}: {why}"]
            if own_alpha is not None:
                reason = [f"does not apply to {kind.what}: it was made with ", Option("alpha", own_alpha)]
                instead = ", or pass the data as the source"
            raise OptionError(
                reason, option=name, value=value, way_out=["leave ", Option(name), f" out{instead}"], assigned=True
            )


class AnsweredKeywords(TableKeywords, total=False):
    """Names and types of `AnsweredOptions`."""

    test: "TestChoice"


@dataclass(frozen=True, kw_only=True)
class AnsweredOptions(TableOptions):
    """How a source is read, and which test it gets, which is checked when it is chosen."""

    test: "TestChoice" = option(
        ASKED,
        None,
        None,
        f"{_TESTS_IN_WORDS}; by default chosen by the kinds of the columns.",
        "Or a function or an object of your own.",
    )


class SourceKeywords(AnsweredKeywords, total=False):
    """Names and types of `SourceOptions`."""

    alpha: float


@dataclass(frozen=True, kw_only=True)
class SourceOptions(AnsweredOptions):
    """How a source is read, and how questions about it are answered."""

    alpha: float = option(
        ASKED,
        DEFAULT_ALPHA,
        significance_level,
        "The significance level: two variables count as independent where the p-value exceeds it.",
    )

    @property
    def reading(self) -> TableOptions:
        """Those that say how the source is read."""
        return TableOptions.from_attributes(self)
