"""The compliance suite of an orientation rule: each check tests one promise of its entry in `RULES`.

A rule is checked by pictures: graphs in which it acts, each with the graph that it makes of it, and graphs in which it
must keep silent because one of its conditions fails.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, permutations

from ancestral.graphs import PAG
from ancestral.knowledge import Knowledge
from ancestral.orientation._board_cy import Board
from ancestral.orientation._judge_cy import Sepsets
from ancestral.orientation.orient import Oriented, known_board, orient_checked
from ancestral.orientation.rules import NUMBERS, RULES, Rule
from ancestral.testing.checks import Check, checks_from, require, suite
from ancestral.trace import Orientation, Separation, Trace

__all__ = ["Picture", "check_rule", "checks_of_rule"]

#: Orders of the nodes of a picture that are tried: all of a graph with five nodes.
MOST_ORDERS = 120


@dataclass(frozen=True)
class Picture:
    """A graph, and what a rule may look up beside its marks.

    Attributes:
        graph: The text of the graph.
        sepsets: Separating sets: "a c | b d, a e |" says that {b, d} separates a and c, and the empty set a and e.
        knowledge: What is known, as `Knowledge.parse` reads it; it is written into the graph before the rule speaks.

    Examples:
        >>> picture = Picture("a o-> b, b o-o c", sepsets="a c | b")
        >>> picture.separating == {frozenset({"a", "c"}): frozenset({"b"})}
        True
    """

    graph: str
    sepsets: str = ""
    knowledge: str = ""

    def __str__(self) -> str:
        return "; ".join(part for part in (self.graph, self.sepsets, self.knowledge) if part)

    @property
    def separating(self) -> dict[frozenset[str], frozenset[str]]:
        """The separating sets by pair."""
        parts = (part.partition("|") for part in self.sepsets.split(",") if part.strip())
        return {frozenset(pair.split()): frozenset(given.split()) for pair, _, given in parts}


def checks_of_rule(name: str, acts: Mapping[str | Picture, str], silent: Iterable[str | Picture]) -> Iterator[Check]:
    """The checks of an orientation rule, each of one promise of its entry in `ancestral.orientation.RULES`.

    Args:
        name: The name of the rule.
        acts: Graphs in which it acts, each with the graph after it. A graph is a text such as "a o-> b, b o-o c", or a
            `Picture` for a rule that looks up separating sets or knowledge.
        silent: Graphs in which it must change nothing; there should be one for each condition of the rule, in which
            only that condition fails.

    Yields:
        The checks.

    Examples:
        >>> check_rule("R1", acts={"a o-> b, b o-o c": "a o-> b, b --> c"}, silent=["a o-> b, b o-o c, a o-o c"])
    """
    drawn = {_picture(before): after for before, after in acts.items()}
    return checks_from(_CHECKS, _Subject(name, drawn, tuple(map(_picture, silent))))


check_rule = suite(checks_of_rule)


def _picture(given: str | Picture) -> Picture:
    return Picture(given) if isinstance(given, str) else given


@dataclass(frozen=True)
class _Applied:
    """A picture after the rule: the graph, what was written and refused, and the reasons to look up."""

    picture: Picture
    graph: PAG
    oriented: Oriented
    known: Knowledge
    marks: list[Orientation]

    @property
    def trace(self) -> Trace:
        """The reasons, as an explanation reads them."""
        sets = self.picture.separating

        def separation(x: str, y: str) -> Separation | None:
            given = sets.get(frozenset((x, y)))
            return None if given is None else Separation(x, y, given, len(given), "search")

        return Trace(self.oriented.orientations(self.graph.nodes), (), separation)


@dataclass(frozen=True)
class _Subject:
    """A rule, and its pictures."""

    name: str
    acts: Mapping[Picture, str]
    silent: tuple[Picture, ...]

    @property
    def rule(self) -> Rule:
        """The entry of the rule."""
        require(self.name in RULES, f"RULES has no rule of the name {self.name!r}.")
        return RULES[self.name]

    def applied(self, picture: Picture, graph: PAG | None = None) -> _Applied:
        """Apply the rule to a picture, or to another graph with its separating sets and knowledge."""
        require(self.name in RULES, f"RULES has no rule of the name {self.name!r}.")
        pag = PAG.parse(picture.graph) if graph is None else graph
        judge = Sepsets(len(pag.nodes))
        for pair, given in picture.separating.items():
            x, y = sorted(map(pag.index, pair))
            judge.record(x, y, sorted(map(pag.index, given)))
        meek = self.name.startswith("M")
        known = Knowledge.parse(picture.knowledge)
        constraints = known.constraints(pag.nodes, selection_bias=not meek) if known else None
        no_edge = None if constraints is None else constraints.no_edge
        board = known_board(Board(pag.marks.copy(), sufficient=meek, no_edge=no_edge), constraints)
        oriented = orient_checked(board, judge, [self.name], lambda board: True)
        assert oriented is not None  # every path is trusted
        marks = [mark for mark in oriented.orientations(pag.nodes) if mark.rule == self.name]
        return _Applied(picture, PAG(pag.nodes, oriented.marks), oriented, known, marks)

    @property
    def all_applied(self) -> Iterator[_Applied]:
        """Every picture in which the rule acts, after it."""
        return map(self.applied, self.acts)


# -- the promises -----------------------------------------------------------------------------------------------------


def _entry(subject: _Subject) -> None:
    """The name begins with the letter of a family, R, M or K, and has a number, under which files keep it."""
    rule = subject.rule
    require(subject.name[:1] in ("R", "M", "K"), f"The name is {subject.name!r}.")
    require(subject.name in NUMBERS, f"NAMES does not list {subject.name!r}.")
    require(rule.turn >= 0, f"Its turn must be 0 or more, got {rule.turn}.")


def _acts(subject: _Subject) -> None:
    """In each of the graphs in which it acts, the rule sets the marks of the graph after it, and no others."""
    require(len(subject.acts) > 0, "Pass at least one graph in which it acts, with the graph after it.")
    for picture, after in subject.acts.items():
        found = subject.applied(picture)
        require(found.graph == PAG.parse(after), f"It makes {_line(found.graph)} of {picture}, not {after}.")
        require(bool(found.marks), f"It set no mark in {picture}.")


def _silent(subject: _Subject) -> None:
    """It sets no mark in a graph in which it must keep silent."""
    require(len(subject.silent) > 0, "Pass at least one graph in which it keeps silent, for a condition that fails.")
    for picture in subject.silent:
        found = subject.applied(picture)
        require(not found.marks, f"It makes {_line(found.graph)} of {picture}.")


def _settled(subject: _Subject) -> None:
    """Applied to a graph that it has oriented, the rule sets no further mark."""
    for once in subject.all_applied:
        twice = subject.applied(once.picture, once.graph)
        require(not twice.marks, f"It makes {_line(once.graph)} of {once.picture}, and then {_line(twice.graph)}.")


def _order_of_nodes(subject: _Subject) -> None:
    """The graph after the rule does not depend on the order of the nodes."""
    for picture in (*subject.acts, *subject.silent):
        drawn, expected = PAG.parse(picture.graph), subject.applied(picture).graph
        for nodes in islice(permutations(drawn.nodes), MOST_ORDERS):
            found = subject.applied(picture, PAG.from_edges(drawn.edges(), nodes)).graph
            require(found == expected, f"It makes {_line(found)} of {picture} if the nodes are {', '.join(nodes)}.")


def _witnesses(subject: _Subject) -> None:
    """A mark names as many witnesses as the entry says, among them the ends of its edge."""
    fewest, most = subject.rule.witnesses
    for found in subject.all_applied:
        for mark in found.marks:
            named = mark.because
            allowed = fewest <= len(named) <= (len(named) if most is None else most)
            require(allowed, f"{len(named)} witnesses in {found.picture}: {', '.join(named)}.")
            require(
                {mark.x, mark.y} <= {*named}, f"The mark at {mark.y} on {mark.x}–{mark.y} names {', '.join(named)}."
            )


def _explained(subject: _Subject) -> None:
    """A mark is explained by a text, by marks of edges that are there, and by pairs that are not adjacent."""
    for found in subject.all_applied:
        for mark in found.marks:
            grounds = subject.rule.explain(mark, found.trace, found.known)
            where = f"the mark at {mark.y} on {mark.x}–{mark.y} in {found.picture}"
            require(bool(grounds.text.strip()), f"There is no text for {where}.")
            missing = [pair for pair in grounds.marks if found.graph.edge(*pair) is None]
            require(not missing, f"It explains {where} by marks of edges that are not there: {missing}.")
            adjacent = [pair for pair in grounds.separations if found.graph.edge(*pair) is not None]
            require(not adjacent, f"It explains {where} by a separation of pairs that are adjacent: {adjacent}.")


def _line(graph: PAG) -> str:
    return str(graph).replace("\n", ", ")


_CHECKS: tuple[Callable[[_Subject], None], ...] = (
    _entry,
    _acts,
    _silent,
    _settled,
    _order_of_nodes,
    _witnesses,
    _explained,
)
