"""Delimited text as frames: which columns are numbers, and which decimal mark they have.

A column is read as numbers by polars; or, if some are written in a way that polars does not know (spaces, a decimal
comma, a minus sign of typographers), as text that is turned into numbers here; or, if some are no numbers, as text.
The first rows say what to try. Where a later block shows that a guess was wrong, reading begins again (`Reread`) with
the better one, so the outcome depends on all rows and not on where they were cut: a table and a stream of the same file
are read by the same code, the one with all its blocks at once, the other block by block.

The decimal mark of a file is a comma if it has a column of numbers with commas that cannot be marks between thousands.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ancestral.data.errors import DataError
from ancestral.data.kinds import is_number
from ancestral.data.read.batches import Reread, ahead
from ancestral.data.read.guards import faults_of_polars, reason
from ancestral.data.read.heads import Head, check_encoding
from ancestral.data.read.records import Block
from ancestral.data.read.text import MISSING, NUMBERS, cleaned, numbers_in

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Delimited", "Modes", "Part"]

#: How a column is read: by polars, as text that is turned into numbers, as text.
Mode: TypeAlias = Literal["numbers", "marked", "text"]
#: The modes of columns by name; files that are read together share them, and a column only moves on.
Modes: TypeAlias = dict[str, Mode]

_ORDER = ("numbers", "marked", "text")
#: Number-like text with a comma that stands between thousands, if it is not a decimal mark.
_THOUSANDS_ONLY = r"^[+-]?\d{1,3},\d{3}$"
#: How a number with a decimal comma begins.
_LIKE_COMMA = "^\\s*[+\\-\N{MINUS SIGN}]?(\\d+,|,\\d)"
#: What polars takes for the beginning of packed bytes, though it may be text.
_LIKE_PACKED = (b"x\x01", b"x^")


@dataclass(frozen=True)
class Part:
    """Some rows: numbers as Float64, text as String; the row number `first` of the file comes first."""

    frame: "pl.DataFrame"
    first: int


class Delimited:
    """A text file with a line a case and a column a variable."""

    def __init__(
        self,
        path: Path,
        label: str,
        *,
        names: Iterable[str] | None,
        separator: str | None,
        decimal: str | None,
        modes: Modes | None = None,
    ) -> None:
        self.label = label
        self._head = Head.of(path, label, names=names, separator=separator)
        self.names = self._head.names
        self._position = {name: i for i, name in enumerate(self.names)}
        self._records = self._head.records
        self._given = decimal
        self.decimal = decimal or "."
        self._carriers: set[str] = set()  # columns whose first rows show that the decimal mark is a comma
        self._votes: dict[str, _Vote] | None = None  # None: no comma was seen that may be a decimal mark
        self._modes: Modes = {} if modes is None else modes
        self._marked_gaps = False  # whether missing values are marked: reading is quicker if they are only left empty
        self._guess()

    def parts(self, names: Sequence[str]) -> Iterator[Part]:
        """The rows of these columns; raises `Reread` where they must be read again."""
        if self._votes is not None:
            self._votes = {}
        first = 0
        for block in ahead(self._records.blocks()):
            yield Part(self._frame(block, names, first), first)
            first += block.rows
        self._decide()

    def where(self, row: int) -> str:
        """How a row, counted from 0, is called in an error: by its line."""
        return f"line {self._records.line_of(row)}"

    # -- guesses from the first rows -----------------------------------------------------------------------------------

    def _guess(self) -> None:
        """Take the types, and the decimal mark, from the first rows."""
        import polars as pl

        columns = dict(zip(self.names, zip(*self._head.rows, strict=True), strict=True))
        unclear: dict[str, pl.Series] = {}
        for name, fields in columns.items():
            plain = all(field.strip() in MISSING or is_number(field) for field in fields)
            self._move(name, "marked" if self._given == "," else "numbers")
            if not plain:
                unclear[name] = cleaned(pl.Series(fields, dtype=pl.String))
        if self._given is None and any(_clear(text).any() for text in unclear.values()):
            self._begin_votes()
            self._carriers = {name for name, text in unclear.items() if _Vote.of(text, 0).carries}
            self.decimal = "," if self._carriers else "."
        for name, text in unclear.items():
            is_text = numbers_in(text, self.decimal).null_count() > text.null_count()
            self._move(name, "text" if is_text else "marked")

    def _move(self, name: str, mode: Mode) -> None:
        """Read a column in this way from now on, unless it is known to need a later one."""
        if _ORDER.index(mode) >= _ORDER.index(self._modes.get(name, "numbers")):
            self._modes[name] = mode

    # -- one block -----------------------------------------------------------------------------------------------------

    def _frame(self, block: Block, names: Sequence[str], first: int) -> "pl.DataFrame":
        """The rows of a block, each column by its mode; begins again if a mode was wrong."""
        import polars as pl

        raw = self._with_numbers(block, names)
        if raw is None:
            raw = self._as_text(block, names)
        turned: list[pl.Series] = []
        again = False
        for name, dtype in zip(names, raw.dtypes, strict=True):
            if dtype != pl.String:
                continue
            text = raw[name]
            if self._modes[name] != "text":
                numbers = self._numbers(name, text)
                again |= numbers is None
                turned += [] if numbers is None else [numbers]
            if self._given is None and (self._votes is not None or self._modes[name] == "text"):
                again |= self._vote(name, text, first)
        if again:
            raise Reread
        return raw.with_columns(turned) if turned else raw

    def _with_numbers(self, block: Block, names: Sequence[str]) -> "pl.DataFrame | None":
        """A block with the columns that polars reads as numbers; None if there are none, or it cannot."""
        while any(self._modes[name] == "numbers" for name in names):
            try:
                return self._parsed(block, names)
            except faults_of_polars():
                if self._marked_gaps:
                    return None  # some are no numbers, or the text is damaged
                self._marked_gaps = True
        return None

    def _as_text(self, block: Block, names: Sequence[str]) -> "pl.DataFrame":
        try:
            return self._parsed(block, names, text=True)
        except faults_of_polars() as error:
            check_encoding(block.content, self.label, block.line)
            raise DataError(
                f"{self.label} cannot be read with the separator {self._head.separator!r}: {reason(error)}; "
                "look for a quotation mark that is not closed"
            ) from None

    def _parsed(self, block: Block, names: Sequence[str], *, text: bool = False) -> "pl.DataFrame":
        """What polars makes of a block; it must find as many rows as were counted."""
        import polars as pl

        content, skipped = block.content, 0
        if content.startswith(_LIKE_PACKED):
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
            null_values=list(MISSING) if self._marked_gaps or text else None,
            glob=False,
        )
        if frame.height != block.rows:
            raise DataError(
                f"{self.label} has {block.rows} rows from line {block.line} on, but {frame.height} were read; "
                "look for quotation marks within text, and save the file anew"
            )
        if list(keys.values()) != frame.columns:
            frame = frame.select(list(keys.values()))
        frame.columns = list(names)
        return frame

    def _numbers(self, name: str, text: "pl.Series") -> "pl.Series | None":
        """The numbers in a column of text; None, and the column is text from now on, if some are none."""
        import polars as pl

        if self._modes[name] == "numbers":
            plain = text.cast(pl.Float64, strict=False)
            if plain.null_count() == text.null_count():
                return plain  # it was another column that polars did not read
        bare = cleaned(text)
        numbers = numbers_in(bare, self.decimal)
        if numbers.null_count() > bare.null_count():
            self._modes[name] = "text"
            return None
        self._modes[name] = "marked"
        return numbers

    # -- the decimal mark ----------------------------------------------------------------------------------------------

    def _begin_votes(self) -> None:
        """Let all columns vote; for that they are read as text."""
        self._votes = {}
        for name in self.names:
            self._move(name, "marked")

    def _vote(self, name: str, text: "pl.Series", first: int) -> bool:
        """Take the vote of a column; True, and all columns vote from now on, if it is the first that has one."""
        if self._votes is not None:
            vote = _Vote.of(cleaned(text), first)
            self._votes[name] = self._votes[name] + vote if name in self._votes else vote
        elif text.str.contains(_LIKE_COMMA).any() and _clear(cleaned(text)).any():
            self._begin_votes()
            return True
        return False

    def _decide(self) -> None:
        """Once all rows have voted: begin again if the decimal mark is not the one that was guessed."""
        if self._votes is None:
            return
        carried = next((name for name, vote in self._votes.items() if vote.carries), None)
        if carried is not None:
            self._refuse_both(carried, self._votes)
        decimal = "." if carried is None else ","
        if decimal == self.decimal or (carried is None and not self._carriers <= set(self._votes)):
            return  # a comma that other columns have shown is not withdrawn by those that are read now
        self.decimal = decimal
        for name, vote in self._votes.items():
            hits = vote.commas if decimal == "," else vote.points
            self._modes[name] = "marked" if hits == vote.present else "text"
        raise Reread

    def _refuse_both(self, name: str, votes: "Mapping[str, _Vote]") -> None:
        """Raise if numbers are written with a comma in one column and with a point in another."""
        example = votes[name].example
        assert example is not None
        for other, vote in votes.items():
            if vote.points == vote.present and vote.fraction:
                raise DataError(
                    f"{self.label} writes numbers with a comma in column {name!r} ({example[0]!r}, "
                    f"{self.where(example[1])}) and with a point in column {other!r}; write all of them in one way"
                )


def _clear(text: "pl.Series") -> "pl.Series":
    """Which pieces of text are numbers with a comma that cannot stand between thousands."""
    commas = text.str.contains(",", literal=True)
    if commas.any():
        commas = commas & numbers_in(text, ",").is_not_null() & ~text.str.contains(_THOUSANDS_ONLY)
    return commas.fill_null(False)


@dataclass(frozen=True)
class _Vote:
    """What a column says about the decimal mark, as sums over its rows."""

    present: int  #: values that are not missing
    points: int  #: those that are numbers with a decimal point
    commas: int  #: those that are numbers with a decimal comma
    example: tuple[str, int] | None  #: the first with a comma that is clearly a decimal mark, and its row
    fraction: bool  #: whether a number with a decimal point is not whole

    @classmethod
    def of(cls, text: "pl.Series", first: int) -> "_Vote":
        """The vote of text that was cleaned, of the rows from number `first` on."""
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
    def carries(self) -> bool:
        """Whether the decimal mark is a comma, by this column."""
        return self.example is not None and self.points < self.present and self.commas >= NUMBERS * self.present

    def __add__(self, other: "_Vote") -> "_Vote":
        return _Vote(
            self.present + other.present,
            self.points + other.points,
            self.commas + other.commas,
            self.example if self.example is not None else other.example,
            self.fraction or other.fraction,
        )
