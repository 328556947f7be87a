"""Levels that a criterion prefers, with words about what the criterion is: `Suggestion`.

There is no right significance level. Each criterion looks at one side of a graph, on the data that the graph was found
in.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ancestral.errors import Option, OptionError
from ancestral.printing import counted, listed
from ancestral.result import Discovery
from ancestral.sweeping.levels import Level

__all__ = ["CRITERIA", "MOST_INSTABILITY", "By", "Suggestion", "suggested"]

By = Literal["fit", "stability", "denials"]

CRITERIA: tuple[By, ...] = ("fit", "stability", "denials")

#: The instability that edges may have, as Liu, Roeder & Wasserman (2010) propose.
MOST_INSTABILITY = 0.05

#: The difference of two EBICs up to which they are the same: that of one graph, fitted twice.
SAME_EBIC = 1e-6


@dataclass(frozen=True)
class Suggestion:
    """A level that a criterion prefers; print it to read why, and what the criterion does not see.

    Made by `Sweep.best` and `Sweep.suggestions`.

    Attributes:
        by: The criterion.
        alpha: The level: of several that are as good, the smallest.
        reason: Why, a sentence.
        caveat: What the criterion does not see, a sentence.
        found: What was found there.
        ties: The other levels that the criterion prefers as much.

    Examples:
        >>> import ancestral as an
        >>> rows = an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c, c -> d"), rows=500, seed=1)
        >>> best = an.sweep(rows, alphas=[0.001, 0.01, 0.05]).best("denials")
        >>> best.by, best.alpha, best.ties, best.found.settings.alpha  # no graph denies anything
        ('denials', 0.001, (0.01, 0.05), 0.001)
    """

    by: str
    alpha: float
    reason: str
    caveat: str
    found: Discovery
    ties: tuple[float, ...] = ()

    def __str__(self) -> str:
        return f"by {self.by}: alpha {self.alpha:g}{self._ties_in_words()}. {self.reason} {self.caveat}"

    def _ties_in_words(self) -> str:
        if not self.ties:
            return ""
        others = listed(self.ties, len(self.ties), spell="{:g}".format)
        return f", the smallest of equals ({others} {'is' if len(self.ties) == 1 else 'are'} as good)"


@dataclass(frozen=True)
class _Choice:
    number: int
    reason: str
    caveat: str
    ties: tuple[int, ...] = ()


def suggested(by: By, levels: Sequence[Level], found: Sequence[Discovery]) -> Suggestion:
    """The level that a criterion prefers; raises `OptionError` if it cannot compare these levels."""
    choose = {"fit": _by_fit, "stability": _by_stability, "denials": _by_denials}[by]
    choice = choose(levels)
    level = levels[choice.number]
    ties = tuple(levels[number].alpha for number in choice.ties)
    return Suggestion(by, level.alpha, choice.reason, choice.caveat, found[choice.number], ties)


def _refuse(by: str, why: str, *instead: str | Option) -> OptionError:
    return OptionError(f"cannot be used here: {why}", option="by", value=by, way_out=list(instead), assigned=True)


def _by_fit(levels: Sequence[Level]) -> _Choice:
    fitted = {number: level.ebic for number, level in enumerate(levels) if level.ebic is not None}
    if len(fitted) < 2:
        few = f"{len(fitted)} of {len(levels)} graphs can be fitted as linear normal models"
        raise _refuse("fit", few, "pass ", _STABILITY)
    lowest = min(fitted.values())
    best, *ties = [number for number, ebic in fitted.items() if ebic - lowest <= SAME_EBIC]
    of = f"of the {counted(len(fitted), 'level')} whose graphs could be fitted"
    return _Choice(
        best,
        f"Its graph has the lowest extended BIC {of}.",
        "It weighs a linear normal model against its number of edges, in the data that the graph was found in; graphs "
        "that belong to no class have none.",
        tuple(ties),
    )


def _by_stability(levels: Sequence[Level]) -> _Choice:
    if all(level.instability is not None for level in levels):
        return _by_subsamples([level.instability or 0.0 for level in levels])
    if len(levels) < 2:
        raise _refuse("stability", "there is a single level, without neighbours", "pass more ", Option("alphas"))
    agreement = [(level.same_edges or 0.0, level.same_marks or 0.0) for level in levels]
    best, *ties = [number for number, one in enumerate(agreement) if one == max(agreement)]
    return _Choice(
        best,
        f"Its edges agree best with those of the neighbouring levels (Jaccard index {levels[best].same_edges:.2f}).",
        "It depends on how close the levels stand, and what is stable may be wrong.",
        tuple(ties),
    )


def _by_subsamples(instabilities: Sequence[float]) -> _Choice:
    """StARS: the densest graph whose instability, and that of all sparser ones, is small enough."""
    kept = 0
    while kept < len(instabilities) and instabilities[kept] <= MOST_INSTABILITY:
        kept += 1
    caveat = "Subsamples have fewer rows, and so fewer edges; what is stable may be wrong."
    if not kept:
        return _Choice(
            0,
            f"Already the smallest level has an instability above {MOST_INSTABILITY:g}, and StARS looks no further.",
            caveat,
        )
    return _Choice(
        kept - 1,
        f"It is the largest level up to which two subsamples disagree about at most {MOST_INSTABILITY:.0%} of all "
        "pairs (StARS).",
        caveat,
    )


def _by_denials(levels: Sequence[Level]) -> _Choice:
    known = {number: level.beyond_chance for number, level in enumerate(levels) if level.beyond_chance is not None}
    if not known:
        raise _refuse("denials", "the test tells no p-values to compare", "pass ", _STABILITY)
    best, *ties = [number for number, beyond in known.items() if beyond == min(known.values())]
    return _Choice(
        best,
        "It is the smallest level whose graph denies the fewest dependences in the data beyond chance: "
        f"{known[best]:,}.",
        "A graph with more edges denies less, whether or not they are true.",
        tuple(ties),
    )


_STABILITY = Option("by", "stability")
