"""What a search found: `Discovery`, which answers questions about it, and `load`, which reads one from a run file."""

import os
import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from ancestral.arguments import path_of
from ancestral.certainty import Certainty, Resamples
from ancestral.certainty.answers import told_causes, told_confounded, unchecked
from ancestral.checking import Check, check_of
from ancestral.data import DataWarning
from ancestral.data.libraries import Library
from ancestral.data.read_options import ReadOptions
from ancestral.effects.questions import EffectQuestions
from ancestral.errors import Option, OptionError, RunError
from ancestral.given_warnings import GivenWarning
from ancestral.graphs import MAG, PAG
from ancestral.independence.base import Test, column_blocks_of
from ancestral.independence.saved_test import SavedTest
from ancestral.io.files import write_atomically
from ancestral.io.frames import MOST_PAIRS, Pairs, checked_pairs, decisions_frame
from ancestral.io.relations import relations, relations_of_data
from ancestral.io.run import SavedRun, check_target, read_run, run_lines, write_run
from ancestral.io.saved import FileHead, saving
from ancestral.scores.fit import Fit, fit_of
from ancestral.search.claim_notes import ClaimNotes
from ancestral.search.claims import claims_about
from ancestral.search.evidence import Decisions, ImpliedDecisions, decisions_of
from ancestral.search.marginals import Marginals
from ancestral.search.settings import Settings
from ancestral.search.stage import GraphStage, Stage, StageRecord
from ancestral.show.actions import Actions
from ancestral.show.causes import Answer, causes
from ancestral.show.certainties import certainty_sentences, not_firm_at
from ancestral.show.certainty_questions import CertaintyQuestions
from ancestral.show.evidence_questions import EvidenceQuestions
from ancestral.show.interventions import Interventions
from ancestral.show.reasons import Backdrop, Explanation, explain, explain_design, explain_graph
from ancestral.show.reliabilities import Reliabilities
from ancestral.show.run_pictures import RunPictures
from ancestral.show.summary import summary
from ancestral.trace import Trace
from ancestral.version import VERSION

__all__ = ["Discovery", "Location", "load"]

Location = str | os.PathLike[str]


