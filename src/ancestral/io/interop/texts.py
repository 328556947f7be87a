"""The formats that are texts, by name: how each is read, written, and recognised by the end of a file's name or by its
content."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath

from ancestral.errors import GraphError, OptionError
from ancestral.graphs import MixedGraph
from ancestral.graphs.text import read_text
from ancestral.io.interop.common import HasPag, Said, graph_of
from ancestral.io.interop.dagitty import from_dagitty, to_dagitty
from ancestral.io.interop.dot import from_dot, to_dot
from ancestral.io.interop.graphml import from_graphml, to_graphml
from ancestral.io.interop.pcalg import from_pcalg_csv, to_pcalg_csv
from ancestral.io.interop.tetrad import from_tetrad, to_tetrad
from ancestral.io.interop.tetrad_json import from_tetrad_json, to_tetrad_json

__all__ = ["FORMATS", "format_of_content", "format_of_name", "read_as", "write_as"]


def _from_text(text: str, kind: str | None = None) -> MixedGraph:
    """Our own text; its kind is not written in it."""
    read = read_text(text.replace("\r\n", "\n"))
    if not read.names:
        raise GraphError("there is no graph in it; write edges like 'a --> b', one a line")
    said = Said(None, dict(read.names))
    for a, b, at_a, at_b in read.edges:
        said.edge(a, b, at_a, at_b)
    for role, names in read.roles.items():
        said.roles.update(dict.fromkeys(names, role))
    return said.graph(kind)


@dataclass(frozen=True)
class Format:
    """A format of texts; `endings` of file names, of which the first is the usual one."""

    write: Callable[[MixedGraph | HasPag], str]
    read: Callable[[str, str | None], MixedGraph]
    endings: tuple[str, ...]


FORMATS = {
    "text": Format(lambda graph: str(graph_of(graph)), _from_text, (".txt",)),
    "dot": Format(to_dot, from_dot, (".dot", ".gv")),
    "graphml": Format(to_graphml, from_graphml, (".graphml", ".xml")),
    "pcalg": Format(to_pcalg_csv, from_pcalg_csv, (".csv",)),
    "tetrad": Format(to_tetrad, from_tetrad, (".tetrad",)),
    "tetrad-json": Format(to_tetrad_json, from_tetrad_json, (".json",)),
    "dagitty": Format(to_dagitty, from_dagitty, (".dagitty", ".dag")),
}

_BLANK = r"(?:\s|//[^\n]*\n|/\*.*?\*/|#[^\n]*\n)*"
_NAME = r'(?:"(?:[^"\\]|\\.)*"|[^\s{"]+)?'
_HEADS = {
    "dot": re.compile(rf"{_BLANK}(?:strict\s+)?(?:di)?graph\s*{_NAME}\s*\{{", re.IGNORECASE | re.DOTALL),
    "dagitty": re.compile(rf"\s*(?:dag|mag|pag|pdag)\s*{_NAME}\s*\{{", re.IGNORECASE | re.DOTALL),
    "tetrad": re.compile(r"\s*Graph (?:Nodes|Edges|Attributes):[ \t]*(?:\r?\n|$)"),
    "graphml": re.compile(r"\s*<(?:\?xml\s|!--|!DOCTYPE\s|graphml[\s>])"),
    "tetrad-json": re.compile(r'\s*\{\s*"'),
    # a corner, empty or with a kind, and numbers in the first row
    "pcalg": re.compile(r'"(?:DAG|MAG|CPDAG|PAG)?",[^\n]*\n[^\n]*,[0-3](?:,[0-3])*\r?(?:\n|$)'),
}


def format_of_name(name: str) -> str | None:
    """The format that the end of a file's name tells."""
    ending = PurePath(name).suffix.lower()
    return next((form for form, known in FORMATS.items() if ending in known.endings), None)


def format_of_content(text: str, name: str = "") -> str:
    """The format of a text: what it begins with tells it, otherwise the name of its file, otherwise it is our own."""
    beginning = text.lstrip("\ufeff")
    for form, head in _HEADS.items():
        if head.match(beginning):
            return form
    return "pcalg" if format_of_name(name) == "pcalg" else "text"


def read_as(form: str, text: str, kind: str | None = None) -> MixedGraph:
    """The graph in a text of this format."""
    return _known(form).read(text, kind)


def write_as(form: str, graph: MixedGraph | HasPag) -> str:
    """The graph as a text of this format."""
    return _known(form).write(graph)


def _known(form: str) -> Format:
    if form not in FORMATS:
        raise OptionError(f"the format {form!r} is not known; choose one of {', '.join(FORMATS)}")
    return FORMATS[form]
