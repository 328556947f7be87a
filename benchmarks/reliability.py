"""How often answers with a given bootstrap frequency are true.

    python -m benchmarks.reliability [--dags 100] [--repeats 100] [--seed 1]

Random DAGs as in the ICD paper (15 nodes, some of them latent), linear Gaussian data from each, many resamples of the
rows. For each pair of variables the frequency of an edge, for each end that of an arrowhead and
of a tail, beside whether the true PAG has it: how many of the answers with a frequency in some range are true. Writes
docs/reliability.md and its figure.
"""

import argparse
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import ancestral as an
from ancestral.graphs.marks import ARROW, TAIL

ROOT = Path(__file__).resolve().parents[1]
PAGE, FIGURE = ROOT / "docs" / "reliability.md", ROOT / "docs" / "pictures" / "reliability.svg"
NODES, DEGREE, ALPHA = 15, 2, 0.01
EDGES = np.array([0.0, 0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98, 1.0])
RANGES = ("never", *(f"{100 * low:.0f}–{100 * high:.0f} %" for low, high in pairwise(EDGES)))
HOW: dict[str, float | None] = {"bootstrap": None, "half of the rows": 0.5}
WHAT = ("edge", "arrowhead", "tail")
Points = NDArray[np.float64]


SETTINGS = {"nodes": NODES, "degree": DEGREE, "alpha": ALPHA}
INTRODUCTION = """\
# What a frequency of the bootstrap is worth

`an.bootstrap` says how often resamples of the rows have an edge or a mark. A frequency is not the probability that
the edge or the mark is true: it says how stable an answer is on these data. How often answers of some frequency are
true depends on the graph, on the number of rows, on alpha, and on whether the tests suit the data. It was measured here
on data that suit them perfectly, as real data hardly ever do.

{dags} random DAGs of {nodes} nodes, {degree} neighbours each on average, latent nodes by the law of the ICD paper;
linear Gaussian data of 1,000 and of 100 rows from each; ICD with alpha {alpha}; {repeats} resamples: the bootstrap (as
many rows as there are, with replacement) and half of the rows (each at most once). The truth is the PAG of the DAG
(`an.pag_of`), so a tail or an arrowhead counts as true only if it follows from independences. Every pair is counted,
and for arrowheads and tails each of its ends.

`{command}`

![The share of true answers against their frequency](pictures/{figure})

On the grey line a frequency would be a probability.
"""
CAUTION = """
A row that is drawn twice counts as two, so p-values of a bootstrap sample are too small, and it has edges that a new
sample of that size would not have. Half of the rows, each drawn once, avoids that, but has less power. A true edge with
a low frequency is a weak dependence, which few resamples show; a false mark with a high frequency is a mistake that
rests on something that all resamples share."""


def answers(boot: an.Bootstrap, truth: an.PAG) -> Iterator[tuple[str, float, bool]]:
    """The kind of answer, its frequency and whether it is true, for every pair and each of its ends."""
    for i, a in enumerate(boot.nodes):
        for b in boot.nodes[i + 1 :]:
            found = boot.edge(a, b)
            x, y = truth.index(a), truth.index(b)
            yield "edge", found.edge, bool(truth.marks[x, y])
            for marks, mark in ((found.at_a, truth.marks[y, x]), (found.at_b, truth.marks[x, y])):
                for name, code in (("arrowhead", ARROW), ("tail", TAIL)):
                    yield name, marks[name], bool(mark == code)


def measured(dags: int, repeats: int, seed: int, rows: int, share: float | None) -> dict[str, Points]:
    """For each kind of answer, rows of frequency and truth, over all DAGs."""
    out: dict[str, list[tuple[float, bool]]] = {what: [] for what in WHAT}
    for number in range(dags):
        dag = an.simulate.random_dag(nodes=NODES, degree=DEGREE, seed=seed * 10_000 + number)
        data = an.simulate.linear_gaussian(dag, rows=rows, seed=seed * 10_000 + number)
        boot = an.bootstrap(
            data, repeats=repeats, seed=seed, subsample=share, algorithm="icd", alpha=ALPHA, progress=False
        )
        for what, frequency, true in answers(boot, an.pag_of(dag)):
            out[what].append((frequency, true))
    return {what: np.array(points, dtype=np.float64).reshape(-1, 2) for what, points in out.items()}


