"""Files of time series for tests of commands."""

from datetime import date
from pathlib import Path

import polars as pl

import ancestral as an

__all__ = ["DAG", "panel"]

#: Rain makes sales a day later; what drives sales and, a day later, visits is not measured.
DAG = an.SeriesDAG.parse("rain -1-> rain, rain -1-> sales, sales -1-> sales, L -0-> sales, L -1-> visits", latent=["L"])


def panel(path: Path, *, rows: int = 300, gaps: bool = False) -> Path:
    """Write the days of two shops, in no order of rows: the columns shop, date, rain, sales and visits.

    With `gaps`, one day in ten, and some values of rain, are missing.
    """
    frame = an.simulate.linear_series(DAG, rows=rows, seed=1, units=2)
    frame = frame.select(
        pl.format("shop {}", "unit").alias("shop"),
        (pl.lit(date(2024, 1, 1)) + pl.duration(days=pl.col("time") - 1)).alias("date"),
        *DAG.observed,
    )
    if gaps:
        number = pl.int_range(pl.len())
        frame = frame.filter(number % 10 != 5).with_columns(
            pl.when(number % 50 == 7).then(None).otherwise(pl.col("rain")).alias("rain")
        )
    frame.sample(fraction=1.0, shuffle=True, seed=2).write_csv(path)
    return path
