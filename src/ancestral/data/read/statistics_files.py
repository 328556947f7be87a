"""Files of statistics programs: Stata, SPSS and SAS.

Value labels become labels, in the order of their codes where the file says that the variable is ordinal. Values that
the file declares missing are missing, and so is empty text, which these programs have in the place of missing text.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ancestral.data.column_kinds import label_of
from ancestral.data.read.path_checks import shown_path
from ancestral.data.read.remarks import CodeOrder, Remark
from ancestral.extras import require_package

if TYPE_CHECKING:
    import polars as pl

__all__ = ["READERS", "names", "read", "remarks"]

#: The function of pyreadstat that reads files with an ending.
READERS = {
    ".dta": "read_dta",
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".por": "read_por",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}


def names(path: Path) -> list[str]:
    """The names of the columns."""
    _, about = _reader(path)(metadataonly=True)
    return list(about.column_names)


def read(path: Path) -> "pl.DataFrame":
    """All rows, with labels in the place of their codes."""
    import polars as pl

    values, about = _reader(path)()
    labels, measures = about.variable_value_labels, about.variable_measure
    return pl.DataFrame(
        [_column(name, list(values[name]), labels.get(name), measures.get(name)) for name in about.column_names]
    )


def remarks(path: Path) -> list[Remark]:
    """The orders of labels by their codes, of variables of which the file does not say what they are."""
    _, about = _reader(path)(metadataonly=True)
    return [
        Remark(name, CodeOrder(tuple(_distinct(labels).values())))
        for name, labels in about.variable_value_labels.items()
        if about.variable_measure.get(name) not in ("ordinal", "nominal")
    ]


def _reader(path: Path) -> Callable[..., Any]:
    require_package("pyreadstat", "statistics", f"to read {shown_path(path.name)}")
    import pyreadstat

    return partial(getattr(pyreadstat, READERS[path.suffix.lower()]), path, output_format="dict")


def _column(name: str, values: list[Any], labels: dict[Any, str] | None, measure: str | None) -> "pl.Series":
    """The values of a variable, or their labels if all of them have one."""
    import polars as pl

    values = [None if value is None or value != value or value == "" else value for value in values]
    codes = {value for value in values if value is not None}
    if not labels or not codes <= set(labels):
        return pl.Series(name, values, strict=False)
    words = _distinct(labels)
    dtype = pl.Enum(words.values()) if measure == "ordinal" else pl.Categorical
    return pl.Series(name, [None if value is None else words[value] for value in values], dtype=dtype)


def _distinct(labels: dict[Any, str]) -> dict[Any, str]:
    """The labels in the order of their codes; where several codes have the same one, the code is added."""
    order = sorted(labels, key=lambda code: (isinstance(code, str), code))
    texts = [labels[code].strip() for code in order]
    return {
        code: text if text and texts.count(text) == 1 else f"{text} ({_code(code)})".strip()
        for code, text in zip(order, texts, strict=True)
    }


def _code(code: Any) -> str:
    return code if isinstance(code, str) else label_of(float(code))
