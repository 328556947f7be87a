"""The front door: `discover()` and `stages()`. Names outside, positions inside."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import get_args

from ancestral.errors import OptionError
from ancestral.graphs import PAG
from ancestral.graphs.names import by_name
from ancestral.independence import Oracle
from ancestral.search.icd import IcdOptions, PossibleAncestors, icd
from ancestral.search.stage import Stage
from ancestral.show.causes import Answer, causes
from ancestral.show.reasons import Explanation, explain
from ancestral.trace import Trace

__all__ = ["Discovery", "Progress", "discover", "stages"]


def stages(
    source: Oracle,
    *,
    algorithm: str = "icd",
    max_radius: int | None = None,
    possible_ancestors: PossibleAncestors = "distant",
    stable: bool = True,
    verify: bool = True,
    selection_bias: bool = True,
) -> Iterator[Stage]:
    """Learn a PAG, one radius after the other; what each stage says is true, and later ones say more.

    The options are those of `discover`.

    >>> from ancestral import DAG
    >>> for stage in stages(Oracle(DAG.parse("a -> c, b -> c, c -> d"))):
    ...     print(stage.radius, stage.complete, len(stage.pag.edges()), dict(stage.tests))
    0 False 5 {0: 6}
    1 False 3 {0: 6, 1: 8}
    2 True 3 {0: 6, 1: 8, 2: 3}
    """
    options = _checked_options(algorithm, max_radius, possible_ancestors, stable, verify, selection_bias)
    if not isinstance(source, Oracle):
        raise OptionError(f"{type(source).__name__} is no source to learn from; pass an Oracle, as in an.Oracle(dag)")
    # positions follow the names, so that nothing can depend on the order of columns
    names = sorted(source.names, key=by_name)
    return icd(source.questions(names), names, source.names, options)


def discover(
    source: Oracle,
    *,
    algorithm: str = "icd",
    max_radius: int | None = None,
    possible_ancestors: PossibleAncestors = "distant",
    stable: bool = True,
    verify: bool = True,
    selection_bias: bool = True,
) -> "Discovery":
    """Learn a PAG.

    - `max_radius`: stop after conditioning sets of this size; the graph is then true but may say less than could be
      said.
    - `possible_ancestors`: which nodes of a conditioning set must be possible ancestors of the pair (condition 3 of
      ICD-Sep): those that are not adjacent to its root ("distant"), "all", as in the paper, or none ("off").
    - `stable`: the answer does not depend on the order of columns; False removes edges as soon as they fall.
    - `verify`: ask before trusting an edge, so that every stage is sound; False is the algorithm as printed.
    - `selection_bias`: False if the sample was certainly not selected; leaves out R5–R7.

    >>> from ancestral import DAG
    >>> found = discover(Oracle(DAG.parse("a -> c, b -> c, c -> d")))
    >>> print(found.pag)
    a o-> c
    b o-> c
    c --> d
    >>> found.sepset("a", "d"), str(found.causes("c", "d")), str(found.causes("d", "a"))
    (frozenset({'c'}), 'yes', 'no')
    """
    history = []
    for stage in stages(
        source,
        algorithm=algorithm,
        max_radius=max_radius,
        possible_ancestors=possible_ancestors,
        stable=stable,
        verify=verify,
        selection_bias=selection_bias,
    ):
        history.append(Progress(stage.radius, len(stage.oriented.marks.nonzero()[0]) // 2, stage.tests[stage.radius]))
        last = stage
    return Discovery(last, tuple(history), selection_bias)


@dataclass(frozen=True)
class Progress:
    """One line of the history of a run: the edges that are left after a radius, and the questions it took."""

    radius: int
    edges: int
    questions: int


class Discovery:
    """What was found: the graph, and an answer to every "why"."""

    def __init__(self, stage: Stage, history: tuple[Progress, ...], selection_bias: bool = True) -> None:
        self.stage = stage
        self.history = history
        self.selection_bias = selection_bias

    @property
    def pag(self) -> PAG:
        """The graph."""
        return self.stage.pag

    @property
    def trace(self) -> Trace:
        """Why each edge went and each mark came, as data."""
        return self.stage.trace

    @property
    def radius(self) -> int:
        """The last radius that was searched."""
        return self.stage.radius

    @property
    def complete(self) -> bool:
        """Whether the search came to its end: nothing more can be learned from independences."""
        return self.stage.complete

    @property
    def tests(self) -> Counter[int]:
        """The number of questions asked, by the size of the conditioning set."""
        return self.stage.tests

    @property
    def verify_tests(self) -> Counter[int]:
        """The number of further questions that verification asked, by the size of the conditioning set."""
        return self.stage.verify_tests

    def sepset(self, a: str, b: str) -> frozenset[str] | None:
        """The variables given which a and b were found independent; None where no separation was found."""
        separation = self.stage.separation(a, b)
        return None if separation is None else separation.given

    def why(self, a: str, b: str) -> Explanation:
        """Why there is no edge between a and b, or why its marks are what they are; print it, or read its `steps`."""
        return explain(self.pag, self.trace, a, b, self.radius)

    def causes(self, a: str, b: str) -> Answer:
        """Whether a causes b: "yes", "no" or "possibly", with its `reason`."""
        return causes(self.pag, a, b, self.selection_bias)

    def __str__(self) -> str:
        state = "complete" if self.complete else "not complete"
        head = f"PAG over {len(self.pag.nodes)} variables, {len(self.pag.edges())} edges ({state})"
        lines = [f"radius {p.radius}: {p.edges} edges left, {p.questions} questions" for p in self.history]
        return "\n".join([head, *lines, "", str(self.pag)])

    def __repr__(self) -> str:
        return f"<Discovery: {len(self.pag.nodes)} variables, radius {self.radius}, {self.tests.total()} questions>"


def _checked_options(
    algorithm: str, max_radius: int | None, possible_ancestors: str, stable: bool, verify: bool, selection_bias: bool
) -> IcdOptions:
    if algorithm != "icd":
        raise OptionError(f"algorithm={algorithm!r} is not known; there is 'icd'")
    if possible_ancestors not in get_args(PossibleAncestors):
        known = ", ".join(map(repr, get_args(PossibleAncestors)))
        raise OptionError(f"possible_ancestors={possible_ancestors!r} is not known; choose one of {known}")
    if max_radius is not None and (not isinstance(max_radius, int) or max_radius < 0):
        raise OptionError(f"max_radius={max_radius!r} is no size of a set; pass a whole number from 0 on, or None")
    return IcdOptions(possible_ancestors, stable, verify, selection_bias, max_radius)  # type: ignore[arg-type]