class Discovery(CertaintyQuestions, EvidenceQuestions, EffectQuestions, RunPictures):
    """What a search found: the graph, and an answer to every "why". Print it for a summary.

    Made by `discover` and `load`.

    Attributes:
        settings: What was chosen for the search.
        test: What answered its questions.
        reading: How the data were read.
        history: A record of each stage.
        stage: The last stage, by positions instead of names.
        stopped: Why the search ended before it was complete: "max_radius", "time limit", "interrupt", or "executor" if
            the executor was gone; None if it is complete.
        unsaved: The error of the last attempt to save it, a RunError; None if that succeeded, or there was none.
        made_by: The version of the package that made it.
        warnings: What the search warned of, each with a `kind`, a `text`, and the pairs of variables it is `about`.

    Examples:
        >>> import ancestral as an
        >>> found = an.discover(an.Oracle(an.DAG.parse("a -> c, b -> c, c -> d")))
        >>> print(found.pag)
        a o-> c
        b o-> c
        c --> d
        >>> found.complete, found.stopped, found.settings.algorithm, found.radius, found.allows_selection, found.check
        (True, None, 'icd', 2, True, None)
        >>> [len(graph.edges()) for graph in found.graphs], dict(found.tests), found.verify_tests.total()
        ([5, 3, 3], {0: 6, 1: 8, 2: 3}, 0)
        >>> found.mag, found.score, found.unsupported.total(), len(found.interventions), len(found.decisions.edges)
        (None, None, 0, 0, 3)
        >>> found.sepset("a", "d"), str(found.causes("c", "d")), str(found.confounded("c", "d"))
        (frozenset({'c'}), 'yes', 'no')
        >>> print(found.why("a", "d"))
        No edge between a and d.
          a and d are independent given {c} (found at radius 1).
        >>> found.trace.orientation("c", "d").rule
        'R1'
        >>> sorted(found.to_frame(pairs="separated")["radius"]), found.relations().filter(a_causes_b="yes").height
        ([0, 1, 1], 1)

        Data are searched by score here, and resamples tell how certain the graph is.

        >>> rows = an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c, c -> d"), rows=500, seed=1)
        >>> found = an.discover(rows, resamples=10)
        >>> found.settings.algorithm, found.resampled, found.known_certainty.repeats, found.certainty().edge("c", "d")
        ('scored', 10, 10, 1.0)
        >>> bool((found.firm.skeleton() == found.pag.skeleton()).all()), abs(found.score - found.fit.ebic) < 1e-6
        (True, True)
        >>> found.check.denied, found.mag.edge("c", "d"), found.claims("c", "d").adjacency.kind
        (0, '-->', 'edge')
        >>> print(found.at_evidence(1e6))  # no tail has as much evidence as that
        a o-> c
        b o-> c
        c o-> d
        >>> len(found.claims_frame()), found.question("a", "b").given, found.evidence("a", "b", given=[]).p_value > 0.01
        (10, (), True)
        >>> import pathlib, tempfile
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> found.save(folder / "run.json")
        >>> (folder / "run.json").read_text(encoding="utf-8") == found.to_json()
        True
        >>> found.report(folder / "run.html")
        >>> found.plot(folder / "run.svg", fade=True)
        >>> sorted(file.name for file in folder.iterdir())
        ['run.html', 'run.json', 'run.svg']
    """

    def __init__(
        self,
        *,
        stage: Stage,
        test: Test,
        settings: Settings,
        history: tuple[StageRecord, ...],
        stopped: str | None = None,
        reading: ReadOptions = ReadOptions(),  # noqa: B008
        library: Library = "polars",
        marginals: Marginals | None = None,
        resamples: Resamples | None = None,
        warnings: tuple[GivenWarning, ...] = (),
        saved: SavedRun | None = None,
    ) -> None:
        """Either `marginals`, of the questions of the search, or `saved`, the run file it comes from, must be given."""
        self.stage = stage
        self.test = test
        self.settings = settings
        self.history = history
        self.stopped = stopped
        self.reading = reading
        self.made_by = f"ancestral {VERSION}" if saved is None else saved.made_by
        self.warnings = warnings if saved is None else saved.warnings
        self.unsaved: RunError | None = None
        self._saved = saved
        self._library: Library = library
        self._marginals = marginals
        self._resamples = resamples if saved is None else saved.resamples
        self._certainty_of: Certainty | None = None
        self._all_claims_weighed = False

    # -- the graph, and how the search went ------------------------------------------------------------------------

    @cached_property
    def pag(self) -> PAG:
        """The graph; of PC, a CPDAG. It knows behind which pairs nothing unmeasured stands, if that is known."""
        pag, known = self.stage.pag, self.settings.knowledge
        if known is None or not pag.may_hide:
            return pag
        pairs = [(a, b) for a, _, b in pag.edges() if known.why_unconfounded(a, b) is not None]
        return PAG(pag.nodes, pag.marks, pairs) if pairs else pag

    @property
    def mag(self) -> MAG | None:
        """The graph of the class that a search over graphs ended with; None for algorithms that ask questions."""
        return self.stage.mag if isinstance(self.stage, GraphStage) else None

    @cached_property
    def graphs(self) -> tuple[PAG, ...]:
        """The graph after each line of `history`; the last one is `pag`."""
        names, columns = self.stage.names, self.stage.columns
        before = [PAG(names, record.graph.matrix(len(names))) for record in self.history[:-1]]
        return (*(PAG(columns, graph.arranged(columns)) for graph in before), self.pag)[: len(self.history)]

    @cached_property
    def fit(self) -> Fit:
        """How well `mag` fits the data: its EBIC and deviance, and the covariances that it implies.

        Raises:
            OptionError: If the algorithm has no such graph, if the test has no Gaussian likelihood, and for a run that
                was loaded from a file, which has no data.
            GraphError: If the graph has undirected edges.
        """
        if self.mag is None:
            raise OptionError(
                ["a fit needs a graph, and ", Option("algorithm", self.settings.algorithm), " ended without found.mag"],
                way_out=["pass ", Option("algorithm", "scored"), ", and let it find one"],
            )
        names = tuple(self.stage.names)
        blocks = column_blocks_of(self.test, names)
        return fit_of(blocks, names, self.mag.arranged(names), columns=tuple(self.stage.columns))

    @cached_property
    def check(self) -> Check | None:
        """What speaks against the graph in its own data; it is computed when it is first asked for, and saved.

        None if there is nothing to hold the graph against: for an oracle, for a run in which no stage is finished, for
        one from a file of an earlier version, and if a test of one's own was not asked about every pair of variables.
        """
        if self._saved is not None and (self._saved.check is not None or isinstance(self.test, SavedTest)):
            return self._saved.check
        return check_of(self.stage, self.decisions, self.test, self.settings)

    @property
    def trace(self) -> Trace:
        """The reason of each missing edge and of each mark, as data."""
        return self._claim_notes.trace

    @property
    def radius(self) -> int | None:
        """The last radius that was searched; -1 if not even radius 0 was finished, None if the algorithm has none."""
        return self.stage.radius

    @property
    def complete(self) -> bool:
        """Whether the search came to its end."""
        return self.stage.complete

    @property
    def score(self) -> float | None:
        """How well the graph fits, lower is better; None if the algorithm has no score."""
        return self.stage.score

    @property
    def tests(self) -> Counter[int]:
        """The number of questions asked, by the size of the conditioning set."""
        return self.stage.tests

    @property
    def verify_tests(self) -> Counter[int]:
        """The further questions, of verification and of agreement on colliders, by the size of the conditioning set."""
        return self.stage.verify_tests

    @property
    def unsupported(self) -> Counter[int]:
        """The number of questions that the data could not support, by the size of the set; their edges stayed."""
        return self.stage.unsupported

    @property
    def allows_selection(self) -> bool:
        """Whether the search left open that the sample was selected."""
        return self.settings.allows_selection

    # -- how certain it is: see `CertaintyQuestions` -----------------------------------------------------------------

    @property
    def _certainty(self) -> Certainty:
        """The certainty by the resamples that there are."""
        assert self._resamples is not None, "resamples were searched"
        if self._certainty_of is None or self._certainty_of.resamples is not self._resamples:
            self._certainty_of = Certainty(
                self.pag,
                self._resamples,
                selection_bias=self.allows_selection,
                complete=self._missing_edges_are_separations,
                knowledge=self.settings.knowledge,
            )
        return self._certainty_of

    # -- questions about two variables; about evidence: see `EvidenceQuestions` -------------------------------------

    def sepset(self, a: str, b: str) -> frozenset[str] | None:
        """The variables given which a and b were found independent; of a graph found by score, given which it says so.

        Args:
            a: A variable.
            b: Another variable.

        Returns:
            The variables; None where no separation was found.

        Raises:
            UnknownName: If a name is not a variable.
        """
        separation = self.stage.separation(a, b)
        return None if separation is None else separation.given

    def why(self, a: str, b: str) -> Explanation:
        """Why there is no edge between a and b, or why its marks are what they are.

        Args:
            a: A variable.
            b: Another variable.

        Returns:
            An explanation to print, whose `steps` are data.

        Raises:
            UnknownName: If a name is not a variable.
            OptionError: If a and b are the same.
        """
        self._check_two(a, b)
        if self.settings.is_designed(a, b):
            return explain_design(a, b, asks=self.settings.chosen.asks)
        if isinstance(self.stage, GraphStage):
            if self.complete and self._claim_notes.can_weigh:
                self._claim_notes.weigh(claims_about(self.stage.oriented.marks, *self._positions(a, b)))
            begun, caveat = self.stage.begun, self.settings.chosen.caveat
            return explain_graph(self.pag, self.trace, a, b, self._backdrop(a, b), begun=begun, caveat=caveat)
        radius = max((record.radius or 0 for record in self.history), default=self.radius or 0)
        return explain(self.pag, self.trace, a, b, self._backdrop(a, b), radius=radius)

    def _backdrop(self, a: str, b: str) -> Backdrop:
        certainty, selection = self.known_certainty, self.allows_selection
        return Backdrop(
            self.question,
            self.settings.knowledge,
            selection,
            self.settings.alpha,
            () if certainty is None else tuple(certainty_sentences(certainty, a, b, selection=selection)),
            "" if (action := self.interventions.about(a, b)) is None else action.sentence,
        )

    @cached_property
    def interventions(self) -> Interventions:
        """What each context, and each randomised variable, acts on by the graph; empty if none are known.

        A sequence to print, with a line for each, of objects with attributes such as `context`, `acts_on`, `through`
        and `open`.
        """
        actions = Actions(
            self.pag,
            self.settings.knowledge,
            selection=self.allows_selection,
            complete=self.complete,
            separated=self._missing_edges_are_separations,
            on_data=self.settings.on_data,
        )
        return Interventions(actions)

    def causes(self, a: str, b: str) -> Answer:
        """Whether a causes b, directly or through others.

        Args:
            a: A variable.
            b: Another variable.

        Returns:
            A string with attributes (`Answer`). Of an oracle, it is "yes", "no" or "possibly". Of data, it says how
            certain that is: "yes, firm" or "no, firm" if at least 90 % of resamples say so, "probably (63 %)" or
            "probably not (63 %)" if most do, and otherwise "open"; "yes, not checked" or "no, not checked" without
            resamples. `reason` says why, `verdict` is what the graph itself says, and `certainty` the share of
            resamples that say it.

        Raises:
            UnknownName: If a name is not a variable.
        """
        answer = causes(self.pag, a, b, self.allows_selection, self._missing_edges_are_separations)
        if a == b or not self.settings.on_data:
            return answer
        return unchecked(answer) if self._resamples is None else told_causes(self._certainty, a, b, answer)

    def confounded(self, a: str, b: str) -> Answer:
        """Whether something unmeasured drives both a and b; see `PAG.confounded`.

        Args:
            a: A variable.
            b: Another variable.

        Returns:
            A string with attributes, as `causes` does.

        Raises:
            UnknownName: If a name is not a variable.
        """
        answer, known = self.pag.confounded(a, b), self.settings.knowledge
        if known is not None and frozenset((a, b)) in self.pag.unconfounded and answer == "no":
            return Answer("no", f"known: {known.why_unconfounded(a, b)}")
        if answer != "possibly" and a != b and self.settings.together is not None and self.pag.edge(a, b) is not None:
            answer = Answer(
                "possibly", "no table has all columns, so that the edge itself, or one beside it, may be false"
            )
        if a == b or not self.settings.on_data:
            return answer
        return unchecked(answer) if self._resamples is None else told_confounded(self._certainty, a, b, answer)

    def _positions(self, a: str, b: str) -> tuple[int, int]:
        """The positions of two variables, which are known."""
        x, y = self.stage.positions[[self.pag.index(a), self.pag.index(b)]].tolist()
        return x, y

    @cached_property
    def _claim_notes(self) -> ClaimNotes:
        return ClaimNotes(self.stage, self.test, self.settings)

    def _check_two(self, a: str, b: str) -> None:
        """Raise unless a and b are two variables of the graph."""
        self.pag.index(a)
        self.pag.index(b)
        if a == b:
            raise OptionError(f"the two variables must differ, got {a!r} twice; ask about two different ones")

    @property
    def _missing_edges_are_separations(self) -> bool:
        """Whether every pair without an edge was separated, so that colliders and non-colliders are known.

        They are not if they were found by agreement, and some triples stay open, nor where some questions could not be
        asked of any table.
        """
        known, agreed = self.settings.knowledge, self.stage.oriented.agreed
        if (agreed is not None and not agreed.all_decided) or self.settings.together is not None:
            return False
        if isinstance(self.stage, GraphStage) and self.stage.member is not None:
            return self.complete  # in a MAG, pairs that are known to have no edge are separated, too
        return self.complete and not (known is not None and known.no_edge)

    @cached_property
    def _questions(self) -> Any:
        return self.test.questions(self.stage.names)

    # -- effects: see `EffectQuestions` ------------------------------------------------------------------------------

    def _not_firm_at(self, x: Sequence[str], y: Sequence[str]) -> str:
        """What is not firm about the effect of x on y, as a clause."""
        return not_firm_at(self.pag, self.known_certainty, x, y)

    # -- tables ----------------------------------------------------------------------------------------------------

    @cached_property
    def decisions(self) -> Decisions:
        """The p-value, statistic and set of the question that decided about each pair, as arrays."""
        if self._saved is not None:
            return self._of_saved(self._saved.decisions)
        assert self._marginals is not None, "a result that is not from a file comes from a search"
        return decisions_of(self.stage, self.test, self._marginals)

    def _of_saved(self, decisions: Decisions) -> Decisions:
        """The decisions of a run file; if the data are there again, they can be asked about what it leaves out."""
        if not decisions.marginal.of_all and not isinstance(self.test, SavedTest):
            return replace(decisions, marginal=Marginals.asked(self.test, self._questions))
        if not isinstance(self.stage, GraphStage) or not isinstance(decisions, ImpliedDecisions):
            return decisions
        test = None if isinstance(self.test, SavedTest) else self.test
        return ImpliedDecisions.of(self.stage, decisions.marginal, test, decisions.asked)

    def to_frame(
        self,
        pairs: Pairs | None = None,
        *,
        involving: Sequence[str] | str | None = None,
        library: Library | None = None,
    ) -> Any:
        """A frame with a row for each pair of variables: the edge, and the question that decided about it.

        - `a`, `edge` (null where there is none), `b`; `p_value`, `statistic` and `df` of the question that decided.
        - For a separated pair `sepset`, `radius` and `found_by`; for an edge `closest`, the set with the largest
          p-value of all that were asked about, which is the p-value shown.
        - Where the algorithm asked no questions, `found_by` is "implied": the graph says that the pair is independent
          given `sepset`, and the p-value is that of this one question in the data; edges then have no p-value, and
          there is no `radius`. It is "score graph" where an algorithm asks within a graph by score, and that graph says
          so; "design" for two contexts whose relation was designed, about which nothing is asked.
        - If the algorithm has evidence of claims (see `claims`), `evidence` has that of the edge or missing edge, where
          it was computed.
        - If resamples were searched (see `certainty`), the last columns are `edge_certainty`, `certainty_at_a` and
          `certainty_at_b`: the shares of resamples that agree whether there is an edge, and about the marks at its
          ends.

        Args:
            pairs: "all", the "edges", or the "separated" pairs; by default all, but of more than 100,000 pairs only the
                edges.
            involving: Only the pairs with one of these variables.
            library: "polars", "pandas" or "pyarrow"; by default that of the frame that was searched, otherwise polars.

        Returns:
            A frame with these columns.

        Raises:
            OptionError: If an option cannot be used.
            UnknownName: If a name is not a variable.

        Warns:
            DataWarning: If only the edges are shown because there are too many pairs.
        """
        pairs = "all" if pairs is None and involving is not None else self._chosen_pairs(pairs)
        return decisions_frame(
            self.stage,
            self.decisions,
            pairs,
            involving,
            library or self._library,
            self.settings.knowledge,
            self.trace if self.settings.chosen.claims is not None else None,
            self.known_certainty,
        )

    def _chosen_pairs(self, pairs: Pairs | None) -> Pairs:
        """The pairs that a frame shows: if None were chosen all, or the edges if that would be too many."""
        n = len(self.pag.nodes)
        if pairs is not None or n * (n - 1) // 2 <= MOST_PAIRS:
            return "all" if pairs is None else checked_pairs(pairs)
        warnings.warn(
            DataWarning(
                f"{n:,} variables have {n * (n - 1) // 2:,} pairs, so these are the edges only; pass ",
                Option("pairs", "all"),
                " for all of them",
            ),
            stacklevel=3,
        )
        return "edges"

    def relations(self, *, library: Library | None = None) -> Any:
        """A frame with a row for each pair: who causes whom, and whether something unmeasured drives both.

        Args:
            library: As in `to_frame`.

        Returns:
            A frame with the columns `a`, `edge` (null where there is none), `b`, `a_causes_b`, `b_causes_a` and
            `confounded`, each "yes", "no" or "possibly", what the graph says. Of data, three more:
            `a_causes_b_certainty`, `b_causes_a_certainty` and `confounded_certainty`, the share of resamples that say
            the same, null if none were searched (see `certainty`).

        Raises:
            OptionError: If there is no such library.
        """
        read: dict[str, Any] = {
            "selection_bias": self.allows_selection,
            "complete": self._missing_edges_are_separations,
            "library": library or self._library,
        }
        if not self.settings.on_data:
            return relations(self.pag, **read)
        return relations_of_data(self.pag, self.known_certainty, **read)

    # -- pages; pictures: see `RunPictures` ------------------------------------------------------------------------

    def report(
        self,
        path: Location,
        *,
        reliabilities: Reliabilities | None = None,
        effects: Iterable[tuple[str, str]] = (),
        around: str | Iterable[str] | None = None,
        within: int = 1,
    ) -> None:
        """Write the run as one HTML file that a colleague can open: the graph, stage by stage, and every reason.

        Of thousands of variables that takes minutes. With `around` the page is a small one, about the variables near
        some variables: a picture of their edges, and the reason of each.

        Args:
            path: The file, whose name ends in .html.
            reliabilities: A `Bootstrap` of the same data, for how often each edge and mark was found in resamples.
            effects: Pairs of a cause and an effect, each of which gets a panel with what `identify` and `effect` say.
            around: A variable, or several; the page is about their neighbourhood, and has no other panels.
            within: The number of edges up to which a variable belongs to the neighbourhood.

        Raises:
            OptionError: If the name does not end in .html, the bootstrap is of other data, or the options do not fit.
            UnknownName: If a name is not a variable.
            RunError: If the file cannot be written.
        """
        from ancestral.show.report import check_report, report_page
        from ancestral.show.report.neighbourhood import neighbourhood_page

        target = path_of("path", path)
        check_report(target)
        if around is None:
            page = report_page(self, reliabilities, self._effect_panels(effects))
        elif reliabilities is not None or tuple(effects):
            raise OptionError(
                "is a small page, which shows neither resamples nor effects",
                option="around",
                way_out=["leave out ", Option("reliabilities"), " and ", Option("effects")],
            )
        else:
            page = neighbourhood_page(self, around, within)
        write_atomically(target, page.encode())

    # -- files -----------------------------------------------------------------------------------------------------

    def save(self, path: Location) -> None:
        """Write a run file, which `load` reads: JSON, packed if the name ends in `.gz` (docs/run-file.md).

        Args:
            path: The file.

        Raises:
            RunError: If it cannot be written; `unsaved` then has the error, and the file is as before.
        """
        target = path_of("path", path)
        try:
            with saving(target):
                check_target(target)
                write_run(target, self._run)
        except RunError as error:
            self.unsaved = error
            raise
        except KeyboardInterrupt:
            self.unsaved = RunError(f"{target}: interrupted while the run was saved; the file is as before")
            raise
        self.unsaved = None

    def to_json(self) -> str:
        """The text of the run file that `save` writes; `save` needs less memory, since it writes piece by piece.

        Returns:
            The text.
        """
        return b"".join(run_lines(self._run)).decode("ascii")

    @property
    def _run(self) -> SavedRun:
        self._ask_implied()
        stage = self.stage
        if self._all_claims_weighed and isinstance(stage, GraphStage):
            stage = replace(stage, notes=self._claim_notes.notes)
        return SavedRun(
            **FileHead.of(self.test, self.settings, self.reading, self.made_by).shared(),
            scale=self.decisions.marginal.scale,
            stage=stage,
            history=self.history,
            stopped=self.stopped,
            decisions=self.decisions,
            resamples=self._resamples,
            check=None if self.stopped == "interrupt" and self._has_many_pairs else self.check,
            warnings=self.warnings,
        )

    def _ask_implied(self) -> None:
        """Ask the data about all that a complete graph implies, so that a file has it, unless the pairs are many."""
        asks = isinstance(self.decisions, ImpliedDecisions) and self.decisions.test is not None
        if asks and self.complete and not self._has_many_pairs:
            self.decisions.among(*np.triu_indices(len(self.stage.names), 1))

    @property
    def _has_many_pairs(self) -> bool:
        """Whether there are so many pairs that saving a stage on the way must not look at each of them."""
        n = len(self.stage.names)
        return n * (n - 1) // 2 > MOST_PAIRS

    def __str__(self) -> str:
        return summary(self)

    def __repr__(self) -> str:
        how = f"radius {self.radius}, {self.tests.total()} questions"
        if isinstance(self.stage, GraphStage):
            how = f"{self.stage.phase}, {len(self.pag.edges())} edges"
        return f"<Discovery: {len(self.pag.nodes)} variables, {how}>"


def load(path: Location) -> Discovery:
    """Read a run file that `Discovery.save` or `discover(save=…)` wrote.

    Everything in it is checked, and nothing in it is executed. The data are not in it: the graph, the reasons and the
    decisions can be asked, further evidence cannot.

    Args:
        path: The file.

    Returns:
        What was found.

    Raises:
        RunError: If the file cannot be read, or is not a run file.

    Examples:
        >>> import pathlib, tempfile
        >>> import ancestral as an
        >>> file = pathlib.Path(tempfile.mkdtemp()) / "run.json.gz"
        >>> found = an.discover(an.Oracle(an.DAG.parse("a -> c, b -> c, c -> d")), save=file)
        >>> again = load(file)
        >>> again.pag == found.pag, again.sepset("a", "d")
        (True, frozenset({'c'}))
    """
    run = read_run(path_of("path", path))
    chosen = run.settings
    test = SavedTest(chosen.test, run.scale, chosen.alpha, run.stage.columns, run.rows, run.fingerprint, run.kinds)
    return Discovery(
        stage=run.stage,
        test=test,
        settings=run.settings,
        history=run.history,
        stopped=run.stopped,
        reading=run.reading,
        saved=run,
    )
