"""Members of an equivalence class: one, all, or random draws, and whether a graph is the PAG of any class.

`mag_in` needs no search: the circles of a PAG tell how to replace them (`graphs/member.py`). The result is checked by
applying the rules to it: a graph is legal if and only if this leads back to the same graph.
"""

from dataclasses import dataclass

import numpy as np

from ancestral.arguments import MOST_SEED, flag, whole_number
from ancestral.classes.listing import Marks, Members, class_marks
from ancestral.errors import GraphError, Option
from ancestral.graphs import CPDAG, DAG, MAG, PAG
from ancestral.graphs.canonical import canonical_dag
from ancestral.graphs.marks import ARROW, CIRCLE, TAIL
from ancestral.graphs.member import circle_ring, member_marks
from ancestral.printing import shown_type

__all__ = ["Legality", "NoClass", "legal", "list_mags", "mag_in", "members_behind", "sample_dags", "sample_mags"]

#: Largest number of graphs of a class that are listed before drawing; listing them takes a tenth of a second.
MOST_LISTED = 2_000


class NoClass(GraphError):
    """A graph that is not the PAG, or CPDAG, of any class."""


@dataclass(frozen=True)
class Legality:
    """Whether a graph is the PAG (or CPDAG) of some graph, and the reason.

    Attributes:
        legal: Whether it is; the object itself is true or false in an `if`.
        reason: Why, in words.

    Examples:
        >>> answer = legal(PAG.parse("a o-> c, b o-> c, c o-> d"))
        >>> answer.legal, answer.reason, bool(answer)
        (False, 'all graphs with these separations have a tail at c on c o-> d', False)
    """

    legal: bool
    reason: str

    def __bool__(self) -> bool:
        return self.legal

    def __str__(self) -> str:
        return f"legal: {self.reason}" if self.legal else f"not legal: {self.reason}"


def mag_in(pag: PAG) -> MAG:
    """A MAG of the class that a PAG stands for; of a CPDAG, one of its DAGs. Always the same one.

    Args:
        pag: A PAG or CPDAG.

    Returns:
        The MAG.

    Raises:
        GraphError: If there is none: graphs learned from data need not be legal.

    Examples:
        >>> print(mag_in(PAG.parse("a o-o b, b o-o c, d o-> e, f o-> e")))
        a --> b
        b --> c
        d --> e
        f --> e
    """
    mag, legality = _member(pag)
    if mag is None or not legality:
        raise _no_class(pag, legality)
    return mag


def legal(pag: PAG) -> Legality:
    """Whether there is a graph whose PAG (or CPDAG) is exactly this one; if not, why.

    Args:
        pag: A PAG or CPDAG.

    Returns:
        The answer, with the reason.

    Raises:
        GraphError: If the graph is neither a PAG nor a CPDAG.

    Examples:
        >>> print(legal(PAG.parse("a o-> c, b o-> c, c o-> d")))
        not legal: all graphs with these separations have a tail at c on c o-> d
        >>> print(legal(PAG.parse("a o-> b, c o-> b, b --> d")))
        legal: it is the PAG of, for one, a --> b, b --> d, c --> b
    """
    return _member(pag)[1]


def list_mags(pag: PAG, *, most: int = 10_000) -> list[MAG]:
    """All MAGs without `---` of the class of a PAG, those of a sample that was not selected; of a CPDAG, all its DAGs.

    They are found by changing one mark at a time (Zhang & Spirtes 2005), in some microseconds each. The first one is
    `mag_in(pag)`. `equivalent_mags` lists the class by brute force, with the MAGs that have `---`.

    Args:
        pag: A PAG or CPDAG.
        most: The largest number of MAGs to list, at least 1.

    Returns:
        The MAGs; the list is empty if every MAG of the class has an edge `---`.

    Raises:
        GraphError: If there are more than `most`, or if the graph is not the PAG of any class.
        OptionError: If `most` is not such a number.

    Examples:
        >>> [str(mag) for mag in list_mags(PAG.parse("a o-o b"))]
        ['a --> b', 'a <-> b', 'b --> a']
    """
    count = whole_number("most", most, 1)
    mag_in(pag)  # raises if there is none
    members = Members(pag, selection=False)
    codes = members.listed(count)
    if codes is None:
        raise GraphError(
            f"the class has more than {count:,} MAGs; pass a larger ", Option("most"), ", or use sample_mags"
        )
    return [MAG(pag.nodes, marks) for marks in members.marks(codes)]


def members_behind(graph: PAG) -> Members:
    """The MAGs without `---`, or DAGs, that a graph stands for, also if it says more than their class, by knowledge.

    Such a graph has all marks of the PAG (or CPDAG) of a class, and further ones. Raises a `GraphError` if there is no
    such class, and if every MAG of it has an edge `---`.
    """
    _, legality = _member(graph)
    if legality:
        members = Members(graph, selection=False)
    else:
        marks = _marks_of_class(graph)
        if marks is None:
            raise _no_class(graph, legality)
        lines = np.where(marks == CIRCLE, np.uint8(TAIL), marks)
        free = CPDAG(graph.nodes, lines) if isinstance(graph, CPDAG) else PAG(graph.nodes, marks)
        members = Members(free, selection=False, known=graph.class_marks)
    if not members.exist:
        raise GraphError("every MAG of the class has an edge ---, so the sample was selected")
    return members


