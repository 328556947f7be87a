"""What was found: `Discovery`, which answers for a search, and `load`, which reads one from a run file."""

import os
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ancestral.arguments import names_list, path_of
from ancestral.data import DataWarning
from ancestral.data.libraries import Library
from ancestral.data.read_options import ReadOptions
from ancestral.effects import AdjustmentSet, Effect, adjustment_set, regression_effect
from ancestral.errors import (
    GraphError,
    OptionError,
)
from ancestral.graphs import PAG
from ancestral.graphs.names import in_order
from ancestral.independence.base import Test
from ancestral.independence.evidence import Evidence
from ancestral.independence.saved_test import SavedTest
from ancestral.io.files import check_writable, write_atomically
from ancestral.io.frames import MOST_PAIRS, Pairs, decisions_frame
from ancestral.io.relations import relations
from ancestral.io.run import SavedRun, check_target, read_run, run_lines, write_run
from ancestral.io.saved import saving
from ancestral.search.evidence import Decisions, decisions_of
from ancestral.search.marginals import Marginals
from ancestral.search.settings import Settings
from ancestral.search.stage import Stage, StageRecord
from ancestral.show.causes import Answer, causes
from ancestral.show.layout import Layout, Positions
from ancestral.show.reasons import Explanation, explain
from ancestral.show.reliabilities import Reliabilities
from ancestral.show.summary import summary
from ancestral.trace import Trace
from ancestral.version import VERSION

__all__ = ["Discovery", "Location", "check_report", "load"]

Location = str | os.PathLike[str]


