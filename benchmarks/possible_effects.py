"""What possible effects cost, how often the truth is among them, and how many of them random draws find.

    python -m benchmarks.possible_effects [--graphs 150] [--seed 1] [--report docs/speed-effects.md]

Linear systems with latent variables (`simulate.random_dag`, degree 2 to 2.5, one to three latent), in the population:
the PAG is the true one, and the covariances are exact. The pairs are those with a possible effect that adjustment does
not give.
"""

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import ancestral as an
from ancestral.graphs.marks import ARROW

#: Observed variables of the systems.
SIZES = (4, 5, 6, 8, 10)

#: Sizes, numbers of rounds and of draws of the measured times.
TIMED = (5, 10, 15, 20, 30, 50)
DRAWS = 200

#: The largest class that draws are compared with.
MOST = 20_000

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class System:
    """A DAG with latent variables, its PAG, the covariance of the observed variables, and the true effects."""

    pag: an.PAG
    moments: an.Moments
    effects: Floats


def system(nodes: int, rng: np.random.Generator) -> System:
    """A random linear system with this many observed variables."""
    latent = int(rng.integers(1, 4))
    dag = an.simulate.random_dag(nodes=nodes + latent, degree=rng.uniform(2, 2.5), latent=latent, seed=rng)
    size = len(dag.nodes)
    signs = rng.choice([-1.0, 1.0], (size, size))
    coefficients = np.where(dag.marks == ARROW, rng.uniform(0.3, 1.5, (size, size)) * signs, 0.0)
    total = np.linalg.inv(np.eye(size) - coefficients)
    covariance = total.T @ np.diag(rng.uniform(0.5, 2.0, size)) @ total
    seen = [dag.index(name) for name in dag.observed]
    moments = an.Moments.from_covariance(covariance[np.ix_(seen, seen)], rows=10_000, names=dag.observed)
    return System(an.pag_of(dag), moments, np.asarray(total[np.ix_(seen, seen)], dtype=np.float64))


def systems(nodes: int, count: int, seed: int) -> Iterator[System]:
    """Random systems of this size; those that cannot be drawn are left out."""
    rng = np.random.default_rng([seed, nodes])
    done = 0
    while done < count:
        try:
            one = system(nodes, rng)
        except an.GraphError:
            continue
        done += 1
        yield one


def open_pairs(one: System) -> Iterator[tuple[int, int]]:
    """The pairs with a possible effect that adjustment does not give."""
    names = one.moments.names
    for x, y in permutations(range(len(names)), 2):
        sets = an.adjustment_set(one.pag, names[x], names[y], limit=1)
        if not sets.exists and names[y] in one.pag.possible_descendants(names[x]):
            yield x, y


@dataclass
class Tally:
    """What was found for the pairs of one size."""

    graphs: list[int] = field(default_factory=list)
    listed: list[bool] = field(default_factory=list)
    values: list[int] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)
    settled: list[bool] = field(default_factory=list)
    inside: list[bool] = field(default_factory=list)
    among: list[bool] = field(default_factory=list)

    def add(self, one: System, x: int, y: int) -> None:
        """Look at one pair."""
        names, scale = one.moments.names, np.sqrt(one.moments.covariance.diagonal())
        found = an.possible_effects(one.pag, one.moments, names[x], names[y])
        unit, truth = scale[y] / scale[x], one.effects[x, y]
        close = 1e-7 * unit
        self.graphs.append(found.graphs)
        self.listed.append(found.all_listed)
        self.values.append(len(found.values))
        self.widths.append((found.high - found.low) / unit)
        self.settled.append(found.low > close or found.high < -close)
        self.inside.append(bool(found.low - close <= truth <= found.high + close))
        self.among.append(bool(np.abs(np.array(found.values) - truth).min() < close))

    def row(self, nodes: int) -> str:
        """A row of the table."""
        high = np.quantile(self.graphs, 0.9, method="lower")
        cells = [
            f"{nodes}",
            f"{len(self.graphs):,}",
            f"{np.median(self.graphs):,.0f} ({high:,.0f})",
            f"{np.mean(self.listed):.0%}",
            f"{np.median(self.values):.0f}",
            f"{np.median(self.widths):.2f}",
            f"{np.mean(self.settled):.0%}",
            f"{np.mean(self.inside):.0%}",
            f"{np.mean(self.among):.0%}",
        ]
        return f"| {' | '.join(cells)} |"


