"""Files as they come in real life, and what reading them must give: values, notes, or an error with cause and remedy.

What is expected is written by hand beside each file, or follows from the numbers that the file was written from.
"""

# ruff: noqa: E501 (a file is a line)

import datetime as dt
import struct
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["FILES", "UglyFile"]

#: Measurements of twelve rows, with different numbers of decimals, and two sets of labels.
X = [1.5, 2.25, -3.5, 4.0, 5.75, 6.5, 7.25, 8.0, 9.5, 10.25, 11.5, 12.75]
Y = [0.1, 20.2, 3.3, 40.4, 5.5, 60.6, 7.7, 80.8, 9.9, 100.25, 11.1, 12.2]
G = ["low", "high", "mid"] * 4
N = len(X)


@dataclass(frozen=True)
class UglyFile:
    """`columns`: the values of each column, None for a missing one, labels as text. `words`: what the error must say.

    `notes`: what warnings must say. `make` writes the file; `options` are those of `Table.of`.
    """

    what: str
    name: str
    make: Callable[[Path], object]
    columns: dict[str, Sequence[float | str | None]] | None = None
    words: Sequence[str] = ()
    notes: Sequence[str] = ()
    options: dict[str, Any] = field(default_factory=dict)


def text(*lines: str, end: str = "\n", encoding: str = "utf-8", last: bool = True) -> Callable[[Path], object]:
    """A file of these lines."""
    content = end.join(lines) + (end if last else "")
    return lambda path: path.write_bytes(content.encode(encoding))


def rows(*columns: Iterable[object], sep: str = ",") -> list[str]:
    """Lines with a value of each column."""
    return [sep.join(str(value) for value in values) for values in zip(*columns, strict=True)]


def comma(number: float) -> str:
    return str(number).replace(".", ",")


def german(number: float) -> str:
    """1234.5 as 1.234,5."""
    return f"{number:,}".replace(",", "_").replace(".", ",").replace("_", ".")


LARGE = [1234.5, 2345678.25, 950.0, 12000.5, 3400.0, 77.25, 1500.5, 123456.0, 9800.25, 4321.0, 8765.5, 6543.75]
WHOLE = [1234, 2345678, 950, 12000, 3400, 77, 1500, 123456, 9800, 4321, 8765, 6543]
DAYS = [dt.date(2024, 1, 1) + dt.timedelta(days=17 * i) for i in range(N)]
AGREE = ["strongly agree", "agree", "neutral", "disagree", "strongly disagree", "agree"] * 2


def excel(*sheets: Sequence[Sequence[object]]) -> Callable[[Path], object]:
    """A workbook with these sheets, each a list of rows; None is an empty cell, and dates have a format of dates."""

    def write(path: Path) -> None:
        import xlsxwriter

        book = xlsxwriter.Workbook(str(path))
        as_date = book.add_format({"num_format": "yyyy-mm-dd"})
        for number, lines in enumerate(sheets, start=1):
            sheet = book.add_worksheet(f"Sheet {number}")
            for i, line in enumerate(lines):
                for j, cell in enumerate(line):
                    if isinstance(cell, dt.date):
                        sheet.write_datetime(i, j, dt.datetime.combine(cell, dt.time()), as_date)
                    elif isinstance(cell, str):
                        sheet.write_string(i, j, cell)
                    elif cell is not None:
                        sheet.write(i, j, cell)
        book.close()

    return write


def merged(path: Path) -> None:
    """A workbook whose header has two lines with merged cells."""
    import xlsxwriter

    book = xlsxwriter.Workbook(str(path))
    sheet = book.add_worksheet()
    sheet.merge_range(0, 0, 0, 1, "blood")
    sheet.write(0, 2, "group")
    for j, name in enumerate(["before", "after", "label"]):
        sheet.write(1, j, name)
    for i in range(N):
        sheet.write_row(2 + i, 0, [X[i], Y[i], G[i]])
    book.close()


