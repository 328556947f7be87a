"""Numbers printed in the ICD paper (Rohekar et al., 2021, section 4 and supplement), to be compared with ours."""

from typing import NamedTuple

__all__ = ["ALGORITHMS", "EXAMPLE", "RUN_TIME_RATIO", "TABLE_1", "Accuracy"]

#: FCI's run time divided by ICD's, by the number of nodes (section 4.1).
RUN_TIME_RATIO = {15: 1.3, 20: 1.8, 25: 2.9, 35: 5.6}

#: In the order of Table 1.
ALGORITHMS = ("FCI", "FCI+", "RFCI", "ICD")


class Accuracy(NamedTuple):
    """A row of Table 1: questions relative to FCI, errors and F1 of the skeleton, and the share of right marks."""

    questions: float
    fpr: float
    fnr: float
    f1: float
    orientation: float


#: Table 1 of the supplement, by the rows of data and the algorithm.
TABLE_1 = {
    (100, "FCI"): Accuracy(1.0, 0.010, 0.638, 0.52, 0.19),
    (100, "FCI+"): Accuracy(1.3, 0.012, 0.628, 0.52, 0.20),
    (100, "RFCI"): Accuracy(0.9, 0.012, 0.628, 0.52, 0.20),
    (100, "ICD"): Accuracy(0.5, 0.023, 0.606, 0.54, 0.22),
    (200, "FCI"): Accuracy(1.0, 0.014, 0.589, 0.56, 0.24),
    (200, "FCI+"): Accuracy(1.1, 0.019, 0.570, 0.58, 0.25),
    (200, "RFCI"): Accuracy(0.8, 0.019, 0.570, 0.58, 0.25),
    (200, "ICD"): Accuracy(0.4, 0.039, 0.515, 0.61, 0.28),
    (500, "FCI"): Accuracy(1.0, 0.011, 0.519, 0.63, 0.29),
    (500, "FCI+"): Accuracy(0.9, 0.017, 0.485, 0.65, 0.30),
    (500, "RFCI"): Accuracy(0.7, 0.016, 0.485, 0.65, 0.30),
    (500, "ICD"): Accuracy(0.3, 0.062, 0.389, 0.69, 0.34),
    (1000, "FCI"): Accuracy(1.0, 0.008, 0.482, 0.66, 0.32),
    (1000, "FCI+"): Accuracy(0.6, 0.018, 0.428, 0.70, 0.35),
    (1000, "RFCI"): Accuracy(0.5, 0.017, 0.429, 0.70, 0.35),
    (1000, "ICD"): Accuracy(0.2, 0.081, 0.320, 0.73, 0.39),
    (3000, "FCI"): Accuracy(1.0, 0.005, 0.447, 0.69, 0.38),
    (3000, "FCI+"): Accuracy(0.25, 0.020, 0.359, 0.75, 0.40),
    (3000, "RFCI"): Accuracy(0.20, 0.019, 0.360, 0.75, 0.40),
    (3000, "ICD"): Accuracy(0.08, 0.111, 0.209, 0.77, 0.46),
}

#: The seven-node example (section 3.3): questions of each size, or of a whole stage, after those of sizes 0 and 1.
EXAMPLE = {
    ("ICD", "sets of 2"): 3,
    ("ICD", "sets of 3"): 1,
    ("FCI", "first stage, sets of 2"): 11,
    ("FCI", "second stage"): 76,
}
