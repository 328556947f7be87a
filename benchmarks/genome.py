"""A network of many variables and few rows, as of genes: seconds and memory beside np.corrcoef, and what follows it.

    python -m benchmarks.genome                                    # 300 to 20,000 variables
    python -m benchmarks.genome --variables 20000 --alpha 1e-5 --threads 2

Rows are drawn from a linear-Gaussian law (`benchmarks.saving`): each variable has two earlier ones as possible causes,
each with probability 1/2, with a weight between .5 and 1, and normal noise, and is then brought to variance 1. Some
early variables have many effects, as regulators have. The search is `an.discover(frame, algorithm="icd", max_radius=3,
alpha=...)`. np.corrcoef and the search run in processes of their own, whose peaks include the data; "matrices" are of
doubles, 8 n² bytes.
"""

import argparse
import os
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import ancestral as an
from ancestral.search.stage import AskedStage
from benchmarks.measure import SCRATCH, apart, forget_peak, peak_memory, short, table
from benchmarks.saving import rows_of

VARIABLES = (300, 1_000, 3_000, 10_000, 20_000)
COSTS = (
    "variables", "rows", "alpha", "np.corrcoef, s", "CPU s", "search, s", "CPU s", "ratio", "of CPU", "peak MB",
    "matrices", "edges after radius 0", "edges", "questions", "to verify",
)  # fmt: skip
USES = ("variables", "what", "seconds", "CPU s", "peak MB", "file MB")

Timed = tuple[float, float, float]


def timed(work: Callable[[], Any]) -> tuple[Any, Timed]:
    """What a function returns, its seconds, those of all processors, and the peak of memory in MB."""
    forget_peak()
    wall, cpu = time.perf_counter(), time.process_time()
    out = work()
    return out, (time.perf_counter() - wall, time.process_time() - cpu, peak_memory())


def frame_of(variables: int, rows: int, seed: int) -> pl.DataFrame:
    """The rows as a frame."""
    return pl.DataFrame(rows_of(variables, seed, rows), schema=[f"x{i}" for i in range(variables)])


def correlations(variables: int, rows: int, seed: int) -> Timed:
    """The cost of np.corrcoef."""
    values = np.ascontiguousarray(rows_of(variables, seed, rows).T)
    return timed(lambda: np.corrcoef(values))[1]


def searched(variables: int, rows: int, alpha: float, seed: int) -> tuple[Timed, tuple[int, ...]]:
    """The cost of the search, and edges after radius 0, edges, questions, and questions of verification."""
    warnings.simplefilter("ignore")
    frame = frame_of(variables, rows, seed)
    found, cost = timed(lambda: _search(frame, alpha))
    counts = (found.history[0].edges, found.history[-1].edges, found.tests.total(), found.verify_tests.total())
    return cost, counts


def _search(frame: pl.DataFrame, alpha: float) -> an.Discovery:
    return an.discover(frame, algorithm="icd", max_radius=3, alpha=alpha, progress=False)


def used(variables: int, rows: int, alpha: float, seed: int) -> list[tuple[str, ...]]:
    """What can be done with what was found, and with its file: seconds, and the sizes of files."""
    warnings.simplefilter("ignore")
    SCRATCH.mkdir(parents=True, exist_ok=True)
    run, page = SCRATCH / "genome.json", SCRATCH / "genome.html"
    out: list[tuple[str, ...]] = []

    def use(what: str, work: Callable[[], Any], file: Path | None = None) -> Any:
        done, (wall, cpu, peak) = timed(work)
        size = "" if file is None else f"{file.stat().st_size / 1e6:,.2f}"
        out.append((f"{variables:,}", what, short(wall), short(cpu), f"{peak:,.0f}", size))
        return done

    def search() -> tuple[str, str]:
        found = _search(frame_of(variables, rows, seed), alpha)
        assert isinstance(found.stage, AskedStage)
        first, second = found.stage.separations.pairs[0].tolist()
        a, b = found.stage.names[first], found.stage.names[second]
        use("found.pag", lambda: found.pag)
        use("print(found)", lambda: str(found))
        use("found.check", lambda: found.check)
        use("found.why(a, b)", lambda: str(found.why(a, b)))
        use("found.causes(a, b)", lambda: str(found.causes(a, b)))
        use("found.to_frame()", lambda: found.to_frame(pairs="edges"))
        use("found.save(run)", lambda: found.save(run), run)
        return a, b

    a, b = search()
    loaded = use("an.load(run)", lambda: an.load(run), run)
    use("why, from the file", lambda: str(loaded.why(a, b)))
    use("report, around one variable", lambda: loaded.report(page, around=a), page)
    return out


def report(variables: Sequence[int], rows: int, alpha: float, seed: int, uses: bool) -> None:
    """Print both tables."""

    def costs() -> Iterator[tuple[str, ...]]:
        for n in variables:
            plain = apart(correlations, n, rows, seed)
            ours, counts = apart(searched, n, rows, alpha, seed)
            matrix = 8 * n**2 / 1024**2
            yield (
                *(f"{n:,}", f"{rows:,}", f"{alpha:g}", short(plain[0]), short(plain[1]), short(ours[0])),
                *(short(ours[1]), f"{ours[0] / plain[0]:.2f}", f"{ours[1] / plain[1]:.2f}", f"{ours[2]:,.0f}"),
                *(f"{ours[2] / matrix:.2f}", *(f"{count:,}" for count in counts)),
            )

    table(COSTS, costs())
    if uses:
        print()
        table(USES, (row for n in variables for row in apart(used, n, rows, alpha, seed)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variables", type=int, nargs="+", default=VARIABLES)
    parser.add_argument("--rows", type=int, default=500)
    parser.add_argument("--alpha", type=float, default=0.001)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1, help="of the product of matrices, on both sides")
    parser.add_argument("--costs-only", action="store_true")
    chosen = parser.parse_args()
    os.environ["OPENBLAS_NUM_THREADS"] = str(chosen.threads)  # read by the processes that are measured
    report(chosen.variables, chosen.rows, chosen.alpha, chosen.seed, not chosen.costs_only)
