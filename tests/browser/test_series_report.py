"""The report of time series in a real browser: the window by steps and processes, with every reason."""

from itertools import combinations
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

import ancestral as an
from tests.browser.every_pair import told_about
from tests.support.series_truth import NAMED

SHOP = an.SeriesDAG.parse(
    "rain -1-> rain, rain -1-> sales, sales -1-> sales, sales -2-> stock, price -0-> sales, price -1-> price"
)


@pytest.fixture(scope="module")
def found() -> an.SeriesDiscovery:
    return an.discover_series(an.simulate.linear_series(SHOP, rows=400, seed=2), lags=2)


def opened(page: Page, found: an.SeriesDiscovery, folder: Path) -> None:
    found.report(folder / "series.html")
    page.goto((folder / "series.html").as_uri())
    page.wait_for_selector(".node")


def choose(page: Page, a: str, b: str) -> None:
    for select, name in (("#first", ""), ("#second", ""), ("#first", a), ("#second", b)):
        page.select_option(select, label=name or "–")


def reasons_shown(page: Page) -> list[str]:
    return list(page.eval_on_selector_all(".why .step", "all => all.map(s => s.textContent)"))


@pytest.mark.parametrize("source", ["data", "oracle"])
def test_every_pair_is_explained_as_why_explains_it(
    page: Page, found: an.SeriesDiscovery, tmp_path: Path, source: str
) -> None:
    """With the copy that was asked about, and the known ancestors that were given."""
    dag, lags = NAMED["half edge"]
    run = found if source == "data" else an.discover_series(dag, lags=lags)
    opened(page, run, tmp_path)
    said = ""
    names = page.eval_on_selector_all("#first option", "all => all.slice(1).map(o => o.textContent)")
    pairs = list(combinations(range(len(names)), 2))
    for (a, b), told in zip(pairs, told_about(page, pairs), strict=True):
        steps = run.why(names[a], names[b]).steps
        assert told.steps == [(step.depth, step.text) for step in steps]
        said += "\n".join(step.text for step in steps if step.kind == "remark")
    assert ("Known ancestors of the two were given" in said) == (source == "data")  # an oracle needs one round
    assert "Earlier in the window" in said
    assert ("Carried from the copy" in said) == (source == "oracle")


def test_steps_are_columns_and_edges_that_end_at_t_stand_out(
    page: Page, found: an.SeriesDiscovery, tmp_path: Path
) -> None:
    opened(page, found, tmp_path)
    at = page.eval_on_selector_all(
        ".node", "all => all.map(e => [e.getAttribute('aria-label'), e.querySelector('text').getAttribute('x')])"
    )
    across = {name: float(x) for name, x in at}
    assert across["rain[t-2]"] == across["stock[t-2]"] < across["rain[t-1]"] < across["rain[t]"]
    captions = page.eval_on_selector_all(".caption", "all => all.map(e => e.textContent)")
    assert captions == ["t−2", "t−1", "t", *found.processes]
    lines = page.locator("#picture .line")
    assert lines.count() == len(found.window.edges())
    assert page.locator("#picture .line.copy").count() == len(found.window.edges()) - len(found.pag.edges())
    assert page.locator("#picture .line:not(.copy)").count() == len(found.pag.edges())


def test_edges_that_exist_only_early_are_dashed(page: Page, tmp_path: Path) -> None:
    """Of Echo, only A[t-1] <-> B[t-1] has no copy that ends at t."""
    dag, lags = NAMED["echo"]
    opened(page, an.discover_series(dag, lags=lags), tmp_path)
    assert page.locator("#picture .line.early").count() == 1
    dashes = "e => getComputedStyle(e).strokeDasharray"
    assert page.locator("#picture .line.early").evaluate(dashes) != "none"
    assert page.locator("#picture .line:not(.copy)").first.evaluate(dashes) == "none"


def test_the_page_has_the_summary_the_words_and_the_windows(
    page: Page, found: an.SeriesDiscovery, tmp_path: Path
) -> None:
    opened(page, found, tmp_path)
    assert page.inner_text("#processes pre").strip() == str(found).strip()
    assert str(found.run.reading.windows) in page.inner_text("#facts")
    titles = page.eval_on_selector_all("#processes svg path title", "all => all.map(e => e.textContent)")
    for edge in found.summary.edges:
        assert f"{edge.a} {edge.edge} {edge.b}" in titles
    assert page.inner_text("h1") == "ICD for time series on 4 processes at 3 steps"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_has_no_accessibility_violations(
    page: Page, found: an.SeriesDiscovery, tmp_path: Path, theme: str
) -> None:
    opened(page, found, tmp_path)
    page.evaluate("name => { document.documentElement.dataset.theme = name }", theme)
    choose(page, "rain[t-1]", "sales[t]")
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()


def test_the_summary_follows_the_theme(page: Page, found: an.SeriesDiscovery, tmp_path: Path) -> None:
    opened(page, found, tmp_path)
    inks = {}
    for theme in ("light", "dark"):
        page.evaluate("name => { document.documentElement.dataset.theme = name }", theme)
        inks[theme] = page.locator("#processes svg text").first.evaluate("e => getComputedStyle(e).fill")
    assert inks["light"] != inks["dark"]


def test_hostile_names_are_text(page: Page, tmp_path: Path) -> None:
    names = ["<script>alert(1)</script>", "</svg><img src=x onerror=alert(2)>", "§{{content}}§", "x" * 90]
    dag = an.SeriesDAG(names, [*((name, 1, name) for name in names), (names[0], 1, names[1])])
    opened(page, an.discover_series(dag, lags=1), tmp_path)
    assert page.locator("img").count() == 0
    assert page.locator(".node").count() == 8
    assert names[1] in page.inner_text("#processes pre")
