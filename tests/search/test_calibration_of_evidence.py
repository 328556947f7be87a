"""Words about evidence: they follow the table, and the table is the one on the page that was measured."""

import re
from collections import Counter
from pathlib import Path

import pytest

import ancestral as an
from ancestral.search.scored import calibration
from ancestral.search.scored.calibration import share_in_words, share_true, worth_in_words
from ancestral.search.scored.calibration_table import BOUNDS, SHARES
from ancestral.search.scored.evidence import evidence_in_words
from benchmarks.designs import DESIGNS
from benchmarks.evidence import KINDS, RANGES, Tally, claims_of, module, page

PAGE = Path(__file__).parents[2] / "docs" / "evidence.md"


def test_the_table_is_that_of_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    first = text.partition("## The table that words follow")[2].partition("\n## ")[0]
    rows = [re.split(r" *\| *", line.strip("| ")) for line in first.splitlines() if line.startswith("| ")]
    head, body = rows[0], rows[2:]
    assert head == ["evidence", *(cell for name in KINDS.values() for cell in (name, "of them true"))]
    assert [row[0] for row in body] == list(RANGES)
    for place, row in enumerate(body):
        shown = [None if cell == "–" else int(cell.removesuffix(" %")) for cell in row[2::2]]
        assert shown == [SHARES[kind][place] for kind in KINDS]
    assert re.search(r"`python -m benchmarks\.evidence --graphs \d+ --seed \d+ --check-seed \d+`", text)


def test_the_page_and_the_module_come_from_the_same_counts() -> None:
    tally: Tally = Counter({(100, "tail", 0, True): 30, (3_000, "tail", 0, False): 70, (100, "edge", 5, True): 19})
    assert '"tail": (30, None, None, None, None, None),' in module(tally)
    assert '"edge": (None, None, None, None, None, None),' in module(tally)  # 19 claims are too few
    text = page(tally, tally, "command", 2, (5, 7))
    assert "| below 2 | 0 | – | 0 | – | 0 | – | 100 | 30 % |" in text
    assert "| 50 or more | 19 | – | 0 | – | 0 | – | 0 | – |" in text
    assert "seeds 5–6" in text and "seeds 7–8" in text and "| below 2 | 0 | – | 0 | – | 0 | – | 60 | 100 % |" in text


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (0.25, "1 in 4 was"), (0.5, "1 in 2 was"), (0.33, "1 in 3 was"), (0.8, "4 in 5 were"), (0.9, "9 in 10 were"),
        (0.95, "19 in 20 were"), (0.62, "62 in 100 were"), (0.97, "97 in 100 were"), (0.99, "99 in 100 were"),
        (1.0, "more than 99 in 100 were"), (0.0, "fewer than 1 in 100 were"), (0.01, "1 in 100 was"),
    ],
)  # fmt: skip
def test_shares_in_words(share: float, words: str) -> None:
    assert share_in_words(share) == words


def test_words_follow_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "SHARES", {"tail": (25, 40, 74, 75, 99, None), "no edge": (97,) * 6})
    assert share_true("tail", -3) == share_true("tail", 1.99) == 0.25
    assert share_true("tail", 2) == 0.4 and share_true("tail", 49.99) == 0.99 and share_true("tail", 50) is None
    assert worth_in_words("tail", 1) == ", weak; of such tails 1 in 4 was true in simulations"
    assert worth_in_words("tail", 9.9) == ", weak; of such tails 3 in 4 were true in simulations"
    assert worth_in_words("tail", 10) == "; of such tails 3 in 4 were true in simulations"
    assert worth_in_words("tail", 51) == ""
    assert worth_in_words("no edge", 5) == "; of such missing edges 97 in 100 were true in simulations"
    assert len(BOUNDS) + 1 == len(RANGES) == 6


def test_a_better_graph_is_called_better() -> None:
    assert evidence_in_words("edge", 31.24) == "without the edge the best graph found is 31.2 worse"
    assert (
        evidence_in_words("edge", -3.1)
        == "without the edge a graph was found that is 3.1 better, too little to prefer it"
    )
    assert evidence_in_words("tail", 2.11) == "denying it costs 2.1"
    assert (
        evidence_in_words("arrowhead", -2.0)
        == "if it is denied, a graph was found that is 2.0 better, too little to prefer it"
    )
    assert evidence_in_words("no edge", 6.94) == "adding an edge costs 6.9"
    assert evidence_in_words("no edge", -0.5) == "adding an edge would gain 0.5"


def test_all_claims_are_true_of_an_exact_covariance() -> None:
    """The truth of claims is told from the true graph, and only claims of that graph are true."""
    model = DESIGNS["latent"](8, 1)
    rows = 10**6
    found = an.discover(an.Moments(model.dag.observed, rows, None, model.covariance * rows), algorithm="scored")
    assert found.pag == model.truth
    claims = list(claims_of(found, model.truth))
    assert {kind for kind, _, _ in claims} == set(KINDS) and all(true for _, _, true in claims)
    wrong = an.PAG(model.truth.nodes, (model.truth.marks > 0).astype(int))  # all edges, and circles at all ends
    assert {kind for kind, _, true in claims_of(found, wrong) if true} == {"edge", "no edge"}
    nothing = an.PAG.parse(", ".join(model.truth.nodes))
    assert {kind for kind, _, true in claims_of(found, nothing) if true} == {"no edge"}
