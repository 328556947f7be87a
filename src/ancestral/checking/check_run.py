"""The check of what a search has found: its graph, held against the evidence that the search had."""

import numpy as np
from numpy.typing import NDArray

from ancestral.checking.check import Check, DeniedPair, FitCheck
from ancestral.checking.denials import denials
from ancestral.checking.member_fit import fit_check
from ancestral.checking.unanswered import unanswered_edges
from ancestral.graphs.contradictions import contradictions
from ancestral.independence.base import Test
from ancestral.independence.evidence import Scale
from ancestral.independence.oracle import Oracle
from ancestral.search.evidence import Decisions
from ancestral.search.marginals import MOST_PAIRS
from ancestral.search.settings import Settings
from ancestral.search.stage import AskedStage, Stage

__all__ = ["check_of"]

#: The significance level of a check if the search has none, or one that only screens.
ALPHA = 0.01


def check_of(stage: Stage, decisions: Decisions, test: Test, settings: Settings) -> Check | None:
    """The check of the graph of a stage; `decisions` is the evidence that the search had.

    It is None if there is nothing to hold the graph against: if no stage is finished, if an oracle answered, and if a
    function of the user's own was not asked about every pair, since it may be slow.
    """
    marginal = decisions.marginal
    asked_all = settings.chosen.asks and not settings.chosen.within_scored
    # tests of rows with weights or clusters have p-values, too, and answer quickly
    own = marginal.scale in (Scale.P_VALUE, Scale.DECISION) and getattr(test, "design", None) is None
    if not stage.begun or isinstance(test, Oracle) or (own and not asked_all):
        return None
    marks, names = stage.oriented.marks, stage.names
    screens = settings.fdr is not None  # at an alpha by which many pairs are dependent by chance
    alpha = settings.alpha if settings.chosen.asks and settings.alpha is not None and not screens else ALPHA
    found = denials(marks, marginal, alpha, _dependent(stage, decisions, settings))
    rows = zip(found.pairs.tolist(), found.p_values.tolist(), strict=True)
    fitted = fit_check(stage, test)
    unanswered, untold, edges = unanswered_edges(decisions, tuple(names), settings.knowledge)
    return Check(
        contradictions=contradictions(marks, names),
        alpha=alpha,
        dependences=found.dependences,
        independences=found.independences,
        implied=found.implied,
        denied=found.denied,
        beyond_chance=found.beyond_chance,
        claimed=found.claimed,
        denied_pairs=tuple(DeniedPair(names[x], names[y], p_value) for (x, y), p_value in rows),
        fit=fitted if isinstance(fitted, FitCheck) else None,
        no_fit="" if isinstance(fitted, FitCheck) else fitted,
        unanswered=unanswered,
        untold=untold,
        unanswered_edges=edges,
        never=sum(settings.never_together(names[x], names[y]) for x, y in decisions.edges.tolist()),
    )


def _dependent(stage: Stage, decisions: Decisions, settings: Settings) -> NDArray[np.intc] | None:
    """Where there are very many pairs: those that the search did not find independent given nothing; otherwise None."""
    n = len(stage.names)
    asked_all = isinstance(stage, AskedStage) and not settings.chosen.within_scored and settings.fdr is None
    if n * (n - 1) // 2 <= MOST_PAIRS or not asked_all:
        return None
    pairs = decisions.not_by_nothing
    if settings.knowledge is not None:  # nothing was asked about pairs that are known to have no edge, or did not count
        known = settings.knowledge.constraints(tuple(stage.names), settings.allows_selection)
        pairs = np.unique(np.concatenate([pairs, known.no_edge, known.apart]), axis=0)
    return pairs
