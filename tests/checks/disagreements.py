"""How often tables of one population are said to disagree: at most 1 % of calls of `combine`.

    python -m tests.checks.disagreements [--calls 2000] [--seed 1]

Each call has two to four tables of 20 to 400 rows, drawn from one population of numbers (normal, skewed, heavy-tailed,
mostly zero), ordered levels and labels, which depend on each other, and each table has some of the columns.
"""

import argparse
import warnings

import numpy as np
import polars as pl

import ancestral as an


def population(rng: np.random.Generator, rows: int) -> pl.DataFrame:
    """Rows of one population: eight columns that depend on each other."""
    common, own = rng.standard_normal(rows), rng.standard_normal((7, rows))
    return pl.DataFrame(
        {
            "normal": common,
            "skewed": np.exp(common + own[0]),
            "heavy": rng.standard_t(2, rows) + common,
            "zero": np.where(rng.random(rows) < 0.8, 0.0, np.abs(own[1])),
            "counts": rng.poisson(np.exp(0.5 * common + 1.5)) + 0.0,
            "word": np.array(["a", "b", "c", "rare"])[np.digitize(common + own[2], [-1, 1, 3])],
            "yes": np.where(own[3] + common > 1, "yes", "no"),
            "many": np.array([f"l{i}" for i in range(12)])[rng.integers(0, 12, rows)],
        }
    )


def accused(rng: np.random.Generator) -> bool:
    """Whether tables of one population are said to disagree."""
    tables = {}
    for number in range(int(rng.integers(2, 5))):
        frame = population(rng, int(rng.integers(20, 400)))
        kept = sorted(rng.permutation(frame.columns)[: rng.integers(4, 8)].tolist())
        tables[f"t{number}"] = frame.select(kept)
    there = {name for table in tables.values() for name in table.columns}
    kinds = dict.fromkeys(sorted(there & {"counts", "zero"}), "continuous")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return bool(an.combine(tables, kinds=kinds).disagreements)


def main() -> None:
    """Count the calls in which tables of one population are accused."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    alarms = sum(accused(rng) for _ in range(options.calls))
    print(f"{alarms} of {options.calls} calls accuse tables of one population ({alarms / options.calls:.2%})")


if __name__ == "__main__":
    main()
