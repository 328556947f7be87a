"""What is known beside the data: statements about ancestry, what follows from them, and the files they come from."""

from ancestral.knowledge.closure import Constraints
from ancestral.knowledge.statements import Knowledge

__all__ = ["Constraints", "Knowledge"]
