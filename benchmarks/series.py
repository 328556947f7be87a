"""Searches of time series beside those of tigramite, on the same data: `make series-bench`.

    python -m benchmarks.series [--tuning] [--methods NAME ...] [--cells NAME ...] [--against NAME] [--anew]

Methods of tigramite run in a virtual environment of their own, build/tigramite-venv. Results are kept in
build/series-bench, a line for each data set, so that a run that was stopped goes on; ours are kept by the state of the
package. Writes docs/series-benchmark.md, or prints the tables if only some methods or cells, or the seeds for tuning,
are asked for.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.environments import python_of, version_of
from benchmarks.series_data import CELLS, LAGS, Cell, draw
from benchmarks.series_pages import differences, page, table
from benchmarks.series_scores import Run, Truth, score, truth_of
from benchmarks.sources import state

TIGRAMITE = version_of("tigramite")
KEPT = Path("build/series-bench")
PAGE = Path("docs/series-benchmark.md")

#: All programs run on one thread.
THREADS = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

#: The file that says how we search; it is part of the state of the package.
OURS_FILE = "benchmarks/series_ours.py"

PEERS = ("lpcmci-1", "lpcmci-4", "lpcmci-own-past", "pcmci-plus")
OURS = ("ours", "ours-own-past", "lagged-frame")


@dataclass(frozen=True)
class Results:
    """The kept results of a method in a cell, a line of JSON for each data set."""

    method: str
    cell: str

    @property
    def file(self) -> Path:
        """Where the lines are kept."""
        by = f"tigramite-{TIGRAMITE}" if self.method in PEERS else f"ancestral-{state(OURS_FILE)}"
        return KEPT / by / f"{self.method}-{self.cell}.jsonl"

    def lines(self) -> dict[int, dict[str, Any]]:
        """The results by their seeds."""
        if not self.file.exists():
            return {}
        lines = map(json.loads, self.file.read_text(encoding="utf-8").splitlines())
        return {line["seed"]: line for line in lines}

    def complete(self, seeds: Iterable[int]) -> dict[int, dict[str, Any]]:
        """The results for these seeds; those that are missing are made in a process of their own."""
        missing = [str(seed) for seed in seeds if seed not in self.lines()]
        if missing:
            print(f"{self.method}, {self.cell}: {len(missing)} data sets", file=sys.stderr, flush=True)
            self.file.parent.mkdir(parents=True, exist_ok=True)
            peer = self.method in PEERS
            python = python_of("tigramite") if peer else sys.executable
            module = "benchmarks.series_peers" if peer else "benchmarks.series_ours"
            command = [python, "-m", module, self.method, self.cell, *missing]
            with self.file.open("a", encoding="utf-8") as file:
                subprocess.run(command, check=True, stdout=file, env=os.environ | THREADS)
        found = self.lines()
        return {seed: found[seed] for seed in seeds}


@cache
def truth(cell: Cell, seed: int) -> Truth:
    """The truth about a data set."""
    series = draw(cell, seed)
    return truth_of(series.links, series.observed, LAGS)


def runs(method: str, cell: Cell, seeds: Sequence[int]) -> dict[int, Run]:
    """The runs of a method in a cell, by seeds."""
    out = {}
    for seed, line in Results(method, cell.name).complete(seeds).items():
        edges = {(first, second, lag): edge for first, second, lag, edge in line["edges"]}
        counts = None if line["failed"] else score(edges, truth(cell, seed))
        out[seed] = Run(counts, line["seconds"], line["questions"])
    return out


def main() -> None:
    """Run what is missing, and write or print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tuning", action="store_true", help="the seeds for choosing methods, not those of the page")
    parser.add_argument("--methods", nargs="+", help="only these, also variants that are not on the page")
    parser.add_argument("--cells", nargs="+", choices=CELLS, help="only these")
    parser.add_argument("--against", default="lpcmci-1", help="the method that others are compared with in print")
    parser.add_argument("--anew", action="store_true", help="forget the kept results of these methods and cells")
    options = parser.parse_args()
    methods = options.methods or [*OURS, *PEERS]
    cells = [CELLS[name] for name in options.cells or CELLS]
    results: dict[Cell, dict[str, dict[int, Run]]] = {}
    for cell in cells:
        for method in methods:
            if options.anew:
                Results(method, cell.name).file.unlink(missing_ok=True)
            seeds = cell.tuning if options.tuning else cell.reporting
            results.setdefault(cell, {})[method] = runs(method, cell, seeds)
    if options.tuning or options.methods or options.cells:
        print("\n".join(printed(results, methods, options.against)))
    else:
        PAGE.write_text(page(results, TIGRAMITE), encoding="utf-8")


def printed(
    results: Mapping[Cell, Mapping[str, Mapping[int, Run]]], methods: Sequence[str], against: str
) -> Iterator[str]:
    """The table of each cell, and how the methods differ from one of them."""
    for cell, by_method in results.items():
        yield from (f"{cell.name}", "", *table(by_method), "")
    if against in methods:
        pairs = [(method, against) for method in methods if method != against]
        yield from differences(results, pairs)


if __name__ == "__main__":
    main()
