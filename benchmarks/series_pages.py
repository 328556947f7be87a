"""Tables of searches of time series, and the page that has them."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from benchmarks.series_data import ALPHA, LAGS, REPORTING, TUNING, Cell
from benchmarks.series_scores import Run, difference, together
from benchmarks.series_worker import PATIENCE

#: The runs of a method by seeds, of the methods of a cell.
ByMethod = Mapping[str, Mapping[int, Run]]

#: What methods are called on the page.
LABELS = {
    "ours": "`discover_series`",
    "ours-own-past": "`discover_series`, own past stated",
    "lagged-frame": "`discover` on a lagged table, ICD with tiers",
    "lpcmci-1": "LPCMCI, 1 preliminary round (its default)",
    "lpcmci-4": "LPCMCI, 4 preliminary rounds",
    "lpcmci-own-past": "LPCMCI, own past stated",
    "pcmci-plus": "PCMCI+ (assumes that nothing is latent)",
}

#: The comparisons of the page: a method, and the one it is compared with.
PAIRS = (("ours", "lpcmci-1"), ("ours", "lpcmci-4"), ("ours-own-past", "lpcmci-own-past"))

HEADINGS = (
    "method",
    "F1",
    "precision",
    "recall",
    "marks right",
    "marks found",
    "wrong marks a run",
    "CPU s",
    "questions",
    "failed",
)


def f1(runs: Sequence[Run]) -> float:
    """F1 of the edges of all runs together."""
    return together(runs).f1


def wrong_marks(runs: Sequence[Run]) -> float:
    """Wrong marks a run."""
    return together(runs).wrong / len(runs)


def table(by_method: ByMethod) -> Iterator[str]:
    """A line for each method."""
    yield from head(HEADINGS)
    for method, runs in by_method.items():
        done = [run for run in runs.values() if run.counts is not None]
        if not done:
            yield row([LABELS.get(method, method), *[""] * (len(HEADINGS) - 2), str(len(runs))])
            continue
        counts = together(done)
        shares = (counts.f1, counts.precision, counts.recall, counts.marks_right, counts.marks_found)
        yield row(
            [
                LABELS.get(method, method),
                *(f"{share:.3f}" for share in shares),
                f"{wrong_marks(done):.2f}",
                f"{fmean(run.seconds for run in runs.values()):.3f}",
                f"{fmean(run.questions for run in done):,.0f}",
                str(len(runs) - len(done)),
            ]
        )


def differences(results: Mapping[Cell, ByMethod], pairs: Sequence[tuple[str, str]]) -> Iterator[str]:
    """A line for each pair of methods and each cell, on the data sets that both have finished."""
    yield from head(("method", "against", "cell", "data sets", "F1", "wrong marks a run", "CPU seconds, ratio"))
    for method, against in pairs:
        for cell, by_method in results.items():
            ours, theirs = by_method[method], by_method[against]
            seeds = [seed for seed in ours if ours[seed].counts is not None and theirs[seed].counts is not None]
            if not seeds:
                continue
            one, other = [ours[seed] for seed in seeds], [theirs[seed] for seed in seeds]
            edges, marks = difference(f1, one, other), difference(wrong_marks, one, other)
            ratio = sum(run.seconds for run in one) / sum(run.seconds for run in other)
            names = (LABELS.get(method, method), LABELS.get(against, against), title(cell), str(len(seeds)))
            yield row(
                [*names, f"{edges[0]:+.3f} ± {edges[1]:.3f}", f"{marks[0]:+.2f} ± {marks[1]:.2f}", f"{ratio:.3f}"]
            )


def title(cell: Cell) -> str:
    """What a cell is called on the page."""
    return f"{cell.observed} observed of {cell.processes} processes, {cell.rows} rows, a = {cell.autocorrelation:g}"


def head(names: Sequence[str]) -> Iterator[str]:
    """The first two lines of a table."""
    yield row(names)
    yield row(["---"] * len(names))


def row(cells: Sequence[str]) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"


EXPLANATION = f"""\
`make series-bench` (`python -m benchmarks.series`), seeds {REPORTING[0]} to {REPORTING[-1]}; options were chosen on
seeds {TUNING[0]} to {TUNING[-1]}.

**Data.** The design of Gerhardus & Runge (2020): linear processes with Gaussian noise, as many cross links as
processes, 30 % of them within a step, the others with lags of 1 to 3 steps; coefficients of 0.2 to 0.6, of either sign;
each process depends on its own last step with a coefficient between a − 0.3 (or 0) and a. One of 5, 3
of 10 or 4 of 14 processes are latent. Models that are not stationary are drawn again.

**Searches.** Windows of {LAGS} lags, partial correlation, alpha = {ALPHA}, one thread. All searches see the same
rows. *Own past stated* tells a search that the last step of each process is a cause of the present; this is true of
every cell but those with a = 0. LPCMCI and PCMCI+ are those of tigramite {{version}}. A search that takes more than
{PATIENCE:g} CPU seconds is stopped; it counts as failed.

**Scores.** Edges between different processes that end at t, against the MAG of the window, in which all earlier steps
are latent: this is what LPCMCI and `discover_series` aim at. PCMCI+ conditions on steps before the window and assumes
that nothing is latent, so it aims at another graph. Many true edges are weak, since each latent chain makes some; so
recall is low for all. Marks are judged by causes in the model, and those that the order of time gives are left out.
*Marks right*: right marks of the marks given. *Marks found*: right marks on true edges, of the ends of all true edges,
also those that no search could tell. Edges and marks of all data sets of a cell are counted together. *CPU s* and
*questions* are averages over data sets; a question that is asked again counts once.

Differences are on the same data sets, with the standard error of the jackknife over data sets; a positive difference of
F1 is in favour of the method in the first column, one of wrong marks against it.
"""


def page(results: Mapping[Cell, ByMethod], version: str) -> str:
    """The page with all tables."""
    out = ["# Time series: accuracy and cost beside tigramite", "", *EXPLANATION.format(version=version).splitlines()]
    out += ["", "## Differences", "", *differences(results, PAIRS)]
    for cell, by_method in results.items():
        count = len(next(iter(by_method.values())))
        out += ["", f"## {title(cell)}", "", f"{count} data sets.", "", *table(by_method)]
    return "\n".join([*out, ""])
