"""`Discoverer`: a search as an estimator of scikit-learn, for pipelines and grid search.

The score is the share of a search's decisions that other rows confirm: each pair without an edge should be independent
given the set that separated it, each edge should be a dependence given the set that came closest to separating it, both
at one level that does not depend on alpha. So a large alpha is punished for edges that are not there, a small one for
edges that it misses. It compares values of alpha; it does not compare searches of different radius, since a search that
asks less also claims less.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ancestral.checking import Check
from ancestral.discovery import OPTION_TYPES, discover
from ancestral.errors import OptionError
from ancestral.graphs import PAG
from ancestral.graphs.names import in_order
from ancestral.independence.choice import choose_test
from ancestral.independence.sources import TestChoice
from ancestral.option_groups import default_of, refuse_unexpected, with_options
from ancestral.options import AlgorithmKeywords, ExperimentKeywords, Missing, StagesOptions
from ancestral.result import Discovery, load
from ancestral.search.stage import GraphStage

if TYPE_CHECKING:  # scikit-learn has no types

    class Base:
        """What is used of scikit-learn's base class."""

        def __getattr__(self, name: str) -> Any: ...  # parameters are attributes
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
            """In the place of scikit-learn's base class, if that is not installed."""

            def __new__(cls, *given: object, **options: object) -> "Base":
                """Raise, and say what to install."""
                raise OptionError("Discoverer needs scikit-learn; pip install 'ancestral[sklearn]'")


__all__ = ["Discoverer"]

#: The significance level at which other rows confirm a decision.
LEVEL = 0.05

#: The fewest rows that can be searched; scikit-learn refuses fewer in its own words.
LEAST_ROWS = 5

#: Options of a search that an estimator does not have: a table comes with its columns, and `fit` runs here and quietly.
_NOT_PARAMETERS = ("names", "columns", "drop", "separator", "decimal", "encoding", "in_memory", "matrix", "rows",
                   "executor", "progress")  # fmt: skip

#: Options that are None in an estimator until they are given: a significance level that is given, even if it is the
#: usual one, asks for an algorithm that tests at it.
_UNSET = ("alpha",)

#: The parameters of `Discoverer`, and their defaults.
PARAMETERS = {
    option.name: None if option.name in _UNSET else default_of(option)
    for option in StagesOptions.options()
    if option.name not in _NOT_PARAMETERS
}


class DiscovererKeywords(AlgorithmKeywords, ExperimentKeywords, total=False):
    """Names and types of the parameters of `Discoverer`."""

    kinds: Mapping[str, str | Sequence[str]] | str | None
    missing: Missing
    na: Iterable[str] | str | None
    weights: str | None
    clusters: str | None
    test: TestChoice
    alpha: float | None
    workers: int
    time_limit: float | None


class Discoverer(Base):
    """Learn a PAG with `fit`; the parameters are options of `discover`.

    The columns of an array are named x1, x2, … Resamples are not searched; `discovery_.certainty()` does it. `alpha` is
    None until it is given.

    Raises:
        TypeError: For an option that there is not. That the others can be used is checked by `fit`.

    Attributes:
        pag_: The graph, after `fit`.
        discovery_: All that was found, after `fit`.
        n_features_in_: The number of variables, after `fit`.
        feature_names_in_: Their names, after `fit`, where the columns have names.

    Examples:
        >>> from ancestral import DAG, simulate
        >>> rows = simulate.linear_gaussian(DAG.parse("a -> c, b -> c, c -> d"), rows=2500, seed=1)
        >>> found = Discoverer(alpha=0.001).fit(rows[:2000])
        >>> print(found.pag_)
        a o-> c
        b o-> c
        c --> d
        >>> found.score(rows[2000:])
        1.0
        >>> found.n_features_in_, found.discovery_.complete, found.check_.denied
        (4, True, 0)
    """

    pag_: PAG
    discovery_: Discovery
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]

    @with_options(StagesOptions, OPTION_TYPES, only=PARAMETERS, unset=_UNSET)
    def __init__(self, **options: Unpack[DiscovererKeywords]) -> None:
        """Keep the options as they are given, as scikit-learn asks for; `fit` checks them.

        {options}
        """
        refuse_unexpected("Discoverer", options, PARAMETERS)
        for name, default in PARAMETERS.items():
            setattr(self, name, options.get(name, default))

    def fit(self, X: Any, y: object = None) -> "Discoverer":
        """Search the columns of X.

        Args:
            X: A table or an array.
            y: Not used.

        Returns:
            The object itself.

        Raises:
            OptionError: If a parameter is wrong.
            DataError: If the data cannot be searched.
            KnowledgeError: If the knowledge is wrong.
        """
        self.discovery_ = discover(self._table(X, reset=True), **self._given(PARAMETERS), resamples=0, progress=False)
        self.pag_ = self.discovery_.pag
        return self

    @property
    def check_(self) -> Check | None:
        """What speaks against the graph in the data that it was fitted to; see `Discovery.check`."""
        return self.discovery_.check

    def score(self, X: Any, y: object = None) -> float:
        """The share of decisions, separations and edges, that the test on the rows of X confirms at the level 0.05.

        Args:
            X: Rows of the same columns.
            y: Not used.

        Returns:
            The share; 1 if there were no decisions.

        Raises:
            DataError: If the rows cannot be used.
        """
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        how = self._given(("test", "kinds", "missing", "weights", "clusters"))
        test = choose_test(self._table(X, reset=False), alpha=LEVEL, **how)
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
        """Each pair, whether it has an edge, and the set that decided.

        For an edge of a graph that was found without asking questions, it is the set that would separate the pair if
        the edge were not there.
        """
        frame = self.discovery_.to_frame("all", library="polars")
        stage = self.discovery_.stage
        columns = [frame[name].to_list() for name in ("a", "b", "edge", "sepset", "closest")]
        out = []
        for a, b, edge, sepset, closest in zip(*columns, strict=True):
            given = sepset if edge is None else closest
            if edge is not None and isinstance(stage, GraphStage):
                without = stage.set_without_edge(*(stage.names.index(name) for name in (a, b)))
                given = None if without is None else [stage.names[z] for z in without]
            if given is not None:
                out.append((a, b, edge is not None, tuple(given)))
        return out

    def _given(self, names: Iterable[str]) -> Any:
        """The parameters of these names, but for those at their defaults: the search shall not take them as given."""
        given = {name: getattr(self, name) for name in names}
        return {name: value for name, value in given.items() if not _is_same(value, PARAMETERS[name])}

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
        """The state that is pickled: what was found is the text of a run file, since a test cannot be pickled."""
        state = dict(super().__getstate__())
        if "discovery_" in state:
            state["discovery_"] = state["discovery_"].to_json()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Read what was found as `load` does: with the graph, the reasons and the decisions, without the data."""
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


def _is_same(value: object, default: object) -> bool:
    """Whether a value is the default; True is not 1."""
    return type(value) is type(default) and value == default