def curve(points: Points) -> list[tuple[str, int, float, float]]:
    """For each range: its name, how many answers, their mean frequency, and the share that is true."""
    out = []
    at = np.searchsorted(EDGES, points[:, 0], side="left")  # 0: never
    for k, name in enumerate(RANGES):
        some = points[at == k]
        if len(some):
            out.append((name, len(some), float(some[:, 0].mean()), float(some[:, 1].mean())))
    return out


def draw(found: dict[tuple[int, str], dict[str, Points]]) -> None:
    """The curves as one small figure."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "reliability"
    import matplotlib.pyplot as plt

    sizes = sorted({rows for rows, _ in found}, reverse=True)
    figure, axes = plt.subplots(1, len(WHAT), figsize=(9, 3.2), sharey=True)
    for ax, what in zip(axes, WHAT, strict=True):
        ax.plot([0, 1], [0, 1], color="0.8", linewidth=1)
        for rows, colour in zip(sizes, ("C0", "C3"), strict=True):
            for how, line in zip(HOW, ("-o", "--s"), strict=True):
                points = curve(found[rows, how][what])
                ax.plot(
                    [p[2] for p in points],
                    [p[3] for p in points],
                    line,
                    color=colour,
                    markersize=3.5,
                    linewidth=1.2,
                    label=f"{rows:,} rows, {how}",
                )
        ax.set_title(what)
        ax.set_xlabel("frequency")
    axes[0].set_ylabel("share that is true")
    axes[0].legend(fontsize=7, frameon=False)
    figure.tight_layout()
    figure.savefig(FIGURE, metadata={"Date": None})


def page(found: dict[tuple[int, str], dict[str, Points]], command: str, dags: int, repeats: int) -> str:
    """The page."""
    lines = [INTRODUCTION.format(dags=dags, repeats=repeats, command=command, figure=FIGURE.name, **SETTINGS)]
    for rows, how in found:
        lines += [f"## {rows:,} rows, {how}", ""]
        lines += [
            "| frequency | " + " | ".join(f"{what}s | of them true" for what in WHAT) + " |",
            "| --- |" + " ---: | ---: |" * len(WHAT),
        ]
        tables = {what: {name: (n, true) for name, n, _, true in curve(found[rows, how][what])} for what in WHAT}
        for name in RANGES:
            cells = [
                f"{n:,} | {100 * true:.0f} %" if n else " | "
                for n, true in (tables[w].get(name, (0, 0.0)) for w in WHAT)
            ]
            lines.append(f"| {name} | " + " | ".join(cells) + " |")
        lines.append("")
    return "\n".join([*lines, *reading(found)])


def reading(found: dict[tuple[int, str], dict[str, Points]]) -> list[str]:
    """Sentences about the numbers, computed from them."""

    def firm(rows: int, how: str, what: str, low: float = 0.9) -> str:
        points = found[rows, how][what]
        some = points[points[:, 0] > low]
        return f"{100 * some[:, 1].mean():.0f} %" if len(some) else "none"

    def rare(rows: int, how: str, what: str) -> str:
        points = found[rows, how][what]
        some = points[points[:, 0] <= 0.1]
        return f"{100 * some[:, 1].mean():.0f} %" if len(some) else "none"

    lines = ["## How to read the tables", ""]
    for what in WHAT:
        shares = "; ".join(
            f"{rows:,} rows, {how}: {firm(rows, how, what)} true above 90 %, {rare(rows, how, what)} at 10 % or less"
            for rows, how in found
        )
        lines.append(f"- {what}s: {shares}.")
    return [*lines, *CAUTION.splitlines(), ""]


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dags", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found = {}
    for rows in (1000, 100):
        for how, share in HOW.items():
            start = time.perf_counter()
            found[rows, how] = measured(options.dags, options.repeats, options.seed, rows, share)
            print(f"{rows} rows, {how}: {time.perf_counter() - start:.0f} s", flush=True)
    command = (
        f"python -m benchmarks.reliability --dags {options.dags} --repeats {options.repeats} --seed {options.seed}"
    )
    draw(found)
    PAGE.write_text(page(found, command, options.dags, options.repeats), encoding="utf-8")


if __name__ == "__main__":
    main()
