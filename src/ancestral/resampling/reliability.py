"""How often resamples agree on an edge and its marks, in words and in a table."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ancestral.certainty.frequencies import MARKS
from ancestral.graphs.marks import MARK_NAMES, symbol
from ancestral.printing import visible
from ancestral.show.certainties import percent

__all__ = ["EDGE_TYPES", "Reliability", "reliability_table"]

#: All edges, read from a to b, in the order of the counts: the mark at a, then the mark at b.
EDGE_TYPES = tuple(symbol(left, right) for left in MARKS for right in MARKS)

#: An edge that at least this share of the resamples has is called stable; one that less than 1 - STABLE have is not
#: listed. It need not be firm: that is for `certainty` to say.
STABLE = 0.9
#: The most edges that are listed as stable, and as doubtful: what fits on a screen.
MOST_LISTED = 40


@dataclass(frozen=True)
class Reliability:
    """How often two variables have an edge, and with which marks, over resamples.

    All frequencies are shares of all repeats, so those of the three marks at one end and of no edge add up to one. Made
    by `Bootstrap.edge`.

    Attributes:
        a: A variable.
        b: Another variable.
        repeats: The number of resamples.
        estimate: The edge in the graph of all rows, or None.
        counts: The number of resamples by the mark at a and the mark at b.

    Examples:
        >>> import ancestral as an
        >>> rows = an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c, c -> d"), rows=500, seed=1)
        >>> found = an.bootstrap(rows, algorithm="icd", repeats=20, progress=False).edge("c", "d")
        >>> found.edge, found.no_edge, found.estimate
        (1.0, 0.0, '-->')
        >>> round(sum(found.at_a.values()), 6), round(sum(found.at_b.values()), 6), round(sum(found.types.values()), 6)
        (1.0, 1.0, 1.0)
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
        counts = self.counts.sum(axis=axis).tolist()
        return {MARK_NAMES[mark]: self._share(count) for mark, count in zip(MARKS, counts, strict=True)}

    @property
    def types(self) -> dict[str, float]:
        """The frequency of each kind of edge that occurred, read from a to b; the most frequent first."""
        counts = [(edge, count) for edge, count in zip(EDGE_TYPES, self.counts.ravel().tolist(), strict=True) if count]
        return {edge: self._share(count) for edge, count in sorted(counts, key=lambda item: -item[1])}

    def __str__(self) -> str:
        if not self.repeats:
            return visible(f"{self.a} and {self.b}: no resample was searched")
        lines = [f"{self.a} and {self.b}: an edge in {percent(self.edge)} of {self.repeats:,} resamples"]
        for name, marks in ((self.a, self.at_a), (self.b, self.at_b)):
            parts = [f"{_article(mark)} {mark} in {percent(share)}" for mark, share in marks.items() if share]
            if parts:
                lines.append(f"  at {name} {', '.join(parts)}")
        if self.types:
            lines.append("  " + ", ".join(f"{edge} in {percent(share)}" for edge, share in self.types.items()))
        lines.append(f"  all rows together: {self.estimate or 'no edge'}")
        return "\n".join(map(visible, lines))


def _article(mark: str) -> str:
    return "an" if mark == "arrowhead" else "a"


def reliability_table(pairs: Sequence[Reliability]) -> str:
    """A table of the stable edges, then one of the doubtful ones, each with the most frequent first."""
    ordered = sorted(pairs, key=lambda pair: -pair.edge)
    stable = [pair for pair in ordered if pair.edge >= STABLE]
    doubtful = [pair for pair in ordered if 1 - STABLE <= pair.edge < STABLE]
    rare = len(ordered) - len(stable) - len(doubtful)
    lines = [*_section(f"stable: an edge in at least {percent(STABLE)} of the resamples", stable)]
    lines += ["", *_section("doubtful: sometimes an edge, sometimes none", doubtful)]
    if rare:
        lines += ["", f"and {rare:,} pair{'s' * (rare != 1)} with an edge in less than {percent(1 - STABLE)}"]
    return "\n".join(lines)


def _section(title: str, pairs: Sequence[Reliability]) -> list[str]:
    if not pairs:
        return [title, "  none"]
    rows = [("", "any edge", "this edge", "all rows")]
    for pair in pairs[:MOST_LISTED]:
        edge, share = next(iter(pair.types.items()))
        rows.append((visible(f"{pair.a} {edge} {pair.b}"), percent(pair.edge), percent(share), pair.estimate or "none"))
    left, *others = ([row[i] for row in rows] for i in range(4))
    widths = [max(map(len, column)) for column in others]
    first = max(map(len, left))
    out = [title]
    for row in rows:
        out.append(
            f"  {row[0]:<{first}}  " + "  ".join(f"{cell:>{w}}" for cell, w in zip(row[1:], widths, strict=True))
        )
    if len(pairs) > MOST_LISTED:
        out.append(f"  and {len(pairs) - MOST_LISTED:,} more: see .to_frame()")
    return out
