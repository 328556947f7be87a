"""Tetrad's knowledge files.

    /knowledge
    addtemporal
    1 age sex
    2* bmi smoking
    forbiddirect
    smoking sex
    requiredirect
    smoking cancer

Tetrad speaks of direct edges, we of causes, direct or not. `forbiddirect x y` is read as "x does not cause y"
(`forbidden`): on an edge x–y both license the same arrowhead, and beyond it ours says more, as it must to be true of a
graph with latent variables; who knows only that there is no direct effect leaves the line out. `requiredirect x y` is
`required`, the tiers are `tiers`. A star forbids edges within a tier: none of it causes another of it. Tetrad's minus
(only the next tier is caused directly) says nothing about ancestry and is refused. Names are words without spaces.
"""

import re
from itertools import permutations
from typing import Any

from ancestral.errors import KnowledgeError

__all__ = ["parse_tetrad"]

_SECTIONS = {"addtemporal": "tiers", "forbiddirect": "forbidden", "requiredirect": "required"}
#: A star stands for a pair of each two variables of its tier; it may stand for so many at most.
MOST_PAIRS = 1_000_000

_TIER = re.compile(r"(\d{1,6})(\*?)(-?)")


def parse_tetrad(text: str, where: str) -> dict[str, Any]:
    """What such a file says, as the arguments of `Knowledge`."""
    tiers: dict[int, list[str]] = {}
    said: dict[str, Any] = {"forbidden": [], "required": []}
    section = None
    begun = False
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split()
        if not words or words[0].startswith(("//", "#")):
            continue
        if not begun:
            if [word.lower() for word in words] != ["/knowledge"]:
                raise KnowledgeError(f"{where}, line {number}: a knowledge file of Tetrad begins with '/knowledge'")
            begun = True
        elif words[0].lower() in _SECTIONS and len(words) == 1:
            section = _SECTIONS[words[0].lower()]
        elif section is None:
            raise KnowledgeError(
                f"{where}, line {number}: {words[0]!r} is no section that can be read; there are {', '.join(_SECTIONS)}"
            )
        elif section == "tiers":
            _read_tier(words, tiers, said["forbidden"], f"{where}, line {number}")
        elif len(words) == 2:
            said[section].append((words[0], words[1]))
        else:
            raise KnowledgeError(
                f"{where}, line {number}: {line.strip()!r} is not two variables; write a cause and what it causes, "
                f"and only the sections {', '.join(_SECTIONS)}"
            )
    return {"tiers": [tiers[i] for i in sorted(tiers)], **said}


def _read_tier(words: list[str], tiers: dict[int, list[str]], forbidden: list[tuple[str, str]], where: str) -> None:
    head = _TIER.fullmatch(words[0])
    if head is None:
        raise KnowledgeError(f"{where}: {words[0]!r} is no number of a tier; write '1 age sex'")
    if head[3]:
        raise KnowledgeError(
            f"{where}: {words[0]!r} says that only the next tier is caused directly, which is no statement about who "
            "causes whom; take the minus out"
        )
    if int(head[1]) in tiers:
        raise KnowledgeError(f"{where}: there is a tier {head[1]} already; put its variables into one line")
    tiers[int(head[1])] = words[1:]
    if head[2]:
        pairs = len(words[1:]) * (len(words[1:]) - 1)
        if pairs > MOST_PAIRS:
            raise KnowledgeError(
                f"{where}: a star at a tier of {len(words) - 1:,} variables forbids {pairs:,} edges, more than "
                f"{MOST_PAIRS:,}; take the star out, or split the tier"
            )
        forbidden.extend(permutations(words[1:], 2))
