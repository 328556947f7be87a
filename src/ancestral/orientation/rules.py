"""R0–R10 of Zhang (2008), by name, with their kernels and the order in which they are tried.

R0–R4 place arrowheads (R1 and R4 tails, too) and are sound at every stage of an anytime search; R5–R7 place the tails
that selection bias leaves, R8–R10 the remaining ones. Together they are complete (Zhang 2008, theorem 4).

Reference: J. Zhang, On the completeness of orientation rules for causal discovery in the presence of latent
confounders and selection bias. Artificial Intelligence 172, 2008.
"""

from collections.abc import Callable

from ancestral.orientation import _path_rules_cy as path_rules
from ancestral.orientation import _rules_cy as rules
from ancestral.orientation._board_cy import Board
from ancestral.orientation._judge_cy import Judge

__all__ = ["ALL_RULES", "ANYTIME_RULES", "RULES", "SELECTION_RULES", "STRATA"]

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
}

#: Sound at every stage of a search.
ANYTIME_RULES = ("R0", "R1", "R2", "R3", "R4")

#: Needed only where there may be selection bias.
SELECTION_RULES = ("R5", "R6", "R7")

#: Complete together; R5–R10 take every edge for a true one, so they wait for the end of a search.
ALL_RULES = tuple(RULES)

#: R0 comes first and once. Of the others, a later group speaks only when the earlier ones have nothing left to say:
#: the cheap before the dear, arrowheads before tails.
STRATA = (("R1", "R2", "R3"), ("R4",), ("R5",), ("R6", "R7"), ("R8",), ("R9", "R10"))
