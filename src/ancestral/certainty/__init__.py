"""How certain a graph is: the same search on resamples of the rows, in each reading of the data."""

from ancestral.certainty.certainty import Certainty
from ancestral.certainty.progress import RepeatsProgress
from ancestral.certainty.resamples import Resamples

__all__ = ["Certainty", "RepeatsProgress", "Resamples"]
