"""Names of nodes: their order, their uniqueness, and how they are written where a plain word would be misread."""

import json
import re
from collections.abc import Iterable
from functools import lru_cache

from ancestral.errors import GraphError
from ancestral.printing import shown, visible

__all__ = ["by_name", "checked_names", "in_order", "looks_like_edge", "quoted", "unquoted", "writable_names"]

_DIGITS = re.compile(r"(\d+)")
_PLAIN = re.compile(r'[^\s,"#]+')
_EDGE_LIKE = re.compile(r"[<o*]?-+[>o*]?")
_GLUED = re.compile(r"(.+?)([<o]?-{1,2}[>o]|<-{1,2}[>o-]?)(.+)")


def by_name(name: str) -> tuple[list[tuple[int, int, str]], str]:
    """A sorting key in which x2 comes before x10; no two names share it."""
    parts = _DIGITS.split(name)
    natural = [(0, 0, parts[0])] if parts[0] else []
    for number, text in zip(parts[1::2], parts[2::2], strict=True):
        # a number is compared by its length and then digit by digit: numbers of any size, without computing them
        digits = number.lstrip("0")
        natural.append((1, len(digits), digits))
        if text:
            natural.append((0, 0, text))
    return natural, name


@lru_cache(maxsize=16)
def in_order(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names in the order of `by_name`; the last few are remembered for searches that follow each other."""
    return tuple(sorted(names, key=by_name))


def checked_names(names: Iterable[object]) -> tuple[str, ...]:
    """The names as a tuple of distinct, non-empty strings."""
    if not isinstance(names, Iterable):
        raise GraphError(f"{shown(names)} is not a list of names; pass one, as in ['a', 'b']")
    out = tuple(names)
    seen: set[str] = set()
    for name in out:
        if not isinstance(name, str) or not name.strip():
            raise GraphError(f"{name!r} is no name for a node; names are strings that are not blank")
        if name in seen:
            raise GraphError(f"the name {name!r} occurs twice; names must differ")
        seen.add(name)
    return tuple(str(name) for name in out)


def writable_names(names: Iterable[object]) -> tuple[str, ...]:
    """The same, if all of them can be written as UTF-8, as frames and files want them."""
    out = checked_names(names)
    try:
        "".join(out).encode()
    except UnicodeEncodeError as error:
        half = str(error.object)[error.start]
        name = next(name for name in out if half in name)
        raise GraphError(f"the name {name!r} must be text, and has half of a character, {half!r}; rename it") from None
    return out


def quoted(name: str) -> str:
    """The name as it stands in the text of a graph: in double quotes where it could be misread.

    >>> print(quoted("age"), quoted("age, in years"), quoted("bell" + chr(7)))
    age "age, in years" "bell\\u0007"
    """
    if _PLAIN.fullmatch(name) and not looks_like_edge(name) and not name.endswith(":") and visible(name) == name:
        return name
    return visible(json.dumps(name, ensure_ascii=False))


def looks_like_edge(token: str) -> str | None:
    """What the eye reads in `a->b` or `-->`, with spaces: `a -> b`. None for an ordinary name.

    It is no edge to us, since a name may well end in `o` or contain `-`.
    """
    if token.startswith('"'):
        return None
    if _EDGE_LIKE.fullmatch(token):
        return f"a {token} b"
    glued = _GLUED.fullmatch(token)
    return " ".join(glued.groups()) if glued else None


def unquoted(token: str) -> str:
    """The name that a token of the text stands for."""
    if not token.startswith('"'):
        return token
    try:
        name = json.loads(token)
    except json.JSONDecodeError:
        raise GraphError(f'{token} is not a name in double quotes; inside, write \\" for a quote') from None
    return str(name)
