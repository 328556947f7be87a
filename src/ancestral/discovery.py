"""The front door: `discover()` and `stages()`. Names outside, positions inside."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_args

import numpy as np

from ancestral.data.table import Missing
from ancestral.errors import OptionError, whole_number
from ancestral.graphs import PAG
from ancestral.graphs.names import by_name
from ancestral.independence import Oracle
from ancestral.independence.choose import Test, choose_test
from ancestral.independence.evidence import Evidence
from ancestral.search.icd import IcdOptions, PossibleAncestors, icd
from ancestral.search.stage import Stage
from ancestral.show.causes import Answer, causes
from ancestral.show.reasons import Explanation, explain
from ancestral.trace import Trace

__all__ = ["Discovery", "Oracle", "Progress", "discover", "stages"]


def stages(
    source: Any,
    *,
    algorithm: str = "icd",
    alpha: float = 0.01,
    test: str | Callable[..., float] | None = None,
    names: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
    kinds: Mapping[str, str] | str | None = None,
    missing: Missing = "refuse",
    separator: str | None = None,
    decimal: str | None = None,
    max_radius: int | None = None,
    possible_ancestors: PossibleAncestors = "distant",
    stable: bool = True,
    verify: bool = True,
    selection_bias: bool = True,
    workers: int = 1,
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
    chosen = choose_test(
        source,
        test=test,
        alpha=alpha,
        names=names,
        columns=columns,
        drop=drop,
        kinds=kinds,
        missing=missing,
        separator=separator,
        decimal=decimal,
    )
    return _stages(chosen, options, workers)


def discover(
    source: Any,
    *,
    algorithm: str = "icd",
    alpha: float = 0.01,
    test: str | Callable[..., float] | None = None,
    names: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
    kinds: Mapping[str, str] | str | None = None,
    missing: Missing = "refuse",
    separator: str | None = None,
    decimal: str | None = None,
    max_radius: int | None = None,
    possible_ancestors: PossibleAncestors = "distant",
    stable: bool = True,
    verify: bool = True,
    selection_bias: bool = True,
    workers: int = 1,
) -> "Discovery":
    """Learn a PAG.

    The source is a pandas, polars or pyarrow table, a numpy array, a path to a CSV, TSV or Parquet file, `Moments`, an
    `Oracle`, or a test of your own (a function `(x, y, given) -> p-value` with `names=`, or an object).

    How it is read:

    - `columns`, `drop`: which variables; `names`: those of a numpy array or of a function.
    - `kinds`: override how columns are read, as in `{"origin": "discrete"}`.
    - `separator`, `decimal`: of a text file, where they are not found out rightly.
    - `missing`: "refuse" missing values, "drop" incomplete rows, or "testwise": each question uses the rows complete
      for it.

    How it is asked:

    - `test`: "fisher-z", "rank", "g", "chi2", "mixed", a function, or None: chosen by the kinds of columns.
    - `alpha`: two variables count as independent where the p-value exceeds it.

    How it is searched:

    - `max_radius`: stop after conditioning sets of this size; the graph is then true but may say less than could be
      said.
    - `possible_ancestors`: which nodes of a conditioning set must be possible ancestors of the pair (condition 3 of
      ICD-Sep): those that are not adjacent to its root ("distant"), "all", as in the paper, or none ("off").
    - `stable`: removals wait for the end of a radius, so the answer does not depend on the order in which edges are
      asked; False removes an edge as soon as it falls (edges go by name).
    - `verify`: ask before trusting an edge, so that every stage is sound; False is the algorithm as printed.
    - `selection_bias`: False if the sample was certainly not selected; leaves out R5–R7.
    - `workers`: so many threads ask at the same time (with `stable`); the answer is the same.

    >>> from ancestral import DAG
    >>> found = discover(Oracle(DAG.parse("a -> c, b -> c, c -> d")))
    >>> print(found.pag)
    a o-> c
    b o-> c
    c --> d
    >>> found.sepset("a", "d"), str(found.causes("c", "d")), str(found.causes("d", "a"))
    (frozenset({'c'}), 'yes', 'no')
    """
    options = _checked_options(algorithm, max_radius, possible_ancestors, stable, verify, selection_bias)
    chosen = choose_test(
        source,
        test=test,
        alpha=alpha,
        names=names,
        columns=columns,
        drop=drop,
        kinds=kinds,
        missing=missing,
        separator=separator,
        decimal=decimal,
    )
    history = []
    for stage in _stages(chosen, options, workers):
        edges = int(np.count_nonzero(stage.oriented.marks)) // 2
        history.append(Progress(stage.radius, edges, stage.tests[stage.radius]))
        last = stage
    return Discovery(last, chosen, options, tuple(history))


def _stages(test: Test, options: IcdOptions, workers: int) -> Iterator[Stage]:
    # positions follow the names, so that nothing can depend on the order of columns
    names = sorted(test.names, key=by_name)
    helpers = [test.questions(names) for _ in range(whole_number("workers", workers, 1) - 1)]
    return icd(test.questions(names), names, test.names, options, helpers=helpers)


@dataclass(frozen=True)
class Progress:
    """One line of the history of a run: the edges that are left after a radius, and the questions it took."""

    radius: int
    edges: int
    questions: int


class Discovery:
    """What was found: the graph, and an answer to every "why"."""

    def __init__(self, stage: Stage, test: Test, options: IcdOptions, history: tuple[Progress, ...]) -> None:
        self.stage = stage
        self.test = test
        self.options = options
        self.history = history

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
        if a == b:
            raise OptionError(f"{a!r} and {b!r} are the same variable; ask about two different ones")
        return explain(self.pag, self.trace, a, b, self.radius)

    def causes(self, a: str, b: str) -> Answer:
        """Whether a causes b: "yes", "no" or "possibly", with its `reason`."""
        return causes(self.pag, a, b, self.options.selection_bias)

    def evidence(self, a: str, b: str, given: Iterable[str] | None = None) -> Evidence:
        """The statistic and p-value of a and b given these variables; without them, given what separated the two."""
        chosen = self.sepset(a, b) if given is None else frozenset(given)
        if chosen is None:
            raise OptionError(f"{a!r} and {b!r} were not separated; say given which variables the evidence is wanted")
        position = {name: i for i, name in enumerate(self.stage.names)}
        for name in (a, b, *chosen):
            self.pag.index(name)
        x, y = sorted((position[a], position[b]))
        return self.test.evidence(self._questions, self.stage.names, x, y, sorted(position[z] for z in chosen))

    @cached_property
    def _questions(self) -> Any:
        return self.test.questions(self.stage.names)

    @property
    def unsupported(self) -> Counter[int]:
        """Questions that the data could not support, by the size of the conditioning set; their edges stayed."""
        return self.stage.unsupported

    def __str__(self) -> str:
        state = "complete" if self.complete else "not complete"
        lines = [
            f"PAG over {len(self.pag.nodes)} variables, {len(self.pag.edges())} edges ({state}), by {self.test.name}"
        ]
        lines += [f"radius {p.radius}: {p.edges} edges left, {p.questions} questions" for p in self.history]
        if self.unsupported:
            sizes = ", ".join(f"{count} given {size}" for size, count in sorted(self.unsupported.items()))
            lines.append(f"questions that the data cannot support, answered 'dependent': {sizes}")
        return "\n".join([*lines, "", str(self.pag)])

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
    for option, value in (("stable", stable), ("verify", verify), ("selection_bias", selection_bias)):
        if not isinstance(value, bool):
            raise OptionError(f"{option}={value!r} is neither True nor False")
    limit = None if max_radius is None else whole_number("max_radius", max_radius, 0)
    return IcdOptions(possible_ancestors, stable, verify, selection_bias, limit)  # type: ignore[arg-type]
