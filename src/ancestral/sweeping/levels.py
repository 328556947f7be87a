"""What a sweep shows of each level: edges and marks, questions, what speaks against the graph, and its fit."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ancestral.checking.member_fit import member_of
from ancestral.errors import OptionError
from ancestral.graphs import PAG
from ancestral.graphs.marks import ARROW, CIRCLE, NONE, SYMBOLS, TAIL
from ancestral.independence.base import column_blocks_of
from ancestral.result import Discovery
from ancestral.scores.fit import fit_of
from ancestral.search.stage import AskedStage, FoundBy

__all__ = ["Level", "hamming", "level_of", "neighbour_agreement"]

Marks = NDArray[np.uint8]


@dataclass(frozen=True)
class Level:
    """The numbers of one level; None where something cannot be said.

    - `kinds`: the number of edges of each kind, such as `o->`. `arrowheads`, `tails`, `circles`: the number of marks.
    - `questions`: all that were asked, with those of verification; `unsupported`: those of them that the data could not
      answer, which count as "dependent". `unanswered`: the edges that rest on such questions, and `untold` those of
      them that rest on no answer at all. `fdr_removed`: edges that the control of false discoveries removed.
    - `conflicts`: contradictory answers, whose marks stay open. `contradictions`: marks that no ancestral graph has
      together.
    - `denied`, `beyond_chance`: dependences in the data that the graph denies, and those of them beyond chance.
    - `deviance`, `df`, `p_value`: the fit as a linear normal model; `ebic`: its extended BIC, lower is better.
    - `same_edges`, `same_marks`: the agreement with the neighbouring levels. `changed_pairs`: the number of pairs that
      differ from the next smaller level.
    - `instability`: of the edges in subsamples.
    """

    alpha: float
    edges: int
    kinds: dict[str, int]
    arrowheads: int
    tails: int
    circles: int
    questions: int
    unsupported: int
    unanswered: int | None
    untold: int | None
    fdr_removed: int | None
    conflicts: int
    contradictions: int
    denied: int | None
    beyond_chance: int | None
    deviance: float | None
    df: int | None
    p_value: float | None
    ebic: float | None
    same_edges: float | None
    same_marks: float | None
    changed_pairs: int | None
    instability: float | None


def level_of(found: Sequence[Discovery], number: int, instability: float | None) -> Level:
    """The numbers of a level among all levels of a sweep, in increasing order of alpha."""
    here = found[number]
    marks, check = here.pag.class_marks, here.check
    edges = [edge for _, edge, _ in here.pag.edges()]
    fit = None if check is None else check.fit
    same_edges, same_marks = neighbour_agreement([each.pag for each in found], number)
    assert here.settings.alpha is not None, "a search of a sweep has a level"
    return Level(
        alpha=float(here.settings.alpha),
        edges=len(edges),
        kinds={kind: edges.count(kind) for kind in SYMBOLS},
        arrowheads=int(np.count_nonzero(marks == ARROW)),
        tails=int(np.count_nonzero(marks == TAIL)),
        circles=int(np.count_nonzero(marks == CIRCLE)),
        questions=here.tests.total() + here.verify_tests.total(),
        unsupported=here.unsupported.total(),
        unanswered=None if check is None else check.unanswered,
        untold=None if check is None else check.untold,
        fdr_removed=_removed(here),
        conflicts=len(here.trace.conflicts),
        contradictions=0 if check is None else len(check.contradictions),
        denied=None if check is None else check.denied,
        beyond_chance=None if check is None else check.beyond_chance,
        deviance=None if fit is None else fit.deviance,
        df=None if fit is None else fit.df,
        p_value=None if fit is None else fit.p_value,
        ebic=None if fit is None else _ebic(here),
        same_edges=same_edges,
        same_marks=same_marks,
        changed_pairs=hamming(found[number - 1].pag, here.pag) if number else None,
        instability=instability,
    )


def _removed(found: Discovery) -> int | None:
    """The number of edges that the control of false discoveries removed; None without it."""
    if found.settings.fdr is None or not isinstance(found.stage, AskedStage):
        return None
    return int(np.count_nonzero(found.stage.separations.found_by == FoundBy.FDR))


def _ebic(found: Discovery) -> float | None:
    """The extended BIC of a member of the class, if there is one."""
    member, names = member_of(found.stage), tuple(found.stage.names)
    if isinstance(member, str):
        return None
    try:
        ebic = fit_of(column_blocks_of(found.test, names), names, member).ebic
    except (OptionError, np.linalg.LinAlgError):
        return None
    return float(ebic) if np.isfinite(ebic) else None


def neighbour_agreement(graphs: Sequence[PAG], number: int) -> tuple[float | None, float | None]:
    """How far a graph agrees with those before and after it, the mean of both.

    For edges, the Jaccard index: the share of pairs with an edge in either graph that have one in both. For marks, the
    share of the ends of common edges with the same mark. None if there are no neighbours, or no common edges.
    """
    edges, ends = [], []
    for other in (number - 1, number + 1):
        if 0 <= other < len(graphs):
            here, there = graphs[number].class_marks, graphs[other].class_marks
            either = np.count_nonzero((here != NONE) | (there != NONE))
            both = (here != NONE) & (there != NONE)
            edges.append(np.count_nonzero(both) / either if either else 1.0)
            if both.any():
                ends.append(float((here == there)[both].mean()))
    return (float(np.mean(edges)) if edges else None, float(np.mean(ends)) if ends else None)


def hamming(one: PAG, other: PAG) -> int:
    """The number of pairs about which two graphs over the same variables differ, in the edge or in a mark."""
    differs = one.class_marks != other.class_marks
    return int(np.count_nonzero(np.triu(differs | differs.T, 1)))
