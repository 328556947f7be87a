"""Knowledge from files: a small text format, TOML, and Tetrad's format (`tetrad`).

The text has one statement per line; `#` starts a comment; names are quoted as in the text of a graph, and also if they
are one of the signs:

    age, sex < bmi < diabetes     tiers; a line that ends in `<` or `,` continues in the next one
    bmi -/-> dose                 bmi does not cause dose (forbidden)
    bmi --> diabetes              bmi causes diabetes, and not only through others here (required)
    bmi ~~> diabetes              bmi causes diabetes, directly or through others (causes)
    bmi | job                     not adjacent (no_edge)
    exogenous: age, sex           nothing measured causes them
"""

import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ancestral.errors import AncestralError, KnowledgeError
from ancestral.graphs.names import quoted, unquoted
from ancestral.knowledge.tetrad import parse_tetrad
from ancestral.printing import shown

__all__ = ["as_text", "name_in_text", "parse", "text_of"]

#: The largest size of a knowledge file, in bytes: enough for more than 100,000 statements, and small enough to be read
#: at once if the wrong file is named.
MOST_BYTES = 4_000_000

_FIELDS = ("tiers", "forbidden", "required", "no_edge", "exogenous", "causes")
_TOKEN = re.compile(r'\s*(?:(?P<name>"(?:[^"\\]|\\.)*"|[^\s,"#]+)|(?P<comma>,)|(?P<comment>#.*)|(?P<bad>\S))')
_LOOKS_LIKE_TOML = re.compile(rf"^\s*(?:{'|'.join(_FIELDS)})\s*=", re.MULTILINE)
_SIGNS = {"-/->": "forbidden", "-->": "required", "->": "required", "~~>": "causes", "|": "no_edge"}
_BEFORE = "<"
_HEADING = "exogenous:"


def text_of(path: Path) -> str:
    """The text of a knowledge file; a file that cannot be read raises a `KnowledgeError`."""
    try:
        if path.is_dir():
            raise KnowledgeError(f"{path} is a folder; name a knowledge file")
        if path.is_fifo() and not os.path.realpath(path).startswith("/proc/"):  # a pipe of the shell, <(…), is allowed
            raise KnowledgeError(f"{path} is a named pipe, which may never end; name a knowledge file")
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise KnowledgeError(f"there is no knowledge file '{path}'; check the name and the folder") from None
    except OSError as error:
        where = f"{path}" if len(f"{path}") <= 200 else f"{path}"[:200] + "…"
        raise KnowledgeError(f"{where}: cannot be read ({error.strerror}); choose a file that you may read") from None
    if len(content) > MOST_BYTES:
        raise KnowledgeError(f"{path}: a knowledge file must have at most {MOST_BYTES:,} bytes; check the name")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise KnowledgeError(f"{path}, line {line}: is not UTF-8; save the file as UTF-8 text") from None


def parse(text: str, form: str | None, where: str) -> dict[str, Any]:
    """Parse a text into the arguments of `Knowledge`.

    `form` is the format, recognised by the content if None; `where`, a path or "the text", is put before errors.
    """
    if not isinstance(text, str):
        raise KnowledgeError(f"knowledge is read from text, got {shown(text)}; write it like 'age < smoking'")
    readers: dict[str, Callable[[str, str], dict[str, Any]]] = {
        "text": _parse_text,
        "toml": _parse_toml,
        "tetrad": parse_tetrad,
    }
    if form is None:
        form = "tetrad" if text.lstrip().lower().startswith("/knowledge") else None
    if form is None:
        form = "toml" if _LOOKS_LIKE_TOML.search(text) else "text"
    if not isinstance(form, str) or form not in readers:
        raise KnowledgeError(f"form must be one of {', '.join(map(repr, readers))}, got {shown(form)}")
    return readers[form](text, where)


# -- the text -----------------------------------------------------------------------------------------------------


