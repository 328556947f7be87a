"""Questions with the oracle in the setting of the paper: n nodes, rho = 2, 25 DAGs."""

import numpy as np
import pytest

from ancestral import Oracle, discover, simulate


@pytest.mark.parametrize(
    ("nodes", "mode", "figure"),
    [
        (15, "all", 650),  # what a literal implementation asked, on draws of its own
        (20, "all", 1110),
        (15, "off", 2960),
    ],
)
def test_the_printed_algorithm_asks_about_as_many_as_a_literal_one(nodes: int, mode: str, figure: float) -> None:
    asked = [
        discover(
            Oracle(simulate.random_dag(nodes=nodes, degree=2, seed=seed)),
            possible_ancestors=mode,  # type: ignore[arg-type]
            verify=False,
            stable=False,
        ).tests.total()
        for seed in range(100)
    ]
    # both are means over draws with a long tail: 25 there, 100 here
    error = np.std(asked) * np.sqrt(1 / 25 + 1 / 100)
    assert abs(np.mean(asked) - figure) < 2 * error


def test_verification_adds_well_under_two_percent() -> None:
    runs = [discover(Oracle(simulate.random_dag(nodes=20, degree=2, seed=seed))) for seed in range(25)]
    assert sum(run.verify_tests.total() for run in runs) < 0.005 * sum(run.tests.total() for run in runs)
