"""What a report says of each pair: the question that decided about it, and the separations that marks rest on."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ancestral.search.evidence import Decided
from ancestral.show.evidence_words import question_in_words
from ancestral.show.reasons import Premises, Reasons
from ancestral.show.run import ReportedRun

__all__ = ["pair_rows", "premises_of", "short"]


def pair_rows(run: ReportedRun, reasons: Reasons, number: Mapping[str, int], all_pairs: bool) -> list[list[Any]]:
    """Rows x, y, p-value, statistic, degrees of freedom, set, radius, found by, and a clause about the question.

    Radius and found by are null for an edge.
    """
    frame = run.to_frame("all" if all_pairs else "edges", library="polars")
    names = ("a", "b", "edge", "p_value", "statistic", "df", "sepset", "closest", "radius", "found_by")
    scale, rows, on_data = run.test.scale, run.test.rows, run.settings.on_data
    out = []
    # column by column: a dictionary for each row would take several times as long
    for a, b, edge, p_value, statistic, df, sepset, closest, radius, found_by in zip(
        *(frame[name].to_list() for name in names), strict=True
    ):
        x, y = number[a], number[b]
        given = sepset if edge is None else closest
        words = ""  # as `Discovery.question` has it; empty for an oracle
        if on_data and p_value is not None:
            decided = Decided(tuple(given or ()), p_value, math.nan if statistic is None else statistic)
            words = question_in_words(decided, scale, rows)
        row = [min(x, y), max(x, y), short(p_value), short(statistic), short(df), _numbers(given, number)]
        out.append([*row, *((radius, found_by) if edge is None else (None, None)), words])
    if not all_pairs:
        out += _separations_of_marks(run, reasons, number)
    return out


def _numbers(given: Sequence[str] | None, number: Mapping[str, int]) -> list[int] | None:
    return None if given is None else sorted(number[name] for name in given)


def _separations_of_marks(run: ReportedRun, reasons: Reasons, number: Mapping[str, int]) -> list[list[Any]]:
    """The separations that marks rest on, as rows of `pair_rows`, where there are too many pairs for all."""
    used = {pair for o in run.trace.orientations for pair in premises_of(reasons, o.x, o.y).separations}
    out = []
    for a, b in sorted({(a, b) if number[a] < number[b] else (b, a) for a, b in used}):
        separation = run.trace.separation(a, b)
        if separation is not None:
            given = sorted(number[name] for name in separation.given)
            implied = separation.found_by in ("implied", "score graph")
            question, radius = run.question(a, b), None if implied else separation.radius
            p_value = short(question.p_value) if implied else None
            out.append([number[a], number[b], p_value, None, None, given, radius, separation.found_by, question.words])
    return out


def short(value: float | None) -> float | None:
    """The number with four digits, which keep the file small; None if it is not finite."""
    return None if value is None or not math.isfinite(value) else float(f"{value:.4g}")


def premises_of(reasons: Reasons, x: str, y: str) -> Premises:
    """Why the mark at y on x–y, which the trace has, is there."""
    premises = reasons.of(x, y)
    assert premises is not None, "every orientation of the trace has its reason"
    return premises