def sample_mags(pag: PAG, n: int, seed: int, *, selection_bias: bool = True) -> list[MAG]:
    """Draw MAGs of the class of a PAG, with replacement.

    Classes of at most 2,000 MAGs without `---` (with them, of at most 10 circles) are listed, and draws are independent
    and uniform. Otherwise they come from a random walk that changes the mark of one circle at a time and stays in the
    class: each change is as likely as its reverse, so in the long run each MAG that can be reached is as likely as any
    other. Without selection all can be reached (Zhang & Spirtes 2005). Ten changes are tried for each circle between
    two draws, which are then close to independent. Of a CPDAG, DAGs are drawn in the same way, by turning one edge at a
    time (Chickering 1995).

    Args:
        pag: A PAG or CPDAG.
        n: How many are drawn.
        seed: A whole number of at least 0; the same seed draws the same MAGs.
        selection_bias: False leaves out the MAGs with `---`.

    Returns:
        The MAGs, in the order in which they were drawn.

    Raises:
        GraphError: If there is no such MAG.
        OptionError: If `n` or `seed` is not a whole number of at least 0.

    Examples:
        >>> [str(mag) for mag in sample_mags(PAG.parse("a o-o b"), 4, seed=2)]
        ['a --- b', 'a --> b', 'a <-> b', 'a --> b']
    """
    count = whole_number("n", n, 0)
    rng = np.random.default_rng(whole_number("seed", seed, 0, MOST_SEED))
    mag_in(pag)  # raises if there is none
    members = Members(pag, selection=flag("selection_bias", selection_bias))
    if not members.exist:
        raise GraphError("every MAG of the class has an edge ---; pass ", Option("selection_bias", True))
    return [MAG(pag.nodes, marks) for marks in members.marks(members.sample(count, rng, MOST_LISTED))]


def sample_dags(pag: PAG, n: int, seed: int, *, selection_bias: bool = True) -> list[DAG]:
    """The canonical DAGs of n MAGs drawn by `sample_mags`.

    They have a latent node for each `<->` of the MAG, and a selection node for each `---`. A MAG stands for many more
    DAGs, which agree on ancestry among the observed nodes.

    Args:
        pag: A PAG or CPDAG.
        n: How many are drawn.
        seed: A whole number of at least 0; the same seed draws the same DAGs.
        selection_bias: False leaves out the MAGs with `---`, so no DAG has a selection node.

    Returns:
        The DAGs, in the order in which they were drawn.

    Raises:
        GraphError: If there is no such MAG.
        OptionError: If `n` or `seed` is not a whole number of at least 0.

    Examples:
        >>> from ancestral import pag_of
        >>> pag = PAG.parse("a o-> c, b o-> c, c --> d")
        >>> [pag_of(dag) == pag for dag in sample_dags(pag, 3, seed=1)]
        [True, True, True]
    """
    return [canonical_dag(mag) for mag in sample_mags(pag, n, seed, selection_bias=selection_bias)]


def _no_class(pag: PAG, legality: Legality) -> NoClass:
    return NoClass(
        f"not the {type(pag).__name__} of any graph: {legality.reason}; graphs learned from data need not be legal"
    )


def _marks_of_class(graph: PAG) -> Marks | None:
    """The marks of the class that has all marks of this graph but those that are known beside it; None if none has."""
    known = graph.class_marks
    try:
        marks = class_marks(MAG(graph.nodes, member_marks(known)), isinstance(graph, CPDAG))
    except GraphError:
        return None
    return None if ((marks != CIRCLE) & (marks != known)).any() else marks


def _member(pag: PAG) -> tuple[MAG | None, Legality]:
    """A MAG of the class if there is any, and whether the PAG is exactly the PAG of that class."""
    if not isinstance(pag, PAG):
        raise GraphError(f"the graph must be a PAG or a CPDAG, got {shown_type(pag)}; pag_of gives the PAG of one")
    marks = pag.class_marks
    if ring := circle_ring(marks):
        names = " o-o ".join(pag.nodes[i] for i in [*ring, ring[0]])
        return None, Legality(
            False, f"the ring {names} has no chord of that kind, so some of its marks must not be circles"
        )
    try:
        mag = MAG(pag.nodes, member_marks(marks))
    except GraphError as error:
        return None, Legality(False, f"with its circles replaced it would not be a MAG: {error}")
    agreed = class_marks(mag, isinstance(pag, CPDAG))
    for x, y in np.argwhere(agreed != marks).tolist():
        words = {CIRCLE: "differ about the mark", ARROW: "have an arrowhead", TAIL: "have a tail"}
        where = f"at {pag.nodes[y]} on {pag.edge_text(pag.nodes[y], pag.nodes[x])}"
        return mag, Legality(False, f"all graphs with these separations {words[agreed[x, y]]} {where}")
    shown = str(mag).replace("\n", ", ")
    return mag, Legality(True, f"it is the {type(pag).__name__} of, for one, {shown}")
