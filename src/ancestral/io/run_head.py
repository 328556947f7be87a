"""The head of a run file: everything but its columns, read and checked."""

from collections import Counter
from dataclasses import dataclass

from ancestral.io.checked_json import JsonValue
from ancestral.io.run_parts import MOST_NOT_BEGUN, MOST_QUESTIONS, MOST_QUESTIONS_BEFORE, STOPPED
from ancestral.io.run_resamples import KEY as RESAMPLES
from ancestral.io.saved import FileHead, PartsReader
from ancestral.io.saved_warnings import KEY as WARNINGS
from ancestral.search.stage import Phase

__all__ = ["RunHead", "RunHeadReader", "SearchHead"]


@dataclass(frozen=True, kw_only=True)
class SearchHead(FileHead):
    """How a search ended, of whatever kind it is; `begun`: a stage is finished."""

    begun: bool
    complete: bool
    stopped: str | None


@dataclass(frozen=True, kw_only=True)
class RunHead(SearchHead):
    """What a run file holds besides its columns; `steps` are the phase, radius and questions of each stage."""

    radius: int
    tests: Counter[int]
    verify_tests: Counter[int]
    unsupported: Counter[int]
    steps: tuple[tuple[str, int, int], ...]


class RunHeadReader(PartsReader):
    """Reads the head of a run; a run `to_resume` must leave room for further questions."""

    KEYS: tuple[str, ...] = (
        "format", "version", "made_by", "settings", "seeds", "data", "variables", "phase", "radius", "complete",
        "stopped", "tests", "verify_tests", "unsupported", "scale", "marginal", "edges", "stages", "separations",
        "orientations", "conflicts", "agreed", "state", RESAMPLES, "check", WARNINGS,
    )  # fmt: skip

    def __init__(self, document: JsonValue, to_resume: bool = False) -> None:
        document.only(*self.KEYS)
        super().__init__(document)
        self.to_resume = to_resume

    def head(self) -> RunHead:
        """The head, checked: its parts must agree with each other."""
        document = self.document
        document.key("seeds").only()
        radius = document.key("radius").whole(-1, max(self.n - 2, 0))
        complete, reason = self.end()
        state = document.key("state")
        if not state.is_null and (complete or radius < 0):
            state.fail("null in a run that is complete or has not begun")
        if state.is_null and not complete and radius >= 0:
            state.fail("an object in a run that is not complete")
        self.check_begun(radius >= 0)
        common = self.file_head(least_rows=0)
        if not common.settings.chosen.asks:
            document.key("settings").key("algorithm").fail("an algorithm that asks questions")
        steps = self.steps(radius, common.settings.chosen.phases)
        most = MOST_QUESTIONS_BEFORE if self.to_resume and not complete else MOST_QUESTIONS
        tests = self.counts("tests", most)
        if tests.total() != sum(questions for *_, questions in steps):
            document.key("tests").fail("as many questions as all of `stages` took")
        return RunHead(
            **common.shared(),
            begun=radius >= 0,
            radius=radius,
            complete=complete,
            stopped=reason,
            tests=tests,
            verify_tests=self.counts("verify_tests", most),
            unsupported=self.counts("unsupported", most),
            steps=steps,
        )

    def end(self) -> tuple[bool, str | None]:
        """Whether the search is complete, and otherwise why it ended."""
        complete = self.document.key("complete").truth()
        stopped = self.document.key("stopped")
        reason = None if stopped.is_null else stopped.text(*STOPPED)
        if complete and reason is not None:
            stopped.fail("null in a complete run")
        return complete, reason

    def check_begun(self, begun: bool) -> None:
        """Refuse a run that has not begun and has many variables."""
        if not begun and self.n > MOST_NOT_BEGUN:
            self.document.key("variables").fail(f"at most {MOST_NOT_BEGUN:,} names in a run that has not begun")

    def steps(self, radius: int, phases: tuple[str, ...]) -> tuple[tuple[str, int, int], ...]:
        """The stages: the phases of the algorithm in their order, and in each one radius after the other."""
        place = self.document.key("stages")
        out: list[tuple[str, int, int]] = []
        for item in place.items():
            if len(out) > 2 * self.n:
                place.fail("a list with a radius for each size of sets")
            item.only("phase", "radius", "questions", "graph")
            phase = phases[phases.index(item.key("phase").text(*phases))]
            before, reached = out[-1][:2] if out else (phases[0], -1)
            if phase is Phase.ROUND:
                pass  # each begins with radius 0 again, and ends with any
            elif phase == before:
                item.key("radius").whole(reached + 1, reached + 1)
            elif phases.index(phase) < phases.index(before) or not out:
                item.key("phase").fail("the phases in their order")
            elif phase is Phase.POSSIBLE_D_SEP:
                item.key("radius").whole(0, 1)  # 0 where there was nothing to ask
            found = item.key("radius").whole(0, max(self.n - 2, 0))
            out.append((phase, found, item.key("questions").whole(0)))
        if radius != (out[-1][1] if out else -1):
            place.fail(f"a list that ends with radius {radius}")
        last = self.document.key("phase")
        if last.text() != (out[-1][0] if out else Phase.SEARCH):
            last.fail("the phase of the last stage")
        return tuple(out)

    def counts(self, name: str, most: int) -> Counter[int]:
        """The number of questions by the size of their sets."""
        place = self.document.key(name)
        sizes = {str(size): size for size in range(self.n)}
        place.only(*sizes)
        return Counter({sizes[size]: item.whole(1, most) for size, item in place.entries()})
