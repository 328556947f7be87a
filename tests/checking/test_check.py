"""What a check says, and for which runs there is one."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral.checking import Check, DeniedPair, FitCheck
from ancestral.scores.fit import Residual

NOTHING = Check(
    contradictions=(),
    alpha=0.01,
    dependences=97,
    independences=56,
    implied=50,
    denied=0,
    beyond_chance=0,
    claimed=0,
    denied_pairs=(),
)
WORST = DeniedPair("failures", "G3", 2e-12)
DENIES = replace(NOTHING, denied=2, beyond_chance=1, denied_pairs=(WORST, DeniedPair("a", "b", 0.003)))
FITS = FitCheck(70.2, 33, 0.03, Residual("s3", "s4", 0.741, 0.7))


# -- words ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("check", "lines"),
    [
        (
            NOTHING,
            [
                "The graph denies none of the 97 dependences in the data.",
                "Nothing was found against it, which does not make it true.",
            ],
        ),
        (
            DENIES,
            [
                "Of 97 dependences in the data the graph denies 2 (1 of them beyond chance; worst: failures, G3, "
                "p = 2e-12). Do not read absences as independence."
            ],
        ),
        (
            replace(NOTHING, denied=1, denied_pairs=(DeniedPair("a", "b c", 0.004),)),
            [
                'Of 97 dependences in the data the graph denies 1 (none of them beyond chance; worst: a, "b c", '
                "p = 0.004).",
                "Nothing was found against it, which does not make it true.",
            ],
        ),
        (
            replace(DENIES, beyond_chance=None, denied_pairs=(DeniedPair("a", "b", float("nan")),)),
            [
                "Of 97 dependences in the data the graph denies 2 (the test tells no p-values).",
                "Nothing was found against it, which does not make it true.",
            ],
        ),
        (
            replace(NOTHING, contradictions=("a --> b --> a: a would cause itself",)),
            [
                "The graph contradicts itself:",
                "  a --> b --> a: a would cause itself",
                "The graph denies none of the 97 dependences in the data.",
            ],
        ),
        (
            replace(NOTHING, fit=FITS),
            [
                "The graph denies none of the 97 dependences in the data.",
                "Fit: deviance 70 on 33 degrees of freedom (2.1 for 1); worst pair s3–s4, seen 0.74, implied 0.70.",
                "Nothing was found against it, which does not make it true.",
            ],
        ),
        (
            replace(NOTHING, dependences=0, claimed=14, fit=FITS._replace(p_value=0.009)),
            [
                "There are no dependences in the data that the graph could deny.",
                "Fit: deviance 70 on 33 degrees of freedom (2.1 for 1); worst pair s3–s4, seen 0.74, implied 0.70.",
                "It claims dependence for 14 of 56 pairs that are independent in the data (25%).",
                "A linear normal model with this graph does not fit; directions rest on it.",
            ],
        ),
        (
            replace(NOTHING, dependences=1, no_fit="it has undirected edges"),
            [
                "The graph does not deny the 1 dependence in the data.",
                "No fit: it has undirected edges.",
                "Nothing was found against it, which does not make it true.",
            ],
        ),
    ],
)
def test_the_words(check: Check, lines: list[str]) -> None:
    assert str(check).splitlines() == lines
    assert "passed" not in str(check)


def test_p_values_that_are_too_small_for_doubles_are_not_called_zero() -> None:
    tiny = replace(DENIES, denied_pairs=(DeniedPair("a", "b", 0.0),))
    assert "worst: a, b, p < 1e-300" in str(tiny)


def test_what_makes_a_graph_doubtful() -> None:
    assert not NOTHING.is_doubtful and DENIES.is_doubtful
    assert replace(NOTHING, contradictions=("…",)).is_doubtful
    assert not replace(NOTHING, denied=3).is_doubtful
    assert not replace(NOTHING, fit=FITS._replace(p_value=0.001)).is_doubtful  # a fact about linear models


def test_the_frame_has_a_row_for_each_denied_pair() -> None:
    frame = DENIES.to_frame()
    assert frame.equals(
        pl.DataFrame(
            {"a": ["failures", "a"], "b": ["G3", "b"], "p_value": [2e-12, 0.003], "beyond_chance": [True, False]}
        )
    )
    assert list(DENIES.to_frame(library="pandas").columns) == frame.columns
    assert NOTHING.to_frame().schema == frame.schema
    unknown = replace(DENIES, beyond_chance=None, denied_pairs=(DeniedPair("a", "b", float("nan")),))
    assert unknown.to_frame().rows() == [("a", "b", None, None)]


# -- runs -----------------------------------------------------------------------------------------------------------

ROWS = an.simulate.linear_gaussian(an.simulate.random_dag(9, 2.5, seed=2), rows=300, seed=2)


def test_the_summary_has_the_check() -> None:
    found = an.discover(ROWS, algorithm="icd")
    assert found.check is not None
    assert "\n".join(["", *found.check.headlines(), ""]) in str(found)


def test_an_oracle_has_nothing_to_be_held_against() -> None:
    found = an.discover(an.Oracle(an.DAG.parse("a -> b, b -> c")))
    assert found.check is None
    assert "denies" not in str(found)


def test_a_search_that_has_not_begun_has_no_check() -> None:
    assert an.discover(ROWS, time_limit=1e-9, algorithm="icd").check is None


@pytest.mark.parametrize("algorithm", ["icd", "fci", "rfci", "fci+", "pc", "scored", "gfci", "boss-fci", "boss"])
def test_every_algorithm_has_a_check(algorithm: str) -> None:
    check = an.discover(ROWS, algorithm=algorithm).check
    assert check is not None
    assert check.dependences + check.independences == ROWS.width * (ROWS.width - 1) // 2


def test_the_order_of_columns_makes_no_difference() -> None:
    for algorithm in ("icd", "scored"):
        one = an.discover(ROWS, algorithm=algorithm).check
        other = an.discover(ROWS.select(ROWS.columns[::-1]), algorithm=algorithm).check
        assert str(one) == str(other)


class Own:
    """A test of one's own, which counts how often it is asked about pairs given nothing."""

    def __init__(self, decides: bool) -> None:
        self.names = tuple(ROWS.columns)
        self.asked = 0
        self._inner = an.discover(ROWS, algorithm="icd")
        if decides:
            self.independent = lambda x, y, given: self._p(x, y, given) > 0.01
        else:
            self.p_value = self._p

    def _p(self, x: str, y: str, given: tuple[str, ...]) -> float:
        self.asked += not given
        return self._inner.evidence(x, y, given).p_value


