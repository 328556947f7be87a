"""What a run file holds, and the texts and bounds that its writer and its reader share."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ancestral.certainty.resamples import Resamples
from ancestral.checking import Check
from ancestral.given_warnings import GivenWarning
from ancestral.graphs.marks import ARROW, NONE, TAIL
from ancestral.independence.evidence import Scale
from ancestral.io.saved import FileHead
from ancestral.orientation.rules import NAMES, WITNESSES
from ancestral.search.evidence import Decisions
from ancestral.search.stage import FoundBy, Stage, StageRecord

__all__ = [
    "ABOUT",
    "ASKED_MARKS",
    "FEWEST_WITNESSES",
    "FORMAT",
    "FOUND_BY",
    "GRAPH",
    "MARKS",
    "MARK_NUMBERS",
    "MOST_MEMBERS",
    "MOST_NOTES",
    "MOST_NOTE_CHARACTERS",
    "MOST_NOT_BEGUN",
    "MOST_QUESTIONS",
    "MOST_QUESTIONS_BEFORE",
    "MOST_STAGES",
    "MOST_UNANSWERED",
    "MOST_VERIFIED",
    "MOST_WITNESSES",
    "RULES",
    "RULE_NUMBERS",
    "STOPPED",
    "VERSION",
    "SavedRun",
]

FORMAT = "ancestral run"
VERSION = 4

#: Reasons why a run ended before it was complete.
STOPPED = ("max_radius", "time limit", "interrupt", "executor")

#: Variables of a run that has not begun. Its graph joins them all, and a tiny file could demand the memory for it.
MOST_NOT_BEGUN = 2_000

#: Questions of any one kind, the largest count that a double holds; a run to resume must leave room for more.
MOST_QUESTIONS = 1 << 53
MOST_QUESTIONS_BEFORE = 1 << 52

#: Questions of verification, which a search keeps in memory; these take about 20 GB there.
MOST_VERIFIED = 100_000_000

#: Members of all sets of a column together: indices into them are whole numbers of 32 bits.
MOST_MEMBERS = (1 << 31) - 1

#: Questions without an answer that are counted for each edge; more are counted as this many.
MOST_UNANSWERED = (1 << 31) - 1

RULES = tuple(NAMES[number] for number in sorted(NAMES))
RULE_NUMBERS = np.array(sorted(NAMES), dtype=np.intc)
FEWEST_WITNESSES = np.array([WITNESSES[rule][0] for rule in RULES])
MOST_WITNESSES = np.array([WITNESSES[rule][1] or MOST_MEMBERS for rule in RULES])

#: What asked the questions of separations; those that the graph of the file implies are told by the kind of the file.
FOUND_BY = tuple(str(found_by) for found_by in FoundBy if found_by is not FoundBy.IMPLIED)

#: What a file states under `reasons` if the graph was not found by asking questions.
GRAPH = "graph"

#: What notes are about.
ABOUT = ("edge", "no edge", "mark")

#: Notes of an algorithm, and the characters of one: a file has them as plain lists, which are read at once.
MOST_NOTES, MOST_NOTE_CHARACTERS = 200_000, 1_000

#: Stages of an algorithm that asks no questions, whose number nothing else bounds.
MOST_STAGES = 10_000

#: The marks that rules write; in `ASKED_MARKS` the empty text stands for an end that a rule leaves alone.
MARKS = (">", "-")
ASKED_MARKS = ("", *MARKS)
MARK_NUMBERS = np.array([NONE, ARROW, TAIL], dtype=np.uint8)


@dataclass(frozen=True, kw_only=True)
class SavedRun(FileHead):
    """What a run file holds: the fields of `FileHead`, and what was found.

    `scale` is the scale of the numbers of its evidence. `learned` are the answers about pairs given nothing of a
    function of the user's own, which is not asked again; None for other tests. `resamples` are those that tell how
    certain the graph is, if any were searched. `check` is None if there is nothing to hold the graph against, and in
    files of earlier versions. `warnings` are those that the search gave.
    """

    scale: Scale
    stage: Stage
    history: tuple[StageRecord, ...]
    stopped: str | None
    decisions: Decisions
    learned: NDArray[np.float64] | None = None
    resamples: Resamples | None = None
    check: Check | None = None
    warnings: tuple[GivenWarning, ...] = ()
