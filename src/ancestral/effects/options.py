"""The options of an effect: each declared once, with its type, default, check and help."""

# ruff: noqa: RUF009 (`option` makes the field of a dataclass)

from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, TypedDict, get_args

from ancestral.arguments import MOST_SEED, one_of, whole_number
from ancestral.effects.effect import checked_confidence
from ancestral.errors import Option, OptionError
from ancestral.option_groups import Group, option

__all__ = ["EffectKeywords", "EffectOptions", "EstimatorName"]

EstimatorName = Literal["linear", "regression", "robust", "levels"]

#: The largest number of folds.
MOST_FOLDS = 100

_PANEL = "Options"


def _optional(check: Any) -> Any:
    return lambda name, value: None if value is None else check(name, value)


class EffectKeywords(TypedDict, total=False):
    """Names and types of `EffectOptions`."""

    confidence: float
    estimator: EstimatorName | None
    contrast: Literal["difference", "ratio"] | None
    levels: Any
    event: Any
    outcome: Any
    treatment: Any
    folds: int
    seed: int
    data: Any


@dataclass(frozen=True, kw_only=True)
class EffectOptions(Group):
    """How an effect is estimated."""

    confidence: float = option(
        _PANEL,
        0.95,
        lambda _, value: checked_confidence(value),
        "The probability of the interval, which does not include the uncertainty of the graph.",
    )
    estimator: EstimatorName | None = option(
        _PANEL,
        None,
        _optional(partial(one_of, choices=get_args(EstimatorName))),
        '"linear", a regression from moments, also for several x and for formulas; "levels", shares in tables, if all '
        'columns have levels, also for formulas; "regression", regressions with products of x and the adjustment set, '
        'averaged over the rows, logistic for two levels; "robust", cross-fitted with learners, for relations of any '
        "form. The last two are for one x of any kind, and need the rows. By default one of the first three, by the "
        "kinds of the columns.",
    )
    contrast: Literal["difference", "ratio"] | None = option(
        _PANEL,
        None,
        _optional(partial(one_of, choices=("difference", "ratio"))),
        'How levels of x are compared, by "difference", which is the default, or "ratio".',
    )
    levels: Any = option(
        _PANEL,
        None,
        None,
        'Which levels of x are compared: `("high", "low")`, or a list of such pairs, each with its reference last; by '
        "default all with the first of two or of ordered levels, otherwise with the most frequent one.",
    )
    event: Any = option(
        _PANEL, None, None, "The level of y whose probability is meant; by default the second of two levels."
    )
    outcome: Any = option(
        _PANEL,
        None,
        None,
        'A learner of y for "robust", which follows scikit-learn; by default cross-validation chooses one.',
    )
    treatment: Any = option(_PANEL, None, None, "A learner of x, likewise.")
    folds: int = option(
        _PANEL,
        5,
        partial(whole_number, least=2, most=MOST_FOLDS),
        'The number of parts in which "robust" fits learners.',
    )
    seed: int = option(
        _PANEL, 0, partial(whole_number, least=0, most=MOST_SEED), "The same seed gives the same folds and learners."
    )
    data: Any = option(
        _PANEL,
        None,
        None,
        "The data again, where their rows are not at hand, as after `load`; or other rows of the same columns.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.estimator == "linear":
            self._refuse("contrast", "levels", "event", "outcome", "treatment")
        if self.estimator in ("regression", "levels"):
            self._refuse("outcome", "treatment")

    def refuse_levels(self) -> None:
        """Raise `OptionError` for an option of columns with levels where all columns are continuous."""
        for name in ("contrast", "levels", "event"):
            if (value := getattr(self, name)) is not None:
                raise OptionError(
                    "does not apply to a slope, and the columns are continuous",
                    option=name,
                    value=value,
                    assigned=True,
                    way_out="leave it out",
                )

    def _refuse(self, *names: str) -> None:
        for name in names:
            if (value := getattr(self, name)) is not None:
                raise OptionError(
                    ["does not apply to ", Option("estimator", self.estimator)],
                    option=name,
                    value=value,
                    assigned=True,
                    way_out=["pass ", Option("estimator", "robust")],
                )