class Discovery:
    """What was found: the graph, and an answer to every "why".

    `stopped` says why a run ended before it was complete: "max_radius", "time limit", "interrupt", or "executor", if
    that was gone; otherwise None. `history` has a line for each stage. `unsaved` is the warning that the run could not
    be saved, if it should have been; otherwise None.
    """

    def __init__(
        self,
        stage: Stage,
        test: Test,
        settings: Settings,
        history: tuple[StageRecord, ...],
        stopped: str | None = None,
        marginals: Callable[[], Marginals] | None = None,
        library: Library = "polars",
        reading: ReadOptions = ReadOptions(),  # noqa: B008
        kept: SavedRun | None = None,
    ) -> None:
        self.stage = stage
        self.test = test
        self.settings = settings
        self.history = history
        self.stopped = stopped
        self.reading = reading
        self.made_by = f"ancestral {VERSION}" if kept is None else kept.made_by
        self.unsaved: Warning | None = None
        self._kept = kept
        self._library: Library = library
        self._marginals = marginals or (lambda: Marginals.asked(self.test, self._questions))

    @property
    def pag(self) -> PAG:
        """The graph; from PC a CPDAG."""
        return self.stage.pag

    @cached_property
    def graphs(self) -> tuple[PAG, ...]:
        """The graph after each line of `history`; the last one is `pag`."""
        names, columns = self.stage.names, self.stage.columns
        before = [PAG(names, m.graph.matrix(len(names))) for m in self.history[:-1]]
        return (*(PAG(columns, graph.arranged(columns)) for graph in before), self.pag)[: len(self.history)]

    @property
    def trace(self) -> Trace:
        """Why each edge went and each mark came, as data."""
        return self.stage.trace

    @property
    def radius(self) -> int:
        """The last radius that was searched."""
        return self.stage.radius

    @property
    def complete(self) -> bool:
        """Whether the search came to its end: nothing more can be learned from independences."""
        return self.stage.complete

    @property
    def tests(self) -> Counter[int]:
        """The number of questions asked, by the size of the conditioning set."""
        return self.stage.tests

    @property
    def verify_tests(self) -> Counter[int]:
        """The number of further questions that verification asked, by the size of the conditioning set."""
        return self.stage.verify_tests

    def sepset(self, a: str, b: str) -> frozenset[str] | None:
        """The variables given which a and b were found independent; None where no separation was found."""
        separation = self.stage.separation(a, b)
        return None if separation is None else separation.given

    def why(self, a: str, b: str) -> Explanation:
        """Why there is no edge between a and b, or why its marks are what they are; print it, or read its `steps`."""
        self._two(a, b)
        radius = max((m.radius for m in self.history), default=self.radius)
        return explain(self.pag, self.trace, a, b, radius, self.settings.knowledge)

    def causes(self, a: str, b: str) -> Answer:
        """Whether a causes b: "yes", "no" or "possibly", with its `reason`."""
        return causes(self.pag, a, b, self.allows_selection, self._closed)

    def confounded(self, a: str, b: str) -> Answer:
        """Whether something unmeasured drives both a and b: "yes", "no" or "possibly"; see `PAG.confounded`."""
        return self.pag.confounded(a, b)

    def relations(self, *, library: Library | None = None) -> Any:
        """A frame with a row for each pair: who causes whom, and whether something unmeasured drives both."""
        chosen = library or self._library
        return relations(self.pag, selection_bias=self.allows_selection, complete=self._closed, library=chosen)

    def adjustment_set(self, x: str | Iterable[str], y: str | Iterable[str], *, limit: int = 100) -> AdjustmentSet:
        """Which variables to adjust for, to learn the effect of x on y; or "not by adjustment", with the reason.

        x and y are a variable each, or several for a joint effect. See `an.adjustment_set`.
        """
        known = self.settings.knowledge
        if known is not None and known.no_edge:
            raise OptionError(
                "no effect can be asked for: no set is known that separates the pairs of no_edge, so ways between them "
                "cannot be told open from closed; search without no_edge"
            )
        found = adjustment_set(self.pag, x, y, limit=limit)
        early = "the search was stopped early, so edges of the graph may still go"
        return found if self.complete else replace(found, doubt=early)

    def effect(
        self, x: str | Iterable[str], y: str, *, given: Iterable[str] | None = None, confidence: float = 0.95
    ) -> Effect:
        """The effect of x on y in linear relations, with its confidence interval; of several x, their joint effects.

        It is adjusted for the minimal set that is nearest to the outcome (`found.adjustment_set(x, y).nearest`), or for
        those given, if they are an adjustment set. Only where the test was "fisher-z", which takes relations for
        linear. The interval does not hold the uncertainty of the graph, which was learned from the same data.
        """
        if not isinstance(y, str):
            raise OptionError(f"y={y!r} is not one variable; ask about each outcome by itself")
        moments = self.test.effect_moments()
        sets = self.adjustment_set(x, y, limit=1)
        if given is None and sets.no_effect:
            zeros = (0.0,) * len(sets.x)
            return Effect(sets.x, y, None, zeros, zeros, zeros, zeros, confidence, self.test.rows, sets.doubt)
        chosen = sets.nearest if given is None else frozenset(names_list("given", given))
        if chosen is None:
            raise GraphError(f"not by adjustment: {sets.reason}; print found.adjustment_set(...) for the whole answer")
        if why_not := sets.why_not(chosen):
            raise GraphError(f"{sorted(chosen)} is no adjustment set: {why_not}; leave given= out to have one chosen")
        columns = [*sets.x, y, *sorted(chosen)]
        return regression_effect(moments.select(columns), sets.x, y, chosen, confidence, sets.doubt)

    @property
    def allows_selection(self) -> bool:
        """Whether it was left open if the sample was selected."""
        return self.settings.allows_selection

    @property
    def _closed(self) -> bool:
        """Whether two that are not adjacent were all separated, so that what is no collider between them is known."""
        known = self.settings.knowledge
        return self.complete and not (known is not None and known.no_edge)

    def evidence(self, a: str, b: str, given: Iterable[str] | None = None) -> Evidence:
        """The statistic and p-value of a and b given these variables; without them, given what separated the two."""
        self._two(a, b)
        chosen = self.sepset(a, b) if given is None else frozenset(names_list("given", given))
        if chosen is None:
            raise OptionError(f"{a!r} and {b!r} were not separated; say given which variables the evidence is wanted")
        position = {name: i for i, name in enumerate(self.stage.names)}
        for name in chosen:
            self.pag.index(name)
            if name in (a, b):
                raise OptionError(f"given= holds {name!r}, one of the two that are asked about; leave it out of given=")
        x, y = sorted((position[a], position[b]))
        return self.test.evidence(self._questions, x, y, sorted(position[z] for z in chosen))

    def _two(self, a: str, b: str) -> None:
        """Refuse what are not two variables of the graph."""
        self.pag.index(a)
        self.pag.index(b)
        if a == b:
            raise OptionError(f"{a!r} and {b!r} are the same variable; ask about two different ones")

    @cached_property
    def _questions(self) -> Any:
        return self.test.questions(self.stage.names)

    @property
    def unsupported(self) -> Counter[int]:
        """Questions that the data could not support, by the size of the conditioning set; their edges stayed."""
        return self.stage.unsupported

    @cached_property
    def decisions(self) -> Decisions:
        """The p-value, statistic and set that decided about each pair, as arrays."""
        if self._kept is not None:
            return self._kept.decisions
        return decisions_of(self.stage, self.test, self._marginals)

    def to_frame(
        self,
        pairs: Pairs | None = None,
        *,
        involving: Sequence[str] | str | None = None,
        library: Library | None = None,
    ) -> Any:
        """A frame with a row for each pair, in the library of the frame that was searched, otherwise of polars.

        Columns: `a`, `edge` (null where there is none), `b`; `p_value`, `statistic` and `df` of the question that
        decided; for a pair that was separated `sepset`, `radius` and `found_by`; for an edge `closest`, the set with
        the largest p-value of all that were asked about, which is the p-value shown.

        `pairs` chooses "all", the "edges", or the "separated" ones; without it all are shown where there are no more
        than 100 000, otherwise the edges. `involving` chooses pairs with one of these variables.
        """
        if pairs is None:
            n = len(self.pag.nodes)
            pairs = "all" if n * (n - 1) // 2 <= MOST_PAIRS or involving is not None else "edges"
            if pairs == "edges":
                warnings.warn(
                    f"{n:,} variables have {n * (n - 1) // 2:,} pairs, so these are the edges only; "
                    "pass pairs='all' for all of them",
                    DataWarning,
                    stacklevel=2,
                )
        return decisions_frame(
            self.stage, self.decisions, pairs, involving, library or self._library, self.settings.knowledge
        )

    def plot(
        self,
        path: Location | None = None,
        *,
        ax: Any = None,
        highlight: Iterable[Any] = (),
        colour: Mapping[str, str] | Literal["kind", "tier"] | None = None,
        fade: bool | Mapping[tuple[str, str], float] = False,
        layout: Layout | None = None,
        positions: Positions | None = None,
    ) -> Any:
        """Draw the graph into a file that ends in .svg, .png or .pdf, or on axes of matplotlib, which are returned.

        The options are those of `PAG.plot`, and: `colour="kind"` colours continuous and discrete variables, `"tier"`
        the tiers of what is known; `fade=True` fades weak edges: those whose largest p-value is near alpha, up to full
        strength at a millionth of it.
        """
        if isinstance(colour, str):
            colour = self._groups(colour)
        weights = self._strengths() if fade is True else None if fade is False else fade
        return self.pag.plot(
            path, ax=ax, highlight=highlight, colour=colour, fade=weights, layout=layout, positions=positions
        )

    def _groups(self, wanted: str) -> Mapping[str, str]:
        if wanted == "tier":
            known = self.settings.knowledge
            if known is None or not known.tiers:
                raise OptionError("colour='tier' needs tiers, and none are known; pass the group of each variable")
            return {name: f"tier {i}" for i, tier in enumerate(known.tiers, 1) for name in tier}
        if wanted != "kind":
            raise OptionError(f"colour={wanted!r} is not known; pass 'kind', 'tier', or the group of each variable")
        if self.test.kinds is None:
            raise OptionError("colour='kind' needs columns, and there are none; pass the group of each variable")
        return {name: self.test.kinds[name] for name in in_order(self.pag.nodes)}

    def _strengths(self) -> dict[tuple[str, str], float]:
        """How far the largest p-value of each edge is below alpha: 0 at alpha, 1 at a millionth of it."""
        alpha, names, decided = self.test.alpha, self.stage.names, self.decisions
        if alpha is None:
            return {}
        if self.radius < 0:  # nothing was asked
            return {(a, b): 0.0 for a, _, b in self.pag.edges()}
        with np.errstate(divide="ignore"):
            strengths = np.log10(decided.kept_by.p_value / alpha) / -6
        firm = np.clip(np.nan_to_num(strengths, nan=0.0), 0, 1).tolist()  # nothing could be asked: not firm
        return {(names[x], names[y]): weight for (x, y), weight in zip(decided.edges.tolist(), firm, strict=True)}

    def _repr_svg_(self) -> str | None:
        """What a notebook shows."""
        return self.pag._repr_svg_()

    def report(self, path: Location, *, reliabilities: Reliabilities | None = None) -> None:
        """Write the run as one HTML file that a colleague can open: the graph, stage by stage, and every reason.

        `reliabilities`: a `Bootstrap` of the same data, for how often each edge and mark was found in resamples.
        """
        from ancestral.show.report import report_page

        target = path_of("path", path)
        check_report(target)
        write_atomically(target, report_page(self, reliabilities).encode())

    def save(self, path: Location) -> None:
        """Write a run file, which `load` reads: JSON, packed if the name ends in `.gz` (docs/run-file.md)."""
        target = path_of("path", path)
        with saving(target):
            check_target(target)
            write_run(target, self._run)

    def to_json(self) -> str:
        """The text of the run file that `save` writes; that of many variables is better saved, piece by piece."""
        return b"".join(run_lines(self._run)).decode("ascii")

    @property
    def _run(self) -> SavedRun:
        return SavedRun(
            made_by=self.made_by,
            settings=self.settings,
            fingerprint=self.test.fingerprint,
            rows=self.test.rows,
            reading=self.reading,
            kinds=self.test.kinds,
            scale=self.decisions.marginal.scale,
            stage=self.stage,
            history=self.history,
            stopped=self.stopped,
            decisions=self.decisions,
        )

    def __str__(self) -> str:
        return summary(
            self.pag,
            self.settings,
            self.test.rows,
            self.history,
            self.verify_tests,
            self.unsupported,
            self.stopped,
            len(self.trace.conflicts),
        )

    def __repr__(self) -> str:
        return f"<Discovery: {len(self.pag.nodes)} variables, radius {self.radius}, {self.tests.total()} questions>"


def load(path: Location) -> Discovery:
    """Read a run file; everything in it is checked, nothing in it is executed.

    The data are not in it: the graph, the reasons and the decisions can be asked, further evidence cannot.
    """
    run = read_run(path_of("path", path))
    chosen = run.settings
    test = SavedTest(chosen.test, run.scale, chosen.alpha, run.stage.columns, run.rows, run.fingerprint, run.kinds)
    return Discovery(run.stage, test, run.settings, run.history, run.stopped, reading=run.reading, kept=run)


def check_report(path: Path) -> None:
    """Refuse to write a report where it is impossible, or over something else."""
    if path.suffix.lower() not in (".html", ".htm"):
        raise OptionError(f"{path}: a report is a page; let its name end in .html")
    check_writable(path)
