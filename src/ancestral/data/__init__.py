"""Data: tables and streams of named columns, their faults, and the statistics that tests of independence need.

Everything in this package turns rows into numbers; nothing here decides about independence.
"""

from ancestral.data.combined import Combined, combine
from ancestral.data.errors import DataError, DataWarning
from ancestral.data.stats.counts import Counts
from ancestral.data.stats.moments import Moments
from ancestral.data.table import Table

__all__ = ["Combined", "Counts", "DataError", "DataWarning", "Moments", "Table", "combine"]
