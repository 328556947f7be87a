"""Two answers side by side: the edges in which they differ, and what was chosen or known otherwise."""

from typing import Any

import ancestral as an
from ancestral.graphs.names import quoted
from ancestral.printing import counted, visible
from ancestral.studio.choices import DEFAULTS
from ancestral.studio.reading import found_in

__all__ = ["changes", "compared"]


def compared(one: str, other: str) -> dict[str, Any]:
    """How two answers, whose folders these are, differ."""
    comparison = an.compare(found_in(one).pag, found_in(other).pag)
    edges = [
        {"a": a, "b": b, "one": _edge(a, first, b), "other": _edge(a, second, b)}
        for a, first, second, b in comparison.differences
    ]
    both = [edge for edge in edges if edge["one"] and edge["other"]]
    same = comparison.true_positives - len(both)
    gone, new = comparison.false_positives, comparison.false_negatives
    if comparison.same:
        sentence = f"The graphs are the same: {counted(same, 'edge')}."
    else:
        sentence = (
            f"{counted(same, 'edge')} the same, {len(both)} with other marks, {gone} only in the first, {new} only in "
            "the second."
        )
    return {"same": same, "edges": edges, "sentence": sentence}


def _edge(a: str, symbol: str | None, b: str) -> str | None:
    return None if symbol is None else f"{quoted(a)} {symbol} {quoted(b)}"


def changes(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """What differs between two sets of data, options and knowledge, each in a few words.

    >>> from ancestral.studio.knowledge_form import EMPTY
    >>> one = {"data": "a.csv", "options": DEFAULTS, "knowledge": EMPTY}
    >>> other = {**one, "options": {**DEFAULTS, "alpha": 0.05}, "knowledge": {**EMPTY, "forbidden": [["x", "y"]]}}
    >>> changes(one, other)
    ['alpha 0.01 → 0.05', 'x -/-> y']
    """
    out = []
    if before["data"] != after["data"]:
        out.append(f"data {before['data'] or 'none'} → {after['data'] or 'none'}")
    for name, default in DEFAULTS.items():
        old, new = before["options"].get(name, default), after["options"].get(name, default)
        if old != new:
            out.append(f"{name.replace('_', ' ')} {_value(old)} → {_value(new)}")
    stated, now = _statements(before["knowledge"]), _statements(after["knowledge"])
    out += [line for line in now if line not in stated]
    out += [f"no longer: {line}" for line in stated if line not in now]
    return [visible(line) for line in out]


def _value(value: Any) -> str:
    if value is None:
        return "by default"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_value(own)}" for name, own in value.items()) or "none"
    return (" < ".join(map(str, value)) if isinstance(value, list) else str(value)) or "none"


def _statements(form: dict[str, Any]) -> list[str]:
    """The statements of a form as lines, as in the text of knowledge; contradictions are allowed."""
    lines = [" < ".join(", ".join(tier) for tier in form["tiers"] if tier)] if any(form["tiers"]) else []
    signs = {"forbidden": "-/->", "required": "-->", "causes": "~~>", "no_edge": "|", "targets": "==>"}
    lines += [f"{x} {sign} {y}" for field, sign in signs.items() for x, y in form[field]]
    lines += [f"unconfounded: {x}, {y}" for x, y in form["unconfounded"]]
    lines += [f"{field}: {name}" for field in ("randomised", "contexts", "exogenous") for name in form[field]]
    return lines
