"""Beyond the paper: 50 to 500 variables, ICD with each of our options, FCI and RFCI, on data."""

from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

import polars as pl

import ancestral as an
from ancestral.reproduce.accuracy import agreement
from ancestral.reproduce.budget import search_within
from ancestral.reproduce.experiment import Experiment, Job, Outcome, Results, Scale
from ancestral.reproduce.figures import log_scale, look, panels
from ancestral.reproduce.page import Block, Drawing, PageTable, Text
from ancestral.reproduce.searches import ICD_OPTIONS, OURS, PUBLISHED, options_of

__all__ = ["LARGE"]

DEGREE, ROWS, ALPHA = 2, 1000, 0.01

COMPARED = ("FCI", "RFCI", *ICD_OPTIONS)


def _jobs(scale: Scale, seed: int) -> list[Job]:
    fixed = {"degree": DEGREE, "rows": ROWS, "alpha": ALPHA, "most": scale.large_most, "algorithms": list(COMPARED)}
    return [
        Job("large", f"{nodes}-nodes-seed-{one}", {"nodes": nodes, "seed": one, **fixed})
        for nodes, one in product(scale.large_sizes, range(seed, seed + scale.large_dags))
    ]


def _run(job: Job) -> Outcome:
    settings = job.settings
    nodes, seed = settings["nodes"], settings["seed"]
    dag = an.simulate.random_dag(nodes, settings["degree"], seed=seed)
    truth = an.pag_of(dag)
    data = an.simulate.linear_gaussian(dag, settings["rows"], seed=seed)
    rows, seconds = [], []
    for name, options in options_of(*settings["algorithms"]).items():
        run = search_within(data, {"alpha": settings["alpha"], **options}, settings["most"])
        key = {"nodes": nodes, "seed": seed, "algorithm": name}
        rows.append({**key, "radius": run.stages[-1].radius, **agreement(run, truth)})
        seconds.append({**key, "seconds": run.seconds})
    return Outcome(rows, seconds)


def _report(results: Results) -> Iterator[Block]:
    rows = results.rows.join(results.seconds, on=["nodes", "seed", "algorithm"])
    means = rows.group_by("nodes", "algorithm", maintain_order=True).agg(
        pl.col("questions", "seconds", "fpr", "fnr", "f1", "orientation").mean(), pl.col("censored").sum(), pl.len()
    )
    given_up = rows.filter(censored=1)
    limit = f" after {max(given_up['questions']):,} questions" if given_up.height else ""
    yield Text(
        f"{rows['seed'].n_unique()} DAGs of each size, rho = {DEGREE}, {ROWS} rows, alpha = {ALPHA:g}. A search that "
        f"is given up{limit} is counted as censored, and the graph of its last stage is compared."
    )
    yield Drawing(
        "large",
        "Mean against the number of variables: (a) questions, (b) seconds, (c) F1 of the skeleton, (d) orientation "
        "accuracy. Hollow: some searches were given up.",
        partial(_draw, means),
    )
    yield PageTable(
        ["variables", "search", "questions", "seconds", "FPR", "FNR", "F1", "orientation", "given up"],
        [
            [
                str(row["nodes"]),
                row["algorithm"],
                f"{'≥ ' if row['censored'] else ''}{row['questions']:,.0f}",
                f"{row['seconds']:.3f}",
                f"{row['fpr']:.4f}",
                *(f"{row[measure]:.3f}" for measure in ("fnr", "f1", "orientation")),
                f"{row['censored']} of {row['len']}",
            ]
            for row in means.iter_rows(named=True)
        ],
    )
    for nodes in means["nodes"].unique(maintain_order=True):
        here = means.filter(nodes=nodes)
        best = {
            measure: here.row(int(here[measure].arg_max() or 0), named=True)["algorithm"]
            for measure in ("f1", "orientation")
        }
        yield Text(f"{nodes} variables: highest F1 {best['f1']}, highest orientation accuracy {best['orientation']}.")


def _draw(means: pl.DataFrame) -> Any:
    figure, axes = panels(4, width=2.7, height=3.2)
    shown = (OURS, PUBLISHED, "FCI", "RFCI")
    looks = look((PUBLISHED, "FCI", "FCI+", "RFCI", OURS))  # as in the figures of accuracy
    labels = ("questions", "seconds", "F1 of the skeleton", "orientation accuracy")
    columns = ("questions", "seconds", "f1", "orientation")
    for axis, column, label, letter in zip(axes, columns, labels, "abcd", strict=True):
        for algorithm in shown:
            some = means.filter(algorithm=algorithm)
            axis.plot(some["nodes"], some[column], label=algorithm, **looks[algorithm])
            hollow = {**looks[algorithm], "linestyle": "none", "markerfacecolor": "white"}
            axis.plot(*some.filter(pl.col("censored") > 0).select("nodes", column), **hollow)
        axis.set(xlabel="number of variables", ylabel=label)
        if column in ("questions", "seconds"):
            log_scale(axis)
        axis.set_title(f"({letter})")
    handles, names = axes[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=len(names))
    return figure


LARGE = Experiment("large", "Beyond the paper: 50 to 500 variables", _jobs, _run, _report)
