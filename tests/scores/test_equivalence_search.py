"""Greedy equivalence search: with exact covariances it comes to the class of the true DAG (Chickering 2002)."""

import numpy as np

import ancestral as an
from ancestral._pulse_cy import Pulse
from ancestral.classes.equivalence import cpdag_of
from ancestral.scores._local_scores_cy import LocalScores
from ancestral.scores.equivalence_search import greedy_equivalence_search
from ancestral.simulate.gaussian import gaussian_model


def test_an_exact_covariance_gives_the_class_of_the_true_dag() -> None:
    for seed in range(12):
        dag = an.simulate.random_dag(8, 2.5, seed=seed, latent=0)
        covariance = gaussian_model(dag, seed=seed).covariance
        scale = np.sqrt(np.diag(covariance))
        scores = LocalScores(covariance / np.outer(scale, scale), np.arange(len(scale) + 1), 1e6)
        assert an.CPDAG(dag.nodes, greedy_equivalence_search(scores, Pulse())) == cpdag_of(dag)
