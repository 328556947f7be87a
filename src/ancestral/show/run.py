"""What this room reads of a finished search: protocols that `Discovery` fulfils."""

from collections import Counter
from typing import Any, Protocol

from ancestral.certainty import Certainty
from ancestral.checking import Check
from ancestral.data.read_options import ReadOptions
from ancestral.given_warnings import GivenWarning
from ancestral.graphs import PAG
from ancestral.graphs.answers import Answer
from ancestral.independence.base import Test
from ancestral.search.evidence import Decisions
from ancestral.search.settings import Settings
from ancestral.search.stage import Stage, StageRecord
from ancestral.show.evidence_words import Question
from ancestral.show.interventions import Interventions
from ancestral.show.reasons import Explanation
from ancestral.trace import Trace

__all__ = ["ReportedRun", "Run"]


class Run(Protocol):
    """A finished search, for summaries and pictures."""

    stage: Stage
    test: Test
    settings: Settings
    history: tuple[StageRecord, ...]
    stopped: str | None

    @property
    def pag(self) -> PAG:
        """The graph."""

    @property
    def graphs(self) -> tuple[PAG, ...]:
        """The graph after each stage."""

    @property
    def check(self) -> Check | None:
        """What speaks against the graph in its own data; None if there is nothing to hold it against."""

    @property
    def trace(self) -> Trace:
        """The reasons of marks and missing edges."""

    @property
    def verify_tests(self) -> Counter[int]:
        """The number of questions of verification and of agreement, by the size of the conditioning set."""

    @property
    def unsupported(self) -> Counter[int]:
        """The number of questions that the data could not support, by the size of the conditioning set."""

    @property
    def decisions(self) -> Decisions:
        """The question that decided about each pair."""

    @property
    def interventions(self) -> Interventions:
        """What contexts and randomised variables act on."""

    @property
    def known_certainty(self) -> Certainty | None:
        """How certain the graph is; None if no resamples were searched."""


class ReportedRun(Run, Protocol):
    """A finished search, for a report."""

    reading: ReadOptions
    made_by: str
    warnings: tuple[GivenWarning, ...]

    def causes(self, a: str, b: str) -> Answer:
        """Whether a causes b."""

    def confounded(self, a: str, b: str) -> Answer:
        """Whether something unmeasured causes both a and b."""

    def why(self, a: str, b: str) -> Explanation:
        """Why there is an edge between a and b, or none."""

    def question(self, a: str, b: str) -> Question:
        """The decisive question about a and b, in words."""

    def to_frame(self, pairs: Any = None, *, library: Any = None) -> Any:
        """A frame with a row for each pair."""
