"""The time of certainty: 30 resamples in both readings, beside the search itself.

    python -m benchmarks.certainty [--seed 20000] [--report docs/speed-certainty.md]

One graph of each size (`benchmarks.designs`), 1,000 rows, one worker and two, in seconds of wall time.
"""

import argparse
import time
from pathlib import Path

import ancestral as an
from benchmarks.designs import DESIGNS

SIZES = (15, 40, 100)
ROWS = 1000

EXPLANATION = """\
Seconds of wall time of `found.certainty(30)`, which searches 30 resamples in both readings, beside those of
`an.discover(rows, algorithm="scored", resamples=0)`, on one graph of each size, 1,000 rows. Without being asked for,
resamples are searched up to 50 variables.
"""


def seconds(design: str, nodes: int, seed: int) -> tuple[float, float, float]:
    """The wall time of a search, and of its resamples by one worker and by two."""
    rows = DESIGNS[design](nodes, seed).rows(ROWS, seed)
    out = []
    start = time.perf_counter()
    found = an.discover(rows, algorithm="scored", resamples=0, progress=False)
    out.append(time.perf_counter() - start)
    for workers in (1, 2):
        start = time.perf_counter()
        found.certainty(30, seed=workers, workers=workers, progress=False)
        out.append(time.perf_counter() - start)
    return out[0], out[1], out[2]


def main() -> None:
    """Measure, print and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=20_000)
    parser.add_argument("--report", type=Path, default=Path("docs/speed-certainty.md"))
    options = parser.parse_args()
    lines = [
        "# The time of certainty",
        "",
        f"`python -m benchmarks.certainty --seed {options.seed}`",
        "",
        *EXPLANATION.splitlines(),
        "",
        "| design | nodes | search | 30 resamples, one worker | two workers |",
        "| --- | --- | --- | --- | --- |",
    ]
    seconds("paper", 15, options.seed)  # loads scipy
    for design in ("paper", "latent", "bidir"):
        for nodes in SIZES:
            search, one, two = seconds(design, nodes, options.seed)
            lines.append(f"| {design} | {nodes} | {search:.2f} | {one:.2f} | {two:.2f} |")
            print(lines[-1], flush=True)
    options.report.write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
