"""The page of the comparison; who is better where is read off the results."""

import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean, stdev

from benchmarks.beside.measures import MEASURES, Measure
from benchmarks.beside.plan import FIRST_SEED, LAWS, PATIENCE, SAME, Cell, Method
from benchmarks.beside.results import ByMethod, Found
from benchmarks.environments import PACKAGES
from benchmarks.series_data import Cell as SeriesCell
from benchmarks.series_pages import ByMethod as SeriesByMethod
from benchmarks.series_pages import differences as series_differences
from benchmarks.series_pages import head, row, title
from benchmarks.series_pages import table as series_table

#: How many standard errors make a difference.
CLEAR = 2.0

#: Comparisons of time series: ours, and theirs.
SERIES_PAIRS = (
    ("ours", "lpcmci-4"), ("ours", "lpcmci-1"), ("ours-own-past", "lpcmci-own-past"), ("ours", "pcmci-plus"),
)  # fmt: skip


# -- tables ---------------------------------------------------------------------------------------------------------


def table(by_method: ByMethod) -> Iterator[str]:
    """A line for each method, those with the largest share of right marks first."""
    yield from head(("search", "aims at", *(measure.heading for measure in MEASURES), "stopped or failed"))

    def key(method: Method) -> tuple[float, float]:
        done = [run.score for run in by_method[method] if run.score is not None]
        return (-fmean(score.marks for score in done), -fmean(score.f1 for score in done)) if done else (1.0, 1.0)

    for method in sorted(by_method, key=key):
        runs = by_method[method]
        values = [[measure.value(run) for run in runs if run.score is not None] for measure in MEASURES]
        cells = [measure.show(fmean(each)) if each else "" for measure, each in zip(MEASURES, values, strict=True)]
        failed = len([run for run in runs if run.score is None])
        why = next((run.failed for run in runs if run.score is None), "")
        label = method.label if method.ours else f"**{method.label}**"
        yield row([label, method.aims, *cells, f"{failed} of {len(runs)}: {why.partition(':')[0]}" if failed else "0"])


@dataclass(frozen=True)
class Difference:
    """Ours and another search on the data sets of a cell that both have finished, by one measure."""

    cell: Cell
    measure: Measure
    ours: Method
    theirs: Method
    our_mean: float
    their_mean: float
    error: float
    sets: int

    @property
    def gain(self) -> float:
        """How much better theirs is."""
        return (self.their_mean - self.our_mean) * (1 if self.measure.more_is_better else -1)

    @property
    def clear(self) -> bool:
        """Whether the difference is larger than two standard errors."""
        return abs(self.gain) > CLEAR * self.error

    @property
    def line(self) -> str:
        """A line of a table."""
        show = self.measure.show
        difference = f"{self.their_mean - self.our_mean:+.2g} ± {self.error:.2g}"
        return row(
            [
                f"{self.cell.name} ({self.sets})", self.measure.name, f"**{self.theirs.label}**",
                show(self.their_mean), show(self.our_mean), self.ours.label, difference,
            ]
        )  # fmt: skip


LINE = ("data (data sets)", "measure", "other package", "theirs", "ours", "our search", "theirs − ours")


def difference(cell: Cell, measure: Measure, ours: Method, theirs: Method, by_method: ByMethod) -> Difference | None:
    """The difference of two searches; None if they cannot be compared."""
    if measure.same_target and ours.aims != theirs.aims and cell.law.startswith("nothing latent"):
        return None
    if theirs not in by_method or ours not in by_method:
        return None
    pairs = [
        (measure.value(one), measure.value(other))
        for one, other in zip(by_method[ours], by_method[theirs], strict=True)
        if one.score is not None and other.score is not None
    ]
    if len(pairs) < 2:
        return None
    gaps = [other - one for one, other in pairs]
    means = fmean(one for one, _ in pairs), fmean(other for _, other in pairs)
    return Difference(cell, measure, ours, theirs, *means, stdev(gaps) / len(gaps) ** 0.5, len(gaps))


