"""Files as columns: CSV, TSV and Parquet, compressed or not.

polars reads; what is decided here is what polars would have to guess: the separator, the decimal mark, which columns
are numbers. The beginning of the file is looked at, then the file is read once with the types that it suggests. Only if
that fails, or looks as if lines were cut short, are the lines read one by one, to tell the line and the reason.
"""

import csv
import gzip
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ancestral.data.errors import DataError
from ancestral.data.frames import FrameSource, column_names
from ancestral.data.kinds import Floats, Kind, Labels, is_number
from ancestral.data.text import MISSING, NUMBERS, cleaned, numbers_in, read_text
from ancestral.errors import OptionError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["TextFile", "check_reading", "is_readable", "open_file"]

_TEXT = (".csv", ".tsv", ".txt")
_PACKED = (".gz", ".zst")
_SEPARATORS = ("\t", ";", "|", ",")
_SPOKEN = {"\t": "tab", ";": "semicolon", "|": "bar", ",": "comma", " ": "space"}
_SAMPLE = 200  # lines that are looked at to find the separator and the types


def open_file(
    path: str | Path,
    *,
    names: Iterable[str] | None = None,
    separator: str | None = None,
    decimal: str | None = None,
) -> "TextFile | FrameSource":
    """The file as a source of columns. With `names`, its first line is data and not a header."""
    check_reading(separator, decimal)
    path = Path(path)
    endings = _checked_path(path)
    if endings[-1] == ".parquet":
        if names is not None or separator is not None or decimal is not None:
            raise OptionError("names=, separator= and decimal= are for text files; a parquet file knows its columns")
        return _parquet(path)
    return TextFile(path, names=names, separator=separator, decimal=decimal)


def check_reading(separator: str | None, decimal: str | None) -> None:
    """Raise if these are no separator or no decimal mark."""
    if separator is not None and (len(separator) != 1 or separator in '"\n\r'):
        raise OptionError(f"separator={separator!r} is no separator; it is one character, such as ',' or '\\t'")
    if decimal not in (None, ".", ","):
        raise OptionError(f"decimal={decimal!r} is no decimal mark; it is '.' or ','")


