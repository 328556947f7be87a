"""Knowledge as the page edits it: lists by the kind of statement, which may contradict each other on the way.

The form is kept as knowledge.toml, which `Knowledge.read` reads.
"""

import copy
import json
import stat
import tomllib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from ancestral import AncestralError, Knowledge
from ancestral.printing import shown
from ancestral.studio.refusals import Refused, sentence_of

__all__ = [
    "EMPTY",
    "checked_form",
    "faults_of",
    "form_of_file",
    "form_of_text",
    "states_something",
    "text_of",
    "toml_of",
]

_PAIRS = ("forbidden", "required", "no_edge", "causes", "unconfounded", "targets")
_LISTS = ("randomised", "contexts", "exogenous")

#: Bytes of a file that is read, and files that are kept in memory until they change.
MOST_BYTES, MOST_KEPT = 1_000_000, 32

#: The form that says nothing.
EMPTY: dict[str, Any] = {
    "tiers": [],
    **{name: [] for name in (*_PAIRS, *_LISTS)},
    "context_assumptions": None,
}

#: Fields that a form need not have; if it has not, they stay as they were.
_KEPT = ("targets", "exogenous", "context_assumptions")


def checked_form(value: object, before: dict[str, Any]) -> dict[str, Any]:
    """A form that the page sent; raises `Refused` unless it has lists of names. Contradictions are no reason to."""
    if not isinstance(value, dict):
        raise Refused(f"knowledge must be an object with lists of statements, got {shown(value)}")
    if unknown := [key for key in value if key not in EMPTY]:
        raise Refused(f"unknown statement {shown(unknown[0])}; there are {', '.join(EMPTY)}")
    out = {name: value.get(name, before[name] if name in _KEPT else EMPTY[name]) for name in EMPTY}
    for name in _LISTS:
        out[name] = _names(out[name], name)
    out["tiers"] = [_names(tier, "tiers") for tier in _list(out["tiers"], "tiers")]
    for name in _PAIRS:
        out[name] = [_names(pair, name) for pair in _list(out[name], name)]
        if wrong := [pair for pair in out[name] if len(pair) != 2]:
            raise Refused(f'{name} must have pairs of names, got {shown(wrong[0])}; write [["x", "y"]]')
    if out["context_assumptions"] is not None:
        out["context_assumptions"] = _names(out["context_assumptions"], "context_assumptions")
    return out


def faults_of(form: dict[str, Any], variables: Sequence[str] | None = None) -> list[str]:
    """What is wrong with the statements, in sentences; `variables` are those of the data, if they are known."""
    try:
        known = Knowledge(**form)
        if variables is not None and known:
            known.constraints(variables)
    except AncestralError as error:
        return [sentence_of(error)]
    return []


def states_something(form: dict[str, Any]) -> bool:
    """Whether a form without faults says anything that a search could use."""
    try:
        return bool(Knowledge(**form))
    except AncestralError:
        return True


def form_of_text(text: object) -> dict[str, Any]:
    """The form of a text that `Knowledge.parse` reads; raises `KnowledgeError` if it cannot be read."""
    if not isinstance(text, str):
        raise Refused(f"text must be a text, got {shown(text)}; write statements such as 'age < smoking'")
    return _form_of(Knowledge.parse(text).as_dict())


def text_of(form: dict[str, Any]) -> str:
    """The form as a text that `form_of_text` reads; empty if its statements contradict each other.

    >>> print(text_of({**EMPTY, "tiers": [["age"], ["diet"]], "forbidden": [["sex", "diet"]]}))
    age < diet
    sex -/-> diet
    """
    try:
        return str(Knowledge(**form))
    except AncestralError:
        return ""


def form_of_file(path: Path) -> tuple[dict[str, Any], str | None]:
    """The form in a file, empty if there is none, and what is wrong with the file, if it cannot be read."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return _form_of({}), None
    except OSError as error:
        return _form_of({}), sentence_of(error)
    if not stat.S_ISREG(status.st_mode) or status.st_size > MOST_BYTES:
        return _form_of({}), f"{path.name}: must be a file of at most {MOST_BYTES:,} bytes; write less, or remove it"
    return copy.deepcopy(_read(path, (status.st_mtime_ns, status.st_size, status.st_ino)))


@lru_cache(MOST_KEPT)
def _read(path: Path, stamp: object) -> tuple[dict[str, Any], str | None]:
    """What is in a file as it was at this stamp."""
    try:
        return checked_form(_form_of(tomllib.loads(path.read_text("utf-8-sig"))), EMPTY), None
    except (ValueError, OSError, RecursionError, TypeError, Refused):
        try:
            return _form_of(Knowledge.read(path).as_dict()), None
        except (AncestralError, OSError, RecursionError) as error:
            return _form_of({}), sentence_of(error)


def toml_of(form: dict[str, Any]) -> str | None:
    """The text of knowledge.toml; None if nothing is stated.

    >>> print(toml_of({**EMPTY, "tiers": [["age"], ["diet"]]}), end="")
    tiers = [["age"], ["diet"]]
    """
    lines = [
        f"{name} = {_as_toml(value)}\n" for name, value in form.items() if value or (name == _KEPT[2] and value == [])
    ]
    return "".join(lines) or None


def _as_toml(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return f"[{', '.join(map(_as_toml, value))}]"


def _form_of(stated: dict[str, Any]) -> dict[str, Any]:
    form = {name: stated.get(name, EMPTY[name]) for name in EMPTY}
    if isinstance(form["targets"], dict):
        form["targets"] = [[context, target] for context, targets in form["targets"].items() for target in targets]
    return json.loads(json.dumps(form))  # a copy, of lists


def _list(value: object, field: str) -> list[Any]:
    if not isinstance(value, list):
        raise Refused(f"{field} must be a list, got {shown(value)}")
    return value


def _names(value: object, field: str) -> list[str]:
    for name in _list(value, field):
        if not isinstance(name, str):
            raise Refused(f"{field} must have names of variables, got {shown(name)}")
        try:
            name.encode()
        except UnicodeEncodeError:
            raise Refused(f"{field} must have names that can be written as UTF-8, got {shown(name)}") from None
    return list(value)  # type: ignore[call-overload]  # a list, see above
