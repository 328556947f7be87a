"""GraphML, the XML of graphs: marks are data of edges, `source_mark` and `target_mark`; the kind is data of the graph.

An edge is written once, from its first node to its second. The names of nodes are their ids, as networkx writes
them; where all nodes have a `name` (as igraph writes it) those are taken. Edges without marks are arrows if the
graph is directed, and two arcs with a `mark` each are an edge, as in `to_networkx`. What a graph here cannot say is
refused: graphs inside nodes (groups, as yEd draws them), hyperedges, and parts that stand in another file. So is a
document type declaration, which could define entities that grow without end.
"""

import re
from typing import Any
from xml.etree.ElementTree import Element, ParseError, SubElement, TreeBuilder, XMLParser, indent, tostring

from ancestral.errors import GraphError
from ancestral.graphs import MixedGraph
from ancestral.graphs.marks import ARROW, CIRCLE, MARK_NAMES, TAIL
from ancestral.io.interop.common import ROLES, HasPag, Said, graph_of, refuse_name, role_of
from ancestral.io.kinds import KINDS, kind_of

__all__ = ["from_graphml", "to_graphml"]

_SPACE = "http://graphml.graphdrawing.org/xmlns"
_MARKS = {MARK_NAMES[mark]: mark for mark in (CIRCLE, ARROW, TAIL)}
_KEYS = {"kind": "graph", "role": "node", "source_mark": "edge", "target_mark": "edge"}
#: What XML 1.0 has no way to write.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: What a graph may consist of.
_PARTS = ("data", "desc", "edge", "node")
#: Elements inside elements, so many deep; those of graphs are four.
DEEPEST = 100


def to_graphml(graph: MixedGraph | HasPag) -> str:
    """The graph as GraphML.

    >>> from ancestral import PAG
    >>> print(to_graphml(PAG.parse("a o-> b")).partition("<graph ")[2])
    edgedefault="directed">
        <data key="kind">pag</data>
        <node id="a" />
        <node id="b" />
        <edge source="a" target="b">
          <data key="source_mark">circle</data>
          <data key="target_mark">arrowhead</data>
        </edge>
      </graph>
    </graphml>
    """
    written = graph_of(graph)
    for name in written.nodes:
        if _NO_XML.search(name):
            refuse_name(name, "GraphML", "XML has no such control characters")
    root = Element("graphml", xmlns=_SPACE)
    for key, where in _KEYS.items():
        SubElement(root, "key", {"id": key, "for": where, "attr.name": key, "attr.type": "string"})
    out = SubElement(root, "graph", edgedefault="directed")
    _data(out, "kind", kind_of(written))
    for name in written.nodes:
        node = SubElement(out, "node", id=name)
        if role := role_of(written, name):
            _data(node, "role", role)
    for a, _, b in written.edges():
        x, y = written.index(a), written.index(b)
        edge = SubElement(out, "edge", source=a, target=b)
        _data(edge, "source_mark", MARK_NAMES[int(written.marks[y, x])])
        _data(edge, "target_mark", MARK_NAMES[int(written.marks[x, y])])
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode")


def _data(parent: Element, key: str, value: str) -> None:
    SubElement(parent, "data", key=key).text = value


def from_graphml(text: str, kind: str | None = None) -> MixedGraph:
    """The graph in a GraphML document.

    >>> from ancestral import MAG
    >>> from_graphml(to_graphml(MAG.parse("a --> b, b <-> c")))
    MAG.parse('a --> b, b <-> c')
    """
    if not isinstance(text, str):
        raise GraphError(f"{text!r} is no text; pass the text of a GraphML document")
    root = _parsed(text)
    graphs = root.findall("{*}graph") if _tag(root) == "graphml" else []
    if len(graphs) != 1:
        raise GraphError(f"there are {len(graphs)} graphs in <{_tag(root)}>; a GraphML document with one is wanted")
    keys = {key.get("id"): key.get("attr.name") for key in root.findall("{*}key")}
    top = graphs[0]
    _refuse_other_elements(top)
    said = Said()
    about = _values(top, keys)
    if about.get("kind", "").lower() in KINDS:
        said.kind = about["kind"].lower()
    names = _names(top, keys, said)
    arcs: dict[tuple[str, str], str] = {}
    for edge in top.findall("{*}edge"):
        a, b = (_end(edge, end, names) for end in ("source", "target"))
        values = _values(edge, keys)
        if "mark" in values and a != b:
            if (a, b) in arcs:
                raise GraphError(f"there are two arcs {a!r} -> {b!r} with marks; keep one")
            arcs[a, b] = values["mark"]
            if (b, a) in arcs:
                said.edge(a, b, _mark(arcs[b, a], a, b), _mark(arcs[a, b], a, b))
            continue
        directed = _is_directed(edge, top, a, b)
        at_a = _mark(values["source_mark"], a, b) if "source_mark" in values else TAIL
        at_b = _mark(values["target_mark"], a, b) if "target_mark" in values else ARROW if directed else TAIL
        said.edge(a, b, at_a, at_b)
    for a, b in arcs:
        if (b, a) not in arcs:
            raise GraphError(f"the arc {a!r} -> {b!r} has a mark, but there is no arc back; add {b!r} -> {a!r}")
    return said.graph(kind)