class TextFile:
    """A text file with a line a case and a column a variable."""

    def __init__(
        self,
        path: Path,
        *,
        names: Iterable[str] | None = None,
        separator: str | None = None,
        decimal: str | None = None,
    ) -> None:
        self._path = path
        self._source: Path | bytes = path
        self._check_encoding_of_sample()
        sample = self._lines(_SAMPLE)
        if len(sample) == 1 and "\r" in sample[0].rstrip("\r"):  # the line ends of old Macs
            self._source = _content(path).replace(b"\r", b"\n")
            sample = self._lines(_SAMPLE)
        if not any(line.strip() for line in sample):
            raise DataError(f"{path.name} is empty; a table has a line of column names and a line for each row")
        self.separator = separator or _find_separator(sample)
        records = list(_records(sample, self.separator))
        first, _, fields = next(record for record in records if any(field.strip() for field in record[2]))
        self._width = len(fields)
        self._read_names(fields, names, sample, first)
        beyond = [record for record in records if record[0] > first or (names is not None and record[0] == first)]
        body = [record for record in beyond if any(field.strip() for field in record[2])]
        if not body:
            raise DataError(f"{path.name} has a line of column names but no rows below it; add the data")
        words = (field for _, _, fields in body for field in fields if field.strip() not in MISSING)
        if self._width == 1 and separator is None and not all(map(is_number, words)):
            raise DataError(
                f"{path.name} has a single column, {self.names[0]!r}, with text in it; is it a table? "
                "Columns are separated by comma, tab, semicolon or bar; pass separator= if it is another character"
            )
        self.first_line = body[0][0]  # where the data begin; blank lines above are none
        frame = self._read([fields for _, _, fields in body if len(fields) == self._width], decimal)
        self._records: Any = None
        if self._width > 1 and frame.to_series(self._width - 1).null_count():
            # polars fills up lines that are too short, so an empty last column is looked at closely
            keep = ~self._blank_lines(len(frame))
            if not keep.all():
                self._records = np.flatnonzero(keep)
                frame = frame.filter(keep)
        self._frame = frame.rename(dict(zip(frame.columns, self.names, strict=True)))
        self.rows = len(frame)
        self.decimal = decimal or self._find_decimal()
        if names is not None:
            self._refuse_header_as_data()

    def where(self, row: int) -> str:
        """How a row is called in an error: the line of the file."""
        target = row if self._records is None else int(self._records[row])
        for count, (line, _, _) in enumerate(self._body()):
            if count == target:
                return f"line {line}"
        return f"row {row + 1}"

    def column(self, name: str, kind: Kind | None) -> Floats | Labels:
        """The column of that name as numbers or labels."""
        import polars as pl

        series = self._frame[name]
        if series.dtype == pl.Float64:
            return np.array(series.to_numpy(), dtype=np.float64)
        return read_text(series, name, kind, self.where, decimal=self.decimal, from_file=True)

    def is_number(self, name: str) -> bool:
        """Whether a column was read as numbers, without a look at its text."""
        import polars as pl

        return bool(self._frame[name].dtype == pl.Float64)

    def text(self, name: str) -> "pl.Series":
        """A column that was not."""
        return self._frame[name]

    # -- the header ----------------------------------------------------------------------------------------------------

    def _read_names(self, fields: list[str], names: Iterable[str] | None, sample: list[str], line: int) -> None:
        if names is not None:
            self.names = column_names(names)
            if len(self.names) != self._width:
                raise DataError(
                    f"{len(self.names)} names for {self._width} columns in line {line} of {self._path.name}; "
                    "names= has one name a column"
                )
            return
        fields = [field.strip() for field in fields]
        if self._width == 1 and self.separator in _SEPARATORS:
            words = fields[0].split()
            if len(words) > 1 and all(len(text.split()) == len(words) for text in sample[line : line + 3]):
                raise DataError(
                    f"{self._path.name} has one column, {fields[0]!r}, when separated by comma, tab, semicolon or bar; "
                    "if its columns are separated by a space, pass separator=' '"
                )
        if all(is_number(field) for field in fields):
            raise DataError(
                f"line {line} of {self._path.name} has numbers where the names of the columns should be; "
                'add a line of names on top, or pass names=["…", …] if the file has none'
            )
        for position, field in enumerate(fields, start=1):
            if not field:
                raise DataError(
                    f"column {position} of {self._path.name} has no name in line {line}; write one "
                    "(a column of row numbers is best left out of the file)"
                )
            if field in fields[: position - 1]:
                raise DataError(
                    f"the name {field!r} stands over columns {fields.index(field) + 1} and {position} in line {line} "
                    f"of {self._path.name}; names must differ; rename one"
                )
        self.names = tuple(fields)

    def _refuse_header_as_data(self) -> None:
        """Raise if the first row is a header although names were given: words above columns of numbers."""
        import polars as pl

        for name in self.names:
            series = self._frame[name]
            if series.dtype != pl.String or len(series) < 2:
                continue
            text = cleaned(series)
            numbers = numbers_in(text, self.decimal)
            if text[0] is not None and numbers[0] is None and numbers[1:].null_count() == text[1:].null_count():
                raise DataError(
                    f"line {self.first_line} of {self._path.name} seems to be a header ({text[0]!r} above numbers); "
                    "names= is for files without one: leave it out"
                )

    # -- reading -------------------------------------------------------------------------------------------------------

    def _read(self, sample: list[list[str]], decimal: str | None) -> "pl.DataFrame":
        """The rows below the header: numbers where the sample has only numbers, text elsewhere."""
        import polars as pl

        columns = list(zip(*sample, strict=True)) or [()] * self._width
        types = [
            pl.Float64 if decimal != "," and all(f.strip() in MISSING or is_number(f) for f in column) else pl.String
            for column in columns
        ]
        try:
            return self._read_as(types)
        except pl.exceptions.PolarsError:
            self._explain()
        try:
            return self._read_as([pl.String] * self._width)
        except pl.exceptions.PolarsError as error:
            reason = str(error).split("\n")[0]
            raise DataError(
                f"{self._path.name} cannot be read with the separator {self.separator!r}: {reason}; "
                "look for a quotation mark that is not closed"
            ) from None

    def _read_as(self, types: list[Any]) -> "pl.DataFrame":
        import polars as pl

        return pl.read_csv(
            self._source,
            has_header=False,
            skip_lines=self.first_line - 1,
            separator=self.separator,
            schema={f"c{i}": dtype for i, dtype in enumerate(types)},
            null_values=list(MISSING),
            glob=False,
        )

    def _find_decimal(self) -> str:
        """A comma, if there is a column of numbers with commas that can be no marks between thousands."""
        import polars as pl

        for name in self.names:
            if self._frame[name].dtype != pl.String:
                continue
            text = cleaned(self._frame[name])
            numbers = numbers_in(text, ",")
            if len(numbers) - numbers.null_count() < NUMBERS * (len(text) - text.null_count()):
                continue
            commas = text.str.contains(",", literal=True) & numbers.is_not_null()
            clear = commas & ~text.str.contains(r"^[+-]?\d{1,3},\d{3}$")
            if not clear.any():
                continue
            for other in self.names:
                column = self._frame[other]
                if column.dtype == pl.Float64 and (column != column.floor()).any():
                    row = clear.arg_max()
                    assert row is not None
                    raise DataError(
                        f"{self._path.name} writes numbers with a comma in column {name!r} ({text[row]!r}, "
                        f"{self.where(row)}) and with a point in column {other!r}; write all of them in one way"
                    )
            return ","
        return "."

    # -- line by line, to explain --------------------------------------------------------------------------------------

    def _lines(self, most: int | None = None) -> list[str]:
        """Lines as they stand in the file, without their ends."""
        return self._line_series(most).to_list()

    def _line_series(self, most: int | None = None) -> "pl.Series":
        import polars as pl

        try:
            frame = pl.read_csv(
                self._source,
                has_header=False,
                separator="\x1f",
                quote_char=None,
                infer_schema=False,
                encoding="utf8-lossy",
                n_rows=most,
                truncate_ragged_lines=True,
                glob=False,
            )
        except pl.exceptions.NoDataError:
            return pl.Series([], dtype=pl.String)
        except (pl.exceptions.PolarsError, OSError) as error:
            raise DataError(f"{self._path.name} cannot be read: {str(error).splitlines()[0]}") from None
        return frame.to_series().fill_null("").str.strip_prefix("\ufeff")

    def _body(self) -> Iterator[tuple[int, int, list[str]]]:
        """The records below the header."""
        lines = self._lines()[self.first_line - 1 :]
        for line, last, fields in _records(lines, self.separator):
            yield line + self.first_line - 1, last + self.first_line - 1, fields

    def _explain(self) -> None:
        """Raise if the file has a fault that can be told: its encoding, or a line of another length."""
        _check_encoding(self._path)
        for line, _, fields in self._body():
            if len(fields) != self._width and any(field.strip() for field in fields):
                self._ragged(line, len(fields))

    def _ragged(self, line: int, count: int) -> None:
        spoken = _SPOKEN.get(self.separator, repr(self.separator))
        more = count - self._width
        hint = ""
        if more == 1 and line == self.first_line:
            hint = " (if the lines begin with row names, give these a name in the header too)"
        raise DataError(
            f"line {line} of {self._path.name} has {count} field{'s' if count != 1 else ''} separated by {spoken}, "
            f"but there are {self._width} columns; correct the line{hint}, put text that holds a {spoken} in "
            "quotation marks, or pass another separator="
        )

    def _blank_lines(self, rows: int) -> Any:
        """Which rows are blank lines; raises if another line has too few fields."""
        lines = self._line_series()[self.first_line - 1 :]
        blank = (lines.str.strip_chars() == "").to_numpy()
        if lines.str.contains('"', literal=True).any():
            self._explain()
            blank = np.array([not any(field.strip() for field in fields) and len(fields) < self._width
                              for _, _, fields in self._body()])  # fmt: skip
        else:
            short = ~blank & (lines.str.count_matches(self.separator, literal=True) != self._width - 1).to_numpy()
            if short.any():
                line = int(np.argmax(short))
                self._ragged(line + self.first_line, lines[line].count(self.separator) + 1)
        out = np.zeros(rows, dtype=bool)
        out[: len(blank)] = blank[:rows]
        return out

    def _check_encoding_of_sample(self) -> None:
        if any("\ufffd" in line or "\0" in line for line in self._lines(_SAMPLE)):
            _check_encoding(self._path)


