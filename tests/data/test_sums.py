"""What adds up, against exact rational arithmetic: any cut, any order, scales and means far apart."""

import itertools
from fractions import Fraction
from math import isclose, sqrt

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ancestral.data import Counts, DataError, Moments
from ancestral.data.stats.deviations import Deviations
from ancestral.data.stats.packing import Packing
from ancestral.data.stats.sums import sums_of
from ancestral.data.tree_sum import tree_sum
from ancestral.errors import OptionError

EPSILON = float(np.finfo(float).eps)
SCALES = [1e-8, 1.0, 1e12]
SHIFTS = [0.0, 1e3, -1e9]


def numbers(rows: int, seed: int, scales: list[float], shifts: list[float]) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    columns = len(scales)
    return rng.normal(size=(rows, columns)) @ rng.normal(size=(columns, columns)) * scales + shifts


def exact(data: NDArray[np.float64]) -> tuple[list[Fraction], list[list[Fraction]]]:
    """Means and co-moments of the very numbers, without any rounding."""
    columns = [[Fraction(value) for value in column] for column in data.T.tolist()]
    means = [sum(column, Fraction(0)) / len(column) for column in columns]
    centred = [[value - mean for value in column] for column, mean in zip(columns, means, strict=True)]
    return means, [[sum((a * b for a, b in zip(x, y, strict=True)), Fraction(0)) for y in centred] for x in centred]


def condition(mean: float, square: float, rows: int) -> float:
    """How much rounding a mean may do to a sum of squares (Chan, Golub, LeVeque): by this factor, not its square."""
    return sqrt(1 + mean * mean * rows / square) if square > 0 else np.inf


cuts = st.lists(st.integers(1, 39), max_size=6)
columns_of = st.lists(st.tuples(st.sampled_from(SCALES), st.sampled_from(SHIFTS)), min_size=2, max_size=3)


@settings(deadline=None)
@given(cuts, columns_of, st.integers(0, 10_000), st.randoms(use_true_random=False))
def test_moments_of_parts_are_those_of_the_whole(cut: list[int], shape: list[tuple[float, float]], seed: int, random: object) -> None:  # fmt: skip # noqa: E501
    scales, shifts = [scale for scale, _ in shape], [shift for _, shift in shape]
    data = numbers(40, seed, scales, shifts)
    edges = sorted({0, 40, *cut})
    parts = [data[a:b] for a, b in itertools.pairwise(edges)]
    random.shuffle(parts)  # type: ignore[attr-defined]
    found = tree_sum(Moments.of(part) for part in parts)
    means, products = exact(data)
    assert found.rows == 40 and found.mean is not None
    factor = [condition(float(m), float(products[i][i]), 40) for i, m in enumerate(means)]
    for i, mean in enumerate(means):
        size = abs(data[:, i]).max()
        assert isclose(found.mean[i], float(mean), rel_tol=0, abs_tol=8 * EPSILON * size)
        for j in range(len(means)):
            allowed = 100 * EPSILON * (factor[i] + factor[j]) * sqrt(float(products[i][i] * products[j][j]))
            assert isclose(found.comoments[i, j], float(products[i][j]), rel_tol=0, abs_tol=allowed)


@settings(deadline=None)
@given(cuts, st.sampled_from(SCALES), st.sampled_from([0.0, 1e3]), st.integers(0, 10_000))
def test_deviations_add_up(cut: list[int], scale: float, shift: float, seed: int) -> None:
    data = np.random.default_rng(seed).exponential(size=40) * scale + shift * scale
    edges = sorted({0, 40, *cut})
    found = tree_sum(Deviations.of(data[a:b]) for a, b in itertools.pairwise(edges))
    values = [Fraction(value) for value in data.tolist()]
    mean = sum(values, Fraction(0)) / 40
    powers = [sum(((value - mean) ** k for value in values), Fraction(0)) for k in (2, 3, 4)]
    factor = condition(float(mean), float(powers[0]), 40)
    near = 1e-13 * factor
    assert isclose(found.mean, float(mean), rel_tol=1e-15)
    assert isclose(found.square, float(powers[0]), rel_tol=near)
    spread = sqrt(float(powers[0]) / 40)
    assert isclose(found.skewness, float(powers[1]) / 40 / spread**3, rel_tol=near, abs_tol=near)
    assert isclose(found.kurtosis, float(powers[2]) / 40 / spread**4 - 3, rel_tol=near, abs_tol=10 * near)


@settings(deadline=None, max_examples=30)
@given(columns_of, st.integers(0, 10_000), st.sampled_from([1, 3, 700, 5000]))
def test_sums_of_a_batch(shape: list[tuple[float, float]], seed: int, rows: int) -> None:
    data = numbers(rows, seed, [scale for scale, _ in shape], [shift for _, shift in shape])
    about, comoments = sums_of([np.ascontiguousarray(column) for column in data.T])
    means, products = exact(data)
    for i, found in enumerate(about):
        factor = condition(float(means[i]), float(products[i][i]), rows)
        size = abs(data[:, i]).max()
        assert isclose(found.mean, float(means[i]), rel_tol=0, abs_tol=8 * EPSILON * size)
        if factor < 1e12:
            plain = Deviations.of(np.ascontiguousarray(data[:, i]))
            assert isclose(found.square, float(products[i][i]), rel_tol=1e-14 * max(100.0, factor))
            assert found.scale == plain.scale
            assert isclose(found.skewness, plain.skewness, abs_tol=1e-8)
            assert isclose(found.kurtosis, plain.kurtosis, abs_tol=1e-8)
        for j in range(len(about)):
            other = condition(float(means[j]), float(products[j][j]), rows)
            allowed = 1000 * EPSILON * (factor + other) * sqrt(float(products[i][i] * products[j][j]))
            if np.isfinite(allowed):
                assert isclose(comoments[i, j], float(products[i][j]), rel_tol=0, abs_tol=allowed)


