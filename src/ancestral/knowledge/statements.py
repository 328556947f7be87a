"""`Knowledge`: what is known about who causes whom, each kind of statement defined by ancestry in one sentence.

"Causes" is ancestry: directly or through others, measured or not. An arrowhead at x on x–y says that x causes neither y
nor what the sample was selected on. So that "x does not cause y" licenses it, the statement is meant that way, too:
who says it of a sample that may have been selected says that x did not drive the selection either.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from os import PathLike
from typing import Any

from ancestral.arguments import names_list, path_of, text_of
from ancestral.errors import GraphError, KnowledgeError
from ancestral.graphs import PAG
from ancestral.graphs.marks import ARROW, NONE, TAIL
from ancestral.graphs.names import by_name, checked_names
from ancestral.knowledge.closure import Constraints

__all__ = ["Knowledge"]

Pair = tuple[str, str]


@dataclass(frozen=True)
class Knowledge:
    """What is known, as statements about the measured variables.

    - `tiers`: groups of variables, the earlier first: a variable of a later group causes none of an earlier one, nor
      what the sample was selected on. Within a group, and of variables in no group, nothing is said.
    - `forbidden`: `(x, y)` says that x causes neither y, directly or indirectly, nor what the sample was selected on;
      that is an arrowhead at x on an edge x–y, and no more.
    - `required`: `(x, y)` says that x causes y by a way that passes no other measured variable. So the two are adjacent
      whatever is asked, there is a tail at x, and y does not cause x; an arrowhead at y says, besides, that y did not
      drive the selection, so it is there where selection is ruled out: by `selection_bias=False`, or by another
      statement (`forbidden` has `(y, x)`, for example).
    - `no_edge`: `(x, y)` says that some set of measured variables separates x and y. Which one is not known, so the
      pair is not adjacent, has no separating set, and no rule may tell a collider from a non-collider by it.
    - `exogenous`: x says that no other measured variable causes x, nor what the sample was selected on.

    Where `selection_bias=False`, the words about selection fall away. Knowledge that contradicts itself is refused.
    It is compared by what it says, prints in the format that `parse` reads, and does not change.

    >>> known = Knowledge(tiers=[["age"], ["smoking"], ["cancer"]], required=[("smoking", "cancer")])
    >>> print(known)
    age < smoking < cancer
    smoking --> cancer
    >>> Knowledge.parse("age < smoking < cancer\\nsmoking --> cancer") == known
    True
    >>> Knowledge(tiers=[["a"], ["b"]], required=[("b", "a")])
    Traceback (most recent call last):
    ...
    ancestral.errors.KnowledgeError: the knowledge contradicts itself: b --> a (required), but a comes before b \
