import numpy as np
import pytest

from ancestral.graphs.ancestry import ancestor_bits
from ancestral.graphs.bits import has_bit
from tests.support.reference import ancestors, random_dag_marks


@pytest.mark.parametrize("seed", range(10))
def test_ancestor_bits_are_the_ancestors(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.choice([1, 5, 63, 64, 65, 70]))
    marks = random_dag_marks(rng, n, 2 / n)
    bits = ancestor_bits(marks)
    for v in range(0, n, max(1, n // 5)):
        assert {u for u in range(n) if has_bit(bits[v], u)} == ancestors(marks, [v])
