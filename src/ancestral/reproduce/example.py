"""The seven-node example (section 3.3, Figure 2) and PDS-trees (Figure 1), with the questions of each stage."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

import polars as pl

import ancestral as an
from ancestral.reproduce.budget import BudgetedRun, search_within
from ancestral.reproduce.drawing import draw_graph, draw_tree
from ancestral.reproduce.experiment import Experiment, Job, Outcome, Results, Scale
from ancestral.reproduce.figures import panels
from ancestral.reproduce.graphs import SEVEN_NODES
from ancestral.reproduce.page import Block, Drawing, Heading, PageTable, Text, Verbatim
from ancestral.reproduce.printed import EXAMPLE
from ancestral.reproduce.searches import options_of

__all__ = ["SEVEN"]

ALGORITHMS = ("ICD (1–3)", "FCI")

#: The budget of a search, in questions: far more than any search on seven nodes asks.
MOST = 1_000_000

#: The radius of the paper's trees.
RADIUS = 3

#: The two stages of FCI, as stages call their phases.
ADJACENCY, POSSIBLE_D_SEP = "adjacency", "possible d-sep"

#: Where the nodes are drawn.
PLACES = {
    "C": (1.0, 3.0),
    "F": (0.0, 2.2),
    "H": (2.0, 2.2),
    "B": (0.0, 1.1),
    "D": (2.0, 1.1),
    "E": (0.0, 0.0),
    "A": (2.0, 0.0),
}


def _jobs(scale: Scale, seed: int) -> list[Job]:
    return [Job("example", "seven-nodes", {"graph": str(SEVEN_NODES), "algorithms": list(ALGORITHMS)})]


def _run(job: Job) -> Outcome:
    graph = an.MAG.parse(job.settings["graph"])
    rows = []
    for name, options in options_of(*job.settings["algorithms"]).items():
        before: Counter[int] = Counter()
        for stage in search_within(an.Oracle(graph), options, MOST).stages:
            for size, questions in sorted((stage.tests - before).items()):
                key = {"algorithm": name, "phase": str(stage.phase), "radius": stage.radius}
                rows.append({**key, "size": size, "questions": questions, "edges_left": len(stage.pag.edges())})
            before = stage.tests
    return Outcome(rows, [])


def _run_of(algorithm: str) -> BudgetedRun:
    return search_within(an.Oracle(SEVEN_NODES), options_of(algorithm)[algorithm], MOST)


def _graphs() -> dict[str, an.MAG | an.PAG]:
    """The four graphs of Figure 2."""
    icd, fci = ALGORITHMS
    (after_one,) = (stage for stage in _run_of(icd).stages if stage.radius == 1)
    *_, first_stage = (stage for stage in _run_of(fci).stages if str(stage.phase) == ADJACENCY)
    return {
        "(a) the true MAG": SEVEN_NODES,
        "(b) its PAG": an.pag_of(SEVEN_NODES),
        "(c) FCI, first stage": first_stage.pag,
        "(d) ICD, after r = 1": after_one.pag,
    }


def _report(results: Results) -> Iterator[Block]:
    rows = results.rows
    graphs = _graphs()
    yield Drawing(
        "example-graphs",
        "The seven-node example. After sets of up to one node the false edge A–E is still in (c) and (d).",
        partial(_draw_graphs, graphs),
    )
    yield Verbatim("\n\n".join(f"{title}\n{graph}" for title, graph in graphs.items()))
    yield Heading("Questions of each stage", 3)
    yield PageTable(
        ["algorithm", "phase", "size of the sets", "questions", "edges left"],
        [
            [row["algorithm"], row["phase"], str(row["size"]), str(row["questions"]), str(row["edges_left"])]
            for row in rows.iter_rows(named=True)
        ],
    )
    yield Heading("Beside the printed counts", 3)
    yield PageTable(
        ["", "ours", "printed"],
        [[f"{who}, {what}", str(count), str(EXAMPLE[who, what])] for (who, what), count in _beside(rows).items()],
    )
    yield Text(
        "Our FCI asks, as in Colombo et al. (2012), algorithm 3.1, about every edge given the subsets of the "
        "Possible-D-Sep of either end that its first stage has not asked. The paper considers sets of up to 4 nodes, "
        f"and does not say how it counts; with up to 4 nodes we count {_second_stage_up_to(rows, 4)}."
    )
    pag = graphs["(d) ICD, after r = 1"]
    assert isinstance(pag, an.PAG)
    yield Heading("PDS-trees", 3)
    yield Text(
        "The DAG of the paper's Figure 1 is given there as a picture only. Here are trees of the same kind: where ICD "
        "looks for sets that separate A and E after r = 1, from either end, up to three edges away. If a node is in "
        "the set, so are all nodes on the path to it."
    )
    yield Drawing(
        "example-trees",
        f"PDS-trees of A and of E after r = 1, with radius {RADIUS}; distance from the root is the length of a path.",
        partial(_draw_trees, pag),
    )
    yield Verbatim("\n\n".join(str(an.pds_tree(pag, *pair, radius=RADIUS)) for pair in (("A", "E"), ("E", "A"))))


def _beside(rows: pl.DataFrame) -> dict[tuple[str, str], int]:
    def counted(algorithm: str, **which: Any) -> int:
        return int(rows.filter(algorithm=algorithm, **which)["questions"].sum())

    icd, fci = ALGORITHMS
    return {
        ("ICD", "sets of 2"): counted(icd, size=2),
        ("ICD", "sets of 3"): counted(icd, size=3),
        ("FCI", "first stage, sets of 2"): counted(fci, phase=ADJACENCY, size=2),
        ("FCI", "second stage"): counted(fci, phase=POSSIBLE_D_SEP),
    }


def _second_stage_up_to(rows: pl.DataFrame, size: int) -> int:
    second = rows.filter(algorithm="FCI", phase=POSSIBLE_D_SEP)
    return int(second.filter(pl.col("size") <= size)["questions"].sum())


def _draw_graphs(graphs: dict[str, an.MAG | an.PAG]) -> Any:
    figure, axes = panels(4, width=2.2, height=3.1)
    for axis, (title, graph) in zip(axes, graphs.items(), strict=True):
        draw_graph(axis, graph, PLACES)
        axis.set_title(title)
    return figure


def _draw_trees(pag: an.PAG) -> Any:
    figure, axes = panels(2, width=3.6, height=3.8)
    for axis, (root, other) in zip(axes, (("A", "E"), ("E", "A")), strict=True):
        draw_tree(axis, an.pds_tree(pag, root, other, radius=RADIUS), RADIUS)
        axis.set_title(f"PDS-tree of {root} with respect to {other}")
    return figure


SEVEN = Experiment(
    "example", "The seven-node example and PDS-trees (section 3.3, Figures 1 and 2)", _jobs, _run, _report
)
