"""Plant faults in copies of the sources, one at a time, and see whether the suite catches each: `make faults`.

    python -m tests.faults.plant [--only WORD ...] [--all] [--jobs 2]

A fault is a small change of the text of a source file; they are listed by room in the TOML files beside this one. Each
is made in a copy of the repository, what it touches is compiled again, and the suite runs there until its first
failure, beginning with the test that caught the fault last time and with those of the part that was touched.

A verdict holds for the content of the files that the fault changes. It is kept in `verdicts.toml` with a hash of them,
and `make faults` runs only the faults whose verdict is missing or stale. docs/faults.md is written from the verdicts.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from threading import Lock

__all__ = ["FAULTS", "Change", "Fault", "current", "verdicts"]

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SOURCES = ROOT / "src" / "ancestral"
PAGE = ROOT / "docs" / "faults.md"
VERDICTS = HERE / "verdicts.toml"

#: Folders of tests, the quickest first: a run ends at its first failure.
ROOMS = (
    "orientation", "knowledge", "graphs", "search", "show", "effects", "independence", "kernels", "paper", "data",
    "testing", "agreement", "laws", "simulate", "io", "classes", "parallel", "resampling", "cli", "reproduce",
    "browser",
)  # fmt: skip

#: Seconds after which a suite hangs; a fault that makes it hang counts as caught.
TIMEOUT = 1200


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

    def fingerprint(self) -> str:
        """A hash of the fault and of the files that it changes."""
        digest = hashlib.sha256()
        for change in self.changes:
            digest.update(f"{change.file}\0{change.old}\0{change.new}\0".encode())
        for name in self.files:
            digest.update((SOURCES / name).read_bytes())
        return digest.hexdigest()[:16]


def _read_faults() -> list[Fault]:
    """The faults of all rooms, in the order of the files."""
    out = []
    for path in sorted(HERE.glob("*.toml")):
        if path == VERDICTS:
            continue
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["fault"]:
            what, also = entry.pop("what"), entry.pop("also", [])
            out.append(Fault(what, path.stem, tuple(Change(**change) for change in (entry, *also))))
    return out


FAULTS = _read_faults()


# -- verdicts ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
    """What came of a fault, and the fingerprint for which that holds."""

    outcome: str
    fingerprint: str

    @property
    def is_caught(self) -> bool:
        """Whether a test noticed the fault."""
        return self.outcome.startswith("caught by")

    @property
    def file(self) -> str | None:
        """The file with the test that noticed it."""
        found = re.match(r"caught by `([^:]*\.py)::", self.outcome)
        return found[1] if found else None


def verdicts() -> dict[str, Verdict]:
    """The last verdict on each fault, current or not."""
    if not VERDICTS.exists():
        return {}
    kept = tomllib.loads(VERDICTS.read_text(encoding="utf-8"))
    return {what: Verdict(**entry) for what, entry in kept.items()}


def current(fault: Fault, known: Mapping[str, Verdict]) -> bool:
    """Whether the verdict on a fault is about the sources as they are now."""
    verdict = known.get(fault.what)
    return verdict is not None and verdict.fingerprint == fault.fingerprint()


def keep(found: Mapping[str, Verdict]) -> None:
    """Write these verdicts down beside the others, and the page anew."""
    known = {**verdicts(), **found}
    entries = [
        f"[{json.dumps(fault.what, ensure_ascii=False)}]\n"
        f"outcome = {json.dumps(known[fault.what].outcome, ensure_ascii=False)}\n"
        f'fingerprint = "{known[fault.what].fingerprint}"\n'
        for fault in FAULTS
        if fault.what in known
    ]
    VERDICTS.write_text("\n".join(entries), encoding="utf-8")
    write_page(known)


def write_page(known: Mapping[str, Verdict]) -> None:
    """Write docs/faults.md."""
    stale = sum(not current(fault, known) for fault in FAULTS)
    caught = sum(current(fault, known) and known[fault.what].is_caught for fault in FAULTS)
    rows = []
    for fault in FAULTS:
        outcome = known[fault.what].outcome if fault.what in known else "not run yet"
        note = "" if fault.what not in known or current(fault, known) else " (before the file was changed)"
        rows.append(f"| {fault.what} | `{', '.join(fault.files)}` | {outcome}{note} |")
    page = [
        "# Planted faults",
        "",
        "`make faults` plants each of these faults in a copy of the sources and runs the suite there. It runs only "
        "those whose files have changed since their last verdict; `python -m tests.faults.plant --all` runs all.",
        "",
        f"Of {len(FAULTS)} faults, {caught} are caught by the suite as the sources are now; {stale} have no current "
        "verdict.",
        "",
        "| fault | file | verdict |",
        "| --- | --- | --- |",
        *rows,
        "",
    ]
    PAGE.write_text("\n".join(page), encoding="utf-8")


# -- planting ---------------------------------------------------------------------------------------------------------


def suite(fault: Fault, known: Mapping[str, Verdict]) -> tuple[list[str], list[str]]:
    """The files of the suite: those that are likeliest to notice the fault, and the others."""
    parts = Path(fault.files[0]).with_suffix("").parts
    words = set(re.findall("[a-z]+", f"{parts[-1]} {fault.what.partition(':')[0] if ':' in fault.what else ''}"))
    if "bootstrap" in words:
        words |= {"resample", "resampling"}
    rooms = {parts[0], "kernels"} if parts[-1].endswith("_cy") else {parts[0]}
    before = known[fault.what].file if fault.what in known else None

    def rank(file: Path) -> int:
        if str(file) == before:
            return 0
        return 1 if words & set(file.stem.removeprefix("test_").split("_")) else 2 if file.parent.name in rooms else 3

    tests = ROOT / "tests"
    files = [file for room in ROOMS for file in sorted((tests / room).glob("test_*.py"))]
    files += [file for file in sorted(tests.glob("test_*.py")) if file.name != "test_faults.py"]
    ranked = sorted((file.relative_to(ROOT) for file in files), key=rank)
    return [str(file) for file in ranked if rank(file) < 2], [str(file) for file in ranked if rank(file) >= 2]


def run(copy: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a copy, with the copy's sources."""
    environment = os.environ | {
        "PYTHONPATH": str(copy / "src"),
        "ANCESTRAL_REQUIRE_COMPILED": "1",
        "ANCESTRAL_QUICK": "1",
    }
    with subprocess.Popen(
        command,
        cwd=copy,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            out, errors = process.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # with all that it started
            out, errors = process.communicate()
            out += f"\nFAILED to end in {TIMEOUT} s\n"
    return subprocess.CompletedProcess(command, process.returncode, out, errors)


def tried(copy: Path, fault: Fault, known: Mapping[str, Verdict]) -> str:
    """Plant a fault in a copy and run the suite there: 'caught by <test>', or what went wrong."""
    sources = copy / "src" / "ancestral"
    if not all(change.applies(sources) for change in fault.changes):
        return "NOT PLANTED: its text is not in the file exactly once"
    original = {name: (sources / name).read_text(encoding="utf-8") for name in fault.files}
    try:
        for change in fault.changes:
            change.apply(sources)
        built = run(copy, sys.executable, "setup.py", "-q", "build_ext", "--inplace")
        if built.returncode:
            return "DOES NOT COMPILE: " + built.stderr.strip().splitlines()[-1]
        for tests in filter(None, suite(fault, known)):  # to look through all tests takes longer than to run some
            done = run(copy, sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests)
            if done.returncode:
                failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
                told = failed[0].split(" - ")[0].split(" ", 1)[1] if failed else done.stdout[-200:]
                return f"caught by `{told}`"
        return "SURVIVED"
    finally:
        for name, text in original.items():
            (sources / name).write_text(text, encoding="utf-8")


def prepared(folder: Path) -> Path:
    """A copy of the repository, compiled without optimisation."""
    ignored = shutil.ignore_patterns(".git", ".venv", "build", ".*_cache", "__pycache__")
    copy = Path(shutil.copytree(ROOT, folder, ignore=ignored))
    run(copy, sys.executable, "setup.py", "-q", "build_ext", "--inplace")
    return copy


def run_all(faults: list[Fault], jobs: int) -> list[tuple[Fault, Verdict]]:
    """Try faults, as many at a time as there are jobs, each job in a copy of its own; keep each verdict at once."""
    start = time.perf_counter()
    known = verdicts()
    turn = Lock()
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(jobs) as pool:
        copies: Queue[Path] = Queue()
        for copy in pool.map(prepared, [Path(scratch) / f"copy{i}" for i in range(jobs)]):
            copies.put(copy)

        def one(fault: Fault) -> Verdict:
            copy = copies.get()
            fingerprint = fault.fingerprint()
            try:
                verdict = Verdict(tried(copy, fault, known), fingerprint)
            finally:
                copies.put(copy)
            with turn:
                keep({fault.what: verdict})
                print(f"{time.perf_counter() - start:6.0f} s  {fault.what}: {verdict.outcome}", flush=True)
            return verdict

        return list(zip(faults, pool.map(one, faults), strict=True))


def main() -> int:
    """Try the faults that the command line asks for; 0 if each was caught."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[""], help="only faults whose description or file holds this")
    parser.add_argument("--all", action="store_true", help="also those with a current verdict")
    parser.add_argument("--jobs", type=int, default=2, help="how many faults at a time")
    options = parser.parse_args()
    # what runs in the background ignores Ctrl-C, and so would its children, where tests want to see what Ctrl-C does
    signal.signal(signal.SIGINT, signal.default_int_handler)
    known = verdicts()
    chosen = [fault for fault in FAULTS if any(word in f"{fault.what} {fault.files}" for word in options.only)]
    if not options.all:
        chosen = [f for f in chosen if not current(f, known) or not known[f.what].is_caught]
    rows = run_all(chosen, options.jobs) if chosen else []
    missed = [fault for fault, verdict in rows if not verdict.is_caught]
    write_page(verdicts())
    print(f"{len(rows) - len(missed)} of {len(rows)} faults caught, {len(FAULTS) - len(rows)} not run again")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
