"""The counts of a release: a file in the repository, and how the counts of today differ from it.

Numbers of questions, sets and edges must be equal. Instructions depend on what compiled the kernels and on numpy, so
they are compared only where both are as recorded.
"""

import json
import platform
import subprocess
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

import numpy as np

from ancestral.version import VERSION
from benchmarks.count_cases import Counts

__all__ = ["RECORD", "Difference", "Record", "environment"]

#: Where the counts of the last release are.
RECORD = Path(__file__).with_name("counts.json")

#: By how much instructions may grow. The same program counts alike to some thousandths (docs/speed.md): memory
#: addresses, and so the order in which Python visits some sets and the times when it collects garbage, vary.
TOLERANCE = 0.02


def environment() -> dict[str, str]:
    """What the number of instructions depends on besides the program."""
    try:
        compiler = subprocess.run(
            ["gcc", "-dumpfullversion"], capture_output=True, text=True, check=True
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        compiler = "unknown"
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "gcc": compiler,
        "machine": platform.machine(),
    }


@dataclass(frozen=True)
class Difference:
    """A count that is not as recorded, in words; `worse` if that is a regression."""

    text: str
    worse: bool


@dataclass(frozen=True)
class Record:
    """Counts by case, instructions by case, and with what they were counted."""

    version: str
    date: str
    environment: Mapping[str, str]
    counts: Mapping[str, Counts]
    instructions: Mapping[str, int]

    @classmethod
    def today(cls, counts: Mapping[str, Counts], instructions: Mapping[str, int]) -> "Record":
        """The record of what was counted now."""
        return cls(VERSION, date.today().isoformat(), environment(), counts, instructions)

    @classmethod
    def read(cls, path: Path = RECORD) -> "Record":
        """The record in a file."""
        return cls(**json.loads(path.read_text(encoding="utf-8")))

    def write(self, path: Path = RECORD) -> None:
        """Write the record to a file, in which each count has a line."""
        path.write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")

    def differences(self, now: "Record") -> list[Difference]:
        """How the counts of now differ from these, for the cases that were counted now."""
        return [*self._of_counts(now.counts), *self._of_instructions(now)]

    def _of_counts(self, counts: Mapping[str, Counts]) -> list[Difference]:
        out = []
        for case, here in counts.items():
            known = self.counts.get(case)
            if known is None:
                out.append(Difference(f"{case}: not recorded", worse=True))
                continue
            for what in dict.fromkeys([*known, *here]):
                before, after = known.get(what), here.get(what)
                if before != after:
                    out.append(Difference(f"{case}: {what} {_changed(before, after)}", worse=True))
        return out

    def _of_instructions(self, now: "Record") -> list[Difference]:
        if not now.instructions:
            return []
        if now.environment != self.environment:
            text = f"instructions are not compared: recorded with {self.environment}, counted with {now.environment}"
            return [Difference(text, worse=False)]
        out = []
        for case, after in now.instructions.items():
            before = self.instructions.get(case)
            if before is None:
                out.append(Difference(f"{case}: instructions not recorded", worse=True))
            elif abs(after / before - 1) > TOLERANCE:
                out.append(Difference(f"{case}: instructions {_changed(before, after)}", worse=after > before))
        return out


def _changed(before: int | str | None, after: int | str | None) -> str:
    """A change in words."""
    if isinstance(before, int) and isinstance(after, int):
        share = f" ({after / before - 1:+.1%})" if before else ""
        return f"{before:,} -> {after:,}{share}"
    return f"{before!r} -> {after!r}"
