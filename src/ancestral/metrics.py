"""How far two graphs over the same variables agree: edges, marks, and the pairs in which they differ.

The measures are those of the ICD paper's experiments (Rohekar et al. 2021, section 4.2 and supplement), and the
structural Hamming distance of Tsamardinos, Brown & Aliferis (2006), "The max-min hill-climbing Bayesian network
structure learning algorithm", Machine Learning 65, 31–78.

The idea: an edge has two ends and each end a mark, so a single table counts everything, the marks of the truth against
those of the estimate, with "none" for an end of an edge that is not there.

>>> from ancestral.graphs import PAG
>>> print(compare(PAG.parse("a o-> b, b --> c, d"), PAG.parse("a o-> b, b o-> c, c o-o d")))
PAG against a true PAG: 4 nodes
skeleton     precision 1.000  recall 0.667  F1 0.800  FPR 0.000  FNR 0.333
             2 edges right, 0 extra, 1 missing; 3 pairs correctly not adjacent
orientation  0.500: 3 of 6 marks of the truth
SHD          2 of 6 pairs differ
<BLANKLINE>
truth \\ estimate  none  circle  arrowhead  tail
none                 -       0          0     0
circle               2       1          0     1
arrowhead            0       0          2     0
tail                 0       0          0     0
<BLANKLINE>
estimate  truth
b --> c   b o-> c
no edge   c o-o d
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.classes.equivalence import pag_of
from ancestral.data.libraries import Library, frame_of
from ancestral.errors import GraphError
from ancestral.graphs import DAG, PAG, MixedGraph
from ancestral.graphs.marks import MARK_NAMES, NONE, symbol
from ancestral.graphs.mixed import HasPag, graph_of
from ancestral.graphs.names import by_name, quoted
from ancestral.printing import counted, listed

__all__ = ["Comparison", "compare"]

#: The rows of `Comparison.to_frame`, each an attribute of the comparison.
METRICS = (
    "true_positives",
    "false_positives",
    "false_negatives",
    "true_negatives",
    "fpr",
    "fnr",
    "precision",
    "recall",
    "f1",
    "orientation",
    "shd",
    "same",
)

#: The largest number of differences that a comparison prints.
MOST_DIFFERENCES = 20

#: The largest number of names that an error lists.
MOST_NAMES = 8

Difference = tuple[str, str | None, str | None, str]


def compare(estimate: MixedGraph | HasPag, truth: MixedGraph | HasPag) -> "Comparison":
    """How far an estimated graph agrees with the true one; the order of the nodes does not matter.

    A DAG stands for its PAG, which is all that can be learned of it, if it has latent or selection nodes or is compared
    with a PAG.

    Args:
        estimate: A graph, or an object with a `.pag`, such as the results of `discover()` and `stages()`.
        truth: A graph over the same names, or such an object.

    Returns:
        The comparison; print it.

    Raises:
        GraphError: If one of the two is not a graph, or if their nodes differ.

    Examples:
        >>> dag = DAG.parse("a -> b, L -> b, L -> c, d -> c", latent=["L"])
        >>> c = compare(pag_of(dag), dag)
        >>> c.same, c.f1, c.orientation, c.shd
        (True, 1.0, 1.0, 0)
    """
    graphs = graph_of(estimate, "the estimate"), graph_of(truth, "the truth")
    learned = any(type(graph) is PAG for graph in graphs)
    return Comparison(*(_as_learned(graph, learned) for graph in graphs))


@dataclass(frozen=True, repr=False)
class Comparison:
    """Two graphs over the same names, and how far they agree: as text by `print`, as numbers by its attributes.

    A pair of nodes is positive if there is an edge between them, whatever its marks. A ratio of 0 to 0 counts as no
    error: if the estimate has no edges, precision is 1; if the truth has none, recall and orientation are 1 and FNR is
    0; if all pairs are adjacent in the truth, FPR is 0; if neither graph has an edge, F1 is 1.

    Attributes:
        estimate: The estimated graph.
        truth: The true graph.

    Raises:
        GraphError: If their nodes differ.

    Examples:
        >>> from ancestral import PAG
        >>> c = compare(PAG.parse("a o-> c, b o-> c, c --> d"), PAG.parse("a o-> c, b o-> c, a o-> d"))
        >>> c.true_positives, c.false_positives, c.false_negatives, c.true_negatives
        (2, 1, 1, 2)
        >>> [round(rate, 3) for rate in (c.fpr, c.fnr, c.precision, c.recall, c.f1, c.orientation)]
        [0.333, 0.333, 0.667, 0.667, 0.667, 0.667]
        >>> c.shd, c.same, c.differences
        (2, False, [('a', None, 'o->', 'd'), ('c', '-->', None, 'd')])
        >>> {marks: ends for marks, ends in c.confusion.items() if ends}  # (in the truth, in the estimate)
        {('none', 'arrowhead'): 1, ('none', 'tail'): 1, ('circle', 'none'): 1, ('circle', 'circle'): 2,
         ('arrowhead', 'none'): 1, ('arrowhead', 'arrowhead'): 2}
        >>> c.to_frame().filter(metric="shd")["value"].item()
        2.0
    """

    estimate: MixedGraph
    truth: MixedGraph

    def __post_init__(self) -> None:
        missing = set(self.truth.nodes) - set(self.estimate.nodes)
        extra = set(self.estimate.nodes) - set(self.truth.nodes)
        if missing or extra:
            lacks = [f"the estimate lacks {listed(sorted(missing, key=by_name), MOST_NAMES)}"] if missing else []
            lacks += [f"the truth lacks {listed(sorted(extra, key=by_name), MOST_NAMES)}"] if extra else []
            raise GraphError(
                f"the graphs have different nodes: {', and '.join(lacks)}; compare graphs over the same names, "
                "and declare variables that were not measured latent in the true DAG"
            )

    # -- the skeleton -----------------------------------------------------------------------------------------

    @property
    def true_positives(self) -> int:
        """The number of edges in both graphs."""
        return int(self._ends[1:, 1:].sum()) // 2

    @property
    def false_positives(self) -> int:
        """The number of extra edges: in the estimate only."""
        return int(self._ends[NONE, 1:].sum()) // 2

    @property
    def false_negatives(self) -> int:
        """The number of missing edges: in the truth only."""
        return int(self._ends[1:, NONE].sum()) // 2

    @property
    def true_negatives(self) -> int:
        """The number of pairs without an edge in either graph."""
        return self._pairs - self.true_positives - self.false_positives - self.false_negatives

    @property
    def fpr(self) -> float:
        """The false-positive rate: extra edges among the pairs that are not adjacent in the truth."""
        return _ratio(self.false_positives, self.false_positives + self.true_negatives, otherwise=0.0)

    @property
    def fnr(self) -> float:
        """The false-negative rate: missing edges among the edges of the truth."""
        return _ratio(self.false_negatives, self.false_negatives + self.true_positives, otherwise=0.0)

    @property
    def precision(self) -> float:
        """The share of the estimate's edges that are in the truth."""
        return _ratio(self.true_positives, self.true_positives + self.false_positives, otherwise=1.0)

    @property
    def recall(self) -> float:
        """The share of the truth's edges that are in the estimate."""
        return _ratio(self.true_positives, self.true_positives + self.false_negatives, otherwise=1.0)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        errors = self.false_positives + self.false_negatives
        return _ratio(2 * self.true_positives, 2 * self.true_positives + errors, otherwise=1.0)

    # -- the marks --------------------------------------------------------------------------------------------

    @property
    def orientation(self) -> float:
        """Orientation accuracy: the share of the truth's marks that the estimate has, too.

        "We measure the accuracy of edge orientation by calculating the percentage of correctly oriented edge-marks"
        (the ICD paper, section 4.2 and supplement; here a fraction, not a percentage). The sentence does not say of
        which marks: they are those of the true graph, as in the program that the authors published. So a circle is a
        mark that can be right, both marks of a missing edge are wrong, and the marks of an extra edge do not count.
        """
        return _ratio(self._marks_right, self._marks_of_truth, otherwise=1.0)

    @property
    def confusion(self) -> dict[tuple[str, str], int]:
        """The number of ends of edges by (mark in the truth, mark in the estimate).

        Both ends are counted of each pair with an edge in at least one of the graphs; a mark is "none", "circle",
        "arrowhead" or "tail". So ("none", "none") is always 0.
        """
        return {
            (in_truth, in_estimate): int(self._ends[i, j])
            for i, in_truth in enumerate(MARK_NAMES)
            for j, in_estimate in enumerate(MARK_NAMES)
        }

    # -- whole edges ------------------------------------------------------------------------------------------

    @property
    def shd(self) -> int:
        """The structural Hamming distance: the number of pairs whose edge differs.

        A pair counts 1 if its edge is missing, extra, or has another mark at one end or at both. For CPDAGs this is
        the distance of Tsamardinos et al. (2006); for marks with circles it is the same count.
        """
        return len(self._differing)

    @property
    def differences(self) -> list[Difference]:
        """The pairs that differ as (a, edge in the estimate, edge in the truth, b), in the order of names.

        In each pair a comes before b, and both edges are read from a to b; an edge is None if there is none.
        """
        return self._first_differences(len(self._differing))

    @property
    def same(self) -> bool:
        """Whether all edges and marks are the same; for two graphs of one kind, whether they are equal."""
        return self.shd == 0

    # -- as a frame and as text ----------------------------------------------------------------------------------

    def to_frame(self, library: Library | None = None) -> Any:
        """A frame with one row per metric.

        Args:
            library: "polars" (the default), "pandas" or "pyarrow".

        Returns:
            A frame with the columns `metric` and `value`. `same` is 1 or 0, so that its mean over many graphs is the
            share that was learned exactly.

        Raises:
            OptionError: If there is no such library.
        """
        columns = {"metric": list(METRICS), "value": [float(getattr(self, name)) for name in METRICS]}
        return frame_of(columns, library or "polars")

    def __str__(self) -> str:
        kinds = f"{type(self.estimate).__name__} against a true {type(self.truth).__name__}"
        lines = [
            f"{kinds}: {counted(len(self._names), 'node')}",
            f"skeleton     precision {self.precision:.3f}  recall {self.recall:.3f}  F1 {self.f1:.3f}"
            f"  FPR {self.fpr:.3f}  FNR {self.fnr:.3f}",
            f"             {counted(self.true_positives, 'edge')} right, {self.false_positives} extra, "
            f"{self.false_negatives} missing; {counted(self.true_negatives, 'pair')} correctly not adjacent",
            f"orientation  {self.orientation:.3f}: {self._marks_right} of {counted(self._marks_of_truth, 'mark')} "
            "of the truth",
            f"SHD          {self.shd} of {counted(self._pairs, 'pair')} {'differs' if self._pairs == 1 else 'differ'}",
            "",
        ]
        ends = [[str(count) for count in row] for row in self._ends.tolist()]
        ends[NONE][NONE] = "-"
        rows = [[name, *row] for name, row in zip(MARK_NAMES, ends, strict=True)]
        lines += _aligned([["truth \\ estimate", *MARK_NAMES], *rows], right=True)
        if self.same:
            return "\n".join([*lines, "", "The graphs are the same."])
        shown = self._first_differences(MOST_DIFFERENCES)
        edges = [[_written(a, edge, b) for edge in (estimated, true)] for a, estimated, true, b in shown]
        lines += ["", *_aligned([["estimate", "truth"], *edges], right=False)]
        if self.shd > len(shown):
            lines.append(f"and {self.shd - len(shown)} more")
        return "\n".join(lines)

    def __repr__(self) -> str:
        found = f"F1 {self.f1:.3f}, orientation {self.orientation:.3f}, SHD {self.shd}"
        return f"<Comparison: {counted(len(self._names), 'node')}, {found}>"

    # -- counts ---------------------------------------------------------------------------------------------------

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(sorted(self.truth.nodes, key=by_name))

    @cached_property
    def _both(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """The marks of the estimate and of the truth, both in the order of names."""
        return self.estimate.arranged(self._names), self.truth.arranged(self._names)

    @cached_property
    def _ends(self) -> NDArray[np.int64]:
        """The number of ends of edges, by the mark in the truth (row) and in the estimate (column)."""
        estimate, truth = self._both
        kinds = len(MARK_NAMES)
        ends = np.bincount((kinds * truth + estimate).ravel(), minlength=kinds * kinds).reshape(kinds, kinds)
        ends[NONE, NONE] = 0  # pairs without an edge, and the diagonal, have no ends
        return ends

    @cached_property
    def _differing(self) -> NDArray[np.intp]:
        """The pairs of positions that differ, each once, in the order of names."""
        estimate, truth = self._both
        differs = estimate != truth
        return np.argwhere(np.triu(differs | differs.T))

    @property
    def _pairs(self) -> int:
        return len(self._names) * (len(self._names) - 1) // 2

    @property
    def _marks_right(self) -> int:
        return int(self._ends.diagonal().sum())

    @property
    def _marks_of_truth(self) -> int:
        return int(self._ends[1:].sum())

    def _first_differences(self, most: int) -> list[Difference]:
        estimate, truth = self._both
        return [
            (self._names[x], _edge(estimate, x, y), _edge(truth, x, y), self._names[y])
            for x, y in self._differing[:most].tolist()
        ]


def _as_learned(graph: MixedGraph, learned: bool) -> MixedGraph:
    """The graph to compare: for a DAG its PAG, if `learned` or if it has latent or selection nodes."""
    return pag_of(graph) if isinstance(graph, DAG) and (learned or graph.latent or graph.selection) else graph


def _edge(marks: NDArray[np.uint8], x: int, y: int) -> str | None:
    """The edge read from x to y; None where there is none."""
    return symbol(int(marks[y, x]), int(marks[x, y])) if marks[x, y] else None


def _ratio(part: int, whole: int, *, otherwise: float) -> float:
    return part / whole if whole else otherwise


def _written(a: str, edge: str | None, b: str) -> str:
    return "no edge" if edge is None else f"{quoted(a)} {edge} {quoted(b)}"


def _aligned(rows: list[list[str]], *, right: bool) -> list[str]:
    """The rows as lines with aligned columns: the first to the left, the others to the right if `right`."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if right and i else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
