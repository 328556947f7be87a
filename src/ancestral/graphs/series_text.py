"""The text of a series DAG: `A -1-> A, A -1-> B, L -0-> C`, each edge with its lag in steps.

Edges and single processes are separated by commas or line ends; blanks around an edge may be left out. `#` starts a
comment, a line `latent: L, M` names the latent processes. A name that would be misread stands in double quotes.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ancestral.errors import GraphError
from ancestral.graphs.names import looks_like_edge, quoted, unquoted
from ancestral.printing import shown, visible

__all__ = ["Edge", "SeriesText", "edge_text", "process_text", "read_series"]

#: A cause, the number of steps until it acts, and its effect.
Edge = tuple[str, int, str]

_ARROW = re.compile(r"-[0-9]+->")
_NAME = r'"(?:[^"\\]|\\.)*"|(?:(?!-[0-9]+->)[^\s,"#])+'  # a name without quotes ends where an edge begins
_ITEM = re.compile(rf"\s*(?:({_NAME})(?:\s*-([0-9]{{1,9}})->\s*({_NAME}))?\s*)?(?=,|#|$)")
_HEADING = re.compile(r'\s*([^\s,"#]+):(?=[\s,]|$)')


@dataclass
class SeriesText:
    """A parsed text: processes in the order of their first mention, edges, and latent processes."""

    processes: dict[str, None] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    latent: list[str] = field(default_factory=list)


def process_text(name: str) -> str:
    """The name of a process as it is written in the text: in double quotes where it would be misread."""
    return visible(json.dumps(name, ensure_ascii=False)) if _ARROW.search(name) else quoted(name)


def edge_text(edge: Edge) -> str:
    """An edge as it is written in the text.

    >>> edge_text(("rain", 2, "ice cream"))
    'rain -2-> "ice cream"'
    """
    cause, lag, effect = edge
    return f"{process_text(cause)} -{lag}-> {process_text(effect)}"


def read_series(text: str) -> SeriesText:
    """Parse the text of a series DAG; what cannot be read raises a `GraphError` with the number of the line."""
    if not isinstance(text, str):
        raise GraphError(f"a series DAG is read from text, got {shown(text)}; write it like 'A -1-> B, B -0-> C'")
    out = SeriesText()
    for number, line in enumerate(text.split("\n"), start=1):
        try:
            _read_line(line, out)
        except GraphError as error:
            raise GraphError(f"line {number}: {error}") from None
    return out


def _read_line(line: str, out: SeriesText) -> None:
    """Add the processes and edges of one line, or its latent processes."""
    heading = _HEADING.match(line)
    if heading and heading[1] != "latent":
        raise GraphError(f"unknown heading {heading[1] + ':'!r}; the only heading is 'latent:'")
    for cause, lag, effect in _items(line, heading.end() if heading else 0):
        if heading and effect is not None:
            raise GraphError(f"{cause} -{lag}-> {effect} is not a name; list the latent processes, separated by commas")
        if heading:
            out.latent.append(cause)
            continue
        out.processes.setdefault(cause)
        if effect is not None:
            out.processes.setdefault(effect)
            out.edges.append((cause, lag, effect))


def _items(line: str, start: int) -> Iterator[tuple[str, int, str | None]]:
    """The edges of a line, and its single names as (name, 0, None)."""
    end = start - 1
    while end < len(line) and line[max(end, 0) : end + 1] != "#":
        item = _ITEM.match(line, end + 1)
        if item is None:
            part = line[end + 1 :].split(",")[0].strip()
            raise GraphError(
                f"{part!r} is neither a process nor an edge; write 'A -1-> B' with the lag in steps, edges separated "
                "by commas, names with spaces in double quotes"
            )
        cause, lag, effect = item.groups()
        if cause is not None:
            yield _name(cause), int(lag or 0), None if effect is None else _name(effect)
        end = item.end()


def _name(token: str) -> str:
    """The name that a token stands for, if it is not an edge without a lag."""
    if looks_like_edge(token):
        raise GraphError(f"{token!r} looks like an edge without a lag; write 'A -1-> B', or a name in double quotes")
    return unquoted(token)