def _parse_text(text: str, where: str) -> dict[str, Any]:
    parsed: dict[str, Any] = {field: [] for field in _FIELDS}
    for number, tokens in _statements(text, where):
        try:
            _read_statement(tokens, parsed)
        except AncestralError as error:
            raise KnowledgeError(f"{where}, line {number}: {error}") from None
    return parsed


def _statements(text: str, where: str) -> Iterator[tuple[int, list[str]]]:
    """The number of the line on which each statement begins, and its tokens."""
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
        if statement[-1] not in (_BEFORE, ","):
            yield first_line, statement
            statement = []
    if statement:
        yield first_line, statement


def _read_statement(tokens: list[str], parsed: dict[str, Any]) -> None:
    """Add a statement to those that were parsed before it."""
    if tokens[0] == _HEADING:
        parsed["exogenous"] += _listed(tokens[1:])
        return
    if _BEFORE in tokens:
        if parsed["tiers"]:
            raise KnowledgeError("tiers are given twice; write them as one: a < b < c (a line may end in '<')")
        tiers: list[list[str]] = [[]]
        for token in tokens:
            if token == _BEFORE:
                tiers.append([])
            else:
                tiers[-1].append(token)
        parsed["tiers"] = [_listed(tier) for tier in tiers]
        return
    match tokens:
        case [x, sign, y] if sign in _SIGNS:
            parsed[_SIGNS[sign]].append((_name(x), _name(y)))
        case _:
            raise KnowledgeError(
                f"{' '.join(tokens)!r} is not a statement; write 'a, b < c', 'x -/-> y', 'x --> y', 'x ~~> y', 'x | y' "
                "or 'exogenous: x', with spaces around the signs, names with spaces in double quotes"
            )


def _listed(tokens: list[str]) -> list[str]:
    """Names that are separated by commas."""
    if tokens[1::2] != [","] * (len(tokens) // 2) or len(tokens) % 2 == 0:
        raise KnowledgeError(
            f"{' '.join(tokens)!r} is not a list of names; separate names by commas, write names with spaces in double "
            "quotes"
        )
    return [_name(token) for token in tokens[::2]]


def _name(token: str) -> str:
    if token in (*_SIGNS, _BEFORE, ",", _HEADING):
        raise KnowledgeError(f"a name is missing before or after {token!r}; write a name like that in double quotes")
    return unquoted(token)


def as_text(knowledge: Any) -> str:
    """A `Knowledge` in the text format, which `parse` reads back."""
    lines = (
        [f" {_BEFORE} ".join(", ".join(map(name_in_text, tier)) for tier in knowledge.tiers)] if knowledge.tiers else []
    )
    if knowledge.exogenous:
        lines.append(f"{_HEADING} {', '.join(map(name_in_text, knowledge.exogenous))}")
    for sign, field in (("-/->", "forbidden"), ("-->", "required"), ("~~>", "causes"), ("|", "no_edge")):
        lines += [f"{name_in_text(x)} {sign} {name_in_text(y)}" for x, y in getattr(knowledge, field)]
    return "\n".join(lines)


def name_in_text(name: str) -> str:
    """The name as in the text of a graph, and in double quotes also if it is one of the signs."""
    return json.dumps(name, ensure_ascii=False) if name in (*_SIGNS, _BEFORE) else quoted(name)


# -- TOML ---------------------------------------------------------------------------------------------------------


def _parse_toml(text: str, where: str) -> dict[str, Any]:
    import tomllib

    try:
        parsed = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        why: object = error
        if isinstance(error, RecursionError):
            why = "lists are nested too deeply"
        elif not isinstance(error, tomllib.TOMLDecodeError):  # raised by int() for very long numbers
            why = "a number has thousands of digits"
        raise KnowledgeError(f'{where}: is not TOML: {why}; write lines like tiers = [["age"], ["smoking"]]') from None
    if unknown := [key for key in parsed if key not in _FIELDS]:
        keys = ", ".join(map(repr, unknown))
        raise KnowledgeError(f"{where}: unknown statement {keys}; there are {', '.join(_FIELDS)}")
    return parsed