def table(*columns: Sequence[object], header: Sequence[object]) -> list[list[object]]:
    return [list(header), *(list(values) for values in zip(*columns, strict=True))]


def opendocument(path: Path) -> None:
    """The smallest file of LibreOffice with a table."""
    space = "urn:oasis:names:tc:opendocument:xmlns"
    lines = table(X, G, header=["x", "g"])

    def cell(value: object) -> str:
        kind = (
            f'office:value-type="float" office:value="{value}"'
            if isinstance(value, float)
            else ('office:value-type="string"')
        )
        return f"<table:table-cell {kind}><text:p>{value}</text:p></table:table-cell>"

    inner = "".join(f"<table:table-row>{''.join(map(cell, line))}</table:table-row>" for line in lines)
    content = (
        f'<?xml version="1.0"?><office:document-content xmlns:office="{space}:office:1.0" '
        f'xmlns:table="{space}:table:1.0" xmlns:text="{space}:text:1.0" office:version="1.2"><office:body>'
        f'<office:spreadsheet><table:table table:name="One">{inner}</table:table></office:spreadsheet></office:body>'
        "</office:document-content>"
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content)
        archive.writestr("META-INF/manifest.xml", '<?xml version="1.0"?><manifest:manifest xmlns:manifest='
                         f'"{space}:manifest:1.0"/>')  # fmt: skip


def statistics(ending: str, **more: Any) -> Callable[[Path], object]:
    """A file of SPSS, Stata or SAS with a measurement, codes with labels, and text."""

    def write(path: Path) -> None:
        import pandas as pd
        import pyreadstat

        codes = {"low": 1.0, "mid": 2.0, "high": 3.0}
        words = ["a", "b", "", "a", "b", "a", "b", "a", "b", "a", "b", "a"]
        frame = pd.DataFrame({"x": [-9.0, *X[1:]], "g": [codes[label] for label in G], "s": words})
        labels = {} if ending == "xport" else {"variable_value_labels": {"g": {v: k for k, v in codes.items()}}}
        getattr(pyreadstat, f"write_{ending}")(frame, str(path), **labels, **more)

    return write


def arrow(path: Path) -> None:
    import polars as pl

    pl.DataFrame({"x": X, "g": ["None", "NA", "?"] * 4}).write_ipc(path)


SPSS_MISSING = {"missing_ranges": {"x": [-9]}, "variable_measure": {"g": "ordinal"}}
GAP = [None, *X[1:]]
WORDS = ["a", "b", None, "a", "b", "a", "b", "a", "b", "a", "b", "a"]

