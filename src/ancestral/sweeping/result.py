"""What a sweep found: `Sweep`."""

import json
import os
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from ancestral.arguments import flag, one_of, path_of, real
from ancestral.data.design import DesignFacts
from ancestral.data.libraries import Library
from ancestral.errors import OptionError
from ancestral.graphs import PAG
from ancestral.io.files import write_atomically
from ancestral.printing import counted, listed
from ancestral.result import Discovery
from ancestral.sweeping.frames import EdgePath, edge_paths, edges_frame, level_values, levels_frame
from ancestral.sweeping.instability import Subsamples
from ancestral.sweeping.levels import Level, level_of
from ancestral.sweeping.suggestion import CRITERIA, By, Suggestion, suggested
from ancestral.sweeping.words import changes_in_words, strip_lines, table_lines, why_swept
from ancestral.version import VERSION

__all__ = ["Sweep"]

Location = str | os.PathLike[str]


class Sweep:
    """The same search at one significance level after the other. Print it for a summary.

    Made by `sweep`.

    Attributes:
        found: What was found at each level, a `Discovery` each, from the smallest level to the largest.
        wanted: The levels that were asked for.
        stopped: Why fewer were searched ("time limit", "interrupt" or "executor"); None if all were.

    Examples:
        >>> import ancestral as an
        >>> rows = an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c, c -> d"), rows=500, seed=1)
        >>> swept = an.sweep(rows, alphas=[0.001, 0.01, 0.05])
        >>> swept.alphas, swept.wanted, swept.stopped, swept.at(0.01).settings.alpha
        ((0.001, 0.01, 0.05), (0.001, 0.01, 0.05), None, 0.01)
        >>> len(set(map(str, swept.graphs))), swept.levels[0].edges, len(swept.paths)
        (1, 3, 3)
        >>> swept.to_frame()["edges"].to_list(), swept.edges().height, swept.edges(changing=True).height
        ([3, 3, 3], 3, 0)
        >>> best = swept.best("fit")  # all levels have the same graph
        >>> best.alpha, best.ties, [suggestion.by for suggestion in swept.suggestions()]
        (0.001, (0.01, 0.05), ['fit', 'stability', 'denials'])
        >>> print(swept.headline())
        ICD on 4 variables and 500 rows, test fisher-z, at 3 levels of alpha
        >>> swept.remarks(), swept.to_dict()["rows"], '"rows": 500' in swept.to_json()  # there is nothing to beware of
        ([], 500, True)
        >>> import pathlib, tempfile
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> swept.plot(folder / "sweep.svg")
        >>> swept.report(folder / "sweep.html")
        >>> sorted(file.name for file in folder.iterdir())
        ['sweep.html', 'sweep.svg']
    """

    def __init__(
        self,
        found: Sequence[Discovery],
        *,
        wanted: Sequence[float],
        stopped: str | None,
        instabilities: Sequence[float | None],
        subsamples: Subsamples | None,
        library: Library,
    ) -> None:
        self.found = tuple(found)
        self.wanted = tuple(wanted)
        self.stopped = stopped
        self._instabilities = tuple(instabilities)
        self._subsamples = subsamples
        self._library: Library = library

    @property
    def alphas(self) -> tuple[float, ...]:
        """The levels that were searched, in increasing order."""
        return self.wanted[: len(self.found)]

    @property
    def graphs(self) -> tuple[PAG, ...]:
        """The graph of each level."""
        return tuple(found.pag for found in self.found)

    def at(self, alpha: float) -> Discovery:
        """What was found at a level.

        Args:
            alpha: The level.

        Returns:
            The `Discovery`.

        Raises:
            OptionError: If the level was not searched.
        """
        number = real(alpha)
        if number not in self.alphas:
            known = listed(self.alphas, 12, spell="{:g}".format)
            raise OptionError(f"must be one of the levels that were searched, {known}", option="alpha", value=alpha)
        return self.found[self.alphas.index(number)]

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The numbers of each level; computed when they are first asked for, since graphs are fitted for it."""
        return tuple(level_of(self.found, i, value) for i, value in enumerate(self._instabilities))

    @cached_property
    def paths(self) -> tuple[EdgePath, ...]:
        """The pairs with an edge at some level, and the edge at each level."""
        return tuple(edge_paths(self.graphs))

    def to_frame(self, *, library: Library | None = None) -> Any:
        """A frame with a row for each level.

        - `alpha`; `edges`, and a column for each kind of edge, named by its three characters; the marks `arrowheads`,
          `tails`, `circles`.
        - `questions`, and `unsupported`, those that the data could not answer; `unanswered`, the edges that rest on
          such questions, and `untold`, those on no answer at all, as in `found.check`.
        - `fdr_removed`, edges that the control of false discoveries removed, null without it; `conflicts`,
          contradictory answers whose marks stay open, and `contradictions`, marks that no ancestral graph has together.
        - `denied` and `beyond_chance`, as in `found.check`; `deviance`, `df`, `p_value` and `ebic` of the fit, null
          where the test has no Gaussian likelihood or no class has these marks.
        - `same_edges` and `same_marks`, the mean agreement with the neighbouring levels (Jaccard index of the edges,
          share of equal marks on common edges); `changed_pairs`, the number of pairs that differ from the next smaller
          level; `instability`, null unless `resamples` were searched.

        Args:
            library: "polars", "pandas" or "pyarrow"; by default that of the frame that was searched.

        Returns:
            A frame with these columns.

        Raises:
            OptionError: If there is no such library.
        """
        return levels_frame(self.levels, library or self._library)

    def edges(self, *, changing: bool = False, library: Library | None = None) -> Any:
        """A frame with a row for each pair that has an edge at some level.

        Args:
            changing: Leave out the edges that are the same at all levels.
            library: As in `to_frame`.

        Returns:
            A frame with the columns `a`, `b`; `first_alpha` and `last_alpha`, the smallest and the largest level with
            the edge; `levels`, the number of levels that have it; `kinds`, how many different kinds of edges it is; and
            a column for each level, with the edge there, read from a to b, null if there is none.

        Raises:
            OptionError: If there is no such library.
        """
        wanted = [path for path in self.paths if path.changes or not flag("changing", changing)]
        return edges_frame(wanted, self.alphas, library or self._library)

    def best(self, by: By = "fit") -> Suggestion:
        """The level that a criterion prefers, with words about the criterion; it is not the right level.

        - "fit": the lowest extended BIC of the graph as a linear normal model.
        - "stability": with `resamples`, the largest level up to which subsamples agree about the edges (StARS, Liu,
          Roeder & Wasserman 2010); otherwise the one that agrees best with its neighbours.
        - "denials": the smallest level whose graph denies the fewest dependences in the data beyond chance.

        Args:
            by: The criterion.

        Returns:
            The level; print it.

        Raises:
            OptionError: If the criterion cannot compare these levels.
        """
        one_of("by", by, CRITERIA)
        return suggested(by, self.levels, self.found)

    def suggestions(self) -> list[Suggestion]:
        """The levels that the criteria prefer, as far as they apply.

        Returns:
            A suggestion for each criterion that applies.
        """
        out = []
        for by in CRITERIA:
            try:
                out.append(self.best(by))
            except OptionError:
                continue
        return out

    # -- pictures, pages and files ---------------------------------------------------------------------------------

    def plot(self, path: Location | None = None) -> Any:
        """Draw the sweep along alpha into a file that ends in .svg, .png or .pdf, or as a figure. Needs matplotlib.

        Panels show the edges, the denied dependences, the fit and the stability; below, a row for each edge that comes
        and goes, with its marks.

        Args:
            path: The file to write.

        Returns:
            The figure; None if a file was written.

        Raises:
            OptionError: If the name has another ending.
            RunError: If the file cannot be written.
        """
        from ancestral.sweeping.picture import plot

        return plot(self, path)

    def report(self, path: Location) -> None:
        """Write the sweep as one HTML file: the picture, the levels, the edges that come and go, and what it means.

        Needs matplotlib.

        Args:
            path: The file, whose name ends in .html.

        Raises:
            OptionError: If it does not.
            RunError: If the file cannot be written.
        """
        from ancestral.show.report import check_report
        from ancestral.sweeping.page import page

        target = path_of("path", path)
        check_report(target)
        write_atomically(target, page(self).encode())

    def _repr_html_(self) -> str:
        """What a notebook shows: the levels, and the edges that come and go."""
        from ancestral.sweeping.page import tables

        return tables(self)

    def to_dict(self) -> dict[str, Any]:
        """All numbers and edges, in plain values.

        Returns:
            A dictionary, which can be written as JSON.
        """
        design = self._design
        return {
            "format": "ancestral sweep",
            "version": 1,
            "made_by": f"ancestral {VERSION}",
            "variables": list(self.graphs[0].nodes),
            "rows": self.found[0].test.rows,
            "algorithm": self.found[0].settings.algorithm,
            "test": self.found[0].settings.test,
            "fdr": self.found[0].settings.fdr,
            "weights": None if design is None else design.weights,
            "clusters": None if design is None else design.clusters,
            "wanted": list(map(float, self.wanted)),
            "stopped": self.stopped,
            "subsamples": None
            if self._subsamples is None
            else {"count": self._subsamples.count, "drawn": self._subsamples.drawn, "seed": self._subsamples.seed},
            "levels": [level_values(level) for level in self.levels],
            "edges": [{"a": path.a, "b": path.b, "edges": list(path.edges)} for path in self.paths],
        }

    def to_json(self) -> str:
        """All numbers and edges, as JSON.

        Returns:
            The text.
        """
        return json.dumps(self.to_dict(), indent=1, ensure_ascii=True, allow_nan=False)

    # -- words -----------------------------------------------------------------------------------------------------

    def headline(self) -> str:
        """What was searched, how often, in one line.

        Returns:
            The line.
        """
        first = self.found[0]
        variables, rows = counted(len(first.pag.nodes), "variable"), first.test.rows
        on = f"{variables} and {counted(rows, 'row')}" if rows else variables
        levels = counted(len(self.found), "level")
        return f"{first.settings.chosen.title} on {on}, test {first.settings.test}, at {levels} of alpha"

    @property
    def _design(self) -> DesignFacts | None:
        """The weights and clusters of the rows, if there are any."""
        return getattr(self.found[0].test, "design", None)

    def remarks(self) -> list[str]:
        """What must be known to read the numbers.

        Returns:
            A line each.
        """
        lines = [] if self._design is None else [f"rows with {self._design}"]
        if (fdr := self.found[0].settings.fdr) is not None:
            lines.append(f"false discoveries among edges controlled at {fdr:g}, at every level of alpha")
        if most := max(self.levels, key=lambda level: level.unsupported).unsupported:
            lines.append(
                f"these data could not answer up to {counted(most, 'question')} of a level, which count as "
                "'dependent'; edges that rest on them are no evidence"
            )
        if self.stopped is not None:
            lines.append(f"ended early ({self.stopped}): {len(self.found)} of {len(self.wanted)} levels were done")
        if self._subsamples is not None:
            drawn = self._subsamples
            lines.append(f"instability by {drawn.count} subsamples of {drawn.drawn:,} rows (seed {drawn.seed})")
        return lines

    def __str__(self) -> str:
        chosen = why_swept(self.found[0].settings)
        lines = [self.headline(), *([chosen] if chosen else []), *self.remarks(), "", *table_lines(self.levels), ""]
        lines.append(changes_in_words(self.paths))
        if strip := strip_lines(self.paths, self.alphas):
            lines += ["", *strip]
        lines += ["", "What criteria prefer; none of them tells the right alpha:"]
        lines += [f"  {suggestion}" for suggestion in self.suggestions()]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Sweep: {len(self.graphs[0].nodes)} variables, {len(self.found)} of {len(self.wanted)} levels>"
