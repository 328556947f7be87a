import numpy as np

from ancestral.graphs.bits import bits_of
from ancestral.independence._oracle_cy import Separations
from tests.support.reference import random_dag_marks, separated_by_paths, subsets


def test_the_oracle_is_separation_with_selection_given() -> None:
    for seed in range(8):
        marks = random_dag_marks(np.random.default_rng(seed), 6, 0.4)
        position, selected = [4, 0, 3, 5], 1  # the variables, in another order than in the graph; 2 is latent
        questions = Separations(marks, position, bits_of([selected], 1), -1)
        limited = Separations(marks, position, bits_of([selected], 1), 1)
        for x in range(4):
            for y in range(x):
                for given in subsets(set(range(4)) - {x, y}):
                    places = [position[z] for z in given]
                    expected = separated_by_paths(marks, position[x], position[y], [*places, selected])
                    assert questions.ask(x, y, given) is expected
                    assert limited.ask(x, y, given) is (expected and len(given) <= 1)
