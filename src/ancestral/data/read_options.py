"""How the data of a run were read: what is needed to read them again. The answer of a search does not depend on it."""

import os
from dataclasses import dataclass
from typing import Any

from ancestral.option_groups import options_of
from ancestral.options import TableOptions

__all__ = ["ReadOptions"]


@dataclass(frozen=True)
class _Source:
    source: str | None = None


@dataclass(frozen=True)
class ReadOptions(TableOptions, _Source):
    """The options of `discover()` that are about reading, and the paths of the source and of the knowledge.

    `source` and `knowledge` are None unless they were paths. Of time series, `time` and `unit` are columns, `step` is
    the time between rows, and `windows` says in words how much of the data was used.

    >>> ReadOptions.of("visits.csv", TableOptions(drop=["id"], missing="drop")).options()
    {'drop': ('id',), 'missing': 'drop'}
    """

    knowledge: str | None = None
    time: str | None = None
    unit: str | None = None
    step: str | None = None
    windows: str | None = None

    @classmethod
    def of(cls, source: Any, options: TableOptions, knowledge: Any = None, **series: Any) -> "ReadOptions":
        """How a source is read, and its knowledge, as they were passed to `discover()`."""
        read = {option.name: getattr(options, option.name) for option in options_of(TableOptions)}
        return cls(_path(source), **read, knowledge=_path(knowledge), **series)

    def options(self) -> dict[str, Any]:
        """The options that are not at their defaults, and the path of the knowledge, if there is one."""
        others = {name: getattr(self, name) for name in ("knowledge", "time", "unit", "step", "windows")}
        return dict(self.given) | {name: value for name, value in others.items() if value is not None}


def _path(source: Any) -> str | None:
    return os.fsdecode(source) if isinstance(source, str | os.PathLike) else None
