"""The planted faults, the verdicts on them, and the page that lists both.

A fault is a small change of the text of a source file. The faults of each room are in the TOML file of its name:

    [[fault]]
    what = "one sentence: what is wrong with the code"
    file = "room/module.py"            # below src/ancestral
    old = 'text that stands in the file exactly once'
    new = 'what takes its place'
    also = [{ file = …, old = …, new = … }]   # further changes, if one is not enough

A verdict says which test caught a fault. It holds for the present content of the files that the fault changes: it is
kept in `verdicts.toml` with a hash of them, and is stale when the hash no longer matches, or when that test is gone.
"""

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = [
    "FAULTS", "PAGE", "ROOT", "SOURCES", "Change", "Fault", "Verdict", "is_current", "keep", "page", "verdicts",
    "write_page",
]  # fmt: skip

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SOURCES = ROOT / "src" / "ancestral"
PAGE = ROOT / "docs" / "faults.md"
VERDICTS = HERE / "verdicts.toml"


@dataclass(frozen=True)
class Change:
    """A text in a file, which must stand there exactly once, and what takes its place."""

    file: str
    old: str
    new: str

    def applies(self, sources: Path) -> bool:
        """Whether the text stands in its file exactly once."""
        path = sources / self.file
        return path.exists() and path.read_text(encoding="utf-8").count(self.old) == 1

    def apply(self, sources: Path) -> None:
        """Make the change."""
        path = sources / self.file
        path.write_text(path.read_text(encoding="utf-8").replace(self.old, self.new), encoding="utf-8")


@dataclass(frozen=True)
class Fault:
    """What is wrong, and the changes that make it so."""

    what: str
    room: str
    changes: tuple[Change, ...]

    @property
    def files(self) -> list[str]:
        """The files that it changes."""
        return list(dict.fromkeys(change.file for change in self.changes))

    @property
    def needs_build(self) -> bool:
        """Whether a kernel has to be compiled again."""
        return any(file.endswith(("_cy.py", ".pxd")) for file in self.files)

    def fingerprint(self) -> str:
        """A hash of the fault and of the files that it changes."""
        digest = hashlib.sha256()
        for change in self.changes:
            digest.update(f"{change.file}\0{change.old}\0{change.new}\0".encode())
        for name in self.files:
            digest.update((SOURCES / name).read_bytes())
        return digest.hexdigest()[:16]


def _read_faults() -> list[Fault]:
    """Read the faults of all rooms, in the order of the files."""
    out = []
    for path in sorted(HERE.glob("*.toml")):
        if path == VERDICTS:
            continue
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["fault"]:
            what, also = entry.pop("what"), entry.pop("also", [])
            out.append(Fault(what, path.stem, tuple(Change(**change) for change in (entry, *also))))
    return out


FAULTS = _read_faults()


@dataclass(frozen=True)
class Verdict:
    """The outcome of planting a fault, and the fingerprint for which it holds."""

    outcome: str
    fingerprint: str

    @property
    def is_caught(self) -> bool:
        """Whether a test failed because of the fault."""
        return self.outcome.startswith("caught by")

    @property
    def test(self) -> str | None:
        """The node id of the test that failed, or the file that could not be imported."""
        found = re.match(r"caught by `(.*?\.py(?:::.*)?)`(?:$| \()", self.outcome)
        return found[1] if found else None

    @property
    def has_its_test(self) -> bool:
        """Whether the test that failed is still in its file, or was removed or renamed since."""
        file, _, node = (self.test or "").partition("::")
        function = node.partition("[")[0].rpartition("::")[2]
        path = ROOT / file
        return path.is_file() and (not node or f"def {function}(" in path.read_text(encoding="utf-8"))


def verdicts() -> dict[str, Verdict]:
    """The last verdict on each fault, current or stale."""
    if not VERDICTS.exists():
        return {}
    entries = tomllib.loads(VERDICTS.read_text(encoding="utf-8"))
    return {what: Verdict(**entry) for what, entry in entries.items()}


def is_current(fault: Fault, known: Mapping[str, Verdict]) -> bool:
    """Whether there is a verdict about the sources as they are now, by a test that is still there."""
    verdict = known.get(fault.what)
    return verdict is not None and verdict.fingerprint == fault.fingerprint() and verdict.has_its_test


def keep(new: Mapping[str, Verdict]) -> None:
    """Write these verdicts down beside the others, without those on faults that are no longer there."""
    known = {**verdicts(), **new}
    entries = [
        f"[{json.dumps(fault.what, ensure_ascii=False)}]\n"
        f"outcome = {json.dumps(known[fault.what].outcome, ensure_ascii=False)}\n"
        f'fingerprint = "{known[fault.what].fingerprint}"\n'
        for fault in FAULTS
        if fault.what in known
    ]
    VERDICTS.write_text("\n".join(entries), encoding="utf-8")


def page() -> str:
    """The text of docs/faults.md: each fault and the last verdict on it."""
    known = verdicts()
    outcomes = [known[fault.what].outcome if fault.what in known else "not run yet" for fault in FAULTS]
    lines = [
        "# Planted faults",
        "",
        "This page lists each planted fault and which test catches it. `make faults` plants each fault in a copy of "
        "the sources and runs the suite there until a test fails. It runs only the faults whose files have changed "
        "since their last verdict; `python -m tests.faults.plant --all` runs all.",
        "",
        f"Of {len(FAULTS)} faults, {sum(verdict.is_caught for verdict in known.values())} were caught when they were "
        "last planted.",
        "",
        "| fault | file | verdict |",
        "| --- | --- | --- |",
        *(
            f"| {fault.what} | `{', '.join(fault.files)}` | {outcome} |"
            for fault, outcome in zip(FAULTS, outcomes, strict=True)
        ),
        "",
    ]
    return "\n".join(lines)


def write_page() -> None:
    """Write docs/faults.md."""
    PAGE.write_text(page(), encoding="utf-8")
