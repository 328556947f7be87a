"""Questions with a perfect oracle (section 4.1): ICD against FCI, and against FCI+ and RFCI.

25 connected DAGs of 15, 20, 25 and 35 nodes each, rho = 2, all algorithms as printed.
"""

from collections.abc import Iterator
from functools import partial
from itertools import product
from statistics import fmean, median
from typing import Any

import polars as pl

import ancestral as an
from ancestral.reproduce.budget import fastest, search_within
from ancestral.reproduce.experiment import Experiment, Job, Outcome, Results, Scale
from ancestral.reproduce.figures import look, panels
from ancestral.reproduce.page import Block, Drawing, Heading, PageTable, Text
from ancestral.reproduce.printed import RUN_TIME_RATIO
from ancestral.reproduce.searches import options_of

__all__ = ["AGAINST_FCI", "AGAINST_RFCI", "ratios"]

DEGREE = 2

KEYS = ["nodes", "seed", "algorithm"]


def _jobs(name: str, algorithms: tuple[str, ...], scale: Scale, seed: int) -> list[Job]:
    return [
        Job(
            name,
            f"{nodes}-nodes-seed-{one}",
            {"nodes": nodes, "degree": DEGREE, "seed": one, "most": scale.most, "algorithms": list(algorithms)},
        )
        for nodes, one in product(scale.sizes, range(seed, seed + scale.dags))
    ]


def _run(job: Job) -> Outcome:
    nodes, seed, most = (job.settings[key] for key in ("nodes", "seed", "most"))
    dag = an.simulate.random_dag(nodes, job.settings["degree"], seed=seed)
    rows, seconds = [], []
    for name, options in options_of(*job.settings["algorithms"]).items():
        run = fastest(partial(search_within, an.Oracle(dag), options, most))
        key = {"nodes": nodes, "seed": seed, "algorithm": name}
        for size in range(max(run.by_size) + 1):
            rows.append({**key, "size": size, "questions": run.by_size[size], "censored": int(run.censored)})
        seconds.append({**key, "seconds": run.seconds, "censored": int(run.censored)})
    return Outcome(rows, seconds)


# -- the page -------------------------------------------------------------------------------------------------------


def _report(name: str, icd: str, others: tuple[str, ...], claim: str, results: Results) -> Iterator[Block]:
    rows = results.rows
    totals = rows.group_by(KEYS, maintain_order=True).agg(pl.col("questions").sum(), pl.col("censored").max())
    sizes = sorted(totals["nodes"].unique())
    algorithms = (icd, *others)
    dags = totals.select("nodes", "seed").unique().height
    yield Text(
        f"{dags} DAGs, rho = {DEGREE}, every algorithm as printed: edges are removed at once, nothing is verified; "
        "RFCI's own checks are counted with its questions. " + _censored(totals)
    )
    yield Drawing(
        f"{name}-total",
        f"Total number of questions. (a) Each DAG; below the line {icd} asks fewer. (b) Mean against the number of "
        "nodes; hollow: given up, so a lower bound.",
        partial(_draw_totals, totals, icd, others),
    )
    yield Drawing(
        f"{name}-sizes",
        "Mean number of questions by the size of the conditioning set. Searches count up to where they were given up.",
        partial(_draw_sizes, rows, algorithms),
    )
    yield Heading("Mean number of questions", 3)
    yield PageTable(
        ["nodes", *algorithms],
        [[str(n), *(_mean(totals.filter(nodes=n, algorithm=a)) for a in algorithms)] for n in sizes],
    )
    yield Heading("Fewer on every DAG, and at every set size?", 3)
    yield Text(f"The paper: “{claim}”. Ours:")
    yield PageTable(
        [
            "",
            "DAGs with fewer",
            "DAGs with more at no set size",
            "DAG and size: fewer / same / more",
            "means: fewer / same / more",
        ],
        [[f"{icd} against {other}", *_counts(rows, totals, icd, other)] for other in others],
    )
    yield Text(
        "A DAG on which ICD was given up decides nothing; sizes are compared where neither was given up. Means are "
        "those of each number of nodes and size. All algorithms ask about every pair given the empty set once, so size "
        "0 is always the same."
    )
    for other in others:
        if not_fewer := _not_fewer(totals, icd, other):
            yield Text(
                f"Not fewer than {other}: {not_fewer}. Where there are many triangles, PDS-paths lead past the "
                "neighbours to nodes that remain possible ancestors, and ICD asks about larger sets than the other."
            )
    yield Heading("Run time", 3)
    yield Text(
        "Run time of the other divided by that of ICD: of all DAGs of a size together, and the median over DAGs. Both "
        "use the same compiled routines; DAGs on which ICD was given up are left out. ≥: some runs of the other were "
        "given up."
    )
    printed = "FCI" in others
    header = ["nodes", *(f"{other} / ICD, {what}" for other in others for what in ("together", "median"))]
    yield PageTable(
        [*header, *(["printed, FCI / ICD"] if printed else [])],
        [
            [
                str(n),
                *(cell for other in others for cell in ratios(results.seconds.filter(nodes=n), icd, other)),
                *([str(RUN_TIME_RATIO.get(n, "–"))] if printed else []),
            ]
            for n in sizes
        ],
    )
    yield Text(
        "Time per question, with all work between questions: "
        + ", ".join(_per_question(results, algorithm) for algorithm in algorithms)
        + "."
    )


