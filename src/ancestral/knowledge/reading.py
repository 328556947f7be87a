"""Knowledge from files: a small text format, TOML, and Tetrad's (`tetrad`). Nothing that is read is executed.

The text has one statement a line; `#` starts a comment; names with spaces, commas or quotes, and names that look like
one of the signs, stand in double quotes:

    age, sex < bmi < diabetes     tiers; a line that ends in `<` or `,` goes on in the next
    bmi -/-> dose                 bmi does not cause dose (forbidden)
    bmi --> diabetes              bmi causes diabetes (required)
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

__all__ = ["as_text", "parse", "text_of"]

#: A file with more bytes is none that a person wrote.
MOST_BYTES = 4_000_000

_FIELDS = ("tiers", "forbidden", "required", "no_edge", "exogenous")
_TOKEN = re.compile(r'\s*(?:(?P<name>"(?:[^"\\]|\\.)*"|[^\s,"#]+)|(?P<comma>,)|(?P<comment>#.*)|(?P<bad>\S))')
_LOOKS_LIKE_TOML = re.compile(rf"^\s*(?:{'|'.join(_FIELDS)})\s*=", re.MULTILINE)
_SIGNS = {"-/->": "forbidden", "-->": "required", "->": "required", "|": "no_edge"}
_BEFORE = "<"
_HEADING = "exogenous:"


def text_of(path: Path) -> str:
    """The text of a file of knowledge."""
    try:
        if path.is_dir():
            raise KnowledgeError(f"{path} is a folder; name a file of knowledge")
        if path.is_fifo() and not os.path.realpath(path).startswith("/proc/"):  # not one of the shell's, as <(…) is
            raise KnowledgeError(f"{path} is a named pipe, which may never end; name a file of knowledge")
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise KnowledgeError(f"there is no file of knowledge '{path}'; check the name and the folder") from None
    except OSError as error:
        shown = f"{path}" if len(f"{path}") <= 200 else f"{path}"[:200] + "…"
        raise KnowledgeError(f"{shown}: cannot be read ({error.strerror}); choose a file that you may read") from None
    if len(content) > MOST_BYTES:
        raise KnowledgeError(f"{path}: has more than {MOST_BYTES:,} bytes, too many for a file of knowledge")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise KnowledgeError(f"{path}, line {line}: is not written in UTF-8; save it as UTF-8 text") from None


def parse(text: str, form: str | None, where: str) -> dict[str, Any]:
    """What a text says, as the arguments of `Knowledge`; `where` it stands is named in errors."""
    if not isinstance(text, str):
        raise KnowledgeError(f"{text!r} is no text; write knowledge like 'age < smoking', or pass Knowledge(…)")
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
        raise KnowledgeError(f"form={shown(form)} is not known; choose one of {', '.join(map(repr, readers))}")
    return readers[form](text, where)


# -- the text -----------------------------------------------------------------------------------------------------


def _parse_text(text: str, where: str) -> dict[str, Any]:
    said: dict[str, Any] = {field: [] for field in _FIELDS}
    for number, tokens in _statements(text, where):
        try:
            _read_statement(tokens, said)
        except AncestralError as error:
            raise KnowledgeError(f"{where}, line {number}: {error}") from None
    return said


def _statements(text: str, where: str) -> Iterator[tuple[int, list[str]]]:
    """The tokens of each statement, and the line on which it begins."""
    begun: list[str] = []
    since = 0
    for number, line in enumerate(text.split("\n"), start=1):
        tokens = []
        for found in _TOKEN.finditer(line):
            if found["bad"]:
                raise KnowledgeError(
                    f"{where}, line {number}: a double quote is opened in column {found.start('bad') + 1}, not closed"
                )
            if not found["comment"]:
                tokens.append(found["name"] or ",")
        if not tokens:
            continue
        since = since if begun else number
        begun += tokens
        if begun[-1] not in (_BEFORE, ","):
            yield since, begun
            begun = []
    if begun:
        yield since, begun


def _read_statement(tokens: list[str], said: dict[str, Any]) -> None:
    if tokens[0] == _HEADING:
        said["exogenous"] += _listed(tokens[1:])
        return
    if _BEFORE in tokens:
        if said["tiers"]:
            raise KnowledgeError("there are tiers already; write all of them as one: a < b < c (a line may end in '<')")
        tiers: list[list[str]] = [[]]
        for token in tokens:
            if token == _BEFORE:
                tiers.append([])
            else:
                tiers[-1].append(token)
        said["tiers"] = [_listed(tier) for tier in tiers]
        return
    match tokens:
        case [x, sign, y] if sign in _SIGNS:
            said[_SIGNS[sign]].append((_name(x), _name(y)))
        case _:
            raise KnowledgeError(
                f"{' '.join(tokens)!r} is no statement; write 'a, b < c', 'x -/-> y', 'x --> y', 'x | y' or "
                "'exogenous: x', with spaces around the signs, names with spaces in double quotes"
            )


def _listed(tokens: list[str]) -> list[str]:
    """Names with commas between them."""
    if tokens[1::2] != [","] * (len(tokens) // 2) or len(tokens) % 2 == 0:
        raise KnowledgeError(
            f"{' '.join(tokens)!r} is no list of names; write names with commas between them, names with spaces in "
            "double quotes"
        )
    return [_name(token) for token in tokens[::2]]


def _name(token: str) -> str:
    if token in (*_SIGNS, _BEFORE, ",", _HEADING):
        raise KnowledgeError(f"{token!r} stands where a name should; as a name it stands in double quotes")
    return unquoted(token)


def as_text(knowledge: Any) -> str:
    """Knowledge in the format of the text."""
    lines = [f" {_BEFORE} ".join(", ".join(map(_shown, tier)) for tier in knowledge.tiers)] if knowledge.tiers else []
    if knowledge.exogenous:
        lines.append(f"{_HEADING} {', '.join(map(_shown, knowledge.exogenous))}")
    for sign, field in (("-/->", "forbidden"), ("-->", "required"), ("|", "no_edge")):
        lines += [f"{_shown(x)} {sign} {_shown(y)}" for x, y in getattr(knowledge, field)]
    return "\n".join(lines)


def _shown(name: str) -> str:
    return json.dumps(name, ensure_ascii=False) if name in (*_SIGNS, _BEFORE) else quoted(name)


# -- TOML ---------------------------------------------------------------------------------------------------------


def _parse_toml(text: str, where: str) -> dict[str, Any]:
    import tomllib

    try:
        said = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        why: object = error
        if isinstance(error, RecursionError):
            why = "lists within lists without end"
        elif not isinstance(error, tomllib.TOMLDecodeError):  # Python's own, of whole numbers
            why = "a number has thousands of digits"
        raise KnowledgeError(f'{where}: is not TOML: {why}; write lines like tiers = [["age"], ["smoking"]]') from None
    for key in said:
        if key not in _FIELDS:
            raise KnowledgeError(f"{where}: unknown statement {key!r}; there are {', '.join(_FIELDS)}")
    return said
