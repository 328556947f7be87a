"""Why each mark came, and which marks could not be agreed on."""

from dataclasses import dataclass

__all__ = ["Conflict", "Orientation"]


@dataclass(frozen=True, slots=True)
class Orientation:
    """The mark at `y` on the edge x–y was set by a rule, because of its witnesses.

    `mark` is ">" for an arrowhead and "-" for a tail; the witnesses stand in the order in which the rule names them.
    """

    x: str
    y: str
    mark: str
    rule: str
    because: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Conflict:
    """A rule asked for `edge` between x and y, against a mark that stands or against another rule; it was refused."""

    x: str
    edge: str
    y: str
    rule: str
    because: tuple[str, ...]
