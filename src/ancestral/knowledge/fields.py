"""Checks of the fields of statements: lists of names, pairs of names and tiers, in one order whatever was given."""

from collections.abc import Iterable, Sequence
from typing import Any

from ancestral.errors import GraphError, KnowledgeError, named_with_suggestions
from ancestral.graphs.names import by_name, checked_names
from ancestral.printing import shown

__all__ = [
    "Pair", "checked_items", "checked_pairs", "checked_tiers", "plain", "sorted_names", "unknown_names",
    "unordered_pairs",
]  # fmt: skip

Pair = tuple[str, str]

_PAIR = '[("x", "y")]'
_EXAMPLES = {"tiers": '[["age"], ["smoking"]]', "exogenous": '["age"]'}


def checked_items(value: Any, field: str, example: str = _PAIR) -> list[Any]:
    """The items of a field, which must be a list or another iterable, and not a text; errors show the example."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        written = _EXAMPLES.get(field, example)
        raise KnowledgeError(f"{field} must be a list, got {shown(value)}; write {field}={written}")
    return list(value)


def sorted_names(value: Any, field: str) -> tuple[str, ...]:
    """Names that are distinct and not blank, in the order of names."""
    try:
        return tuple(sorted(checked_names(checked_items(value, field)), key=by_name))
    except GraphError as error:
        raise KnowledgeError(f"{field}: {error}") from None


def checked_tiers(value: Any) -> tuple[tuple[str, ...], ...]:
    """Tiers that share no name, without empty ones; a single one says nothing and is left out."""
    tiers = [sorted_names(tier, "tiers") for tier in checked_items(value, "tiers")]
    rank: dict[str, int] = {}
    for i, tier in enumerate(tiers, start=1):
        for name in tier:
            if name in rank:
                raise KnowledgeError(f"tiers: {name!r} is in tier {rank[name]} and in tier {i}; leave it in one")
            rank[name] = i
    tiers = [tier for tier in tiers if tier]
    return tuple(tiers) if len(tiers) > 1 else ()


def checked_pairs(value: Any, field: str, of: str = "variables") -> tuple[Pair, ...]:
    """Pairs of different names, each once, in the order of names; `of` says what has the names, for errors."""
    out: set[Pair] = set()
    for item in checked_items(value, field):
        if isinstance(item, str) or not isinstance(item, Iterable):
            raise KnowledgeError(f"{field} must have pairs of names, got {shown(item)}; write {field}={_PAIR}")
        pair = tuple(item)
        if len(pair) != 2:
            raise KnowledgeError(f"{field} must have pairs of names, got {shown(pair)}; write {field}={_PAIR}")
        for name in pair:
            if not isinstance(name, str):
                sorted_names(pair, field)  # raises, with the reason
        if pair[0] == pair[1]:
            raise KnowledgeError(f"{field}: a pair must be two different {of}, got {pair[0]!r} twice")
        out.add((str(pair[0]), str(pair[1])))
    names = sorted_names({name for pair in out for name in pair}, field)
    place = {name: i for i, name in enumerate(names)}  # so that each name is parsed for sorting once
    return tuple(sorted(out, key=lambda pair: (place[pair[0]], place[pair[1]])))


def unordered_pairs(value: Any, field: str) -> tuple[Pair, ...]:
    """Pairs of different names, each once in either order, the first name of each before the second."""
    pairs = {min(pair, pair[::-1], key=_by_names) for pair in checked_pairs(value, field)}
    return tuple(sorted(pairs, key=_by_names))


def unknown_names(unknown: Sequence[str], names: Sequence[str], what: str, where: str) -> KnowledgeError:
    """The error about all names of the statements that are not among the names of what is searched.

    `what` has these names, such as "variable", and `where` is what is searched.
    """
    listed = named_with_suggestions(unknown, names)
    if len(unknown) == 1:
        return KnowledgeError(
            f"the knowledge names a {what} that is not in {where}: {listed}; correct the name, include that column, or "
            "remove the statements about it"
        )
    several = f"{what}es" if what.endswith("s") else f"{what}s"
    return KnowledgeError(
        f"the knowledge names {len(unknown):,} {several} that are not in {where}: {listed}; correct the names, include "
        "these columns, or remove the statements about them"
    )


def plain(items: Sequence[Any]) -> list[Any]:
    """A field as lists, as files have it."""
    return [item if isinstance(item, str) else list(item) for item in items]


def _by_names(pair: Pair) -> tuple[Any, Any]:
    return by_name(pair[0]), by_name(pair[1])
