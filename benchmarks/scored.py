"""The time of the scored search: how it grows with the number of variables, and what a second thread gains.

    python -m benchmarks.scored [--seed 20000] [--report docs/speed-scored.md]

One graph of each size (`benchmarks.designs`), 1,000 rows, the same with one and two workers, in seconds of wall time.
Run it on an idle machine with two cores; the gain is a ratio within one run.
"""

import argparse
import time
from pathlib import Path

import ancestral as an
from benchmarks.designs import DESIGNS

SIZES = {"paper": (15, 50, 100, 300, 1000), "latent": (15, 50, 100, 300), "bidir": (15, 50, 100, 300)}
ROWS = 1000

EXPLANATION = """\
Seconds of wall time of `an.discover(rows, algorithm="scored", resamples=0)` on one graph of each size, 1,000 rows, by
one worker and by two. The designs are those of [accuracy.md](accuracy.md). In the order search, the first step, each
worker grows trees of its own, which one worker would use for all orders.
"""

#: The last sentence of the page.
FIRST = "The first search of a process also loads scipy, which is most of its time."


def seconds(design: str, nodes: int, seed: int, workers: int) -> float:
    """The wall time of one search."""
    rows = DESIGNS[design](nodes, seed).rows(ROWS, seed)
    start = time.perf_counter()
    an.discover(rows, algorithm="scored", resamples=0, workers=workers)
    return time.perf_counter() - start


def main() -> None:
    """Measure, print and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=20_000)
    parser.add_argument("--report", type=Path, default=Path("docs/speed-scored.md"))
    options = parser.parse_args()
    lines = [
        "# The time of the scored search",
        "",
        f"`python -m benchmarks.scored --seed {options.seed}`",
        "",
        *EXPLANATION.splitlines(),
        "",
        "| design | nodes | one worker | two workers | gain |",
        "| --- | --- | --- | --- | --- |",
    ]
    for design, sizes in SIZES.items():
        for nodes in sizes:
            one, two = (seconds(design, nodes, options.seed, workers) for workers in (1, 2))
            lines.append(f"| {design} | {nodes:,} | {one:.2f} | {two:.2f} | {one / two:.2f} |")
            print(lines[-1], flush=True)
    options.report.write_text("\n".join([*lines, "", FIRST, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
