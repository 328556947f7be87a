"""Files of time series for tests of commands."""

from datetime import date
from pathlib import Path

import polars as pl

import ancestral as an

__all__ = ["DAG", "levels", "panel"]

#: Rain makes sales a day later; what drives sales and, a day later, visits is not measured.
DAG = an.SeriesDAG.parse("rain -1-> rain, rain -1-> sales, sales -1-> sales, L -0-> sales, L -1-> visits", latent=["L"])

#: The processes of docs/series.md.
RIVERS = an.SeriesDAG.parse(
    "rain -1-> rain, rain -1-> river, river -1-> river, river -0-> ferry, wind -1-> wind, wind -0-> ferry"
)


def panel(path: Path, *, rows: int = 300, gaps: bool = False) -> Path:
    """Write the days of two shops, in no order of rows: the columns shop, date, rain, sales and visits.

    With `gaps`, one day in ten, and some values of rain, are missing.
    """
    frame = _days(DAG, rows, unit="shop")
    if gaps:
        number = pl.int_range(pl.len())
        frame = frame.filter(number % 10 != 5).with_columns(
            pl.when(number % 50 == 7).then(None).otherwise(pl.col("rain")).alias("rain")
        )
    frame.sample(fraction=1.0, shuffle=True, seed=2).write_csv(path)
    return path


def levels(path: Path) -> Path:
    """Write what the examples speak of: the days of two stations at a river."""
    _days(RIVERS, 500, unit="station").write_csv(path)
    return path


def _days(dag: an.SeriesDAG, rows: int, *, unit: str) -> pl.DataFrame:
    """Consecutive days of two units."""
    day = pl.lit(date(2024, 1, 1)) + pl.duration(days=pl.col("time") - 1)
    frame = an.simulate.linear_series(dag, rows=rows, seed=1, units=2)
    return frame.select(pl.format(f"{unit} {{}}", "unit").alias(unit), day.alias("date"), *dag.observed)
