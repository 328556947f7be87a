"""R0–R10 of Zhang (2008), and the rules of Meek (1995), by name, with their kernels and their order.

R0–R4 place arrowheads (R1 and R4 tails, too) and are sound at every stage of an anytime search; R5–R7 place the tails
that selection bias leaves, R8–R10 the remaining ones. Together they are complete (Zhang 2008, theorem 4).

Reference: J. Zhang, On the completeness of orientation rules for causal discovery in the presence of latent
confounders and selection bias. Artificial Intelligence 172, 2008. C. Meek, Causal inference and causal explanation with
background knowledge. UAI 1995.
"""

from collections.abc import Callable

from ancestral.orientation import _path_rules_cy as path_rules
from ancestral.orientation import _rules_cy as rules
from ancestral.orientation._board_cy import KNOWLEDGE, Board
from ancestral.orientation._judge_cy import Judge

__all__ = [
    "ALL_RULES", "ANYTIME_RULES", "BEYOND_ADJACENT", "BY_KNOWLEDGE", "FIRST", "FIRST_OF_MEEK", "MEEK_RULES",
    "MEEK_RULES_WITH_KNOWLEDGE", "NAMES", "RULES", "RULES_WITH_KNOWLEDGE", "SELECTION_RULES", "STRATA", "WITNESSES",
]  # fmt: skip

Rule = Callable[[Board, Judge], None]

#: Each rule by its name: it reads the board and proposes.
RULES: dict[str, Rule] = {
    "R0": rules.r0,
    "R1": rules.r1,
    "R2": rules.r2,
    "R3": rules.r3,
    "R4": path_rules.r4,
    "R5": path_rules.r5,
    "R6": rules.r6,
    "R7": rules.r7,
    "R8": rules.r8,
    "R9": path_rules.r9,
    "R10": path_rules.r10,
    # v-structures and the rules of Meek are R0–R3 where an arrowhead at one end means a tail at the other; his fourth
    # has something to do only where there is knowledge beside the data
    "M0": rules.r0,
    "M1": rules.r1,
    "M2": rules.r2,
    "M3": rules.r3,
    "M4": rules.m4,
    # for boards with knowledge
    "K1": rules.k1,
    "K2": rules.k2,
    "K3": rules.k3,
    "K4": rules.k4,
    "K5": rules.k5,
    "K6": rules.k6,
}

#: The number of M0 on a board; R0 has 0.
FIRST_OF_MEEK = 20

_FIRST = {"R": 0, "M": FIRST_OF_MEEK, "K": 60}

#: Not a rule, but a reason like one: what was known before.
BY_KNOWLEDGE = "knowledge"

#: The names of the rules by the numbers that the board keeps.
NAMES = {_FIRST[name[0]] + int(name[1:]): name for name in RULES} | {KNOWLEDGE: BY_KNOWLEDGE}

#: How many witnesses each names, at least and at most.
WITNESSES: dict[str, tuple[int, int | None]] = {
    **dict.fromkeys(RULES, (3, 3)),
    **dict.fromkeys(["R3", "M3", "M4", "K4"], (4, 4)),
    **dict.fromkeys(["R4", "R5", "R9"], (4, None)),
    "R10": (5, None),
    BY_KNOWLEDGE: (2, 2),
}

#: Sound at every stage of a search.
ANYTIME_RULES = ("R0", "R1", "R2", "R3", "R4")

#: What joins them where there is knowledge, at every stage.
RULES_WITH_KNOWLEDGE = ("K1", "K2", "K3", "K4", "K5", "K6")

#: Of these, those that carry what is known of two variables to edges beside them.
BEYOND_ADJACENT = ("K5", "K6")

#: Needed only where there may be selection bias.
SELECTION_RULES = ("R5", "R6", "R7")

#: Complete together; R5–R10 take every edge for a true one, so they wait for the end of a search.
ALL_RULES = tuple(name for name in RULES if name[0] == "R")

#: Complete together where nothing is latent and nothing selected on: a CPDAG.
MEEK_RULES = ("M0", "M1", "M2", "M3")

#: The same beside knowledge: complete for what is known of adjacent pairs (Meek 1995).
MEEK_RULES_WITH_KNOWLEDGE = (*MEEK_RULES, "M4", *BEYOND_ADJACENT)

#: What looks at separating sets alone comes first and once.
FIRST = ("R0", "M0")

#: Of the others, a later group speaks only when the earlier ones have nothing left to say:
#: the cheap before the dear, arrowheads before tails.
STRATA = (
    ("R1", "R2", "R3", *RULES_WITH_KNOWLEDGE),
    ("R4",),
    ("R5",),
    ("R6", "R7"),
    ("R8",),
    ("R9", "R10"),
    ("M1", "M2", "M3", "M4"),
)
