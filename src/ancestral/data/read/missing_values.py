"""Which values count as missing besides nulls and NaN: words in text, and numbers such as -999."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ancestral.data.column_kinds import Floats, is_number
from ancestral.errors import Option

if TYPE_CHECKING:
    import polars as pl

__all__ = ["IN_FRAMES", "IN_TEXT", "WORDS", "MissingValues", "NaOption"]

#: Text that stands for a missing value in text files, unless the user says which text does.
WORDS = ("", "NA", "N/A", "NaN", "nan", "null", "None", "*", "?")


class NaOption(Option):
    """The advice which words to declare missing, `na=['NA']`; it is shown whole, so as to be copied."""

    def __init__(self, words: Iterable[str]) -> None:
        super().__init__("na", list(words))

    def __str__(self) -> str:
        return f"{self.name}={self.value!r}"


@dataclass(frozen=True)
class MissingValues:
    """Text that stands for a missing value, without the spaces around it; what is a number is one among numbers, too.

    `declared`: whether the user has said which text it is.
    """

    words: tuple[str, ...]
    declared: bool = False

    @classmethod
    def in_text(cls, na: Iterable[str] | None) -> "MissingValues":
        """What is missing in text files: the usual words, or those that the user declared, and what is left empty.

        Numbers that the user declared say nothing about words, so the usual ones are missing beside them.
        """
        if na is None:
            return IN_TEXT
        declared = [word.strip() for word in na]
        usual = WORDS if declared and all(map(is_number, declared)) else ("",)
        return cls(tuple(dict.fromkeys((*usual, *declared))), True)

    @classmethod
    def in_frames(cls, na: Iterable[str] | None) -> "MissingValues":
        """What is missing in columns that have a type: nothing but nulls and NaN, and what the user declared."""
        return IN_FRAMES if na is None else cls(tuple(dict.fromkeys(word.strip() for word in na)), True)

    @cached_property
    def numbers(self) -> Floats:
        """The words that the user declared and that are numbers."""
        return np.array([float(word) for word in self.words if is_number(word)] if self.declared else [], dtype=float)

    def cleaned(self, text: "pl.Series") -> "pl.Series":
        """The text without spaces around it, and null where it stands for a missing value."""
        bare = text.str.strip_chars()
        return bare.set(bare.is_in(list(self.words)), None) if self.words else bare

    def words_in(self, text: "pl.Series") -> dict[str, int]:
        """How often each of the words stands in a column of text; an empty one does not count."""
        import polars as pl

        if text.dtype != pl.String:
            return {}
        bare = text.str.strip_chars()
        counts = dict(bare.filter(bare.is_in(list(self.words))).value_counts().iter_rows())
        return {word: counts[word] for word in self.words if word and word in counts}

    def among(self, values: Floats) -> Floats:
        """The numbers, with NaN for those that stand for a missing value; the same array if there are none."""
        if not self.numbers.size:
            return values
        return np.where(np.isin(values, self.numbers), np.nan, values)


IN_TEXT = MissingValues(WORDS)
IN_FRAMES = MissingValues(())
