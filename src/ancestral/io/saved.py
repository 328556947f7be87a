"""Parts that run files and bootstrap files share: settings, how the data were read, variables, edges.

In a file, variables are numbered in the order of `variables`, that of the user: these numbers are called places. In
memory, positions follow the names.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column_kinds import Kind
from ancestral.data.read_options import ReadOptions
from ancestral.errors import AncestralError, RunError
from ancestral.graphs.marks import ARROW, CIRCLE, TAIL, parse_symbol, symbol
from ancestral.graphs.names import checked_names, in_order
from ancestral.independence.base import Test
from ancestral.io.checked_json import JsonValue
from ancestral.io.columns import Column
from ancestral.io.compression import stated_format
from ancestral.io.files import check_writable, replacing
from ancestral.io.json_writer import document_lines, plain_document
from ancestral.knowledge import Knowledge
from ancestral.options import Colliders, Matrix, Missing
from ancestral.search.algorithm_choice import REASONS
from ancestral.search.algorithms import ALGORITHMS
from ancestral.search.marginals import pair_number
from ancestral.search.settings import Settings
from ancestral.search.stage import Edges

__all__ = [
    "MOST_VARIABLES", "FileHead", "PartsReader", "PartsWriter", "check_overwritable", "checked_lines", "data_part",
    "naming", "saving", "settings_part", "write_lines",
]  # fmt: skip

#: Variables of a file: the matrix of marks of more would take over 10 GB, and a search many times that.
MOST_VARIABLES = 100_000

#: The words that options of reading may have.
_WORDS = {"kinds": get_args(Kind), "missing": get_args(Missing), "matrix": get_args(Matrix)}

EDGES = tuple(symbol(left, right) for left in (CIRCLE, ARROW, TAIL) for right in (CIRCLE, ARROW, TAIL))
_ENDS = np.array([parse_symbol(edge) for edge in EDGES], dtype=np.uint8)


# -- files --------------------------------------------------------------------------------------------------------


def check_overwritable(path: Path, form: str, what: str) -> None:
    """Raise RunError if a file cannot be saved there, or another file is there that is not of this format.

    Of a file that exists, only the first bytes are read. `what` is what a file of the format is called.
    """
    check_writable(path)
    if path.is_fifo():
        raise RunError(f"{path}: must be a file, got a pipe, which cannot be read again; choose another name")
    if path.is_file() and path.stat().st_size and stated_format(path) != form:
        raise RunError(f"{path}: exists and is not a {what}, so it is left alone; choose another name")


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Turn every error of ours inside the block into a RunError that names the file."""
    try:
        yield
    except RunError:
        raise
    except AncestralError as error:
        raise RunError(f"{path}: {error}") from None


@contextmanager
def saving(path: Path) -> Iterator[None]:
    """Turn every error inside the block into a RunError that names the file which could not be saved."""
    try:
        yield
    except AncestralError as error:
        message = str(error)
        raise RunError(message if message.startswith(f"{path}: ") else f"{path}: {message}") from None
    except MemoryError:
        raise RunError(f"{path}: cannot be saved, since memory is short; the result itself is not lost") from None
    except Exception as error:  # a defect in saving must not lose the result of a long search
        what = f"{type(error).__name__}: {error}"
        raise RunError(
            f"{path}: could not be saved ({what}); the result itself is not lost, please report this"
        ) from error


def write_lines(path: Path, lines: Iterator[bytes]) -> None:
    """Write a file piece by piece; it replaces the old one when it is whole."""
    with replacing(path) as file:
        for line in lines:
            file.write(line)


def checked_lines(document: dict[str, Any], reader: type["PartsReader"]) -> Iterator[bytes]:
    """The bytes of a document, piece by piece, after its reader has checked the head.

    Raises RunError, before anything is written, if the document could not be read again.
    """
    plain, packed = plain_document(document)
    reader(JsonValue(plain, None, "")).head()
    return document_lines(plain, packed)


# -- writing ------------------------------------------------------------------------------------------------------


def settings_part(settings: Settings) -> dict[str, Any]:
    """The settings of a search, in plain values."""
    return {**settings.as_dict(), "alpha": None if settings.alpha is None else float(settings.alpha)}


