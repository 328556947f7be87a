"""The text of a graph: `a --> b, b o-o c, d`.

Edges are separated by commas or line ends, each is two names around an edge symbol with spaces between; a name
alone is a node. A node is listed alone at most once, but a first line of nodes may fix their order. `#` starts a
comment. A line `latent: L, M` or `selection: s` gives nodes a role (DAGs only). A name that would be misread stands in
double quotes (`names.py` has the rule).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ancestral.errors import GraphError
from ancestral.graphs.marks import parse_symbol
from ancestral.graphs.names import looks_like_edge, unquoted
from ancestral.printing import shown

__all__ = ["GraphText", "read_text"]

_TOKEN = re.compile(r'\s*(?:(?P<name>"(?:[^"\\]|\\.)*"|[^\s,"#]+)|(?P<comma>,)|(?P<comment>#.*)|(?P<bad>\S))')


@dataclass
class GraphText:
    """A parsed text: names in the order of their first mention, edges with their marks, and roles."""

    names: dict[str, None] = field(default_factory=dict)
    edges: list[tuple[str, str, int, int]] = field(default_factory=list)
    roles: dict[str, list[str]] = field(default_factory=lambda: {"latent": [], "selection": []})


def read_text(text: str) -> GraphText:
    """Parse the text of a graph; what cannot be read raises a GraphError with the number of the line."""
    if not isinstance(text, str):
        raise GraphError(f"a graph is read from text, got {shown(text)}; write it like 'a --> b, b o-o c'")
    out = GraphText()
    listed: dict[str, int] = {}
    again: set[str] = set()
    for number, line in enumerate(text.split("\n"), start=1):
        try:
            alone = _read_line(line, out)
            again.update(alone if not listed else ())
            for name in alone:
                _list(name, number, listed, again)
        except GraphError as error:
            raise GraphError(f"line {number}: {error}") from None
    return out


def _list(name: str, number: int, listed: dict[str, int], again: set[str]) -> None:
    """Enter a node that stands alone into `listed`, with its line; refuse one that is there, as words of a table are.

    The nodes of the first line may be listed once `again`, on another line: a line with all nodes fixes their order.
    """
    if name in listed and (name not in again or listed[name] == number):
        raise GraphError(f"the node {name!r} is listed twice, first on line {listed[name]}; list it once")
    if name in listed:
        again.discard(name)
    listed[name] = number


def _read_line(line: str, out: GraphText) -> list[str]:
    """Add the nodes, edges or roles of one line; returns the nodes that stand alone on it."""
    alone = []
    items = list(_items(line))
    role = items[0][0].removesuffix(":") if items and items[0] and items[0][0].endswith(":") else None
    if role is not None:
        if role not in out.roles:
            raise GraphError(f"unknown heading {role + ':'!r}; a heading is 'latent:' or 'selection:'")
        items[0] = items[0][1:]
    for item in items:
        if role is not None:
            if len(item) > 1:
                raise GraphError(f"{' '.join(item)!r} is not one name; separate the {role} nodes by commas")
            out.roles[role].extend(map(unquoted, item))
            continue
        match item:
            case []:
                pass
            case [name]:
                _refuse_edges(name)
                alone.append(unquoted(name))
                out.names.setdefault(alone[-1])
            case [left, edge, right]:
                at_left, at_right = parse_symbol(edge)
                _refuse_edges(left, right)
                x, y = unquoted(left), unquoted(right)
                out.names.setdefault(x)
                out.names.setdefault(y)
                out.edges.append((x, y, at_left, at_right))
            case _:
                raise GraphError(
                    f"{' '.join(item)!r} is neither a node nor an edge; write 'a --> b', edges separated by commas, "
                    "names with spaces in double quotes"
                )
    return alone


def _items(line: str) -> Iterator[list[str]]:
    """The tokens of a line, in the groups that commas separate."""
    item: list[str] = []
    for token in _TOKEN.finditer(line):
        if token["name"]:
            item.append(token["name"])
        elif token["comma"]:
            yield item
            item = []
        elif token["bad"]:
            raise GraphError(f"the double quote at column {token.start('bad') + 1} is not closed")
    yield item


def _refuse_edges(*tokens: str) -> None:
    for token in tokens:
        if spaced := looks_like_edge(token):
            raise GraphError(
                f"{token!r} looks like an edge; write an edge with spaces, like {spaced!r}, or a name in double quotes"
            )
