"""Frames and arrays of other libraries as columns of numbers or labels.

narwhals reads frames of pandas, polars and pyarrow alike; the type that it reports decides how a column is read.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from numbers import Real
from typing import Any, Self

import numpy as np

from ancestral.data.column_kinds import Floats, Kind, Labels, in_level_order, label_of, labels_of_text, relabelled
from ancestral.data.column_names import column_names, wrong_count_of_names
from ancestral.data.errors import DataError, leave_out
from ancestral.data.read.deadline import patiently
from ancestral.data.read.guards import faults_of_libraries, reason, refusing
from ancestral.data.read.missing_values import IN_FRAMES, MissingValues
from ancestral.data.read.remarks import Remark
from ancestral.data.read.text_values import holds_dates, read_text_values
from ancestral.errors import Option, OptionError

__all__ = ["ArraySource", "FrameSource"]


class FrameSource:
    """A frame of pandas, polars, pyarrow, or another library that narwhals knows.

    Numbers are copied, since the user may change the frame later, or an array that it was made of. If the frame is
    `ours`, nothing else refers to it, and they are not copied. `missing` says what counts as missing besides nulls. If
    it is `from_file`, a text file, its text may be numbers, with this decimal mark; `takes_decimal` tells whether the
    user may choose it.
    """

    def __init__(
        self,
        frame: object,
        missing: MissingValues = IN_FRAMES,
        *,
        ours: bool = False,
        decimal: str = ".",
        takes_decimal: bool = True,
        from_file: bool = False,
    ) -> None:
        import narwhals as nw

        try:
            known: Any = nw.from_native(frame)
            native = list(known.columns) if isinstance(known, nw.DataFrame) else known.collect_schema().names()
        except TypeError:
            raise _not_a_table(frame) from None
        except nw.exceptions.DuplicateError:
            column_names(getattr(frame, "column_names", None) or frame.columns)  # type: ignore[attr-defined]
            raise  # not reached: the line before raises, with the name
        if isinstance(known, nw.LazyFrame):
            with refusing("the lazy frame cannot be collected", "correct the query"):
                known = patiently(known.collect)
        self.frame = known
        self._missing = missing
        self._ours = ours
        self._decimal = decimal
        self._takes_decimal = takes_decimal
        self._from_file = from_file
        self.remarks: list[Remark] = []
        self._polars = known.to_native() if known.implementation.is_polars() else None
        self.names = column_names(native)
        self._native = dict(zip(self.names, native, strict=True))
        self._named = dict(zip(native, self.names, strict=True))
        self.rows = len(known)

    def load(self, names: Sequence[str]) -> Self:
        """The source itself: a frame is in memory already."""
        return self

    def where(self, row: int) -> str:
        """How errors name a row: by its number, counted from 1."""
        return f"row {row + 1}"

    def missing_words(self, names: Sequence[str]) -> dict[str, dict[str, int]]:
        """How often each word stands for a missing value in these columns: none does in columns that have a type."""
        if not self._from_file or self._polars is None:
            return {}
        return {name: words for name in names if (words := self._missing.words_in(self._polars.get_column(name)))}

    def column(self, name: str, kind: Kind | None) -> Floats | Labels:
        """The column of that name as numbers or labels."""
        try:
            values = self._column(name, kind)
            return values if isinstance(values, Labels) else self._missing.among(values)
        except faults_of_libraries() as error:
            raise DataError(
                f"column {name!r} cannot be read: {reason(error)}; make it numbers or text, or ", *leave_out(name)
            ) from None

    def _column(self, name: str, kind: Kind | None) -> Floats | Labels:
        import narwhals as nw
        import polars as pl

        if self._polars is not None:
            plain = self._polars.get_column(name)
            if plain.dtype == pl.Float64:
                return plain.to_numpy() if self._ours else np.array(plain.to_numpy())
            if plain.dtype == pl.String:
                return self._text_values(plain, name, kind)
            if plain.dtype.is_integer():
                numbers = plain.cast(pl.Float64).to_numpy()
                return numbers if self._ours else np.array(numbers)
            if plain.dtype == pl.Boolean:
                return _truth_values(plain, self._missing)
            if plain.dtype == pl.Categorical:
                return labels_of_text(plain.cast(pl.String), self._missing.cleaned)
        series = self.frame.get_column(self._native[name])
        dtype = series.dtype
        if (categories := _ordered_categories(series)) is not None:
            labels = _objects(series.to_list(), name, kind, self._missing, self._text_values, labels=True)
            assert isinstance(labels, Labels)
            return relabelled(labels, tuple(map(_label, categories)), ordered=True)
        if dtype.is_numeric():
            return np.array(series.cast(nw.Float64).to_numpy(), dtype=np.float64)
        if dtype.is_temporal():
            raise holds_dates(name, str(dtype))
        if dtype == nw.String:
            words = [value if isinstance(value, str) else None for value in series.to_list()]
            return self._text_values(pl.Series(words, dtype=pl.String), name, kind)
        if dtype in (nw.Boolean, nw.Categorical, nw.Object, nw.Unknown):
            are_labels = dtype == nw.Categorical
            return _objects(series.to_list(), name, kind, self._missing, self._text_values, labels=are_labels)
        raise DataError(
            f"column {name!r} holds values of type {dtype}, which are neither numbers nor labels; unpack it into "
            "columns of its own, or ",
            *leave_out(name),
        )

    def _text_values(self, text: Any, name: str, kind: Kind | None) -> Floats | Labels:
        return read_text_values(
            text,
            name,
            kind,
            self.where,
            self._missing,
            decimal=self._decimal,
            takes_decimal=self._takes_decimal,
            from_file=self._from_file,
            remark=self.remarks.append,
        )

    def check_objects(self, name: str) -> None:
        """Raise DataError if a column holds Python objects other than numbers, text or truth values."""
        import narwhals as nw
        import polars as pl

        if self._polars is not None and self._polars.get_column(name).dtype != pl.Object:
            return
        series = self.frame.get_column(self._native[name])
        if series.dtype in (nw.Object, nw.Unknown):
            _check_objects([value for value in series.to_list() if not _is_missing(value)], name)

    def in_polars(self, names: Iterable[str]) -> Any:
        """These columns as a frame of polars."""
        chosen = {self._native[name]: name for name in names}
        try:
            if any(native != name for native, name in chosen.items()):  # numbers, by which pandas counts columns
                return self.frame.rename(self._named).select(list(chosen.values())).to_polars()
            return self.frame.select(list(chosen)).to_polars()
        except faults_of_libraries() as error:
            raise DataError(
                f"a frame cannot be read: {reason(error)}; make each of its columns numbers or text"
            ) from None

    def is_text(self, name: str) -> bool:
        """Whether a column is text, not numbers, categories or truth values."""
        import narwhals as nw

        dtype = self.frame.get_column(self._native[name]).dtype
        if dtype != nw.Object:
            return bool(dtype == nw.String)
        present = (value for value in self.frame.get_column(self._native[name]).to_list() if not _is_missing(value))
        return all(isinstance(value, str) for value in present)


def _truth_values(values: Any, missing: MissingValues) -> Labels:
    """A column of truth values of polars as labels."""
    import polars as pl

    words = missing.cleaned(pl.Series(["False", "True"])).to_list()
    numbers = values.cast(pl.Int8).fill_null(2).to_numpy()
    occurring = [word for i, word in enumerate(words) if word is not None and (numbers == i).any()]
    levels = in_level_order(occurring)
    code = [levels.index(word) if word in levels else -1 for word in words]
    return Labels(np.array([*code, -1], dtype=np.int32)[numbers], levels)


def _ordered_categories(series: Any) -> list[Any] | None:
    """The categories of a column from the lowest to the highest; None if it has none, or they are not ordered.

    Those of an Enum of polars are ordered, and categories of pandas and dictionaries of pyarrow that say so.
    """
    import narwhals as nw

    if series.dtype == nw.Enum:
        return list(series.dtype.categories)
    native_type = getattr(series.to_native(), "type", None)
    if series.dtype == nw.Categorical and getattr(native_type, "ordered", False):
        whole = series.to_native().unify_dictionaries()
        return list(whole.chunk(0).dictionary.to_pylist()) if whole.num_chunks else []
    return None


def _not_a_table(source: object) -> OptionError:
    if isinstance(source, list | tuple) and not source:
        return OptionError(f"the {type(source).__name__} is empty; pass paths of files, or frames")
    return OptionError(
        "must be a table",
        option="source",
        value=source,
        way_out="pass a frame of pandas, polars or pyarrow, a two-dimensional numpy array, the path of a file or a "
        "folder, or a list of paths or of frames",
    )


class ArraySource:
    """A two-dimensional numpy array with a column for each variable, named x1, x2, … if no names are given."""

    def __init__(self, array: Any, names: Iterable[object] | None, missing: MissingValues = IN_FRAMES) -> None:
        if array.dtype.names is not None:
            raise OptionError("an array with named fields is not a table; pass polars.DataFrame(array)")
        if array.ndim != 2:
            raise OptionError(
                f"an array of shape {array.shape} is not a table; a table has two dimensions, rows and columns"
            )
        if array.dtype.kind not in "biufO":
            raise OptionError(
                f"an array of type {array.dtype} does not hold numbers; pass numbers, or a frame for text"
            )
        self._missing = missing
        self.remarks: list[Remark] = []
        self._array = np.asarray(array) if isinstance(array, np.matrix) else array
        self.rows, count = array.shape
        self.names = column_names(names if names is not None else (f"x{i}" for i in range(1, count + 1)))
        if len(self.names) != count:
            raise wrong_count_of_names(len(self.names), count, " of the array")
        self._position = {name: i for i, name in enumerate(self.names)}

    def load(self, names: Sequence[str]) -> Self:
        """The source itself: an array is in memory already."""
        return self

    def where(self, row: int) -> str:
        """How errors name a row: by its number, counted from 0 as in numpy."""
        return f"row {row} of the array"

    def column(self, name: str, kind: Kind | None) -> Floats | Labels:
        """The column of that name as numbers or labels."""
        values = self._array[:, self._position[name]]
        if values.dtype.kind in "bO":
            objects = _objects(values.tolist(), name, kind, self._missing, self._text_values, labels=False)
            return objects if isinstance(objects, Labels) else self._missing.among(objects)
        numbers = np.array(values, dtype=np.float64)
        numbers[np.ma.getmaskarray(values)] = np.nan
        return self._missing.among(numbers)

    def missing_words(self, names: Sequence[str]) -> dict[str, dict[str, int]]:
        """How often each word stands for a missing value in these columns: none does in an array."""
        return {}

    def _text_values(self, text: Any, name: str, kind: Kind | None) -> Floats | Labels:
        return read_text_values(
            text, name, kind, self.where, self._missing, from_file=False, remark=self.remarks.append
        )


def _objects(
    values: list[Any], name: str, kind: Kind | None, missing: MissingValues, text_values: Any, *, labels: bool
) -> Floats | Labels:
    """Python objects as numbers if all are numbers, as labels if they are text, truth values or categories."""
    import polars as pl

    values = [None if _is_missing(value) else value for value in values]
    present = [value for value in values if value is not None]
    if all(isinstance(value, Real | Decimal) and not isinstance(value, bool | np.bool) for value in present):
        if not labels:
            return np.array([np.nan if value is None else _number(value, name) for value in values], dtype=np.float64)
    elif all(isinstance(value, str) for value in present):
        if not labels:
            return text_values(pl.Series(values, dtype=pl.String), name, kind)
    elif kind != "discrete" and not labels:
        _check_objects(present, name)
    words = pl.Series([None if value is None else _label(value) for value in values], dtype=pl.String)
    return labels_of_text(words, missing.cleaned)


def _check_objects(present: list[Any], name: str) -> None:
    """Raise DataError unless these objects are all numbers, all text, or all truth values."""
    numbers = all(isinstance(value, Real | Decimal) and not isinstance(value, bool | np.bool) for value in present)
    if numbers or any(all(isinstance(value, kind) for value in present) for kind in (str, bool | np.bool)):
        return
    types = sorted({type(value).__name__ for value in present})
    raise DataError(
        f"column {name!r} holds values of type {' and '.join(types)}; make it numbers or text, pass ",
        Option("kinds", {name: "discrete"}),
        ", or ",
        *leave_out(name),
    )


def _number(value: Any, name: str) -> float:
    try:
        return float(value)
    except OverflowError:
        raise DataError(
            f"column {name!r} holds numbers beyond 1.8e308, the largest that floating point can hold; rescale it"
        ) from None


def _label(value: Any) -> str:
    is_number = isinstance(value, Real | Decimal) and not isinstance(value, bool | np.bool)
    try:
        return label_of(float(value)) if is_number else str(value)
    except OverflowError:
        return str(value)


def _is_missing(value: Any) -> bool:
    if value is None or type(value).__name__ in ("NAType", "NaTType", "MaskedConstant"):
        return True
    if isinstance(value, Decimal):
        return value.is_nan()  # a signalling NaN cannot be compared
    return isinstance(value, Real) and bool(value != value)
