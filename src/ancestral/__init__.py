"""Causal discovery when not everything was measured.

A search asks independence questions, removes edges, orients marks, writes down why, and after every radius yields a
correct partial ancestral graph (PAG).

>>> import ancestral as an
>>> dag = an.DAG.parse("a -> b, L -> b, L -> c, d -> c", latent=["L"])
>>> print(an.pag_of(dag))
a o-> b
b <-> c
d o-> c
"""

from ancestral import simulate
from ancestral._cython import warn_if_interpreted
from ancestral.data import DataError, DataWarning, Moments, Table
from ancestral.discovery import Discovery, Progress, RunWarning, discover, load, stages
from ancestral.errors import AncestralError, GraphError, OptionError, RunError, UnknownName
from ancestral.graphs import CPDAG, DAG, MAG, PAG, is_separated, mag_of
from ancestral.independence import Oracle
from ancestral.metrics import Comparison, compare
from ancestral.search import equivalent, equivalent_mags, most_tests, pag_of, pds_tree
from ancestral.version import VERSION

__all__ = [
    "CPDAG",
    "DAG",
    "MAG",
    "PAG",
    "AncestralError",
    "Comparison",
    "DataError",
    "DataWarning",
    "Discovery",
    "GraphError",
    "Moments",
    "OptionError",
    "Oracle",
    "Progress",
    "RunError",
    "RunWarning",
    "Table",
    "UnknownName",
    "__version__",
    "compare",
    "discover",
    "equivalent",
    "equivalent_mags",
    "is_separated",
    "load",
    "mag_of",
    "most_tests",
    "pag_of",
    "pds_tree",
    "simulate",
    "stages",
]

__version__ = VERSION

warn_if_interpreted()
