"""The orientation rules by name: R0–R10 of Zhang (2008), M0–M4 of Meek (1995), and K1–K10 for knowledge.

R0–R4 place arrowheads (R1 and R4 tails, too) and are sound at every stage of an anytime search; R5–R7 place the tails
that selection bias leaves, R8–R10 the remaining ones. Together they are complete (Zhang 2008, theorem 4).

A rule is one entry of `RULES`; everything else here is derived from these entries.

Reference: J. Zhang, On the completeness of orientation rules for causal discovery in the presence of latent
confounders and selection bias. Artificial Intelligence 172, 2008. C. Meek, Causal inference and causal explanation with
background knowledge. UAI 1995.
"""

from collections.abc import Callable
from dataclasses import dataclass

from ancestral.orientation import _path_rules_cy as path_rules
from ancestral.orientation import _rules_cy as rules
from ancestral.orientation import explanations
from ancestral.orientation._board_cy import Board
from ancestral.orientation._judge_cy import Judge
from ancestral.orientation.explanations import Explain

__all__ = [
    "ALL_RULES", "ANYTIME_RULES", "ANYTIME_RULES_WITH_KNOWLEDGE", "BEYOND_ADJACENT", "BY_COPY", "BY_KNOWLEDGE",
    "BY_NO_PATH", "EXPLANATIONS", "FIRST", "MEEK_RULES", "MEEK_RULES_WITH_KNOWLEDGE", "NAMES", "NUMBERS", "RULES",
    "RULES_WITH_KNOWLEDGE", "SELECTION_RULES", "STRATA", "TARGET_RULES", "WITNESSES", "Rule",
]  # fmt: skip


@dataclass(frozen=True)
class Rule:
    """An orientation rule: its kernel, its words, and when it has its turn.

    - `propose`: the kernel; it reads the board and proposes marks.
    - `explain`: the words for a mark that it has set, and what the mark rests on.
    - `turn`: rules of turn 0 look at separating sets alone, so they run first, and once; rules of a later turn run only
      when earlier ones propose nothing new: cheap rules before expensive ones, arrowheads before tails.
    - `witnesses`: the fewest and the most nodes that a proposal names; None: no limit.
    - `anytime`: sound at every stage of a search. The other rules take every edge for a true one, so they wait until
      the search is complete.
    - `selection`: needed only where there may be selection bias.
    - `beyond_adjacent`: carries what is known of two variables to edges beside them.
    """

    propose: Callable[[Board, Judge], None]
    explain: Explain
    turn: int
    witnesses: tuple[int, int | None] = (3, 3)
    anytime: bool = False
    selection: bool = False
    beyond_adjacent: bool = False


#: Each rule by its name, which begins with the letter of its family: R, M or K.
RULES: dict[str, Rule] = {
    "R0": Rule(rules.r0, explanations.r0, turn=0, anytime=True),
    "R1": Rule(rules.r1, explanations.r1, turn=1, anytime=True),
    "R2": Rule(rules.r2, explanations.r2, turn=1, anytime=True),
    "R3": Rule(rules.r3, explanations.r3, turn=1, witnesses=(4, 4), anytime=True),
    "R4": Rule(path_rules.r4, explanations.r4, turn=2, witnesses=(4, None), anytime=True),
    "R5": Rule(path_rules.r5, explanations.r5, turn=3, witnesses=(4, None), selection=True),
    "R6": Rule(rules.r6, explanations.r6, turn=4, selection=True),
    "R7": Rule(rules.r7, explanations.r7, turn=4, selection=True),
    "R8": Rule(rules.r8, explanations.r8, turn=5),
    "R9": Rule(path_rules.r9, explanations.r9, turn=6, witnesses=(4, None)),
    "R10": Rule(path_rules.r10, explanations.r10, turn=6, witnesses=(5, None)),
    # v-structures and the rules of Meek are R0–R3 where an arrowhead at one end means a tail at the other; his fourth
    # rule has something to do only where there is knowledge beside the data
    "M0": Rule(rules.r0, explanations.m0, turn=0),
    "M1": Rule(rules.r1, explanations.m1, turn=7),
    "M2": Rule(rules.r2, explanations.m2, turn=7),
    "M3": Rule(rules.r3, explanations.m3, turn=7, witnesses=(4, 4)),
    "M4": Rule(rules.m4, explanations.m4, turn=7, witnesses=(4, 4)),
    # for boards with knowledge
    "K1": Rule(rules.k1, explanations.k1, turn=1, anytime=True),
    "K2": Rule(rules.k2, explanations.k2, turn=1, anytime=True),
    "K3": Rule(rules.k3, explanations.k3, turn=1, anytime=True),
    "K4": Rule(rules.k4, explanations.r3, turn=1, witnesses=(4, 4), anytime=True),
    "K5": Rule(rules.k5, explanations.k5, turn=1, anytime=True, beyond_adjacent=True),
    "K6": Rule(rules.k6, explanations.k6, turn=1, anytime=True, beyond_adjacent=True),
    "K7": Rule(rules.k7, explanations.k7, turn=1, anytime=True),
    # these take every edge for a true one
    "K8": Rule(rules.k8, explanations.k8, turn=5, witnesses=(2, 2)),
    "K9": Rule(rules.k9, explanations.k9, turn=5),
    "K10": Rule(rules.k10, explanations.k10, turn=5, witnesses=(4, 4)),
}

