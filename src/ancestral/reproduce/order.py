"""Beyond the paper: does the result depend on the order of columns? Stable against immediate removal.

Columns are searched in the order of their names, whatever their order in the table. So the columns are shuffled, which
must change nothing, and they are renamed at random, which has the effect that shuffling has in other packages.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import polars as pl

import ancestral as an
from ancestral.reproduce.budget import search_within
from ancestral.reproduce.experiment import Experiment, Job, Outcome, Results, Scale
from ancestral.reproduce.figures import panels
from ancestral.reproduce.page import Block, Drawing, PageTable, Text
from ancestral.reproduce.relabeling import named_back, names_at_random

__all__ = ["ORDER"]

NODES, DEGREE, ROWS, ALPHA = 15, 2, 1000, 0.01

SEARCHES: dict[str, dict[str, Any]] = {
    f"{name}, {removal}": {"algorithm": algorithm, "stable": stable}
    for name, algorithm in {"ICD": "icd", "FCI": "fci", "RFCI": "rfci"}.items()
    for removal, stable in (("stable", True), ("immediate", False))
}


def _jobs(scale: Scale, seed: int) -> list[Job]:
    fixed = {"nodes": NODES, "degree": DEGREE, "rows": ROWS, "alpha": ALPHA, "orders": scale.orders, "most": scale.most}
    return [Job("order", f"seed-{one}", {**fixed, "seed": one}) for one in range(seed, seed + scale.order_dags)]


def _run(job: Job) -> Outcome:
    settings = job.settings
    seed, most = settings["seed"], settings["most"]
    dag = an.simulate.random_dag(settings["nodes"], settings["degree"], seed=seed)
    data = an.simulate.linear_gaussian(dag, settings["rows"], seed=seed)
    rows = []
    for search, own_options in SEARCHES.items():
        options = {"alpha": settings["alpha"], **own_options}
        before = _learned(data, options, most)
        for order in range(settings["orders"]):
            names = names_at_random(data.columns, order)
            columns = [data.columns[i] for i in np.random.default_rng(order).permutation(data.width)]
            for what, after in (
                ("columns shuffled", _learned(data.select(columns), options, most)),
                ("names shuffled", named_back(_learned(data.rename(names), options, most), names)),
            ):
                both = an.compare(after, before)
                rows.append(
                    {
                        "seed": seed,
                        "search": search,
                        "order": order,
                        "what": what,
                        "edges_differ": both.false_positives + both.false_negatives,
                        "pairs_differ": both.shd,
                    }
                )
    return Outcome(rows, [])


def _learned(data: pl.DataFrame, options: dict[str, Any], most: int) -> an.PAG:
    return search_within(data, options, most).stages[-1].pag


def _report(results: Results) -> Iterator[Block]:
    rows = results.rows
    yield Text(
        f"{rows['seed'].n_unique()} data sets of {NODES} nodes (rho = {DEGREE}), {ROWS} rows, alpha = {ALPHA:g}, each "
        f"in {rows['order'].n_unique()} other orders, verified. Columns are searched in the order of their names, so a "
        "shuffled table must give the same graph; columns that are renamed are searched in another order."
    )
    shares = rows.group_by("what", "search", maintain_order=True).agg(
        (pl.col("edges_differ") > 0).mean().alias("skeleton"),
        (pl.col("pairs_differ") > 0).mean().alias("graph"),
        pl.col("pairs_differ").mean(),
    )
    yield Drawing(
        "order",
        "Share of the orders in which the graph differs from that of the first order, names shuffled.",
        partial(_draw, shares.filter(what="names shuffled")),
    )
    yield PageTable(
        ["", "search", "another skeleton", "another graph", "pairs that differ, mean"],
        [
            [row["what"], row["search"], f"{row['skeleton']:.1%}", f"{row['graph']:.1%}", f"{row['pairs_differ']:.2f}"]
            for row in shares.sort("what", maintain_order=True).iter_rows(named=True)
        ],
    )


def _draw(shares: pl.DataFrame) -> Any:
    figure, (axis,) = panels(1, width=5.6, height=2.8)
    places = np.arange(shares.height)
    bars = (
        ("skeleton", "another skeleton", -0.2, "#444444", ""),
        ("graph", "another mark or edge", 0.2, "#cccccc", "//"),
    )
    for column, label, aside, color, hatch in bars:
        axis.bar(places + aside, 100 * shares[column], 0.38, label=label, color=color, edgecolor="black", hatch=hatch)
    axis.set_xticks(places, [name.replace(", ", "\n") for name in shares["search"]])
    axis.set(ylabel="orders that differ (%)", ylim=(0, None))
    axis.grid(axis="x", visible=False)
    figure.legend(loc="outside lower center", ncols=2)
    return figure


ORDER = Experiment("order", "Beyond the paper: the order of columns", _jobs, _run, _report)
