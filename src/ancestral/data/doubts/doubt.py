"""Doubt: a warning about data that knows what it is about and which columns show it."""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from ancestral.data.errors import DataWarning
from ancestral.errors import Option

__all__ = ["About", "Doubt"]

#: What a doubt is about.
About: TypeAlias = Literal["missing codes", "identifier", "one-hot", "repeated rows", "series", "clusters"]


class Doubt(DataWarning):
    """A warning about some columns, in `columns`; `about` is what they look like.

    >>> doubt = Doubt("identifier", ["id"], "column 'id' counts the rows; ", Option("drop", ["id"]))
    >>> print(doubt.about, doubt.columns, doubt)
    identifier ('id',) column 'id' counts the rows; drop=['id']
    """

    def __init__(self, about: About, columns: Sequence[str], *parts: str | Option) -> None:
        self.about: About = about
        self.columns = tuple(columns)
        super().__init__(*parts)

    def __reduce__(self) -> tuple[type["Doubt"], tuple[Any, ...]]:
        return Doubt, (self.about, self.columns, *self.args)
