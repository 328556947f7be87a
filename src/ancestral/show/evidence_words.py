"""What the data say about one question, in words: its p-value, and how strong the dependence is."""

import math
from dataclasses import dataclass

from ancestral.independence.evidence import Scale
from ancestral.search.evidence import Decided

__all__ = ["Question", "question_in_words"]


@dataclass(frozen=True)
class Question:
    """The decisive question about a pair: the variables given, its p-value (NaN if unknown), and a clause about both.

    The clause is empty if nothing is known, and for an oracle, whose answers are not evidence. Of an edge, `unanswered`
    is the number of questions that the data could not answer, and `answered` tells whether any other was. `combined`:
    the data are tables that measured different columns; `never`: no table has both of the pair.
    """

    given: tuple[str, ...]
    p_value: float
    words: str
    unanswered: int = 0
    answered: bool = True
    combined: bool = False
    never: bool = False

    @property
    def kept(self) -> str:
        """Why an edge stayed: the name of the sentence that says it (`reasons.SENTENCES`)."""
        if self.never:
            return "edge, never"
        if not self.unanswered:
            return "edge"
        return f"edge, {'in part' if self.answered else 'untold'}{' of tables' * self.combined}"


def question_in_words(decided: Decided, scale: Scale, rows: int) -> str:
    """The p-value, and a size of the dependence that does not grow with the rows; empty if the p-value is not known.

    On a normal scale the size is a correlation, otherwise the share R² that corresponds to a likelihood ratio.

    >>> question_in_words(Decided(("z",), 0.0123, 2.5), Scale.NORMAL, 104)
    'p = 0.012, partial correlation 0.24'
    >>> question_in_words(Decided((), 0.0123, 8.8), Scale.CHI2, 100)
    'p = 0.012, R² 0.084'
    """
    if decided.p_value != decided.p_value:
        return ""
    words = f"p = {decided.p_value:.2g}"
    left = rows - len(decided.given) - 3
    if scale is Scale.NORMAL and left > 0 and math.isfinite(decided.statistic):
        size = math.tanh(abs(decided.statistic) / math.sqrt(left))
        return f"{words}, {'partial ' * bool(decided.given)}correlation {size:.2f}"
    if scale is Scale.CHI2 and rows and math.isfinite(decided.statistic):
        return f"{words}, R² {-math.expm1(-max(decided.statistic, 0.0) / rows):.3f}"
    return words