def _records(lines: list[str], separator: str) -> Iterator[tuple[int, int, list[str]]]:
    """Each record with its first and last line, counted from 1; a quoted field may run over lines."""
    reader = csv.reader((line + "\n" for line in lines), delimiter=separator)
    line = 1
    try:
        for fields in reader:
            yield line, reader.line_num, fields
            line = reader.line_num + 1
    except csv.Error as error:
        raise DataError(f"line {line} cannot be read: {error}; look for a quotation mark that is not closed") from None


def _find_separator(sample: list[str]) -> str:
    """The separator that cuts the most lines into as many fields as the first; the rarer character wins a tie."""
    best, separator = 0.0, ","
    for candidate in _SEPARATORS:
        widths = [len(fields) for _, _, fields in _records(sample, candidate) if any(f.strip() for f in fields)]
        agree = sum(width == widths[0] for width in widths) / len(widths)
        if widths[0] > 1 and agree > best:
            best, separator = agree, candidate
    return separator


def _checked_path(path: Path) -> list[str]:
    """The endings of a path that can be read, the packing aside."""
    endings = [ending.lower() for ending in path.suffixes]
    plain = endings[:-1] if endings and endings[-1] in _PACKED else endings
    if not path.exists():
        folder = path.parent
        if not folder.is_dir():
            raise DataError(f"there is no file {str(path)!r}: there is no folder {str(folder)!r}; correct the path")
        near = get_close_matches(path.name, [p.name for p in folder.iterdir()], n=3)
        way_out = "did you mean " + " or ".join(map(repr, near)) + "?" if near else "correct the path"
        raise DataError(f"there is no file {path.name!r} in {str(folder.resolve())!r}; {way_out}")
    if not plain or plain[-1] not in (*_TEXT, ".parquet") or (plain[-1] == ".parquet" and plain is not endings):
        ending = "".join(endings[-2:]) or "no ending"
        raise DataError(
            f"{path.name!r} ({ending}) is of no kind that can be read; there are .csv, .tsv, .txt (also with .gz or "
            ".zst) and .parquet: save it as one of these, or pass a frame"
        )
    return plain


