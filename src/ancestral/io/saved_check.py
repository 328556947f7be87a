"""The check of a run in its file: how it is written, and how it is read."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.checking import Check, DeniedPair, FitCheck, UnansweredEdge
from ancestral.checking.check import MOST_DENIED, MOST_UNANSWERED
from ancestral.graphs.contradictions import MOST_CONTRADICTIONS
from ancestral.io.checked_json import JsonValue
from ancestral.io.columns import Column
from ancestral.scores.fit import Residual

__all__ = ["check_part", "read_check"]

#: Questions that are counted for each edge; more are counted as this many.
MOST_COUNTED = (1 << 31) - 1

_COUNTS = ("dependences", "independences", "implied", "denied", "claimed")
_KEYS = ("contradictions", "alpha", *_COUNTS, "beyond_chance", "denied_pairs", "fit", "no_fit", "unanswered")


def check_part(check: Check | None, columns: tuple[str, ...]) -> dict[str, Any] | None:
    """The check as a part of a document; `columns` are the variables in the order of the file."""
    if check is None:
        return None
    place = {name: i for i, name in enumerate(columns)}
    ends = np.array([[place[pair.a], place[pair.b]] for pair in check.denied_pairs], dtype=np.intc).reshape(-1, 2)
    p_values = np.array([pair.p_value for pair in check.denied_pairs], dtype=np.float64)
    return {
        "contradictions": list(check.contradictions),
        "alpha": float(check.alpha),
        **{name: getattr(check, name) for name in _COUNTS},
        "beyond_chance": check.beyond_chance,
        "denied_pairs": {
            "a": Column.whole(ends[:, 0]),
            "b": Column.whole(ends[:, 1]),
            "p_value": Column.numbers(p_values),
        },
        "fit": None if check.fit is None else _fit_part(check.fit),
        "no_fit": check.no_fit,
        **({"unanswered": _unanswered_part(check, place)} if check.unanswered else {}),
    }


def _unanswered_part(check: Check, place: dict[str, int]) -> dict[str, Any]:
    edges = check.unanswered_edges
    return {
        "edges": check.unanswered,
        "untold": check.untold,
        **({"never": check.never} if check.never else {}),
        "a": Column.whole(np.array([place[edge.a] for edge in edges], dtype=np.intc)),
        "b": Column.whole(np.array([place[edge.b] for edge in edges], dtype=np.intc)),
        "questions": Column.whole(np.array([min(edge.questions, MOST_COUNTED) for edge in edges], dtype=np.intc)),
        "answered": Column.whole(np.array([edge.answered for edge in edges], dtype=np.intc)),
    }


def _fit_part(fit: FitCheck) -> dict[str, Any]:
    worst = None if fit.worst is None else fit.worst._asdict()
    return {"deviance": fit.deviance, "df": fit.df, "p_value": fit.p_value, "worst": worst}


def read_check(document: JsonValue, columns: tuple[str, ...]) -> Check | None:
    """The check of a document, checked; None if it has none, as in files of earlier versions."""
    if "check" not in document.value or document.key("check").is_null:
        return None
    place = document.key("check")
    place.only(*_KEYS)
    pairs = len(columns) * (len(columns) - 1) // 2
    counts = {name: place.key(name).whole(0, pairs) for name in _COUNTS}
    beyond = place.key("beyond_chance")
    told = [item.text() for item in place.key("contradictions").items()]
    agree = (
        counts["dependences"] + counts["independences"] <= pairs
        and counts["denied"] <= min(counts["dependences"], counts["implied"])
        and counts["claimed"] <= min(counts["independences"], pairs - counts["implied"])
    )
    if not agree or len(told) > MOST_CONTRADICTIONS + 1:
        place.fail("a check whose numbers agree")
    unanswered, untold, never, edges = _unanswered(place, columns, pairs)
    return Check(
        contradictions=tuple(told),
        alpha=place.key("alpha").share(),
        **counts,
        beyond_chance=None if beyond.is_null else beyond.whole(0, counts["denied"]),
        denied_pairs=_denied_pairs(place.key("denied_pairs"), columns, counts["denied"]),
        fit=_fit(place.key("fit")),
        no_fit=place.key("no_fit").text(),
        unanswered=unanswered,
        untold=untold,
        unanswered_edges=edges,
        never=never,
    )


def _unanswered(
    place: JsonValue, columns: tuple[str, ...], pairs: int
) -> tuple[int, int, int, tuple[UnansweredEdge, ...]]:
    """How many edges have unanswered questions, no answer at all, and no table that has both; and the worst of them."""
    if "unanswered" not in place.value:
        return 0, 0, 0, ()
    place = place.key("unanswered")
    place.only("edges", "untold", "never", "a", "b", "questions", "answered")
    count = place.key("edges").whole(1, pairs)
    untold = place.key("untold").whole(0, count)
    never = place.key("never").whole(1, untold) if "never" in place.value else 0
    length = min(count, MOST_UNANSWERED)
    a, b = (place.key(end).ints(0, max(len(columns) - 1, 0), length) for end in ("a", "b"))
    questions = place.key("questions").ints(1, MOST_COUNTED, length)
    answered = place.key("answered").ints(0, 1, length) == 1
    if (a == b).any() or (answered != (np.arange(length) >= untold)).any():
        place.fail("edges between different variables, those without any answer first")
    rows = zip(a.tolist(), b.tolist(), questions.tolist(), answered.tolist(), strict=True)
    edges = tuple(UnansweredEdge(columns[x], columns[y], many, told) for x, y, many, told in rows)
    return count, untold, never, edges


def _denied_pairs(place: JsonValue, columns: tuple[str, ...], denied: int) -> tuple[DeniedPair, ...]:
    """The worst of the denied pairs; there must be as many as a check lists."""
    place.only("a", "b", "p_value")
    length = min(denied, MOST_DENIED)
    ends: list[NDArray[np.intc]] = [place.key(end).ints(0, max(len(columns) - 1, 0), length) for end in ("a", "b")]
    p_values = place.key("p_value").floats(length, 1.0)
    if (ends[0] == ends[1]).any():
        place.fail("a list of pairs of different variables")
    rows = zip(ends[0].tolist(), ends[1].tolist(), p_values.tolist(), strict=True)
    return tuple(DeniedPair(columns[a], columns[b], p_value) for a, b, p_value in rows)


def _fit(place: JsonValue) -> FitCheck | None:
    if place.is_null:
        return None
    place.only("deviance", "df", "p_value", "worst")
    p_value, worst = place.key("p_value"), place.key("worst")
    if not p_value.is_null and not 0 <= p_value.real() <= 1:
        p_value.fail("a number from 0 to 1, or null")
    return FitCheck(
        place.key("deviance").real(),
        place.key("df").whole(0),
        None if p_value.is_null else p_value.real(),
        None if worst.is_null else _residual(worst),
    )


def _residual(place: JsonValue) -> Residual:
    place.only(*Residual._fields)
    a, b = (place.key(end).text() for end in ("a", "b"))
    return Residual(a, b, place.key("observed").real(), place.key("implied").real())