def _censored(totals: pl.DataFrame) -> str:
    given_up = totals.filter(censored=1)
    if not given_up.height:
        return "No search was given up."
    runs = ", ".join(f"{a} on {n} nodes, seed {s}" for n, s, a, *_ in given_up.iter_rows())
    most = max(given_up["questions"])
    return f"Given up after {most:,} questions, and counted with this number (censored): {runs}."


def _mean(totals: pl.DataFrame) -> str:
    at_least = "≥ " if any(totals["censored"]) else ""
    return f"{at_least}{fmean(totals['questions']):,.1f}"


def _side_by_side(frame: pl.DataFrame, on: list[str], icd: str, other: str) -> pl.DataFrame:
    """A row for each DAG (or each of its set sizes); missing counts are 0."""
    ours, theirs = (frame.filter(algorithm=a).drop("algorithm") for a in (icd, other))
    return ours.join(theirs, on=on, how="full", coalesce=True, suffix="_other").fill_null(0).sort(on)


def _counts(rows: pl.DataFrame, totals: pl.DataFrame, icd: str, other: str) -> Iterator[str]:
    dags = _side_by_side(totals, ["nodes", "seed"], icd, other)
    decided = dags.filter(censored=0)
    yield f"{(decided['questions'] < decided['questions_other']).sum()} of {decided.height}"
    ended = dags.filter(censored=0, censored_other=0).select("nodes", "seed")
    by_size = _side_by_side(rows.join(ended, on=["nodes", "seed"]), ["nodes", "seed", "size"], icd, other)
    more = by_size.filter(pl.col("questions") > pl.col("questions_other")).select("nodes", "seed").unique()
    yield f"{ended.height - more.height} of {ended.height}"
    yield _fewer_same_more(by_size)
    yield _fewer_same_more(by_size.group_by("nodes", "size").agg(pl.col("questions", "questions_other").sum()))


def _fewer_same_more(pairs: pl.DataFrame) -> str:
    difference = pairs["questions"] - pairs["questions_other"]
    return " / ".join(str(count.sum()) for count in (difference < 0, difference == 0, difference > 0))


def _not_fewer(totals: pl.DataFrame, icd: str, other: str) -> str:
    dags = _side_by_side(totals, ["nodes", "seed"], icd, other).filter(censored=0)
    more = dags.filter(pl.col("questions") >= pl.col("questions_other"))
    return "; ".join(
        f"{row['nodes']} nodes, seed {row['seed']} ({row['questions']:,} and {row['questions_other']:,})"
        for row in more.iter_rows(named=True)
    )


def ratios(seconds: pl.DataFrame, icd: str, other: str) -> Iterator[str]:
    """Run time of the other divided by that of ICD: of all DAGs together, and the median over DAGs."""
    dags = _side_by_side(seconds, ["nodes", "seed"], icd, other).filter(censored=0)
    at_least = "≥ " if any(dags["censored_other"]) else ""
    yield f"{at_least}{sum(dags['seconds_other']) / sum(dags['seconds']):.1f}"
    yield f"{median(dags['seconds_other'] / dags['seconds']):.1f}"


def _per_question(results: Results, algorithm: str) -> str:
    """The mean time per question, with all that a search does between questions."""
    questions = sum(results.rows.filter(algorithm=algorithm)["questions"])
    return f"{algorithm} {1e6 * sum(results.seconds.filter(algorithm=algorithm)['seconds']) / questions:.2f} µs"


# -- the figures ----------------------------------------------------------------------------------------------------


