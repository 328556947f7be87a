"""How often resampling comes to the same answer, in words and in a table."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.frequencies import MARKS, Frequencies
from ancestral.graphs.marks import symbol
from ancestral.printing import visible

__all__ = ["EDGE_TYPES", "MARK_NAMES", "Reliabilities", "Reliability", "percent", "reliability_table"]

#: The marks in words, in the order in which they are counted.
MARK_NAMES = ("circle", "arrowhead", "tail")
#: All edges, read from a to b, in the order of the counts: the mark at a, then the mark at b.
EDGE_TYPES = tuple(symbol(left, right) for left in MARKS for right in MARKS)

#: An edge in at least this share of the resamples is called firm; in less than the rest, it is hardly there.
FIRM = 0.9
#: So many edges are listed, of each kind.
MOST_LISTED = 40


class Reliabilities(Protocol):
    """What a report reads of a `Bootstrap`; nodes of the frequencies go by number, in the order of names."""

    @property
    def nodes(self) -> tuple[str, ...]:
        """The variables."""

    @property
    def fingerprint(self) -> str:
        """Of the data."""

    @property
    def frequencies(self) -> Frequencies:
        """How often each edge was found."""

    def drawn_in_words(self) -> str:
        """How many resamples of which kind."""


def percent(share: float) -> str:
    """A share as a person reads it; what is nearly all is not called all, nor what is hardly any none.

    >>> percent(0.874), percent(0.998), percent(0.002), percent(1.0), percent(float("nan"))
    ('87 %', '>99 %', '<1 %', '100 %', 'unknown')
    """
    if share != share:
        return "unknown"
    if 0 < share < 0.01:
        return "<1 %"
    if 0.99 < share < 1:
        return ">99 %"
    return f"{100 * share:.0f} %"


@dataclass(frozen=True)
class Reliability:
    """How often two variables have an edge, and which, over `repeats` resamples.

    All frequencies are shares of all repeats, so those of the marks at an end and of no edge add up to one. `estimate`
    is the edge in the graph of all rows, None where it has none.
    """

    a: str
    b: str
    repeats: int
    estimate: str | None
    counts: NDArray[np.int64] = field(repr=False, compare=False)  #: by the mark at a and the mark at b

    def _share(self, count: float) -> float:
        return float(count) / self.repeats if self.repeats else float("nan")

    @property
    def edge(self) -> float:
        """The frequency of an edge, whatever its marks."""
        return self._share(self.counts.sum())

    @property
    def no_edge(self) -> float:
        """The frequency of no edge."""
        return self._share(self.repeats - self.counts.sum())

    @property
    def at_a(self) -> dict[str, float]:
        """The frequency of a circle, an arrowhead, a tail at a."""
        return self._at(1)

    @property
    def at_b(self) -> dict[str, float]:
        """The frequency of a circle, an arrowhead, a tail at b."""
        return self._at(0)

    def _at(self, axis: int) -> dict[str, float]:
        return {name: self._share(n) for name, n in zip(MARK_NAMES, self.counts.sum(axis=axis).tolist(), strict=True)}

    @property
    def types(self) -> dict[str, float]:
        """The frequency of each kind of edge that occurred, read from a to b; the most frequent first."""
        found = [(edge, count) for edge, count in zip(EDGE_TYPES, self.counts.ravel().tolist(), strict=True) if count]
        return {edge: self._share(count) for edge, count in sorted(found, key=lambda one: -one[1])}

    def __str__(self) -> str:
        if not self.repeats:
            return visible(f"{self.a} and {self.b}: no resample was searched")
        lines = [f"{self.a} and {self.b}: an edge in {percent(self.edge)} of {self.repeats:,} resamples"]
        for name, marks in ((self.a, self.at_a), (self.b, self.at_b)):
            said = [f"{_article(mark)} {mark} in {percent(share)}" for mark, share in marks.items() if share]
            if said:
                lines.append(f"  at {name} {', '.join(said)}")
        if self.types:
            lines.append("  " + ", ".join(f"{edge} in {percent(share)}" for edge, share in self.types.items()))
        lines.append(f"  all rows together: {self.estimate or 'no edge'}")
        return "\n".join(map(visible, lines))


def _article(mark: str) -> str:
    return "an" if mark == "arrowhead" else "a"


def reliability_table(found: Sequence[Reliability]) -> str:
    """The firm edges, then the doubtful ones, the most frequent first."""
    ordered = sorted(found, key=lambda one: -one.edge)
    firm = [one for one in ordered if one.edge >= FIRM]
    doubtful = [one for one in ordered if 1 - FIRM <= one.edge < FIRM]
    rare = len(ordered) - len(firm) - len(doubtful)
    lines = [*_section(f"firm: an edge in at least {percent(FIRM)} of the resamples", firm)]
    lines += ["", *_section("doubtful: sometimes an edge, sometimes none", doubtful)]
    if rare:
        lines += ["", f"and {rare:,} pair{'s' * (rare != 1)} with an edge in less than {percent(1 - FIRM)}"]
    return "\n".join(lines)


def _section(title: str, found: Sequence[Reliability]) -> list[str]:
    if not found:
        return [title, "  none"]
    rows = [("", "any edge", "this edge", "all rows")]
    for one in found[:MOST_LISTED]:
        edge, share = next(iter(one.types.items()))
        rows.append((visible(f"{one.a} {edge} {one.b}"), percent(one.edge), percent(share), one.estimate or "none"))
    left, *others = ([row[i] for row in rows] for i in range(4))
    widths = [max(map(len, column)) for column in others]
    first = max(map(len, left))
    out = [title]
    for row in rows:
        out.append(
            f"  {row[0]:<{first}}  " + "  ".join(f"{cell:>{w}}" for cell, w in zip(row[1:], widths, strict=True))
        )
    if len(found) > MOST_LISTED:
        out.append(f"  and {len(found) - MOST_LISTED:,} more: see .to_frame()")
    return out
