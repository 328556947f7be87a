"""A run file together with its data, which it does not hold: the option `--data`, and what reads both."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ancestral.cli.discover import source_of
from ancestral.cli.graphs import read_run, series_in

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
    """What a run of time series found, together with its data, read as they were; None for any other run.

    Raises `RunError` if these are not the data of the run.
    """
    saved = series_in(read_run(run))
    if saved is None:
        return None
    from ancestral import SeriesDiscovery
    from ancestral.data.old_fingerprint import data_difference
    from ancestral.data.series import windows_of
    from ancestral.errors import RunError
    from ancestral.independence.choice import test_of_windows
    from ancestral.independence.registry import TESTS, name_in_registry
    from ancestral.options import SourceOptions, TableOptions

    reading, settings = saved.run.reading, saved.settings
    name = name_in_registry(settings.test)
    if name not in TESTS or settings.alpha is None:
        raise RunError(f"{run}: its questions were answered by {settings.test!r}, which is not a test of data by name")
    options = TableOptions.from_attributes(reading)
    windows = windows_of(
        _source(run, data),
        lags=saved.lags,
        time=reading.time,
        unit=reading.unit,
        step=reading.step,
        missing=reading.missing,  # type: ignore[arg-type]  # checked there
        options=options,
    )
    test = test_of_windows(windows, SourceOptions(**options.as_dict(), test=name, alpha=settings.alpha))
    other = data_difference(saved.test.fingerprint, test)
    if other is not None or set(windows.window.names) != set(saved.window.nodes):
        raise RunError(f"{run}: was made from {other or 'different data'}; name the data of this run")
    return SeriesDiscovery(saved.run, windows)


def _source(run: Path, data: list[Path] | None) -> Path | list[Path]:
    """The data that are named or, if none are, those that the run was made from."""
    from ancestral.errors import OptionError

    if data:
        return source_of(data)
    known = read_run(run).reading.source
    if known is None or not Path(known).exists():
        where = "and does not say where they are" if known is None else f"and {known} is not there"
        raise OptionError(f"{run}: does not hold the data, {where}; name them: --data data.csv")
    return Path(known)
