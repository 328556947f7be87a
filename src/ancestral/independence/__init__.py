"""Independence questions and who answers them."""

from ancestral.independence.oracle import Oracle

__all__ = ["Oracle"]
