"""Whatever the data are, no printed statement contradicts another one: some ancestral graph agrees with all marks."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import ancestral as an

Floats = NDArray[np.float64]

ALGORITHMS = ("icd", "fci", "rfci", "fci+")

pytestmark = pytest.mark.filterwarnings("ignore::ancestral.DataWarning")


def model_rows(rng: np.random.Generator, rows: int, columns: int) -> Floats:
    """Rows of a random linear model whose first third of columns is then dropped: latent causes."""
    every = columns + columns // 3
    out = rng.standard_normal((rows, every))
    for i in range(1, every):
        for j in rng.choice(i, min(i, 2), replace=False).tolist():
            out[:, i] += rng.choice([-1, 1]) * rng.uniform(0.3, 1.2) * out[:, j]
    return out[:, rng.permutation(every)[:columns]]


def noise(rng: np.random.Generator) -> Floats:
    return rng.standard_normal((50, 8))


def near_copies(rng: np.random.Generator) -> Floats:
    data = model_rows(rng, 200, 6)
    return np.column_stack([data, data[:, :3] + 0.01 * rng.standard_normal((200, 3))])


def tiny(rng: np.random.Generator) -> Floats:
    return model_rows(rng, int(rng.integers(6, 20)), 6)


def outliers(rng: np.random.Generator) -> Floats:
    data = model_rows(rng, 150, 8)
    return np.asarray(data * np.where(rng.random(data.shape) < 0.02, 30.0, 1.0))


def plain(rng: np.random.Generator) -> Floats:
    return model_rows(rng, int(rng.choice([100, 1000, 5000])), 10)


def many(rng: np.random.Generator) -> Floats:
    """So many columns that decisions have to be strong."""
    return model_rows(rng, 400, 18)


KINDS = {make.__name__: make for make in (noise, near_copies, tiny, outliers, plain, many)}


def frame_of(data: Floats) -> pl.DataFrame:
    return pl.DataFrame(data, schema=[f"v{i:02d}" for i in range(data.shape[1])])


def labels(rng: np.random.Generator) -> pl.DataFrame:
    """The signs, or the thirds, of a model's columns."""
    data = model_rows(rng, int(rng.choice([60, 2000])), 8)
    cuts = [[0.0], [-0.7, 0.7]][int(rng.integers(2))]
    return frame_of(np.digitize(data, cuts).astype(np.float64)).cast(pl.String)


def check(stages: Iterator[Any], selection: bool, knowledge: an.Knowledge | None = None) -> int:
    """Every stage is consistent; returns the number of marks of the last one that are not circles."""
    marks = 0
    for stage in stages:
        answer = an.consistent(stage.pag, knowledge)
        assert answer.consistent is True, (str(stage.pag), str(answer))
        if not selection:
            assert not any(edge == "---" for _, edge, _ in stage.pag.edges())
        marks = int((stage.oriented.marks > 1).sum())
    return marks


def check_answers(found: an.Discovery) -> None:
    """No two answers about a pair contradict each other, and the table says what the answers say."""
    for row in found.relations(library="polars").iter_rows(named=True):
        a, b = row["a"], row["b"]
        ways = (found.causes(a, b).verdict, found.causes(b, a).verdict)
        assert ways == (row["a_causes_b"], row["b_causes_a"])
        assert ways != ("yes", "yes"), (a, b, str(found.pag))
        if row["edge"] == "<->":
            assert ways == ("no", "no"), (a, b, str(found.pag))
        if row["edge"] == "-->":
            assert ways[1] == "no", (a, b, str(found.pag))
        if row["edge"] == "<--":
            assert ways[0] == "no", (a, b, str(found.pag))
        assert found.confounded(a, b).verdict == row["confounded"]


@pytest.mark.parametrize("selection", [True, False])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("kind", KINDS)
def test_numbers(kind: str, algorithm: str, selection: bool) -> None:
    for seed in range(4):
        frame = frame_of(KINDS[kind](np.random.default_rng([seed, selection])))
        options: dict[str, Any] = {"algorithm": algorithm, "alpha": 0.05, "selection_bias": selection}
        check(an.stages(frame, **options, max_radius=3), selection)