def best_others(found: Found) -> Iterator[Difference]:
    """For each cell and measure, the other search that does best beside the first of ours."""
    for cell, by_method in found.items():
        for measure in MEASURES:
            each = [
                one
                for theirs in by_method
                if not theirs.ours and (one := difference(cell, measure, cell.reference, theirs, by_method))
            ]
            if each:
                yield max(each, key=lambda one: one.gain)


def tally(differences: Iterable[Difference]) -> Iterator[str]:
    """How often the best other search, or ours, is clearly better, by measure."""
    all_of = list(differences)
    yield from head(("measure", "best other package better", "ours better", "neither clearly"))
    for measure in MEASURES:
        mine = [one for one in all_of if one.measure is measure]
        theirs = len([one for one in mine if one.clear and one.gain > 0])
        ours = len([one for one in mine if one.clear and one.gain < 0])
        yield row([measure.name, str(theirs), str(ours), str(len(mine) - theirs - ours)])


def same_algorithm(found: Found) -> Iterator[str]:
    """The same algorithm in two programs, where both finished."""
    yield from head(
        ("data (data sets)", "ours", "theirs", "F1, theirs − ours", "marks, theirs − ours", "CPU s, theirs / ours")
    )
    for ours, theirs in SAME:
        for cell, by_method in found.items():
            edges, marks, seconds = (
                difference(cell, MEASURES[i], ours, theirs, by_method) for i in (0, 1, len(MEASURES) - 1)
            )
            if edges and marks and seconds:
                both = [f"{one.their_mean - one.our_mean:+.3f} ± {one.error:.3f}" for one in (edges, marks)]
                ratio = f"{seconds.their_mean / seconds.our_mean:.1f}"
                yield row([f"{cell.name} ({edges.sets})", ours.label, f"**{theirs.label}**", *both, ratio])


# -- the page -------------------------------------------------------------------------------------------------------

FRAME = """\
# Beside others

`make peers` (`python -m benchmarks.beside`): searches of this package and of others on the same data, in one run on one
machine, one process at a time and one thread each. Names in bold are those of other packages. Everything below is
computed from the results, also who is better.

{setting}

**Data.** Seeds from {seed:,} on, on which nothing in this package was chosen. Weights are uniform in [−2, −0.5] and
[0.5, 2], columns in a random order; laws:

{laws}

Kinds of data: *gaussian*, linear with normal noise; *uniform noise*, linear; *discrete, 3 levels*, labels; *mixed, 3
levels*, half numbers and half labels; *curves*, a random function for each edge (`an.simulate.nonlinear`).

**Searches.** Those that ask questions use alpha = 0.01, and causal-learn's also its own default, 0.05. All other
options are defaults, except that PC of pgmpy, which stops at sets of five, may use sets of any size, as the others do.
Ours run with `resamples=0`: the default repeats a search by score on 30 resamples to say how firm its claims are, which
takes as many times as long ([Speed of certainty](speed-certainty.md)). First calls, which import, are not timed. A
search that takes more than {patience:g} CPU seconds is stopped; after two stops, or if it was stopped on all graphs of
a smaller size of the same law, it is not tried again. No search was tuned to these data, but some of the laws are
those that this package is measured on elsewhere; authors of other packages might choose others.

**Truth.** With something latent, all searches are held against the PAG of the generating DAG; with nothing latent,
each against what it aims at: the PAG, the CPDAG, or the DAG. PAGs of DAGs are made by rules that agree with an
enumeration of all graphs ([How it was checked](exhaustive.md)). "F1" is that of edges; "marks" the share of the marks
of the true graph that were found. "Right" and "false" count tails ("is a cause") and arrowheads ("is not a cause") of
found edges, a graph, by the causes in the generating DAG itself, whatever a search aims at: algorithms that assume that
nothing is latent make more claims, right and false ones. Undirected edges of a CPDAG count as `o-o`. Averages are of
the data sets that a search finished.
"""

