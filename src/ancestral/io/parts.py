"""What the files of runs and of bootstraps have in common: settings, how the data were read, variables, edges.

Variables are numbered in the order of `variables`, that of the user; inside, positions follow the names.
"""

from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from ancestral.data.kinds import Kind
from ancestral.data.reading import Reading
from ancestral.data.table import Missing
from ancestral.errors import AncestralError, RunError
from ancestral.graphs.marks import ARROW, CIRCLE, TAIL, parse_symbol, symbol
from ancestral.graphs.names import checked_names, in_order
from ancestral.io.document import Place
from ancestral.io.files import check_writable
from ancestral.io.packed import read_bytes
from ancestral.knowledge import Knowledge
from ancestral.search.decisions import pair_number
from ancestral.search.settings import Settings
from ancestral.search.stage import Edges

__all__ = ["PartsReader", "PartsWriter", "check_overwritable", "read_checked"]

T = TypeVar("T")

_EDGES = tuple(symbol(left, right) for left in (CIRCLE, ARROW, TAIL) for right in (CIRCLE, ARROW, TAIL))


def check_overwritable(path: Path, form: str, what: str) -> None:
    """Refuse to save where it is impossible, or where a file stands that is of another format."""
    check_writable(path)
    if path.exists() and path.stat().st_size and form.encode() not in _beginning(path):
        raise RunError(f"{path}: exists and is no {what}; it is left alone, choose another name")


def read_checked(path: Path, document: Place, version: int, read: Callable[[], T]) -> T:
    """What is read of a document, if it is of this version; whatever is wrong with it names the file."""
    if document.key("version").whole(0) != version:
        raise RunError(
            f"{path}: is of version {document.value['version']}, and this package reads version {version}; "
            "use the package that wrote it"
        )
    try:
        return read()
    except RunError:
        raise
    except AncestralError as error:
        raise RunError(f"{path}: {error}") from None


def _beginning(path: Path) -> bytes:
    try:
        return read_bytes(path)[:200]
    except RunError:
        return b""


def _names(place: Place) -> Any:
    """A name, or a list of names."""
    return place.text() if isinstance(place.value, str) else [item.text() for item in place.items()]


class PartsWriter:
    """Turns positions into places in the file."""

    def __init__(self, place: NDArray[np.int64]) -> None:
        self.place = place

    def edges(self, pairs: NDArray[np.intc], marks: NDArray[np.uint8]) -> dict[str, Any]:
        """A list of edges: columns `a`, `edge`, `b`, each edge read from the variable that comes first."""
        a, b = self.place[pairs].T.reshape(2, -1)
        at_a, at_b = marks.T.reshape(2, -1)
        turned = a > b
        left, right = np.where(turned, at_b, at_a), np.where(turned, at_a, at_b)
        shown = [symbol(*ends) for ends in zip(left.tolist(), right.tolist(), strict=True)]
        return {"a": np.minimum(a, b).tolist(), "edge": shown, "b": np.maximum(a, b).tolist()}


class PartsReader:
    """Turns places in the file into positions, and checks on the way."""

    def __init__(self, document: Place) -> None:
        self.document = document
        self.columns = checked_names(item.text() for item in document.key("variables").items())
        self.n = len(self.columns)
        self.names = in_order(self.columns)
        position = {name: i for i, name in enumerate(self.names)}
        self.at = np.array([position[name] for name in self.columns], dtype=np.int64)  # the position of each place

    def kinds(self, place: Place) -> dict[str, str] | None:
        """The kind of each column, where there are columns."""
        if place.is_null:
            return None
        return dict(zip(self.columns, place.texts(self.n, get_args(Kind)), strict=True))

    @staticmethod
    def reading(data: Place) -> Reading:
        """How the data were read."""
        source, place = data.key("source"), data.key("reading")
        place.only(*(field.name for field in fields(Reading) if field.name != "source"))
        options: dict[str, Any] = {}
        for name, item in place.entries():
            if name in ("names", "columns", "drop"):
                options[name] = tuple(value.text() for value in item.items())
            elif name == "kinds" and isinstance(item.value, dict):
                options[name] = {column: kind.text(*get_args(Kind)) for column, kind in item.entries()}
            else:
                options[name] = item.text(*{"kinds": get_args(Kind), "missing": get_args(Missing)}.get(name, ()))
        return Reading(None if source.is_null else source.text(), **options)

    def settings(self) -> Settings:
        """What was chosen for the search."""
        place = self.document.key("settings")
        names = Settings().as_dict()
        place.only(*names, "knowledge")
        values = {name: place.key(name) for name in names}
        return Settings(
            algorithm=values["algorithm"].text(),
            test=values["test"].text(),
            alpha=None if values["alpha"].is_null else values["alpha"].number(),
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
        known.licences(self.columns)  # it speaks of the variables alone
        return known

    def column(self, place: Place, name: str, length: int | None = None) -> NDArray[np.int64]:
        """A column of variables, as positions."""
        values = place.key(name).whole_numbers(0, self.n - 1, length)
        return self.at[np.array(values, dtype=np.int64)]

    def pairs(self, place: Place) -> NDArray[np.intc]:
        """The columns a and b, which name no pair twice."""
        a = self.column(place, "a")
        b = self.column(place, "b", len(a))
        if (a == b).any():
            place.fail("a list of pairs of different variables")
        pairs = np.column_stack([np.minimum(a, b), np.maximum(a, b)]).astype(np.intc)
        if len(np.unique(pair_number(self.n, *pairs.T))) < len(pairs):
            place.fail("a list of different pairs")
        return pairs

    def edges(self, place: Place) -> Edges:
        """A list of edges; in increasing order of positions."""
        a = self.column(place, "a")
        pairs = self.pairs(place)
        ends = np.array([parse_symbol(e) for e in place.key("edge").texts(len(pairs), _EDGES)], dtype=np.uint8)
        ends = ends.reshape(-1, 2)
        turned = a != pairs[:, 0]
        ends[turned] = ends[turned][:, ::-1]
        if (np.diff(pair_number(self.n, *pairs.T)) < 0).any():
            place.fail("a list of edges by the names of their ends")
        return Edges(pairs, ends)
