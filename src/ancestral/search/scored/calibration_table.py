"""The shares of claims that were true in simulations, by their evidence; `python -m benchmarks.evidence` writes it."""

__all__ = ["BOUNDS", "SHARES"]

#: The bounds of the ranges of evidence: below the first, between each two, and from the last on.
BOUNDS = (2.0, 6.0, 10.0, 20.0, 50.0)

#: For each kind of claim the share of true ones in each range, in hundredths; None where there were too few claims.
SHARES: dict[str, tuple[int | None, ...]] = {
    "edge": (48, 83, 85, 98, 98, 99),
    "no edge": (None, 89, 95, 99, None, None),
    "arrowhead": (53, 73, 70, 90, 98, 99),
    "tail": (None, 48, 42, 70, 91, None),
}
