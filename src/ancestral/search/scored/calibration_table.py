"""The shares of claims that were true in simulations, by their evidence; `python -m benchmarks.evidence` writes it."""

__all__ = ["BOUNDS", "SHARES"]

#: The bounds of the ranges of evidence: below the first, between each two, and from the last on.
BOUNDS = (2.0, 6.0, 10.0, 20.0, 50.0)

#: For each kind of claim the share of true ones in each range, in hundredths; None where there were too few claims.
SHARES: dict[str, tuple[int | None, ...]] = {
    "edge": (54, 82, 89, 95, 99, 100),
    "no edge": (61, 83, 95, 99, None, None),
    "arrowhead": (58, 76, 88, 96, 99, 100),
    "tail": (18, 41, 63, 80, 97, 99),
}
