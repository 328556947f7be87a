"""A run file together with its data, which it does not hold: the option `--data`, and what reads both."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ancestral.cli.graphs import read_run, series_in
from ancestral.cli.samples import source_of

if TYPE_CHECKING:
    from ancestral import Discovery, SeriesDiscovery

__all__ = ["DataOption", "run_with_data", "series_with_data"]

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
    """The run together with its data. Raises `OptionError` for a run of time series, whose windows are not rows."""
    from ancestral.discovery import load_with_data
    from ancestral.errors import OptionError

    if series_in(read_run(run)) is not None:
        raise OptionError(
            f"{run}: is a run of time series, of which this command cannot tell; ancestral effect estimates effects in "
            "its window"
        )
    return load_with_data(run, _source(run, data))


def series_with_data(run: Path, data: list[Path] | None) -> "SeriesDiscovery | None":
    """What a run of time series found, together with its data, read as they were; None for any other run."""
    if series_in(read_run(run)) is None:
        return None
    from ancestral.series.loading import load_series_with_data

    return load_series_with_data(run, _source(run, data))


def _source(run: Path, data: list[Path] | None) -> Path | list[Path] | dict[str, Path]:
    """The data that are named or, if none are, those that the run was made from."""
    from ancestral.errors import OptionError

    if data:
        return source_of(data)
    known = read_run(run).reading.source
    if known is None or not Path(known).exists():
        where = "and does not say where they are" if known is None else f"and {known} is not there"
        raise OptionError(f"{run}: does not hold the data, {where}; name them: --data data.csv")
    return Path(known)
