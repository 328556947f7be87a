"""The text of knowledge as tokens: statements over one line or several, names, lists of names, and tiers."""

import json
import re
from collections.abc import Iterator, Sequence

from ancestral.errors import KnowledgeError
from ancestral.graphs.names import quoted, unquoted

__all__ = [
    "ACTS_ON", "BEFORE", "CONTEXTS", "CONTEXTS_ARE", "EXOGENOUS", "HEADINGS", "NOTHING", "RANDOMISED", "SIGNS",
    "UNCONFOUNDED", "listed_names", "name_in_text", "name_of", "read_tiers", "statements",
    "tiers_in_text",
]  # fmt: skip

#: The signs between two names, and the kind of statement that each makes.
SIGNS = {"-/->": "forbidden", "-->": "required", "->": "required", "~~>": "causes", "|": "no_edge"}

#: The sign between tiers, earlier ones first.
BEFORE = "<"

#: The heading before variables that nothing measured causes.
EXOGENOUS = "exogenous:"

#: The headings before variables that nothing causes, pairs that nothing unmeasured stands behind, and contexts.
RANDOMISED, UNCONFOUNDED, CONTEXTS = "randomised:", "unconfounded:", "contexts:"

#: The two words, a heading together, before what is assumed of contexts; and the word for no assumption at all.
CONTEXTS_ARE, NOTHING = ("contexts", "are:"), "nothing"

#: The sign between a context and all variables that it acts on.
ACTS_ON = "==>"

#: Headings of one word.
HEADINGS = (EXOGENOUS, RANDOMISED, UNCONFOUNDED, CONTEXTS)

_TOKEN = re.compile(r'\s*(?:(?P<name>"(?:[^"\\]|\\.)*"|[^\s,"#]+)|(?P<comma>,)|(?P<comment>#.*)|(?P<bad>\S))')


def statements(text: str, where: str) -> Iterator[tuple[int, list[str]]]:
    """The number of the line on which each statement begins, and its tokens; `where` is put before errors."""
    statement: list[str] = []
    first_line = 0
    for number, line in enumerate(text.split("\n"), start=1):
        tokens = []
        for found in _TOKEN.finditer(line):
            if found["bad"]:
                raise KnowledgeError(
                    f"{where}, line {number}: the double quote at column {found.start('bad') + 1} is not closed"
                )
            if not found["comment"]:
                tokens.append(found["name"] or ",")
        if not tokens:
            continue
        first_line = first_line if statement else number
        statement += tokens
        if statement[-1] not in (BEFORE, ","):
            yield first_line, statement
            statement = []
    if statement:
        yield first_line, statement


def read_tiers(tokens: list[str], parsed: Sequence[object]) -> list[list[str]]:
    """The tiers of a statement, names separated by commas and tiers by `<`; `parsed` are those of statements before."""
    if parsed:
        raise KnowledgeError("tiers are given twice; write them as one: a < b < c (a line may end in '<')")
    tiers: list[list[str]] = [[]]
    for token in tokens:
        if token == BEFORE:
            tiers.append([])
        else:
            tiers[-1].append(token)
    return [listed_names(tier) for tier in tiers]


def listed_names(tokens: list[str]) -> list[str]:
    """Names that are separated by commas."""
    if tokens[1::2] != [","] * (len(tokens) // 2) or len(tokens) % 2 == 0:
        raise KnowledgeError(
            f"{' '.join(tokens)!r} is not a list of names; separate names by commas, write names with spaces in double "
            "quotes"
        )
    return [name_of(token) for token in tokens[::2]]


def name_of(token: str) -> str:
    """The name that a token stands for, which must not be a sign or a heading."""
    if token in (*SIGNS, ACTS_ON, BEFORE, ",", *HEADINGS):
        raise KnowledgeError(f"a name is missing before or after {token!r}; write a name like that in double quotes")
    return unquoted(token)


def name_in_text(name: str) -> str:
    """The name as in the text of a graph, and in double quotes also if it is a sign or a heading."""
    return json.dumps(name, ensure_ascii=False) if name in (*SIGNS, ACTS_ON, BEFORE, *HEADINGS) else quoted(name)


def tiers_in_text(tiers: Sequence[Sequence[str]]) -> str:
    """Tiers as the statement that `read_tiers` reads."""
    return f" {BEFORE} ".join(", ".join(map(name_in_text, tier)) for tier in tiers)