def _refuse_other_elements(top: Element) -> None:
    """Refuse what would be left out: graphs inside nodes and edges, hyperedges, and elements that are not known."""
    for element in top:
        tag, shown = _tag(element), _shown(element)
        if tag == "hyperedge":
            raise GraphError(
                f"there is a hyperedge ({shown}), which joins any number of nodes; write edges of two nodes"
            )
        if tag not in _PARTS:
            raise GraphError(f"<graph> holds <{tag}> ({shown}), which cannot be read; take it out")
        for inner in element:
            if _tag(inner) == "graph":
                raise GraphError(
                    f"the {tag} {shown} holds a graph of its own, and graphs inside graphs cannot be read; put its "
                    "nodes and edges into the outer graph (in yEd: ungroup)"
                )
            if _tag(inner) == "locator":
                raise GraphError(f"the {tag} {shown} stands in another file (<locator>); put it into this one")


def _shown(element: Element) -> str:
    """The id of an element, or its ends, as an error names it."""
    if element.get("id") is not None:
        return repr(element.get("id"))
    ends = [end.get("node") for end in element.findall("{*}endpoint")] or [element.get("source"), element.get("target")]
    return ", ".join(repr(end) for end in ends if end is not None) or "without an id"


def _is_directed(edge: Element, top: Element, a: str, b: str) -> bool:
    said = edge.get("directed")
    if said is None:
        return top.get("edgedefault") == "directed"
    if said.lower() not in ("true", "false", "1", "0"):
        raise GraphError(f"the edge between {a!r} and {b!r} has directed={said!r}; write true or false")
    return said.lower() in ("true", "1")


def _names(top: Element, keys: dict[str | None, str | None], said: Said) -> dict[str, str]:
    """The name of each node by its id."""
    nodes = top.findall("{*}node")
    values = [_values(node, keys) for node in nodes]
    named = bool(nodes) and all(value.get("name", "").strip() for value in values)
    names: dict[str, str] = {}
    for node, value in zip(nodes, values, strict=True):
        identifier = node.get("id")
        if identifier is None:
            raise GraphError(f"node {len(names) + 1} has no id; give it one")
        if identifier in names:
            raise GraphError(f"two nodes have the id {identifier!r}; ids must differ")
        name = value["name"] if named else identifier
        if name in said.names:
            raise GraphError(f"two nodes have the name {name!r}; names must differ")
        role = value.get("role")
        if role is not None and role not in ROLES:
            raise GraphError(f"the node {name!r} has the role {role!r}; a node is latent, selection, or has no role")
        names[identifier] = name
        said.node(name, role)
    return names


def _end(edge: Element, end: str, names: dict[str, str]) -> str:
    identifier = edge.get(end)
    if identifier not in names:
        raise GraphError(f"an edge has the {end} {identifier!r}, which is no node; add the node, or drop the edge")
    return names[identifier]


def _values(element: Element, keys: dict[str | None, str | None]) -> dict[str, str]:
    """The data of an element, by the names of their keys."""
    out: dict[str, str] = {}
    for data in element.findall("{*}data"):
        key = data.get("key")
        out[keys.get(key) or str(key)] = data.text or ""
    return out


def _mark(name: str, a: str, b: str) -> int:
    if name not in _MARKS:
        raise GraphError(f"the mark {name!r} between {a!r} and {b!r} is not known; choose one of {', '.join(_MARKS)}")
    return _MARKS[name]


def _tag(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


class _Suspicious(TreeBuilder):
    """Builds the document, but no deeper than graphs are."""

    depth = 0

    def start(self, tag: str, attributes: dict[str, str]) -> Element:
        self.depth += 1
        if self.depth > DEEPEST:
            raise GraphError(f"elements are nested more than {DEEPEST} deep; this is no GraphML")
        return super().start(tag, attributes)

    def end(self, tag: str) -> Element:
        self.depth -= 1
        return super().end(tag)

    def doctype(self, *declared: Any) -> None:
        raise GraphError("there is a document type declaration, which may define entities; delete <!DOCTYPE …>")


def _parsed(text: str) -> Element:
    parser = XMLParser(target=_Suspicious())
    number = 0
    try:
        for line in text.removeprefix("\ufeff").split("\n"):
            number += 1
            parser.feed(line + "\n")
        return parser.close()
    except ParseError as error:
        line_number, column = error.position
        reason = str(error).partition(":")[0]
        raise GraphError(
            f"line {line_number}: is no XML at column {column + 1} ({reason}); is the text complete?"
        ) from None
    except GraphError as error:
        raise GraphError(f"line {number}: {error}") from None
