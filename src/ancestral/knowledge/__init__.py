"""Background knowledge: statements about ancestry, what follows from them, and the files they are read from."""

from ancestral.knowledge.closure import Constraints
from ancestral.knowledge.series import SeriesKnowledge
from ancestral.knowledge.statements import Knowledge

__all__ = ["Constraints", "Knowledge", "SeriesKnowledge"]
