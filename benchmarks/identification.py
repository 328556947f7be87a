"""What identification costs: the verdict, and the formula, by the number of variables.

    python -m benchmarks.identification [--graphs 20] [--seed 1] [--report docs/speed-identification.md]

PAGs of random DAGs with latent variables (`simulate.random_dag`); in each, questions about one cause and one outcome,
two causes and one outcome, and one cause and all other variables jointly. The times are those of `an.identify`, which
answers with a verdict, and of `.formula`, which is built when it is asked for; the graph is read and checked once for
each question.
"""

import argparse
import time
from collections import Counter
from pathlib import Path

import numpy as np

import ancestral as an

#: Observed variables.
SIZES = (10, 20, 40, 80)

#: The three kinds of questions.
KINDS = ("one cause", "two causes", "all others jointly")


def questions(pag: an.PAG, rng: np.random.Generator) -> list[tuple[str, list[str], list[str]]]:
    """Random questions of each kind."""
    out = []
    for _ in range(5):
        a, b, c = (str(name) for name in rng.choice(pag.nodes, 3, replace=False))
        others = [name for name in pag.nodes if name != a]
        out += [(KINDS[0], [a], [b]), (KINDS[1], [a, b], [c]), (KINDS[2], [a], others)]
    return out


def measured(size: int, graphs: int, seed: int) -> list[str]:
    """Rows of the table: for each kind of question, milliseconds of verdict and formula, and what was answered."""
    rng = np.random.default_rng(seed)
    verdicts: dict[str, list[float]] = {kind: [] for kind in KINDS}
    formulas: dict[str, list[float]] = {kind: [] for kind in KINDS}
    counts: Counter[tuple[str, bool]] = Counter()
    for _ in range(graphs):
        hidden = max(1, size // 10)
        dag = an.simulate.random_dag(nodes=size + hidden, degree=2.5, seed=int(rng.integers(2**31)))
        pag = an.pag_of(dag)
        for kind, x, y in questions(pag, rng):
            begin = time.perf_counter()
            said = an.identify(pag, x, y)
            verdicts[kind].append(time.perf_counter() - begin)
            counts[kind, bool(said)] += 1
            if said.how == "formula":
                begin = time.perf_counter()
                assert said.formula is not None
                formulas[kind].append(time.perf_counter() - begin)
    return [
        f"| {size} | {kind} | {_ms(verdicts[kind])} | {_ms(formulas[kind])} | {counts[kind, True]} of "
        f"{counts[kind, True] + counts[kind, False]} |"
        for kind in KINDS
    ]


def _ms(times: list[float]) -> str:
    return f"{1e3 * float(np.median(times)):.1f} ({1e3 * max(times):.0f})" if times else ""


def main(arguments: list[str] | None = None) -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=Path, default=None)
    chosen = parser.parse_args(arguments)
    an.identify(an.PAG.parse("a o-> b"), "a", "b")  # so that no import is measured
    lines = [
        "# What identification costs",
        "",
        f"`python -m benchmarks.identification --graphs {chosen.graphs} --seed {chosen.seed}`",
        "",
        "Milliseconds of `an.identify`, with all checks of the graph, and of building the formula where it is none of",
        "adjustment: the median, and the longest in brackets. PAGs of random DAGs with a tenth of latent variables.",
        "",
        "| variables | question | ms a verdict | ms a formula | identified |",
        "| --- | --- | --- | --- | --- |",
        *(row for size in SIZES for row in measured(size, chosen.graphs, chosen.seed)),
        "",
    ]
    print("\n".join(lines))
    if chosen.report is not None:
        chosen.report.write_text("\n".join(lines))


if __name__ == "__main__":
    main()
