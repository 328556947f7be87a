"""Graphs with a name and a source, shared by the tests."""

from ancestral import DAG, MAG

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

# -- the seven-node example of Spirtes, Glymour & Scheines (2000), Figure 2 of the ICD paper --------------------------
SEVEN_NODES = MAG.parse("A <-> B, D <-> E, B -> E, D -> A, F -> B, H -> D, C -> F, C -> H")
