"""The algorithms by name, each with everything that the rest of the package must know of it.

To add one, write its generator and assign an entry to `ALGORITHMS`; docs/extending.md shows how, and
`ancestral.testing.check_algorithm` tests the entry.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ancestral.errors import Option, OptionError
from ancestral.graphs import CPDAG, PAG
from ancestral.search.base import Problem, SearchOptions
from ancestral.search.boss import boss
from ancestral.search.claims import ClaimSource
from ancestral.search.fci import fci
from ancestral.search.fci_plus import fci_plus
from ancestral.search.hybrid import boss_fci, gfci
from ancestral.search.icd import icd
from ancestral.search.pc import pc
from ancestral.search.rfci import rfci
from ancestral.search.scored.evidence import SCORED_CLAIMS
from ancestral.search.scored.run import PHASES as SCORED_PHASES
from ancestral.search.scored.run import resampled, scored
from ancestral.search.series.run import series
from ancestral.search.stage import Phase, Stage

__all__ = ["ALGORITHMS", "OF_QUESTIONS", "OF_WINDOWS", "Algorithm", "algorithms_in_words"]

#: For `fixed_options` of an algorithm that asks no questions: the options that say how to ask them.
OF_QUESTIONS = dict.fromkeys(
    ("max_radius", "possible_ancestors", "stable", "verify", "colliders", "fdr"), "it asks no questions"
)

#: What complete answers say, if they are the whole graph, and if an edge may be left.
_EXACT = "complete: nothing more can be learned from independences"
_NOT_EXACT = "complete: what it says is true; an edge may be there that a larger search would remove"
_WITHIN_SCORED = "complete: no set that it asks about separates an edge that is left of the graph by score"


@dataclass(frozen=True, kw_only=True)
class Algorithm:
    """An algorithm, what it claims, and which options it takes.

    - `run`: the generator of stages.
    - `title`: what people call it.
    - `phases`: the phases of its stages, in the order in which it goes through them; members of `Phase`, or texts.
    - `summary`: the predicate of a sentence about it in help texts; other options are named in braces.
    - `exact`: a complete answer is the whole graph that an oracle allows. Otherwise its marks are true, but an edge may
      be left that a larger search would remove.
    - `anytime`: with verification, the marks of every stage are true. Otherwise stages before the last tell only which
      pairs are not adjacent.
    - `sufficient`: it assumes causal sufficiency: nothing is latent, and nothing was selected on.
    - `complete_means`: what a complete answer says, in words; by default what follows from `exact`. `complete_on_data`:
      what it says if data were searched, whose answers may be wrong; by default the same on the condition that no test
      is.
    - `fixed_options`: options of `SearchOptions`, or "knowledge", that must keep their default, and why, as a sentence.
    - `resumable_beyond_max_radius`: it asks about all sets of a size before any larger one, and does nothing else when
      it ends, so that a run which `max_radius` ended can be resumed with another one.
    - `asks`: it asks questions, and yields `AskedStage`s. Otherwise it takes what it needs from `Problem.test`, yields
      `GraphStage`s, and refuses the options of questions (`OF_QUESTIONS`).
    - `score`: what the score of its stages is called, such as "BIC"; None if they have none.
    - `within_scored`: it asks only about the edges of a graph that a search by score finds first, and what that graph
      implies about other pairs counts as found; so it cannot do without data to score.
    - `selection`: it can allow for a sample that was selected; otherwise it assumes that none was.
    - `tests`: the names of the tests that it works with, None if any test will do.
    - `claims`: how the evidence of the claims of its graphs is computed; None if they have none.
    - `resampled`: a shorter search, for resamples of which there are many: it returns the marks of a PAG by position;
      None if resamples are searched by `run`.
    - `windows`: it searches windows of time series, whose variables are named as `graphs.window.Window` says.
    - `begins_again`: a run that is resumed before its end begins again, with the same answer.
    - `caveat`: what every explanation of its graphs ends with, as a sentence; empty if there is nothing to add.
    """

    run: Callable[[Problem], Iterator[Stage]]
    title: str
    phases: tuple[str, ...]
    summary: str
    exact: bool = True
    anytime: bool = True
    sufficient: bool = False
    complete_means: str = ""
    complete_on_data: str = ""
    fixed_options: Mapping[str, str] = field(default_factory=dict)
    resumable_beyond_max_radius: bool = False
    asks: bool = True
    score: str | None = None
    within_scored: bool = False
    selection: bool = True
    tests: tuple[str, ...] | None = None
    claims: ClaimSource | None = None
    resampled: Callable[[Problem], NDArray[np.uint8]] | None = None
    windows: bool = False
    begins_again: bool = False
    caveat: str = ""

    def __post_init__(self) -> None:
        """Fill in the defaults of `complete_means` and `complete_on_data`."""
        if not self.complete_means:
            object.__setattr__(self, "complete_means", _EXACT if self.exact else _NOT_EXACT)
        if not self.complete_on_data:
            right = "complete: if every test was right, " if self.asks else "complete: "
            object.__setattr__(self, "complete_on_data", self.complete_means.replace("complete: ", right, 1))

    @property
    def agrees(self) -> bool:
        """Whether its colliders can be found by agreement."""
        return self.asks and "colliders" not in self.fixed_options

    @property
    def graph(self) -> type[PAG]:
        """The kind of graph that a complete answer is."""
        return CPDAG if self.sufficient else PAG

    def check_options(self, name: str, options: SearchOptions) -> None:
        """Raise an `OptionError` if an option is set that this algorithm, known by this name, does not have."""
        for option, reason in self.fixed_options.items():
            value = getattr(options, option)
            if value != getattr(type(options), option):  # the default of a field is an attribute of its class
                raise OptionError(
                    ["cannot be combined with ", Option("algorithm", name)],
                    option=option,
                    value=value,
                    way_out=f"leave it out: {reason}",
                    assigned=True,
                )


_OF_ICD = {"possible_ancestors": "it is a condition of ICD"}
_AS_PUBLISHED = {
    **_OF_ICD,
    "verify": "its colliders come from the graph by score first, and are not verified",
    "fdr": "it asks only about pairs that a score has joined, whose p-values are too small by that choice",
}

#: The tests with a Gaussian likelihood, for algorithms that score graphs.
_SCORING_TESTS = ("fisher-z", "rank", "mixed", "copula")

#: The algorithms by the name that users pass. Assign to it to add one.
ALGORITHMS: dict[str, Algorithm] = {
    "icd": Algorithm(
        run=icd, title="ICD", phases=(Phase.SEARCH,), summary="is exact", resumable_beyond_max_radius=True,
    ),
    "fci": Algorithm(
        run=fci, title="FCI", phases=(Phase.ADJACENCY, Phase.POSSIBLE_D_SEP),
        summary="is exact, and with {max_radius} anytime FCI", fixed_options=_OF_ICD,
    ),
    "rfci": Algorithm(
        run=rfci, title="RFCI", phases=(Phase.ADJACENCY,),
        summary="asks the fewest questions and may leave an edge that the others remove", exact=False, anytime=False,
        fixed_options={**_OF_ICD, "verify": "RFCI verifies in the place of FCI's second search"},
    ),
    "fci+": Algorithm(
        run=fci_plus, title="FCI+", phases=(Phase.ADJACENCY, Phase.D_SEP_LINKS), summary="is exact",
        fixed_options=_OF_ICD,
    ),
    "pc": Algorithm(
        run=pc, title="PC", phases=(Phase.ADJACENCY,),
        summary="is for data without latent variables and without selection, and gives a CPDAG",
        anytime=False, sufficient=True,
        complete_means="complete: nothing more can be learned, if nothing is latent and nothing was selected on",
        fixed_options={**_OF_ICD, "colliders": "its CPDAG has no contradictions: contested edges stay open"},
        resumable_beyond_max_radius=True,
    ),
    "scored": Algorithm(
        run=scored, title="Scored search",
        phases=SCORED_PHASES,
        summary="finds the graph with the lowest extended BIC that it can, for data that were not selected",
        exact=False, anytime=False, complete_means="complete: no change that it tried lowers the score",
        fixed_options=OF_QUESTIONS, asks=False, score="EBIC + prior", selection=False, tests=_SCORING_TESTS,
        claims=SCORED_CLAIMS, resampled=resampled, caveat="Not proved: other graphs may score better.",
    ),
    "gfci": Algorithm(
        run=gfci, title="GFCI", phases=(Phase.ADJACENCY,),
        summary="is FCI within the graph of a greedy equivalence search by score", exact=False, anytime=False,
        complete_means=_WITHIN_SCORED, fixed_options=_AS_PUBLISHED, within_scored=True, selection=False,
        tests=_SCORING_TESTS,
    ),
    "boss-fci": Algorithm(
        run=boss_fci, title="BOSS-FCI", phases=(Phase.ADJACENCY,),
        summary="is the same with an order search", exact=False, anytime=False, complete_means=_WITHIN_SCORED,
        fixed_options=_AS_PUBLISHED, within_scored=True, selection=False, tests=_SCORING_TESTS,
    ),
    "boss": Algorithm(
        run=boss, title="BOSS", phases=(Phase.ORDER,),
        summary="is the order search alone, for data without latent variables and without selection, and gives a CPDAG",
        exact=False, anytime=False, sufficient=True,
        complete_means="complete: the best of several order searches, if nothing is latent and nothing was selected on",
        fixed_options=OF_QUESTIONS, asks=False, score="EBIC", selection=False, tests=_SCORING_TESTS,
    ),
}  # fmt: skip

#: The searches of windows of time series, by name: `discover_series` takes them, and `discover` does not.
OF_WINDOWS: dict[str, Algorithm] = {
    "series": Algorithm(
        run=series, title="ICD for time series", phases=(Phase.SEARCH, Phase.ROUND),
        summary="is exact but for marks that only enumeration gives", selection=False, windows=True, begins_again=True,
        resumable_beyond_max_radius=True,
        complete_means="complete: every set was asked; further marks may need a comparison of all processes",
        fixed_options={
            **_OF_ICD,
            "stable": "edges are removed at the end of a radius",
            "fdr": "the copies of a pair are not independent of each other",
        },
    ),
}  # fmt: skip


def algorithms_in_words() -> str:
    """A sentence about all algorithms. The help of the option `algorithm` is this text (a test compares them).

    >>> algorithms_in_words()[:60]
    '"icd" is exact; "fci" is exact, and with {max_radius} anytim'
    """
    return "; ".join(f'"{name}" {algorithm.summary}' for name, algorithm in ALGORITHMS.items()) + "."
