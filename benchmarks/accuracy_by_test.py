"""How close the graphs of ICD come to the true PAG with each independence test, on data that suit it and on others.

    python -m benchmarks.accuracy_by_test [--graphs 20] [--rows 1000] [--seed 40000]

Random DAGs of fifteen nodes as in the ICD paper, rows of each kind, alpha = 0.01. All tests see the same rows. Writes
docs/accuracy-by-test.md.
"""

import argparse
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import ancestral as an
from benchmarks.levels import page

#: What the columns of the page mean.
EXPLANATION = """\
Means over random DAGs of fifteen nodes, some of them latent, drawn as in the ICD paper; all tests see the same rows,
and ICD asks them at alpha = 0.01. F1 of edges counts adjacent pairs, "marks found" is the share of the marks of the
true PAG that the learned graph has, "false edges" are those between pairs that the true PAG separates, and seconds are
those of the whole call. "as …" tells how columns were read that the test is not for.
"""

NUMBERS = ("fisher-z", "rank", "copula", "basis", "kernel")
LABELS = ("labels", "g", "chi2", "mixed", "regression")
ALL = ("mixed", "regression", "rank", "basis", "kernel")


def heavy_tails(dag: an.DAG, rows: int, seed: int) -> pl.DataFrame:
    """Linear data, each column distorted by the same monotone function, so that its tails are heavy."""
    frame = an.simulate.linear_gaussian(dag, rows=rows, seed=seed)
    return frame.select((pl.col(name) - pl.col(name).mean()) / pl.col(name).std() for name in frame.columns).select(
        pl.col(name).sign() * (pl.col(name).abs().exp() - 1) ** 1.5 for name in frame.columns
    )


#: By the kind of data: how rows are drawn, their kinds of columns if these are not found by themselves, and the tests.
DATA: dict[str, tuple[Callable[..., pl.DataFrame], Any, tuple[str, ...]]] = {
    "linear, normal": (an.simulate.linear_gaussian, None, NUMBERS),
    "linear, then distorted": (heavy_tails, None, NUMBERS),
    "nonlinear": (an.simulate.nonlinear, None, NUMBERS),
    "ordinal, 5 levels": (an.simulate.ordinal, "ordinal", ("copula", "rank", "labels", "mixed", "fisher-z", "basis")),
    "labels, 3 levels": (partial(an.simulate.discrete, levels=3), None, LABELS),
    "numbers and labels": (an.simulate.mixed, None, ALL),
}


def learned(rows: pl.DataFrame, test: str, kinds: Any) -> tuple[an.PAG, str]:
    """The graph that ICD learns with a test, and how the columns were read if not as they are."""
    read = ""
    if test == "fisher-z" and kinds == "ordinal":
        kinds, read = "continuous", ", as numbers"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", an.DataWarning)
        return an.discover(rows, algorithm="icd", test=test, kinds=kinds, alpha=0.01, resamples=0).pag, read


def table(graphs: int, rows: int, seed: int) -> Iterator[str]:
    """The rows of the page."""
    dags = [an.simulate.random_dag(nodes=15, degree=2, seed=seed + i) for i in range(graphs)]
    truths = [an.pag_of(dag) for dag in dags]
    for kind, (draw, kinds, tests) in DATA.items():
        samples = [draw(dag, rows=rows, seed=seed + i) for i, dag in enumerate(dags)]
        for test in tests:
            began = time.perf_counter()
            found = [learned(sample, test, kinds) for sample in samples]
            seconds = (time.perf_counter() - began) / graphs
            both = [an.compare(pag, truth) for (pag, _), truth in zip(found, truths, strict=True)]
            f1, marks, false = np.mean([(one.f1, one.orientation, one.false_positives) for one in both], axis=0)
            yield f"| {kind} | {test}{found[0][1]} | {f1:.3f} | {marks:.3f} | {false:.1f} | {seconds:.2g} |"


def main() -> None:
    """Print the table and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", type=int, default=20)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=40000)
    parser.add_argument("--report", type=Path, default=Path("docs/accuracy-by-test.md"))
    options = parser.parse_args()
    page(
        "Graphs by test",
        f"python -m benchmarks.accuracy_by_test --graphs {options.graphs} --rows {options.rows} --seed {options.seed}",
        EXPLANATION,
        ("data", "test", "F1 of edges", "marks found", "false edges", "seconds"),
        table(options.graphs, options.rows, options.seed),
        options.report,
    )


if __name__ == "__main__":
    main()
