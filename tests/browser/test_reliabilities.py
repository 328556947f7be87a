"""How often resamples agree, as a report shows it: beside a pair, in the table, in the picture."""

import re
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

import ancestral as an
from ancestral.show.certainties import percent


def resampled(names: list[str] | None = None, **options: Any) -> an.Bootstrap:
    dag = an.simulate.random_dag(nodes=10, degree=3, seed=14)
    data = an.simulate.linear_gaussian(dag, rows=200, seed=14).to_pandas()
    if names is not None:
        data = data.iloc[:, : len(names)].set_axis(names, axis=1)
    return an.bootstrap(data, **{"repeats": 300, "alpha": 0.05, **options})


@pytest.fixture(scope="module")
def boot() -> an.Bootstrap:
    made = resampled()
    shares = made.to_frame()["edge"]
    assert ((shares > 0) & (shares < 0.01)).any() and ((shares > 0.1) & (shares < 0.9)).any()
    return made


def opened(page: Page, boot: an.Bootstrap, folder: Path) -> list[str]:
    """Open the report; the variables as it lists them."""
    boot.report(folder / "boot.html")
    page.goto((folder / "boot.html").as_uri())
    page.wait_for_selector(".node")
    return list(page.eval_on_selector_all("#first option", "all => all.slice(1).map(o => o.textContent)"))


def test_every_pair_says_how_often(page: Page, boot: an.Bootstrap, tmp_path: Path) -> None:
    names = opened(page, boot, tmp_path)
    for a in range(len(names)):
        for b in range(len(names)):
            if a == b:
                continue
            page.select_option("#first", str(a))
            page.select_option("#second", str(b))
            found = boot.edge(names[a], names[b])
            text = page.inner_text("#answer")
            assert f"An edge in {percent(found.edge)} of 300 resamples." in text
            for name, marks in ((names[a], found.at_a), (names[b], found.at_b)):
                for mark, share in marks.items():
                    line = rf"at {name}: [^\n]*{mark} in {re.escape(percent(share))}"
                    assert bool(re.search(line, text)) == (share > 0)


def test_the_table_has_a_column_that_sorts(page: Page, boot: an.Bootstrap, tmp_path: Path) -> None:
    opened(page, boot, tmp_path)
    page.click("#table th button:text('In resamples')")
    page.click("#table th button:text('In resamples')")
    rows = page.eval_on_selector_all("#table tbody tr", "all => all.map(r => [...r.cells].map(c => c.textContent))")
    shares = [boot.edge(row[0], row[2]).edge for row in rows]
    assert shares == sorted(shares, reverse=True) and len(set(shares)) > 5
    names = {"o": "circle", "<": "arrowhead", ">": "arrowhead", "-": "tail"}
    for first, _, second, *_, shown, _why in rows:
        found, edge = boot.edge(first, second), boot.pag.edge(first, second)
        marks = [] if edge is None else [found.at_a[names[edge[0]]], found.at_b[names[edge[-1]]]]
        assert shown == " · ".join([percent(found.edge), *([" ".join(map(percent, marks))] if marks else [])])
    assert "as it is written" in str(page.locator("#table th button:text('In resamples')").get_attribute("title"))


def test_a_switch_fades_the_edges_that_few_resamples_have(page: Page, boot: an.Bootstrap, tmp_path: Path) -> None:
    names = opened(page, boot, tmp_path)
    assert page.locator(".line[opacity]").count() == 0
    page.click("#fade")
    assert page.get_attribute("#fade", "aria-pressed") == "true"
    pairs = page.eval_on_selector_all(".hit", "all => all.map(e => e.dataset.pair.split(' ').map(Number))")
    faint = page.eval_on_selector_all("#picture .line", "all => all.map(e => Number(e.getAttribute('opacity')))")
    assert len(pairs) == len(faint) > 0
    for (x, y), opacity in zip(pairs, faint, strict=True):
        assert opacity == pytest.approx(max(0.12, boot.edge(names[x], names[y]).edge), abs=0.0051)
    page.keyboard.press("Enter")
    assert page.locator(".line[opacity]").count() == 0 and page.get_attribute("#fade", "aria-pressed") == "false"


def test_it_says_what_a_frequency_is_not(page: Page, boot: an.Bootstrap, tmp_path: Path) -> None:
    opened(page, boot, tmp_path)
    text = page.inner_text("#resampled")
    assert "300 resamples of 200 rows, with replacement (seed 1)" in text and "not how probable" in text


def test_without_resamples_nothing_speaks_of_them(page: Page, boot: an.Bootstrap, tmp_path: Path) -> None:
    assert boot.found is not None
    boot.found.report(tmp_path / "run.html")
    page.goto((tmp_path / "run.html").as_uri())
    page.wait_for_selector(".node")
    assert not page.is_visible("#fade") and not page.is_visible("#resampled")
    assert "In resamples" not in page.inner_text("#table")
    page.select_option("#first", "0")
    page.select_option("#second", "1")
    assert "How stable" not in page.inner_text("#answer")


def test_names_are_text_here_too(page: Page, tmp_path: Path) -> None:
    names = ["<script>alert(1)</script>", "</script><img src=x onerror=alert(2)>", "{a} & §{{content}}§", "b"]
    alarms: list[str] = []
    page.on("dialog", lambda dialog: alarms.append(dialog.message))
    shown = opened(page, resampled(names, repeats=20), tmp_path)
    assert sorted(shown) == sorted(names)
    page.select_option("#first", "0")
    page.select_option("#second", "1")
    assert "of 20 resamples" in page.inner_text("#answer") and not alarms
    assert page.locator("#answer img, #answer script").count() == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_keeps_nobody_out(page: Page, boot: an.Bootstrap, theme: str, tmp_path: Path) -> None:
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    opened(page, boot, tmp_path)
    page.click("#fade")
    page.select_option("#first", "0")
    page.select_option("#second", "2")
    axe: Any = Axe
    results = axe().run(page)
    assert results.violations_count == 0, results.generate_report()


def test_reliabilities_of_other_data_are_refused(boot: an.Bootstrap, tmp_path: Path) -> None:
    other = resampled(repeats=2).found
    assert other is not None
    other.report(tmp_path / "same.html", reliabilities=boot)
    dag = an.simulate.random_dag(nodes=10, degree=3, seed=14)
    for graph, seed in ((an.DAG.parse("a -> b, b -> c"), 14), (dag, 15)):  # other variables; the same, with other rows
        found = an.discover(an.simulate.linear_gaussian(graph, rows=200, seed=seed))
        with pytest.raises(an.OptionError, match="reliabilities must be of the data of this run"):
            found.report(tmp_path / "other.html", reliabilities=boot)
    assert not (tmp_path / "other.html").exists()
