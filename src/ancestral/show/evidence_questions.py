"""Questions about the claims of a graph, and the evidence for them: methods of `Discovery`."""

from collections.abc import Iterable
from typing import Any, Protocol

import numpy as np

from ancestral.arguments import flag, names_list, real
from ancestral.data.libraries import Library
from ancestral.errors import Option, OptionError
from ancestral.graphs import PAG
from ancestral.graphs.marks import CIRCLE
from ancestral.independence.base import Test
from ancestral.independence.evidence import Evidence
from ancestral.io.claims_frame import claims_frame
from ancestral.io.frames import MOST_PAIRS, Pairs, chosen_pairs
from ancestral.search.claim_notes import ClaimNotes
from ancestral.search.claims import Claims, claims_about
from ancestral.search.evidence import Decisions, decided_by
from ancestral.search.settings import Settings
from ancestral.search.stage import Stage
from ancestral.show.evidence_words import Question, question_in_words

__all__ = ["EvidenceQuestions"]


class _Asked(Protocol):
    """What the questions need of a search that is done."""

    stage: Stage
    test: Test
    settings: Settings
    _library: Library
    _all_claims_weighed: bool

    @property
    def pag(self) -> PAG: ...

    @property
    def complete(self) -> bool: ...

    @property
    def decisions(self) -> Decisions: ...

    @property
    def _claim_notes(self) -> ClaimNotes: ...

    @property
    def _questions(self) -> Any: ...

    def sepset(self, a: str, b: str) -> frozenset[str] | None: ...

    def question(self, a: str, b: str) -> Question: ...

    def _check_two(self, a: str, b: str) -> None: ...

    def _positions(self, a: str, b: str) -> tuple[int, int]: ...

    def _chosen_pairs(self, pairs: Pairs | None) -> Pairs: ...


class EvidenceQuestions:
    """Questions about evidence, to a graph, the reasons that its search wrote down, and the test that has its data.

    Examples:
        >>> import ancestral as an
        >>> rows = an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c, c -> d"), rows=500, seed=1)
        >>> found = an.discover(rows, resamples=0)
        >>> found.question("a", "b").given, found.evidence("a", "b").rows, found.claims("c", "d").adjacency.kind
        ((), 500, 'edge')
        >>> found.at_evidence(0) == found.pag, found.claims_frame("separated")["claim"].to_list()
        (True, ['no edge', 'no edge', 'no edge'])
    """

    def question(self: _Asked, a: str, b: str) -> Question:
        """The question that decided about a and b, with its p-value; of a graph by score, what the graph implies.

        Args:
            a: A variable.
            b: Another variable.

        Returns:
            The question. Of two contexts whose relation was designed, there is none: the p-value is NaN.

        Raises:
            UnknownName: If a name is not a variable.
            OptionError: If a and b are the same.
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

    def evidence(self: _Asked, a: str, b: str, given: Iterable[str] | None = None) -> Evidence:
        """The statistic and p-value of the question whether a and b are independent given some variables.

        Args:
            a: A variable.
            b: Another variable.
            given: The variables that are conditioned on; by default the set that separated the two.

        Returns:
            The evidence, with `statistic`, `df`, `p_value` and `rows`.

        Raises:
            OptionError: If they were not separated and `given` is left out, if `given` holds a or b, and for a run that
                was loaded from a file, which has no data.
            UnknownName: If a name is not a variable.
        """
        self._check_two(a, b)
        chosen = self.sepset(a, b) if given is None else frozenset(names_list("given", given))
        if chosen is None:
            raise OptionError(
                [f"{a!r} and {b!r} were not separated; pass the variables to condition on as ", Option("given")]
            )
        position = {name: i for i, name in enumerate(self.stage.names)}
        for name in chosen:
            self.pag.index(name)
            if name in (a, b):
                raise OptionError("must not hold the two variables themselves", option="given", value=name)
        x, y = sorted((position[a], position[b]))
        return self.test.evidence(self._questions, x, y, sorted(position[z] for z in chosen))

    def claims(self: _Asked, a: str, b: str) -> Claims:
        """What the graph claims about a and b, each claim with its evidence: what the score loses by denying it.

        The claims are that there is an edge, or none, and each mark that is not a circle. Of up to 100 variables, the
        scored search weighs all claims itself. Otherwise it is done when asked for, from the data, and kept.

        Args:
            a: A variable.
            b: Another variable.

        Returns:
            The claims; print them.

        Raises:
            OptionError: If the algorithm has no such evidence, if a and b are the same, and if a run that was loaded
                from a file has no evidence in it.
            UnknownName: If a name is not a variable.
        """
        self._check_two(a, b)
        x, y = self._positions(a, b)
        keys = claims_about(self.stage.oriented.marks, x, y)
        found = dict(zip(keys, self._claim_notes.weigh(keys), strict=True))
        edge, given = self.pag.edge(a, b), self.sepset(a, b)
        p_value = None if given is None else self.question(a, b).p_value
        return Claims(a, edge, b, found[keys[0]], found.get(("mark", y, x)), found.get(("mark", x, y)), given, p_value)

    def claims_frame(self: _Asked, pairs: Pairs | None = None, *, library: Library | None = None) -> Any:
        """A frame with a row for each claim of the graph, with its evidence; see `claims`.

        What is computed now is kept; reports show it, and so do files that are saved after a frame of all pairs, if
        these are no more than 100,000.

        Args:
            pairs: As in `to_frame`.
            library: As in `to_frame`.

        Returns:
            A frame with the columns `a`, `edge` (null where there is none), `b`; `claim`, which is "edge", "no edge",
            "arrowhead" or "tail"; `at`, the variable that a mark is at; `evidence`, what the score loses by denying the
            claim, null if it is known or nothing can be compared; `known`, whether knowledge alone implies it;
            `true_share`, the share of claims with as much evidence that were true in simulations (docs/evidence.md).

        Raises:
            OptionError: As `claims` does, and if an option cannot be used.
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

    def at_evidence(self: _Asked, least: float, *, arrowheads: bool = False) -> PAG:
        """The graph with circles in the place of tails that have less evidence than some.

        Its edges are those of `pag`. Marks that are known stay. It is a view: it says less than `pag`, and it need not
        be the PAG of any one class, so graph algorithms should be given `pag`. docs/evidence.md tells how many tails of
        some evidence were true in simulations.

        Args:
            least: The least evidence; 6 is a common choice.
            arrowheads: Whether weak arrowheads become circles, too.

        Returns:
            The graph.

        Raises:
            OptionError: As `claims` does, and if an argument is not of this form.
        """
        bound = real(least)
        if bound is None or not np.isfinite(bound):
            raise OptionError("must be a number", option="least", value=least, way_out="6 is a common choice")
        kinds = ("tail", "arrowhead") if flag("arrowheads", arrowheads) else ("tail",)
        marks = self.stage.oriented.marks.copy()
        for x, y in self._claim_notes.weak_marks(bound, kinds):
            marks[x, y] = CIRCLE
        return PAG(self.pag.nodes, PAG(self.stage.names, marks).arranged(self.pag.nodes))
