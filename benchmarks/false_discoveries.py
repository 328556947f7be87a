"""The share of false edges among all edges, with and without control of false discoveries.

    python -m benchmarks.false_discoveries [--sets 40] [--seed 50000] [--report docs/false-discoveries.md]

Linear Gaussian rows of random DAGs with latent nodes, as in the ICD paper, searched by ICD. An edge is false if the PAG
of the DAG does not have it, whatever its marks. Two ways to control the share are measured: that of the package, which
screens at a liberal alpha and then removes edges by their largest p-values, with the procedures of Benjamini & Hochberg
and of Benjamini & Yekutieli; and an alpha that is chosen such that the same procedure keeps every edge of a search at
that alpha.
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

import ancestral as an
from ancestral.options import SCREENING_ALPHA

LEVEL = 0.05
NODES, DEGREES, ROWS = (15, 25, 40), (2.0, 3.0), (200, 500, 2_000)

Edges = set[frozenset[str]]


@dataclass(frozen=True)
class Outcome:
    """One search: the share of false edges among its edges, and the share of true edges that it found."""

    false: float
    found: float


def edges_of(graph: an.PAG) -> Edges:
    """The pairs with an edge."""
    return {frozenset((a, b)) for a, _, b in graph.edges()}


def searched(rows: pl.DataFrame, **options: float) -> an.Discovery:
    """ICD on these rows."""
    return an.discover(rows, algorithm="icd", progress=False, resamples=0, **options)  # type: ignore[arg-type]


def at_alpha(alpha: float) -> Callable[[pl.DataFrame], Edges]:
    """The edges of a search at this level, without control."""
    return lambda rows: edges_of(searched(rows, alpha=alpha).pag)


def controlled(rows: pl.DataFrame) -> Edges:
    """The edges that the option `fdr` keeps."""
    return edges_of(searched(rows, fdr=LEVEL).pag)


def hardly_screened(rows: pl.DataFrame) -> Edges:
    """The edges that the option `fdr` keeps after a stricter screening."""
    return edges_of(searched(rows, fdr=LEVEL, alpha=0.05).pag)


def controlled_by_yekutieli(rows: pl.DataFrame) -> Edges:
    """The edges that the procedure of Benjamini & Yekutieli keeps, which allows for any dependence of p-values."""
    frame = searched(rows, alpha=SCREENING_ALPHA).to_frame("edges", library="polars")
    pairs = rows.width * (rows.width - 1) // 2
    ordered = np.sort(frame["p_value"].to_numpy())
    bound = LEVEL / (pairs * (1 / np.arange(1, pairs + 1)).sum())
    passing = np.flatnonzero(ordered <= bound * np.arange(1, len(ordered) + 1))
    largest = ordered[passing[-1]] if passing.size else -1.0
    kept = frame.filter(pl.col("p_value") <= largest)
    return {frozenset(pair) for pair in kept.select("a", "b").iter_rows()}


def at_chosen_alpha(rows: pl.DataFrame) -> Edges:
    """The edges of a search at the alpha at which the procedure of Benjamini & Hochberg keeps each of them."""
    pairs = rows.width * (rows.width - 1) // 2
    count = pairs
    while True:
        found = edges_of(searched(rows, alpha=LEVEL * count / pairs).pag)
        if len(found) >= count or not found:
            return found
        count = len(found)


WAYS: dict[str, Callable[[pl.DataFrame], Edges]] = {
    "alpha 0.01": at_alpha(0.01),
    "alpha 0.05": at_alpha(0.05),
    "fdr 0.05": controlled,
    "fdr 0.05, alpha 0.05": hardly_screened,
    "Yekutieli": controlled_by_yekutieli,
    "chosen alpha": at_chosen_alpha,
}


def outcomes(nodes: int, degree: float, rows: int, seeds: range) -> Iterator[dict[str, Outcome]]:
    """What each way finds in each data set of a design."""
    for seed in seeds:
        dag = an.simulate.random_dag(nodes, degree, seed=seed)
        data = an.simulate.linear_gaussian(dag, rows=rows, seed=seed)
        truth = edges_of(an.pag_of(dag))
        edges = {name: way(data) for name, way in WAYS.items()}
        yield {
            name: Outcome(len(found - truth) / max(len(found), 1), len(found & truth) / len(truth))
            for name, found in edges.items()
        }


def table(seeds: range) -> tuple[list[str], dict[str, list[float]]]:
    """The lines of the table, and for each way the share of false edges in every design."""
    lines = [
        "| nodes | degree | rows | " + " | ".join(WAYS) + " |",
        "| ---: | ---: | ---: |" + " ---: |" * len(WAYS),
    ]
    shares: dict[str, list[float]] = {name: [] for name in WAYS}
    power: dict[str, list[float]] = {name: [] for name in WAYS}
    for nodes in NODES:
        for degree in DEGREES:
            for rows in ROWS:
                seen = list(outcomes(nodes, degree, rows, seeds))
                cells = []
                for name in WAYS:
                    shares[name].append(float(np.mean([each[name].false for each in seen])))
                    power[name].append(float(np.mean([each[name].found for each in seen])))
                    cells.append(f"{shares[name][-1]:.3f} / {power[name][-1]:.2f}")
                lines.append(f"| {nodes} | {degree:g} | {rows:,} | " + " | ".join(cells) + " |")
                print(lines[-1], flush=True)
    means = " | ".join(f"{np.mean(shares[name]):.3f} / {np.mean(power[name]):.2f}" for name in WAYS)
    return [*lines, f"| mean | | | {means} |"], shares


def page(lines: list[str], shares: dict[str, list[float]], sets: int, seed: int) -> str:
    """The page of documentation."""
    worst = {name: max(listed) for name, listed in shares.items()}
    above = {name: sum(round(share, 3) > LEVEL for share in listed) for name, listed in shares.items()}  # as shown
    designs = len(next(iter(shares.values())))
    summary = "\n".join(
        f"- {name}: above {LEVEL:g} in {above[name]} of {designs} designs, the largest mean {worst[name]:.3f}"
        for name in WAYS
    )
    return f"""# The share of false edges, measured

