"""What the files of runs and of bootstraps have in common: settings, how the data were read, variables, edges.

Variables are numbered in the order of `variables`, that of the user; inside, positions follow the names.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column_kinds import Kind
from ancestral.data.read_options import ReadOptions
from ancestral.errors import AncestralError, RunError
from ancestral.graphs.marks import ARROW, CIRCLE, TAIL, parse_symbol, symbol
from ancestral.graphs.names import checked_names, in_order
from ancestral.io.checked_json import Place, document_lines, plain_document
from ancestral.io.columns import Column
from ancestral.io.compression import format_of
from ancestral.io.files import check_writable, replacing
from ancestral.knowledge import Knowledge
from ancestral.options import Missing
from ancestral.search.marginals import pair_number
from ancestral.search.settings import Settings
from ancestral.search.stage import Edges

__all__ = [
    "MOST_VARIABLES", "PartsReader", "PartsWriter", "check_overwritable", "checked_lines", "data_part", "naming",
    "saving", "settings_part", "write_lines",
]  # fmt: skip

#: Variables of a file: a matrix of more would take 10 GB, and a search many times that.
MOST_VARIABLES = 100_000

EDGES = tuple(symbol(left, right) for left in (CIRCLE, ARROW, TAIL) for right in (CIRCLE, ARROW, TAIL))
_ENDS = np.array([parse_symbol(edge) for edge in EDGES], dtype=np.uint8)


# -- files --------------------------------------------------------------------------------------------------------


def check_overwritable(path: Path, form: str, what: str) -> None:
    """Refuse to save where it is impossible, or over a file of another format, of which only the head is read."""
    check_writable(path)
    if path.is_fifo():
        raise RunError(f"{path}: must be a file, and is a pipe, which cannot be read again; choose another name")
    if path.is_file() and path.stat().st_size and format_of(path) != form:
        raise RunError(f"{path}: exists and is not a {what}; it is left alone, choose another name")


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Let every error of ours name the file, as a RunError."""
    try:
        yield
    except RunError:
        raise
    except AncestralError as error:
        raise RunError(f"{path}: {error}") from None


@contextmanager
def saving(path: Path) -> Iterator[None]:
    """Let whatever goes wrong while a file is made and written be a RunError that names it."""
    try:
        yield
    except AncestralError as error:
        said = str(error)
        raise RunError(said if said.startswith(f"{path}: ") else f"{path}: {said}") from None
    except MemoryError:
        raise RunError(f"{path}: cannot be saved, since the memory does not suffice; what was found is there") from None
    except Exception as error:  # a long search must not be lost by any fault of what saves it
        what = f"{type(error).__name__}: {error}"
        raise RunError(f"{path}: could not be saved ({what}); what was found is there, please report this") from error


def write_lines(path: Path, lines: Iterator[bytes]) -> None:
    """Write a file piece by piece, all of it or nothing."""
    with replacing(path) as file:
        for line in lines:
            file.write(line)


def checked_lines(document: dict[str, Any], reader: type["PartsReader"]) -> Iterator[bytes]:
    """The bytes of a document, piece by piece, if a reader takes the plain part of it.

    Raises RunError, before anything is written, if what stands there could not be read again.
    """
    plain, packed = plain_document(document)
    reader(Place(plain, None, "")).head()
    return document_lines(plain, packed)


# -- writing ------------------------------------------------------------------------------------------------------


def settings_part(settings: Settings) -> dict[str, Any]:
    """What was chosen for a search, in plain values."""
    said = settings.as_dict()
    return {**said, "alpha": None if settings.alpha is None else float(settings.alpha)}


def data_part(
    fingerprint: str, rows: int, kinds: Mapping[str, str] | None, reading: ReadOptions, columns: Sequence[str]
) -> dict[str, Any]:
    """What is known of the data, in plain values: libraries have numbers and texts of their own."""
    said = {
        name: [str(item) for item in value]
        if isinstance(value, tuple | list)
        else {str(key): str(kind) for key, kind in value.items()}
        if isinstance(value, Mapping)
        else str(value)
        for name, value in reading.options().items()
    }
    return {
        "fingerprint": fingerprint,
        "rows": int(rows),
        "kinds": None if kinds is None else [str(kinds[name]) for name in columns],
        "source": reading.source,
        "reading": said,
    }


class PartsWriter:
    """Turns positions into places in the file."""

    def __init__(self, place: NDArray[np.int64]) -> None:
        self.place = place.astype(np.intc)

    def edges(self, pairs: NDArray[np.intc], marks: NDArray[np.uint8]) -> dict[str, Any]:
        """A list of edges: columns `a`, `edge`, `b`, each edge read from the variable that comes first."""
        a, b = self.place[pairs].T.reshape(2, -1)
        at_a, at_b = marks.T.reshape(2, -1).astype(np.intc)
        turned = a > b
        left, right = np.where(turned, at_b, at_a), np.where(turned, at_a, at_b)
        codes = (3 * (left - CIRCLE) + right - CIRCLE).astype(np.uint8)
        return {
            "a": Column.whole(np.minimum(a, b)),
            "edge": Column.of_texts(codes, EDGES),
            "b": Column.whole(np.maximum(a, b)),
        }


