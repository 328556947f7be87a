"""The tests that see curves, "basis" and "kernel": what they see, that they keep their level, and what they refuse."""

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest
from scipy.stats import binom

import ancestral as an
from ancestral.data import Table
from ancestral.data.column import Column
from ancestral.independence import Test, choose_test
from ancestral.independence import features as features_module
from ancestral.independence.features import rank_polynomials, score_functions
from ancestral.independence.registry import TESTS
from benchmarks.calibration_curves import CELLS

BOTH = pytest.mark.parametrize("test", ["basis", "kernel"])


def p_value(test: str, columns: dict[str, np.ndarray]) -> float:
    """Of the first two columns given the others."""
    table = Table(tuple(Column(name, values) for name, values in columns.items()))
    made = TESTS[test].makers.of_table(table, 0.05)
    return asked(made, *table.names)


def asked(made: Test, x: str, y: str, *given: str) -> float:
    questions = made.questions([x, y, *given])
    return made.evidence(questions, 0, 1, range(2, 2 + len(given))).p_value


def called_dependent(test: str, cell: str, rows: int, given: int, effect: float, repeats: int, seed: int) -> int:
    """In how many samples the p-value is at most .05."""
    rng = np.random.default_rng(seed)
    draw = CELLS[cell]
    return sum(p_value(test, draw(rng, rows, given, effect)) <= 0.05 for _ in range(repeats))


# -- what they see ----------------------------------------------------------------------------------------------------

CURVES: dict[str, Callable[[np.ndarray, np.random.Generator], np.ndarray]] = {
    "square": lambda x, rng: x**2 + rng.standard_normal(len(x)),
    "wave": lambda x, rng: 2 * np.sin(2 * x) + rng.standard_normal(len(x)),
    "spread": lambda x, rng: np.exp(x) * rng.standard_normal(len(x)),
    "circle": lambda x, rng: rng.choice([-1, 1], len(x)) * np.sqrt(4 - np.clip(x, -2, 2) ** 2),
}


@BOTH
@pytest.mark.parametrize("curve", CURVES)
def test_a_curve_is_seen_where_correlation_sees_nothing(test: str, curve: str) -> None:
    rng = np.random.default_rng(1)
    x = rng.standard_normal(300)
    y = CURVES[curve](x, rng)
    assert p_value(test, {"x": x, "y": y}) < 1e-6
    if curve in ("square", "circle"):  # of the others a line sees a part
        assert p_value("fisher-z", {"x": x, "y": y}) > 0.01


@BOTH
def test_an_effect_that_the_given_variable_turns_round_is_seen(test: str) -> None:
    """y = z x: over all z, x and y are uncorrelated, and so are their ranks."""
    rng = np.random.default_rng(2)
    x, z, e = rng.standard_normal((3, 200))
    assert p_value(test, {"x": x, "y": 0.6 * x * z + e, "z": z}) < 1e-4
    assert p_value("fisher-z", {"x": x, "y": 0.6 * x * z + e, "z": z}) > 0.01


@BOTH
def test_labels_join(test: str) -> None:
    """A label that depends on the size of x, whatever its sign, and on nothing else given x."""
    rng = np.random.default_rng(3)
    x = rng.standard_normal(400)
    label = np.where(np.abs(x) + 0.3 * rng.standard_normal(400) > 0.7, "far", "near")
    other = np.where(rng.random(400) < np.where(label == "far", 0.8, 0.3), "yes", "no")
    made = choose_test(pl.DataFrame({"x": x, "label": label, "other": other}), test=test)
    assert asked(made, "x", "label") < 1e-6
    assert asked(made, "label", "other", "x") < 1e-6
    assert asked(made, "x", "other") < 1e-4
    assert asked(made, "x", "other", "label") > 0.01


# -- the level --------------------------------------------------------------------------------------------------------

#: Where a simpler test would fail: the curves of three variables must be summed before their ranks are taken; the
#: variance of both depends on z; z takes part in products; z has no mean.
NULLS = [
    ("quadratic", 600, 3),
    ("sinusoidal", 400, 1),
    ("heteroscedastic", 400, 1),
    ("interaction", 400, 3),
    ("cauchy", 200, 1),
]


@BOTH
@pytest.mark.parametrize(("cell", "rows", "given"), NULLS)
def test_the_level_is_kept(test: str, cell: str, rows: int, given: int) -> None:
    repeats = 60
    dependent = called_dependent(test, cell, rows, given, 0.0, repeats, seed=11)
    assert dependent <= binom.ppf(0.999, repeats, 0.05)


@BOTH
def test_p_values_of_independent_columns_are_uniform(test: str) -> None:
    rng = np.random.default_rng(4)
    p = [p_value(test, dict(zip("xy", rng.standard_normal((2, 100)), strict=True))) for _ in range(200)]
    for level in (0.1, 0.5, 0.9):
        low, high = binom.ppf([0.0005, 0.9995], len(p), level)
        assert low <= np.count_nonzero(np.array(p) <= level) <= high