def truth_rows(count: int, seed: int) -> Iterator[str]:
    """How often the truth is among the values, by size."""
    for nodes in SIZES:
        tally = Tally()
        for one in systems(nodes, count // nodes, seed):
            for x, y in open_pairs(one):
                tally.add(one, x, y)
        yield tally.row(nodes)


def draw_rows(count: int, seed: int) -> Iterator[str]:
    """What draws find of what the list has, in classes that are larger than the number of draws."""
    for draws in (100, 500, 2_000):
        values, widths, pairs = [], [], 0
        for one in systems(7, count // 7, seed):
            names = one.moments.names
            for x, y in open_pairs(one):
                drawn = an.possible_effects(one.pag, one.moments, names[x], names[y], most=draws)
                if drawn.all_listed:
                    break  # so it is for all pairs of this graph
                listed = an.possible_effects(one.pag, one.moments, names[x], names[y], most=MOST)
                if not listed.all_listed:
                    break
                pairs += 1
                values.append(len(drawn.values) / len(listed.values))
                if len(listed.values) > 1:
                    widths.append((drawn.high - drawn.low) / (listed.high - listed.low))
        yield f"| {draws:,} | {pairs:,} | {np.mean(values):.1%} | {np.mean(widths):.1%} |"


def time_rows(seed: int) -> Iterator[str]:
    """Times by size: of a MAG that is listed, of one that is drawn, and of an answer."""
    for nodes in TIMED:
        answers, listing, drawing, graphs = [], [], [], 0
        for one in systems(nodes, 10, seed):
            start = time.perf_counter()
            codes = _listed(one.pag)
            listing.append(time.perf_counter() - start)
            graphs += codes
            start = time.perf_counter()
            an.sample_mags(one.pag, DRAWS, seed, selection_bias=False)
            drawing.append((time.perf_counter() - start) / DRAWS)
            x, y = next(open_pairs(one), (0, 1))
            names = one.moments.names
            start = time.perf_counter()
            an.possible_effects(one.pag, one.moments, names[x], names[y])
            answers.append(time.perf_counter() - start)
        cells = (1e6 * sum(listing) / graphs, 1e3 * np.median(drawing), 1e3 * np.median(answers), 1e3 * max(answers))
        yield f"| {nodes} | {cells[0]:,.0f} | {cells[1]:,.2f} | {cells[2]:,.0f} | {cells[3]:,.0f} |"


def _listed(pag: an.PAG) -> int:
    """List up to 2,000 graphs of a class; how many there were."""
    from ancestral.classes.listing import Members

    members = Members(pag, selection=False)
    codes, _ = members.walk().listed(2_000)
    return len(codes)


EXPLANATION = """\
`found.possible_effects(x, y)` ([possible-effects.md](possible-effects.md)) on linear systems with 1 to 3 latent
variables and a mean degree of 2 to 2.5 (`benchmarks/possible_effects.py`), with the true PAG and exact covariances.

## Time

By the number of observed variables, ten systems each: microseconds for a MAG that is listed, milliseconds for a MAG
that `sample_mags` draws (200 draws, checks of the MAGs included), and milliseconds for an answer, the median and the
longest, with at most 2,000 MAGs.

| variables | µs a MAG listed | ms a MAG drawn | ms an answer | longest |
| --- | --- | --- | --- | --- |
"""

TRUTH = """
## The truth among the values

All pairs with a possible effect that adjustment does not give. Widths are in units of standard deviations. The truth is
outside where arrows of its MAG are confounded as well, which is what the plain reading rules out.

| variables | pairs | MAGs, median (90 %) | all listed | values | width | sign settled | truth in range | in set |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""

DRAWN = """
## Random draws beside the list

Systems of seven variables whose classes have more MAGs than are drawn, and at most 20,000.

| draws | pairs | values found | of the range |
| --- | --- | --- | --- |
"""


def main() -> None:
    """Measure, print and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", type=int, default=150, help="systems of each size, times the size")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=Path, default=Path("docs/speed-effects.md"))
    options = parser.parse_args()
    command = f"python -m benchmarks.possible_effects --graphs {options.graphs} --seed {options.seed}"
    text = f"# What possible effects cost, and how often they are true\n\n`{command}`\n\n"
    for head, rows in (
        (EXPLANATION, time_rows(options.seed)),
        (TRUTH, truth_rows(options.graphs, options.seed)),
        (DRAWN, draw_rows(options.graphs, options.seed)),
    ):
        text += head
        for row in rows:
            print(row, flush=True)
            text += f"{row}\n"
    options.report.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
