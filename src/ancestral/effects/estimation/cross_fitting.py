"""Cross-fitting: each row gets a prediction from a learner that was fitted to the rows of the other folds.

So what a learner makes of the noise of a row is not used against that same row (Chernozhukov et al. 2018,
Double/debiased machine learning for treatment and structural parameters, Econometrics Journal 21). Rows of
a cluster are in one fold. Of several learners, the one whose predictions of the held-out rows are best is taken.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.data import DataError
from ancestral.data.column_kinds import Floats
from ancestral.effects.estimation.learners import check_learner, default_learners, few_threads, fitted, predicted
from ancestral.effects.estimation.rows import Rows

__all__ = ["CrossFitting", "Learned"]

#: The smallest probability in a logarithmic loss.
LEAST_PROBABILITY = 1e-6


@dataclass(frozen=True)
class Learned:
    """Cross-fitted predictions, and the name of the learner; None if it is the user's."""

    values: Floats
    learner: str | None


@dataclass(frozen=True)
class CrossFitting:
    """The rows, in folds."""

    rows: Rows
    fold: NDArray[np.integer]
    folds: int
    seed: int

    @classmethod
    def of(cls, rows: Rows, folds: int, seed: int) -> "CrossFitting":
        """Rows in random folds of equal size, with each level of the cause in equal shares; whole clusters if any.

        Raises `DataError` if a level of the cause has too few rows, or there are fewer clusters than folds.
        """
        rng = np.random.default_rng(seed)
        fold = np.empty(rows.count, dtype=np.int64)
        if rows.groups is not None:
            count = int(rows.groups.max()) + 1
            if count < folds:
                raise DataError(f"{count} clusters are too few for {folds} folds; effects need more clusters")
            fold = rng.permutation(np.arange(count) % folds)[rows.groups]
        else:
            codes = rows.x.values if rows.x.levels is not None else np.zeros(rows.count, dtype=np.int64)
            order = np.lexsort((rng.random(rows.count), codes))
            fold[order] = np.arange(rows.count) % folds
        for code, level in enumerate(rows.x.levels or ()):
            inside = np.bincount(fold[rows.x.values == code], minlength=folds)
            if inside.min() < 2:
                raise DataError(
                    f"{rows.x.name} = {level!r} has {int(inside.sum())} rows, too few for {folds} folds; leave these "
                    "rows out, or compare fewer levels"
                )
        return cls(rows, fold, folds, seed)

    def learn(self, option: str, own: Any, y: Any, levels: int | None = None, among: Any = None) -> Learned:
        """Cross-fitted predictions of y: numbers, or the probabilities of its levels.

        `own` is the learner that the user passed as this option, None to have one chosen; `among` are the rows that it
        is fitted to, by default all. Predictions are for all rows.
        """
        inside = np.ones(self.rows.count, dtype=bool) if among is None else among
        weighted = self.rows.weighted
        learners: Mapping[str | None, Any]
        if own is not None:
            check_learner(option, own, levels=levels is not None, weighted=weighted)
            learners = {None: own}
        else:
            least = int(inside.sum()) * (self.folds - 1) // self.folds
            learners = dict(default_learners(self.rows.features, least, self.seed, levels=levels is not None).items())
        with few_threads(self.rows.count):
            found = {name: self._predictions(learner, y, levels, inside) for name, learner in learners.items()}
        best = min(found, key=lambda name: self._loss(found[name], y, inside))
        return Learned(found[best], best)

    def _predictions(self, learner: Any, y: Any, levels: int | None, inside: NDArray[np.bool_]) -> Floats:
        X, weights = self.rows.features, self.rows.weights
        out = np.zeros(self.rows.count if levels is None else (self.rows.count, levels))
        for k in range(self.folds):
            held_out = self.fold == k
            used = inside & ~held_out
            model = fitted(learner, X[used], y[used], weights[used] if self.rows.weighted else None)
            out[held_out] = predicted(model, X[held_out], levels)
        return out

    def _loss(self, predictions: Floats, y: Any, inside: NDArray[np.bool_]) -> float:
        """The weighted mean of squared errors, or of -log of the probabilities of the levels that occurred."""
        if predictions.ndim == 1:
            losses = (y - predictions) ** 2
        else:
            hit = predictions[np.arange(len(y)), np.asarray(y, dtype=np.intp)]
            losses = -np.log(np.maximum(hit, LEAST_PROBABILITY))
        return float(self.rows.weights[inside] @ losses[inside])