@pytest.mark.parametrize("selection", [True, False])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_labels(algorithm: str, selection: bool) -> None:
    for seed in range(4):
        frame = labels(np.random.default_rng([seed, 9]))
        check(an.stages(frame, algorithm=algorithm, test="g", selection_bias=selection, max_radius=3), selection)


@pytest.mark.parametrize("decides", [True, False])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_answers_of_a_function_that_are_drawn_at_random(algorithm: str, decides: bool) -> None:
    """Of pairs that are not always dependent; such answers contradict each other as often as any can."""
    names = list("abcdefgh")
    marks = 0
    for seed in range(12):

        def p_value(x: str, y: str, given: tuple[str, ...], seed: int = seed) -> float:
            pair = [seed, ord(min(x, y)), ord(max(x, y))]
            if np.random.default_rng(pair).random() < 0.5:
                return 0.0
            rng = np.random.default_rng([*pair, *sorted(map(ord, given))])
            return float(rng.random() < 0.2) if decides else float(rng.random() ** 8)

        marks += check(an.stages(p_value, names=names, algorithm=algorithm, alpha=0.05), True)
    assert marks > 20


@pytest.mark.parametrize("algorithm", ["gfci", "boss-fci"])
def test_searches_that_begin_with_a_graph_by_score(algorithm: str) -> None:
    for seed in range(6):
        for kind in ("plain", "near_copies", "outliers"):
            frame = frame_of(KINDS[kind](np.random.default_rng([seed, 5])))
            check(an.stages(frame, algorithm=algorithm, alpha=0.1), False)


KNOWLEDGE = {
    "tiers": an.Knowledge.parse("v00, v03 < v01, v04, v05 < v02"),
    "forbidden": an.Knowledge.parse("v00 -/-> v01\nv01 -/-> v00\nv02 -/-> v05\nv04 -/-> v03"),
    "required": an.Knowledge.parse("v00 --> v01\nv01 --> v02\nv05 --> v03"),
    "no edge": an.Knowledge.parse("v00 | v01\nv02 | v03\nv03 | v04"),
    "exogenous": an.Knowledge(exogenous=["v02", "v04"]),
    "all": an.Knowledge(
        tiers=[["v00"], ["v01", "v02"]], forbidden=[("v03", "v04")], required=[("v04", "v05")], no_edge=[("v01", "v03")]
    ),
}


@pytest.mark.filterwarnings("ignore::ancestral.KnowledgeWarning")
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("kind", KNOWLEDGE)
def test_beside_knowledge(kind: str, algorithm: str) -> None:
    for seed in range(4):
        for selection in (True, False):
            rng = np.random.default_rng([seed, selection, 3])
            frame = frame_of(model_rows(rng, int(rng.choice([80, 1000])), 7))
            options: dict[str, Any] = {"algorithm": algorithm, "alpha": 0.05, "selection_bias": selection}
            known = KNOWLEDGE[kind]
            check(an.stages(frame, **options, knowledge=known), selection, known)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_no_pair_is_answered_both_ways(algorithm: str) -> None:
    for seed in range(6):
        for kind in ("plain", "near_copies", "tiny"):
            frame = frame_of(KINDS[kind](np.random.default_rng([seed, 4])))
            check_answers(an.discover(frame, algorithm=algorithm, alpha=0.1, selection_bias=bool(seed % 2)))


def test_by_the_first_separating_sets_data_do_lead_to_contradictions() -> None:
    """Otherwise the tests above would show nothing."""
    contradictory = 0
    for seed in range(30):
        frame = frame_of(model_rows(np.random.default_rng([seed, 8]), 1000, 12))
        found = an.discover(frame, algorithm="icd", colliders="first")
        contradictory += not an.consistent(found.pag)
    assert contradictory