def is_readable(path: Path) -> bool:
    """Whether the name is that of a file that can be read."""
    name = path.name.lower().removesuffix(".gz").removesuffix(".zst")
    return name.endswith((*_TEXT, ".parquet"))


def _parquet(path: Path) -> FrameSource:
    import polars as pl

    try:
        return FrameSource(pl.read_parquet(path, glob=False), ours=True)
    except (pl.exceptions.PolarsError, OSError) as error:
        reason = str(error).splitlines()[0]
        raise DataError(f"{path.name} cannot be read as parquet: {reason}; save it anew, or save it as csv") from None


def _content(path: Path) -> bytes:
    """The bytes of a file; of a packed file, what is in it."""
    if path.suffix.lower() == ".gz":
        with gzip.open(path) as stream:
            return stream.read()
    if path.suffix.lower() == ".zst":
        import polars as pl

        lossy: Any = {"has_header": False, "separator": "\x1f", "quote_char": None, "infer_schema": False}
        lines = pl.read_csv(path, encoding="utf8-lossy", glob=False, **lossy).to_series().fill_null("")
        return "\n".join(lines.to_list()).encode()
    return path.read_bytes()


def _check_encoding(path: Path) -> None:
    """Raise if the file is not UTF-8, naming the first line that is not."""
    content = _content(path)
    if content.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in content[:4096]:
        raise DataError(f"{path.name} is written in UTF-16 or is no text at all; save it as UTF-8")
    # polars unpacks .zst, and has put the replacement character where it could not decode
    at = content.find("\ufffd".encode()) if path.suffix.lower() == ".zst" else -1
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        at = error.start
    if at >= 0:
        line = content.count(b"\n", 0, at) + 1
        raise DataError(f"line {line} of {path.name} is not written in UTF-8; save it as UTF-8 and try again")
