"""Tetrad's JSON of a graph: `nodes`, and `edgesSet` with a node and an endpoint at each side, numbered as in Tetrad.

Endpoints are 0 tail, 1 arrow, 2 circle; types of nodes are 0 measured, 1 latent. Their names are read as well as their
numbers. Tetrad has no number for selection nodes there, so they are refused. Anything else in a file (positions,
bootstrap probabilities, triples) is skipped.
"""

import json
from typing import Any, NoReturn

from ancestral.errors import GraphError
from ancestral.graphs import MixedGraph
from ancestral.graphs.marks import ARROW, CIRCLE, TAIL
from ancestral.io.interop.common import GraphBuilder, HasPag, checked_text, graph_of, refuse_roles, role_of
from ancestral.io.kinds import KINDS, kind_of

__all__ = ["from_tetrad_json", "to_tetrad_json"]

_ENDPOINTS = {TAIL: 0, ARROW: 1, CIRCLE: 2}
_MARKS: dict[object, int] = {
    **{number: mark for mark, number in _ENDPOINTS.items()},
    "tail": TAIL,
    "arrow": ARROW,
    "circle": CIRCLE,
}
_TYPES: dict[object, str | None] = {0: None, 1: "latent", "measured": None, "latent": "latent"}


def to_tetrad_json(graph: MixedGraph | HasPag) -> str:
    """The graph as Tetrad's JSON.

    Args:
        graph: A graph, or an object with a `.pag`.

    Returns:
        The text.

    Raises:
        GraphError: If the graph is a DAG with selection nodes.

    Examples:
        >>> from ancestral import PAG
        >>> document = json.loads(to_tetrad_json(PAG.parse("a o-> b")))
        >>> [node["name"] for node in document["nodes"]]
        ['a', 'b']
        >>> document["edgesSet"][0]["endpoint1"], document["edgesSet"][0]["endpoint2"]
        ({'ordinal': 2}, {'ordinal': 1})
    """
    written = graph_of(graph)
    refuse_roles(written, "Tetrad's JSON", "selection")
    kind = kind_of(written)
    nodes = {name: _node(i, name, role_of(written, name)) for i, name in enumerate(written.nodes)}
    edges = []
    for a, _, b in written.edges():
        x, y = written.index(a), written.index(b)
        edges.append(
            {
                "node1": nodes[a],
                "node2": nodes[b],
                "endpoint1": {"ordinal": _ENDPOINTS[int(written.marks[y, x])]},
                "endpoint2": {"ordinal": _ENDPOINTS[int(written.marks[x, y])]},
                "bold": False,
                "highlighted": False,
                "properties": [],
                "edgeTypeProbabilities": [],
            }
        )
    document = {
        "nodes": list(nodes.values()),
        "edgesSet": edges,
        "ambiguousTriples": [],
        "underLineTriples": [],
        "dottedUnderLineTriples": [],
        "stuffRemovedSinceLastTripleAccess": False,
        "highlightedEdges": [],
        "pattern": kind == "cpdag",
        "pag": kind == "pag",
        "attributes": {"kind": kind.upper()},
    }
    return json.dumps(document, indent=1, ensure_ascii=False)


def _node(i: int, name: str, role: str | None) -> dict[str, Any]:
    number = 1 if role == "latent" else 0
    # Tetrad needs a position for each node: eight in a row
    place = {"centerX": 100 + 150 * (i % 8), "centerY": 100 + 100 * (i // 8)}
    return {"nodeType": {"ordinal": number}, "nodeVariableType": "DOMAIN", **place, "attributes": {}, "name": name}


def from_tetrad_json(text: str, kind: str | None = None) -> MixedGraph:
    """The graph in a JSON document of Tetrad, also inside that of a whole run (under `graph`).

    Args:
        text: The document.
        kind: "dag", "mag", "cpdag" or "pag"; without it, the kind that the document states.

    Returns:
        The graph.

    Raises:
        GraphError: If it is not such a document; the message has the line.
        OptionError: If there is no such kind.

    Examples:
        >>> from ancestral import MAG
        >>> from_tetrad_json(to_tetrad_json(MAG.parse("a <-> b")))
        MAG.parse('a <-> b')
    """
    content = checked_text(text, "Tetrad's JSON of a graph").removeprefix("\ufeff")
    try:
        document = json.loads(content)
    except json.JSONDecodeError as error:
        raise GraphError(
            f"line {error.lineno}: must be JSON, failed at column {error.colno} ({error.msg}); is the text complete?"
        ) from None
    except (RecursionError, ValueError):
        raise GraphError("the JSON is nested too deeply for a graph, or has a number of too many digits") from None
    if isinstance(document, dict) and isinstance(document.get("graph"), dict):
        document = document["graph"]
    builder = GraphBuilder(_kind(document))
    for i, node in enumerate(_list(document, "nodes")):
        where = f"nodes[{i}]"
        name = _name(node, where)
        if name in builder.names:
            raise GraphError(f"{where}: names must differ, got the node {name!r} twice; rename one of them")
        builder.node(name, _coded(node, "nodeType", _TYPES, where, "measured or latent"))
    for i, edge in enumerate(_list(document, "edgesSet")):
        where = f"edgesSet[{i}]"
        a, b = (_name(_part(edge, side, where), f"{where}.{side}") for side in ("node1", "node2"))
        for name in (a, b):
            if name not in builder.names:
                raise GraphError(f"{where}: an edge must join nodes of the list, got {name!r}; list it under nodes")
        marks = [_coded(edge, end, _MARKS, where, "tail, arrow or circle") for end in ("endpoint1", "endpoint2")]
        builder.edge(a, b, marks[0], marks[1])
    return builder.graph(kind)


def _kind(document: Any) -> str | None:
    """The kind, if the document states one; `pag: false` is Tetrad's default and states nothing."""
    if not isinstance(document, dict):
        _fail("the document", document, "an object with 'nodes' and 'edgesSet'")
    about = document.get("attributes")
    written = about.get("kind") if isinstance(about, dict) else None
    if isinstance(written, str) and written.lower() in KINDS:
        return written.lower()
    return "pag" if document.get("pag") is True else "cpdag" if document.get("pattern") is True else None


def _list(document: dict[str, Any], key: str) -> list[Any]:
    values = document.get(key)
    if not isinstance(values, list):
        _fail(key, values, "a list")
    return values


def _part(value: Any, key: str, where: str) -> Any:
    if not isinstance(value, dict) or key not in value:
        _fail(where, value, f"an object with {key!r}")
    return value[key]


def _name(node: Any, where: str) -> str:
    name = _part(node, "name", where)
    if not isinstance(name, str):
        _fail(f"{where}.name", name, "a string")
    return name


def _coded(value: Any, key: str, codes: dict[object, Any], where: str, expected: str) -> Any:
    """What the number or name under a key stands for."""
    code = _part(value, key, where)
    if isinstance(code, dict):
        code = code.get("ordinal", code.get("name"))
    code = code.lower() if isinstance(code, str) else code
    if isinstance(code, (bool, float, list, dict)) or code not in codes:
        _fail(f"{where}.{key}", code, expected)
    return codes[code]


def _fail(where: str, value: object, expected: str) -> NoReturn:
    try:
        shown = json.dumps(value)
    except RecursionError:
        shown = "..."
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    raise GraphError(f"{where} must be {expected}, got {shown}; is this a graph that Tetrad wrote?")
