"""Named graphs: the paper's example, and the graphs of docs/theory.md on which ICD as printed fails."""

from ancestral import DAG, MAG

__all__ = ["ALL_SELECTED", "ANYTIME", "COND3", "COND3_STABLE", "LEMMA1", "SEVEN_NODES", "THEORY"]

#: The example of Spirtes, Glymour & Scheines (2000), Figure 2 of the ICD paper.
SEVEN_NODES = MAG.parse("A <-> B, D <-> E, B -> E, D -> A, F -> B, H -> D, C -> F, C -> H")

_LEMMA1 = "m -> x1, m -> x2, x1 -> A, x2 -> A, m -> y1, m -> y2, y1 -> B, y2 -> B, q1 -> A, q1 -> B, q2 -> A, q2 -> B"

#: A and B are separated by {m, q1, q2}, but are adjacent after radius 3: the graph is not 3-representing.
LEMMA1 = DAG.parse(_LEMMA1)

#: After radius 3 there is a false arrowhead at B on the true edge B --> C.
ANYTIME = DAG.parse(f"{_LEMMA1}, B -> C, m -> C, q1 -> C, q2 -> C")

#: With condition 3 and immediate removal some labellings end with an extra edge and a false arrowhead.
COND3 = DAG.parse(
    """
    6 -> 5, 6 -> 10, 5 -> 9, 10 -> 9, 6 -> 4, 6 -> 3, 4 -> 1, 3 -> 1, 7 -> 9, 7 -> 1, 2 -> 9, 2 -> 1, 9 -> 8, 8 -> 1
    """
)

#: False marks in early stages, also with stable removal and under every labelling.
COND3_STABLE = DAG.parse(
    """
    X -> m, X -> q1, X -> q2, X -> q3, X -> A, X -> c, m -> x, m -> y1, m -> y2, x -> A, A -> c, c -> B
    y1 -> B, y2 -> B, q1 -> A, q2 -> A, q3 -> A, q1 -> B, q2 -> B, q3 -> B
    """
)

_SELECTED = "A Z, A W, Z C, W C, A Y1, A Y2, A Y3, B Y1, B Y2, B Y3, B Z2, B W2, Z2 C2, W2 C2"
_PAIRS = [pair.split() for pair in _SELECTED.split(", ")]

#: Every edge of its MAG is undirected, each due to a selected common child.
ALL_SELECTED = DAG.parse(
    "\n".join(f"{a} -> s{i}, {b} -> s{i}" for i, (a, b) in enumerate(_PAIRS)),
    selection=[f"s{i}" for i in range(len(_PAIRS))],
)

#: The graphs of docs/theory.md, by their names there.
THEORY = {
    "lemma1": LEMMA1,
    "anytime": ANYTIME,
    "cond3": COND3,
    "cond3stable": COND3_STABLE,
    "all selected": ALL_SELECTED,
}
