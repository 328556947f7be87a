"""Marks that the rules miss beside knowledge: `python -m tests.checks.knowledge_gap [--graphs 400] [--seed 1]`.

Small random DAGs with latent variables and selection, true statements of each kind, an oracle. Each search is
compared with all equivalent MAGs that satisfy the knowledge: a mark that they do not share is an error and ends the
check; a mark that they share and the search leaves open is counted as the gap.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import product

import numpy as np

from ancestral import DAG, pag_of, simulate
from ancestral.graphs.names import by_name
from tests.support.knowledge_laws import KINDS, check, draw, known_pag

#: Algorithms whose result should be that of the class, as far as the rules reach; RFCI may keep a superfluous edge.
WAYS = ("icd", "fci", "fci+")


def graphs(count: int, seed: int, selection_bias: bool, most: int) -> Iterator[DAG]:
    """Random DAGs with few enough edges to try all MAGs."""
    makers = [simulate.trouble.confounded_pairs]
    if selection_bias:
        makers += [simulate.trouble.selected_pairs, simulate.trouble.mixed_trouble]
    made, k = 0, 0
    while made < count:
        k += 1
        dag = makers[k % len(makers)](seed=seed * 1_000_003 + k, most=most)
        if len(dag.observed) <= most and (selection_bias or not dag.selection):
            made += 1
            yield dag


def main() -> int:
    """Print a table: for each kind of knowledge, the searches, the marks of the classes, and the gap."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=5, help="observed nodes")
    chosen = parser.parse_args()
    rng = np.random.default_rng(chosen.seed)
    tally: dict[tuple[bool, str], Counter[str]] = {}
    for selection_bias in (True, False):
        for dag in graphs(chosen.graphs, chosen.seed, selection_bias, chosen.most):
            names = sorted(dag.observed, key=by_name)
            without = pag_of(dag).arranged(names)
            for kind in KINDS:
                knowledge = draw(dag, rng, kind, selection_bias)
                if not knowledge:
                    continue
                expected = known_pag(dag, knowledge, selection_bias)
                counts = tally.setdefault((selection_bias, kind), Counter())
                counts["graphs"] += 1
                counts["with a gap"] += 0
                gaps = set()
                for algorithm in WAYS:
                    way = {"algorithm": algorithm, "selection_bias": selection_bias}
                    exact = not (algorithm == "fci+" and knowledge.no_edge)
                    outcome = check(dag, knowledge, expected, without, way, exact)
                    if algorithm == "icd":
                        counts["marks"] += outcome.marks
                        counts["new"] += outcome.marks - int((without > 1).sum())
                        counts["gap"] += outcome.gap
                        counts["with a gap"] += outcome.gap > 0
                    if exact:
                        gaps.add(outcome.gap)
                check(dag, knowledge, expected, None, {"algorithm": "rfci", "selection_bias": selection_bias}, False)
                counts["differ"] += len(gaps) > 1
    print("| selection | knowledge | graphs | marks of the class | of these new | left open | graphs with a gap |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for selection_bias, kind in product((True, False), KINDS):
        counts = tally.get((selection_bias, kind), Counter())
        cells = [counts[key] for key in ("graphs", "marks", "new", "gap", "with a gap")]
        print(f"| {'yes' if selection_bias else 'no'} | {kind} | " + " | ".join(f"{c:,}" for c in cells) + " |")
    print(f"\nalgorithms that leave different marks open: {sum(c['differ'] for c in tally.values())} searches")
    return 0


if __name__ == "__main__":
    sys.exit(main())
