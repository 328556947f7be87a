"""Descriptions: what a source holds, how it would be read and searched, what is wrong with it, and what to do."""

from ancestral.describing.description import Description, describe

__all__ = ["Description", "describe"]
