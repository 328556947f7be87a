"""Knowledge from files: a small text format, TOML, and Tetrad's format (`tetrad`).

The text has one statement per line; `#` starts a comment; names are quoted as in the text of a graph, and also if they
are one of the signs:

    age, sex < bmi < diabetes     tiers; a line that ends in `<` or `,` continues in the next one
    bmi -/-> dose                 bmi does not cause dose (forbidden)
    bmi --> diabetes              bmi causes diabetes, and not only through others here (required)
    bmi ~~> diabetes              bmi causes diabetes, directly or through others (causes)
    bmi | job                     not adjacent (no_edge)
    exogenous: age, sex           nothing measured causes them
    randomised: dose              nothing causes it, measured or not
    unconfounded: dose, pain      nothing unmeasured stands behind the two
    contexts: drug, site          set from outside the system
    contexts are: exogenous       what is assumed of contexts, if it is not all
    drug ==> kinase, phosphatase  drug acts on these, and on others only through them (targets)
"""

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ancestral.errors import AncestralError, KnowledgeError
from ancestral.knowledge.tetrad import parse_tetrad
from ancestral.knowledge.text import (
    ACTS_ON,
    BEFORE,
    CONTEXTS,
    CONTEXTS_ARE,
    EXOGENOUS,
    NOTHING,
    RANDOMISED,
    SIGNS,
    UNCONFOUNDED,
    listed_names,
    name_in_text,
    name_of,
    read_tiers,
    statements,
    tiers_in_text,
)
from ancestral.printing import shown

__all__ = ["as_text", "looks_like_toml", "parse", "parse_toml", "text_of", "toml_of"]

#: The largest size of a knowledge file, in bytes: enough for more than 100,000 statements, and small enough to be read
#: at once if the wrong file is named.
MOST_BYTES = 4_000_000

_FIELDS = (
    "tiers", "forbidden", "required", "no_edge", "exogenous", "causes", "randomised", "unconfounded", "contexts",
    "context_assumptions", "targets",
)  # fmt: skip

#: The headings of statements that list variables, and the field of each.
_LISTS = {EXOGENOUS: "exogenous", RANDOMISED: "randomised", CONTEXTS: "contexts"}


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
        "toml": lambda text, where: parse_toml(text, where, _FIELDS),
        "tetrad": parse_tetrad,
    }
    if form is None:
        form = "tetrad" if text.lstrip().lower().startswith("/knowledge") else None
    if form is None:
        form = "toml" if looks_like_toml(text, _FIELDS) else "text"
    if not isinstance(form, str) or form not in readers:
        raise KnowledgeError(f"form must be one of {', '.join(map(repr, readers))}, got {shown(form)}")
    return readers[form](text, where)


# -- the text -----------------------------------------------------------------------------------------------------


def _parse_text(text: str, where: str) -> dict[str, Any]:
    parsed: dict[str, Any] = {field: [] for field in _FIELDS} | {"context_assumptions": None}
    for number, tokens in statements(text, where):
        try:
            _read_statement(tokens, parsed)
        except AncestralError as error:
            raise KnowledgeError(f"{where}, line {number}: {error}") from None
    return parsed


def _read_statement(tokens: list[str], parsed: dict[str, Any]) -> None:
    """Add a statement to those that were parsed before it."""
    match tokens:
        case [heading, *names] if heading in _LISTS:
            parsed[_LISTS[heading]] += listed_names(names)
        case [heading, *names] if heading == UNCONFOUNDED:
            if len(pair := listed_names(names)) != 2:
                raise KnowledgeError(f"{' '.join(tokens)!r} must name two variables; write a statement for each pair")
            parsed["unconfounded"].append(tuple(pair))
        case [one, two, *names] if (one, two) == CONTEXTS_ARE:
            assumed = listed_names(names)
            parsed["context_assumptions"] = [] if assumed == [NOTHING] else assumed
        case [context, sign, *names] if sign == ACTS_ON:
            parsed["targets"] += [(name_of(context), target) for target in listed_names(names)]
        case _ if BEFORE in tokens:
            parsed["tiers"] = read_tiers(tokens, parsed["tiers"])
        case [x, sign, y] if sign in SIGNS:
            parsed[SIGNS[sign]].append((name_of(x), name_of(y)))
        case _:
            raise KnowledgeError(
                f"{' '.join(tokens)!r} is not a statement; write 'a, b < c', 'x -/-> y', 'x --> y', 'x ~~> y', "
                "'x | y', 'exogenous: x', 'randomised: x', 'unconfounded: x, y', 'contexts: c' or 'c ==> x, y', with "
                "spaces around the signs, names with spaces in double quotes"
            )


def as_text(knowledge: Any) -> str:
    """A `Knowledge` in the text format, which `parse` reads back."""
    lines = [tiers_in_text(knowledge.tiers)] if knowledge.tiers else []
    for heading, field in _LISTS.items():
        if names := getattr(knowledge, field):
            lines.append(f"{heading} {', '.join(map(name_in_text, names))}")
    if "context_assumptions" in knowledge.as_dict():
        lines.append(f"{' '.join(CONTEXTS_ARE)} {', '.join(knowledge.context_assumptions) or NOTHING}")
    for context in dict.fromkeys(context for context, _ in knowledge.target_pairs):
        targets = ", ".join(map(name_in_text, knowledge.targets_of(context)))
        lines.append(f"{name_in_text(context)} {ACTS_ON} {targets}")
    lines += [f"{UNCONFOUNDED} {name_in_text(x)}, {name_in_text(y)}" for x, y in knowledge.unconfounded]
    for sign, field in (("-/->", "forbidden"), ("-->", "required"), ("~~>", "causes"), ("|", "no_edge")):
        lines += [f"{name_in_text(x)} {sign} {name_in_text(y)}" for x, y in getattr(knowledge, field)]
    return "\n".join(lines)


# -- TOML ---------------------------------------------------------------------------------------------------------


def looks_like_toml(text: str, fields: Sequence[str]) -> bool:
    """Whether a line of a text assigns a value to one of these fields, or begins a table of its name."""
    names = "|".join(fields)
    return re.search(rf"^\s*(?:(?:{names})\s*=[^=]|\[(?:{names})\]\s*$)", text, re.MULTILINE) is not None


def parse_toml(text: str, where: str, fields: Sequence[str]) -> dict[str, Any]:
    """The values of these fields in TOML; `where` is put before errors."""
    parsed = toml_of(text, where)
    if unknown := [key for key in parsed if key not in fields]:
        keys = ", ".join(map(repr, unknown))
        raise KnowledgeError(f"{where}: unknown statement {keys}; there are {', '.join(fields)}")
    return parsed


def toml_of(text: str, where: str) -> dict[str, Any]:
    """All values in TOML; `where` is put before errors."""
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        why: object = error
        if isinstance(error, RecursionError):
            why = "lists are nested too deeply"
        elif not isinstance(error, tomllib.TOMLDecodeError):  # raised by int() for very long numbers
            why = "a number has thousands of digits"
        raise KnowledgeError(f'{where}: is not TOML: {why}; write lines like tiers = [["age"], ["smoking"]]') from None
