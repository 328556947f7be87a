"""Costs that do not depend on the machine, compared with those of the last release: `make count`.

    python -m benchmarks.counting [--record] [--without-instructions]

1. Questions to search and to verify, sets that were built on the way, and edges, in fixed cases (`count_cases`).
2. Questions with the oracle on the paper's DAGs (section 4.1: rho = 2, 25 DAGs each).
3. Instructions of one search, by callgrind where valgrind is installed: the mean of five, after one that is
   not counted.

The last part lists what differs from `counts.json`. The exit status is 1 if anything is worse than recorded: an exact
count that differs at all, or instructions that have grown by more than `TOLERANCE`. A change that is meant is recorded
by `--record`, and so are the counts of a release.
"""

import argparse
import gc
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.count_cases import CASES, Counts, counts_of, prepared
from benchmarks.measure import table
from benchmarks.recorded_counts import RECORD, Record

#: The function of the C library, called for nothing else, that marks where the searches of a case begin and end.
MARKED_BY = "getpgid"
#: How often a case is searched for its instructions.
SEARCHES = 5

#: What the tables of exact counts show.
COLUMNS = ("questions", "to verify", "sets grown", "edges", "by radius", "parts")


def instructions(cases: Sequence[str]) -> dict[str, int]:
    """Instructions of one search of each case, counted by callgrind in one process (`searches`)."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "callgrind.out"
        tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", f"--dump-before={MARKED_BY}"]
        fixed = os.environ | {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}
        call = f"from benchmarks.counting import searches; searches({list(cases)!r})"
        subprocess.run([*tool, sys.executable, "-c", call], check=True, env=fixed, capture_output=True)
        # dump 1 ends where the first case begins, and two dumps belong to each case: before its searches, and of them
        spans = [_total(out.with_name(f"{out.name}.{2 * i + 2}")) for i in range(len(cases))]
    return {case: round(span / SEARCHES) for case, span in zip(cases, spans, strict=True)}


def searches(cases: Sequence[str]) -> None:
    """Search each case once, and then `SEARCHES` times between two marks, at which callgrind writes what it counted."""
    for case in cases:
        search = prepared(case)
        search()
        gc.collect()
        os.getpgid(0)
        for _ in range(SEARCHES):
            search()
        os.getpgid(0)


def _total(dump: Path) -> int:
    """The number of instructions in a file of callgrind."""
    lines = dump.read_text().splitlines()
    return int(next(line for line in lines if line.startswith(("summary:", "totals:"))).split()[1])


def exact(counted: dict[str, Counts]) -> Iterator[tuple[str, ...]]:
    """The table of exact counts, row by row; each is added to `counted`."""
    for case in CASES:
        counted[case] = counts = counts_of(case)
        cells = (counts.get(what, "") for what in COLUMNS)
        yield case, *(f"{cell:,}" if isinstance(cell, int) else cell for cell in cells)


def measured(counted: Mapping[str, Counts], found: Mapping[str, int]) -> Iterator[tuple[str, ...]]:
    """The table of instructions, row by row."""
    for case, each in found.items():
        asked = counted[case]["questions"]
        assert isinstance(asked, int)
        yield case, f"{each / 1e6:.2f}", f"{each / asked:,.0f}" if asked else ""


def compare(now: Record) -> bool:
    """Print how the counts differ from those of the last release; whether nothing is worse."""
    recorded = Record.read()
    differences = recorded.differences(now)
    print(f"## Beside the record of {recorded.version}, {recorded.date}\n")
    for one in differences:
        print(f"- {'WORSE: ' if one.worse else ''}{one.text}")
    worse = sum(one.worse for one in differences)
    if worse:
        print(f"\n{worse} counts are not as recorded. If that is meant: python -m benchmarks.counting --record\n")
    elif not differences:
        print("Everything is as recorded.\n")
    return not worse


def count(with_instructions: bool = True) -> Record:
    """Print the tables, and return what they hold."""
    counts: dict[str, Counts] = {}
    found: dict[str, int] = {}
    print("## Questions\n")
    table(("case", *COLUMNS), exact(counts))
    if with_instructions and shutil.which("valgrind"):
        print("## Instructions\n")
        found = instructions([name for name, case in CASES.items() if case.measured])
        table(("case", "millions per search", "per question"), measured(counts, found))
    elif with_instructions:
        print("valgrind is not installed: sudo apt-get install valgrind\n")
    return Record.today(counts, found)


def main() -> None:
    """Print the tables, and compare them with the record or renew it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help=f"write {RECORD.name} instead of comparing with it")
    parser.add_argument("--without-instructions", action="store_true", help="exact counts only, in seconds")
    options = parser.parse_args()
    if options.record and options.without_instructions:
        parser.error("--record needs the instructions, too; leave out --without-instructions")
    now = count(not options.without_instructions)
    if options.record:
        now.write()
    elif not compare(now):
        sys.exit(1)


if __name__ == "__main__":
    main()
