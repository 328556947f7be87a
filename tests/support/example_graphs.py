"""Graphs with a name and a source, shared by the tests."""

from ancestral import DAG, MAG
from ancestral.reproduce.graphs import ALL_SELECTED, ANYTIME, COND3, COND3_STABLE, LEMMA1, SEVEN_NODES, THEORY

__all__ = [
    "ALL_SELECTED",
    "ANYTIME",
    "C1",
    "C2",
    "C3",
    "C4",
    "COND3",
    "COND3_STABLE",
    "HARD_GRAPHS",
    "LEMMA1",
    "NEEDS_R8",
    "SEVEN_NODES",
]

# -- graphs on which published software gave wrong marks under a perfect oracle --------------------------------------
# the marks that are disputed were settled by enumerating all equivalent MAGs

C1 = DAG.parse(
    """
    8 -> 1, 8 -> 9, 8 -> 2, 8 -> 5, 0 -> 2, 1 -> 2, 1 -> 4, 1 -> 6, 1 -> 7, 9 -> 2, 9 -> 5
    2 -> 4, 3 -> 4, 3 -> 6, 3 -> 7, 4 -> 7, 5 -> 7
    """,
    latent=["8", "9"],
)
C2 = DAG.parse(
    """
    0 -> 1, 0 -> 2, 0 -> 3, 0 -> 4, 6 -> 1, 6 -> 3, 6 -> 4, 7 -> 1, 7 -> 4, 1 -> 2, 1 -> 4, 3 -> 4, 3 -> 5, 4 -> 5
    """,
    latent=["6", "7"],
)
C3 = DAG.parse(
    """
    0 -> 1, 0 -> 10, 0 -> 4, 0 -> 8, 1 -> 5, 1 -> 7, 1 -> 8, 10 -> 3, 10 -> 7, 11 -> 2, 11 -> 4
    2 -> 3, 3 -> 8, 4 -> 8, 6 -> 8, 7 -> 9
    """,
    latent=["10", "11"],
)
C4 = DAG.parse("7 -> 0, 7 -> 2, 7 -> 3, 0 -> 2, 0 -> 4, 0 -> 5, 1 -> 4, 1 -> 5, 3 -> 6", latent=["7"])

#: x4 --> x7 is found by R8 alone: x4 --> x8 --> x7.
NEEDS_R8 = MAG.parse(
    """
    x1 --> x8, x2 --- x3, x2 --- x6, x2 --> x7, x2 --> x8, x2 --- x9, x3 --- x5
    x4 --> x7, x4 --> x8, x4 --- x9, x5 --- x6, x8 --> x7, x9 --> x7
    """
)

HARD_GRAPHS = {"C1": C1, "C2": C2, "C3": C3, "C4": C4, **THEORY}
