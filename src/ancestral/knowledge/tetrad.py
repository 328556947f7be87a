"""Tetrad's knowledge files.

    /knowledge
    addtemporal
    1 age sex
    2* bmi smoking
    forbiddirect
    smoking sex
    requiredirect
    smoking cancer

Tetrad's statements are about direct edges, ours about causes, direct or not. `forbiddirect x y` is read as "x does not
cause y" (`forbidden`). On an edge x–y both justify the same arrowhead; ours also excludes indirect effects, which it
must in a graph with latent variables. If only a direct effect is excluded, the line should be left out of the file.
`requiredirect x y` is read as `required`, the tiers as `tiers`. A star forbids edges within a tier: none of its
variables causes another. A minus (only the next tier is caused directly) says nothing about ancestry and is refused.
Names are words without spaces.
"""

import re
from itertools import permutations
from typing import Any

from ancestral.errors import KnowledgeError

__all__ = ["parse_tetrad", "refuse_large_tier"]

_SECTIONS = {"addtemporal": "tiers", "forbiddirect": "forbidden", "requiredirect": "required"}
#: The largest number of ordered pairs that a star may stand for, one for each two variables of its tier: these take
#: about 100 MB.
MOST_PAIRS = 1_000_000

_TIER = re.compile(r"(\d{1,6})(\*?)(-?)")


def parse_tetrad(text: str, where: str) -> dict[str, Any]:
    """Parse the text of such a file into the arguments of `Knowledge`; `where` is put before errors."""
    tiers: dict[int, list[str]] = {}
    parsed: dict[str, Any] = {"forbidden": [], "required": []}
    section = None
    begun = False
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split()
        if not words or words[0].startswith(("//", "#")):
            continue
        if not begun:
            if [word.lower() for word in words] != ["/knowledge"]:
                raise KnowledgeError(f"{where}, line {number}: a Tetrad knowledge file must begin with '/knowledge'")
            begun = True
        elif words[0].lower() in _SECTIONS and len(words) == 1:
            section = _SECTIONS[words[0].lower()]
        elif section is None:
            raise KnowledgeError(
                f"{where}, line {number}: unknown section {words[0]!r}; the sections are {', '.join(_SECTIONS)}"
            )
        elif section == "tiers":
            _read_tier(words, tiers, parsed["forbidden"], f"{where}, line {number}")
        elif len(words) == 2:
            parsed[section].append((words[0], words[1]))
        else:
            raise KnowledgeError(
                f"{where}, line {number}: {line.strip()!r} is neither a pair of variables nor a section; write a cause "
                f"and its effect, or one of {', '.join(_SECTIONS)}"
            )
    return {"tiers": [tiers[i] for i in sorted(tiers)], **parsed}


def _read_tier(words: list[str], tiers: dict[int, list[str]], forbidden: list[tuple[str, str]], where: str) -> None:
    """Add the tier of a line, and what its star forbids."""
    head = _TIER.fullmatch(words[0])
    if head is None:
        raise KnowledgeError(f"{where}: a tier must begin with its number, got {words[0]!r}; write '1 age sex'")
    if head[3]:
        raise KnowledgeError(
            f"{where}: {words[0]!r} says that only the next tier is caused directly, which does not say who causes "
            "whom; remove the minus"
        )
    if int(head[1]) in tiers:
        raise KnowledgeError(f"{where}: tier {head[1]} is given twice; put its variables into one line")
    tiers[int(head[1])] = words[1:]
    if head[2]:
        refuse_large_tier(f"{where}: the star", len(words) - 1)
        forbidden.extend(permutations(words[1:], 2))


def refuse_large_tier(what: str, variables: int) -> None:
    """Raise KnowledgeError if edges within a tier of this size are too many to forbid; `what` begins the error."""
    pairs = variables * (variables - 1)
    if pairs > MOST_PAIRS:
        raise KnowledgeError(
            f"{what} at a tier of {variables:,} variables forbids {pairs:,} edges, more than {MOST_PAIRS:,}; remove "
            "it, or split the tier"
        )
