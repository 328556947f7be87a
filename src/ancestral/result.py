"""What a search found: `Discovery`, which answers questions about it, and `load`, which reads one from a run file."""

import os
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from ancestral.arguments import MOST_SEED, flag, names_list, path_of, real, whole_number
from ancestral.certainty import Certainty, RepeatsProgress, Resamples
from ancestral.certainty.answers import told_causes, told_confounded, unchecked
from ancestral.certainty.resamples import DEFAULT_RESAMPLES, SEED, search_resamples
from ancestral.checking import Check, check_of
from ancestral.data import DataWarning
from ancestral.data.libraries import Library
from ancestral.data.read_options import ReadOptions
from ancestral.effects.questions import EffectQuestions
from ancestral.errors import Option, OptionError, RunError, RunWarning
from ancestral.given_warnings import GivenWarning, warn
from ancestral.graphs import MAG, PAG
from ancestral.graphs.marks import CIRCLE
from ancestral.independence.base import Test, column_blocks_of
from ancestral.independence.evidence import Evidence
from ancestral.independence.saved_test import SavedTest
from ancestral.io.claims_frame import claims_frame
from ancestral.io.files import write_atomically
from ancestral.io.frames import MOST_PAIRS, Pairs, checked_pairs, chosen_pairs, decisions_frame
from ancestral.io.relations import relations, relations_of_data
from ancestral.io.run import SavedRun, check_target, read_run, run_lines, write_run
from ancestral.io.saved import FileHead, saving
from ancestral.options import RepeatsOptions
from ancestral.scores.fit import Fit, fit_of
from ancestral.search.claim_notes import ClaimNotes
from ancestral.search.claims import Claims, claims_about
from ancestral.search.evidence import Decisions, ImpliedDecisions, decided_by, decisions_of
from ancestral.search.marginals import Marginals
from ancestral.search.settings import Settings
from ancestral.search.stage import GraphStage, Stage, StageRecord
from ancestral.show.actions import Actions
from ancestral.show.causes import Answer, causes
from ancestral.show.certainties import certainty_sentences, not_firm_at
from ancestral.show.evidence_words import Question, question_in_words
from ancestral.show.interventions import Interventions
from ancestral.show.progress import progress_callback
from ancestral.show.reasons import Backdrop, Explanation, explain, explain_design, explain_graph
from ancestral.show.reliabilities import Reliabilities
from ancestral.show.repeats_bar import RepeatsBar
from ancestral.show.run_pictures import RunPictures
from ancestral.show.summary import summary
from ancestral.trace import Trace
from ancestral.version import VERSION

__all__ = ["Discovery", "Location", "load"]

Location = str | os.PathLike[str]


