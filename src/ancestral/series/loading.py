"""Runs of time series from files, alone or together with their data."""

import os
from typing import Any

from ancestral.arguments import path_of
from ancestral.data.old_fingerprint import data_difference
from ancestral.data.series import windows_of
from ancestral.errors import RunError
from ancestral.independence.choice import test_of_windows
from ancestral.independence.registry import TESTS, name_in_registry
from ancestral.options import SourceOptions, TableOptions
from ancestral.result import load
from ancestral.series.result import SeriesDiscovery

__all__ = ["load_series", "load_series_with_data"]

Location = str | os.PathLike[str]


def load_series(path: Location) -> SeriesDiscovery:
    """Read a run file that `SeriesDiscovery.save` or `discover_series(save=…)` wrote.

    `load` reads it, too, as the search of a window. The data are not in it: the graphs, the reasons and the decisions
    can be asked, further evidence cannot.

    Args:
        path: The file.

    Returns:
        What was found.

    Raises:
        RunError: If the file cannot be read, or is not of time series.

    Examples:
        >>> import pathlib, tempfile
        >>> import ancestral as an
        >>> file = pathlib.Path(tempfile.mkdtemp()) / "run.json.gz"
        >>> found = an.discover_series(an.SeriesDAG.parse("rain -1-> rain, rain -1-> sales"), lags=2)
        >>> found.save(file)
        >>> load_series(file).summary == found.summary
        True
    """
    run = load(path)
    if not run.settings.chosen.windows:
        raise RunError(
            f"{path_of('path', path)}: is a run of {run.settings.chosen.title}, not of time series; use load()"
        )
    return SeriesDiscovery(run)


def load_series_with_data(path: Location, source: Any) -> SeriesDiscovery:
    """A run of time series together with its data, read as they were for the run: nothing is searched or written.

    Raises `RunError` if the file cannot be read, is not of time series, or was made from other data; `DataError` for
    data that cannot be read.
    """
    place, saved = path_of("path", path), load_series(path)
    reading, settings = saved.run.reading, saved.settings
    name = name_in_registry(settings.test)
    if name not in TESTS or settings.alpha is None:
        raise RunError(
            f"{place}: its questions were answered by {settings.test!r}, which is not a test of data by name"
        )
    options = TableOptions.from_attributes(reading)
    windows = windows_of(
        source,
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
        raise RunError(f"{place}: was made from {other or 'different data'}; name the data of this run")
    return SeriesDiscovery(saved.run, windows)
