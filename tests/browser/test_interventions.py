"""The report of an experiment, in a real browser: contexts, what they act on, and nothing about edges of the design."""

from itertools import permutations
from pathlib import Path

import pytest
from playwright.sync_api import Page

import ancestral as an
from tests.browser.test_report import choose, edges_shown, opened, reasons_shown

SYSTEM = an.DAG.parse("L -> x, L -> y, x -> z, z -> w", latent=["L"])


@pytest.fixture(scope="module", params=["icd", "scored"])
def found(request: pytest.FixtureRequest) -> an.Discovery:
    acted = {"drug A": {"shift": {"x": 2.0}}, "drug B": {"shift": {"z": -1.5}}}
    experiment = an.simulate.experiment(SYSTEM, acted, rows=1000, seed=1)
    return an.discover(experiment.samples, targets={"drug A": ["x"]}, algorithm=request.param)


def test_the_report_of_an_experiment(page: Page, found: an.Discovery, tmp_path: Path) -> None:
    opened(page, found, tmp_path)
    assert page.inner_text("#acting-title") == "What contexts act on"
    assert page.locator("#acting-lines p").all_inner_texts() == [str(item) for item in found.interventions]
    pointed = page.eval_on_selector_all(".node:has(.pointed)", "all => all.map(e => e.getAttribute('aria-label'))")
    assert pointed == ["drug A", "drug B"]
    facts = page.inner_text("#facts")
    for words in ("drug A and drug B", "exogenous, unconfounded, designed (by default)", "Targets of drug A"):
        assert words in facts
    assert "Edges between contexts are those of the design, and not drawn." in page.inner_text("#lessons")
    designed = {f"drug A {found.pag.edge('drug A', 'drug B')} drug B"}
    assert edges_shown(page) == {" ".join(edge) for edge in found.pag.edges()} - designed
    names = sorted(found.pag.nodes)
    for a, b in permutations(range(len(names)), 2):
        choose(page, a, b)
        assert reasons_shown(page) == [(step.depth, step.text) for step in found.why(names[a], names[b]).steps]
        if (action := found.interventions.about(names[a], names[b])) is not None:
            assert page.inner_text(".meaning") == f"By this graph: {action.sentence}"
    choose(page, names.index("drug A"), names.index("drug B"))
    assert page.inner_text(".meaning").startswith("Both are contexts")
    assert "p-value" not in page.inner_text("#answer")


def test_the_table_says_what_is_by_design(page: Page, found: an.Discovery, tmp_path: Path) -> None:
    opened(page, found, tmp_path)
    rows = page.eval_on_selector_all("#table tbody tr", "all => all.map(r => [...r.cells].map(c => c.innerText))")
    (designed,) = [row for row in rows if row[1] == "by design"]
    assert (designed[0], designed[2]) == ("drug A", "drug B")
    assert not any(designed[3:-1])
    for only in ("edges", "apart"):
        page.select_option("#only", only)
        assert "by design" not in page.inner_text("#table tbody")
