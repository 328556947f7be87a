"""What it costs to hold a graph against its own data (`found.check`), by the number of variables.

    python -m benchmarks.check [--seed 20000] [--sizes 40 100 300 1000 5000] [--report docs/speed-check.md]

Graphs that ICD finds in 1,000 rows of the design "paper" (`benchmarks.designs`), in milliseconds, the best of several
rounds. The numbers of pairs given nothing are looked up in the matrix of correlations.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import ancestral as an
from ancestral.checking.denials import denials
from ancestral.checking.member_fit import fit_check
from ancestral.graphs.contradictions import contradictions
from ancestral.search.marginals import Marginals
from benchmarks.designs import DESIGNS

SIZES = (40, 100, 300, 1_000, 5_000)
ROWS = 1_000

#: Seconds to repeat each measurement.
SECONDS = 0.5

EXPLANATION = """\
Milliseconds that `found.check` takes on the graph that ICD finds in 1,000 rows of the design "paper"
([accuracy.md](accuracy.md)), the best of several rounds: to look for contradictions, to compare the graph with the
dependences in the data, and to fit a member of its class, which is done up to 100 variables. Of a graph by score, the
member is known, and it is fitted up to 1,000 columns.
"""


def milliseconds(work: Callable[[], object]) -> float:
    """The time of a piece of work, the best of several rounds."""
    end, best = time.perf_counter() + SECONDS, float("inf")
    while True:
        start = time.perf_counter()
        work()
        stop = time.perf_counter()
        best = min(best, stop - start)
        if stop > end:
            return 1e3 * best


def row(nodes: int, seed: int) -> str:
    """One row of the table."""
    found = an.discover(DESIGNS["paper"](nodes, seed).rows(ROWS, seed), algorithm="icd", progress=False)
    stage, check = found.stage, found.check
    assert check is not None
    marks = stage.oriented.marks
    marginals = Marginals.asked(found.test, found.test.questions(stage.names))
    times = [
        milliseconds(lambda: contradictions(marks, stage.names)),
        milliseconds(lambda: denials(marks, marginals, check.alpha)),
        milliseconds(lambda: fit_check(stage, found.test)),
    ]
    cells = [f"{value:,.2f}" for value in times[:2]] + ["" if check.fit is None else f"{times[2]:,.2f}"]
    counts = [len(stage.names), found.history[-1].edges, check.dependences, check.denied]
    return " | ".join(["| " + f"{counts[0]:,}", *(f"{count:,}" for count in counts[1:]), *cells]) + " |"


def main() -> None:
    """Measure, print and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=20_000)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--report", type=Path, default=Path("docs/speed-check.md"))
    options = parser.parse_args()
    lines = [
        "# What the check costs",
        "",
        f"`python -m benchmarks.check --seed {options.seed}`",
        "",
        *EXPLANATION.splitlines(),
        "",
        "| variables | edges | dependences | denied | contradictions | denied dependences | fit |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for nodes in options.sizes:
        lines.append(row(nodes, options.seed))
        print(lines[-1], flush=True)
    options.report.write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
