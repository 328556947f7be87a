"""How often the intervals of formulas cover the truth, in linear systems and for levels.

    python -m benchmarks.formula_coverage [--formulas 20] [--samples 15] [--seed 1] [--report docs/formula-coverage.md]

Effects of one cause on one outcome that a PAG, or a DAG with latent variables, gives by a formula and not by
adjustment, in random systems (`tests/support/interventions.py`). The truth follows from the system by algebra. Where
each formula has few samples, the shares are means over formulas.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ancestral import DAG, Counts, Identification, Moments, identify, pag_of
from ancestral.effects.discrete_formula import Query, interventional
from ancestral.effects.linear_formula import linear_formula_effect
from tests.support.interventions import NAPKIN, SIX, BinarySystem, LinearSystem, random_causes

#: Rows of the samples.
LINEAR_ROWS, LEVEL_ROWS = (200, 1000), (500, 2000, 10_000)

Floats = NDArray[np.float64]


def formulas(count: int, rng: np.random.Generator) -> Iterator[tuple[DAG, Identification]]:
    """DAGs and effects in them that need a formula: two known ones, then random ones, from the DAG or its PAG."""
    yield SIX, identify(pag_of(SIX), "x", "y")
    yield NAPKIN, identify(NAPKIN, "x", "y")
    found = 2
    while found < count:
        dag = random_causes(rng, most=6)
        x, y = (str(name) for name in rng.choice(dag.observed, 2, replace=False))
        said = identify(dag, x, y, adjustment=True)
        if said.how == "formula":
            found += 1
            yield dag, said


def linear(dag: DAG, said: Identification, rows: int, samples: int, rng: np.random.Generator) -> int:
    """In how many samples of random linear systems the 95 % interval has the true slope."""
    names, hits = list(dag.observed), 0
    for _ in range(samples):
        system = LinearSystem(dag, rng)
        root = np.linalg.cholesky(system.covariance(names))
        effect = linear_formula_effect(Moments.of(rng.standard_normal((rows, len(names))) @ root.T, names=names), said)
        truth = system.covariance([*said.x, *said.y], do=said.x)[0, 1]
        hits += effect.lows[0] <= truth <= effect.highs[0]
    return hits


def levels(dag: DAG, said: Identification, rows: int, samples: int, rng: np.random.Generator) -> int:
    """In how many samples of random binary systems the 95 % interval has the true difference of probabilities."""
    names, hits = list(dag.observed), 0
    assert said.formula is not None
    query = Query(said.x, said.y, said.conditions, said.formula)
    for _ in range(samples):
        system = BinarySystem(dag, rng)
        table = system.under()
        cells = np.repeat(np.arange(table.size), rng.multinomial(rows, table.ravel() / table.sum()))
        codes = [np.asarray(axis) for axis in np.unravel_index(cells, table.shape)]
        found = interventional(Counts.of_codes(names, [("no", "yes")] * len(names), codes), query)
        truth = system.of(list(said.y), list(said.x), [], [*said.x, *said.y])
        error = (found.draws[:, 1, 1] - found.draws[:, 0, 1]).std(ddof=1)
        estimate = found.values[1, 1] - found.values[0, 1]
        hits += abs(estimate - (truth[1, 1] - truth[0, 1])) <= 1.96 * error
    return hits


def main(arguments: list[str] | None = None) -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--formulas", type=int, default=20)
    parser.add_argument("--samples", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=Path, default=None)
    chosen = parser.parse_args(arguments)
    rng = np.random.default_rng(chosen.seed)
    cases = list(formulas(chosen.formulas, rng))
    quotients = sum(said.formula is not None and said.formula.has_quotient for _, said in cases)
    total = chosen.samples * len(cases)
    rows = []
    for kind, sizes, share in (("linear relations", LINEAR_ROWS, linear), ("two levels each", LEVEL_ROWS, levels)):
        for size in sizes:
            hits = sum(share(dag, said, size, chosen.samples, rng) for dag, said in cases)
            rows.append(f"| {kind} | {size:,} | {hits / total:.3f} |")
    lines = [
        "# How often intervals of formulas cover the truth",
        "",
        "`python -m benchmarks.formula_coverage "
        f"--formulas {chosen.formulas} --samples {chosen.samples} --seed {chosen.seed}`",
        "",
        f"95 % intervals of {len(cases)} effects that need a formula, {quotients} of them with a quotient. Each has",
        f"{chosen.samples} samples, from another random system each time: {total} samples a row, so that the standard",
        f"error of a share is {np.sqrt(0.95 * 0.05 / total):.3f}. Linear relations: delta method from the moments; two",
        "levels each: counts drawn again, one row spread over all cells.",
        "",
        "| data | rows | share that covers the truth |",
        "| --- | --- | --- |",
        *rows,
        "",
    ]
    print("\n".join(lines))
    if chosen.report is not None:
        chosen.report.write_text("\n".join(lines))


if __name__ == "__main__":
    main()
