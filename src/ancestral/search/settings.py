"""What was chosen for a search: all that its answer depends on, besides the data."""

from dataclasses import dataclass, fields
from typing import Any, get_args

from ancestral.arguments import flag, one_of, whole_number
from ancestral.errors import OptionError
from ancestral.knowledge import Knowledge
from ancestral.search.algorithms import ALGORITHMS, Algorithm
from ancestral.search.base import PossibleAncestors, SearchOptions

__all__ = ["Settings"]


@dataclass(frozen=True)
class Settings:
    """`test` is the name of the test, `alpha` None where it has no significance level.

    `knowledge` is None where there is none. The others are as in `SearchOptions`. In a search of one phase `max_radius`
    only says where to stop, so a run may be resumed with another one.
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

    def __post_init__(self) -> None:
        one_of("algorithm", self.algorithm, ALGORITHMS)
        one_of("possible_ancestors", self.possible_ancestors, get_args(PossibleAncestors))
        if self.possible_ancestors != "distant" and self.algorithm != "icd":
            raise OptionError(
                f"possible_ancestors={self.possible_ancestors!r} is a condition of ICD; "
                f"leave it out with algorithm={self.algorithm!r}"
            )
        for option in ("stable", "verify", "selection_bias"):
            flag(option, getattr(self, option))
        if self.algorithm == "rfci" and not self.verify:
            raise OptionError("verify=False: RFCI has verification in the place of FCI's second search; leave it out")
        if self.max_radius is not None:
            object.__setattr__(self, "max_radius", whole_number("max_radius", self.max_radius, 0))

    @property
    def options(self) -> SearchOptions:
        """Those that the search itself must know."""
        return SearchOptions(
            self.possible_ancestors, self.stable, self.verify, self.selection_bias, max_radius=self.max_radius
        )

    @property
    def allows_selection(self) -> bool:
        """Whether the sample may have been selected, as far as this search goes."""
        return self.selection_bias and not self.chosen.sufficient

    @property
    def chosen(self) -> Algorithm:
        """The algorithm itself."""
        return ALGORITHMS[self.algorithm]

    def difference(self, other: "Settings") -> str | None:
        """The first setting that differs and matters for the answer, in words."""
        for field in fields(self):
            mine, theirs = getattr(self, field.name), getattr(other, field.name)
            if mine != theirs and field.name == "knowledge":
                return "other knowledge" if mine else "no knowledge"
            if mine != theirs and not (field.name == "max_radius" and self.chosen.resumable_beyond_max_radius):
                return f"{field.name}={mine!r}, not {theirs!r}"
        return None

    def as_dict(self) -> dict[str, Any]:
        """By name; knowledge only where there is any, as lists."""
        said = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "knowledge"}
        return said if self.knowledge is None else {**said, "knowledge": self.knowledge.as_dict()}
