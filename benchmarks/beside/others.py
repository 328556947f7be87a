"""Searches of tables by other packages: `python -m benchmarks.beside.others PACKAGE SEARCH SECONDS`.

Run by the Python that has the package. Each search is called as its documentation says; options that are not named here
are its defaults.
"""

import importlib
import sys
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np

from benchmarks.beside.worker import Edge, Rows, Search, serve

#: The level that searches of all packages use, and the default of causal-learn.
ALPHA, THEIR_ALPHA = 0.01, 0.05


# -- causal-learn ---------------------------------------------------------------------------------------------------

#: The mark at a node, as an edge's left and right character, by the codes of causal-learn.
LEFT, RIGHT = {-1: "-", 1: "<", 2: "o"}, {-1: "-", 1: ">", 2: "o"}


def causal_learn(rows: Rows, where: str, name: str, *positional: Any, **options: Any) -> list[Edge]:
    """The edges of a search of causal-learn; nodes are called X1, X2, ..."""
    answer = getattr(importlib.import_module(f"causallearn.search.{where}"), name)(rows.values, *positional, **options)
    if isinstance(answer, tuple):  # FCI: the graph, and its edges as a list
        answer = answer[0]
    elif isinstance(answer, Mapping):  # GES: a record
        answer = answer["G"]
    graph: Any = getattr(answer, "G", answer)  # PC: an object with the graph
    codes = graph.graph
    columns = [int(node.get_name()[1:]) - 1 for node in graph.get_nodes()]
    return [
        (columns[i], columns[j], f"{LEFT[codes[i, j]]}-{RIGHT[codes[j, i]]}")
        for i, j in np.argwhere(codes)
        if columns[i] < columns[j]
    ]


def fci(test: str, alpha: float = ALPHA) -> Search:
    """FCI of causal-learn."""
    return lambda rows: causal_learn(
        rows, "ConstraintBased.FCI", "fci", test, alpha, verbose=False, show_progress=False
    )


def pc(test: str, alpha: float = ALPHA) -> Search:
    """PC of causal-learn."""
    return lambda rows: causal_learn(rows, "ConstraintBased.PC", "pc", alpha, test, show_progress=False)


def scored(where: str, name: str, score: str, **options: Any) -> Search:
    """A search of causal-learn that maximises a score."""
    return lambda rows: causal_learn(rows, where, name, score_func=score, **options)


CAUSAL_LEARN: dict[str, Search] = {
    **{f"fci {test}": fci(test) for test in ("fisherz", "gsq", "kci", "rcit")},
    **{f"pc {test}": pc(test) for test in ("fisherz", "gsq", "kci")},
    "fci fisherz .05": fci("fisherz", THEIR_ALPHA),
    "pc fisherz .05": pc("fisherz", THEIR_ALPHA),
    "fci gsq .05": fci("gsq", THEIR_ALPHA),
    "ges": scored("ScoreBased.GES", "ges", "local_score_BIC_from_cov"),
    "ges BDeu": scored("ScoreBased.GES", "ges", "local_score_BDeu"),
    "grasp": scored("PermutationBased.GRaSP", "grasp", "local_score_BIC_from_cov", verbose=False),
    "boss": scored("PermutationBased.BOSS", "boss", "local_score_BIC_from_cov", verbose=False),
    "boss BDeu": scored("PermutationBased.BOSS", "boss", "local_score_BDeu", verbose=False),
}


# -- lingam ---------------------------------------------------------------------------------------------------------


def lingam(rows: Rows, name: str) -> list[Edge]:
    """The edges of a search of lingam, whose matrix has effects in rows; NaN is a latent cause of the two."""
    effects = getattr(importlib.import_module("lingam"), name)().fit(rows.values).adjacency_matrix_
    directed = [(cause, effect, "-->") for effect, cause in np.argwhere(np.nan_to_num(effects))]
    return [*directed, *((i, j, "<->") for i, j in np.argwhere(np.isnan(effects)) if i < j)]


# -- pgmpy ----------------------------------------------------------------------------------------------------------


def pgmpy(rows: Rows, name: str, **options: Any) -> list[Edge]:
    """The edges of a search of pgmpy."""
    frame = importlib.import_module("pandas").DataFrame(rows.values).rename(columns="v{}".format)
    for i in rows.labels:
        frame[f"v{i}"] = frame[f"v{i}"].map("level {:.0f}".format).astype("category")
    graph = getattr(importlib.import_module("pgmpy.causal_discovery"), name)(**options).fit(frame).causal_graph_
    edges = pdag(graph.directed_edges, graph.undirected_edges)
    return [(int(i[1:]), int(j[1:]), edge) for i, j, edge in edges]


def pdag(directed: Iterable[tuple[Any, Any]], undirected: Iterable[tuple[Any, Any]]) -> list[tuple[Any, Any, str]]:
    """The edges of a graph that has them in two lists."""
    return [*((i, j, "-->") for i, j in directed), *((i, j, "---") for i, j in undirected)]


def pgmpy_pc(test: str) -> Search:
    """PC of pgmpy, in one process, with sets of any size as in other packages."""
    return lambda rows: pgmpy(
        rows,
        "PC",
        variant="stable",
        ci_test=test,
        significance_level=ALPHA,
        max_cond_vars=rows.values.shape[1],
        n_jobs=1,
        show_progress=False,
    )


# -- pyAgrum --------------------------------------------------------------------------------------------------------


def miic(rows: Rows) -> list[Edge]:
    """The edges of MIIC of pyAgrum; a latent cause of two columns is an edge with two arrowheads."""
    frame = importlib.import_module("pandas").DataFrame(rows.values).rename(columns=str).astype(int).astype(str)
    learner = importlib.import_module("pyagrum").BNLearner(frame)
    learner.useMIIC()
    graph = learner.learnPDAG()
    column = {node: int(learner.nameFromId(node)) for node in graph.nodes()}
    latent = {frozenset(pair) for pair in learner.latentVariables()}
    edges = pdag([pair for pair in graph.arcs() if frozenset(pair) not in latent], graph.edges())
    both = [(*sorted(pair), "<->") for pair in latent]
    return [(column[i], column[j], edge) for i, j, edge in [*edges, *both]]


#: The searches of each package, by the name of the package.
SEARCHES: dict[str, dict[str, Search]] = {
    "causal-learn": CAUSAL_LEARN,
    "lingam": {
        "DirectLiNGAM": partial(lingam, name="DirectLiNGAM"),
        "RCD": partial(lingam, name="RCD"),
        "CAM-UV": partial(lingam, name="CAMUV"),
    },
    "pgmpy": {
        **{f"pc {test}": pgmpy_pc(test) for test in ("pearsonr", "chi_square", "pillai")},
        "ges": partial(pgmpy, name="GES"),
    },
    "pyagrum": {"miic": miic},
}

if __name__ == "__main__":
    serve(SEARCHES[sys.argv[1]], sys.argv[1], sys.argv[2:])