class Discovery(EffectQuestions, RunPictures):
    """What a search found: the graph, and an answer to every "why". Print it for a summary.

    Made by `discover()` and `load()`. Attributes:

    - `pag`: the graph; `graphs` and `history` have the graph and a record of each stage.
    - `settings`, `test`, `reading`: what was chosen for the search, what answered its questions, and how the data were
      read.
    - `stopped`: why the search ended before it was complete: "max_radius", "time limit", "interrupt", or "executor" if
      the executor was gone; None if it is complete.
    - `unsaved`: the error of the last attempt to save it, a RunError; None if that succeeded, or there was none.
    - `made_by`: the version of the package that made it.
    - `warnings`: what the search warned of, each with a `kind`, a `text`, and the pairs of variables it is `about`.
    - `stage`: the last stage, by positions instead of names.
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

        Raises OptionError if the algorithm has no such graph, if the test has no Gaussian likelihood, and for a run
        that was loaded from a file, which has no data; GraphError if the graph has undirected edges.
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

    # -- how certain it is -----------------------------------------------------------------------------------------

    def certainty(
        self,
        n: int | None = None,
        *,
        seed: int | None = None,
        workers: int = 1,
        executor: Executor | None = None,
        time_limit: float | None = None,
        progress: "bool | Callable[[RepeatsProgress], None] | None" = None,
    ) -> Certainty:
        """How certain each edge and each mark is: the share of n resamples in which a search by score says the same.

        The rows are drawn with replacement, and read in two ways where they are numbers: as they are, and as normal
        scores; a certainty is the smaller share. Resamples that were searched before are kept, and only as many are
        searched as are missing; without `n`, those that there are, or 30. `seed`, `workers`, `executor`, `time_limit`
        and `progress` are as in `bootstrap`; another seed begins anew.

        Raises OptionError if the search is not complete, if no rows can be drawn, for a test without a Gaussian
        likelihood, and for a run that was loaded from a file, which has no data, and no resamples.
        """
        known = self._resamples
        if seed is None:
            chosen = SEED if known is None else known.seed
        else:
            chosen = whole_number("seed", seed, 0, MOST_SEED)
        if known is not None and known.seed != chosen:
            known = None
        if n is None and known is not None:
            return self._certainty
        wanted = DEFAULT_RESAMPLES if n is None else whole_number("n", n, 1)
        if known is not None and known.repeats >= wanted:
            return self._certainty
        if not self.complete:
            raise OptionError("a certainty needs a complete search, and this one was stopped; resume it, and ask again")
        run = RepeatsOptions(workers=workers, executor=executor, time_limit=time_limit, progress=progress)
        with ExitStack() as stack:
            self._resamples = search_resamples(
                self.test,
                self.settings,
                wanted,
                chosen,
                known,
                workers=run.workers,
                executor=run.executor,
                seconds=run.time_limit,
                tell=progress_callback(run.progress, RepeatsBar, stack),
            )
        if self._resamples.stopped == "interrupt":
            warn(RunWarning(f"interrupted; resamples that were done: {self._resamples.repeats}"), stacklevel=2)
        return self._certainty

    @property
    def known_certainty(self) -> Certainty | None:
        """The certainty by the resamples that were searched so far; None if there are none."""
        return None if self._resamples is None else self._certainty

    @property
    def resampled(self) -> int:
        """The number of resamples that were searched so far, in each reading of the data."""
        return 0 if self._resamples is None else self._resamples.repeats

    @property
    def firm(self) -> PAG:
        """The graph with circles in the place of marks that are not firm: that less than 90 % of resamples agree on.

        `found.certainty().firm(0.8)` has another level. It says less than `pag`, and need not be the PAG of any one
        class. Raises OptionError if no resamples were searched; `certainty` does that.
        """
        if self._resamples is None:
            raise OptionError("no resamples were searched, so nothing is known to be firm; call found.certainty()")
        return self._certainty.firm()

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

    # -- questions about two variables -----------------------------------------------------------------------------

    def sepset(self, a: str, b: str) -> frozenset[str] | None:
        """The variables given which a and b were found independent; of a graph found by score, given which it says so.

        Returns None where no separation was found. Raises UnknownName for a name that is not a variable.
        """
        separation = self.stage.separation(a, b)
        return None if separation is None else separation.given

    def why(self, a: str, b: str) -> Explanation:
        """Why there is no edge between a and b, or why its marks are what they are.

        Returns an explanation to print, whose `steps` are data. Raises UnknownName for a name that is not a variable,
        and OptionError if a and b are the same.
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
        )
        return Interventions(actions)

    def question(self, a: str, b: str) -> Question:
        """The question that decided about a and b, with its p-value; of a graph by score, what the graph implies.

        Of two contexts whose relation was designed, there is none: the p-value is NaN. Raises UnknownName for a name
        that is not a variable, and OptionError if a and b are the same.
        """
        self._check_two(a, b)
        if self.settings.is_designed(a, b):
            return Question((), float("nan"), "")
        decided = decided_by(self.stage, self.decisions, a, b)
        words = question_in_words(decided, self.test.scale, self.test.rows) if self.settings.on_data else ""
        return Question(
            decided.given,
            decided.p_value,
            words,
            decided.unanswered,
            decided.answered,
            combined=self.settings.together is not None,
            never=self.settings.never_together(a, b),
        )

    def causes(self, a: str, b: str) -> Answer:
        """Whether a causes b, directly or through others.

        Returns a string with attributes (`Answer`). Of an oracle, it is "yes", "no" or "possibly". Of data, it says how
        certain that is: "yes, firm" or "no, firm" if at least 90 % of resamples say so, "probably (63 %)" or "probably
        not (63 %)" if most do, and otherwise "open"; "yes, not checked" or "no, not checked" without resamples.
        `reason` says why, `verdict` is what the graph itself says, and `certainty` the share of resamples that say it.

        Raises UnknownName for a name that is not a variable.
        """
        answer = causes(self.pag, a, b, self.allows_selection, self._missing_edges_are_separations)
        if a == b or not self.settings.on_data:
            return answer
        return unchecked(answer) if self._resamples is None else told_causes(self._certainty, a, b, answer)

    def confounded(self, a: str, b: str) -> Answer:
        """Whether something unmeasured drives both a and b; see `PAG.confounded`.

        Returns a string with attributes, as `causes` does. Raises UnknownName for a name that is not a variable.
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

    def evidence(self, a: str, b: str, given: Iterable[str] | None = None) -> Evidence:
        """The statistic and p-value of the question whether a and b are independent given these variables.

        Without `given`, it is the set that separated the two. Raises OptionError if they were not separated and `given`
        is left out, if `given` holds a or b, and for a run that was loaded from a file, which has no data; UnknownName
        for a name that is not a variable.
        """
        self._check_two(a, b)
        chosen = self.sepset(a, b) if given is None else frozenset(names_list("given", given))
        if chosen is None:
            raise OptionError([f"{a!r} and {b!r} were not separated; pass the variables to condition on as ", _GIVEN])
        position = {name: i for i, name in enumerate(self.stage.names)}
        for name in chosen:
            self.pag.index(name)
            if name in (a, b):
                raise OptionError("must not hold the two variables themselves", option="given", value=name)
        x, y = sorted((position[a], position[b]))
        return self.test.evidence(self._questions, x, y, sorted(position[z] for z in chosen))

    def claims(self, a: str, b: str) -> Claims:
        """What the graph claims about a and b, each claim with its evidence: what the score loses by denying it.

        The claims are that there is an edge, or none, and each mark that is not a circle. Of up to 100 variables, the
        scored search weighs all claims itself. Otherwise it is done when asked for, from the data, and kept.

        Raises OptionError if the algorithm has no such evidence, if a and b are the same, and if a run that was loaded
        from a file has no evidence in it; UnknownName for a name that is not a variable.
        """
        self._check_two(a, b)
        x, y = self._positions(a, b)
        keys = claims_about(self.stage.oriented.marks, x, y)
        found = dict(zip(keys, self._claim_notes.weigh(keys), strict=True))
        edge, given = self.pag.edge(a, b), self.sepset(a, b)
        p_value = None if given is None else self.question(a, b).p_value
        return Claims(a, edge, b, found[keys[0]], found.get(("mark", y, x)), found.get(("mark", x, y)), given, p_value)

    def claims_frame(self, pairs: Pairs | None = None, *, library: Library | None = None) -> Any:
        """A frame with a row for each claim of the graph, with its evidence; see `claims`.

        Columns: `a`, `edge` (null where there is none), `b`; `claim`, which is "edge", "no edge", "arrowhead" or
        "tail"; `at`, the variable that a mark is at; `evidence`, what the score loses by denying the claim, null if it
        is known or nothing can be compared; `known`, whether knowledge alone implies it; `true_share`, the share of
        claims with as much evidence that were true in simulations (docs/evidence.md).

        `pairs` and `library` are as in `to_frame`. What is computed now is kept; reports show it, and so do files that
        are saved after a frame of all pairs, if these are no more than 100,000. Raises OptionError as `claims` does.
        """
        pairs = self._chosen_pairs(pairs)
        first, second = chosen_pairs(self.pag.marks, pairs, None, self.stage.columns)
        at, marks = self.stage.positions, self.stage.oriented.marks
        keys = [claims_about(marks, *pair) for pair in zip(at[first].tolist(), at[second].tolist(), strict=True)]
        found = iter(self._claim_notes.weigh([key for some in keys for key in some]))
        self._all_claims_weighed |= pairs == "all" and self.complete and len(first) <= MOST_PAIRS
        ends = zip(first.tolist(), second.tolist(), keys, strict=True)
        rows = [(self.pag.nodes[a], self.pag.nodes[b], next(found)) for a, b, some in ends for _ in some]
        return claims_frame(self.pag, rows, library or self._library)

    def at_evidence(self, least: float, *, arrowheads: bool = False) -> PAG:
        """The graph with circles in the place of tails that have less evidence than this.

        Its edges are those of `pag`. With `arrowheads`, weak arrowheads become circles, too. Marks that are known stay.
        It is a view: it says less than `pag`, and it need not be the PAG of any one class, so graph algorithms should
        be given `pag`. docs/evidence.md tells how many tails of some evidence were true in simulations.

        Raises OptionError as `claims` does, and if an argument is not of this form.
        """
        bound = real(least)
        if bound is None or not np.isfinite(bound):
            raise OptionError("must be a number", option="least", value=least, way_out="6 is a common choice")
        kinds = ("tail", "arrowhead") if flag("arrowheads", arrowheads) else ("tail",)
        marks = self.stage.oriented.marks.copy()
        for x, y in self._claim_notes.weak_marks(bound, kinds):
            marks[x, y] = CIRCLE
        return PAG(self.pag.nodes, PAG(self.stage.names, marks).arranged(self.pag.nodes))

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

    def _not_firm_at(self, names: set[str]) -> str:
        """The edges at these variables that are not firm, as a clause."""
        return not_firm_at(self.pag, self.known_certainty, names)

    # -- tables ----------------------------------------------------------------------------------------------------

    @cached_property
    def decisions(self) -> Decisions:
        """The p-value, statistic and set of the question that decided about each pair, as arrays."""
        if self._saved is not None:
            return self._of_saved(self._saved.decisions)
        assert self._marginals is not None, "a result that is not from a file comes from a search"
        return decisions_of(self.stage, self.test, self._marginals)

    def _of_saved(self, decisions: Decisions) -> Decisions:
        """The decisions of a run file; if the data are there again, they can be asked about what a graph implies."""
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

        Columns: `a`, `edge` (null where there is none), `b`; `p_value`, `statistic` and `df` of the question that
        decided; for a separated pair `sepset`, `radius` and `found_by`; for an edge `closest`, the set with the largest
        p-value of all that were asked about, which is the p-value shown. Where the algorithm asked no questions,
        `found_by` is "implied": the graph says that the pair is independent given `sepset`, and the p-value is that of
        this one question in the data; edges then have no p-value, and there is no `radius`. It is "score graph" where
        an algorithm asks within a graph by score, and that graph says so; "design" for two contexts whose relation was
        designed, about which nothing is asked. If the algorithm has evidence of claims (see
        `claims`), a column `evidence` has that of the edge or missing edge, where it was computed. If resamples were
        searched (see `certainty`), the last columns are `edge_certainty`, `certainty_at_a` and `certainty_at_b`: the
        shares of resamples that agree whether there is an edge, and about the marks at its ends.

        `pairs` chooses "all", the "edges", or the "separated" pairs; without it all are shown, but of more than 100,000
        pairs only the edges, with a DataWarning. `involving` chooses pairs with one of these variables. `library` is
        "polars", "pandas" or "pyarrow"; without it, that of the frame that was searched, otherwise polars.

        Raises OptionError for an option that cannot be used, UnknownName for a name that is not a variable.
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

        Columns: `a`, `edge` (null where there is none), `b`, `a_causes_b`, `b_causes_a` and `confounded`, each "yes",
        "no" or "possibly", what the graph says. Of data, three more: `a_causes_b_certainty`, `b_causes_a_certainty` and
        `confounded_certainty`, the share of resamples that say the same, null if none were searched (see `certainty`).
        `library` is as in `to_frame`.
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
    ) -> None:
        """Write the run as one HTML file that a colleague can open: the graph, stage by stage, and every reason.

        `reliabilities` is a `Bootstrap` of the same data, for how often each edge and mark was found in resamples;
        `effects` are pairs of a cause and an effect, each of which gets a panel with what `identify` and `effect` say.
        Raises OptionError for a name that does not end in .html, or a bootstrap of other data, UnknownName for a name
        that is not a variable, and RunError if the file cannot be written.
        """
        from ancestral.show.report import check_report, report_page

        target = path_of("path", path)
        check_report(target)
        write_atomically(target, report_page(self, reliabilities, self._effect_panels(effects)).encode())

    # -- files -----------------------------------------------------------------------------------------------------

    def save(self, path: Location) -> None:
        """Write a run file, which `load` reads: JSON, packed if the name ends in `.gz` (docs/run-file.md).

        Raises RunError if it cannot be written; `unsaved` then has the error, and the file is as before.
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
        """The text of the run file that `save` writes; `save` needs less memory, since it writes piece by piece."""
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


_GIVEN = Option("given")


def load(path: Location) -> Discovery:
    """Read a run file that `Discovery.save` or `discover(save=…)` wrote.

    Everything in it is checked, and nothing in it is executed. The data are not in it: the graph, the reasons and the
    decisions can be asked, further evidence cannot. Raises RunError if the file cannot be read or is not a run file.
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
