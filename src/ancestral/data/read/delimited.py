"""Delimited text as frames: which columns are numbers, and which decimal mark they have.

A column is read as numbers by polars; or, if some are written in a way that polars does not know (spaces, a decimal
comma, marks between thousands, percent signs: `notations`), as text that is converted to numbers here; or, if some are
not numbers, as text. The first rows tell what to try. Where a later block shows that a guess was wrong, the rows end
there and `settled` is False: the caller begins again, with a better guess. So the outcome depends on all rows and not
on where they were divided. A table and a stream of the same file are read by the same code, the one with all its blocks
at once, the other block by block.

The decimal mark of a file is a comma if it has a column of numbers with commas that cannot be marks between thousands.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ancestral.data.column_kinds import is_number
from ancestral.data.errors import DataError
from ancestral.data.read.batches import Place
from ancestral.data.read.encodings import check_utf8
from ancestral.data.read.guards import faults_of_polars, reason
from ancestral.data.read.heads import Head
from ancestral.data.read.notations import Notation, numbers_in, plain_numbers
from ancestral.data.read.read_ahead import read_ahead
from ancestral.data.read.records import Block
from ancestral.data.read.remarks import Remark
from ancestral.data.read.text_options import TextOptions
from ancestral.data.read.text_values import MOSTLY_NUMBERS
from ancestral.data.read.written_numbers import like_codes, remark_on_codes, remarks_on

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Delimited", "Modes", "Part"]

#: How a column is read: as numbers by polars, as text that is converted to numbers here, or as text.
Mode: TypeAlias = Literal["numbers", "converted", "text"]
#: The modes of columns by name; files of one source share them, and a column only moves to a later mode.
Modes: TypeAlias = dict[str, Mode]

_ORDER = ("numbers", "converted", "text")
#: A number with a comma that may stand between thousands, if it is not a decimal mark.
_THOUSANDS_ONLY = r"^[+-]?[1-9]\d{0,2},\d{3}$"
#: How a number with a decimal comma begins.
_LIKE_COMMA = "^\\s*[+\\-\N{MINUS SIGN}]?(\\d+,|,\\d)"
#: A number with a decimal point that cannot stand between thousands.
_FRACTION = re.compile(r"[+-]?(\d*\.\d{1,2}|0?\.\d+|\d*\.\d{4,}|\d{4,}\.\d+)")
#: Beginnings of text that polars takes for compressed bytes.
_LIKE_COMPRESSED = (b"x\x01", b"x^")


@dataclass(frozen=True)
class Part:
    """Some rows of a file, from row number `first` on, counted from 0: numbers as Float64, text as String."""

    frame: "pl.DataFrame"
    first: int


class Delimited:
    """A text file with a line for each row; `label` is what messages call it.

    `settled` is False if the last call of `parts` ended early because a column, or the decimal mark, is not what it
    seemed to be: what came must be forgotten, and `parts` called again.
    """

    def __init__(self, path: Path, label: str, options: TextOptions, modes: Modes | None = None) -> None:
        self.label = label
        self.settled = True
        self._head = Head.of(path, label, options)
        self.names = self._head.names
        self._position = {name: i for i, name in enumerate(self.names)}
        self._records = self._head.records
        self.missing = options.missing
        self._given = options.decimal
        self.decimal = options.decimal or "."
        self._with_commas: set[str] = set()  # columns whose first rows show that the decimal mark is a comma
        self._votes: dict[str, _Vote] | None = None  # None: no comma was seen that may be a decimal mark
        self._modes: Modes = {} if modes is None else modes
        # whether missing values are marked by words; where they are only left empty, polars reads faster
        self._words_for_missing = False
        self._present: dict[str, int] = {}  # values that are not missing, by column
        self._notations: dict[str, Notation] = {}  # of columns whose numbers have marks or signs
        self._guess()

    def parts(self, names: Sequence[str]) -> Iterator[Part]:
        """The rows of these columns; they are complete only if the file is `settled` afterwards."""
        self.settled = True
        if self._votes is not None:
            self._votes = {}
        first = 0
        self._present, self._notations = dict.fromkeys(names, 0), {}
        with closing(read_ahead(self._records.blocks())) as blocks:  # type: ignore[type-var]
            for block in blocks:
                frame = self._frame(block, names, first)
                if frame is None:
                    self.settled = False
                    return
                yield Part(frame, first)
                first += block.rows
        self.settled = self._is_decimal_right()

    def remarks(self) -> list[Remark]:
        """What the rows that came last tell about how numbers are written."""
        point = any(_FRACTION.fullmatch(field.strip()) for row in self._head.rows for field in row)
        clear = self._given is not None or self.decimal == "," or point or self._head.separator == ","
        out: list[Remark] = []
        for name, present in self._present.items():
            first = [row[self._position[name]] for row in self._head.rows]
            if name in self._notations:
                out += remarks_on(name, self._notations[name], present, self.decimal, self.place, clear=clear)
            elif self._modes[name] != "text" and (row := like_codes(first)) is not None:
                out.append(remark_on_codes(name, first[row], self.place(row)))
        return out

    def missing_words(self, names: Sequence[str]) -> dict[str, dict[str, int]]:
        """How often each word stands for a missing value in these columns; for errors, since the file is read again."""
        out: dict[str, Counter[str]] = {name: Counter() for name in names}
        for block in self._records.blocks():
            frame = self._parsed(block, names, text=True, words=False)
            for name in names:
                out[name].update(self.missing.words_in(frame[name]))
        return {name: dict(counts) for name, counts in out.items()}

    def missing_word(self, name: str, row: int) -> str:
        """What stands in a column where its value is missing."""
        return self._records.fields_at(row)[self._position[name]].strip()

    def place(self, row: int) -> Place:
        """The place of a row, counted from 0, for messages: they name its line."""
        return Place(row, self.label, self._records.line_of)

    # -- guesses from the first rows -----------------------------------------------------------------------------------

    def _guess(self) -> None:
        """Guess the modes of the columns, and the decimal mark, from the first rows."""
        import polars as pl

        columns = dict(zip(self.names, zip(*self._head.rows, strict=True), strict=True))
        unclear: dict[str, pl.Series] = {}
        for name, fields in columns.items():
            plain = all(field.strip() in self.missing.words or is_number(field) for field in fields)
            self._move(name, "converted" if self._given == "," else "numbers")
            if not plain:
                unclear[name] = self.missing.cleaned(pl.Series(fields, dtype=pl.String))
        if self._given is None and any(_clear(text).any() for text in unclear.values()):
            self._begin_votes()
            self._with_commas = {name for name, text in unclear.items() if _Vote.of(text, 0).is_for_comma}
            self.decimal = "," if self._with_commas else "."
        for name, text in unclear.items():
            is_text = numbers_in(text, self.decimal).null_count() > text.null_count()
            self._move(name, "text" if is_text else "converted")

    def _move(self, name: str, mode: Mode) -> None:
        """Read a column in this mode from now on, unless it is known to need a later one."""
        if _ORDER.index(mode) >= _ORDER.index(self._modes.get(name, "numbers")):
            self._modes[name] = mode

    # -- one block -----------------------------------------------------------------------------------------------------

    def _frame(self, block: Block, names: Sequence[str], first: int) -> "pl.DataFrame | None":
        """The rows of a block, each column by its mode; None if a mode was wrong, and has been corrected."""
        import polars as pl

        raw = self._with_numbers(block, names)
        if raw is None:
            raw = self._as_text(block, names)
        converted: list[pl.Series] = []
        wrong = False
        for name, dtype in zip(names, raw.dtypes, strict=True):
            if dtype != pl.String:
                self._present[name] += raw.height - raw[name].null_count()
                continue
            text = raw[name]
            if self._modes[name] != "text":
                numbers = self._numbers(name, text, first)
                wrong |= numbers is None
                converted += [] if numbers is None else [numbers]
            if self._given is None and (self._votes is not None or self._modes[name] == "text"):
                wrong |= self._vote(name, text, first)
        if wrong:
            return None
        return raw.with_columns(converted) if converted else raw

    def _with_numbers(self, block: Block, names: Sequence[str]) -> "pl.DataFrame | None":
        """A block in which polars reads some columns as numbers; None if there are none, or if some are not."""
        while any(self._modes[name] == "numbers" for name in names):
            try:
                return self._parsed(block, names)
            except faults_of_polars():
                if self._words_for_missing:
                    return None  # some are not numbers, or the text is damaged
                self._words_for_missing = True
        return None

    def _as_text(self, block: Block, names: Sequence[str]) -> "pl.DataFrame":
        try:
            return self._parsed(block, names, text=True)
        except faults_of_polars() as error:
            check_utf8(block.content, self.label, block.line)
            raise DataError(
                f"{self.label} cannot be read with the separator {self._head.separator!r}: {reason(error)}; "
                "look for a quotation mark that is not closed"
            ) from None

    def _parsed(self, block: Block, names: Sequence[str], *, text: bool = False, words: bool = True) -> "pl.DataFrame":
        """The frame that polars reads from a block; raises DataError unless it has as many rows as were counted.

        With `text`, all columns are text; unless they are to be kept, `words` for missing values become nulls.
        """
        import polars as pl

        content, skipped = block.content, 0
        if content.startswith(_LIKE_COMPRESSED):
            content, skipped = b"\n" + content, 1
        types: dict[str, Any] = dict.fromkeys((f"column_{i}" for i in range(1, len(self.names) + 1)), pl.String)
        keys = {name: f"column_{self._position[name] + 1}" for name in names}
        if not text:
            types |= {key: pl.Float64 for name, key in keys.items() if self._modes[name] == "numbers"}
        frame = pl.read_csv(
            content,
            has_header=False,
            skip_lines=skipped,
            separator=self._head.separator,
            schema=types,
            columns=None if len(names) == len(self.names) else [self._position[name] for name in names],
            null_values=list(self.missing.words) if words and (self._words_for_missing or text) else None,
            glob=False,
        )
        if frame.height != block.rows:
            raise DataError(
                f"{self.label} has {block.rows} rows from line {block.line} on, but {frame.height} were read; "
                "look for quotation marks within text, and save the file again"
            )
        if list(keys.values()) != frame.columns:
            frame = frame.select(list(keys.values()))
        frame.columns = list(names)
        return frame

    def _numbers(self, name: str, text: "pl.Series", first: int) -> "pl.Series | None":
        """The numbers in a column of text; None if some are not numbers, and then the column is text from now on."""
        import polars as pl

        if self._modes[name] == "numbers":
            plain = text.cast(pl.Float64, strict=False)
            if plain.null_count() == text.null_count():
                self._present[name] += len(plain) - plain.null_count()
                return plain  # it was another column that polars could not read
        bare = self.missing.cleaned(text)
        numbers = plain_numbers(bare, self.decimal)
        written = numbers.null_count() > bare.null_count()
        if written:
            numbers = numbers_in(bare, self.decimal)
        if numbers.null_count() > bare.null_count():
            self._modes[name] = "text"
            return None
        self._modes[name] = "converted"
        self._present[name] += len(numbers) - numbers.null_count()
        if written:
            notation = Notation.of(bare, self.decimal, first)
            self._notations[name] = self._notations[name] + notation if name in self._notations else notation
        return numbers

    # -- the decimal mark ----------------------------------------------------------------------------------------------

    def _begin_votes(self) -> None:
        """Let all columns vote on the decimal mark; for that they are read as text."""
        self._votes = {}
        for name in self.names:
            self._move(name, "converted")

    def _vote(self, name: str, text: "pl.Series", first: int) -> bool:
        """Take the vote of a column; True if it is the first with a comma, so that all columns must be read again."""
        if self._votes is not None:
            vote = _Vote.of(self.missing.cleaned(text), first)
            self._votes[name] = self._votes[name] + vote if name in self._votes else vote
        elif text.str.contains(_LIKE_COMMA).any() and _clear(self.missing.cleaned(text)).any():
            self._begin_votes()
            return True
        return False

    def _is_decimal_right(self) -> bool:
        """Whether the guessed decimal mark is that of all votes; if not, it and the modes are corrected."""
        if self._votes is None:
            return True
        with_comma = next((name for name, vote in self._votes.items() if vote.is_for_comma), None)
        if with_comma is not None:
            self._refuse_both(with_comma, self._votes)
        decimal = "." if with_comma is None else ","
        # a comma that other columns have shown is not withdrawn by those that are read now
        if decimal == self.decimal or (with_comma is None and not self._with_commas <= set(self._votes)):
            return True
        self.decimal = decimal
        for name, vote in self._votes.items():
            hits = vote.commas if decimal == "," else vote.points
            self._modes[name] = "converted" if hits == vote.present else "text"
        return False

    def _refuse_both(self, name: str, votes: "Mapping[str, _Vote]") -> None:
        """Raise DataError if numbers are written with a comma in one column and with a point in another."""
        example = votes[name].example
        assert example is not None
        for other, vote in votes.items():
            if vote.points == vote.present and vote.fraction:
                raise DataError(
                    f"{self.label} writes numbers with a comma in column {name!r} ({example[0]!r}, "
                    f"line {self._records.line_of(example[1])}) and with a point in column {other!r}; write all of "
                    "them in one way"
                )


def _clear(text: "pl.Series") -> "pl.Series":
    """Which pieces of text are numbers with a comma that cannot stand between thousands."""
    commas = text.str.contains(",", literal=True)
    if commas.any():
        commas = commas & numbers_in(text, ",").is_not_null() & ~text.str.contains(_THOUSANDS_ONLY)
    return commas.fill_null(False)


@dataclass(frozen=True)
class _Vote:
    """What a column tells about the decimal mark, as sums over its rows."""

    present: int  #: values that are not missing
    points: int  #: those that are numbers with a decimal point
    commas: int  #: those that are numbers with a decimal comma
    example: tuple[str, int] | None  #: the first with a comma that is clearly a decimal mark, and its row
    fraction: bool  #: whether a number with a decimal point is not whole

    @classmethod
    def of(cls, text: "pl.Series", first: int) -> "_Vote":
        """The vote of cleaned text, of the rows from number `first` on."""
        points, commas, clear = numbers_in(text, "."), numbers_in(text, ","), _clear(text)
        row = clear.arg_max() if clear.any() else None
        return cls(
            len(text) - text.null_count(),
            len(points) - points.null_count(),
            len(commas) - commas.null_count(),
            None if row is None else (text[row], first + row),
            bool((points != points.floor()).any()),
        )

    @property
    def is_for_comma(self) -> bool:
        """Whether this column shows that the decimal mark is a comma."""
        return self.example is not None and self.points < self.present and self.commas >= MOSTLY_NUMBERS * self.present

    def __add__(self, other: "_Vote") -> "_Vote":
        return _Vote(
            self.present + other.present,
            self.points + other.points,
            self.commas + other.commas,
            self.example if self.example is not None else other.example,
            self.fraction or other.fraction,
        )
