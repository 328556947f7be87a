"""How close the graphs of each algorithm come to the true PAG: `make accuracy`.

    python -m benchmarks.accuracy [--cells WORD ...] [--graphs N] [--seed 20000] [--jobs 2]

A cell is a design (`benchmarks.designs`), a number of nodes, a number of rows and a kind of data. All algorithms of a
cell see the same rows. Each graph is a job of its own, and results are kept in build/accuracy.jsonl, so that a run that
was stopped goes on; `--anew` begins again. Defaults of the algorithms were chosen on seeds 5000 to 9999; the seeds here
begin at 20000. Writes docs/accuracy.md.
"""

import argparse
import contextlib
import io
import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

import ancestral as an
from ancestral.graphs.marks import ARROW, TAIL
from benchmarks.designs import DESIGNS, Model

KEPT = Path("build/accuracy.jsonl")

#: Degrees of freedom of the heavy-tailed noise: Student's t with this many has a variance, and outliers.
HEAVY = 3


# -- cells ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cell:
    """Graphs of one design and size, and data of one kind, with the algorithms that are compared on them."""

    design: str
    nodes: int
    rows: int
    kind: str = "gaussian"
    graphs: int = 100
    algorithms: tuple[str, ...] = ("scored", "icd", "rfci", "dag")

    @property
    def name(self) -> str:
        """What the cell is called in files and on the page."""
        return f"{self.design}, {self.nodes} nodes, {self.rows} rows, {self.kind}"

    def data(self, seed: int) -> tuple[an.PAG, pl.DataFrame]:
        """The true PAG and the rows of one graph."""
        model = DESIGNS[self.design](self.nodes, seed)
        return model.truth, KINDS[self.kind](model, self.rows, seed)


#: Draws rows from a model, with a seed.
RowsOf = Callable[[Model, int, int], pl.DataFrame]


def _gaussian(model: Model, rows: int, seed: int) -> pl.DataFrame:
    return model.rows(rows, seed)


def _with_noise(
    draw: Callable[[np.random.Generator, tuple[int, int]], Any],
) -> Callable[[Model, int, int], pl.DataFrame]:
    """Rows of the same linear model with other noise of unit variance."""

    def rows_of(model: Model, rows: int, seed: int) -> pl.DataFrame:
        noise = draw(np.random.default_rng([seed, 2]), (rows, len(model.dag.nodes)))
        where = [model.dag.index(name) for name in model.dag.observed]
        return pl.DataFrame(noise @ model.model.effects[:, where], schema=list(model.dag.observed))

    return rows_of


def _distorted(model: Model, rows: int, seed: int) -> pl.DataFrame:
    """Gaussian rows, each column of which was changed by an increasing function of its own."""
    frame = model.rows(rows, seed)
    which = np.random.default_rng([seed, 3]).integers(len(INCREASING), size=frame.width)
    columns = {}
    for name, number in zip(frame.columns, which.tolist(), strict=True):
        values = frame[name].to_numpy()
        columns[name] = INCREASING[number]((values - values.mean()) / values.std())
    return pl.DataFrame(columns)


#: Increasing functions of standardised values.
INCREASING: tuple[Callable[[Any], Any], ...] = (np.exp, lambda x: x**3, lambda x: np.sign(x) * x**2, np.tanh)


def _curved(model: Model, rows: int, seed: int) -> pl.DataFrame:
    """The DAG of the model, with normal noise, and for each edge a function of its own, often far from linear."""
    rng = np.random.default_rng([seed, 4])
    nodes, weights = model.dag.nodes, model.model.weights
    values: dict[int, NDArray[np.float64]] = {}
    waiting = list(range(len(nodes)))
    while waiting:
        for v in waiting:
            parents = np.flatnonzero(weights[:, v]).tolist()
            if all(u in values for u in parents):
                total = rng.standard_normal(rows)
                for u in parents:
                    curve = CURVES[int(rng.integers(len(CURVES)))]
                    total += weights[u, v] * curve((values[u] - values[u].mean()) / values[u].std())
                values[v] = total
                waiting.remove(v)
                break
    return pl.DataFrame({name: values[model.dag.index(name)] for name in model.dag.observed})


#: Effects of a standardised parent.
CURVES: tuple[Callable[[Any], Any], ...] = (
    lambda x: x,
    lambda x: np.tanh(2 * x),
    lambda x: x + 0.5 * (x**2 - 1),
    lambda x: np.sign(x) * np.abs(x) ** 1.5,
)


#: How rows are drawn from a model, by kind.
KINDS: dict[str, RowsOf] = {
    "gaussian": _gaussian,
    "uniform noise": _with_noise(lambda rng, shape: rng.uniform(-(3**0.5), 3**0.5, shape)),
    "heavy tails": _with_noise(lambda rng, shape: rng.standard_t(HEAVY, shape) / HEAVY**0.5),
    "distorted": _distorted,
    "curved": _curved,
    "discrete, 3 levels": lambda model, rows, seed: an.simulate.discrete(model.dag, rows=rows, levels=3, seed=seed),
    "discrete, 4 levels": lambda model, rows, seed: an.simulate.discrete(model.dag, rows=rows, levels=4, seed=seed),
    "mixed, 3 levels": lambda model, rows, seed: an.simulate.mixed(model.dag, rows=rows, levels=3, seed=seed),
}

