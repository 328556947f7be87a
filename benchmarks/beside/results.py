"""Results of searches, kept in `build/beside` as lines of JSON: a run that was stopped goes on where it was.

Results of other packages are kept by their version, ours by the state of the sources; a result counts only for the very
data that it was found in.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.beside.plan import METHODS, PATIENCE, Cell, Method, cells
from benchmarks.beside.scores import Score, Truth, score
from benchmarks.environments import python_of, version_of
from benchmarks.series import THREADS
from benchmarks.sources import state

__all__ = ["KEPT", "ByMethod", "Found", "Run", "complete", "runs"]

KEPT = Path("build/beside")

#: The file that says how we search; it is part of the state of the package.
OURS = "benchmarks/beside/ours.py"


@dataclass(frozen=True)
class Run:
    """A search of one data set: how right its graph is, if it finished, CPU seconds, and the versions it ran with."""

    score: Score | None
    seconds: float | None
    failed: str
    versions: dict[str, str]


#: After this number of stops, a search is not tried on the other data sets of a cell: they are of the same size.
STOPS = 2

#: The runs of the methods of a cell, in the order of seeds, and those of all cells.
ByMethod = Mapping[Method, Sequence[Run]]
Found = dict[Cell, dict[Method, list[Run]]]


@dataclass(frozen=True)
class Set:
    """A saved data set: its seed, its file, a digest of its values, its labels, and the truth."""

    seed: int
    file: Path
    digest: str
    labels: tuple[int, ...]
    truth: Truth


@cache
def sets(cell: Cell) -> tuple[Set, ...]:
    """The data sets of a cell, saved where other programs read them."""
    return tuple(_saved(cell, seed) for seed in cell.seeds)


def _saved(cell: Cell, seed: int) -> Set:
    rows, truth = cell.draw(seed)
    file = KEPT / "data" / cell.folder / f"{seed}.npy"
    file.parent.mkdir(parents=True, exist_ok=True)
    np.save(file, rows.values)
    return Set(seed, file, sha256(file.read_bytes()).hexdigest()[:16], rows.labels, truth)


def _file(method: Method, cell: Cell) -> Path:
    by = f"ancestral-{state(OURS)}" if method.ours else f"{method.program}-{version_of(method.program)}"
    return KEPT / by / f"{method.search.replace(' ', '_')}-{cell.folder}.jsonl"


def _kept(method: Method, cell: Cell) -> dict[int, dict[str, Any]]:
    """The lines of a method in a cell, by seeds."""
    file = _file(method, cell)
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []
    now = {one.seed: one.digest for one in sets(cell)}
    return {line["seed"]: line for line in lines if line["data"] == now.get(line["seed"])}


class Worker:
    """A process with one search; it is started when it is first asked, and again after it has ended."""

    def __init__(self, method: Method) -> None:
        self._method = method
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()

    def ask(self, one: Set) -> dict[str, Any]:
        """The result for a data set."""
        process = self._process or self._started()
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(json.dumps({"file": str(one.file), "labels": one.labels}) + "\n")
        process.stdin.flush()
        if line := process.stdout.readline():
            answer: dict[str, Any] = json.loads(line)
            return answer
        ended = process.wait()
        self._process = None
        return _failed(f"stopped after {PATIENCE:g} s" if ended == -signal.SIGXCPU else f"ended with code {ended}")

    def _started(self) -> subprocess.Popen[str]:
        method = self._method
        module = ["benchmarks.beside.ours"] if method.ours else ["benchmarks.beside.others", method.program]
        python = sys.executable if method.ours else python_of(method.program)
        self._process = subprocess.Popen(
            [python, "-m", *module, method.search, str(PATIENCE)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ | THREADS,
        )  # fmt: skip
        return self._process


def _failed(why: str) -> dict[str, Any]:
    return {"edges": [], "seconds": None, "failed": why, "versions": {}}


def complete(method: Method, cells: Iterable[Cell]) -> None:
    """Make the results of a method that are missing, in a process of their own."""
    with Worker(method) as worker:
        for cell in cells:
            missing = [one for one in sets(cell) if one.seed not in _kept(method, cell)]
            if missing:
                print(f"{method.label}: {cell.name}, {len(missing)} data sets", file=sys.stderr, flush=True)
            for one in missing:
                line = _failed(why) if (why := _not_tried(method, cell)) else worker.ask(one)
                file = _file(method, cell)
                file.parent.mkdir(parents=True, exist_ok=True)
                with file.open("a", encoding="utf-8") as out:
                    out.write(json.dumps({"seed": one.seed, "data": one.digest} | line) + "\n")


def _not_tried(method: Method, cell: Cell) -> str | None:
    """Why a search is not tried on another data set of a cell; None if it is."""
    stopped = [line for line in _kept(method, cell).values() if line["failed"].startswith("stopped")]
    if len(stopped) >= STOPS:
        return f"not tried after {STOPS} stops"
    smaller = _hopeless(method, cell)
    return f"not tried, stopped on all data sets of {smaller.nodes} nodes" if smaller else None


def _hopeless(method: Method, cell: Cell) -> Cell | None:
    """A smaller cell of the family in which no data set was finished within the time."""
    for other in cells():
        if other.family == cell.family and other.nodes < cell.nodes and method in METHODS[other.kind]:
            lines = _kept(method, other).values()
            if lines and all(line["failed"].startswith(("stopped", "not tried")) for line in lines):
                return other
    return None


def runs(method: Method, cell: Cell) -> Iterator[Run]:
    """The runs of a method in a cell, in the order of seeds; `complete` has made them."""
    kept = _kept(method, cell)
    for one in sets(cell):
        line = kept[one.seed]
        right = None if line["failed"] else score(line["edges"], method.aims, one.truth)
        yield Run(right, line["seconds"], line["failed"], line["versions"])
