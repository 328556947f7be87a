"""Our searches beside those of other packages, on the same data and machine: `make peers`.

    python -m benchmarks.beside [--cells WORD ...] [--anew]

Each package runs in a virtual environment of its own below build/. Results are kept in build/beside, a line for each
data set, so that a run that was stopped goes on. Writes docs/peers.md, or prints the tables of some cells.
"""

import argparse
import shutil
import sys
from pathlib import Path

from benchmarks.beside.page import page, table
from benchmarks.beside.plan import FIRST_SEED, METHODS, cells
from benchmarks.beside.results import KEPT, Found, complete, runs
from benchmarks.environments import NotInstalled
from benchmarks.series import runs as series_runs
from benchmarks.series_data import CELLS as SERIES

PAGE = Path("docs/peers.md")

#: The data sets of time series: cells of `series_data`, and the number of data sets in each.
SERIES_CELLS = {"n4-t500-a0.5": 20, "n4-t500-a0.9": 20, "n7-t500-a0.9": 10}
SERIES_METHODS = ("ours", "ours-own-past", "lpcmci-1", "lpcmci-4", "lpcmci-own-past", "pcmci-plus")


def main() -> None:
    """Run what is missing, and write or print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", nargs="*", default=[""], help="only cells whose name contains one of these")
    parser.add_argument("--anew", action="store_true", help="forget the results of earlier runs")
    options = parser.parse_args()
    if options.anew:
        shutil.rmtree(KEPT, ignore_errors=True)
    found: Found = {}
    absent = set()
    chosen = [cell for cell in cells() if any(word in cell.name for word in options.cells)]
    for method in dict.fromkeys(method for cell in chosen for method in METHODS[cell.kind]):
        mine = [cell for cell in chosen if method in METHODS[cell.kind]]
        try:
            complete(method, mine)
        except NotInstalled as problem:
            print(problem, file=sys.stderr)
            absent.add(method.program)
            continue
        for cell in mine:
            found.setdefault(cell, {})[method] = list(runs(method, cell))
    if options.cells != [""]:
        for cell, by_method in found.items():
            print("\n".join([f"{cell.name}", "", *table(by_method), ""]))
        return
    series = {}
    for name, count in SERIES_CELLS.items():
        seeds = range(FIRST_SEED, FIRST_SEED + count)
        try:
            series[SERIES[name]] = {method: series_runs(method, SERIES[name], seeds) for method in SERIES_METHODS}
        except NotInstalled as problem:
            print(problem, file=sys.stderr)
            absent.add("tigramite")
    PAGE.write_text(page(found, series, sorted(absent)), encoding="utf-8")


if __name__ == "__main__":
    main()