SMALL = tuple(
    Cell(design, 15, rows, algorithms=("scored", "icd", "rfci", "dag", "gfci", "boss-fci"))
    for design in ("paper", "latent", "bidir", "selection", "weak")
    for rows in (100, 1000, 3000)
)
PEER = tuple(Cell(design, 15, 1000, graphs=30, algorithms=("causal-learn",)) for design in ("paper", "latent", "bidir"))
LARGE = tuple(
    Cell(design, nodes, 1000, graphs=graphs)
    for nodes, graphs, designs in (
        (50, 10, ("paper", "latent", "bidir", "degree 4")),
        (100, 10, ("paper", "latent", "bidir")),
        (300, 10, ("paper", "latent", "bidir")),
        (1000, 10, ("paper",)),
    )
    for design in designs
)
OTHER_DATA = tuple(
    Cell(design, 15, rows, kind, 30, ("scored", "icd", "icd on mixed", "dag"))
    for design in ("paper", "bidir")
    for kind in ("discrete, 3 levels", "discrete, 4 levels", "mixed, 3 levels")
    for rows in (1000, 5000)
) + tuple(Cell("paper", 15, 1000, kind, 30) for kind in ("uniform noise", "heavy tails"))

SECTIONS = {
    "15 nodes": SMALL,
    "15 nodes, FCI of causal-learn": PEER,
    "50 to 1,000 nodes": LARGE,
    "Labels, mixed columns, other noise": OTHER_DATA,
}


# -- algorithms -----------------------------------------------------------------------------------------------------


def _of(algorithm: str, **options: Any) -> Callable[[pl.DataFrame], an.PAG]:
    return lambda rows: an.discover(rows, algorithm=algorithm, resamples=0, **options).pag


def _ordered(rows: pl.DataFrame) -> an.PAG:
    """The PAG of the best DAG of the order search, which is the first stage of the scored search."""
    return next(iter(an.stages(rows, algorithm="scored"))).pag


def _causal_learn(rows: pl.DataFrame) -> an.PAG:
    from causallearn.search.ConstraintBased.FCI import fci

    with contextlib.redirect_stdout(io.StringIO()):
        graph, _ = fci(rows.to_numpy(), "fisherz", 0.01, verbose=False, show_progress=False)
    found = an.from_causal_learn(graph, "pag")
    return an.PAG(rows.columns, found.arranged([f"X{i + 1}" for i in range(len(rows.columns))]))


#: What is compared: the graph that is learned from rows.
ALGORITHMS: dict[str, Callable[[pl.DataFrame], an.PAG]] = {
    "scored": _of("scored"),
    "icd": _of("icd", alpha=0.01, selection_bias=False),
    "icd on mixed": _of("icd", alpha=0.01, selection_bias=False, test="mixed"),
    "rfci": _of("rfci", alpha=0.01, selection_bias=False),
    "dag": _ordered,
    "gfci": _of("gfci", alpha=0.01),
    "boss-fci": _of("boss-fci", alpha=0.01),
    "causal-learn": _causal_learn,
}


# -- jobs -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Score:
    """One learned graph beside the truth. Tails and arrowheads are counts of claims, and of those that are false."""

    cell: str
    algorithm: str
    seed: int
    f1: float
    orientation: float
    tails: int
    false_tails: int
    arrows: int
    false_arrows: int
    same: bool
    seconds: float


def scores_of(cell: Cell, seed: int, algorithms: Iterable[str]) -> list[Score]:
    """The scores of some algorithms of a cell on one graph."""
    truth, rows = cell.data(seed)
    out = []
    for name in algorithms:
        before = time.process_time()
        found = ALGORITHMS[name](rows)
        seconds = time.process_time() - before
        both = an.compare(found, truth)
        marks, true = found.marks, truth.arranged(found.nodes)
        tails, arrows = marks == TAIL, marks == ARROW
        out.append(
            Score(
                cell.name, name, seed, both.f1, both.orientation, *_counts(tails, true != TAIL),
                *_counts(arrows, true != ARROW), both.same, seconds,
            )
        )  # fmt: skip
    return out


def _counts(claimed: NDArray[np.bool_], wrong: NDArray[np.bool_]) -> tuple[int, int]:
    return int(claimed.sum()), int((claimed & wrong).sum())


def _job(job: tuple[Cell, int, list[str]]) -> list[dict[str, Any]]:
    return [asdict(score) for score in scores_of(*job)]


