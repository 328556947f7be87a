"""Graphs with three kinds of marks: what they are, what they say, and what follows from them.

Everything in this package depends on marks alone, and not on data.
"""

from ancestral.graphs.canonical import canonical_dag
from ancestral.graphs.kinds import CPDAG, DAG, MAG, PAG
from ancestral.graphs.mixed import MixedGraph
from ancestral.graphs.projection import mag_of
from ancestral.graphs.separation import is_separated
from ancestral.graphs.series_dag import SeriesDAG

__all__ = ["CPDAG", "DAG", "MAG", "PAG", "MixedGraph", "SeriesDAG", "canonical_dag", "is_separated", "mag_of"]