# -- reading ------------------------------------------------------------------------------------------------------


def _names(place: Place) -> Any:
    """A name, or a list of names."""
    return place.text() if isinstance(place.value, str) else [item.text() for item in place.items()]


class PartsReader:
    """Turns places in the file into positions, and checks on the way."""

    def __init__(self, document: Place) -> None:
        self.document = document
        place = document.key("variables")
        if isinstance(place.value, list) and len(place.value) > MOST_VARIABLES:
            place.fail(f"a list of at most {MOST_VARIABLES:,} names")
        self.columns = checked_names(item.text() for item in place.items())
        self.n = len(self.columns)
        self.count = self.n * (self.n - 1) // 2  # of pairs
        self.names = in_order(self.columns)
        position = {name: i for i, name in enumerate(self.names)}
        # the position of each place, and the place of each position
        self.at = np.array([position[name] for name in self.columns], dtype=np.intc)
        self.place = np.argsort(self.at).astype(np.intc)

    def head(self) -> Any:
        """All but the columns, checked."""
        raise NotImplementedError("a kind of file must know its head")

    def kinds(self, place: Place) -> dict[str, str] | None:
        """The kind of each column, where there are columns."""
        if place.is_null:
            return None
        return dict(zip(self.columns, place.texts(self.n, get_args(Kind)), strict=True))

    @staticmethod
    def reading(data: Place) -> ReadOptions:
        """How the data were read."""
        source, place = data.key("source"), data.key("reading")
        place.only(*(field.name for field in fields(ReadOptions) if field.name != "source"))
        options: dict[str, Any] = {}
        for name, item in place.entries():
            if name in ("names", "columns", "drop"):
                options[name] = tuple(value.text() for value in item.items())
            elif name == "kinds" and isinstance(item.value, dict):
                options[name] = {column: kind.text(*get_args(Kind)) for column, kind in item.entries()}
            elif name == "knowledge":
                options[name] = item.file_name()
            else:
                options[name] = item.text(*{"kinds": get_args(Kind), "missing": get_args(Missing)}.get(name, ()))
        return ReadOptions(None if source.is_null else source.file_name(), **options)

    def settings(self) -> Settings:
        """What was chosen for the search."""
        place = self.document.key("settings")
        names = Settings().as_dict()
        place.only(*names, "knowledge")
        values = {name: place.key(name) for name in names}
        return Settings(
            algorithm=values["algorithm"].text(),
            test=values["test"].text(),
            alpha=None if values["alpha"].is_null else values["alpha"].share(),
            max_radius=None if values["max_radius"].is_null else values["max_radius"].whole(0),
            possible_ancestors=values["possible_ancestors"].text(),  # type: ignore[arg-type]
            stable=values["stable"].truth(),
            verify=values["verify"].truth(),
            selection_bias=values["selection_bias"].truth(),
            knowledge=self.knowledge(place),
        )

    def knowledge(self, place: Place) -> Knowledge | None:
        """What was known; files of runs without knowledge do not speak of it."""
        if "knowledge" not in place.value:
            return None
        said = place.key("knowledge")
        kinds = [field.name for field in fields(Knowledge)]
        said.only(*kinds)
        statements = {kind: [_names(item) for item in said.key(kind).items()] for kind in said.value}
        known = Knowledge(**statements)
        if not set(known.names) <= set(self.columns):
            known.constraints(self.columns)  # says which variable is none
        return known

    def variables(self, place: Place, length: int | None = None, at_most: int | None = None) -> NDArray[np.intc]:
        """A column of variables, as positions."""
        return self.at[place.ints(0, self.n - 1, length, self.count if at_most is None else at_most)]

    def edges(self, place: Place) -> Edges:
        """A list of edges; in increasing order of positions."""
        edges = self.unordered_edges(place)
        steps = np.diff(pair_number(self.n, *edges.pairs.T))
        if (steps == 0).any():
            place.fail("a list of different pairs")
        if (steps < 0).any():
            place.fail("a list of edges by the names of their ends")
        return edges

    def unordered_edges(self, place: Place, length: int | None = None) -> Edges:
        """A list of edges in the order of the file; of this length, if one is given."""
        a = self.variables(place.key("a"), length)
        ends = _ENDS[place.key("edge").codes(len(a), EDGES)]
        b = self.variables(place.key("b"), len(a))
        if (a == b).any():
            place.fail("a list of pairs of different variables")
        pairs = np.column_stack([np.minimum(a, b), np.maximum(a, b)])
        turned = a > b
        ends[turned] = ends[turned][:, ::-1]
        return Edges(pairs, ends)
