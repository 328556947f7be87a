"""The grammar that graphviz and dagitty share: `kind name { statements }`, read into plain statements.

A statement is a node with attributes, a chain of edges between nodes or groups of nodes, defaults for what follows,
or an option of the drawing. Nothing is looked up or executed, and nesting is bounded.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import NoReturn

from ancestral.errors import GraphError
from ancestral.io.interop.common import checked_text

__all__ = ["Attributes", "Edges", "Node", "Syntax", "Text", "read_language", "walk"]

#: Levels of groups inside groups; the reader recurses, and texts in use have a few.
DEEPEST = 50

#: Edges of one text. Groups multiply (`{a …} -> {b …}` has an edge for each pair), so a text of a few kilobytes could
#: stand for billions; ten million take about a gigabyte of memory.
MOST_EDGES = 10_000_000

Attributes = dict[str, str]

_ANGLE = re.compile("[<>]")


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the text; `kind` is "word", "quoted", "html", "edge", "sign" or "end"."""

    kind: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Node:
    """A node and its attributes."""

    name: str
    attributes: Attributes
    line: int


@dataclass(frozen=True, slots=True)
class Defaults:
    """Attributes of all edges that follow in the same group."""

    attributes: Attributes


@dataclass(frozen=True, slots=True)
class Group:
    """Statements in braces; as the end of an edge, a group stands for all its nodes."""

    statements: "list[Statement]"


@dataclass(frozen=True, slots=True)
class Chain:
    """`a -> b -> {c d}`: the ends, and the edge symbols between them."""

    ends: list[Node | Group]
    edges: list[str]
    attributes: Attributes
    line: int


Statement = Node | Defaults | Group | Chain


@dataclass(frozen=True, slots=True)
class Edges:
    """An edge from each node of one end to each node of the other, all with the same symbol and attributes.

    The attributes include the defaults that hold where the edges are written.
    """

    ends: tuple[tuple[str, ...], tuple[str, ...]]
    edge: str
    attributes: Attributes
    line: int

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return product(*self.ends)


@dataclass(frozen=True, slots=True)
class Text:
    """A parsed text: the word and the name before the braces, and the statements inside."""

    kind: str
    name: str | None
    statements: list[Statement]


@dataclass(frozen=True)
class Syntax:
    """A language: its title, patterns of words, edge symbols and quoted names, and the first words of its texts."""

    title: str
    word: str
    edge: str
    heads: tuple[str, ...]
    quoted: str = r'"(?:[^"\\]|\\.)*"'
    #: As in graphviz, `node [..]`, `edge [..]` and `graph [..]` are defaults, `a:n` is a port, and `<..>` is HTML.
    graphviz: bool = False
    #: Attributes of nodes that are not for the drawing only; as defaults for all nodes they are refused.
    of_nodes: tuple[str, ...] = ()
    pattern: re.Pattern[str] = field(init=False)

    def __post_init__(self) -> None:
        parts = {
            "space": "[ \t\r\n\f\v\ufeff]+",
            "comment": r"//[^\n]*|/\*.*?\*/|(?:(?<=\n)|\A)\#[^\n]*",
            "quoted": self.quoted,
            "edge": self.edge,
            "word": self.word,
            "sign": r"[{}\[\];,=+:]",
        }
        text = "|".join(f"(?P<{name}>{pattern})" for name, pattern in parts.items())
        object.__setattr__(self, "pattern", re.compile(text, re.DOTALL))


def read_language(text: str, syntax: Syntax) -> Text:
    """Parse a text; a GraphError names the line."""
    return _Reader(checked_text(text, f"a graph in {syntax.title}"), syntax).read()


def walk(text: Text) -> list[Node | Edges]:
    """All nodes as they are mentioned, and all edges, in the order of the text.

    Raises GraphError if the groups stand for more than `MOST_EDGES` edges; these are counted before they are made.
    """
    out: list[Node | Edges] = []
    _walk(text.statements, {}, out)
    count = 0
    for item in out:
        if isinstance(item, Edges):
            count += len(item.ends[0]) * len(item.ends[1])
            if count > MOST_EDGES:
                raise GraphError(
                    f"line {item.line}: a text must have at most {MOST_EDGES:,} edges, got more between the nodes of "
                    "groups; write smaller groups"
                )
    return out


def _walk(statements: list[Statement], inherited: Attributes, out: list[Node | Edges]) -> dict[str, None]:
    """Append everything in these statements to `out`, and return the names of their nodes."""
    defaults = dict(inherited)
    names: dict[str, None] = {}
    for statement in statements:
        match statement:
            case Defaults(attributes):
                defaults |= attributes
            case Node(name):
                out.append(statement)
                names.setdefault(name)
            case Group(inner):
                names |= _walk(inner, defaults, out)
            case Chain(ends, edges, attributes, line):
                groups = []
                for end in ends:
                    groups.append(_walk([end], defaults, out))
                    names |= groups[-1]
                combined = defaults | attributes
                for edge, (one, other) in zip(edges, pairwise(map(tuple, groups)), strict=True):
                    out.append(Edges((one, other), edge, combined, line))
    return names


