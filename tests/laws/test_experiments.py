"""Experiments: every mark of every stage is true, and the end is what all graphs share that satisfy the assumptions."""

import numpy as np
import pytest

from ancestral import Knowledge, Oracle, discover, mag_of, simulate
from tests.checks.experiments import check_stages, known_targets, random_studies
from tests.support.experiment_laws import class_of_contexts, studied


@pytest.mark.parametrize(("selection", "most"), [(False, 4), (False, 7), (True, 4), (True, 7)])
def test_every_stage_is_true_whatever_is_assumed(selection: bool, most: int) -> None:
    counts = random_studies(30, 5, selection, most)
    assert counts["searches"] > 100
    assert counts["gap"] == 0


@pytest.mark.parametrize("selection", [False, True])
def test_the_end_is_the_class(selection: bool) -> None:
    rng = np.random.default_rng(3)
    makers = (
        [simulate.trouble.selected_pairs, simulate.trouble.mixed_trouble]
        if selection
        else [simulate.trouble.confounded_pairs]
    )
    new = compared = 0
    for seed in range(24):
        study = studied(makers[seed % len(makers)](seed=300 + seed, most=4), rng, 2)
        few = len(mag_of(study.dag).edges()) <= (10 if selection else 15)  # all MAGs are tried
        if len(study.names) > 6 or bool(study.dag.selection) != selection or not few:
            continue
        expected = class_of_contexts(study, Knowledge(), selection)
        found = check_stages(study, Knowledge(contexts=study.contexts), {"selection_bias": selection}).oriented.marks
        pooled = discover(Oracle(study.dag), selection_bias=selection).stage.oriented.marks
        assert ((found == 0) == (expected == 0)).all()
        system = [i for i, name in enumerate(study.names) if name not in study.contexts]
        beside = np.ones_like(found, dtype=bool)
        beside[np.ix_(*(2 * [[i for i in range(len(found)) if i not in system]]))] = False
        assert (found[beside] == expected[beside]).all(), study
        new += int(((found > 1) & (pooled == 1) & beside).sum())
        compared += 1
    assert compared >= 6
    assert new >= compared


@pytest.mark.parametrize(("system", "contexts"), [(2, 1), (2, 2), (3, 1)])
def test_known_targets_against_all_causal_graphs(system: int, contexts: int) -> None:
    counts = known_targets(system, contexts, 120, 2)
    for known in range(contexts + 1):
        assert counts[f"gap, {known} known"] == 0
    if system == 3:
        assert counts[f"marks, {contexts} known"] > 100
