"""What a report reads of an effect that was asked for."""

from typing import Protocol

__all__ = ["AskedEffect"]


class AskedEffect(Protocol):
    """A question about an effect, with its answer in lines of words."""

    @property
    def query(self) -> str:
        """The question."""

    @property
    def identified(self) -> bool:
        """Whether the effect follows from the graph."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The answer."""

    @property
    def because(self) -> tuple[tuple[str, str], ...]:
        """The edges that stand in the way, as pairs of names."""