class _Reader:
    """A recursive descent parser; `now` is the next token."""

    def __init__(self, text: str, syntax: Syntax) -> None:
        self.syntax = syntax
        self.tokens = self._tokens(text)
        self.now = next(self.tokens)
        self.depth = 0

    # -- tokens --------------------------------------------------------------------------------------------------

    def _tokens(self, text: str) -> Iterator[Token]:
        line, at = 1, 0
        while at < len(text):
            if self.syntax.graphviz and text[at] == "<":
                end = self._html_end(text, at, line)
                kind = "html"
            elif found := self.syntax.pattern.match(text, at):
                kind, end = str(found.lastgroup), found.end()
            elif text[at] == '"':
                raise GraphError(f"line {line}: a double quote must be closed, got the end of the text; close it")
            elif text.startswith("/*", at):
                raise GraphError(f"line {line}: a comment must be closed, got the end of the text; close it with */")
            else:
                raise GraphError(
                    f"line {line}: unexpected {text[at]!r}; put names that are not plain words in double quotes"
                )
            piece = text[at:end]
            if kind not in ("space", "comment"):
                yield Token(kind, piece, line)
            line += piece.count("\n")
            at = end
        yield Token("end", "the end of the text", line)

    @staticmethod
    def _html_end(text: str, at: int, line: int) -> int:
        depth = 0
        for found in _ANGLE.finditer(text, at):
            depth += 1 if found[0] == "<" else -1
            if not depth:
                return found.end()
        raise GraphError(f"line {line}: '<' must be closed, got the end of the text; close it with '>'")

    def _next(self) -> Token:
        token = self.now
        if token.kind != "end":
            self.now = next(self.tokens)
        return token

    def _is(self, *signs: str) -> bool:
        return self.now.kind == "sign" and self.now.text in signs

    def _take(self, sign: str) -> bool:
        if self._is(sign):
            self._next()
            return True
        return False

    def _expect(self, sign: str) -> None:
        if not self._take(sign):
            self._fail(f"{sign!r}")

    def _fail(self, expected: str) -> NoReturn:
        shown = self.now.text if len(self.now.text) <= 40 else self.now.text[:37] + "..."
        found = shown if self.now.kind == "end" else repr(shown)
        raise GraphError(f"line {self.now.line}: expected {expected}, got {found}; is the text complete?")

    # -- names ---------------------------------------------------------------------------------------------------

    def _name(self, expected: str) -> str:
        """A word, or pieces in quotes with `+` between them, as written inside the quotes."""
        if self.now.kind == "word" or (self.now.kind == "html" and expected == "a value"):
            return self._next().text
        if self.now.kind != "quoted":
            self._fail(expected)
        pieces = [self._next().text[1:-1]]
        while self._take("+"):
            if self.now.kind != "quoted":
                self._fail("a piece in double quotes")
            pieces.append(self._next().text[1:-1])
        return "".join(pieces)

    @property
    def _is_name(self) -> bool:
        return self.now.kind in ("word", "quoted")

    # -- the grammar ---------------------------------------------------------------------------------------------

    def read(self) -> Text:
        heads = self.syntax.heads
        if self.now.kind == "word" and self.now.text.lower() == "strict":
            self._next()
        if self.now.kind != "word" or self.now.text.lower() not in heads:
            self._fail(f"{' or '.join(map(repr, heads))}, with which {self.syntax.title} begins")
        kind = self._next().text.lower()
        name = self._name("a name") if self._is_name else None
        statements = self._braces()
        if self.now.kind != "end":
            self._fail("the end")
        return Text(kind, name, statements)

    def _braces(self) -> list[Statement]:
        self.depth += 1
        if self.depth > DEEPEST:
            raise GraphError(
                f"line {self.now.line}: groups must be nested at most {DEEPEST} deep, got more; write them flat"
            )
        self._expect("{")
        out: list[Statement] = []
        while not self._is("}"):
            if self._take(";"):
                continue
            statement = self._statement()
            if statement is not None:
                out.append(statement)
        self._expect("}")
        self.depth -= 1
        return out

    def _statement(self) -> Statement | None:
        line = self.now.line
        if self.syntax.graphviz and self.now.kind == "word" and self.now.text.lower() in ("graph", "node", "edge"):
            what = self._next().text.lower()
            defaults = self._attributes()
            # \N is the name of the node itself
            refused = [key for key in self.syntax.of_nodes if defaults.get(key, "") not in ("", "\\N")]
            if what == "node" and refused:
                raise GraphError(
                    f"line {line}: {refused[0]} must be given for each node, got 'node [{refused[0]}=…]' for all that "
                    "follow; write it at each node"
                )
            return Defaults(defaults) if what == "edge" else None
        first = self._end()
        if isinstance(first, Node) and self._take("="):
            self._name("a value")  # an option of the drawing
            return None
        ends, edges = [first], []
        while self.now.kind == "edge":
            edges.append(self._next().text)
            ends.append(self._end())
        if not edges and isinstance(first, Group):
            return first
        attributes = self._attributes()
        if edges:
            return Chain(ends, edges, attributes, line)
        assert isinstance(first, Node)
        return Node(first.name, attributes, line)

    def _end(self) -> Node | Group:
        line = self.now.line
        grouped = self.syntax.graphviz and self.now.kind == "word" and self.now.text.lower() == "subgraph"
        if grouped:
            self._next()
            if self._is_name:
                self._name("a name")
        if grouped or self._is("{"):
            return Group(self._braces())
        name = self._name("a node")
        if self.syntax.graphviz:
            while self._take(":"):  # where an edge touches its node
                self._name("a port")
        return Node(name, {}, line)

    def _attributes(self) -> Attributes:
        out: Attributes = {}
        while self._take("["):
            while not self._take("]"):
                if self._take(",") or self._take(";"):
                    continue
                key = self._name("an attribute")
                out[key] = self._name("a value") if self._take("=") else ""
        return out
