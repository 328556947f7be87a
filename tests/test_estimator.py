"""A search as an estimator of scikit-learn."""

import pickle
import subprocess
import sys
import warnings
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.stats import norm
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import ancestral as an

DAG = an.DAG.parse("a -> c, b -> c, c -> d, L -> d, L -> e", latent=["L"])


def rows(count: int, seed: int) -> pl.DataFrame:
    return an.simulate.linear_gaussian(DAG, rows=count, seed=seed).select(*"abcde")


def test_scikit_learn_finds_nothing_wrong() -> None:
    """All its checks, with none excepted; it leaves out one itself, which needs SCIPY_ARRAY_API."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", an.DataWarning)  # whole numbers among its tables look like levels
        results = check_estimator(an.Discoverer(), on_skip=None)
    assert {r["check_name"] for r in results if r["status"] != "passed"} <= {"check_array_api_input"}
    assert len(results) > 30


def test_it_finds_what_discover_finds() -> None:
    data = rows(1000, 1)
    fitted = an.Discoverer(alpha=0.02, algorithm="fci", max_radius=2).fit(data)
    found = an.discover(data, alpha=0.02, algorithm="fci", max_radius=2)
    assert fitted.pag_ == found.pag
    assert fitted.discovery_.to_json() == found.to_json()
    assert fitted.check_ == found.check
    assert fitted.n_features_in_ == 5
    assert list(fitted.feature_names_in_) == list("abcde")


@pytest.mark.parametrize("make", [pl.DataFrame, lambda frame: frame.to_pandas(), lambda frame: frame.to_numpy()])
def test_tables_of_all_sorts(make: Any) -> None:
    pag = an.Discoverer().fit(make(rows(1000, 1))).pag_
    want = an.discover(rows(1000, 1)).pag
    assert (pag.marks == want.arranged("abcde")).all()


def test_words_are_levels() -> None:
    data = pd.DataFrame({"x": ["no", "yes", "no", "yes"] * 50, "y": ["no", "yes", "yes", "yes"] * 50})
    assert an.Discoverer().fit(data).pag_ == an.PAG.parse("x o-o y")


def test_bad_options_are_told_by_fit() -> None:
    with pytest.raises(
        an.OptionError, match=r"alpha must be between 0 and 1, got 2; common choices are 0\.05 and 0\.01"
    ):
        an.Discoverer(alpha=2).fit(rows(100, 1))
    with pytest.raises(an.DataError, match="column 'a' has a single value"):
        an.Discoverer().fit(rows(100, 1).with_columns(a=pl.lit(1.0)))


# -- the score ------------------------------------------------------------------------------------------------------


def p_value(data: pl.DataFrame, a: str, b: str, given: list[str]) -> float:
    """Fisher's z of the correlation of residuals."""
    z = np.column_stack([np.ones(data.height), *(data[name].to_numpy() for name in given)])
    left, right = (data[name].to_numpy() - z @ np.linalg.lstsq(z, data[name].to_numpy())[0] for name in (a, b))
    r = left @ right / np.sqrt((left @ left) * (right @ right))
    return float(2 * norm.sf(abs(np.arctanh(r)) * np.sqrt(data.height - len(given) - 3)))


@pytest.mark.parametrize("alpha", [1e-8, 0.01, 0.3])
def test_the_score_is_the_share_of_confirmed_decisions(alpha: float) -> None:
    data = rows(500, 3)
    train, other = data[:300], data[300:]
    fitted = an.Discoverer(alpha=alpha).fit(train)
    frame = fitted.discovery_.to_frame(library="polars")
    confirmed = []
    for row in frame.iter_rows(named=True):
        given = row["sepset"] if row["edge"] is None else row["closest"]
        p = p_value(other, row["a"], row["b"], given)
        confirmed.append(p > 0.05 if row["edge"] is None else p <= 0.05)
    assert len(confirmed) == len(list(combinations("abcde", 2)))
    sets = frame["closest"].to_list()
    assert [given for _, _, edge, given in fitted._decisions() if edge] == [tuple(g) for g in sets if g is not None]
    assert alpha != 0.3 or any(sets)  # some edge came closest given something
    assert fitted.score(other) == pytest.approx(sum(confirmed) / len(confirmed))