def data_part(
    fingerprint: str, rows: int, kinds: Mapping[str, str] | None, reading: ReadOptions, columns: Sequence[str]
) -> dict[str, Any]:
    """What is known of the data, in plain values: numbers and strings of other libraries are converted."""
    options = {
        name: [str(item) for item in value]
        if isinstance(value, tuple | list)
        else {str(key): str(kind) if isinstance(kind, str) else [*map(str, kind)] for key, kind in value.items()}
        if isinstance(value, Mapping)
        else value
        if isinstance(value, int)
        else str(value)
        for name, value in reading.options().items()
    }
    return {
        "fingerprint": fingerprint,
        "rows": int(rows),
        "kinds": None if kinds is None else [str(kinds[name]) for name in columns],
        "source": reading.source,
        "reading": options,
    }


class PartsWriter:
    """Writes parts of a document; `place` has the place in the file of each position."""

    def __init__(self, place: NDArray[np.int64]) -> None:
        self.place = place.astype(np.intc)

    def edges(self, pairs: NDArray[np.intc], marks: NDArray[np.uint8]) -> dict[str, Any]:
        """A list of edges: columns `a`, `edge`, `b`, each edge read from the variable that comes first in the file."""
        a, b = self.place[pairs].T.reshape(2, -1)
        at_a, at_b = marks.T.reshape(2, -1).astype(np.intc)
        swapped = a > b
        left, right = np.where(swapped, at_b, at_a), np.where(swapped, at_a, at_b)
        codes = (3 * (left - CIRCLE) + right - CIRCLE).astype(np.uint8)
        return {
            "a": Column.whole(np.minimum(a, b)),
            "edge": Column.of_texts(codes, EDGES),
            "b": Column.whole(np.maximum(a, b)),
        }


# -- reading ------------------------------------------------------------------------------------------------------


def _names(place: JsonValue) -> Any:
    """A name, or a list of names."""
    return place.text() if isinstance(place.value, str) else [item.text() for item in place.items()]


@dataclass(frozen=True, kw_only=True)
class FileHead:
    """What the files of runs and bootstraps both state about the search and its data."""

    made_by: str
    settings: Settings
    fingerprint: str
    rows: int
    reading: ReadOptions
    kinds: Mapping[str, str] | None

    @staticmethod
    def of(test: Test, settings: Settings, reading: ReadOptions, made_by: str) -> "FileHead":
        """The head of a search of these data."""
        return FileHead(
            made_by=made_by,
            settings=settings,
            fingerprint=test.fingerprint,
            rows=test.rows,
            reading=reading,
            kinds=test.kinds,
        )

    def shared(self) -> dict[str, Any]:
        """The fields that all files have, by name: keyword arguments for another head, or for what a file holds."""
        return {field.name: getattr(self, field.name) for field in fields(FileHead)}


