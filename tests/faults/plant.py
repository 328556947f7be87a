"""Plant faults in copies of the sources, one at a time, and see whether the suite catches each: `make faults`.

    python -m tests.faults.plant [--only WORD ...] [--first TEST ...] [--all] [--jobs 2]
    python -m tests.faults.plant --page

Each fault is planted in a copy of the repository, the kernels that it touches are compiled again, and the suite runs
there until its first failure: first the tests that `--first` names, then the test that caught the fault last time, the
files named like the module, and the folder of its room; when all faults have been tried so, everything else. A test
that failed must fail again when it runs alone, and must pass without any fault. `catalogue.py` says what a fault is,
and when a verdict has to be found again.

`--page` plants nothing: it writes docs/faults.md from the verdicts, which is all that is needed after a merge.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from queue import Empty, Queue
from threading import Lock, Thread

from tests.faults.catalogue import FAULTS, ROOT, Fault, Verdict, is_current, keep, verdicts, write_page

#: Folders of tests in the order in which they are tried, the quickest first; folders not listed here follow.
FOLDERS = (
    "orientation", "knowledge", "graphs", "classes", "search", "parallel", "show", "effects", "independence", "kernels",
    "paper", "data", "testing", "agreement", "laws", "simulate", "io", "resampling", "cli", "reproduce",
)  # fmt: skip

#: Folders of tests that also look at a room, besides the folder of its name.
RELATED = {"show": ("browser",), "search": ("laws",), "independence": ("effects", "resampling")}

#: Seconds after which a test hangs, which counts as a failure. The slowest test takes about a minute.
LIMIT = 300

#: The outcome of a fault that no test noticed.
SURVIVED = "SURVIVED"

#: Options of pytest: no cache, no doctests, and no complaint that the server has imported plugins before pytest did.
OPTIONS = [
    "-q", "-p", "no:cacheprovider", "-o", "addopts=--strict-markers --import-mode=importlib",
    "-W", "ignore::pytest.PytestAssertRewriteWarning",
]  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """A run of some tests: what failed, in order, and whether pytest found the tests it was asked for."""

    failed: list[str]
    found: bool


class Copy:
    """A copy of the repository in which faults are planted, and the server that runs tests there."""

    def __init__(self, pristine: Path, folder: Path) -> None:
        self.pristine = pristine
        self.folder = Path(shutil.copytree(pristine, folder))
        self.is_closed = False
        self._process = 0  # the process that runs tests, which leads a process group
        self._start()

    def _start(self) -> None:
        """Start the server, and a thread that passes its answers on."""
        self.server = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.server"],
            cwd=self.folder,
            env=environment(self.folder),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._answers: Queue[tuple[str, str | int]] = Queue()
        Thread(target=self._listen, args=(self.server.stdout, self._answers), daemon=True).start()

    @staticmethod
    def _listen(lines: Iterable[str], answers: Queue[tuple[str, str | int]]) -> None:
        for line in lines:
            answers.put(tuple(json.loads(line)))
        answers.put(("gone", 0))

    def close(self) -> None:
        """End the server and the tests that it runs."""
        self.is_closed = True
        self.server.kill()
        self._kill_tests()
        self.server.wait()

    def _kill_tests(self) -> None:
        if self._process:
            with suppress(ProcessLookupError):
                os.killpg(self._process, signal.SIGKILL)

    def plant(self, fault: Fault) -> str | None:
        """Make the changes of a fault and compile what they touch; what went wrong, or None."""
        sources = self.folder / "src" / "ancestral"
        if not all(change.applies(sources) for change in fault.changes):
            return "NOT PLANTED: its text is not in the file exactly once"
        for change in fault.changes:
            change.apply(sources)
        if fault.needs_build:
            built = build(self.folder, quick=True)
            if built.returncode:
                return "DOES NOT COMPILE: " + built.stderr.strip().splitlines()[-1]
        return None

    def restore(self) -> None:
        """Make sources and kernels what they were: a file is copied back if its time of change differs."""
        for original in self.pristine.rglob("*"):
            copy = self.folder / original.relative_to(self.pristine)
            if original.is_file() and (not copy.exists() or copy.stat().st_mtime_ns != original.stat().st_mtime_ns):
                shutil.copy2(original, copy)

    def test(self, tests: Sequence[str], to_first: bool = True) -> Outcome:
        """Run tests, files or node ids, to the first failure or to the end."""
        for _ in range(2):
            outcome, running = self._try(tests, to_first)
            if outcome:
                return outcome
            if self.is_closed:
                raise RuntimeError("the copy was closed")
            self._start()  # the server has ended, which may have been an accident, so try once more
        return Outcome([f"`{running}` (ended the process that runs the tests)"], True)

    def _try(self, tests: Sequence[str], to_first: bool) -> tuple[Outcome | None, str]:
        """Run tests; the outcome, or None if the server has ended, and the last test that was running."""
        options = [*OPTIONS, "--basetemp", str(self.folder / "scratch"), *(["-x"] if to_first else [])]
        failed: list[str] = []
        running = ""
        assert self.server.stdin
        with suppress(BrokenPipeError):
            self.server.stdin.write(json.dumps([*options, *tests]) + "\n")
            self.server.stdin.flush()
        while True:
            try:
                event, value = self._answers.get(timeout=LIMIT)
            except Empty:
                failed.append(f"`{running}` (did not end in {LIMIT} s)")
                self._kill_tests()
                continue
            if event == "process":
                self._process = int(value)
            elif event == "running":
                running = str(value)
            elif event == "failed":
                failed.append(f"`{value}`")
            elif event == "ended":
                self._process = 0
                code = int(value)
                if code not in (0, 1, 4, 5) and not failed:  # 1: tests failed; 4, 5: there are no such tests
                    failed.append(f"`{running}` ({f'killed by signal {-code}' if code < 0 else f'exit code {code}'})")
                return Outcome(failed, code not in (4, 5)), running
            else:
                self._kill_tests()
                return None, running


def environment(folder: Path) -> dict[str, str]:
    """The environment of processes in a copy: its sources come first, and no byte code of faulty sources is kept."""
    return os.environ | {
        "PYTHONPATH": os.pathsep.join([str(folder / "src"), str(folder)]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "ANCESTRAL_REQUIRE_COMPILED": "1",
        "ANCESTRAL_EXPECT": "compiled",
    }


def build(folder: Path, quick: bool) -> subprocess.CompletedProcess[str]:
    """Compile the kernels that have changed; `quick`: without optimisation."""
    return subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--inplace"],
        cwd=folder,
        env=environment(folder) | {"ANCESTRAL_QUICK": "1" if quick else "0"},
        capture_output=True,
        text=True,
    )


def prepare(folder: Path) -> Path:
    """Copy the repository with its compiled kernels, and compile byte code and kernels where they are not current."""

    def ignored(path: str, names: list[str]) -> set[str]:
        out = {name for name in names if name == "__pycache__" or name.startswith(".")}
        if Path(path) == ROOT / "build":  # what the build needs to compile only what has changed
            out |= {name for name in names if name != "c" and not name.startswith(("lib.", "temp."))}
        return out

    pristine = Path(shutil.copytree(ROOT, folder, ignore=ignored))
    built = build(pristine, quick=False)
    if built.returncode:
        raise SystemExit(built.stderr)
    writes = environment(pristine)
    del writes["PYTHONDONTWRITEBYTECODE"]
    collect = [sys.executable, "-m", "pytest", *OPTIONS, "--collect-only", "tests"]  # also keeps rewritten assertions
    subprocess.run(collect, cwd=pristine, env=writes, stdout=subprocess.DEVNULL, check=True)
    return pristine


def portions(fault: Fault, verdict: Verdict | None) -> tuple[list[list[str]], list[list[str]]]:
    """The tests in the order in which they are tried: portions of the suite, the likely ones and all others."""
    parts = Path(fault.files[0]).with_suffix("").parts
    subject = fault.what.partition(":")[0] if ":" in fault.what else ""
    words = _singular(re.findall("[a-z]+", f"{parts[-1]} {subject}".lower()))
    room = {parts[0]} if len(parts) > 1 else {"tests"}  # of a module that is in no room: the tests in no folder
    room.update(RELATED.get(parts[0], ()))
    if fault.needs_build:
        room.add("kernels")
    before = verdict.test if verdict else None
    order = {name: rank for rank, name in enumerate(FOLDERS)}

    def rank(file: Path) -> tuple[int, int, str]:
        folder = file.parent.name
        if str(file) == (before or "").partition("::")[0]:
            return 0, 0, ""
        if words & _singular(file.stem.removeprefix("test_").split("_")):
            return (1 if folder in room else 2), 0, ""
        if folder in room:
            return 3, 0, ""
        return 4, order.get(folder, len(order)), folder

    files = [file.relative_to(ROOT) for file in sorted((ROOT / "tests").rglob("test_*.py"))]
    files = sorted((file for file in files if file != Path("tests/test_faults.py")), key=rank)
    groups = [(key[0] < 4, [str(file) for file in group]) for key, group in groupby(files, key=rank)]
    likely = [group for is_likely, group in groups if is_likely]
    others = [group for is_likely, group in groups if not is_likely]
    return [[before], *likely] if before else likely, others


def _singular(words: Iterable[str]) -> set[str]:
    """Words without the ending of a plural, so that `option_groups` is found in test_options.py."""
    return {word.removesuffix("s") for word in words}


def verdict_on(fault: Fault, copy: Copy, tried: Iterable[Sequence[str]]) -> str:
    """Plant a fault and run portions of tests to the first failure: 'caught by <test>', or what went wrong."""
    try:
        if problem := copy.plant(fault):
            return problem
        for tests in tried:
            if caught := first_failure(copy, tests):
                return f"caught by {caught}"
        return SURVIVED
    finally:
        copy.restore()


def first_failure(copy: Copy, tests: Sequence[str]) -> str | None:
    """The first of these tests that fails, and fails again when it runs alone: one that is only late is no verdict."""
    passed_alone: list[str] = []
    while failed := copy.test([*tests, *(f"--deselect={test}" for test in passed_alone)]).failed:
        name, _, more = failed[0].strip("`").partition("`")
        if more or copy.test([name]).failed:  # a test that hangs or ends the process is not tried again
            return failed[0]
        passed_alone.append(name)
    return None


def failing_anyway(copy: Copy, tests: Iterable[str]) -> set[str]:
    """Those of the tests that fail although there is no fault."""
    by_file = defaultdict(list)
    for test in sorted(set(tests)):
        by_file[test.partition("::")[0]].append(test)
    failed: list[str] = []
    for file, chosen in by_file.items():
        outcome = copy.test(chosen, to_first=False)
        if not outcome.found:  # a fault may change how tests are parametrized, and so what they are called
            outcome = copy.test([file], to_first=False)
        failed += outcome.failed
    return {test.split("`")[1] for test in failed}


def run(faults: list[Fault], jobs: int, first: Sequence[str] = ()) -> dict[str, Verdict]:
    """Try faults, as many at a time as there are jobs, each job in a copy of its own; keep each verdict at once.

    The tests in `first`, then the likely ones, are tried for all faults before the others, which take minutes.
    """
    start = time.perf_counter()
    known = verdicts()
    out: dict[str, Verdict] = {}
    waiting: list[Fault] = []
    turn = Lock()
    free: Queue[Copy] = Queue()
    copies: list[Copy] = []

    def one(fault: Fault, likely: bool) -> None:
        tried, others = portions(fault, known.get(fault.what))
        if first:
            tried.insert(0, list(first))
        copy = free.get()
        began = time.perf_counter()
        try:
            verdict = Verdict(verdict_on(fault, copy, tried if likely else others), fault.fingerprint())
        finally:
            free.put(copy)
        with turn:
            now = time.perf_counter()
            if likely and verdict.outcome == SURVIVED:
                waiting.append(fault)
                print(f"{now - start:6.0f} s {now - began:5.1f} s  {fault.what}: not by the likely tests", flush=True)
                return
            out[fault.what] = verdict
            keep({fault.what: verdict})
            print(f"{now - start:6.0f} s {now - began:5.1f} s  {fault.what}: {verdict.outcome}", flush=True)

    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(jobs) as pool:
        try:
            pristine = prepare(Path(scratch) / "pristine")
            copies += [Copy(pristine, Path(scratch) / f"copy{number}") for number in range(jobs)]
            for copy in copies:
                free.put(copy)
            print(f"{time.perf_counter() - start:6.0f} s          {jobs} copies are ready", flush=True)
            for done in [pool.submit(one, fault, True) for fault in faults]:
                done.result()
            for done in [pool.submit(one, fault, False) for fault in waiting]:
                done.result()
            wrong = failing_anyway(copies[0], (verdict.test for verdict in out.values() if verdict.test))
            for what, verdict in out.items():
                if verdict.test in wrong:
                    out[what] = replace(verdict, outcome=f"UNKNOWN: `{verdict.test}` fails without the fault, too")
            keep(out)
        finally:
            for copy in copies:
                copy.close()
            pool.shutdown(cancel_futures=True)
    return out


def main() -> int:
    """Try the faults that the command line asks for; 0 if each was caught."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[""], help="only faults whose description or file contains this")
    parser.add_argument("--first", nargs="*", default=[], help="tests to try before all others: files or node ids")
    parser.add_argument("--all", action="store_true", help="also those with a current verdict")
    parser.add_argument("--jobs", type=int, default=2, help="how many faults at a time")
    parser.add_argument("--page", action="store_true", help="plant nothing, only write the page")
    options = parser.parse_args()
    for test in options.first:
        if not (ROOT / test.partition("::")[0]).exists():
            parser.error(f"--first must name tests, and there is no {test}")
    known = verdicts()
    chosen = [fault for fault in FAULTS if any(word in f"{fault.what} {fault.files}" for word in options.only)]
    if not options.all:
        chosen = [fault for fault in chosen if not is_current(fault, known) or not known[fault.what].is_caught]
    if options.page:
        chosen = []
    try:
        found = run(chosen, options.jobs, options.first) if chosen else {}
    finally:
        keep({})
        write_page()
    missed = [verdict for verdict in found.values() if not verdict.is_caught]
    print(f"{len(found) - len(missed)} of {len(found)} faults caught, {len(FAULTS) - len(found)} not run again")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
