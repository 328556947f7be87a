"""Knowledge about processes from files: a small text format, and TOML.

The text has one statement per line; `#` starts a comment; names are quoted as in the text of `Knowledge`:

    own past: rain, sales         each causes itself from one step to the next; or `own past: all`
    rain < sales                  tiers within a step; a line that ends in `<` or `,` continues in the next one
    within step: nothing          nothing acts within a step
    sales -/-> rain               sales does not cause rain, at any lag (forbidden)
    rain[t-1] --> sales[t]        directly, at this lag (required)
    rain[t-1] ~~> sales[t]        directly or through others, at this lag (causes)
    rain ~~> sales                the same, at some lag
"""

import json
from typing import Any

from ancestral.errors import AncestralError, KnowledgeError
from ancestral.graphs.window import split_node
from ancestral.knowledge.lagged_effects import Effect
from ancestral.knowledge.reading import looks_like_toml, parse_toml
from ancestral.knowledge.text import (
    BEFORE,
    SIGNS,
    listed_names,
    name_in_text,
    name_of,
    read_tiers,
    statements,
    tiers_in_text,
)
from ancestral.printing import shown

__all__ = ["parse_series", "series_as_text"]

_FIELDS = ("own_past", "forbidden", "required", "causes", "tiers", "within_step")
_ALL = "all"


def parse_series(text: str, form: str | None, where: str) -> dict[str, Any]:
    """Parse a text into the arguments of `SeriesKnowledge`.

    `form` is "text" or "toml", recognised by the content if None; `where`, a path or "the text", is put before errors.
    """
    if not isinstance(text, str):
        raise KnowledgeError(f"knowledge is read from text, got {shown(text)}; write it like 'sales -/-> rain'")
    if form is None:
        form = "toml" if looks_like_toml(text, _FIELDS) else "text"
    if form == "toml":
        return parse_toml(text, where, _FIELDS)
    if form != "text":
        raise KnowledgeError(f"form must be one of 'text', 'toml', got {shown(form)}")
    parsed: dict[str, Any] = {"own_past": [], "forbidden": [], "required": [], "causes": [], "tiers": []}
    for number, tokens in statements(text, where):
        try:
            _read_statement(tokens, parsed)
        except AncestralError as error:
            raise KnowledgeError(f"{where}, line {number}: {error}") from None
    return parsed


def _read_statement(tokens: list[str], parsed: dict[str, Any]) -> None:
    """Add a statement to those that were parsed before it."""
    match tokens:
        case ["own", "past:", "all"]:
            parsed["own_past"] = _ALL
        case ["own", "past:", *names]:
            if parsed["own_past"] != _ALL:
                parsed["own_past"] += listed_names(names)
        case ["within", "step:", "nothing"]:
            parsed["within_step"] = False
        case _ if BEFORE in tokens:
            parsed["tiers"] = read_tiers(tokens, parsed["tiers"])
        case [x, sign, y] if SIGNS.get(sign, "no_edge") != "no_edge":
            _read_effect(name_of(x), sign, name_of(y), parsed)
        case _:
            raise KnowledgeError(
                f"{' '.join(tokens)!r} is not a statement; write 'own past: x, y', 'x < y', 'within step: nothing', "
                "'x -/-> y', 'x[t-1] --> y[t]', 'x[t-1] ~~> y[t]' or 'x ~~> y', with spaces around the signs, names "
                "with spaces in double quotes"
            )


def _read_effect(cause: str, sign: str, effect: str, parsed: dict[str, Any]) -> None:
    """Add a statement about two processes, or about two nodes, of which the second is at t."""
    kind = SIGNS[sign]
    (x, lag), (y, end) = split_node(cause), split_node(effect)
    if lag is None and end is None and kind != "required":
        parsed[kind].append((x, y))
    elif kind == "forbidden":
        raise KnowledgeError(f"{sign} must stand between processes, got {cause} {sign} {effect}; it is about all lags")
    elif lag is None or end != 0:
        raise KnowledgeError(f"a lag must be written as in 'x[t-1] {sign} y[t]', got '{cause} {sign} {effect}'")
    else:
        parsed[kind].append((x, lag, y))


def series_as_text(known: Any) -> str:
    """A `SeriesKnowledge` in the text format, which `parse_series` reads back."""
    lines = []
    if known.own_past:
        named = _ALL if known.own_past == _ALL else ", ".join(map(_own_name, known.own_past))
        lines.append(f"own past: {named}")
    if known.tiers:
        lines.append(tiers_in_text(known.tiers))
    if not known.within_step:
        lines.append("within step: nothing")
    lines += [f"{name_in_text(x)} -/-> {name_in_text(y)}" for x, y in known.forbidden]
    for sign, items in (("-->", known.required), ("~~>", known.causes)):
        ends = [Effect.of(item).ends for item in items]
        lines += [f"{name_in_text(x)} {sign} {name_in_text(y)}" for x, y in ends]
    return "\n".join(lines)


def _own_name(name: str) -> str:
    """The name of a process in a list where a bare `all` means all processes."""
    return json.dumps(name) if name == _ALL else name_in_text(name)
