"""Series: from rows with times and units to windows, the rows of which tests of independence ask."""

from ancestral.data.series.reading import MissingInSeries, windows_of
from ancestral.data.series.report import UnitReport, WindowsReport
from ancestral.data.series.windows import Windows

__all__ = ["MissingInSeries", "UnitReport", "Windows", "WindowsReport", "windows_of"]
