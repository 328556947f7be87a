"""Effects in resamples: each in the graph of its own resample, so that their spread includes that of the graph.

In some resamples the graph says that there is no effect, in others that it is not identified. These are
counted, and never mixed with the estimates of the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.certainty.repeats import drawn_rows
from ancestral.effects.effect import checked_confidence, percent
from ancestral.effects.identification import Identification, identify
from ancestral.effects.linear import regression_effect
from ancestral.effects.linear_formula import linear_formula_effect
from ancestral.effects.pairs import asked_pairs, linear_moments
from ancestral.errors import AncestralError, OptionError
from ancestral.graphs import PAG
from ancestral.graphs.names import quoted
from ancestral.independence.base import Resampler, Test
from ancestral.io.checked_json import JsonValue
from ancestral.io.columns import Column
from ancestral.knowledge import Knowledge
from ancestral.printing import rounded, visible

__all__ = ["KEY", "ResampledEffect", "checked_effects", "effects_part", "read_effects", "resampled_effects"]

#: What a resample says about an effect; its number is its place here.
SAID = ("not identified", "no effect", "effect", "not computed")
_NOT_IDENTIFIED, _NO_EFFECT, _EFFECT, _NOT_COMPUTED = range(4)

#: The key of the effects in a bootstrap file, and how many it may have: a small file must not ask for much memory.
KEY, MOST_EFFECTS = "effects", 10_000

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, eq=False)
class ResampledEffect:
    """The effect of x on y in resamples: what each of them says, and what it estimates.

    Made by `bootstrap(effects=…)` and `Bootstrap.effect`.

    Attributes:
        x: The cause.
        y: The outcome.
        said: A number of `SAID` for each resample.
        all_estimates: The estimate of each resample, NaN if there is none.

    Examples:
        >>> import ancestral as an
        >>> rows = an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c, c -> d"), rows=500, seed=1)
        >>> boot = an.bootstrap(rows, algorithm="icd", repeats=20, effects=[("c", "d")], progress=False)
        >>> effect = boot.effect("c", "d")
        >>> effect.repeats == len(effect.estimates) + effect.zero + effect.not_identified + effect.not_computed
        True
        >>> low, high = effect.interval()
        >>> low < effect.median < high
        True
    """

    x: str
    y: str
    said: NDArray[np.uint8]
    all_estimates: NDArray[np.float64]

    @property
    def repeats(self) -> int:
        """The number of resamples."""
        return len(self.said)

    def _count(self, code: int) -> int:
        return int((self.said == code).sum())

    @property
    def not_identified(self) -> int:
        """In how many resamples the effect does not follow from the graph."""
        return self._count(_NOT_IDENTIFIED)

    @property
    def zero(self) -> int:
        """In how many resamples the graph says that there is no effect."""
        return self._count(_NO_EFFECT)

    @property
    def not_computed(self) -> int:
        """In how many resamples it is identified, but a variable is constant, or tells another exactly."""
        return self._count(_NOT_COMPUTED)

    @property
    def estimates(self) -> NDArray[np.float64]:
        """The estimates of the other resamples."""
        return self.all_estimates[self.said == _EFFECT]

    @property
    def median(self) -> float | None:
        """The median of `estimates`; None if there are none."""
        return float(np.median(self.estimates)) if len(self.estimates) else None

    def interval(self, confidence: float = 0.95) -> tuple[float, float] | None:
        """The percentiles between which a share of `estimates` lies.

        Resamples without an estimate do not count: their numbers are `zero`, `not_identified` and `not_computed`.

        Args:
            confidence: The share, between 0 and 1.

        Returns:
            The two ends; None if there are no estimates.

        Raises:
            OptionError: If the share is not between 0 and 1.
        """
        outside = (1 - checked_confidence(confidence)) / 2
        if not len(self.estimates):
            return None
        low, high = np.quantile(self.estimates, [outside, 1 - outside])
        return float(low), float(high)

    def __str__(self) -> str:
        pair = f"{quoted(self.x)} on {quoted(self.y)}"
        lines = [f"Effect of {pair} in {self.repeats:,} resamples, each with its own graph:"]
        if self.median is not None and (between := self.interval()) is not None:
            low, high = (rounded(end, 4) for end in between)
            share = f"in {len(self.estimates):,}, median {rounded(self.median, 4)}"
            lines.append(f"  estimated {share}, {percent(0.95)} of them from {low} to {high}")
        lines.append(f"  none, by the graph, in {self.zero:,}")
        lines.append(f"  not identified in {self.not_identified:,}")
        if self.not_computed:
            lines.append(f"  not computed in {self.not_computed:,}, where a variable is constant or collinear")
        return "\n".join(map(visible, lines))


def checked_effects(effects: object, test: Test, knowledge: Knowledge | None, subsample: float | None) -> Pairs:
    """The pairs whose effects are wanted, each a cause and an outcome. Raises `OptionError` where there can be none."""
    pairs = () if effects is None else asked_pairs(effects, test.names)
    if not pairs:
        return ()
    if subsample is not None:
        raise OptionError(
            "cannot be combined with effects, whose spread would be that of fewer rows",
            option="subsample",
            value=subsample,
            assigned=True,
            way_out="leave one of them out",
        )
    linear_moments(test)  # raises if there are none
    if knowledge is not None and knowledge.no_edge:
        raise OptionError("effects need a separating set of every pair without an edge; search without no_edge")
    return pairs


def resampled_effects(
    pairs: Pairs, source: Resampler, seed: int, graphs: Sequence[tuple[PAG, Sequence[int]]]
) -> tuple[ResampledEffect, ...]:
    """The effects in resamples; `graphs` are the different ones, each with the numbers of its resamples."""
    repeats = sum(len(numbers) for _, numbers in graphs)
    said = np.zeros((len(pairs), repeats), dtype=np.uint8)
    values = np.full((len(pairs), repeats), np.nan)
    for graph, numbers in graphs:
        answers = [identify(graph, x, y) for x, y in pairs]
        for number in numbers:
            test: Test | None = None
            for i, one in enumerate(answers):
                if not one:
                    continue
                if one.how == "no effect":
                    said[i, number], values[i, number] = _NO_EFFECT, 0.0
                    continue
                test = test or source.test(drawn_rows(source, seed, number, None))
                found = None if test is None else _estimate(test, one)
                said[i, number] = _NOT_COMPUTED if found is None else _EFFECT
                values[i, number] = np.nan if found is None else found
    return tuple(ResampledEffect(x, y, said[i], values[i]) for i, (x, y) in enumerate(pairs))


def _estimate(test: Test, said: Identification) -> float | None:
    """The effect in a resample; None if a variable does not vary there, or tells another one exactly."""
    if not set(said.variables) <= set(test.names):
        return None
    try:
        moments = test.effect_moments()
        if said.adjusted_for is None:
            return linear_formula_effect(moments, said).estimate
        (y,), columns = said.y, [*said.x, *said.y, *sorted(said.adjusted_for)]
        return regression_effect(moments.select(columns), said.x, y, said.adjusted_for).estimate
    except AncestralError:
        return None


def effects_part(effects: Sequence[ResampledEffect]) -> dict[str, Any]:
    """The key with the effects in a bootstrap file; empty if there are none."""
    if not effects:
        return {}
    parts = [
        {"x": one.x, "y": one.y, "said": Column.of_texts(one.said, SAID), "estimate": Column.numbers(one.all_estimates)}
        for one in effects
    ]
    return {KEY: parts}


def read_effects(document: JsonValue, repeats: int, names: Sequence[str]) -> tuple[ResampledEffect, ...]:
    """The effects of a bootstrap file, checked."""
    if KEY not in document.value:
        return ()
    place = document.key(KEY)
    if not isinstance(place.value, list) or not 0 < len(place.value) <= MOST_EFFECTS:
        place.fail(f"a list of 1 to {MOST_EFFECTS:,} effects")
    out = []
    for item in place.items():
        item.only("x", "y", "said", "estimate")
        x, y = (item.key(end).text(*names) for end in ("x", "y"))
        said = item.key("said").codes(repeats, SAID)
        values = item.key("estimate").reals(repeats)
        there = (said == _EFFECT) | (said == _NO_EFFECT)
        if (np.isnan(values) == there).any() or (values[said == _NO_EFFECT] != 0).any():
            item.key("estimate").fail("a number where there is an effect, 0 where there is none, and otherwise null")
        out.append(ResampledEffect(x, y, said, values))
    return tuple(out)
