"""A JSON document read with suspicion: every value is asked for by its place and checked for what it must be.

Nothing in it is executed. An error names the file, the place in it, what stands there and what should.
"""

import base64
import binascii
import json
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ancestral.errors import RunError

__all__ = ["Place", "as_text", "nullable", "packed_floats", "read_document"]


def read_document(path: Path, content: bytes) -> "Place":
    """The document in a file."""
    try:
        value = json.loads(content.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise RunError(f"{path}: is no JSON ({reason}); a run file is written by save() or --save") from None
    return Place(value, path, "")


def as_text(document: dict[str, Any]) -> str:
    """The document as JSON, a line for each of its keys; the same document always gives the same text."""
    lines = [f"{json.dumps(key)}: {json.dumps(value, **_COMPACT)}" for key, value in document.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


_COMPACT: dict[str, Any] = {"separators": (",", ":"), "allow_nan": False}


def packed_floats(values: NDArray[np.float64]) -> str:
    """Many numbers in a short text: little-endian doubles in base64."""
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f8").tobytes()).decode("ascii")


def nullable(values: NDArray[np.float64]) -> list[float | None]:
    """The numbers, with None where there are none."""
    return [None if value != value else value for value in values.tolist()]


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number in JSON")


class Place:
    """A value and where it stands in a file."""

    def __init__(self, value: Any, path: Path, where: str) -> None:
        self.value = value
        self.path = path
        self.where = where

    def fail(self, wanted: str) -> NoReturn:
        """Refuse the value."""
        shown = json.dumps(self.value)
        shown = shown if len(shown) <= 60 else shown[:57] + "..."
        raise RunError(
            f"{self.path}: {self.where or 'the document'} is {shown}, not {wanted}; "
            "the file was changed or is damaged, take another copy"
        )

    # -- parts ---------------------------------------------------------------------------------------------------

    def key(self, name: str) -> "Place":
        """The value under a key."""
        if not isinstance(self.value, dict):
            self.fail("an object")
        where = f"{self.where}.{name}" if self.where else name
        if name not in self.value:
            raise RunError(f"{self.path}: {where} is missing; the file was changed or is damaged, take another copy")
        return Place(self.value[name], self.path, where)

    def only(self, *names: str) -> None:
        """Refuse keys that nobody knows."""
        if not isinstance(self.value, dict):
            self.fail("an object")
        for name in self.value:
            if name not in names:
                raise RunError(f"{self.path}: {self.where + '.' if self.where else ''}{name} is not known here")

    def items(self) -> Iterator["Place"]:
        """The elements of a list."""
        if not isinstance(self.value, list):
            self.fail("a list")
        for i, value in enumerate(self.value):
            yield Place(value, self.path, f"{self.where}[{i}]")

    def entries(self) -> Iterator[tuple[str, "Place"]]:
        """The keys of an object, and what stands under them."""
        if not isinstance(self.value, dict):
            self.fail("an object")
        for name in self.value:
            yield name, self.key(name)

    @property
    def is_null(self) -> bool:
        """Whether nothing stands here."""
        return self.value is None

    # -- values --------------------------------------------------------------------------------------------------

    def text(self, *choices: str) -> str:
        """A string, one of these if there are any."""
        if not isinstance(self.value, str) or (choices and self.value not in choices):
            self.fail("one of " + ", ".join(map(json.dumps, choices)) if choices else "a string")
        return str(self.value)

    def truth(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            self.fail("true or false")
        return bool(self.value)

    def whole(self, least: int, most: int = 1 << 53) -> int:
        """A whole number in this range."""
        if type(self.value) is not int or not least <= self.value <= most:
            self.fail(f"a whole number from {least} to {most}")
        return int(self.value)

    def number(self) -> float:
        """A number."""
        if type(self.value) not in (int, float) or not math.isfinite(self.value):
            self.fail("a number")
        return float(self.value)

    # -- lists ---------------------------------------------------------------------------------------------------

    def whole_numbers(self, least: int, most: int, length: int | None = None) -> list[int]:
        """A list of whole numbers in this range; of this length, if one is given."""
        values = self._list(length)
        if not (set(map(type, values)) <= {int} and (not values or (least <= min(values) and max(values) <= most))):
            for item in self.items():
                item.whole(least, most)
        return values

    def numbers(self, length: int) -> NDArray[np.float64]:
        """A list of numbers, NaN where there is null."""
        values = self._list(length)
        for i, value in enumerate(values):
            if value is not None and (type(value) not in (int, float) or not -1e308 <= value <= 1e308):
                Place(value, self.path, f"{self.where}[{i}]").fail("a number or null")
        return np.array([math.nan if value is None else value for value in values], dtype=np.float64)

    def texts(self, length: int, choices: Sequence[str]) -> list[str]:
        """A list of strings, each one of these."""
        values = self._list(length)
        if not (set(map(type, values)) <= {str} and set(values) <= set(choices)):
            for item in self.items():
                item.text(*choices)
        return values

    def each(self, length: int, read: Callable[["Place"], Any]) -> list[Any]:
        """A list whose elements are read one by one."""
        self._list(length)
        return [read(item) for item in self.items()]

    def floats(self, length: int) -> NDArray[np.float64]:
        """Numbers in a short text (`packed_floats`)."""
        try:
            content = base64.b64decode(self.text(), validate=True)
        except (binascii.Error, ValueError):
            self.fail("base64")
        if len(content) != 8 * length:
            self.fail(f"base64 of {length} doubles")
        values = np.frombuffer(content, dtype="<f8").astype(np.float64)
        if np.isinf(values).any():
            self.fail("finite numbers")
        return values

    def _list(self, length: int | None) -> list[Any]:
        if not isinstance(self.value, list) or (length is not None and len(self.value) != length):
            self.fail("a list" if length is None else f"a list of {length}")
        return self.value
