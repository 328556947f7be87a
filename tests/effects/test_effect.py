"""`Effect`: what it prints, and what its docstring promises."""

from typing import Any

import pytest

import ancestral as an
from ancestral.effects.effect import no_effect


def effect(**more: Any) -> an.Effect:
    chosen: dict[str, Any] = {
        "x": ("x",), "y": "y", "how": "adjustment", "estimates": (0.5,), "errors": (0.1,), "lows": (0.3,),
        "highs": (0.7,), "confidence": 0.95, "rows": 1000, "given": frozenset({"z10", "z2"}), "estimator": "linear",
    }  # fmt: skip
    return an.Effect(**(chosen | more))


@pytest.mark.parametrize(
    ("confidence", "words"), [(0.95, "95%"), (0.999, "99.9%"), (0.57, "57%"), (1 - 1e-6, "99.9999%"), (0.005, "0.5%")]
)
def test_the_level_of_an_interval_is_not_rounded(confidence: float, words: str) -> None:
    assert f"  {words} interval 0.3 to 0.7" in str(effect(confidence=confidence))


def test_no_effect_is_zero_and_its_doubt_is_printed() -> None:
    none = no_effect(["x"], "y", confidence=0.9, rows=50, doubt="the search was stopped early")
    assert (none.how, none.estimate, none.error, none.interval) == ("no effect", 0.0, 0.0, (0.0, 0.0))
    assert (none.given, none.formula, none.estimator) == (None, None, None)
    assert str(none) == "Effect of x on y: none, by the graph.\n  Beware: the search was stopped early."
    ratio = no_effect(["x"], "y", confidence=0.9, rows=50, contrast="ratio")
    assert (ratio.estimate, ratio.interval) == (1.0, (1.0, 1.0))


def test_what_was_assumed_and_what_to_know_is_printed() -> None:
    told = effect(assumed=("x acts in a straight line",), notes=("3 rows were left out",), doubt="all is vague")
    assert str(told).splitlines() == [
        "Effect on y, adjusted for z2, z10, from 1,000 rows:",
        "  x  0.5  standard error 0.1  95% interval 0.3 to 0.7",
        "  3 rows were left out.",
        "  The interval takes the graph for granted, which was learned from the same data.",
        "  Assumed: x acts in a straight line.",
        "  Beware: all is vague.",
    ]
    assert "which was learned from other data." in str(effect(same_rows=False))


def test_large_numbers_are_printed_in_full() -> None:
    told = effect(estimates=(-123456.7,), errors=(1234.5,), lows=(-125876.2,), highs=(2.5e17,))
    line = "  x  -123457  standard error 1234  95% interval -125876 to 2.5e+17"  # of 2.5e17, few digits are known
    assert str(told).splitlines()[1] == line


def test_a_formula_is_printed() -> None:
    told = effect(how="formula", given=None, formula="P(y | do(x)) = sum_z P(z) P(y | x, z)", estimator="gaussian")
    assert str(told).splitlines()[:2] == [
        'Effect on y, by formula, from 1,000 rows, estimator "gaussian":',
        "  P(y | do(x)) = sum_z P(z) P(y | x, z)",
    ]


def test_levels_are_named_and_several_are_no_single_number() -> None:
    many = effect(
        estimates=(1.5, 2.25), errors=(0.1, 0.2), lows=(1.3, 1.8), highs=(1.7, 2.6), estimator="robust",
        contrast="ratio", levels=(("b", "a"), ("high dose", "a")),
    )  # fmt: skip
    assert str(many).splitlines()[:3] == [
        'Effect on y, adjusted for z2, z10, from 1,000 rows, estimator "robust":',
        "  x: b against a, ratio          1.5  standard error 0.1  95% interval 1.3 to 1.7",
        "  x: high dose against a, ratio  2.25  standard error 0.2  95% interval 1.8 to 2.6",
    ]
    with pytest.raises(an.OptionError, match="needs two levels, and this compares 3 levels of 'x'; see estimates"):
        _ = many.estimate