def run(cells: Iterable[Cell], seed: int, jobs: int, graphs: int | None) -> list[Score]:
    """The scores of all cells; those that are kept from an earlier run are not computed again."""
    cells = list(cells)
    kept = _kept()
    done = {(score.cell, score.seed, score.algorithm) for score in kept}
    waiting = [
        (cell, seed + i, missing)
        for cell in cells
        for i in range(min(cell.graphs, graphs or cell.graphs))
        if (missing := [name for name in cell.algorithms if (cell.name, seed + i, name) not in done])
    ]
    KEPT.parent.mkdir(exist_ok=True)
    with ProcessPoolExecutor(jobs) as pool, KEPT.open("a", encoding="utf-8") as file:
        for (cell, number, _), found in zip(waiting, pool.map(_job, waiting), strict=True):
            file.writelines(json.dumps(score) + "\n" for score in found)
            file.flush()
            print(f"{cell.name}, seed {number}", flush=True)
    wanted = {(cell.name, name, seed + i) for cell in cells for name in cell.algorithms for i in range(cell.graphs)}
    return [score for score in _kept() if (score.cell, score.algorithm, score.seed) in wanted]


def _kept() -> list[Score]:
    if not KEPT.exists():
        return []
    return [Score(**json.loads(line)) for line in KEPT.read_text(encoding="utf-8").splitlines()]


# -- the page -------------------------------------------------------------------------------------------------------

EXPLANATION = """\
Each line is the mean over random graphs; all algorithms of a cell see the same rows. The designs are those of
`benchmarks/designs.py`: *paper* is the law of the ICD paper, *latent* adds latent causes of random pairs (half as many
as there are nodes), in *bidir* 70 % of the edges are latent causes of their two ends, *selection* conditions on two
selection nodes with two parents each, *weak* has weights between 0.1 and 0.7 instead of 0.5 and 2, *degree 4* is the
law of the paper with twice as many edges. "F1" is that of edges, "marks" the share of the marks of the true PAG that
the learned graph has, "false tails" and "false arrowheads" the shares of those claimed that are not in the true PAG,
"same" the share of graphs that are equal to it, "seconds" processor time. "± " is the standard error of the difference
to the scored search, graph by graph. ICD, RFCI, GFCI and BOSS-FCI use alpha = 0.01 and, as the scored search does,
assume that there is no selection; "dag" is the PAG of the DAG that the order search finds.
"""

HEADER = (
    "| design | rows | algorithm | F1 | marks | marks beside scored | false tails | false arrowheads | same | seconds |"
)


def lines_of(cells: Iterable[Cell], scores: Iterable[Score]) -> Iterator[str]:
    """The lines of a table about some cells."""
    by: dict[tuple[str, str], dict[int, Score]] = defaultdict(dict)
    for score in scores:
        by[score.cell, score.algorithm][score.seed] = score
    yield HEADER
    yield "|" + " --- |" * HEADER.count("| ")
    for cell in cells:
        base = by[cell.name, "scored"]
        for name in cell.algorithms:
            found = by[cell.name, name]
            if not found:
                continue
            each = list(found.values())
            common = [seed for seed in found if seed in base]
            gap = np.array([found[seed].orientation - base[seed].orientation for seed in common])
            beside = (
                ""
                if name == "scored" or len(gap) < 2
                else f"{gap.mean():+.3f} ± {gap.std(ddof=1) / len(gap) ** 0.5:.3f}"
            )
            what = cell.design if cell.kind == "gaussian" else f"{cell.design}, {cell.kind}"
            size = "" if cell.nodes == 15 else f" {cell.nodes}"
            yield (
                f"| {what}{size} | {cell.rows:,} | {name} | {np.mean([s.f1 for s in each]):.3f} "
                f"| {np.mean([s.orientation for s in each]):.3f} | {beside} "
                f"| {_share(each, 'false_tails', 'tails')} | {_share(each, 'false_arrows', 'arrows')} "
                f"| {np.mean([s.same for s in each]):.2f} | {np.mean([s.seconds for s in each]):.2g} |"
            )


def _share(scores: list[Score], part: str, whole: str) -> str:
    total = sum(getattr(score, whole) for score in scores)
    return f"{sum(getattr(score, part) for score in scores) / total:.2f}" if total else ""


def page(scores: list[Score], command: str) -> str:
    """The page with all tables."""
    out = ["# How close to the truth", "", f"`{command}`", "", *EXPLANATION.splitlines()]
    for title, cells in SECTIONS.items():
        counts = sorted({cell.graphs for cell in cells})
        out += ["", f"## {title}", "", f"Graphs a cell: {', '.join(map(str, counts))}.", "", *lines_of(cells, scores)]
    return "\n".join([*out, ""])


def main() -> None:
    """Run what is missing, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", nargs="*", default=[""], help="only cells whose name contains one of these")
    parser.add_argument("--graphs", type=int, help="at most this many graphs a cell")
    parser.add_argument("--seed", type=int, default=20_000)
    parser.add_argument("--jobs", type=int, default=2, help="how many processes")
    parser.add_argument("--anew", action="store_true", help="forget the results of earlier runs")
    parser.add_argument("--report", type=Path, default=Path("docs/accuracy.md"))
    options = parser.parse_args()
    if options.anew:
        KEPT.unlink(missing_ok=True)
    cells = [cell for part in SECTIONS.values() for cell in part if any(word in cell.name for word in options.cells)]
    run(cells, options.seed, options.jobs, options.graphs)
    command = f"python -m benchmarks.accuracy --seed {options.seed}"
    options.report.write_text(page(_kept(), command), encoding="utf-8")


if __name__ == "__main__":
    main()
