"""ICD as printed, in plain Python, with the choices that the paper leaves open made at random.

The paper says that the result does not depend on the order in which separating sets are tried and orientation rules
are applied; here both orders are random. Marks are written at once, as in most implementations. Only for small graphs.
"""

from itertools import permutations

import numpy as np

from ancestral import DAG, PAG, Oracle
from ancestral.orientation import ALL_RULES, orient
from ancestral.orientation._judge_cy import Sepsets
from ancestral.search._icd_sep_cy import IcdSep

CIRCLE, ARROW, TAIL = 1, 2, 3
Marks = np.ndarray


def printed_icd(dag: DAG, rng: np.random.Generator) -> PAG:
    """All three conditions, removals at the end of a radius, no verification."""
    names = list(dag.observed)
    n = len(names)
    questions = Oracle(dag).questions(names)
    marks = np.full((n, n), CIRCLE, dtype=np.uint8)
    np.fill_diagonal(marks, 0)
    sepsets = Sepsets(n)
    for radius in range(n - 1):
        sets = IcdSep(marks, None, radius, filter_all=True, anteriors=False)
        fell = []
        for x, y in np.argwhere(np.triu(marks)).tolist():
            separating = [given for given in sets.listing(x, y) if questions.ask(x, y, given)]
            if separating:
                fell.append((x, y, separating[rng.integers(len(separating))]))
        for x, y, given in fell:
            marks[x, y] = marks[y, x] = 0
            sepsets.record(x, y, given)
        marks = np.minimum(marks, CIRCLE)
        orient_in_random_order(marks, sepsets, rng)
        if not sets.any_sets:
            break
    return PAG(names, orient(marks, sepsets, ALL_RULES).marks)


def orient_in_random_order(marks: Marks, sepsets: Sepsets, rng: np.random.Generator) -> None:
    """Apply R0, then R1–R3 in a random order, each mark written at once, until nothing changes."""
    triples = list(permutations(range(len(marks)), 3))
    for a, b, c in triples:
        if marks[a, b] and marks[b, c] and not marks[a, c] and b not in sepsets.find(a, c):
            marks[a, b] = marks[c, b] = ARROW
    changed = True
    while changed:
        changed = False
        for i in rng.permutation(len(triples)):
            changed |= apply_r1_to_r3(marks, *triples[i])


def apply_r1_to_r3(marks: Marks, a: int, b: int, c: int) -> bool:
    before = int((marks == CIRCLE).sum())
    if marks[a, b] == ARROW and marks[c, b] == CIRCLE and not marks[a, c]:  # R1
        marks[c, b] = TAIL
        if marks[b, c] == CIRCLE:
            marks[b, c] = ARROW
    directed = marks[b, a] == TAIL or marks[c, b] == TAIL
    if marks[a, b] == ARROW and marks[b, c] == ARROW and directed and marks[a, c] == CIRCLE:  # R2
        marks[a, c] = ARROW
    if marks[a, b] == ARROW and marks[c, b] == ARROW and not marks[a, c]:  # R3
        for d in range(len(marks)):
            if marks[a, d] == CIRCLE and marks[c, d] == CIRCLE and marks[d, b] == CIRCLE:
                marks[d, b] = ARROW
    return int((marks == CIRCLE).sum()) < before