RECORDED = """\
## Not run here

- pcalg (R) and Tetrad (Java) are not on PyPI. What the ICD paper printed for FCI, FCI+ and RFCI (Rohekar et al. 2021,
  Table 1, which names no versions) stands beside our implementations of them on [the page about that paper](paper.md).
- gcastle needs PyTorch, cdt needs R and PyTorch; their PC and GES are algorithms that are measured above.
- dodiscover is not on PyPI. pywhy-graphs has graphs and no searches.
"""


def setting(found: Found, absent: Sequence[str]) -> str:
    """Machine, date and versions, as recorded with the results."""
    versions: dict[str, str] = {}
    for by_method in found.values():
        for runs in by_method.values():
            for run in runs:
                versions |= {name: version for name, version in run.versions.items() if name not in ("Python", "numpy")}
    listed = ", ".join(f"{name} {version}" for name, version in sorted(versions.items()))
    tigramite = PACKAGES["tigramite"][0].replace("==", " ")
    missing = f" Could not be installed, and not compared: {', '.join(absent)}." if absent else ""
    return (
        f"**Run** of {datetime.now(UTC):%Y-%m-%d} on {_processor()}, Python {platform.python_version()}: "
        f"{listed}, {tigramite}.{missing} Seconds are CPU seconds of a shared machine."
    )


def _processor() -> str:
    """What the machine calls its processor."""
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def page(found: Found, series: Mapping[SeriesCell, SeriesByMethod], absent: Sequence[str]) -> str:
    """The page with all tables."""
    best = list(best_others(found))
    clear = [one for one in best if one.clear]
    ahead = sorted((one for one in clear if one.gain > 0), key=lambda one: (MEASURES.index(one.measure), one.cell.name))
    behind = sorted(
        (one for one in clear if one.gain < 0), key=lambda one: (MEASURES.index(one.measure), one.cell.name)
    )
    laws = "\n".join(f"- *{name}*: {law};" for name, law in LAWS.items())
    frame = FRAME.format(setting=setting(found, absent), seed=FIRST_SEED, patience=PATIENCE, laws=laws[:-1] + ".")
    reference = (
        "For each data law and measure, the best other search beside what a user of this package begins with: "
        "`discover(data)`, or BOSS where nothing is latent and this is known. A line means a difference of more than "
        "two standard errors over data sets; with two to five data sets this says little. The other search is the best "
        "of several by the measure in question, so it is not the same in each line."
    )
    out = [*frame.splitlines(), "", "## In short", "", reference, "", *tally(best)]
    out += ["", "## Where others are better", "", *head(LINE), *(one.line for one in ahead)]
    out += ["", "## Time series", "", *SERIES_TEXT.splitlines(), "", *series_differences(series, SERIES_PAIRS)]
    for cell, by_series in series.items():
        out += [
            "",
            f"### {title(cell)}",
            "",
            f"{len(next(iter(by_series.values())))} data sets.",
            "",
            *series_table(by_series),
        ]
    out += ["", "## The same algorithm in two packages", "", *same_algorithm(found)]
    out += ["", "## Where ours is better", "", *head(LINE), *(one.line for one in behind)]
    out += ["", *RECORDED.splitlines(), "", "## All results"]
    for table_cell, by_method in found.items():
        out += ["", f"### {table_cell.name}", "", f"{table_cell.graphs} data sets.", "", *table(by_method)]
    return "\n".join([*out, ""])


SERIES_TEXT = f"""\
The laws and scores of [the page about time series](series-benchmark.md), with seeds from {FIRST_SEED:,} on. A positive
difference of F1 is in favour of ours, one of wrong marks against it; a ratio of CPU seconds below 1 means that ours is
faster."""
