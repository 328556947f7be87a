"""What an edge says, in words, for somebody who has never heard of ancestral graphs."""

from ancestral.graphs import CPDAG, PAG
from ancestral.graphs.marks import ARROW, CIRCLE, TAIL, parse_symbol

__all__ = ["LEGEND", "edge_in_words", "legend_of", "mark_in_words"]

#: What each edge of a PAG means.
LEGEND: dict[str, str] = {
    "-->": "a causes b (or what the sample was selected on), and b does not cause a",
    "<->": "neither causes the other: something unmeasured, or the selection, links them",
    "o->": "b does not cause a; a may cause b, or something unmeasured links them",
    "---": "linked through selection: each causes the other or what the sample was selected on",
    "o--": "b causes a or what the sample was selected on; the other end is open",
    "o-o": "they depend on each other whatever is held fixed; the direction is open",
}


#: What each edge of a CPDAG means.
_DIRECT: dict[str, str] = {
    "-->": "a causes b",
    "---": "one of them causes the other; which, is open",
}


def legend_of(graph: PAG) -> dict[str, str]:
    """What the edges of this graph mean."""
    return _DIRECT if isinstance(graph, CPDAG) else LEGEND


def edge_in_words(a: str, edge: str, b: str) -> list[str]:
    """What the edge between a and b says in any graph of its class, one sentence for each mark that is no circle.

    >>> edge_in_words("smoking", "o->", "cancer")
    ['cancer is not a cause of smoking (nor of the selection)']
    """
    at_a, at_b = parse_symbol(edge)
    said = [mark_in_words(a, at_a, b), mark_in_words(b, at_b, a)]
    return [sentence for sentence in said if sentence]


def mark_in_words(node: str, mark: int, other: str, selection: bool = True) -> str:
    """What a mark at a node says, where there may be selection, or not; nothing for a circle."""
    return {
        ARROW: f"{node} is not a cause of {other}" + " (nor of the selection)" * selection,
        TAIL: f"{node} is a cause of {other}" + " (or of the selection)" * selection,
        CIRCLE: "",
    }[mark]
