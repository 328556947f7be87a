"""The run file: what a search found, why, with which settings, on which data; and, if unfinished, how to resume.

docs/run-file.md describes it. In the file, variables are numbered in the order of `variables`, that of the user; in
memory, positions follow the names. Everything that is read is checked: shapes, ranges, and that the parts agree.
Columns are written and read in blocks (`columns`), and a matrix is made only after the file has shown a number for each
pair of variables.
"""

from collections.abc import Iterator
from pathlib import Path

from ancestral.errors import RunError
from ancestral.io.checked_json import opened_document
from ancestral.io.run_graph import GraphRunReader, graph_document
from ancestral.io.run_parts import FORMAT, MOST_NOT_BEGUN, VERSION, SavedRun
from ancestral.io.run_reader import RunReader
from ancestral.io.run_v3 import RunReader3
from ancestral.io.run_writer import run_document
from ancestral.io.saved import check_overwritable, checked_lines, naming, saving, write_lines
from ancestral.search.stage import GraphStage

__all__ = ["FORMAT", "VERSION", "SavedRun", "check_target", "read_run", "run_lines", "write_run"]


def check_target(path: Path) -> None:
    """Raise RunError if a run cannot be saved there, or another file is there that is not a run file."""
    check_overwritable(path, FORMAT, "run file")


def write_run(path: Path, run: SavedRun) -> None:
    """Write the file, atomically; raises RunError if it cannot be written."""
    with saving(path):
        write_lines(path, run_lines(run))


def run_lines(run: SavedRun) -> Iterator[bytes]:
    """The bytes of the file, piece by piece."""
    stage = run.stage
    if not stage.begun and len(stage.columns) > MOST_NOT_BEGUN:
        raise RunError(
            f"a run that has not begun must have at most {MOST_NOT_BEGUN:,} variables to be saved, got "
            f"{len(stage.columns):,}; there is nothing in it yet"
        )
    if isinstance(stage, GraphStage):
        return checked_lines(graph_document(run), GraphRunReader)
    return checked_lines(run_document(run), RunReader)


def read_run(path: Path, to_resume: bool = False) -> SavedRun:
    """Read a file and check everything in it; raises RunError for a file that cannot be read or is not a run file.

    A run `to_resume` asks pairs given nothing again, so their evidence is checked but not kept, unless the run is
    complete or its test is a function of the user's own.
    """
    with opened_document(path, FORMAT, "run", (3, VERSION)) as document, naming(path):
        reader = RunReader if document.value["version"] == VERSION else RunReader3
        if "reasons" in document.value and reader is RunReader:
            reader = GraphRunReader
        return reader(document, to_resume).run()
