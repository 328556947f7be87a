"""The learners of robust estimates: those of the user, or a few of scikit-learn from which cross-validation chooses.

A learner is anything that follows scikit-learn: `fit(X, y)` and `predict(X)`, or `predict_proba(X)` for levels. By
default three are tried: a linear one, one of smooth curves with products of variables, and boosted trees.
"""

import inspect
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from importlib.util import find_spec
from typing import Any

import numpy as np

from ancestral.data.column_kinds import Floats
from ancestral.errors import OptionError
from ancestral.extras import require_package
from ancestral.printing import shown

__all__ = ["check_learner", "default_learners", "few_threads", "fitted", "predicted"]

#: The fewest rows to fit for which boosted trees are tried.
LEAST_BOOSTED = 500

#: Rows from which on learners may use several threads.
MANY_ROWS = 50_000

#: A column with no more values than this gets no curve.
FEW_VALUES = 6


def check_learner(option: str, learner: object, *, levels: bool, weighted: bool) -> None:
    """Raise `OptionError` unless an object can learn: `levels`, by their probabilities, or numbers.

    `weighted`: rows have weights, which it must take.
    """
    method = "predict_proba" if levels else "predict"
    if inspect.isclass(learner) or not all(callable(getattr(learner, name, None)) for name in ("fit", method)):
        raise OptionError(
            f"must be an object with fit(X, y) and {method}(X), as those of scikit-learn",
            option=option,
            value=learner,
            way_out="leave it out to have one chosen",
        )
    if weighted and "sample_weight" not in inspect.signature(learner.fit).parameters:  # type: ignore[attr-defined]
        raise OptionError(
            "must have fit(X, y, sample_weight), since the rows have weights", option=option, value=learner
        )


def default_learners(features: Floats, rows: int, seed: int, *, levels: bool) -> Mapping[str, Any]:
    """Learners by name, of levels or of numbers, for these features; `rows` is the least number that one is fitted to.

    Raises `OptionError` if scikit-learn is not installed.
    """
    require_package("sklearn", "sklearn", "to estimate an effect with estimator='robust'")
    from sklearn.compose import ColumnTransformer
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
    from sklearn.linear_model import LogisticRegression, RidgeCV
    from sklearn.pipeline import FeatureUnion
    from sklearn.preprocessing import FunctionTransformer, PolynomialFeatures, SplineTransformer

    if not features.shape[1]:
        return {"mean": _Constant(levels)}

    def last() -> Any:
        return LogisticRegression(C=1.0, max_iter=2000) if levels else RidgeCV(np.logspace(-3, 4, 15))

    curved = [j for j in range(features.shape[1]) if len(np.unique(features[:, j])) > FEW_VALUES]
    splines = SplineTransformer(knots_for(rows), extrapolation="linear")
    curves = ColumnTransformer([("curves", splines, curved)], remainder="passthrough")
    products = PolynomialFeatures(2, interaction_only=True, include_bias=False)
    out = {"linear": _Steps(FunctionTransformer(), last())}
    if curved or features.shape[1] > 1:
        out["curves"] = _Steps(FeatureUnion([("curves", curves), ("products", products)]), last())
    if rows >= LEAST_BOOSTED:
        make = HistGradientBoostingClassifier if levels else HistGradientBoostingRegressor
        out["trees"] = make(max_iter=60, learning_rate=0.15, max_leaf_nodes=8, random_state=seed, early_stopping=False)
    return out


def knots_for(rows: int) -> int:
    """The number of knots of a curve: it grows with the rows, so that curves of any form are followed in the end.

    >>> [knots_for(rows) for rows in (50, 1000, 10_000)]
    [5, 10, 20]
    """
    return min(max(round(rows ** (1 / 3)), 5), 20)


class _Steps:
    """Features are transformed before a linear model is fitted, which gets the weights."""

    def __init__(self, transform: Any, last: Any) -> None:
        self.transform = transform
        self.last = last

    def fit(self, X: Floats, y: Any, sample_weight: Floats | None = None) -> "_Steps":
        self.last.fit(self.transform.fit_transform(X), y, sample_weight=sample_weight)
        self.classes_ = getattr(self.last, "classes_", None)
        return self

    def predict(self, X: Floats) -> Floats:
        return np.asarray(self.last.predict(self.transform.transform(X)))

    def predict_proba(self, X: Floats) -> Floats:
        return np.asarray(self.last.predict_proba(self.transform.transform(X)))


class _Constant:
    """The mean, or the shares of levels: what there is to learn without features."""

    def __init__(self, levels: bool) -> None:
        self.levels = levels

    def fit(self, X: Floats, y: Any, sample_weight: Floats | None = None) -> "_Constant":
        self.classes_ = np.unique(y)
        values = (np.asarray(y)[:, None] == self.classes_).astype(np.float64) if self.levels else np.asarray(y)
        self.mean = np.average(values, axis=0, weights=sample_weight)
        return self

    def predict(self, X: Floats) -> Floats:
        return np.full(len(X), self.mean)

    def predict_proba(self, X: Floats) -> Floats:
        return np.tile(self.mean, (len(X), 1))


@contextmanager
def few_threads(rows: int) -> Iterator[None]:
    """Let learners of few rows use a single thread: to share them out takes longer than to fit."""
    if rows >= MANY_ROWS or find_spec("threadpoolctl") is None:
        yield
        return
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        yield


def fitted(learner: Any, X: Floats, y: Any, weights: Floats | None) -> Any:
    """A copy of a learner, fitted; what it cannot do is raised as `OptionError`, with its own words."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that an optimiser stopped early costs precision, which the folds judge
            copy = deepcopy(learner)
            return copy.fit(X, y) if weights is None else copy.fit(X, y, sample_weight=weights)
    except Exception as error:
        raise OptionError(f"the learner {shown(learner)} cannot be fitted to {len(X)} rows: {error}") from error


def predicted(learner: Any, X: Floats, levels: int | None) -> Floats:
    """What a fitted learner predicts: a number for each row, or, if levels are counted, a probability for each."""
    if levels is None:
        return np.asarray(learner.predict(X), dtype=np.float64).reshape(len(X))
    out = np.zeros((len(X), levels))
    out[:, np.asarray(learner.classes_, dtype=np.intp)] = learner.predict_proba(X)
    return out
