"""Speed of what there is: `make bench`.

    python benchmarks/bench.py [--repeats 5]

Prints one table: the minimum of several repeats, after one run that does not count.
"""

import argparse
import time
from collections.abc import Callable
from functools import partial

import numpy as np

import ancestral as an
from ancestral.orientation import orient
from ancestral.orientation._judge_cy import TrueGraph


def seconds(work: Callable[[], object], repeats: int) -> float:
    """The shortest of several runs."""
    work()
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def dense_mag(nodes: int, edges: int, seed: int) -> an.MAG:
    """The MAG of a DAG without latent nodes: the DAG itself, with so many edges."""
    rng = np.random.default_rng(seed)
    upper = np.transpose(np.triu_indices(nodes, 1))
    marks = np.zeros((nodes, nodes), dtype=np.uint8)
    x, y = upper[rng.choice(len(upper), edges, replace=False)].T
    marks[x, y], marks[y, x] = 2, 3
    return an.MAG([f"x{i}" for i in range(nodes)], marks)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    print("| what | nodes | edges | seconds |\n| --- | --- | --- | --- |")
    for nodes in (15, 100, 1000):
        dag = an.simulate.random_dag(nodes=nodes, degree=2, seed=1)
        edges = len(dag.edges())
        print(f"| mag_of | {nodes} | {edges} | {seconds(partial(an.mag_of, dag), repeats):.5f} |")
        print(f"| pag_of | {nodes} | {edges} | {seconds(partial(an.pag_of, dag), repeats):.5f} |")
    for nodes, edges in ((1000, 2_000), (1000, 20_000)):
        mag = dense_mag(nodes, edges, seed=1)
        judge, skeleton = TrueGraph(mag.marks), mag.skeleton()
        print(f"| R0–R10 | {nodes} | {edges} | {seconds(partial(orient, skeleton, judge), repeats):.5f} |")


if __name__ == "__main__":
    main()
