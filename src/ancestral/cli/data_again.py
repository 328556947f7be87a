"""A run file together with its data, which it does not hold: the option `--data`, and what reads both."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ancestral.cli.discover import source_of
from ancestral.cli.graphs import read_run

if TYPE_CHECKING:
    from ancestral import Discovery

__all__ = ["DataOption", "run_with_data"]

DataOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--data",
        help="The data of the run, which a run file does not hold: a file, a folder or a pattern; repeat it for "
        "several files. Without it, they are read from where they were.",
        metavar="DATA",
        show_default=False,
    ),
]


def run_with_data(run: Path, data: list[Path] | None) -> "Discovery":
    """The run together with its data."""
    from ancestral.discovery import load_with_data
    from ancestral.errors import OptionError

    known = read_run(run).reading.source  # raises for files that are not runs
    if data:
        return load_with_data(run, source_of(data))
    if known is None or not Path(known).exists():
        where = "and does not say where they are" if known is None else f"and {known} is not there"
        raise OptionError(f"{run}: does not hold the data, {where}; name them: --data data.csv")
    return load_with_data(run, Path(known))