(tiers); take one of the statements out
    """

    tiers: Sequence[Sequence[str]] = ()
    forbidden: Sequence[Pair] = ()
    required: Sequence[Pair] = ()
    no_edge: Sequence[Pair] = ()
    exogenous: Sequence[str] = ()

    def __post_init__(self) -> None:
        tiers = [_names(tier, "tiers") for tier in _items(self.tiers, "tiers")]
        _refuse_two_tiers(tiers)
        tiers = [tier for tier in tiers if tier]
        unordered = {min(pair, pair[::-1], key=_pair_by_name) for pair in _pairs(self.no_edge, "no_edge")}
        for field, value in (
            ("tiers", tuple(tiers) if len(tiers) > 1 else ()),  # a single one says nothing
            ("forbidden", _pairs(self.forbidden, "forbidden")),
            ("required", _pairs(self.required, "required")),
            ("no_edge", tuple(sorted(unordered, key=_pair_by_name))),
            ("exogenous", _names(self.exogenous, "exogenous")),
        ):
            object.__setattr__(self, field, value)
        self._refuse_contradiction()

    # -- reading ------------------------------------------------------------------------------------------------

    @classmethod
    def parse(cls, text: str, form: str | None = None) -> "Knowledge":
        """Read knowledge from text: `form` is "text", "toml", "tetrad", or None: found out.

        >>> Knowledge.parse("age, sex < bmi  # tiers\\nbmi -/-> dose\\nbmi | job\\nexogenous: age").forbidden
        (('bmi', 'dose'),)
        """
        from ancestral.knowledge.reading import parse

        return cls(**parse(text, form, "the text"))

    @classmethod
    def read(cls, path: str | PathLike[str], form: str | None = None) -> "Knowledge":
        """Read a file of knowledge: TOML (`.toml`), Tetrad's format, or plain text (docs/knowledge.md)."""
        from ancestral.knowledge.reading import parse, text_of

        place = path_of("path", path)
        said = parse(text_of(place), form or ("toml" if place.suffix.lower() == ".toml" else None), str(place))
        try:
            return cls(**said)
        except KnowledgeError as error:
            raise KnowledgeError(f"{place}: {error}") from None

    @classmethod
    def of(cls, source: Any) -> "Knowledge | None":
        """The knowledge that an option names: itself, a path to a file, or nothing; what says nothing is nothing."""
        if source is None or isinstance(source, Knowledge):
            return source or None
        if isinstance(source, (str, PathLike)):
            return cls.read(source) or None
        raise KnowledgeError(
            f"knowledge={source!r} is no knowledge; pass Knowledge(tiers=[…], …) or the path of a file"
        )

    # -- asking -------------------------------------------------------------------------------------------------

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) for field in fields(self))

    @property
    def names(self) -> tuple[str, ...]:
        """All variables that it speaks of, by name."""
        tiers = [name for tier in self.tiers for name in tier]
        pairs = [name for pair in (*self.forbidden, *self.required, *self.no_edge) for name in pair]
        return tuple(sorted({*tiers, *pairs, *self.exogenous}, key=by_name))

    def among(self, variables: Iterable[str]) -> "Knowledge":
        """What it says about these variables alone; what follows only by way of others is lost.

        >>> print(Knowledge(tiers=[["a"], ["b", "c"]], forbidden=[("c", "d")]).among(["a", "b", "d"]))
        a < b
        """
        kept = set(names_list("variables", variables))
        return Knowledge(
            tiers=[[name for name in tier if name in kept] for tier in self.tiers],
            forbidden=[pair for pair in self.forbidden if kept.issuperset(pair)],
            required=[pair for pair in self.required if kept.issuperset(pair)],
            no_edge=[pair for pair in self.no_edge if kept.issuperset(pair)],
            exogenous=[name for name in self.exogenous if name in kept],
        )

    def constraints(self, names: Sequence[str], selection_bias: bool = True) -> Constraints:
        """What it licenses about these variables, numbered in this order."""
        names = names_list("names", names)
        there = set(names)
        if unknown := [name for name in self.names if name not in there]:
            raise _unknown(unknown[0], names)
        return Constraints.of(self, names, selection_bias)

    def violations(self, graph: PAG, selection_bias: bool = True) -> list[str]:
        """The statements, or what follows from them, that a graph denies; empty where it keeps to all of them.

        >>> known = Knowledge(forbidden=[("b", "a")])
        >>> known.violations(PAG.parse("a o-> b")), known.violations(PAG.parse("b --> a"))
        ([], ['b --> a, but b does not cause a (forbidden)'])
        """
        if not isinstance(graph, PAG):
            raise GraphError(f"knowledge is compared with a PAG or CPDAG, not with a {type(graph).__name__}")
        constraints = self.constraints(graph.nodes, selection_bias)
        marks, nodes = graph.marks, graph.nodes
        out = []
        for x, y in constraints.denied(marks):
            path = constraints.directed_path(marks, x, y)
            shown = f"{nodes[x]} {graph.edge(nodes[x], nodes[y])} {nodes[y]}"
            if marks[x, y] == NONE or marks[y, x] != TAIL:
                shown = " --> ".join(nodes[v] for v in path)
            out.append(f"{shown}, but {self.why_not(nodes[x], nodes[y])}")
        for x, y in zip(*(constraints.cause & (marks.T == ARROW)).nonzero(), strict=True):
            shown = f"{nodes[x]} {graph.edge(nodes[x], nodes[y])} {nodes[y]}"
            out.append(f"{shown}, but {self.why(nodes[x], nodes[y])}")
        out += [
            f"{a} and {b} are not adjacent, but {a} --> {b} (required)"
            for a, b in self.required
            if not graph.edge(a, b)
        ]
        out += [
            f"{a} {graph.edge(a, b)} {b}, but no_edge says there is none" for a, b in self.no_edge if graph.edge(a, b)
        ]
        return out

    # -- reasons ------------------------------------------------------------------------------------------------

    def why_not(self, x: str, y: str) -> str | None:
        """Why x is known not to cause y, in words; None where it is not known.

        >>> Knowledge(tiers=[["age"], ["smoking"]]).why_not("smoking", "age")
        'age comes before smoking (tiers)'
        """
        text_of("x", x)
        text_of("y", y)
        if said := self._stated_not(x, y):
            return said
        if path := self._required_path(y, x):
            return f"{_arrows(path)} (required)"
        # x does not cause y if something causes x and not something that y causes
        for a in [x, *self._reached(x, backwards=True)]:
            for b in [y, *self._reached(y)]:
                if said := self._stated_not(a, b):
                    before = [f"{_arrows(path)} (required)" for path in (self._required_path(a, x),) if path]
                    after = [f"{_arrows(path)} (required)" for path in (self._required_path(y, b),) if path]
                    return ", ".join([*before, *after, f"and {said}"])
        return None

    def why(self, x: str, y: str) -> str | None:
        """Why x is known to cause y, in words; None where it is not known."""
        path = self._required_path(text_of("x", x), text_of("y", y))
        return f"{_arrows(path)} (required)" if path else None

    def _stated_not(self, x: str, y: str) -> str | None:
        """The statement that says that x does not cause y."""
        if x == y:
            return None
        if self._rank.get(x, -1) > self._rank.get(y, len(self.tiers)):
            return f"{y} comes before {x} (tiers)"
        if (x, y) in self._forbidden:
            return f"{x} does not cause {y} (forbidden)"
        return f"nothing measured causes {y} (exogenous)" if y in self._exogenous else None

    def _reached(self, x: str, backwards: bool = False) -> list[str]:
        """What x is known to cause; or, backwards, what is known to cause it. Itself if knowledge goes in a circle."""
        return list(self._ways(x, backwards))

    def _ways(self, x: str, backwards: bool = False) -> dict[str, str]:
        """Each variable that required edges lead to, with the one before it, nearest first."""
        came_from: dict[str, str] = {}
        queue = [x]
        for u in queue:
            for v in self._steps[backwards].get(u, ()):
                if v not in came_from:
                    came_from[v] = u
                    queue.append(v)
        return came_from

    def _required_path(self, x: str, y: str) -> list[str]:
        """A shortest path of required edges from x to y, at least one; empty where there is none."""
        came_from = self._ways(x)
        if y not in came_from:
            return []
        path = [y]
        while len(path) == 1 or path[-1] != x:
            path.append(came_from[path[-1]])
        return path[::-1]

    def _refuse_contradiction(self) -> None:
        for x in self._steps[False]:
            for y in self._reached(x):
                said = f"{y} would cause itself" if x == y else self._stated_not(x, y)
                if said is not None:
                    raise KnowledgeError(
                        f"the knowledge contradicts itself: {_arrows(self._required_path(x, y))} (required), but "
                        f"{said}; take one of the statements out"
                    )
        apart = set(self.no_edge)
        for x, y in self.required:
            if (x, y) in apart or (y, x) in apart:
                raise KnowledgeError(
                    f"the knowledge contradicts itself: {x} --> {y} (required), but {x} | {y} (no_edge); take one of "
                    "the statements out"
                )

    @cached_property
    def _rank(self) -> dict[str, int]:
        return {name: i for i, tier in enumerate(self.tiers) for name in tier}

    @cached_property
    def _forbidden(self) -> frozenset[Pair]:
        return frozenset(self.forbidden)

    @cached_property
    def _exogenous(self) -> frozenset[str]:
        return frozenset(self.exogenous)

    @cached_property
    def _steps(self) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
        """From each variable to those that it is required to cause; and the other way round."""
        out: tuple[dict[str, list[str]], dict[str, list[str]]] = ({}, {})
        for x, y in self.required:
            out[0].setdefault(x, []).append(y)
            out[1].setdefault(y, []).append(x)
        return out

    # -- showing ------------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        from ancestral.knowledge.reading import as_text

        return as_text(self)

    def as_dict(self) -> dict[str, Any]:
        """Its statements as lists, by name; those there are."""
        return {key: [_plain(item) for item in value] for key, value in self._said()}

    def _said(self) -> Iterator[tuple[str, Any]]:
        for field in fields(self):
            if value := getattr(self, field.name):
                yield field.name, value

    def __repr__(self) -> str:
        return f"Knowledge({', '.join(f'{key}={value}' for key, value in self.as_dict().items())})"


