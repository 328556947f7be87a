"""The settings of a search: all that its answer depends on, besides the data."""

from dataclasses import dataclass, field
from typing import Any

from ancestral.arguments import one_of
from ancestral.errors import Option, OptionError
from ancestral.knowledge import Knowledge
from ancestral.knowledge.contexts import DESIGNED, EXOGENOUS, UNCONFOUNDED
from ancestral.options import AlgorithmOptions, SearchOptions
from ancestral.search.algorithms import ALGORITHMS, OF_WINDOWS, Algorithm

__all__ = ["Settings"]


@dataclass(frozen=True, kw_only=True)
class Settings(AlgorithmOptions):
    """What was chosen for a search, as it is kept in run files: the options of the search, and its test.

    `test` is the name of the test; `alpha` is None where it has no significance level. `knowledge` was read, and is
    None where there is none. In a search of one phase `max_radius` only says where to stop, so a run may be resumed
    with another one. `algorithm_reason` is the reason if the algorithm was chosen (`algorithm_choice.REASONS`), None if
    it was asked for; it does not count as a difference. `colliders` is None as long as the test is not known, and for
    an algorithm that does not have the option. `fdr` is None unless false discoveries are controlled. `together` are
    the variables that each of several combined tables has; None where all were measured together.
    """

    algorithm: str = "icd"
    algorithm_reason: str | None = field(default=None, compare=False)
    test: str = ""
    alpha: float | None = None
    knowledge: Knowledge | None = None
    together: tuple[tuple[str, ...], ...] | None = None

    @classmethod
    def of(cls, options: AlgorithmOptions, algorithm: str, reason: str | None = None) -> "Settings":
        """The settings of a search by this algorithm with these options, whose knowledge was read.

        `reason` is the reason if the algorithm was chosen.
        """
        return cls(**{**options.as_dict(), "algorithm": algorithm, "algorithm_reason": reason})

    def __post_init__(self) -> None:
        if self.algorithm not in OF_WINDOWS:
            one_of("algorithm", self.algorithm, ALGORITHMS)
        super().__post_init__()
        self.chosen.check_options(self.algorithm, self)
        known = self.knowledge
        if known is not None and self.chosen.sufficient and known.assumes(DESIGNED) and len(known.contexts) > 1:
            raise OptionError(
                ["cannot be combined with ", Option("algorithm", self.algorithm)],
                option="context_assumptions",
                value=DESIGNED,
                way_out=[
                    "contexts that depend on each other by design may have a common cause; pass ",
                    Option("context_assumptions", [EXOGENOUS, UNCONFOUNDED]),
                    ", or ",
                    Option("algorithm", "icd"),
                ],
                assigned=True,
            )
        if self.selection_bias is None:
            object.__setattr__(self, "selection_bias", self.chosen.selection)
        elif self.selection_bias and not self.chosen.selection:
            raise OptionError(
                ["cannot be combined with ", Option("algorithm", self.algorithm)],
                option="selection_bias",
                value=True,
                way_out=["it assumes that the sample was not selected; pass ", Option("algorithm", "icd")],
                assigned=True,
            )

    @property
    def options(self) -> SearchOptions:
        """The settings that are passed to the algorithm."""
        return SearchOptions.from_attributes(self)

    @property
    def on_data(self) -> bool:
        """Whether data were searched, whose answers may be wrong; an oracle has no significance level."""
        return self.alpha is not None

    @property
    def allows_selection(self) -> bool:
        """Whether this search allows for a sample that was selected."""
        return bool(self.selection_bias) and not self.chosen.sufficient

    def is_designed(self, a: str, b: str) -> bool:
        """Whether a and b are contexts whose relation the design of the study made, so that nothing was asked."""
        return self.knowledge is not None and self.knowledge.is_designed(a, b)

    def never_together(self, a: str, b: str) -> bool:
        """Whether no table has both a and b."""
        return self.together is not None and not any(a in table and b in table for table in self.together)

    @property
    def chosen(self) -> Algorithm:
        """The algorithm itself."""
        return OF_WINDOWS.get(self.algorithm) or ALGORITHMS[self.algorithm]

    def difference(self, other: "Settings") -> "tuple[str | Option, ...]":
        """The first setting that differs from the other's and matters for the answer, as parts of a message."""
        theirs = other._by_name()
        for name, mine in self._by_name().items():
            if mine == theirs[name]:
                continue
            if name == "together":
                return ("other tables" if mine else "one table",)
            if name == "knowledge":
                return ("other knowledge" if mine else "no knowledge",)
            if not (name == "max_radius" and self.chosen.resumable_beyond_max_radius):
                return (Option(name, mine), ", not ", Option(name, theirs[name]))
        return ()

    def as_dict(self) -> dict[str, Any]:
        """The settings by name; those that need not be there, such as `fdr` and knowledge, only if they are."""
        out = self._by_name()
        knowledge = out.pop("knowledge")
        for name in ("colliders", "fdr", "together"):
            if out[name] is None:
                del out[name]
        if self.algorithm_reason is not None:
            out["algorithm_reason"] = self.algorithm_reason
        if self.together is not None:
            out["together"] = [list(table) for table in self.together]
        return out if knowledge is None else {**out, "knowledge": knowledge.as_dict()}

    def _by_name(self) -> dict[str, Any]:
        """The settings in the order of run files."""
        options = super().as_dict()
        return {
            "algorithm": self.algorithm,
            "test": self.test,
            "alpha": self.alpha,
            **options,
            "together": self.together,
            "knowledge": self.knowledge,
        }
