"""Speed and number of questions: `make bench`.

    python benchmarks/bench.py [--repeats 3] [--limit 60]

1. Graphs: the MAG and the PAG of a DAG, and all rules on a large graph; the minimum of several repeats.
2. ICD with the oracle on the paper's DAGs (section 4.1: n = 15, 20, 25, 35, rho = 2, 25 DAGs each): seconds in total,
   questions on average. With conditions 1 and 2 only (`"off"`) the number of sets can explode, so each DAG may take as
   long as --limit says; those that take longer are listed with the questions so far, and left out of the means.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

import ancestral as an
from ancestral.graphs.names import by_name
from ancestral.orientation import orient
from ancestral.orientation._judge_cy import TrueGraph
from ancestral.search.icd import IcdOptions, icd
from ancestral.search.stage import Stage
from ancestral.search.watch import Stopped, Watch

SIZES = (15, 20, 25, 35)
DAGS = 25


def seconds(work: Callable[[], object], repeats: int) -> float:
    """The shortest of several runs, after one that does not count."""
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


def graphs(repeats: int) -> Iterator[str]:
    """The first table, row by row."""
    yield "| what | nodes | edges | seconds |"
    yield "| --- | --- | --- | --- |"
    for nodes in (15, 100, 1000):
        dag = an.simulate.random_dag(nodes=nodes, degree=2, seed=1)
        for name, work in (("mag_of", an.mag_of), ("pag_of", an.pag_of)):
            yield f"| {name} | {nodes} | {len(dag.edges())} | {seconds(partial(work, dag), repeats):.5f} |"
    for nodes, edges in ((1000, 2_000), (1000, 20_000)):
        mag = dense_mag(nodes, edges, seed=1)
        once = seconds(partial(orient, mag.skeleton(), TrueGraph(mag.marks)), repeats)
        yield f"| R0–R10 | {nodes} | {edges} | {once:.5f} |"


def timed_run(dag: an.DAG, options: IcdOptions, limit: float) -> tuple[float, Stage | None, int]:
    """Seconds, the complete stage or None, and the questions asked."""
    start = time.perf_counter()
    last = None
    watch = Watch(limit)
    names = sorted(dag.observed, key=by_name)
    try:
        for stage in icd(an.Oracle(dag).questions(names), names, dag.observed, options, watch):
            last = stage
    except Stopped:
        return time.perf_counter() - start, None, watch.asked
    assert last is not None
    return time.perf_counter() - start, last, last.tests.total()


def oracle_runs(limit: float) -> Iterator[str]:
    """The second table, row by row."""
    yield "| possible_ancestors | verify | stable | n | seconds, all | questions, mean | to verify, mean | unfinished |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    ways = [
        IcdOptions("all", stable=False, verify=False),
        IcdOptions("all"),
        IcdOptions("distant"),
        IcdOptions("off", stable=False, verify=False),
        IcdOptions("off"),
    ]
    for way in ways:
        for nodes in SIZES:
            dags = [an.simulate.random_dag(nodes=nodes, degree=2, seed=seed) for seed in range(DAGS)]
            runs = [timed_run(dag, way, limit) for dag in dags]
            done = [stage for _, stage, _ in runs if stage is not None]
            unfinished = [f"seed {i}: {asked:,}" for i, (_, stage, asked) in enumerate(runs) if stage is None]
            spent = sum(took for took, _, _ in runs)
            yield (
                f"| {way.possible_ancestors} | {way.verify} | {way.stable} | {nodes} | {spent:.2f} "
                f"| {np.mean([s.tests.total() for s in done]):.1f} "
                f"| {np.mean([s.verify_tests.total() for s in done]):.1f} | {'; '.join(unfinished)} |"
            )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for one DAG")
    options = parser.parse_args()
    for rows in (graphs(options.repeats), oracle_runs(options.limit)):
        for row in rows:
            print(row, flush=True)
        print()


if __name__ == "__main__":
    main()
