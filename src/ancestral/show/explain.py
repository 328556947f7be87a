"""What an edge means, in words, for readers who do not know ancestral graphs."""

from ancestral.graphs import CPDAG, PAG
from ancestral.graphs.marks import ARROW, CIRCLE, TAIL, parse_symbol

__all__ = ["LEGEND", "edge_in_words", "legend_of", "mark_in_words", "meanings_of", "reading_lessons"]

#: What each edge of a PAG means.
LEGEND: dict[str, str] = {
    "-->": "a causes b (or what the sample was selected on), and b does not cause a",
    "<->": "neither causes the other: something unmeasured, or the selection, links them",
    "o->": "b does not cause a; a may cause b, or something unmeasured links them",
    "---": "linked through selection: each causes the other or what the sample was selected on",
    "o--": "b causes a or what the sample was selected on; the other end is open",
    "o-o": "they depend on each other whatever is held fixed; the direction is open",
}


#: The same, if the sample was not selected.
_UNSELECTED: dict[str, str] = {
    **LEGEND,
    "-->": "a causes b, and b does not cause a",
    "<->": "neither causes the other: something unmeasured causes both",
    "---": "each causes the other, which cannot be: the answers contradict each other",
    "o--": "b causes a; the other end is open",
}

#: What each edge of a CPDAG means.
_DIRECT: dict[str, str] = {
    "-->": "a causes b",
    "---": "one of them causes the other; which, is open",
}


#: What an edge of a PAG means; "visible" is an edge --> behind which nothing unmeasured stands.
_MEANINGS = {
    "-->": "{a} is a cause of {b}, or of who came into the sample; {b} is not a cause of {a}. Something unmeasured may "
    "cause both on top of that.",
    "visible": "{a} is a cause of {b}, or of who came into the sample; {b} is not a cause of {a}. Nothing unmeasured "
    "causes both.",
    "<->": "Neither causes the other: something unmeasured causes both, or the selection of the sample links them.",
    "o->": "{b} is not a cause of {a}. Whether {a} causes {b}, or something unmeasured causes both, is open.",
    "---": "They are linked through selection: each is a cause of the other or of who came into the sample.",
    "o--": "{b} is a cause of {a}, or of who came into the sample. Whether {a} causes {b} is open.",
    "o-o": "They depend on each other whatever is held fixed. Which causes which, or whether something unmeasured "
    "causes both, is open.",
}

_UNSELECTED_MEANINGS = {
    **_MEANINGS,
    "-->": "{a} is a cause of {b}; {b} is not a cause of {a}. Something unmeasured may cause both on top of that.",
    "visible": "{a} is a cause of {b}; {b} is not a cause of {a}. Nothing unmeasured causes both.",
    "<->": "Neither causes the other: something unmeasured causes both.",
    "---": "Each is a cause of the other, which cannot be: the answers contradict each other.",
    "o--": "{b} is a cause of {a}. Whether {a} causes {b} is open.",
}

_DIRECT_MEANINGS = {
    "-->": "{a} is a cause of {b}, if nothing unmeasured causes two of the variables.",
    "---": "One of them causes the other, if nothing unmeasured causes both; which one, is open.",
    "o-o": "They depend on each other whatever was held fixed so far; the direction is found in the end.",
}

_LESSONS = [
    ("-->", "An arrowhead at a variable says: it is not a cause of the other one."),
    ("---", "A plain end, a tail, says: it is a cause of the other one, or of who came into the sample."),
    ("o-o", "A circle says: the data leave open which of the two it is."),
    ("", "No edge says: the two are independent once some of the others are known; pick two variables to see which."),
]

_UNSELECTED_LESSONS = [
    _LESSONS[0],
    ("-->", "A plain end, a tail, says: it is a cause of the other one."),
    *_LESSONS[2:],
]

_DIRECT_LESSONS = [
    ("-->", "An arrow leads from a cause to its effect."),
    ("---", "A plain line says: one causes the other, and the data leave open which."),
    ("", "No edge says: the two are independent once some of the others are known; pick two variables to see which."),
    ("", "All this holds if nothing unmeasured causes two of the variables, and nothing decided who is in the sample."),
]


def meanings_of(graph: PAG, selection: bool = True) -> dict[str, str]:
    """What an edge of this graph between {a} and {b} means, in plain words; "visible" is a visible edge -->.

    Here and below, `selection` says whether the sample may have been selected.
    """
    if isinstance(graph, CPDAG):
        return _DIRECT_MEANINGS
    return _MEANINGS if selection else _UNSELECTED_MEANINGS


def reading_lessons(graph: PAG, selection: bool = True) -> list[tuple[str, str]]:
    """How to read the picture, in four sentences, each with an edge as an example, or an empty text."""
    if isinstance(graph, CPDAG):
        return _DIRECT_LESSONS
    return _LESSONS if selection else _UNSELECTED_LESSONS


def legend_of(graph: PAG, selection: bool = True) -> dict[str, str]:
    """What each edge a–b of a graph of this kind means, in one line."""
    if isinstance(graph, CPDAG):
        return _DIRECT
    return LEGEND if selection else _UNSELECTED


def edge_in_words(a: str, edge: str, b: str) -> list[str]:
    """What the edge between a and b means in every graph of its class: one sentence for each mark but circles.

    >>> edge_in_words("smoking", "o->", "cancer")
    ['cancer is not a cause of smoking (nor of the selection)']
    """
    at_a, at_b = parse_symbol(edge)
    sentences = [mark_in_words(a, at_a, b), mark_in_words(b, at_b, a)]
    return [sentence for sentence in sentences if sentence]


def mark_in_words(node: str, mark: int, other: str, selection: bool = True) -> str:
    """What a mark at a node means; empty for a circle."""
    return {
        ARROW: f"{node} is not a cause of {other}" + " (nor of the selection)" * selection,
        TAIL: f"{node} is a cause of {other}" + " (or of the selection)" * selection,
        CIRCLE: "",
    }[mark]