def _looks(icd: str) -> dict[str, dict[str, Any]]:
    """The style of each algorithm, the same in all figures."""
    return look((icd, "FCI", "FCI+", "RFCI"))


def _draw_totals(totals: pl.DataFrame, icd: str, others: tuple[str, ...]) -> Any:
    figure, (scatter, means) = panels(2, width=3.8, height=3.4)
    looks = _looks(icd)
    for other in others:
        dags = _side_by_side(totals, ["nodes", "seed"], icd, other)
        for given_up, label in ((0, f"ICD against {other}"), (1, f"{other} given up")):
            some = dags.filter(censored_other=given_up)
            if some.height:
                style = looks[other] if not given_up else {**looks[other], "markerfacecolor": "none"}
                shown = {**style, "linestyle": "none", "markersize": 5 if given_up else 4}
                scatter.plot(some["questions_other"], some["questions"], label=label, **shown)
    low, high = totals["questions"].min(), totals["questions"].max()
    scatter.plot([low, high], [low, high], color="#777777", linewidth=1, label="as many")
    scatter.set(xscale="log", yscale="log", xlabel=f"questions of {' or '.join(others)}", ylabel=f"questions of {icd}")
    scatter.set_title("(a)")
    scatter.legend(fontsize=8)
    for algorithm in (icd, *others):
        mean = (
            totals.filter(algorithm=algorithm)
            .group_by("nodes")
            .agg(pl.col("questions").mean(), pl.col("censored").max())
        )
        mean = mean.sort("nodes")
        means.plot(mean["nodes"], mean["questions"], label=algorithm, **looks[algorithm])
        at_least = mean.filter(censored=1)
        if at_least.height:
            hollow = {**looks[algorithm], "linestyle": "none", "markerfacecolor": "white"}
            means.plot(at_least["nodes"], at_least["questions"], **hollow)
    means.set(yscale="log", xlabel="number of nodes", ylabel="mean number of questions")
    means.set_xticks(sorted(totals["nodes"].unique()))
    means.set_title("(b)")
    means.legend(fontsize=8)
    return figure


def _draw_sizes(rows: pl.DataFrame, algorithms: tuple[str, ...]) -> Any:
    sizes = sorted(rows["nodes"].unique())
    figure, axes = panels(len(sizes), width=3.0, height=2.8)
    looks = _looks(algorithms[0])
    for panel, (axis, nodes) in enumerate(zip(axes, sizes, strict=True)):
        here = rows.filter(nodes=nodes)
        dags = here["seed"].n_unique()
        for algorithm in algorithms:
            sums = here.filter(algorithm=algorithm).group_by("size").agg(pl.col("questions").sum()).sort("size")
            axis.plot(
                sums["size"], sums["questions"] / dags, label=algorithm, **{**looks[algorithm], "markersize": 3.5}
            )
        axis.set(xlabel="size of the conditioning set", ylim=(0, None))
        axis.set_title(f"({'abcdefgh'[panel]}) {nodes} nodes")
        given_up = here.filter(censored=1).select("algorithm", "seed").unique(maintain_order=True)["algorithm"]
        if counts := [f"{name}: {(given_up == name).sum()}" for name in algorithms if (given_up == name).any()]:
            note = "\n".join([f"given up, of {dags}", *counts])
            axis.text(0.97, 0.95, note, transform=axis.transAxes, ha="right", va="top")
        axis.xaxis.get_major_locator().set_params(integer=True)
        axis.ticklabel_format(axis="y", style="sci", scilimits=(-3, 4))
    axes[0].set_ylabel("mean number of questions")
    axes[0].legend(fontsize=8)
    return figure


def _experiment(name: str, title: str, icd: str, others: tuple[str, ...], claim: str) -> Experiment:
    return Experiment(
        name, title, partial(_jobs, name, (icd, *others)), _run, partial(_report, name, icd, others, claim)
    )


AGAINST_FCI = _experiment(
    "fci",
    "ICD against FCI with a perfect oracle (section 4.1.1, Figures 3 and 4)",
    "ICD (1–2)",
    ("FCI",),
    "ICD requires fewer CI tests than FCI for all the 100 tested DAGs … for any conditioning set size",
)
AGAINST_RFCI = _experiment(
    "rfci",
    "ICD against FCI+ and RFCI with a perfect oracle (section 4.1.2, Figures 5 and 6)",
    "ICD (1–3)",
    ("FCI+", "RFCI"),
    "ICD requires fewer CI tests than FCI+ and RFCI for all the 100 tested DAGs … for any conditioning set size",
)