@pytest.mark.parametrize("decides", [False, True])
def test_a_function_is_not_asked_again(decides: bool) -> None:
    own = Own(decides)
    found = an.discover(own, algorithm="icd", colliders="first")
    pairs = ROWS.width * (ROWS.width - 1) // 2
    assert own.asked == pairs
    check, expected = found.check, an.discover(ROWS, algorithm="icd", colliders="first").check
    assert check is not None and expected is not None and own.asked == pairs
    assert check.dependences == expected.dependences
    if decides:  # the graph is another one, since a decision does not say which sets to try first
        assert check.beyond_chance is None and check.denied == len(check.denied_pairs) > 0
    else:
        assert found.pag == an.discover(ROWS, algorithm="icd", colliders="first").pag
        assert (check.denied, check.beyond_chance, check.claimed) == (
            expected.denied, expected.beyond_chance, expected.claimed,
        )  # fmt: skip
        assert [pair[:2] for pair in check.denied_pairs] == [pair[:2] for pair in expected.denied_pairs]
    assert check.fit is None


def test_labels_are_held_against_their_own_test() -> None:
    from scipy.stats import chi2_contingency

    labels = an.simulate.discrete(an.simulate.random_dag(6, 2.5, seed=3), rows=400, seed=3)
    check = an.discover(labels, alpha=0.05).check
    p_values = []
    for i, a in enumerate(labels.columns):
        for b in labels.columns[:i]:
            table = labels.group_by(a, b).len().pivot(b, index=a, values="len").fill_null(0).drop(a).to_numpy()
            p_values.append(chi2_contingency(table, correction=False, lambda_="log-likelihood").pvalue)
    assert check is not None
    assert check.dependences == sum(p < 0.05 for p in p_values)


def test_pairs_that_the_data_cannot_tell_about_are_in_neither_count() -> None:
    def p_value(x: str, y: str, given: tuple[str, ...]) -> float:
        return float("nan") if {x, y} == {"a", "b"} else 0.5

    check = an.discover(p_value, names=["a", "b", "c"]).check
    assert check is not None
    assert (check.dependences, check.independences) == (0, 2)


NEAR: dict[str, Callable[[np.random.Generator], Any]] = {
    "near copies": lambda rng: np.hstack([x := rng.normal(size=(200, 3)), x + 1e-3 * rng.normal(size=(200, 3))]),
    "noise": lambda rng: rng.normal(size=(30, 6)),
    "outliers": lambda rng: rng.standard_cauchy(size=(100, 5)),
    "few rows": lambda rng: rng.normal(size=(12, 8)),
}


@pytest.mark.filterwarnings("ignore::ancestral.DataWarning")
@pytest.mark.parametrize("kind", NEAR)
@pytest.mark.parametrize("algorithm", ["icd", "scored"])
def test_difficult_data_have_a_check(kind: str, algorithm: str) -> None:
    found = an.discover(NEAR[kind](np.random.default_rng(1)), algorithm=algorithm)
    check = found.check
    assert check is not None
    assert check.fit is None or np.isfinite(check.fit.deviance)
    assert str(check) and found.to_json()