def test_the_score_punishes_too_many_and_too_few_edges() -> None:
    """Over many samples: a level that keeps half of all chance edges, and one that misses true ones, both lose."""
    means = {}
    halves = [(data[:150], data[150:]) for data in (rows(300, seed) for seed in range(40))]
    for alpha in (1e-12, 0.01, 0.5):
        scores = [an.Discoverer(alpha=alpha).fit(train).score(other) for train, other in halves]
        means[alpha] = np.mean(scores)
    assert means[0.01] > means[1e-12] + 0.03
    assert means[0.01] > means[0.5] + 0.03


def test_there_is_no_score_before_fit() -> None:
    with pytest.raises(NotFittedError):
        an.Discoverer().score(rows(100, 1))


# -- among the others -----------------------------------------------------------------------------------------------


def test_in_a_pipeline_and_a_grid() -> None:
    pipeline = make_pipeline(StandardScaler(), an.Discoverer())
    data = rows(400, 5).to_pandas()
    grid = GridSearchCV(pipeline, {"discoverer__alpha": [1e-12, 0.01, 0.5]}, cv=3).fit(data)
    assert grid.best_params_ == {"discoverer__alpha": 0.01}
    assert grid.best_estimator_[-1].alpha == 0.01
    # a scaler changes no correlation
    assert (grid.best_estimator_[-1].pag_.marks == an.discover(data, alpha=0.01).pag.arranged("abcde")).all()


def test_it_is_cloned_and_pickled() -> None:
    fitted = an.Discoverer(alpha=0.05).fit(rows(500, 6))
    copy = clone(fitted)
    assert copy.get_params() == fitted.get_params()
    assert not hasattr(copy, "pag_")
    again = pickle.loads(pickle.dumps(fitted))
    assert again.pag_ == fitted.pag_
    assert again.discovery_.to_json() == fitted.discovery_.to_json()
    assert again.score(rows(300, 7)) == fitted.score(rows(300, 7))
    assert repr(again) == "Discoverer(alpha=0.05)"


def test_it_is_imported_when_it_is_used() -> None:
    script = "import ancestral, sys; ancestral.discover; print('sklearn' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "False"


def test_without_scikit_learn_it_says_what_is_missing() -> None:
    script = (
        "import sys; sys.modules['sklearn'] = None; sys.modules['sklearn.base'] = None\n"
        "from ancestral import *\n"
        "try: Discoverer(alpha=0.1)\n"
        "except OptionError as error: print(error)"
    )
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "Discoverer needs scikit-learn; pip install 'ancestral[sklearn]'"


def test_without_the_packages_of_others_the_way_out_is_told() -> None:
    script = (
        "import sys; sys.modules.update(networkx=None, causallearn=None, pywhy_graphs=None)\n"
        "import ancestral as an\n"
        "pag = an.PAG.parse('a o-> b')\n"
        "for to in (an.to_networkx, an.to_causal_learn, an.to_pywhy_graphs):\n"
        "    try: to(pag)\n"
        "    except an.OptionError as error: print(error)"
    )
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert out.stdout.splitlines() == [
        "networkx is not installed; pip install 'ancestral[interop]'",
        "causal-learn is not installed; pip install 'ancestral[interop]'",
        "pywhy-graphs is not installed; pip install networkx, and then --no-deps pywhy-graphs",
    ]


def test_an_object_that_decides_needs_no_level() -> None:
    class Decides:
        names = ("x1", "x2", "x3")

        def independent(self, x: str, y: str, given: tuple[str, ...]) -> bool:
            return False

    rows = np.random.default_rng(1).normal(size=(50, 3))
    decides: Any = Decides()
    for estimator in (an.Discoverer(test=decides), clone(an.Discoverer(test=decides))):
        assert len(estimator.fit(rows).pag_.edges()) == 3
