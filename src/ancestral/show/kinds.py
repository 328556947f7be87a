"""Which columns were read as which kind, in words."""

from collections.abc import Mapping

from ancestral.graphs.names import in_order, quoted
from ancestral.printing import counted, listed

__all__ = ["BOXES", "SQUARE", "kinds_in_words", "names_by_kind"]

#: Names of each kind that a line lists; of the others it gives the number.
MOST_NAMED = 8

#: What the shapes of boxes mean in the picture of a report, if there are columns of several kinds.
BOXES = "A box with round corners is a continuous variable, one with square corners a discrete or ordinal one."

#: The same in the key of a picture, beside a box with square corners.
SQUARE = "square corners: discrete or ordinal; round: continuous"


def names_by_kind(kinds: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """The names of the columns of each kind, in their order."""
    found = {kind: tuple(name for name in kinds if kinds[name] == kind) for kind in sorted(set(kinds.values()))}
    return {kind: in_order(names) for kind, names in found.items()}


def kinds_in_words(kinds: Mapping[str, str]) -> str:
    """Which columns were read as which kind, in a line.

    >>> print(kinds_in_words({"age": "continuous", "diet": "continuous"}))
    both columns were read as continuous
    >>> print(kinds_in_words({"age": "continuous", "sex": "discrete", "site": "discrete"}))
    1 column was read as continuous (age), 2 as discrete (sex, site)
    """
    groups = names_by_kind(kinds)
    if len(groups) == 1:
        (only,), count = groups, len(kinds)
        if count == 1:
            return f"the column was read as {only}"
        return f"{'both' if count == 2 else f'all {count:,}'} columns were read as {only}"
    parts: list[str] = []
    for kind, names in groups.items():
        read = (
            f"{len(names):,}"
            if parts
            else f"{counted(len(names), 'column')} {'was' if len(names) == 1 else 'were'} read"
        )
        parts.append(f"{read} as {kind} ({_named(names)})")
    return ", ".join(parts)


def _named(names: tuple[str, ...]) -> str:
    if len(names) <= MOST_NAMED:
        return ", ".join(map(quoted, names))
    return listed(names, MOST_NAMED, spell=quoted)
