"""Experiments held against brute force: `python -m tests.checks.experiments [--studies 200] [--seed 1]`.

Random studies with latent variables, and with selection on variables of the system: two to four contexts with random
targets, which may be unmeasured, an oracle. Every mark of every stage must be true by ancestry, whatever is assumed of
the contexts. In the end, every mark must be one on which all graphs of the class agree that satisfy the assumptions;
marks on which they agree and which the search leaves open are counted as the gap. Where targets are known, the class is
found among all causal graphs of a few variables.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from ancestral import DAG, Knowledge, Oracle, discover, simulate, stages
from ancestral.search.stage import Stage
from tests.support.classes import agreed_marks
from tests.support.experiment_laws import DESIGNS, Study, causal_graphs, class_of_contexts, studied
from tests.support.stage_laws import SOUND, false_marks, missing_edges

#: What may be assumed of contexts, from everything to nothing.
ASSUMED: list[list[str]] = [["exogenous", "unconfounded", "designed"], ["exogenous", "unconfounded"], ["exogenous"], []]

WAYS: list[dict[str, Any]] = [*SOUND, {"algorithm": "fci"}, {"algorithm": "fci+"}, {"algorithm": "rfci"}]


def systems(seed: int, most: int, selection: bool) -> Iterator[DAG]:
    """Random DAGs with confounded pairs, and with selected ones, of at most this many observed variables."""
    makers = [simulate.trouble.confounded_pairs]
    if selection:
        makers = [simulate.trouble.selected_pairs, simulate.trouble.mixed_trouble]
    k = 0
    while True:
        k += 1
        dag = makers[k % len(makers)](seed=seed * 1_000_003 + k, most=most)
        if 2 <= len(dag.observed) <= most and bool(dag.selection) == selection:
            yield dag


def check_stages(study: Study, knowledge: Knowledge, way: dict[str, Any]) -> Stage:
    """Every stage is true; returns the last one."""
    last = None
    for last in stages(Oracle(study.dag), knowledge=knowledge, **way):
        assert not false_marks(study.dag, last), (way, last.radius, study, knowledge)
        assert not missing_edges(study.dag, last), (way, last.radius, study, knowledge)
    assert last is not None
    assert last.complete
    return last


def random_studies(count: int, seed: int, selection: bool, most: int) -> Counter[str]:
    """Soundness under each assumption and design, and the gap where all contexts depend on each other."""
    rng = np.random.default_rng(seed)
    counts: Counter[str] = Counter()
    for k, dag in zip(range(count), systems(seed, most, selection), strict=False):
        design = DESIGNS[k % 2 if k % 6 else 2]
        study = studied(dag, rng, int(rng.integers(2, 5)), design)
        for assumed in ASSUMED:
            if design == "chain" and "designed" in assumed:
                continue  # contexts cause each other
            knowledge = Knowledge(contexts=study.contexts, context_assumptions=assumed)
            way = {**WAYS[k % len(WAYS)], "selection_bias": selection}
            last = check_stages(study, knowledge, way)
            counts["searches"] += 1
            if design != "common" or assumed != ASSUMED[0] or way.get("algorithm") == "rfci" or len(study.names) > 6:
                continue
            expected = class_of_contexts(study, Knowledge(), selection)
            found = last.oriented.marks
            assert ((found == 0) == (expected == 0)).all(), study
            both = (found > 1) & (expected > 1)
            assert (found[both] == expected[both]).all(), study
            if not selection:
                assert not ((found > 1) & (expected == 1)).any(), study
            pooled = discover(Oracle(study.dag), **way).stage.oriented.marks
            counts["classes"] += 1
            counts["marks"] += int((expected > 1).sum())
            counts["pooled"] += int(((pooled > 1) & (expected > 1)).sum())
            counts["gap"] += int(((expected > 1) & (found == 1)).sum())
            counts["with a gap"] += bool(((expected > 1) & (found == 1)).any())
    return counts


def known_targets(system: int, contexts: int, sample: int, seed: int) -> Counter[str]:
    """All causal graphs of a few variables, or some of them, with the targets of all, some or no contexts known."""
    rng = np.random.default_rng(seed)
    every = list(causal_graphs(system, contexts))
    counts: Counter[str] = Counter({"graphs": len(every)})
    for known in (range(contexts + 1)) if contexts < 3 else (0, contexts):
        classes: dict[tuple[Any, ...], list[int]] = {}
        for i, (study, _, key) in enumerate(every):
            classes.setdefault((key, *(study.targets[c] for c in study.contexts[:known])), []).append(i)
        chosen = list(classes.values())
        if sample and len(chosen) > sample:
            chosen = [chosen[i] for i in rng.choice(len(chosen), sample, replace=False)]
        for rows in chosen:
            study = every[int(rng.choice(rows))][0]
            expected = agreed_marks(every[i][1] for i in rows)
            targets = {c: study.targets[c] for c in study.contexts[:known]}
            knowledge = Knowledge(contexts=study.contexts, targets=targets)
            last = check_stages(study, knowledge, {"selection_bias": False})
            found = last.oriented.marks
            assert ((found == 0) == (expected == 0)).all(), (study, knowledge)
            assert (found[found > 1] == expected[found > 1]).all(), (study, knowledge, last.pag)
            counts[f"classes, {known} known"] += 1
            counts[f"marks, {known} known"] += int((expected > 1).sum())
            counts[f"gap, {known} known"] += int(((expected > 1) & (found == 1)).sum())
    return counts


def main() -> int:
    """Print what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sample", type=int, default=1000, help="classes of causal graphs of each size")
    chosen = parser.parse_args()
    for selection in (False, True):
        for most in (4, 5, 7):
            counts = random_studies(chosen.studies, chosen.seed, selection, most)
            print(f"selection {selection}, up to {most} variables: {dict(counts)}", flush=True)
    for system, contexts in ((2, 1), (2, 2), (3, 1), (3, 2)):
        counts = known_targets(system, contexts, chosen.sample, chosen.seed)
        print(f"{system} variables, {contexts} contexts: {dict(counts)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
