"""How the data were read: what one must say to read them again. The answer of a search does not hang on it."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

__all__ = ["ReadOptions"]


@dataclass(frozen=True)
class ReadOptions:
    """The options of `discover()` that are about reading, as they were given.

    `source` and `knowledge` are None unless they were paths.

    >>> ReadOptions.of("visits.csv", drop=["id"], missing="drop").options()
    {'drop': ('id',), 'missing': 'drop'}
    """

    source: str | None = None
    names: tuple[str, ...] | None = None
    columns: tuple[str, ...] | None = None
    drop: tuple[str, ...] | None = None
    kinds: Mapping[str, str] | str | None = None
    missing: str = "refuse"
    separator: str | None = None
    decimal: str | None = None
    knowledge: str | None = None

    @classmethod
    def of(cls, source: Any, **options: Any) -> "ReadOptions":
        """What was said about a source."""
        path = _path(source)
        lists = {name: tuple(options[name]) for name in ("names", "columns", "drop") if options.get(name) is not None}
        kinds = options.get("kinds")
        chosen = {**options, **lists, "kinds": dict(kinds) if isinstance(kinds, Mapping) else kinds}
        return cls(path, **{**chosen, "knowledge": _path(options.get("knowledge"))})

    def options(self) -> dict[str, Any]:
        """The options that differ from those of a source that is read as it is."""
        said = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "source"}
        return {name: value for name, value in said.items() if value != getattr(ReadOptions, name)}


def _path(source: Any) -> str | None:
    return os.fsdecode(source) if isinstance(source, str | os.PathLike) else None
