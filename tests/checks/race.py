"""Processes that save to one file while others read it: no reader may ever find a broken file.

`python -m tests.checks.race --writers 8 --reads 100000` (part of `make attack`) prints one line. It fails if a reader
finds an incomplete file, or if a writer fails.
"""

import argparse
import multiprocessing
import tempfile
import time
from multiprocessing.synchronize import Event
from pathlib import Path

import ancestral as an

__all__ = ["race"]

_GRAPHS = ("a -> b", "a -> c, b -> c, c -> d", "a -> b, b -> c, c -> d, d -> e, e -> f, a -> f")


def _write(path: Path, number: int, over: Event, saved: "multiprocessing.Queue[int]") -> None:
    """Save runs of different lengths over each other until the readers are done."""
    runs = [an.discover(an.Oracle(an.DAG.parse(graph)), progress=False) for graph in _GRAPHS]
    count = 0
    while not over.is_set():
        runs[(count + number) % len(runs)].save(path)
        count += 1
    saved.put(count)


def _read(path: Path, expected: frozenset[bytes], reads: int, broken: "multiprocessing.Queue[int]") -> None:
    """Read the file, and count how often it is not one of those that were saved."""
    wrong = 0
    for _ in range(reads):
        wrong += path.read_bytes() not in expected
        time.sleep(0.0002)  # so that there are many saves for the reads
    broken.put(wrong)


def race(folder: Path, writers: int, reads: int, readers: int = 2) -> tuple[int, int]:
    """Let `writers` save and `readers` read, `reads` times together; how many files were saved and how many broken."""
    path = folder / "run.json"
    expected = set()
    for graph in _GRAPHS:
        an.discover(an.Oracle(an.DAG.parse(graph)), progress=False).save(path)
        expected.add(path.read_bytes())
    assert len(expected) == len(_GRAPHS)
    start = multiprocessing.get_context("spawn")
    over, saved, broken = start.Event(), start.Queue(), start.Queue()
    writing = [start.Process(target=_write, args=(path, i, over, saved)) for i in range(writers)]
    reading = [
        start.Process(target=_read, args=(path, frozenset(expected), reads // readers, broken)) for _ in range(readers)
    ]
    for process in writing:
        process.start()
    before = path.stat().st_ino
    while path.stat().st_ino == before and all(process.is_alive() for process in writing):
        time.sleep(0.01)  # until the first save
    for process in reading:
        process.start()
    wrong = sum(broken.get() for _ in reading)
    over.set()
    written = 0
    for process in writing:
        process.join()
        assert process.exitcode == 0, "a writer failed"
    while not saved.empty():
        written += saved.get()
    assert path.read_bytes() in expected
    assert [entry.name for entry in folder.iterdir()] == [path.name], "a part file was left behind"
    return written, wrong


def main() -> None:
    """Run the race that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--reads", type=int, default=100_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        written, wrong = race(Path(folder), arguments.writers, arguments.reads)
    print(f"{arguments.writers} writers saved {written:,} times, {arguments.reads:,} reads, {wrong} of them broken")
    if wrong:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
