"""The settings of a search: all that its answer depends on, besides the data."""

from dataclasses import dataclass, fields
from typing import Any

from ancestral.arguments import one_of
from ancestral.errors import Option
from ancestral.knowledge import Knowledge
from ancestral.options import AlgorithmOptions, PossibleAncestors
from ancestral.search.algorithms import ALGORITHMS, Algorithm
from ancestral.search.base import SearchOptions

__all__ = ["Settings"]


@dataclass(frozen=True)
class Settings:
    """What was chosen for a search, as it is kept in run files.

    `test` is the name of the test; `alpha` is None where it has no significance level; `knowledge` is None where there
    is none. The others are the options of that name (`AlgorithmOptions`). In a search of one phase `max_radius` only
    says where to stop, so a run may be resumed with another one.
    """

    algorithm: str = "icd"
    test: str = ""
    alpha: float | None = None
    max_radius: int | None = None
    possible_ancestors: PossibleAncestors = "distant"
    stable: bool = True
    verify: bool = True
    selection_bias: bool = True
    knowledge: Knowledge | None = None

    @classmethod
    def of(cls, options: AlgorithmOptions) -> "Settings":
        """The settings that the options ask for; knowledge is read if it is in a file."""
        return cls(**{**options.as_dict(), "knowledge": Knowledge.of(options.knowledge)})

    def __post_init__(self) -> None:
        one_of("algorithm", self.algorithm, ALGORITHMS)
        object.__setattr__(self, "max_radius", AlgorithmOptions.from_attributes(self).max_radius)
        self.chosen.check_options(self.algorithm, self.options)

    @property
    def options(self) -> SearchOptions:
        """The settings that are passed to the algorithm."""
        return SearchOptions(
            self.possible_ancestors, self.stable, self.verify, self.selection_bias, max_radius=self.max_radius
        )

    @property
    def allows_selection(self) -> bool:
        """Whether this search allows for a sample that was selected."""
        return self.selection_bias and not self.chosen.sufficient

    @property
    def chosen(self) -> Algorithm:
        """The algorithm itself."""
        return ALGORITHMS[self.algorithm]

    def difference(self, other: "Settings") -> "tuple[str | Option, ...]":
        """The first setting that differs from the other's and matters for the answer, as parts of a message."""
        for field in fields(self):
            mine, theirs = getattr(self, field.name), getattr(other, field.name)
            if mine != theirs and field.name == "knowledge":
                return ("other knowledge" if mine else "no knowledge",)
            if mine != theirs and not (field.name == "max_radius" and self.chosen.resumable_beyond_max_radius):
                return (Option(field.name, mine), ", not ", Option(field.name, theirs))
        return ()

    def as_dict(self) -> dict[str, Any]:
        """The settings by name; knowledge as lists, and only if there is any."""
        out = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "knowledge"}
        return out if self.knowledge is None else {**out, "knowledge": self.knowledge.as_dict()}