`python -m benchmarks.false_discoveries --sets {sets} --seed {seed}`

Linear Gaussian rows of random DAGs with latent nodes, {sets} data sets of each design, seeds from {seed:,} on, searched
by ICD. A cell has the mean share of false edges among all edges, and the mean share of the true edges that were found.

- `fdr 0.05`: the option of `discover`. It screens at alpha {SCREENING_ALPHA:g}, and keeps the edges that the procedure
  of Benjamini & Hochberg keeps; beside it the same with `alpha=0.05`.
- Yekutieli: screened at alpha {SCREENING_ALPHA:g}, too, with the procedure of Benjamini & Yekutieli, which allows for
  any dependence among p-values.
- chosen alpha: a search at the alpha at which Benjamini & Hochberg would keep each of its edges.

The way, and the alpha that screens, were chosen on seeds from 1,000 on.

{chr(10).join(lines)}

How often the mean share is above {LEVEL:g}:

{summary}

What is above the level is mainly not the fault of p-values that depend on each other: a pair that is not adjacent keeps
its edge because a variable that would separate it was cut off before, by a test that missed a weak edge. A small alpha
cuts off more, so it loses true edges and leaves false ones all the same; a liberal screening leaves more sets to ask
about, and the procedure removes what is weak. The bound costs true edges: compare with the search at alpha 0.05.
"""


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=40)
    parser.add_argument("--seed", type=int, default=50_000)
    parser.add_argument("--report", type=Path, default=Path("docs/false-discoveries.md"))
    chosen = parser.parse_args()
    lines, shares = table(range(chosen.seed, chosen.seed + chosen.sets))
    chosen.report.write_text(page(lines, shares, chosen.sets, chosen.seed), encoding="utf-8")


if __name__ == "__main__":
    main()
