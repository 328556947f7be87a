"""Runs of time series from files: `load_series`."""

import os

from ancestral.errors import RunError
from ancestral.result import load
from ancestral.series.result import SeriesDiscovery

__all__ = ["load_series"]


def load_series(path: str | os.PathLike[str]) -> SeriesDiscovery:
    """Read a run file that `SeriesDiscovery.save` or `discover_series(save=…)` wrote.

    `load` reads it, too, as the search of a window. The data are not in it: the graphs, the reasons and the decisions
    can be asked, further evidence cannot. Raises RunError if the file cannot be read, or is not of time series.
    """
    run = load(path)
    if not run.settings.chosen.windows:
        raise RunError(f"{os.fspath(path)!s}: is a run of {run.settings.chosen.title}, not of time series; use load()")
    return SeriesDiscovery(run)
