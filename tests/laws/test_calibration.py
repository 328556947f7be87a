"""Under the null a test at level alpha says "dependent" in a share alpha of samples; at length: docs/calibration.md."""

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest

from ancestral.independence import choose_test

REPEATS = 600


def gaussian(rng: np.random.Generator, effect: float) -> dict[str, np.ndarray]:
    z = rng.standard_normal((500, 2))
    x = z @ [0.6, 0.6] + rng.standard_normal(500)
    return {"x": x, "y": z @ [-0.5, 0.5] + effect * x + rng.standard_normal(500), "z1": z[:, 0], "z2": z[:, 1]}


def binary(rng: np.random.Generator, effect: float) -> dict[str, np.ndarray]:
    z = rng.integers(0, 2, (500, 2))
    x = (rng.random(500) < 0.3 + 0.4 * z[:, 0]).astype(np.int64)
    y = (rng.random(500) < 0.2 + 0.4 * z[:, 1] + effect * x).astype(np.int64)
    return {"x": x, "y": y, "z1": z[:, 0], "z2": z[:, 1]}


@pytest.mark.parametrize(
    ("test", "draw"),
    [
        ("fisher-z", gaussian),
        ("rank", gaussian),
        ("mixed", gaussian),
        ("labels", binary),
        ("g", binary),
        ("chi2", binary),
        ("mixed", binary),
    ],
)
def test_levels_are_kept_and_dependence_is_seen(
    test: str, draw: Callable[[np.random.Generator, float], dict[str, np.ndarray]]
) -> None:
    names = ("x", "y", "z1", "z2")

    def p_values(effect: float, repeats: int) -> np.ndarray:
        rng = np.random.default_rng([1, int(10 * effect)])
        out = []
        for _ in range(repeats):
            chosen = choose_test(pl.DataFrame(draw(rng, effect)), test=test)
            out.append(chosen.evidence(chosen.questions(names), 0, 1, [2, 3]).p_value)
        return np.array(out)

    under_the_null = p_values(0.0, REPEATS)
    for alpha in (0.01, 0.05):
        assert abs(np.mean(under_the_null <= alpha) - alpha) < 3 * np.sqrt(alpha * (1 - alpha) / REPEATS)
    assert np.mean(p_values(0.3, 50) <= 0.01) > 0.9
