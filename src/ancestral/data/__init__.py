"""Data: what the columns are, what is wrong with them, and the numbers about them that add up.

Everything in this room turns rows into numbers; nothing here decides about independence.
"""

from ancestral.data.errors import DataError, DataWarning
from ancestral.data.stats.counts import Counts
from ancestral.data.stats.moments import Moments
from ancestral.data.table import Table

__all__ = ["Counts", "DataError", "DataWarning", "Moments", "Table"]
