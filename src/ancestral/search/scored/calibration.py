"""What evidence is worth: how many of the claims with as much evidence were true in simulations.

Evidence is not a Bayes factor, and no formula turns it into a probability. So the words about it follow a table that
was measured (docs/evidence.md).
"""

from bisect import bisect_right

from ancestral.search.scored.calibration_table import BOUNDS, SHARES

__all__ = ["WEAK", "share_true", "worth_in_words"]

#: Evidence is called weak if a smaller share of such claims than this was true in simulations.
WEAK = 0.75

#: The denominators of shares in words; the first one is taken that comes near enough.
_DENOMINATORS = (2, 3, 4, 5, 10, 20)
_NEAR_ENOUGH = 0.0101

_PLURAL = {"edge": "edges", "no edge": "missing edges", "arrowhead": "arrowheads", "tail": "tails"}


def share_true(kind: str, evidence: float) -> float | None:
    """The share of claims of this kind with as much evidence that were true in simulations; None if it is not known.

    `kind` is "edge", "no edge", "arrowhead" or "tail".
    """
    share = SHARES[kind][bisect_right(BOUNDS, evidence)]
    return None if share is None else share / 100


def worth_in_words(kind: str, evidence: float) -> str:
    """A clause that says what evidence of this size is worth; empty if it is not known."""
    share = share_true(kind, evidence)
    if share is None:
        return ""
    weak = ", weak" if share < WEAK else ""
    return f"{weak}; of such {_PLURAL[kind]} {share_in_words(share)} true in simulations"


def share_in_words(share: float) -> str:
    """A share as a count, with its verb.

    >>> share_in_words(0.25), share_in_words(0.62), share_in_words(0.99), share_in_words(1.0)
    ('1 in 4 was', '62 in 100 were', '99 in 100 were', 'more than 99 in 100 were')
    """
    if share > 0.995:
        return "more than 99 in 100 were"
    if share < 0.005:
        return "fewer than 1 in 100 were"
    for whole in _DENOMINATORS:
        part = round(share * whole)
        if 0 < part < whole and abs(part / whole - share) < _NEAR_ENOUGH:
            break
    else:
        part, whole = round(share * 100), 100
    return f"{part} in {whole} {'was' if part == 1 else 'were'}"
