"""The evidence of the claims of a found graph: what the search has left in notes, and what is computed when asked."""

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from math import isnan

import numpy as np

from ancestral.errors import Option, OptionError
from ancestral.independence.base import Test
from ancestral.independence.saved_test import SavedTest
from ancestral.knowledge import Constraints
from ancestral.search.claims import ClaimEvidence, ClaimKey, ClaimSource, kind_of_claim, place_of_claim
from ancestral.search.settings import Settings
from ancestral.search.stage import GraphStage, Stage
from ancestral.trace import Note, Trace

__all__ = ["ClaimNotes"]


class ClaimNotes:
    """The notes about the claims of a stage.

    A stage has notes about all of its claims that have evidence, or none. If it has none, they are computed from the
    data, and kept here.
    """

    def __init__(self, stage: Stage, test: Test, settings: Settings) -> None:
        self._stage = stage
        self._test = test
        self._settings = settings
        self._position = {name: i for i, name in enumerate(stage.names)}
        self._of_search = stage.notes if isinstance(stage, GraphStage) else ()
        self._notes = {self._claim_of(note): note for note in self._of_search}
        self._weighed: set[ClaimKey] = set()  # also those without evidence
        self._trace: Trace | None = None

    @property
    def can_weigh(self) -> bool:
        """Whether `weigh` knows the evidence of claims, or can compute it: there is a graph, and the data are there."""
        stage = self._stage
        if self._settings.chosen.claims is None or not isinstance(stage, GraphStage) or stage.member is None:
            return False
        return bool(self._of_search) or not isinstance(self._test, SavedTest)

    @property
    def notes(self) -> tuple[Note, ...]:
        """All notes so far; computed ones in the order of pairs."""
        return self._of_search or tuple(self._notes[claim] for claim in sorted(self._notes, key=place_of_claim))

    @property
    def trace(self) -> Trace:
        """The reasons of the stage, with all notes so far."""
        if not self._weighed:
            return self._stage.trace
        if self._trace is None:
            reasons = self._stage.trace
            self._trace = Trace(reasons.orientations, reasons.conflicts, reasons.separation, self.notes)
        return self._trace

    def weigh(self, claims: Iterable[ClaimKey]) -> list[ClaimEvidence]:
        """These claims with their evidence, which is computed where it is not known yet.

        Raises `OptionError` if the algorithm has no evidence of claims, or the data are not there.
        """
        stage, source = self._weighable()
        chosen = [_sorted(claim) for claim in claims]
        without_note = [claim for claim in dict.fromkeys(chosen) if claim not in self._notes]
        known = source.known(stage, self._constraints, without_note)
        to_do = [claim for claim in without_note if claim not in known and claim not in self._weighed]
        if to_do and not self._of_search:
            notes = source.weigh(stage, self._test, self._constraints, to_do)
            self._notes |= {self._claim_of(note): note for note in notes}
            self._weighed.update(to_do)
            self._trace = None
        return [self._evidence(stage, source, claim, claim in known) for claim in chosen]

    def weak_marks(self, least: float, kinds: Collection[str]) -> Iterator[tuple[int, int]]:
        """The marks of these kinds with less evidence than this: the one at y, for each pair of positions x, y.

        Kinds are "arrowhead" and "tail". Raises as `weigh` does.
        """
        marks = self._stage.oriented.marks
        ends: list[ClaimKey] = [("mark", x, y) for x, y in np.argwhere(marks).tolist()]
        chosen = [claim for claim in ends if kind_of_claim(marks, claim) in kinds]
        for (_, x, y), found in zip(chosen, self.weigh(chosen), strict=True):
            if found.evidence is not None and found.evidence < least:
                yield x, y

    def _evidence(self, stage: GraphStage, source: ClaimSource, claim: ClaimKey, known: bool) -> ClaimEvidence:
        note = self._notes.get(claim)
        evidence = None if note is None or isnan(note.number) else note.number  # a file may have a note without number
        kind = kind_of_claim(stage.oriented.marks, claim)
        text = "known, whatever the data say" if known else "no graph was found that denies it"
        return ClaimEvidence(
            kind=kind,
            x=stage.names[claim[1]],
            y=stage.names[claim[2]],
            evidence=evidence,
            known=known,
            true_share=None if evidence is None else source.share_true(kind, evidence),
            text=text if note is None else note.text,
        )

    def _claim_of(self, note: Note) -> ClaimKey:
        return _sorted((note.about, self._position[note.x], self._position[note.y]))

    def _weighable(self) -> tuple[GraphStage, ClaimSource]:
        """The stage, and how its claims are weighed. Raises `OptionError` if they cannot be."""
        stage, source = self._stage, self._settings.chosen.claims
        if source is None:
            chosen = Option("algorithm", self._settings.algorithm)
            raise OptionError(
                ["evidence of claims must come from a search by score, and ", chosen, " has none"],
                way_out=[
                    "pass ",
                    Option("algorithm", "scored"),
                    ", or ask evidence(a, b) for the p-value of a question",
                ],
            )
        if not isinstance(stage, GraphStage) or stage.member is None:
            raise OptionError(
                "evidence of claims needs a graph, and none was found", way_out="let the search run longer"
            )
        return stage, source

    @cached_property
    def _constraints(self) -> Constraints | None:
        known = self._settings.knowledge
        return None if known is None else known.constraints(self._stage.names, self._settings.allows_selection)


def _sorted(claim: ClaimKey) -> ClaimKey:
    """The claim itself; one about a pair with the smaller position first."""
    about, x, y = claim
    return claim if about == "mark" else (about, min(x, y), max(x, y))
