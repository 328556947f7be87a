"""What pairs say given nothing: looked up or asked once, in blocks, the same before and after a file."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ancestral as an
from ancestral.graphs.names import in_order
from ancestral.independence.choice import choose_test
from ancestral.independence.evidence import Scale, p_values_on_scale
from ancestral.search import marginals
from ancestral.search.marginals import Marginals, blocks_of_pairs
from tests.support.hostile_runs import own, table_of

SOURCES: dict[str, tuple[Any, dict[str, Any]]] = {
    "fisher-z": (table_of("gaussian"), {}),
    "rank": (table_of("gaussian"), {"test": "rank"}),
    "g": (table_of("discrete"), {}),
    "chi2": (table_of("discrete"), {"test": "chi2"}),
    "mixed": (table_of("mixed"), {}),
    "function": (own, {"names": ("f", "a", "b", "c", "d", "e")}),
    "oracle": (an.Oracle(an.DAG.parse("a -> c, b -> c, c -> d")), {}),
}


@pytest.mark.parametrize("n", [0, 1, 2, 5, 9])
@pytest.mark.parametrize("block", [1, 4, 100])
def test_blocks_have_every_pair_once_and_in_order(n: int, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marginals, "BLOCK", block)
    order = np.random.default_rng(n).permutation(n)
    parts = [np.column_stack(pair) for pair in blocks_of_pairs(order)]
    x, y = np.triu_indices(n, 1)
    assert np.concatenate([np.zeros((0, 2)), *parts]).tolist() == np.column_stack([order[x], order[y]]).tolist()
    assert all(len(part) <= max(block, n) for part in parts)


@pytest.mark.parametrize("kind", SOURCES)
def test_the_evidence_is_that_of_single_questions(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marginals, "BLOCK", 7)
    source, options = SOURCES[kind]
    test = choose_test(source, **options)
    names = in_order(test.names)
    questions = test.questions(names)
    questions.marginals()  # a function must have been asked
    asked = [questions.ask(x, y, []) for x, y in questions.pairs().tolist()]
    assert len(asked) == len(names) * (len(names) - 1) // 2
    x, y = questions.pairs().T
    found = Marginals.asked(test, questions).at(y, x)  # whichever comes first
    for i, pair in enumerate(zip(x.tolist(), y.tolist(), strict=True)):
        evidence = test.evidence(questions, *pair, [])
        np.testing.assert_equal(
            (found.statistic[i], int(found.df[i]) or None, found.p_value[i]),
            (evidence.statistic, evidence.df, evidence.p_value),
        )


@pytest.mark.parametrize("algorithm", ["icd", None])
@pytest.mark.parametrize("kind", SOURCES)
def test_a_file_gives_the_same_bits(
    kind: str, algorithm: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, options = SOURCES[kind]
    found = an.discover(source, algorithm=algorithm, **options)
    found.save(tmp_path / "run.json")
    monkeypatch.setattr(marginals, "BLOCK", 5)
    monkeypatch.setattr("ancestral.io.columns.LISTED", 2)
    found.save(tmp_path / "packed.json")
    for name in ("run.json", "packed.json"):
        again = an.load(tmp_path / name)
        assert again.to_frame("all").equals(found.to_frame("all", library="polars"))
        x, y = np.triu_indices(len(found.pag.nodes), 1)
        ours, theirs = (run.decisions.marginal.at(x, y) for run in (found, again))
        for name in ("statistic", "df", "p_value"):
            assert getattr(ours, name).tobytes() == getattr(theirs, name).tobytes()


def test_what_cannot_be_looked_up_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    test = choose_test(table_of("discrete"))
    questions = test.questions(in_order(test.names))
    asked: list[int] = []

    class Counting:
        n = questions.n

        def knows_marginals(self) -> bool:
            return False

        def marginals_of(self, pairs: Any) -> Any:
            asked.append(len(pairs))
            return questions.marginals_of(pairs)

    monkeypatch.setattr(marginals, "BLOCK", 4)
    found = Marginals.asked(test, Counting())
    for _ in range(3):
        found.at(np.array([0, 2]), np.array([1, 1]))
    assert sum(asked) == len(test.names) * (len(test.names) - 1) // 2


def test_every_scale_is_weighed_by_itself() -> None:
    numbers = np.array([0.5, 0.0, np.nan, 1.0])
    df = np.array([2, 1, 0, 3])
    normal = p_values_on_scale(Scale.NORMAL, numbers, df)
    assert normal.p_value[1] == 1.0 and np.isnan(normal.p_value[2]) and normal.df.tolist() == [0, 0, 0, 0]
    chi2 = p_values_on_scale(Scale.CHI2, numbers, df)
    assert chi2.p_value[0] == pytest.approx(np.exp(-0.25)) and chi2.df.tolist() == [2, 1, 0, 3]
    p_values = p_values_on_scale(Scale.P_VALUE, numbers, df)
    assert p_values.p_value.tobytes() == numbers.tobytes() and np.isnan(p_values.statistic).all()
    decisions = p_values_on_scale(Scale.DECISION, numbers, df)
    assert np.isnan(decisions.p_value).all() and np.isnan(decisions.statistic).all()
