"""Read a run file of version 3, which 0.1.0 wrote: lists instead of packed columns, and p-values beside statistics."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.marks import CIRCLE
from ancestral.independence.evidence import Evidences, Scale, p_values_on_scale
from ancestral.io.checked_json import JsonValue
from ancestral.io.run_checks import check_sets_without_pair, check_witnesses, checked_answers, checked_nearest_sets
from ancestral.io.run_head import SearchHead
from ancestral.io.run_parts import ASKED_MARKS
from ancestral.io.run_reader import Kept, RunReader
from ancestral.search.marginals import Marginals
from ancestral.search.sets import Sets
from ancestral.search.stage import Answer, NearestSets

__all__ = ["RunReader3"]

_SCALES = {"fisher-z": Scale.NORMAL, "rank": Scale.NORMAL} | dict.fromkeys(("g", "chi2", "mixed"), Scale.CHI2)


class RunReader3(RunReader):
    """Reads a run of version 3."""

    KEYS = (
        "format", "version", "made_by", "settings", "seeds", "data", "variables", "phase", "radius", "complete",
        "stopped", "stages", "tests", "verify_tests", "unsupported", "edges", "separations", "marginal",
        "orientations", "conflicts", "state",
    )  # fmt: skip

    # -- evidence --------------------------------------------------------------------------------------------------

    def scale(self) -> Scale:
        """The scale, which version 3 does not state: it follows from the columns that have numbers."""
        place = self.document.key("marginal")
        if not place.is_null:
            place.only("statistic", "df", "p_value")
            if not place.key("df").is_null:
                return Scale.CHI2
            for name, scale in (("statistic", Scale.NORMAL), ("p_value", Scale.P_VALUE)):
                if not np.isnan(place.key(name).doubles(self.count)).all():
                    return scale
        return _SCALES.get(self.document.key("settings").key("test").text(), Scale.DECISION)

    def marginals(self, scale: Scale, head: SearchHead) -> tuple[Marginals, NDArray[np.float64] | None]:
        """The evidence of each pair given nothing, and, of a function of the user's own, its answers by position."""
        place = self.document.key("marginal")
        state = self.document.key("state")
        learned = None if state.is_null else state.key("learned")
        if not head.begun:
            if not place.is_null:
                place.fail("null, as long as nothing was asked")
            return Marginals.nothing(scale), None
        p_values = place.key("p_value")
        _in_range(p_values, p_values.doubles(self.count), 1.0)
        numbers = place.key("statistic" if scale in (Scale.NORMAL, Scale.CHI2) else "p_value")
        column = _in_range(numbers, numbers.doubles(self.count), scale.most)
        df = None
        if scale is Scale.CHI2:
            df = _whole(place.key("df"), place.key("df").doubles(self.count))
        if learned is not None and not learned.is_null:
            column = _in_range(learned, learned.doubles(self.count), 1.0)
        marginal = Marginals.listed(scale, self.place, column, df)
        kept = learned is not None and not learned.is_null
        return marginal, marginal.column(self.n) if kept else None

    def evidence(self, place: JsonValue, scale: Scale, length: int) -> Evidences:
        """The evidence of this many questions; p-values are checked, and computed again from the statistics."""
        shown = {name: place.key(name) for name in ("statistic", "p_value")}
        columns = {name: item.numbers(length) for name, item in shown.items()}
        _in_range(shown["p_value"], columns["p_value"], 1.0)
        _in_range(shown["statistic"], columns["statistic"], math.inf)
        df = _whole(place.key("df"), np.nan_to_num(place.key("df").numbers(length), nan=0.0))
        which = "statistic" if scale in (Scale.NORMAL, Scale.CHI2) else "p_value"
        return p_values_on_scale(scale, columns[which], df)

    def raw(self, place: JsonValue, scale: Scale, length: int) -> NDArray[np.float64]:
        """Rows statistic, degrees of freedom, as the kernels of the questions keep them."""
        raw = _in_range(place.key("raw"), place.key("raw").numbers(length), scale.most)
        df = _whole(place.key("raw_df"), np.nan_to_num(place.key("raw_df").numbers(length), nan=0.0))
        return np.column_stack([raw, df])

    # -- sets -------------------------------------------------------------------------------------------------------

    def set(self, place: JsonValue) -> tuple[int, ...]:
        """A list of variables, each once."""
        values = place.whole_numbers(0, self.n - 1)
        if len(set(values)) < len(values):
            place.fail("a set: each variable once")
        return tuple(sorted(self.at[np.array(values, dtype=np.intc)].tolist()))

    def sets(self, place: JsonValue, name: str, length: int, least: int = 0) -> Sets:
        """Lists of variables; null, where `least` allows it, means that there is no set."""

        def read(item: JsonValue) -> tuple[int, ...] | None:
            return None if item.is_null and least < 0 else self.set(item)

        return Sets.of(place.key(name).each(length, read))

    def kept(self, scale: Scale, radius: int) -> Kept:
        """The edges, and for each the question that came closest to removing it: its set and its evidence."""
        place = self.document.key("edges")
        place.only("a", "edge", "b", "statistic", "df", "p_value", "closest")
        edges = self.edges(place)
        count = len(edges.pairs)
        if radius < 0 and (count != self.count or (edges.marks != CIRCLE).any()):
            place.fail("a circle edge between any two, as long as nothing was asked")
        evidence = self.evidence(place, scale, count)
        closest = self.sets(place, "closest", count, least=-1)
        check_sets_without_pair(place.key("closest"), closest, edges.pairs)
        return (edges, closest, evidence, np.zeros(count, np.int64)) if radius >= 0 else self.nothing_kept(scale)

    def separated(self, scale: Scale, marks: NDArray[np.uint8]) -> Any:
        """The pairs that sets separated."""
        place = self.document.key("separations")
        place.only("a", "b", "given", "radius", "found_by", "statistic", "df", "p_value")
        return self.separated_at(place, scale, marks)

    # -- reasons ------------------------------------------------------------------------------------------------------

    def reason_keys(self, *names: str) -> tuple[str, ...]:
        """The columns of reasons: these, and that of witnesses."""
        return (*names, "because")

    def because(self, place: JsonValue, rules: NDArray[np.uint8], x: NDArray[np.intc], y: NDArray[np.intc]) -> Sets:
        """The witnesses of each rule, in the order in which it names them."""

        def read(item: JsonValue) -> tuple[int, ...]:
            return tuple(self.at[np.array(item.whole_numbers(0, self.n - 1), dtype=np.intc)].tolist())

        witnesses = Sets.of(place.key("because").each(len(rules), read))
        check_witnesses(place.key("because"), rules, witnesses, x, y)
        return witnesses

    def asked_marks(self, place: JsonValue, length: int) -> NDArray[np.uint8]:
        """Marks that rules proposed; null where one was left alone."""
        return np.array(
            place.each(length, lambda item: 0 if item.is_null else ASKED_MARKS.index(item.text(*ASKED_MARKS[1:]))),
            dtype=np.uint8,
        )

    # -- how to go on --------------------------------------------------------------------------------------------

    STATE: tuple[str, ...] = ("graphs", "asked", "separations", "verified", "learned")

    def asked(self, place: JsonValue, scale: Scale, pairs: NDArray[np.intc], radius: int) -> NearestSets:
        """For each edge the set of a step with the largest p-value."""
        place.only("given", "raw", "raw_df")
        evidence = self.raw(place, scale, len(pairs))
        given = place.key("given")
        sets = given.each(len(pairs), lambda item: None if item.is_null else self.set(item))
        if [one is None for one in sets] != np.isnan(evidence[:, 0]).tolist():
            place.fail("a set for each number, and null for null")
        if any(one is not None and len(one) != radius for one in sets):
            given.fail(f"sets of {radius}")
        rows = np.array([(0,) * radius if one is None else one for one in sets], dtype=np.intc).reshape(-1, radius)
        return checked_nearest_sets(place, pairs, rows, evidence, np.zeros(len(pairs), np.int64))

    def verified(self, place: JsonValue, scale: Scale) -> dict[tuple[int, int, tuple[int, ...]], Answer]:
        """The answers of verification by their questions: x, y, and the conditioning set."""
        place.only("a", "b", "given", "independent", "raw", "raw_df")
        pairs = self.pairs(place, (1 << 31) - 1)
        given = self.sets(place, "given", len(pairs))
        independent = np.array(place.key("independent").each(len(pairs), JsonValue.truth), dtype=bool)
        return checked_answers(place, pairs, given, independent, self.raw(place, scale, len(pairs)))


def _in_range(place: JsonValue, values: NDArray[np.float64], most: float) -> NDArray[np.float64]:
    """The values, which must be NaN or from 0 to `most`."""
    with np.errstate(invalid="ignore"):
        if ((values < 0) | (values > most)).any():
            place.fail("numbers from 0 on" if math.isinf(most) else "p-values from 0 to 1")
    return values


def _whole(place: JsonValue, values: NDArray[np.float64]) -> NDArray[np.intc]:
    """The values as whole numbers, 0 for NaN."""
    values = np.nan_to_num(values, nan=0.0)
    if ((values < 0) | (values >= 1 << 31) | (values != np.floor(values))).any():
        place.fail("degrees of freedom: whole numbers below 2**31")
    return values.astype(np.intc)
