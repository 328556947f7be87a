"""Beyond the paper: false marks of each stage, with and without verification, on the graphs of docs/theory.md."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import polars as pl

import ancestral as an
from ancestral.reproduce.budget import search_within
from ancestral.reproduce.experiment import Experiment, Job, Outcome, Results, Scale
from ancestral.reproduce.figures import look, panels
from ancestral.reproduce.graphs import THEORY
from ancestral.reproduce.page import Block, Drawing, PageTable, Text
from ancestral.reproduce.relabeling import names_at_random, relabeled

__all__ = ["STAGES", "false_marks"]

SEARCHES: dict[str, dict[str, Any]] = {
    f"{algorithm}, {removal}{', verified' if verify else ''}": {**which, "stable": stable, "verify": verify}
    for algorithm, which in {
        "ICD": {"algorithm": "icd", "possible_ancestors": "all"},
        "FCI": {"algorithm": "fci"},
    }.items()
    for removal, stable in (("immediate", False), ("stable", True))
    for verify in (False, True)
}


def _jobs(scale: Scale, seed: int) -> list[Job]:
    return [
        Job(
            "stages",
            f"{name.replace(' ', '-')}-labeling-{one}",
            {"graph": name, "dag": str(dag), "labeling": one, "most": scale.most},
        )
        for name, dag in THEORY.items()
        for one in range(seed, seed + scale.labelings)
    ]


def _run(job: Job) -> Outcome:
    known, labeling = an.DAG.parse(job.settings["dag"]), job.settings["labeling"]
    dag = relabeled(known, names_at_random(known.nodes, labeling))
    truth = an.pag_of(dag)
    rows = []
    for name, options in SEARCHES.items():
        run = search_within(an.Oracle(dag), options, job.settings["most"])
        for number, stage in enumerate(run.stages):
            both = an.compare(stage, truth)
            rows.append(
                {
                    "graph": job.settings["graph"],
                    "labeling": labeling,
                    "search": name,
                    "stage": number,
                    "phase": str(stage.phase),
                    "radius": stage.radius,
                    "marks": sum(edge[0] != "o" for _, edge, _ in _both_ways(stage.pag)),
                    "false_marks": false_marks(dag, stage.pag),
                    "extra_edges": both.false_positives,
                    "missing_edges": both.false_negatives,
                    "last": int(stage is run.stages[-1]),
                    "exact": int(both.same),
                    "censored": int(run.censored),
                }
            )
    return Outcome(rows, [])


def _both_ways(pag: an.PAG) -> Iterator[tuple[str, str, str]]:
    """Each edge, read from a to b and from b to a, so that each end is the first one once."""
    for a, edge, b in pag.edges():
        yield a, edge, b
        yield b, pag.edge(b, a) or "", a


def false_marks(dag: an.DAG, pag: an.PAG) -> int:
    """The number of marks that are false in the DAG.

    A tail at a on a–b says that a causes b or the selection, an arrowhead says that it causes neither.

    >>> dag = an.DAG.parse("a -> b, b -> c")
    >>> false_marks(dag, an.PAG.parse("a --> b, b o-> c")), false_marks(dag, an.PAG.parse("a <-> b, c --> b"))
    (0, 3)
    """
    selected = frozenset[str]().union(*(dag.ancestors(s) for s in dag.selection))
    count = 0
    for a, edge, b in _both_ways(pag):
        causes = a in dag.ancestors(b) or a in selected
        count += (edge[0] == "-" and not causes) or (edge[0] == "<" and causes)
    return count


# -- the page -------------------------------------------------------------------------------------------------------


def _report(results: Results) -> Iterator[Block]:
    rows = results.rows
    labelings = rows["labeling"].n_unique()
    yield Text(
        f"The graphs of docs/theory.md with a perfect oracle, each under {labelings} random labellings, ICD with "
        "conditions 1–3, and FCI, whose stages are those of anytime FCI. A tail at a on a–b says that a causes b (or "
        "the selection), an arrowhead that it does not; a mark is false if that is not so in the DAG."
    )
    yield Drawing(
        "stages",
        "Mean number of false marks after each radius of ICD, by graph, over the runs that reached that radius.",
        partial(_draw, rows),
    )
    sums = rows.group_by("graph", "search", maintain_order=True).agg(
        pl.len().alias("stages"),
        (pl.col("false_marks") > 0).sum().alias("lying"),
        pl.col("false_marks").sum(),
        ((pl.col("last") == 1) & (pl.col("exact") == 0)).sum().alias("wrong_ends"),
    )
    yield PageTable(
        ["graph", "search", "stages", "with a false mark", "false marks", "runs with a wrong result"],
        [[str(cell) for cell in row] for row in sums.iter_rows()],
    )
    verified = sums.filter(pl.col("search").str.ends_with("verified"))
    yield Text(
        f"With verification {verified['lying'].sum()} of {verified['stages'].sum()} stages have a false mark, and "
        f"{verified['wrong_ends'].sum()} runs end with a graph other than the PAG."
    )


def _draw(rows: pl.DataFrame) -> Any:
    graphs = rows["graph"].unique(maintain_order=True).to_list()
    searches = [name for name in SEARCHES if name.startswith("ICD")]
    figure, axes = panels(len(graphs), width=2.4, height=3.0)
    looks = look(searches)
    means = rows.group_by("graph", "search", "radius", maintain_order=True).agg(pl.col("false_marks").mean())
    for axis, graph in zip(axes, graphs, strict=True):
        for search in searches:
            some = means.filter(graph=graph, search=search).sort("radius")
            axis.plot(some["radius"], some["false_marks"], label=search, **looks[search])
        axis.set(xlabel="radius", title=graph)
        if not any(means.filter(graph=graph)["false_marks"]):
            axis.set_ylim(-0.05, 1)
        axis.xaxis.get_major_locator().set_params(integer=True)
    axes[0].set_ylabel("mean number of false marks")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels))
    return figure


STAGES = Experiment("stages", "Beyond the paper: false marks of each stage", _jobs, _run, _report)
