"""How many questions a causal order saves: `python -m benchmarks.ordered [--graphs 10] [--seed 1]`.

Random DAGs of the paper (degree 2), with and without a complete causal order of the observed variables as knowledge;
an oracle, and linear-Gaussian data of 1000 rows. Questions are those of the search and of verification together. FCI,
which asks a hundred million questions about 35 nodes, goes up to 25.
"""

import argparse
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

import ancestral as an

MOST_NODES_FOR_FCI = 25
ALGORITHMS = ("fci", "icd", "rfci", "fci+")


def causal_order(dag: an.DAG) -> an.Knowledge:
    """Each observed variable in a tier of its own: causes before effects."""
    observed = sorted(dag.observed, key=lambda v: len(dag.ancestors(v)))
    return an.Knowledge(tiers=[[v] for v in observed])


def asked(found: an.Discovery) -> int:
    """All questions of a run."""
    return found.tests.total() + found.verify_tests.total()


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodes", type=int, nargs="+", default=[15, 25, 35, 50])
    chosen = parser.parse_args(arguments)
    warnings.simplefilter("ignore", an.KnowledgeWarning)
    print("| nodes | answers | algorithm | questions | with the order | saved |")
    print("| --- | --- | --- | --- | --- | --- |")
    for nodes in chosen.nodes:
        for answers in ("oracle", "gaussian"):
            for algorithm in ALGORITHMS if nodes <= MOST_NODES_FOR_FCI else ALGORITHMS[1:]:
                counts = []
                for k in range(chosen.graphs):
                    dag = an.simulate.random_dag(nodes=nodes, degree=2, seed=1000 * chosen.seed + k)
                    source: Any = an.Oracle(dag)
                    if answers == "gaussian":
                        source = an.simulate.linear_gaussian(dag, rows=1000, seed=1000 * chosen.seed + k)
                    known = causal_order(dag)
                    runs = [
                        an.discover(source, algorithm=algorithm, knowledge=knowledge) for knowledge in (None, known)
                    ]
                    counts.append([asked(run) for run in runs])
                without, with_order = np.sum(counts, axis=0).tolist()
                saved = f"{1 - with_order / without:.0%}"
                print(
                    f"| {nodes} | {answers} | {algorithm} | {without:,} | {with_order:,} | {saved} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
