"""Checks that the columns of a run file agree with each other; each refuses by `JsonValue.fail` what cannot be."""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.marks import NONE
from ancestral.io.checked_json import JsonValue
from ancestral.io.run_parts import FEWEST_WITNESSES, MOST_WITNESSES, RULES
from ancestral.orientation.rules import WITNESSES
from ancestral.search.marginals import pair_number
from ancestral.search.sets import Sets
from ancestral.search.stage import Answer, NearestSets, Separations

__all__ = [
    "check_conflicts", "check_not_empty", "check_separations", "check_sets_without_pair", "check_witnesses",
    "checked_answers", "checked_nearest_sets",
]  # fmt: skip

Pairs = NDArray[np.intc]
Names = tuple[str, ...]


def check_sets_without_pair(place: JsonValue, sets: Sets, pairs: Pairs) -> None:
    """A set must not hold one of the pair that it is about."""
    own = pairs[sets.owners]
    if (own == sets.members[:, None]).any():
        place.fail("sets without the pair itself")


def check_separations(place: JsonValue, found: Separations, marks: NDArray[np.uint8], names: Names) -> None:
    """Separated pairs must differ, must not have an edge, and must have sets without the pair itself."""
    if len(np.unique(pair_number(len(names), *found.pairs.T))) < len(found.pairs):
        place.fail("a list of different pairs")
    joined = np.flatnonzero(marks[found.pairs[:, 0], found.pairs[:, 1]] != NONE)
    if len(joined):
        x, y = found.pairs[joined[0]].tolist()
        place.fail(f"about pairs without an edge; {names[x]!r} and {names[y]!r} have one")
    check_sets_without_pair(place.key("given"), found.given, found.pairs)


def check_not_empty(place: JsonValue, sets: Sets) -> None:
    """Sets that separate pairs must not be empty; of pairs that nothing separates, the evidence stands elsewhere."""
    if (sets.sizes == 0).any():
        place.fail("sets that are not empty; pairs that nothing separates are not listed")


def check_witnesses(
    place: JsonValue, rules: NDArray[np.uint8], witnesses: Sets, x: NDArray[np.intc], y: NDArray[np.intc]
) -> None:
    """Each rule must have as many witnesses as it names, and those of R10 must have its edge between the two ways."""
    wrong = (witnesses.sizes < FEWEST_WITNESSES[rules]) | (witnesses.sizes > MOST_WITNESSES[rules])
    for row in np.flatnonzero(wrong).tolist():
        fewest, most = WITNESSES[RULES[rules[row]]]
        place.fail(f"{fewest} variables{' or more' if most is None else ''} for {RULES[rules[row]]}")
    for row in np.flatnonzero(rules == RULES.index("R10")).tolist():
        nodes = witnesses[row] or ()
        # the two ways of R10 meet in the edge that they are about
        if (int(x[row]), int(y[row])) not in pairwise(nodes[2:-1]):
            place.fail("two ways with the edge itself between them")


def check_conflicts(place: JsonValue, rows: NDArray[np.intc], marks: NDArray[np.uint8]) -> None:
    """Conflicts, as rows rule, x, y, mark at x, mark at y, must be about edges, and must differ."""
    if (marks[rows[:, 1], rows[:, 2]] == NONE).any():
        place.fail("about edges")
    if len(np.unique(rows, axis=0)) != len(rows):
        place.fail("a list of different conflicts")


def checked_nearest_sets(
    place: JsonValue,
    pairs: Pairs,
    sets: NDArray[np.intc],
    evidence: NDArray[np.float64],
    unanswered: NDArray[np.int64],
) -> NearestSets:
    """The sets with the largest p-values of a step, one for each pair; they must be sets without the pair.

    Where no question was supported, the evidence is NaN and the set is ignored.
    """
    unsupported = np.isnan(evidence[:, 0])
    sets[unsupported] = 0
    wrong = (np.diff(sets, axis=1) == 0).any(axis=1) | (sets[:, :, None] == pairs[:, None, :]).any(axis=(1, 2))
    if (wrong & ~unsupported).any():
        place.key("given").fail("sets: each variable once, and not one of the pair")
    return NearestSets(pairs, sets, evidence, unanswered)


def checked_answers(
    place: JsonValue, pairs: Pairs, given: Sets, independent: Any, raw: NDArray[np.float64]
) -> dict[tuple[int, int, tuple[int, ...]], Answer]:
    """The answers of verification by their questions, which must differ and must not condition on the pair."""
    check_sets_without_pair(place.key("given"), given, pairs)
    rows = zip(pairs.tolist(), given, independent.tolist(), raw.tolist(), strict=True)
    out = {(x, y, nodes or ()): Answer(answer, *evidence) for (x, y), nodes, answer, evidence in rows}
    if len(out) != len(pairs):
        place.fail("a list of different questions")
    return out