FILES = [
    # separators, decimal marks and encodings
    UglyFile("semicolons and decimal commas", "a.csv", text("x;g", *rows(map(comma, X), G, sep=";")), {"x": X, "g": G}),
    UglyFile("tabs in a csv", "a.csv", text("x\tg", *rows(X, G, sep="\t")), {"x": X, "g": G}),
    UglyFile("a byte order mark", "a.csv", text("\ufeffx,g", *rows(X, G)), {"x": X, "g": G}),
    UglyFile("mixed decimal marks", "a.csv", text("x;y", *rows(map(comma, X), Y, sep=";")),
             words=["writes numbers with a comma in column 'x'", "and with a point in column 'y'"]),
    UglyFile("UTF-16 unsaid", "a.csv", text("x,g", *rows(X, G), encoding="utf-16"),
             words=["a.csv is written in UTF-16", 'pass encoding="utf-16"']),
    UglyFile("UTF-16 said", "a.csv", text("x,g", *rows(X, G), encoding="utf-16"), {"x": X, "g": G},
             options={"encoding": "utf-16"}),
    UglyFile("UTF-16 without a mark", "a.csv", text("x,g", *rows(X, G), encoding="utf-16-le"),
             words=['pass encoding="utf-16-le"']),
    UglyFile("latin-1 unsaid", "a.csv", text("x,größe", *rows(X, G), encoding="latin-1"),
             words=["line 1 of a.csv is not written in UTF-8", "0xF6", "'größe'", 'pass encoding="latin-1"']),
    UglyFile("latin-1 said", "a.csv", text("x,größe", *rows(X, G), encoding="latin-1"), {"x": X, "größe": G},
             options={"encoding": "latin-1"}),
    UglyFile("cp1252 unsaid, in a late line", "a.csv", text("x,g", *rows(X, [*G[:-1], "10 €"]), encoding="cp1252"),
             words=["line 13 of a.csv is not written in UTF-8", "0x80", 'pass encoding="cp1252"']),
    UglyFile("an old Macintosh", "a.csv", text("x,g", *rows(X, G), end="\r"), {"x": X, "g": G}),
    UglyFile("mixed line ends", "a.csv", text("x,g\r", *rows(X[:6], G[:6]), *(f"{line}\r" for line in rows(X[6:], G[6:]))),
             {"x": X, "g": G}),
    UglyFile("no line end at the end", "a.csv", text("x,g", *rows(X, G), last=False), {"x": X, "g": G}),
    UglyFile("a line end within quotation marks", "a.csv", text("x,g", *rows(X, ['"two\nlines"', *G[1:]])),
             {"x": X, "g": ["two\nlines", *G[1:]]}),
    # notations
    UglyFile("thousands with commas", "a.csv", text("x,n", *rows(X, (f'"{n:,}"' for n in WHOLE))),
             {"x": X, "n": WHOLE}, notes=["column 'n' has numbers with marks between thousands: '1,234' (line 2 of a.csv)"]),
    UglyFile("thousands with points", "a.csv", text("x;n", *rows(map(comma, X), map(german, LARGE), sep=";")),
             {"x": X, "n": LARGE}, notes=["column 'n' has numbers with marks between thousands: '1.234,5' (line 2"]),
    UglyFile("thousands with spaces", "a.csv", text("x,n", *rows(X, (f"{n:,}".replace(",", " ") for n in WHOLE))),
             {"x": X, "n": WHOLE}, notes=["'1 234' (line 2 of a.csv) is read as 1234"]),
    UglyFile("thousands or decimals", "a.csv", text("n;g", *rows((f"{i + 1},{i + 120}" for i in range(N)), G, sep=";")),
             words=["column 'n' holds numbers such as '1,120' (line 2 of a.csv)", 'decimal="," to read 1.12',
                    'decimal="." to read 1120']),
    UglyFile("percent signs", "a.csv", text("x,p", *rows(X, (f"{y}%" for y in Y))), {"x": X, "p": Y},
             notes=["column 'p' holds percentages", "'0.1%' (line 2 of a.csv) is 0.1"]),
    UglyFile("percent signs here and there", "a.csv", text("x,p", *rows(X, ["9.4%", *Y[1:]])),
             words=["column 'p' holds percentages, such as '9.4%' (line 2", "such as '20.2' (line 3"]),
    UglyFile("a currency", "a.csv", text("x,p", *rows(X, (f'"${n:,}.50"' for n in WHOLE))),
             words=["column 'p' holds amounts with a sign of currency, such as '$1,234.50' (line 2"]),
    UglyFile("scientific notation", "a.csv", text("x,y", *rows((f"{x:.4e}" for x in X), (f"{y:.2E}".replace("E+0", "E") for y in Y))),
             {"x": X, "y": [float(f"{y:.2e}") for y in Y]}),
    UglyFile("typographic minus", "a.csv", text("x,g", *rows((str(x).replace("-", "\u2212") for x in X), G)), {"x": X, "g": G}),
    UglyFile("hidden spaces", "a.csv", text("x , g", *rows((f" {x}\u00a0" for x in X), (f"{g}\u00a0 " for g in G))),
             {"x": X, "g": G}),
    UglyFile("below the limit of detection", "a.csv", text("x,g", *rows([*X[:-1], "< 0.01"], G)),
             words=["column 'x' holds numbers, but '< 0.01' (line 13 of a.csv) is not a number", "na=['< 0.01']"]),
    UglyFile("leading zeros", "a.csv", text("x,zip", *rows(X, (f"0{1067 + i}" for i in range(N)))),
             {"x": X, "zip": [1067 + i for i in range(N)]},
             notes=["column 'zip' has numbers that begin with a zero, such as '01067'", "kinds={'zip': 'discrete'}"]),
    # dates
    UglyFile("dates by ISO", "a.csv", text("x,day", *rows(X, DAYS)),
             words=["column 'day' holds dates or times (such as '2024-01-01' (line 2 of a.csv))", "drop=['day']"]),
    UglyFile("German dates", "a.csv", text("x,day", *rows(X, (d.strftime("%d.%m.%Y") for d in DAYS))),
             words=["column 'day' holds dates or times (such as '01.01.2024'"]),
    UglyFile("American dates", "a.csv", text("x,day", *rows(X, (d.strftime("%m/%d/%Y") for d in DAYS))),
             words=["column 'day' holds dates or times (such as '01/01/2024'"]),
    UglyFile("time stamps", "a.csv", text("x,t", *rows(X, (f"{d}T08:15:30Z" for d in DAYS))),
             words=["column 't' holds dates or times (such as '2024-01-01T08:15:30Z'"]),
    UglyFile("dates as labels on purpose", "a.csv", text("x,day", *rows(X, DAYS[:3] * 4)),
             {"x": X, "day": [str(day) for day in DAYS[:3] * 4]}, options={"kinds": {"day": "discrete"}}),
    # missing values
    UglyFile("many words for missing", "a.csv",
             text("x,g", *rows(["NA", "N/A", "NaN", "null", "?", "*", *X[6:]], ["", *G[1:]])),
             {"x": [*[None] * 6, *X[6:]], "g": [None, *G[1:]]}, options={"missing": "testwise"}),
    UglyFile("n/a in small letters", "a.csv", text("x,g", *rows([*X[:-1], "n/a"], G)),
             words=["'n/a' (line 13 of a.csv) is not a number", "na=['n/a']"]),
    UglyFile("n/a declared", "a.csv", text("x,g", *rows([*X[:-1], "n/a"], G)), {"x": [*X[:-1], None], "g": G},
             options={"missing": "testwise", "na": "n/a"}),
    UglyFile("-999 declared", "a.csv", text("x,g,k", *rows([*X[:-1], "-999"], G, [*([1, 2] * 5), 1, "-999.0"])),
             {"x": [*X[:-1], None], "g": G, "k": [*(["1", "2"] * 5), "1", None]},
             options={"missing": "testwise", "na": ["-999"]}),
    UglyFile("points for missing, as in SAS", "a.csv", text("x,g", *rows([".", *X[1:]], [*G[:-1], "."])),
             {"x": GAP, "g": [*G[:-1], None]}, options={"missing": "testwise", "na": ["."]}),
    UglyFile("None among labels", "a.csv", text("x,accident", *rows(X, ["None", "Mild", "Severe"] * 4)),
             words=["in column 'accident', 'None' counts as missing and is not a label like 'Mild' and 'Severe', 4 times",
                    "if it is a label, pass na=['NA', 'N/A', 'NaN', 'nan', 'null', '*', '?']; if the values are really"]),
    UglyFile("None as a label", "a.csv", text("x,accident", *rows(X, ["None", "Mild", "Severe"] * 4)),
             {"x": X, "accident": ["None", "Mild", "Severe"] * 4}, options={"na": ["NA"]}),
    # the shape of the table
    UglyFile("an empty file", "a.csv", text(last=False), words=["a.csv is empty"]),
    UglyFile("only a header", "a.csv", text("x,g"), words=["a.csv has a line of column names but no rows"]),
    UglyFile("a single column of words", "a.csv", text("g", *G), words=["a.csv has a single column, 'g'", "separator"]),
    UglyFile("ragged rows", "a.csv", text("x,g", *rows(X, G), "1.5"), words=["line 14 of a.csv has 1 field", "2 columns"]),
    UglyFile("separators at the ends", "a.csv", text("x,g,", *(f"{line}," for line in rows(X, G))),
             words=["line 1 of a.csv ends with a comma, so column 3 has no name", "remove the comma"]),
    UglyFile("a name twice", "a.csv", text("x,x", *rows(X, Y)), words=["columns 1 and 2 are both named 'x' in line 1"]),
    UglyFile("a name that is empty", "a.csv", text("x,,g", *rows(X, Y, G)), words=["column 2 of a.csv has no name"]),
    UglyFile("the index of pandas", "a.csv", text(",x,g", *rows(range(N), X, G)), {"x": X, "g": G},
             notes=["the first column has no name and numbers the rows, so it is left out"]),
    UglyFile("the index of pandas, read and written again", "a.csv", text("Unnamed: 0,x,g", *rows(range(N), X, G)),
             {"x": X, "g": G}, notes=["so it is left out"]),
    UglyFile("the row names of R", "a.csv", text('"","x","g"', *rows((f'"{i + 1}"' for i in range(N)), X, G)),
             {"x": X, "g": G}, notes=["so it is left out"]),
    UglyFile("row names that are words", "a.csv", text('"","x","y"', *rows((f'"car {i}"' for i in range(N)), X, Y)),
             words=["the first column has no name (here it is called 'Unnamed: 0')", "drop=['Unnamed: 0']"]),
    UglyFile("row names that are dropped", "a.csv", text('"","x","y"', *rows((f'"car {i}"' for i in range(N)), X, Y)),
             {"x": X, "y": Y}, options={"drop": ["Unnamed: 0"]}),
    UglyFile("rows that were shuffled", "a.csv", text(",x,g", *rows([3, 1, 2, *range(4, N), 0], X, G)),
             words=["does not number the rows"]),
    UglyFile("remarks above the header", "a.csv", text("# made by a logger", "# 2024", "x,g", *rows(X, G)),
             words=["line 1 of a.csv begins with '#', like a remark", "2 fields separated by comma; remove what is above"]),
    UglyFile("a title above the header", "a.csv", text("Results of the study", "x,g", *rows(X, G)),
             words=["line 1 of a.csv is 'Results of the study', like a title", "remove what is above the names"]),
    UglyFile("units below the header", "a.csv", text("x,y", "cm,kg", *rows(X, Y)),
             words=["column 'x' holds numbers, but 'cm' (line 2 of a.csv) is not a number",
                    "column 'y' holds numbers, but 'kg' (line 2 of a.csv) is not a number"]),
    UglyFile("totals below the rows", "a.csv", text("g,x", *rows(G, X), f"Total,{sum(X)}"),
             {"g": [*G, "Total"], "x": [*X, sum(X)]},
             notes=["the last row seems to hold totals ('Total' in column 'g')"]),
    UglyFile("a blank line at the end", "a.csv", text("x,g", *rows(X, G), "", "   "), {"x": X, "g": G}),
    UglyFile("no header", "a.csv", text(*rows(X, Y)), words=["line 1 of a.csv has numbers where the names", "names"]),
    UglyFile("quotes that do not close", "a.csv", text("x,g", *rows(X, ['"low', *G[1:]])),
             words=["line 2 of a.csv has a quotation mark that is not closed"]),
    UglyFile("bytes", "a.csv", lambda path: path.write_bytes(struct.pack("<20d", *range(20))), words=["is not text"]),
    # labels
    UglyFile("answers of a survey", "a.csv", text("x,q", *rows(X, AGREE)), {"x": X, "q": AGREE}),
    UglyFile("truth values", "a.csv", text("x,a,b,c", *rows(X, ["yes", "no"] * 6, ["Y", "N"] * 6, ["TRUE", "FALSE"] * 6)),
             {"x": X, "a": ["yes", "no"] * 6, "b": ["Y", "N"] * 6, "c": ["TRUE", "FALSE"] * 6}),
    UglyFile("identifiers", "a.csv", text("id,x", *rows((f"P{i:03}" for i in range(30)), [float(i**1.5) for i in range(30)])),
             words=["column 'id' has 30 levels in 30 rows, like an identifier", "drop=['id']"]),
    # spreadsheets
    UglyFile("a spreadsheet", "a.xlsx", excel(table(X, G, header=["x", "g"])), {"x": X, "g": G}),
    UglyFile("a title and an empty row above", "a.xlsx", excel([["Results 2024"], [], *table(X, G, header=["x", "g"])]),
             {"x": X, "g": G}, notes=["the first 2 rows of a.xlsx, above the names of columns, are left out"]),
    UglyFile("several sheets", "a.xlsx", excel(table(X, G, header=["x", "g"]), [["notes"], ["hello"]]), {"x": X, "g": G},
             notes=["a.xlsx has 2 sheets, of which the first, 'Sheet 1', was read"]),
    UglyFile("several sheets and a title", "a.xlsx", excel([["Results"], *table(X, G, header=["x", "g"])], [["notes"]]),
             {"x": X, "g": G}, notes=["a.xlsx has 2 sheets", "the first row of a.xlsx, above the names of columns, is left out ('Results')"]),
    UglyFile("numbers stored as text", "a.xlsx", excel(table(list(map(str, X)), G, header=["x", "g"])), {"x": X, "g": G}),
    UglyFile("a word among the numbers of a sheet", "a.xlsx", excel(table([*X[:-1], "oops"], G, header=["x", "g"])),
             words=["column 'x' holds numbers, but 'oops' (row 12", "is not a number"]),
    UglyFile("NA in a sheet", "a.xlsx", excel(table(["NA", *X[1:]], G, header=["x", "g"])), {"x": GAP, "g": G},
             options={"missing": "testwise"}),
    UglyFile("dates in a sheet", "a.xlsx", excel(table(X, DAYS, header=["x", "day"])),
             words=["column 'day' holds dates or times (such as '2024-01-01"]),
    UglyFile("merged cells in the header", "a.xlsx", merged,
             words=["column B of a.xlsx has no name in row 1", "without merged cells"]),
    UglyFile("empty columns and an index", "a.xlsx",
             excel(table(range(N), X, [None] * N, G, [None] * N, header=[None, "x", None, "g", None])), {"x": X, "g": G},
             notes=["the first column has no name and numbers the rows"]),
    UglyFile("a sheet without anything", "a.xlsx", excel([[]]), words=["the first sheet of a.xlsx is empty"]),
    UglyFile("not a spreadsheet", "a.xlsx", lambda path: path.write_bytes(b"PK nonsense"),
             words=["a.xlsx cannot be read as excel"]),
    UglyFile("a sheet of LibreOffice", "a.ods", opendocument, {"x": X, "g": G}),
    # programs of statistics, Arrow
    UglyFile("SPSS with values declared missing", "a.sav", statistics("sav", **SPSS_MISSING), {"x": GAP, "g": G, "s": WORDS},
             options={"missing": "testwise"}),
    UglyFile("SPSS, compressed", "a.zsav", statistics("sav", compress=True), {"x": [-9.0, *X[1:]], "g": G, "s": WORDS},
             options={"missing": "testwise"}),
    UglyFile("Stata with labels", "a.dta", statistics("dta"), {"x": GAP, "g": G, "s": WORDS},
             options={"missing": "testwise", "na": ["-9"]}),
    UglyFile("SAS", "a.xpt", statistics("xport"), {"x": GAP, "g": [{"low": "1", "mid": "2", "high": "3"}[g] for g in G],
                                                   "s": WORDS}, options={"missing": "testwise", "na": ["-9"]}),
    UglyFile("not of SPSS", "a.sav", lambda path: path.write_bytes(b"$FL2 nonsense"), words=["a.sav cannot be read"]),
    UglyFile("Arrow with words that are labels", "a.feather", arrow, {"x": X, "g": ["None", "NA", "?"] * 4}),
]  # fmt: skip