def test_products_of_three_given_variables_are_the_kernels_alone() -> None:
    """x and y are driven by z₀z₁z₂: no sum of functions of one or two variables is like it."""
    rng = np.random.default_rng(6)
    z = rng.standard_normal((3, 2000))
    lean = np.sign(z).prod(axis=0)
    columns = {"x": lean + rng.standard_normal(2000), "y": lean + rng.standard_normal(2000)}
    columns |= {f"z{i}": z[i] for i in range(3)}
    assert p_value("basis", columns) < 1e-6  # named in docs/curves.md
    assert p_value("kernel", columns) > p_value("basis", columns)


# -- what they need, and what they refuse -----------------------------------------------------------------------------


@BOTH
def test_the_answer_depends_on_ranks_alone(test: str) -> None:
    rng = np.random.default_rng(7)
    x, z = rng.standard_normal((2, 150))
    columns = {"x": x, "y": x**2 + z + rng.standard_normal(150), "z": z}
    monotone = {"x": np.exp(3 * x), "y": columns["y"] ** 3, "z": np.arctan(z)}
    assert p_value(test, monotone) == pytest.approx(p_value(test, columns), rel=1e-6)


@BOTH
def test_other_columns_do_not_matter(test: str) -> None:
    rng = np.random.default_rng(8)
    values = rng.standard_normal((5, 150))
    few = choose_test(pl.DataFrame(dict(zip("bcd", values, strict=False))), test=test)
    more = choose_test(pl.DataFrame(dict(zip("bcdae", values, strict=True))), test=test)
    assert asked(more, "b", "c", "d") == asked(few, "b", "c", "d") == asked(few, "c", "b", "d")


@BOTH
def test_too_few_rows_cannot_tell(test: str) -> None:
    rng = np.random.default_rng(9)
    columns = dict(zip(["x", "y", *(f"z{i}" for i in range(8))], rng.standard_normal((10, 60)), strict=True))
    assert np.isnan(p_value(test, columns))
    with pytest.warns(an.RunWarning, match="could answer none of 405 questions"):
        found = an.discover(pl.DataFrame(columns)[:20], test=test, max_radius=1)
    assert found.unsupported[1] > 0


@BOTH
def test_a_number_that_the_given_ones_determine_cannot_be_told(test: str) -> None:
    rng = np.random.default_rng(10)
    z, y = rng.standard_normal((2, 200))
    assert np.isnan(p_value(test, {"x": np.exp(z), "y": y, "z": z}))
    assert p_value(test, {"x": np.exp(z) + 0.2 * rng.standard_normal(200), "y": y, "z": z}) > 0.01


@BOTH
def test_a_number_of_few_values_has_few_functions(test: str) -> None:
    rng = np.random.default_rng(11)
    few = rng.integers(0, 3, 300).astype(float)
    y = (few == 1) + 0.5 * rng.standard_normal(300)
    assert p_value(test, {"few": few, "y": y}) < 1e-6
    assert p_value(test, {"x": rng.standard_normal(300), "y": y, "few": few}) > 0.01


def test_functions_are_orthonormal_polynomials_and_waves() -> None:
    shares = (np.arange(1000) + 0.5) / 1000
    for functions in (rank_polynomials(shares, 4), score_functions(shares)):
        assert functions @ functions.T / 1000 == pytest.approx(np.eye(len(functions)), abs=1e-9)
        assert functions.mean(axis=1) == pytest.approx(0, abs=1e-9)
    legendre = [np.polynomial.Legendre.basis(k)(2 * shares - 1) * np.sqrt(2 * k + 1) for k in range(1, 5)]
    assert rank_polynomials(shares, 4) == pytest.approx(np.array(legendre), abs=0.02)


@BOTH
def test_what_they_cannot_do_is_refused(test: str) -> None:
    rows = an.simulate.nonlinear(an.DAG.parse("a -> b, b -> c"), rows=200, seed=1)
    made = choose_test(rows, test=test)
    with pytest.raises(an.OptionError, match=f"no effect can be computed: the test '{test}' is for relations"):
        made.effect_moments()
    with pytest.raises(an.OptionError, match=f"no graph can be scored: the test '{test}' has no Gaussian likelihood"):
        an.discover(rows, test=test, algorithm="scored")
    with pytest.raises(an.OptionError, match=f'test="{test}" needs all rows at once'):
        an.discover([rows[:100], rows[100:]], test=test)


def test_functions_that_need_too_much_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(features_module, "MOST_BYTES", 10_000)
    rows = an.simulate.linear_gaussian(an.DAG.parse("a -> b"), rows=200, seed=1)
    with pytest.raises(an.AncestralError, match=r"must take at most .* of 2 columns and 200 rows take .*; leave"):
        choose_test(rows, test="basis")


# -- searches ---------------------------------------------------------------------------------------------------------


@BOTH
def test_a_search_finds_a_nonlinear_graph(test: str) -> None:
    dag = an.DAG.parse("a -> b, b -> c, d -> c, c -> e")
    rows = an.simulate.nonlinear(dag, rows=500, seed=3)
    found = an.discover(rows, test=test)
    assert found.settings.algorithm == "icd"
    assert found.pag == an.pag_of(dag)
    assert an.discover(rows.select(sorted(rows.columns, reverse=True)), test=test, workers=2).pag == found.pag


@BOTH
def test_they_are_never_chosen_by_themselves(test: str) -> None:
    names = list(TESTS)
    assert names.index(test) > names.index("mixed")
