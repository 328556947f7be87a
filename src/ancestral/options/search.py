"""The options of a search: its algorithm, what its answer depends on, and what is known beside the data."""

# ruff: noqa: RUF009 (`option` makes the field of a dataclass)

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal, TypedDict

from ancestral.arguments import flag, number_between, text_of, whole_number
from ancestral.option_groups import Group, option
from ancestral.options.checks import choice, none_or
from ancestral.options.words import SEARCHED, Location

if TYPE_CHECKING:
    from ancestral.knowledge import Knowledge

__all__ = ["AlgorithmKeywords", "AlgorithmOptions", "Colliders", "PossibleAncestors", "SearchOptions"]

PossibleAncestors = Literal["distant", "all", "off"]
Colliders = Literal["agreed", "first"]


class AlgorithmKeywords(TypedDict, total=False):
    """Names and types of `AlgorithmOptions`."""

    algorithm: str | None
    max_radius: int | None
    possible_ancestors: PossibleAncestors
    stable: bool
    verify: bool
    selection_bias: bool | None
    colliders: Colliders | None
    fdr: float | None
    knowledge: "Knowledge | Location | None"


@dataclass(frozen=True, kw_only=True)
class _AlgorithmName(Group):
    algorithm: str | None = option(
        SEARCHED,
        None,
        none_or(text_of),
        '"icd" is exact; "fci" is exact, and with {max_radius} anytime FCI; "rfci" asks the fewest questions and may '
        'leave an edge that the others remove; "fci+" is exact; "pc" is for data without latent variables and without '
        'selection, and gives a CPDAG; "scored" finds the graph with the lowest extended BIC that it can, for data '
        'that were not selected; "gfci" is FCI within the graph of a greedy equivalence search by score; "boss-fci" is '
        'the same with an order search; "boss" is the order search alone, for data without latent variables and '
        "without selection, and gives a CPDAG. "
        'By default "scored" or "icd" is chosen, by the data and the other options (docs/choosing.md).',
    )


@dataclass(frozen=True, kw_only=True)
class SearchOptions(Group):
    """The options that an algorithm is given: those on which its answer depends."""

    max_radius: int | None = option(
        SEARCHED,
        None,
        none_or(whole_number, 0),
        "Stop after conditioning sets of this size; the graph is then correct, but may be less informative.",
    )
    possible_ancestors: PossibleAncestors = option(
        SEARCHED,
        "distant",
        choice(PossibleAncestors),
        "Which nodes of a conditioning set must be possible ancestors of the pair (condition 3 of ICD-Sep): those not "
        'adjacent to its root ("distant"), "all", as in the paper, or none ("off").',
    )
    stable: bool = option(
        SEARCHED,
        True,
        flag,
        "Remove edges at the end of a radius, so that the answer does not depend on the order in which edges are "
        "asked; otherwise an edge is removed as soon as a set separates it.",
    )
    verify: bool = option(
        SEARCHED,
        True,
        flag,
        "Ask before an orientation rule trusts an edge, so that every stage is sound; otherwise the algorithm is as "
        "printed. RFCI always verifies; PC has no use for it.",
    )
    selection_bias: bool | None = option(
        SEARCHED,
        None,
        none_or(flag),
        "Whether the sample may have been selected; if it certainly was not, rules R5–R7 are left out. By default it "
        'may, except with an {algorithm} that assumes that it was not ("scored"); if it may, that one is not chosen.',
    )
    colliders: Colliders | None = option(
        SEARCHED,
        None,
        none_or(choice(Colliders)),
        'How colliders are found: "agreed", by the majority of small separating sets and by their p-values, if these '
        'agree, and only as long as no mark contradicts another one; or "first", as published, by the first separating '
        'set. By default "agreed" on data and "first" with an oracle; a run that is resumed keeps its own.',
    )
    fdr: float | None = option(
        SEARCHED,
        None,
        none_or(partial(number_between, low=0, high=1, way_out="common choices are 0.05 and 0.1")),
        "Control false discoveries among the edges, for a search that asks questions: it ends by removing the edges "
        "whose p-values are too large among so many pairs. The expected share of false edges is then at most this, "
        "unless the search errs in other ways (Benjamini & Hochberg; docs/alpha.md). Alpha screens the pairs before, "
        "and is by default 0.2, or this if it is larger.",
    )


@dataclass(frozen=True, kw_only=True)
class AlgorithmOptions(SearchOptions, _AlgorithmName):
    """How the search goes. `search.settings` checks what depends on the algorithm, and reads the knowledge."""

    knowledge: "Knowledge | Location | None" = option(
        SEARCHED,
        None,
        None,
        "What is known beside the data, in a file: text ('age < smoking', 'x -/-> y', 'x --> y', 'x | y'), TOML, or "
        "Tetrad's format. The search keeps to it; one that asks questions warns where the data contradict it.",
        "Or a `Knowledge`.",
    )