#: Not a rule, but a reason like one: a mark that was known before any rule spoke.
BY_KNOWLEDGE = "knowledge"

#: Reasons in windows of time series: a copy of the pair some steps earlier or later has the mark, or shows that there
#: is no path by which one could cause the other (`search/series/repeating`).
BY_COPY = "copy"
BY_NO_PATH = "no path"


def _family(letter: str) -> tuple[str, ...]:
    return tuple(name for name in RULES if name.startswith(letter))


#: Complete together (Zhang 2008).
ALL_RULES = _family("R")

#: Those of them that are sound at every stage of a search.
ANYTIME_RULES = tuple(name for name in ALL_RULES if RULES[name].anytime)

#: The rules that are needed only where there may be selection bias.
SELECTION_RULES = tuple(name for name in RULES if RULES[name].selection)

#: The rules that join the others where there is knowledge.
RULES_WITH_KNOWLEDGE = _family("K")

#: Those of them that are sound at every stage of a search.
ANYTIME_RULES_WITH_KNOWLEDGE = tuple(name for name in RULES_WITH_KNOWLEDGE if RULES[name].anytime)

#: Of these, the rules that carry what is known of two variables to edges beside them.
BEYOND_ADJACENT = tuple(name for name in RULES if RULES[name].beyond_adjacent)

#: Of these, the rules about what contexts with known targets act on: they hold in some graphs of a class only.
TARGET_RULES = ("K9", "K10")

#: Complete together where nothing is latent and nothing was selected on: they give a CPDAG.
MEEK_RULES = tuple(name for name in _family("M") if name != "M4")

#: The same beside knowledge: complete for what is known of adjacent pairs (Meek 1995).
MEEK_RULES_WITH_KNOWLEDGE = (*_family("M"), *BEYOND_ADJACENT)

#: Rules that speak before all others, and once.
FIRST = tuple(name for name in RULES if RULES[name].turn == 0)

#: The others in groups, in the order of their turns.
STRATA = tuple(
    tuple(name for name in RULES if RULES[name].turn == turn)
    for turn in range(1, 1 + max(rule.turn for rule in RULES.values()))
)

#: The names of rules, and of knowledge, by the numbers that a board keeps. Run files list names in this order.
NAMES = dict(enumerate([*ALL_RULES, *_family("M"), BY_KNOWLEDGE, *RULES_WITH_KNOWLEDGE, BY_COPY, BY_NO_PATH]))

#: The same the other way round.
NUMBERS = {name: number for number, name in NAMES.items()}

#: The fewest and the most nodes that each names as witnesses.
WITNESSES: dict[str, tuple[int, int | None]] = {
    **{name: rule.witnesses for name, rule in RULES.items()},
    **dict.fromkeys((BY_KNOWLEDGE, BY_COPY, BY_NO_PATH), (2, 2)),
}

#: How each rule, and knowledge, explains a mark that it has set.
EXPLANATIONS: dict[str, Explain] = {
    **{name: rule.explain for name, rule in RULES.items()},
    BY_KNOWLEDGE: explanations.by_knowledge,
    BY_COPY: explanations.by_copy,
    BY_NO_PATH: explanations.by_no_path,
}
