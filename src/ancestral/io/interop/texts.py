"""The registry of text formats of graphs: how each is written, read, and recognised by file name or content.

Commands, readers and the compliance tests know the formats from `FORMATS` alone. A format is a module with two
functions, `to_x` and `from_x`, and an entry here (docs/extending.md). The module is imported when one of the functions
is first called, so that the command line, which lists the formats, starts at once.
"""

import importlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from ancestral.errors import OptionError

if TYPE_CHECKING:
    from ancestral.graphs import MixedGraph

__all__ = ["FORMATS", "GraphFormat", "format_of_content", "format_of_name", "read_as", "write_as"]


@dataclass(frozen=True)
class GraphFormat:
    """A text format of graphs.

    - `name`: as the command line calls it, in `--to` and `--from`.
    - `write`: takes a graph, or an object with a graph as `pag`, and returns a text. It raises GraphError for a graph
      that the format cannot express.
    - `read`: takes a text and the kind of graph, or None for the kind that the text states or suggests, and returns a
      graph. It raises GraphError, with the number of the line, for a text that is not of the format.
    - `endings`: the endings of file names, the usual one first.
    - `head`: matches the beginning of every text of the format and of no other; None if nothing tells it from others.
    - `needs_head`: False if texts of the format may begin in any way, so that the ending of the file name decides.
    - `kinds`: the kinds of graphs it can express, in small letters.
    - `roles`: the roles of nodes it can express, of "latent" and "selection".
    - `states_kind`: whether the text states the kind, so that `read` finds it.
    """

    name: str
    write: "Callable[[Any], str]"
    read: "Callable[[str, str | None], MixedGraph]"
    endings: tuple[str, ...]
    head: re.Pattern[str] | None = None
    needs_head: bool = True
    kinds: tuple[str, ...] = ("dag", "mag", "cpdag", "pag")
    roles: tuple[str, ...] = ("latent", "selection")
    states_kind: bool = True


def _in_module(module: str, suffix: str = "") -> "tuple[Callable[[Any], str], Callable[[str, str | None], MixedGraph]]":
    """The functions `to_…` and `from_…` of a module of this room; `suffix` is what follows, by default its name."""

    def called(name: str) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            return getattr(importlib.import_module(f"ancestral.io.interop.{module}"), name)(*arguments)

        return call

    return called(f"to_{suffix or module}"), called(f"from_{suffix or module}")


_BLANK = r"(?:\s|//[^\n]*\n|/\*.*?\*/|#[^\n]*\n)*"
_NAME = r'(?:"(?:[^"\\]|\\.)*"|[^\s{":]+)?'
_WORDS = re.IGNORECASE | re.DOTALL

#: The formats by name, in the order in which commands list them and contents are compared with their heads. Assign to
#: it to add one.
FORMATS: dict[str, GraphFormat] = {
    form.name: form
    for form in (
        GraphFormat("text", *_in_module("plain", "text"), (".txt",), states_kind=False),
        GraphFormat(
            "dot",
            *_in_module("dot"),
            (".dot", ".gv"),
            re.compile(rf"{_BLANK}(?:strict\s+)?(?:di)?graph\s*{_NAME}\s*\{{", _WORDS),
        ),
        GraphFormat(
            "graphml",
            *_in_module("graphml"),
            (".graphml", ".xml"),
            re.compile(r"\s*<(?:\?xml\s|!--|!DOCTYPE\s|graphml[\s>])"),
        ),
        GraphFormat(
            "pcalg",
            *_in_module("pcalg", "pcalg_csv"),
            (".csv",),
            # a corner, empty or with a kind, and numbers in the first row
            re.compile(r'"(?:DAG|MAG|CPDAG|PAG)?",[^\n]*\n[^\n]*,[0-3](?:,[0-3])*\r?(?:\n|$)'),
            needs_head=False,
            roles=(),
        ),
        GraphFormat(
            "tetrad",
            *_in_module("tetrad"),
            (".tetrad",),
            re.compile(r"\s*Graph (?:Nodes|Edges|Attributes):[ \t]*(?:\r?\n|$)"),
        ),
        GraphFormat(
            "tetrad-json",
            *_in_module("tetrad_json"),
            (".json",),
            re.compile(r'\s*\{\s*"'),
            roles=("latent",),
        ),
        GraphFormat(
            "dagitty",
            *_in_module("dagitty"),
            (".dagitty", ".dag"),
            re.compile(rf"\s*(?:dag|mag|pag|pdag)\s*{_NAME}\s*\{{", _WORDS),
        ),
    )
}


def format_of_name(name: str, formats: Mapping[str, GraphFormat] = FORMATS) -> str | None:
    """The name of the format that the ending of a file name stands for; None for an ending of no format."""
    ending = PurePath(name).suffix.lower()
    return next((form.name for form in formats.values() if ending in form.endings), None)


def format_of_content(text: str, name: str = "", formats: Mapping[str, GraphFormat] = FORMATS) -> str:
    """The name of the format of a text.

    The head of the text decides; otherwise the name of its file, if it stands for a format that needs no head;
    otherwise the text is in our own notation.
    """
    beginning = text.lstrip("\ufeff")
    for form in formats.values():
        if form.head is not None and form.head.match(beginning):
            return form.name
    by_name = format_of_name(name, formats)
    return "text" if by_name is None or formats[by_name].needs_head else by_name


def read_as(form: str, text: str, kind: str | None = None) -> "MixedGraph":
    """The graph in a text of this format; GraphError if it is not one, OptionError for an unknown format or kind."""
    return _known(form).read(text, kind)


def write_as(form: str, graph: Any) -> str:
    """The graph, or the `pag` of a result, as a text of this format; GraphError if the format cannot express it."""
    return _known(form).write(graph)


def _known(form: str) -> GraphFormat:
    if form not in FORMATS:
        raise OptionError(f"must be one of {', '.join(FORMATS)}", option="format", value=form)
    return FORMATS[form]
