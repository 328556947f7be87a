"""`Discoverer`: a search as an estimator of scikit-learn, for pipelines and grid search.

The score is the share of a search's decisions that other rows confirm: each pair without an edge should be independent
given the set that separated it, each edge should be a dependence given the set that came closest to separating it, both
at one level that does not depend on alpha. So a large alpha is punished for edges that are not there, a small one for
edges that it misses. It compares values of alpha; it does not compare searches of different radius, since a search that
asks less also claims less.
"""

from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ancestral.data.table import Missing
from ancestral.discovery import discover
from ancestral.errors import OptionError
from ancestral.graphs import PAG
from ancestral.graphs.names import in_order
from ancestral.independence.choice import choose_test
from ancestral.independence.evidence import DEFAULT_ALPHA, checked_alpha
from ancestral.knowledge import Knowledge
from ancestral.result import Discovery, load
from ancestral.search.base import PossibleAncestors

if TYPE_CHECKING:  # scikit-learn has no types

    class Base:
        """What is used of scikit-learn's base class."""

        def get_params(self, deep: bool = True) -> dict[str, Any]: ...
        def set_params(self, **options: Any) -> "Discoverer": ...
        def __getstate__(self) -> dict[str, Any]: ...
        def __setstate__(self, state: dict[str, Any]) -> None: ...
        def __sklearn_tags__(self) -> Any: ...

else:
    try:
        from sklearn.base import BaseEstimator as Base
    except ImportError:

        class Base:
            """In the place of scikit-learn's base class: says what is missing."""

            def __new__(cls, *given: object, **options: object) -> "Base":
                """Refuse."""
                raise OptionError("Discoverer needs scikit-learn; pip install 'ancestral[sklearn]'")


__all__ = ["Discoverer"]

#: The level at which other rows confirm a decision.
LEVEL = 0.05
#: A search needs so many rows.
LEAST_ROWS = 5


class Discoverer(Base):
    """Learn a PAG with `fit`; the options are those of `discover`.

    After `fit`, `pag_` is the graph, `discovery_` all that was found, `n_features_in_` the number of variables and,
    where the columns have names, `feature_names_in_` these. The columns of an array are named x1, x2, …

    `score(X)` is the share of decisions, separations and edges, that the test on the rows of X confirms at the level
    0.05.

    >>> from ancestral import DAG, simulate
    >>> rows = simulate.linear_gaussian(DAG.parse("a -> c, b -> c, c -> d"), rows=2500, seed=1)
    >>> found = Discoverer(alpha=0.001).fit(rows[:2000])
    >>> print(found.pag_)
    a o-> c
    b o-> c
    c --> d
    >>> found.score(rows[2000:])
    1.0
    """

    pag_: PAG
    discovery_: Discovery
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]

    def __init__(
        self,
        *,
        alpha: float = 0.01,
        algorithm: str = "icd",
        test: str | Callable[..., float] | None = None,
        kinds: Mapping[str, str] | str | None = None,
        missing: Missing = "refuse",
        max_radius: int | None = None,
        possible_ancestors: PossibleAncestors = "distant",
        stable: bool = True,
        verify: bool = True,
        selection_bias: bool = True,
        knowledge: Knowledge | str | PathLike[str] | None = None,
        workers: int = 1,
        time_limit: float | None = None,
    ) -> None:
        # as scikit-learn asks for: kept as given, checked by fit
        self.alpha = alpha
        self.algorithm = algorithm
        self.test = test
        self.kinds = kinds
        self.missing = missing
        self.max_radius = max_radius
        self.possible_ancestors = possible_ancestors
        self.stable = stable
        self.verify = verify
        self.selection_bias = selection_bias
        self.knowledge = knowledge
        self.workers = workers
        self.time_limit = time_limit

    def fit(self, X: Any, y: object = None) -> "Discoverer":
        """Search the columns of X; y is not looked at."""
        self.discovery_ = discover(
            self._table(X, reset=True),
            # the default does not count as given, which some tests would refuse
            alpha=DEFAULT_ALPHA if self.alpha == DEFAULT_ALPHA else self.alpha,
            algorithm=self.algorithm,
            max_radius=self.max_radius,
            possible_ancestors=self.possible_ancestors,
            stable=self.stable,
            verify=self.verify,
            selection_bias=self.selection_bias,
            knowledge=self.knowledge,
            workers=self.workers,
            time_limit=self.time_limit,
            progress=False,
            **self._reading,
        )
        self.pag_ = self.discovery_.pag
        return self

    def score(self, X: Any, y: object = None) -> float:
        """The share of decisions that the rows of X confirm, 1 where there were none; y is not looked at."""
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        test = choose_test(self._table(X, reset=False), alpha=checked_alpha(LEVEL), **self._reading)
        names = in_order(test.names)
        position = {name: i for i, name in enumerate(names)}
        questions = test.questions(names)
        confirmed = []
        for a, b, edge, given in self._decisions():
            first, second = sorted((position[a], position[b]))
            p = test.evidence(questions, first, second, sorted(position[z] for z in given)).p_value
            # a question that these rows cannot support speaks neither for a decision nor against it
            if p == p:
                confirmed.append((p <= LEVEL) == edge)
        return float(np.mean(confirmed)) if confirmed else 1.0

    def _decisions(self) -> list[tuple[str, str, bool, tuple[str, ...]]]:
        """Each pair, whether it has an edge, and the set that decided."""
        frame = self.discovery_.to_frame("all", library="polars")
        columns = [frame[name].to_list() for name in ("a", "b", "edge", "sepset", "closest")]
        out = []
        for a, b, edge, sepset, closest in zip(*columns, strict=True):
            given = sepset if edge is None else closest
            if given is not None:
                out.append((a, b, edge is not None, tuple(given)))
        return out

    @property
    def _reading(self) -> dict[str, Any]:
        return {"test": self.test, "kinds": self.kinds, "missing": self.missing}

    def _table(self, X: Any, *, reset: bool) -> Any:
        """What is searched: a frame as it is, anything else as an array that scikit-learn has checked."""
        from sklearn.utils.validation import validate_data

        if hasattr(X, "columns"):  # of pandas, polars or pyarrow
            validate_data(self, X, reset=reset, skip_check_array=True)
            return X
        return validate_data(
            self,
            X,
            reset=reset,
            dtype="numeric",
            ensure_all_finite=self.missing == "refuse" or "allow-nan",
            ensure_min_samples=LEAST_ROWS if reset else 1,
            ensure_min_features=2 if reset else 1,
        )

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: what was found as the text of a run file, since a running test has no other form."""
        state = dict(super().__getstate__())
        if "discovery_" in state:
            state["discovery_"] = state["discovery_"].to_json()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Read what was found as `load` does: the graph, reasons and decisions are there, the data are not."""
        super().__setstate__(state)
        if "discovery_" in state:
            with TemporaryDirectory() as folder:
                path = Path(folder) / "run.json"
                path.write_text(state["discovery_"], encoding="ascii")
                self.discovery_ = load(path)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = False
        tags.input_tags.allow_nan = self.missing != "refuse"
        return tags