class PartsReader:
    """Reads and checks parts of a document, and turns places in the file into positions.

    `columns` are the names in the order of the file and `n` their number, `names` the same in order. `at` has the
    position of each place, `place` the place of each position, and `count` is the number of pairs.
    """

    def __init__(self, document: JsonValue) -> None:
        self.document = document
        place = document.key("variables")
        if isinstance(place.value, list) and len(place.value) > MOST_VARIABLES:
            place.fail(f"a list of at most {MOST_VARIABLES:,} names")
        self.columns = checked_names(item.text() for item in place.items())
        self.n = len(self.columns)
        self.count = self.n * (self.n - 1) // 2
        self.names = in_order(self.columns)
        position = {name: i for i, name in enumerate(self.names)}
        self.at = np.array([position[name] for name in self.columns], dtype=np.intc)
        self.place = np.argsort(self.at).astype(np.intc)

    def head(self) -> Any:
        """Everything but the columns, checked; each kind of file has its own head."""
        raise NotImplementedError

    def file_head(self, least_rows: int) -> FileHead:
        """The part of the head that all files have; they must be of at least this many rows."""
        data = self.document.key("data")
        data.only("fingerprint", "rows", "kinds", "source", "reading")
        return FileHead(
            made_by=self.document.key("made_by").text(),
            settings=self.settings(),
            fingerprint=data.key("fingerprint").text(),
            rows=data.key("rows").whole(least_rows),
            reading=self.reading(data),
            kinds=self.kinds(data.key("kinds")),
        )

    def kinds(self, place: JsonValue) -> dict[str, str] | None:
        """The kind of each column; None where there are no columns."""
        if place.is_null:
            return None
        return dict(zip(self.columns, place.texts(self.n, get_args(Kind)), strict=True))

    @staticmethod
    def reading(data: JsonValue) -> ReadOptions:
        """How the data were read."""
        source, place = data.key("source"), data.key("reading")
        place.only(*(field.name for field in fields(ReadOptions) if field.name != "source"))
        options: dict[str, Any] = {}
        for name, item in place.entries():
            if name in ("names", "columns", "drop", "na"):
                options[name] = tuple(value.text() for value in item.items())
            elif name == "kinds" and isinstance(item.value, dict):
                options[name] = {
                    column: tuple(level.text() for level in kind.items())
                    if isinstance(kind.value, list)
                    else kind.text(*get_args(Kind))
                    for column, kind in item.entries()
                }
            elif name == "knowledge":
                options[name] = item.file_name()
            elif name == "rows":
                options[name] = item.whole(2)
            else:
                options[name] = item.text(*_WORDS.get(name, ()))
        return ReadOptions(None if source.is_null else source.file_name(), **options)

    def settings(self) -> Settings:
        """The settings of the search."""
        place = self.document.key("settings")
        names = Settings().as_dict()
        place.only(*names, "colliders", "fdr", "algorithm_reason", "together", "knowledge")
        values = {name: place.key(name) for name in names}
        return Settings(
            algorithm=values["algorithm"].text(),
            algorithm_reason=self.algorithm_reason(place),
            test=values["test"].text(),
            alpha=None if values["alpha"].is_null else values["alpha"].share(),
            max_radius=None if values["max_radius"].is_null else values["max_radius"].whole(0),
            possible_ancestors=values["possible_ancestors"].text(),  # type: ignore[arg-type]
            stable=values["stable"].truth(),
            verify=values["verify"].truth(),
            selection_bias=values["selection_bias"].truth(),
            colliders=self.colliders(place),
            fdr=place.key("fdr").share() if "fdr" in place.value else None,
            together=self.together(place),
            knowledge=self.knowledge(place),
        )

    @staticmethod
    def colliders(place: JsonValue) -> Colliders | None:
        """How colliders were found; earlier files do not have the key, and neither do algorithms without the option."""
        if "colliders" in place.value:
            return place.key("colliders").text(*get_args(Colliders))  # type: ignore[return-value]
        algorithm = ALGORITHMS.get(place.key("algorithm").text())
        return "first" if algorithm is not None and algorithm.agrees else None

    @staticmethod
    def algorithm_reason(place: JsonValue) -> str | None:
        """Why the algorithm was chosen; files of searches for which it was asked for do not have the key."""
        return place.key("algorithm_reason").text(*REASONS) if "algorithm_reason" in place.value else None

    @staticmethod
    def together(place: JsonValue) -> tuple[tuple[str, ...], ...] | None:
        """The variables of each table; files of searches of one table do not have the key."""
        if "together" not in place.value:
            return None
        return tuple(tuple(name.text() for name in table.items()) for table in place.key("together").items())

    def knowledge(self, place: JsonValue) -> Knowledge | None:
        """The knowledge of the search; files of searches without any do not have the key."""
        if "knowledge" not in place.value:
            return None
        stated = place.key("knowledge")
        stated.only(*(field.name for field in fields(Knowledge)))
        statements = {kind: [_names(item) for item in stated.key(kind).items()] for kind in stated.value}
        known = Knowledge(**statements)
        if not set(known.names) <= set(self.columns):
            known.constraints(self.columns)  # raises, with the name that is not a variable
        return known

    def variables(self, place: JsonValue, length: int | None = None, at_most: int | None = None) -> NDArray[np.intc]:
        """A column of variables, as positions."""
        return self.at[place.ints(0, self.n - 1, length, self.count if at_most is None else at_most)]

    def edges(self, place: JsonValue) -> Edges:
        """A list of edges, which must be in increasing order of positions."""
        edges = self.unordered_edges(place)
        steps = np.diff(pair_number(self.n, *edges.pairs.T))
        if (steps == 0).any():
            place.fail("a list of different pairs")
        if (steps < 0).any():
            place.fail("a list of edges by the names of their ends")
        return edges

    def unordered_edges(self, place: JsonValue, length: int | None = None) -> Edges:
        """A list of edges in the order of the file; of this length, if one is given."""
        a = self.variables(place.key("a"), length)
        ends = _ENDS[place.key("edge").codes(len(a), EDGES)]
        b = self.variables(place.key("b"), len(a))
        if (a == b).any():
            place.fail("a list of pairs of different variables")
        pairs = np.column_stack([np.minimum(a, b), np.maximum(a, b)])
        swapped = a > b
        ends[swapped] = ends[swapped][:, ::-1]
        return Edges(pairs, ends)