def test_weighted_deviations_are_those_of_repeated_values() -> None:
    values, counts = np.array([1.0, 4.0, -2.0]), np.array([3, 1, 7])
    one, two = Deviations.of_counts(values, counts), Deviations.of(np.repeat(values, counts))
    for name in ("count", "mean", "square", "scale", "skewness", "kurtosis"):
        assert isclose(getattr(one, name), getattr(two, name), rel_tol=1e-12)


# -- counts ------------------------------------------------------------------------------------------------------------


def labels(rows: int, seed: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    few = rng.integers(0, 3, rows)
    return pl.DataFrame({"a": [f"a{i}" for i in few], "b": rng.integers(0, 2, rows), "c": rng.integers(0, 12, rows)})


def by_hand(frame: pl.DataFrame) -> dict[tuple[str, ...], int]:
    out: dict[tuple[str, ...], int] = {}
    for row in frame.rows():
        key = tuple(map(str, row))
        out[key] = out.get(key, 0) + 1
    return out


def unpacked(counts: Counts) -> dict[tuple[str, ...], int]:
    out: dict[tuple[str, ...], int] = {}
    for words, weights in counts.portions():
        codes = [counts.packing.unpacked(words, v) for v in range(len(counts.names))]
        for i, weight in enumerate(weights.tolist()):
            key = tuple(counts.levels[v][codes[v][i]] for v in range(len(codes)))
            out[key] = out.get(key, 0) + weight
    return out


@settings(deadline=None, max_examples=40)
@given(cuts, st.integers(0, 10_000), st.booleans())
def test_counts_of_parts_are_those_of_the_whole(cut: list[int], seed: int, backwards: bool) -> None:
    frame = labels(40, seed)
    edges = sorted({0, 40, *cut})
    parts = [frame[a:b] for a, b in itertools.pairwise(edges)]
    parts = [part.select("c", "a", "b") if i % 2 else part for i, part in enumerate(parts[:: -1 if backwards else 1])]
    found = tree_sum(Counts.of(part) for part in parts).arranged(["a", "b", "c"])
    whole = Counts.of(frame)
    assert unpacked(found) == by_hand(frame)
    assert found.levels == whole.levels and found.rows == 40
    assert found.fingerprint == whole.fingerprint == Counts.of(frame.reverse().select("b", "c", "a")).fingerprint
    assert unpacked(found.select(["c", "a"])) == by_hand(frame.select("c", "a"))


def test_counts_on_a_file_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = labels(4000, 1)
    whole = Counts.of(frame)
    monkeypatch.setattr("ancestral.data.stats.segments.MOST_BYTES", 200)
    monkeypatch.setattr("ancestral.data.stats.counts.PORTION_SIZE", 7)
    first, second = Counts.of(frame[:1000].filter(pl.col("c") < 9)), Counts.of(frame[1000:])
    late = Counts.of(frame[:1000].filter(pl.col("c") >= 9))
    found = first + second + late
    assert any(isinstance(words, np.memmap) for words, _ in found.segments)
    assert unpacked(found) == by_hand(frame) == unpacked(Counts(found.names, found.levels, (found.joined(),)))
    assert found.fingerprint == whole.fingerprint
    assert unpacked(found.select(["b", "a"])) == by_hand(frame.select("b", "a"))
    np.testing.assert_array_equal(found.table(["a", "c"]), whole.table(["a", "c"]))


def test_many_columns_take_several_words() -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({f"x{i}": rng.integers(0, 10, 50) for i in range(40)})
    counts = Counts.of(frame)
    assert counts.packing.width == 3  # sixteen columns of four bits a word
    assert unpacked(counts) == by_hand(frame)


def test_no_code_runs_over_the_end_of_a_word() -> None:
    codes = [np.array([7, v % 8]) for v in range(22)]
    packing = Packing((8,) * 22)
    assert packing.places[20:] == ((0, 60), (1, 0))  # the 22nd would need bits 63 … 65
    words = packing.packed(codes)
    assert all(packing.unpacked(words, v).tolist() == codes[v].tolist() for v in range(22))


def test_counts_of_other_columns_do_not_add() -> None:
    one, two = Counts.of(pl.DataFrame({"a": [0, 1]})), Counts.of(pl.DataFrame({"b": [0, 1]}))
    with pytest.raises(DataError, match="the columns differ \\(only one side has 'b', only one side has 'a'\\)"):
        one + two
    with pytest.raises(TypeError):
        one + 1
    with pytest.raises(OptionError, match="does not apply to counts, which are of complete rows"):
        Counts.of(pl.DataFrame({"a": [0, None]}), missing="testwise")


def test_far_from_zero_what_rounding_leaves_of_the_mean_is_taken_out() -> None:
    rng = np.random.default_rng(1)
    steps = rng.integers(0, 9, size=(2, 1000)).astype(np.float64)
    columns = [1e15 + steps[0], rng.standard_normal(1000), 1e15 + 2 * steps[1]]
    exact = [[Fraction(float(value)) for value in column] for column in columns]
    means = [sum(column, Fraction()) / len(column) for column in exact]
    wanted = [
        [
            float(sum((x - m) * (y - n) for x, y in zip(one, two, strict=True)))
            for two, n in zip(exact, means, strict=True)
        ]
        for one, m in zip(exact, means, strict=True)
    ]
    about, comoments = sums_of(columns)
    np.testing.assert_allclose(comoments, wanted, rtol=1e-12, atol=1e-9)
    np.testing.assert_allclose([one.square for one in about], np.diag(wanted), rtol=1e-12)
