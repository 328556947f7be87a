"""Searches of very many variables, with their bounds lowered: the same answers as of few."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ancestral as an
import ancestral.graphs._pair_numbers_cy as pair_numbers
from ancestral.data.stats import column_moments
from ancestral.data.stats.column_moments import ColumnMoments
from ancestral.independence.fisher_z import FisherZ
from ancestral.search.stage import AskedStage

pytestmark = pytest.mark.filterwarnings("ignore")  # there are more columns than rows

OPTIONS: list[dict[str, object]] = [
    {"algorithm": "icd"},
    {"algorithm": "icd", "alpha": 0.2, "max_radius": 3},
    {"algorithm": "icd", "verify": False, "stable": False},
    {"algorithm": "fci", "max_radius": 2, "alpha": 0.001},
    {"algorithm": "rfci", "workers": 2},
    {"algorithm": "fci+", "colliders": "first"},
    {"algorithm": "pc"},
    {"algorithm": "icd", "fdr": 0.2},
    {"algorithm": "icd", "knowledge": "x1 --> x2\nx3 | x4\ncontexts: x5"},
]


def rows_of(n: int, rows: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(rows, n))
    for v in range(1, n):
        for cause in rng.integers(0, v, size=2):
            values[:, v] += rng.uniform(-1, 1) * values[:, cause]
    return values


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_same_search(options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    table = an.Table.of(rows_of(60, 15, seed=3), names=[f"x{i}" for i in range(60)], kinds="continuous")
    if "knowledge" in options:
        options = {**options, "knowledge": an.Knowledge.parse(str(options["knowledge"]))}
    plain = an.discover(table, progress=False, **options)
    monkeypatch.setattr(column_moments, "MANY", 10)
    monkeypatch.setattr(pair_numbers, "MOST_IN_MATRIX", 0)
    many = an.discover(table, progress=False, **options)
    assert isinstance(many.test, FisherZ) and isinstance(many.test.moments, ColumnMoments)
    assert "correlation" not in vars(many.test.moments)
    assert many.pag == plain.pag
    assert (many.tests, many.verify_tests, many.unsupported) == (plain.tests, plain.verify_tests, plain.unsupported)
    assert many.trace.orientations == plain.trace.orientations
    assert isinstance(many.stage, AskedStage) and isinstance(plain.stage, AskedStage)
    ours, theirs = many.stage.separations, plain.stage.separations
    assert np.array_equal(ours.pairs, theirs.pairs) and np.array_equal(ours.given.members, theirs.given.members)
    assert np.allclose(ours.evidence, theirs.evidence, rtol=0, atol=1e-12, equal_nan=True)
    assert str(many.check) == str(plain.check)
    for pair in (("x0", "x1"), ("x5", "x40"), ("x10", "x59")):
        assert str(many.why(*pair)) == str(plain.why(*pair))


def test_a_run_is_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = an.Table.of(rows_of(50, 12, seed=4), names=[f"x{i}" for i in range(50)], kinds="continuous")
    monkeypatch.setattr(column_moments, "MANY", 10)
    monkeypatch.setattr(pair_numbers, "MOST_IN_MATRIX", 0)
    whole, part = tmp_path / "whole.json", tmp_path / "part.json"
    an.discover(table, algorithm="icd", save=whole, progress=False)
    an.discover(table, algorithm="icd", save=part, max_radius=1, progress=False)
    an.discover(table, algorithm="icd", resume=part, progress=False)
    assert part.read_bytes() == whole.read_bytes()
