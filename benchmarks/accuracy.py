"""How close learned graphs come to the true PAG as the number of rows grows.

    python -m benchmarks.accuracy [--dags 30] [--seed 1]

Random DAGs of ten nodes as in the ICD paper, data of each kind, alpha = .01 up to 1000 rows, then .001: the F1
score of edges, the share of marks of the truth that were found, and the share of graphs that are exactly the PAG.
Writes docs/accuracy.md.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import ancestral as an

ROWS = (100, 1_000, 10_000, 100_000)
DATA: dict[str, Callable[..., Any]] = {
    "gaussian": an.simulate.linear_gaussian,
    "discrete, 2 levels": an.simulate.discrete,
    "mixed, 3 levels": an.simulate.mixed,
}


#: What the columns of the page mean.
EXPLANATION = """\
How close the graph that ICD learns comes to the true PAG as the number of rows grows. Each line is the mean over random
DAGs of ten nodes, some of them latent, drawn as in the ICD paper; alpha is 0.01 up to 1,000 rows and 0.001 above. F1 of
edges counts adjacent pairs, "marks found" is the share of the marks of the true PAG that the learned graph has, and the
last column is the share of graphs that equal the true PAG.
"""


def agreement(found: an.PAG, truth: an.PAG) -> tuple[float, float, bool]:
    """F1 of the edges, the share of the true marks that were found, and whether the graphs are equal."""
    both = an.compare(found, truth)
    return both.f1, both.orientation, both.same


def main() -> None:
    """Print the table and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dags", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=Path, default=Path("docs/accuracy.md"))
    options = parser.parse_args()
    lines = [
        "# From data to the true graph",
        "",
        f"`python -m benchmarks.accuracy --dags {options.dags} --seed {options.seed}`",
        "",
        *EXPLANATION.splitlines(),
        "",
        "| data | rows | F1 of edges | marks found | exactly the PAG |",
        "| --- | --- | --- | --- | --- |",
    ]
    print("\n".join(lines), flush=True)
    dags = [an.simulate.random_dag(nodes=10, degree=2, seed=options.seed + i) for i in range(options.dags)]
    truths = [an.pag_of(dag) for dag in dags]
    for name, draw in DATA.items():
        for rows in ROWS:
            alpha = 0.01 if rows <= 1_000 else 0.001
            scores = [
                agreement(
                    an.discover(draw(dag, rows=rows, seed=options.seed + i), algorithm="icd", alpha=alpha).pag, truth
                )
                for i, (dag, truth) in enumerate(zip(dags, truths, strict=True))
            ]
            f1, marks, exact = np.mean(np.array(scores, dtype=float), axis=0)
            lines.append(f"| {name} | {rows:,} | {f1:.2f} | {marks:.2f} | {exact:.2f} |")
            print(lines[-1], flush=True)
    options.report.write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
