"""The smallest scale of `ancestral reproduce` that still runs every experiment."""

from ancestral.reproduce import Scale

__all__ = ["TINY"]

TINY = Scale(
    sizes=(8, 10),
    dags=2,
    most=100_000,
    accuracy_dags=2,
    data_rows=(100, 500),
    labelings=1,
    order_dags=1,
    orders=2,
    large_sizes=(20, 30),
    large_dags=1,
    large_most=100_000,
)
