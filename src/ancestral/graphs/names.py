"""Names of nodes: their order, their uniqueness, and when they are written in double quotes.

One rule for quotes holds wherever a graph or a part of it is written: in the text of a graph, in an edge or a path
within a sentence, and in the text of knowledge. A name stands in double quotes if the reader would not read it back as
that name: if it has white space, a comma, a double quote or `#`; if it ends in a colon, as headings do; if it is an
edge, as `o-o` is, or has an arrow between other characters, as `a->b` does; or if it has characters that a terminal
would act on. A dash alone is nothing special: `husb-occ` stands as it is.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from ancestral.errors import GraphError
from ancestral.printing import shown, visible

__all__ = ["by_name", "checked_names", "in_order", "looks_like_edge", "quoted", "unquoted", "writable_names"]

_DIGITS = re.compile(r"(\d+)")
_PLAIN = re.compile(r'[^\s,"#]+')
_EDGE = re.compile(r"[<o*]?-+[>o*]?")
_WITH_ARROW = re.compile(r"(.+?)([<o]?-{1,2}>|<-{1,2}[o-]?)(.+)")


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
    """The names in the order of `by_name`; the last few results are cached for searches that follow each other."""
    return tuple(sorted(names, key=by_name))


def checked_names(names: Iterable[object]) -> tuple[str, ...]:
    """The names as a tuple of distinct strings that are not blank; anything else raises a GraphError."""
    if not isinstance(names, Iterable):
        raise GraphError(f"names must be a list, got {shown(names)}; pass one, as in ['a', 'b']")
    out = tuple(names)
    for name in out:
        if not isinstance(name, str) or not name.strip():
            raise GraphError(f"a name must be a string that is not blank, got {shown(name)}")
    if len(set(out)) < len(out):
        twice = next(name for name, count in Counter(out).items() if count > 1)
        raise GraphError(f"the name {twice!r} occurs twice; names must differ")
    return tuple(map(str, out))


def writable_names(names: Iterable[object]) -> tuple[str, ...]:
    """The names, checked as by `checked_names`, if all can be encoded as UTF-8, as frames and files require."""
    out = checked_names(names)
    try:
        "".join(out).encode()
    except UnicodeEncodeError as error:
        half = str(error.object)[error.start]
        name = next(name for name in out if half in name)
        raise GraphError(f"the name {name!r} must be text, and has half of a character, {half!r}; rename it") from None
    return out


def quoted(name: str) -> str:
    """The name as it is written in a graph, an edge or a path: in double quotes where it would be misread.

    >>> print(quoted("age"), quoted("husb-occ"), quoted("age, in years"), quoted("a->b"), quoted("bell" + chr(7)))
    age husb-occ "age, in years" "a->b" "bell\\u0007"
    """
    if _PLAIN.fullmatch(name) and not looks_like_edge(name) and not name.endswith(":") and visible(name) == name:
        return name
    return visible(json.dumps(name, ensure_ascii=False))


def looks_like_edge(token: str) -> str | None:
    """For a token that a reader takes for an edge, `a->b` or `-->`, the same with spaces: `a -> b`; otherwise None."""
    if token.startswith('"'):
        return None
    if _EDGE.fullmatch(token):
        return f"a {token} b"
    found = _WITH_ARROW.fullmatch(token)
    return " ".join(found.groups()) if found else None


def unquoted(token: str) -> str:
    """The name that a token of the text stands for."""
    if not token.startswith('"'):
        return token
    try:
        name = json.loads(token)
    except json.JSONDecodeError:
        raise GraphError(f'{token} is not a name in double quotes; inside, write \\" for a quote') from None
    return str(name)