def _plain(item: Any) -> Any:
    return item if isinstance(item, str) else list(item)


def _arrows(path: Sequence[str]) -> str:
    return " --> ".join(path)


def _pair_by_name(pair: Pair) -> tuple[Any, Any]:
    return by_name(pair[0]), by_name(pair[1])


def _items(value: Any, field: str) -> list[Any]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        wanted = {"tiers": '[["age"], ["smoking"]]', "exogenous": '["age"]'}.get(field, '[("x", "y")]')
        raise KnowledgeError(f"{field}={value!r} is no list; write {field}={wanted}")
    return list(value)


def _names(value: Any, field: str) -> tuple[str, ...]:
    try:
        return tuple(sorted(checked_names(_items(value, field)), key=by_name))
    except GraphError as error:
        raise KnowledgeError(f"{field}: {error}") from None


def _pairs(value: Any, field: str) -> tuple[Pair, ...]:
    out: set[Pair] = set()
    for item in _items(value, field):
        if isinstance(item, str) or not isinstance(item, Iterable):
            raise KnowledgeError(f'{field}: {item!r} is no pair; write {field}=[("x", "y")]')
        pair = tuple(item)
        if len(pair) != 2:
            raise KnowledgeError(f'{field}: {pair!r} is no pair of two; write {field}=[("x", "y")]')
        for name in pair:
            if not isinstance(name, str):
                _names(pair, field)  # says what is wrong
        if pair[0] == pair[1]:
            raise KnowledgeError(f"{field}: {pair[0]!r} stands on both sides; a pair is two different variables")
        out.add((str(pair[0]), str(pair[1])))
    names = _names({name for pair in out for name in pair}, field)
    place = {name: i for i, name in enumerate(names)}  # by name, found once for each and not for each pair
    return tuple(sorted(out, key=lambda pair: (place[pair[0]], place[pair[1]])))


def _refuse_two_tiers(tiers: Sequence[Sequence[str]]) -> None:
    rank: dict[str, int] = {}
    for i, tier in enumerate(tiers, start=1):
        for name in tier:
            if name in rank:
                raise KnowledgeError(f"tiers: {name!r} is in tier {rank[name]} and in tier {i}; leave it in one")
            rank[name] = i


def _unknown(name: str, names: Sequence[str]) -> KnowledgeError:
    from difflib import get_close_matches

    close = get_close_matches(name, names, n=3)
    suggested = "did you mean " + " or ".join(map(repr, close)) + "? Correct" if close else "correct"
    return KnowledgeError(
        f"the knowledge speaks of {name!r}, which is no variable of this search; {suggested} the name, search "
        "that column, too, or take what is said about it out (Knowledge.among does)"
    )
