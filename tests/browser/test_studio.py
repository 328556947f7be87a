"""Whole stories in the studio, as a person would do them: with the mouse, with the keyboard alone, on a phone."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

import ancestral as an
from tests.browser.studio_pages import STEPS, Person, Studio, drag, go, running, tab_to, visiting
from tests.support.studio import held_at_a_stage

STUDY = an.DAG.parse("age -> diet, age -> sport, diet -> weight, sport -> weight, weight -> pressure, salt -> pressure")

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "it's \"quoted\" & 'so' &amp; on",
    "\U0001f600 emoji",
    "المتغيّر الأول",
    "</script><script>alert(2)</script>",
    "x" * 120,
]


def study(folder: Path, rows: int = 800) -> Path:
    """The file of a study of six variables."""
    path = folder / "study.csv"
    an.simulate.linear_gaussian(STUDY, rows=rows, seed=7).to_pandas().to_csv(path, index=False)
    return path


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    (tmp_path / "project").mkdir()
    with running(tmp_path / "project") as started:
        yield started


@pytest.fixture
def person(browser: Browser, studio: Studio) -> Iterator[Person]:
    with visiting(browser, studio) as somebody:
        yield somebody


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """A studio for stories that do not mind what others have left in its project."""
    with running(tmp_path_factory.mktemp("shared")) as started:
        yield started


@pytest.fixture
def guest(browser: Browser, shared: Studio) -> Iterator[Person]:
    with visiting(browser, shared) as somebody:
        yield somebody


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Studio]:
    """A studio with data, knowledge and two answers, for stories that look at it and change nothing."""
    folder = tmp_path_factory.mktemp("used")
    data = study(folder)
    with running(folder, str(data)) as started:
        with visiting(browser, started) as somebody:
            page = somebody.opens("knowledge")
            drag(page, "age", 0)
            drag(page, "pressure", 1)
            searched(page)
            page.fill("#alpha", "0.2")
            page.press("#alpha", "Tab")
            searched(page)
        yield started


def searched(page: Page) -> None:
    """Search, and wait for the answer."""
    go(page, "search")
    before = page.locator("#search-said").get_attribute("data-answer")
    page.click("#start")
    expect(page.locator("#search-done")).to_be_visible()
    expect(page.locator("#search-said")).not_to_have_attribute("data-answer", before or "")


def chosen_run(studio: Studio) -> Path:
    """The run file of the current answer."""
    current: str = json.loads((studio.folder / "project.json").read_text())["current"]
    return studio.folder / "answers" / current / "run.json"


def test_from_a_file_to_a_report_with_the_mouse(person: Person, tmp_path: Path) -> None:
    page = person.opens()
    page.set_input_files("#file", study(tmp_path))
    expect(page.locator("#data-facts")).to_contain_text("800 rows, 6 columns")
    page.click("text=Next: look at the variables")
    expect(page.locator("#columns tbody tr")).to_have_count(6)

    page.click("text=Next: say what you know")
    drag(page, "age", 0)
    for name in ("diet", "sport", "salt"):
        drag(page, name, 1)
    drag(page, "pressure", 2)  # beyond the last tier: a new one
    page.select_option("#pair-first", "salt")
    page.select_option("#pair-kind", "forbidden")
    page.select_option("#pair-second", "weight")
    page.click("#state-pair button")
    expect(page.locator("#statements")).to_contain_text("salt does not cause weight")
    known = an.Knowledge.read(person.studio.folder / "knowledge.toml")
    assert [set(tier) for tier in known.tiers] == [{"age"}, {"diet", "sport", "salt"}, {"pressure"}]
    expect(page.locator("#command")).to_contain_text("--knowledge")

    page.click("text=Next: search")
    page.fill("#alpha", "0.05")
    page.click("#start")
    page.click("text=Open the answer")
    report = page.frame_locator("#report")
    report.locator(".node").first.wait_for()
    run = chosen_run(person.studio)
    found = an.load(run)
    assert found.settings.alpha == 0.05
    assert set(report.locator(".hit").evaluate_all("all => all.map(e => e.getAttribute('aria-label'))")) == {
        " ".join(edge) for edge in found.pag.edges()
    }

    report.locator("#first").select_option(label="weight")
    report.locator("#second").select_option(label="pressure")
    expect(page.locator("#ask-first")).to_have_value("weight")
    expect(page.locator("#ask-second")).to_have_value("pressure")
    page.click("#questions >> text=Why?")
    expect(page.locator("#said pre").first).to_have_text(str(found.why("weight", "pressure")).strip())
    page.click("#questions >> text=Effect")
    expect(page.locator("#said h4").first).to_contain_text("How large")
    expect(page.locator("#said pre").first).not_to_have_text("…")

    page.select_option("#know-kind", "no_edge")
    page.click("text=I know that")
    expect(page.locator("#known-said")).to_contain_text("weight has no edge with pressure")
    go(page, "knowledge")
    expect(page.locator("#statements li")).to_have_count(2)
    assert an.Knowledge.read(person.studio.folder / "knowledge.toml").no_edge == (("pressure", "weight"),)
    page.click("#undo")
    expect(page.locator("#statements li")).to_have_count(1)
    go(page, "answer")

    with page.expect_download() as download:
        page.click("text=Run file (JSON)")
    assert download.value.path().read_bytes() == run.read_bytes()
    for title, beginning in (("Picture (SVG)", b"<"), ("Table of pairs", b""), ("Report (HTML)", b"<!doctype html>")):
        with page.expect_download() as download:
            page.click(f"#exports >> text={title}")
        saved = download.value.path().read_bytes()
        assert saved.startswith(beginning) and len(saved) > 100


def test_the_same_with_the_keyboard_alone(person: Person, tmp_path: Path) -> None:
    data = study(tmp_path)
    page = person.opens()
    tab_to(page, "#file")
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Enter")
    chooser.value.set_files(data)
    expect(page.locator("#data-facts")).to_contain_text("800 rows")
    tab_to(page, "a.next")
    page.keyboard.press("Enter")
    expect(page.locator("#title-variables")).to_be_focused()
    tab_to(page, '[aria-label="Use salt"]')
    page.keyboard.press("Space")
    page.wait_for_selector("#columns tr.unused")
    page.keyboard.press("Control+z")
    expect(page.locator("#columns tr.unused")).to_have_count(0)
    tab_to(page, "a.next")
    page.keyboard.press("Enter")

    tab_to(page, "#board .chip")
    first = page.evaluate("document.activeElement.textContent").lstrip("⠿")
    page.keyboard.press("ArrowRight")
    expect(page.locator('#board .tier[data-tier="0"] .chip')).to_contain_text(first)
    assert page.evaluate("document.activeElement.textContent").lstrip("⠿") == first
    tab_to(page, '#board .tier[data-tier="-1"] .chip', key="Shift+Tab")
    page.keyboard.press("ArrowDown")
    second = page.evaluate("document.activeElement.textContent").lstrip("⠿")
    page.keyboard.press("Space")
    expect(page.locator("#move-what")).to_contain_text(second)
    tab_to(page, "#move-to")
    page.keyboard.type("Tier 2")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator('#board .tier[data-tier="1"] .chip')).to_contain_text(second)
    expect(page.locator("#command")).to_contain_text("--knowledge")
    known = an.Knowledge.read(person.studio.folder / "knowledge.toml")
    assert [list(tier) for tier in known.tiers] == [[first], [second]]
    tab_to(page, "a.next")
    page.keyboard.press("Enter")

    tab_to(page, "#start")
    page.keyboard.press("Enter")
    page.wait_for_selector("#search-done:not([hidden])")
    tab_to(page, "#search-done a")
    page.keyboard.press("Enter")
    page.frame_locator("#report").locator(".node").first.wait_for()
    tab_to(page, "#ask-first")
    page.keyboard.type("weight")
    tab_to(page, "#ask-second")
    page.keyboard.type("pressure")
    tab_to(page, "#questions button")
    page.keyboard.press("Enter")
    expect(page.locator("#said pre")).to_contain_text("weight")
    tab_to(page, "#exports a[href$='run.json']")
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    assert download.value.path().read_bytes() == chosen_run(person.studio).read_bytes()


def test_a_search_is_stopped_and_resumed(person: Person, tmp_path: Path) -> None:
    """The stage that was kept is shown, and the search goes on to the answer of a search that was never stopped."""
    dag = an.simulate.random_dag(nodes=10, degree=4, seed=5)
    data = an.simulate.nonlinear(dag, rows=700, seed=5).to_pandas()  # kernel tests of it take a second or two
    data.to_csv(tmp_path / "curves.csv", index=False)
    page = person.opens()
    page.set_input_files("#file", tmp_path / "curves.csv")
    expect(page.locator("#data-facts")).to_contain_text("700 rows")
    go(page, "search")
    page.select_option("#test", "kernel")
    page.fill("#radius", "2")
    page.press("#radius", "Tab")
    page.click("#start")
    with held_at_a_stage(person.studio.folder / "answers" / "001" / "run.json"):
        page.click("#stop")
        expect(page.locator("#progress-label")).to_contain_text("Stopping")
    page.wait_for_selector("#resume:not([hidden])")
    page.wait_for_selector("#stage-figure:not([hidden])")
    kept = an.load(chosen_run(person.studio))
    assert not kept.complete and kept.radius is not None and kept.radius < 2
    expect(page.locator("#stages tbody tr")).to_have_count(kept.radius + 1)
    expect(page.locator("#search-said")).to_contain_text(f"{len(list(kept.pag.edges()))} edge")
    expect(page.locator("#resume-why")).to_contain_text("The search was stopped. Resume goes on from its last stage")
    page.click("#resume")
    expect(page.locator("#stop")).to_be_visible()
    expect(page.locator("#stop")).to_be_hidden(timeout=30_000)
    expect(page.locator("#stages tbody tr")).to_have_count(3)
    assert an.load(chosen_run(person.studio)).radius == 2


def test_a_dropped_file_typed_knowledge_and_a_bootstrap(guest: Person, tmp_path: Path) -> None:
    page = guest.opens()
    dropped = page.evaluate_handle(
        "text => { const all = new DataTransfer(); all.items.add(new File([text], 'study.csv')); return all; }",
        study(tmp_path, rows=790).read_text("utf-8"),
    )
    page.dispatch_event("#drop", "drop", {"dataTransfer": dropped})
    expect(page.locator("#data-facts")).to_contain_text("790 rows")
    go(page, "knowledge")
    page.click("#notation-more summary")
    page.fill("#notation", "age, salt < weight < pressure\nsport -/-> diet")
    page.click("#notation-form button")
    page.wait_for_selector('#board .tier[data-tier="1"] .chip:has-text("weight")')
    expect(page.locator("#statements")).to_contain_text("sport")
    drag(page, "diet", 1)
    expect(page.locator("#notation")).to_have_value("age, salt < diet, weight < pressure\nsport -/-> diet")
    searched(page)
    go(page, "answer")
    assert not page.frame_locator("#report").locator("#fade").is_visible()
    page.fill("#repeats", "10")
    page.click("#bootstrap-start")
    expect(page.locator("#bootstrap-hint")).to_contain_text("The bootstrap was made", timeout=30_000)
    report = page.frame_locator("#report")
    report.locator("#fade").click()
    boot = an.load_bootstrap(chosen_run(guest.studio).with_name("bootstrap.json"))
    faint = min(boot.edge(a, b).edge for a, _, b in boot.pag.edges())
    opacities = report.locator(".line").evaluate_all("all => all.map(e => Number(e.getAttribute('opacity') ?? 1))")
    assert min(opacities) == pytest.approx(max(faint, 0.12), abs=0.006)


def test_a_wrong_file_is_refused_in_words(guest: Person, tmp_path: Path) -> None:
    guest.expected = ["Failed to load resource: the server responded with a status of 4"]
    page = guest.opens()
    (tmp_path / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    page.set_input_files("#file", tmp_path / "photo.png")
    expect(page.locator("#alert")).to_contain_text("photo.png")
    (tmp_path / "empty.csv").write_bytes(b"")
    page.set_input_files("#file", tmp_path / "empty.csv")
    expect(page.locator("#alert")).to_contain_text("empty")
    (tmp_path / "torn.csv").write_text("a,b\n1,2\n3\n")
    page.set_input_files("#file", tmp_path / "torn.csv")
    expect(page.locator("#data-facts")).to_contain_text("line 3 of torn.csv has 1 field")
    assert "0 rows" not in str(page.text_content("#data-facts"))
    page.set_input_files("#file", study(tmp_path, rows=810))  # and the studio goes on
    expect(page.locator("#data-facts")).to_contain_text("810 rows")
    expect(page.locator("#alert")).to_be_empty()


def test_hostile_names_and_levels_are_only_text(person: Person, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    values = rng.standard_normal((300, len(HOSTILE)))
    values[:, 1] += values[:, 0]
    table = pd.DataFrame(values, columns=HOSTILE)
    table["levels"] = np.where(
        values[:, 0] + rng.standard_normal(300) > 0, "<img src=y onerror=alert(3)>", '"]};// \u202e'
    )
    table.to_csv(tmp_path / "hostile.csv", index=False)
    page = person.opens()
    page.set_input_files("#file", tmp_path / "hostile.csv")
    expect(page.locator("#data-facts")).to_contain_text("7 columns")
    go(page, "variables")
    shown = page.eval_on_selector_all("#columns tbody th", "all => all.map(e => e.textContent)")
    assert shown == [*HOSTILE, "levels"]
    go(page, "knowledge")
    first, second = HOSTILE[:2]
    page.locator("#board .chip", has_text=first).focus()
    page.keyboard.press("ArrowRight")
    page.locator("#board .chip", has_text="levels").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.select_option("#pair-first", second)
    page.select_option("#pair-second", first)
    page.click("#state-pair button")
    expect(page.locator("#statements")).to_contain_text(f"{second} does not cause {first}")
    go(page, "search")
    page.click("#start")
    page.click("text=Open the answer")
    page.frame_locator("#report").locator(".node").first.wait_for()
    page.select_option("#ask-first", first)
    page.select_option("#ask-second", second)
    page.click("#questions >> text=Why?")
    expect(page.locator("#said pre")).to_contain_text(first)
    known = an.Knowledge.read(person.studio.folder / "knowledge.toml")
    assert [list(tier) for tier in known.tiers] == [[first], ["levels"]]
    assert page.locator("main img[src='x'], main script").count() == 0


def test_two_tabs_do_not_tread_on_each_other(guest: Person, tmp_path: Path) -> None:
    guest.expected = ["Failed to load resource: the server responded with a status of 409"]
    one = guest.opens("search")
    other = guest.opens("data")
    other.set_input_files("#file", study(tmp_path).rename(tmp_path / "tabs.csv"))
    expect(one.locator("#command")).to_contain_text("tabs.csv")  # what is done in one is seen in the other
    other.close()

    stale = guest.opens("search")
    stale.route("**/api/state?after*", lambda route: None)  # it hears of nothing from now on
    one.fill("#radius", "3")
    one.press("#radius", "Tab")
    expect(one.locator("#command")).to_contain_text("3")
    one.fill("#alpha", "0.2")
    one.press("#alpha", "Tab")
    expect(one.locator("#command")).to_contain_text("0.2")
    stale.fill("#alpha", "0.3")
    stale.press("#alpha", "Tab")
    expect(stale.locator("#alert")).to_contain_text("changed in another tab")
    expect(stale.locator("#alpha")).to_have_value("0.2")
    stale.unroute_all(behavior="ignoreErrors")


def test_a_studio_that_ends_is_told(browser: Browser, tmp_path: Path) -> None:
    with running(tmp_path) as studio, visiting(browser, studio) as somebody:
        somebody.expected = ["Failed to load resource: "]
        page = somebody.opens()
        studio.end()
        expect(page.locator("#gone")).to_contain_text("does not answer")


def test_answers_are_compared_and_changes_undone(browser: Browser, used: Studio) -> None:
    with visiting(browser, used) as somebody:
        page = somebody.opens("compare")
        expect(page.locator("#answers tbody tr")).to_have_count(2)
        expect(page.locator("#answers")).to_contain_text("alpha 0.01 → 0.2")
        expect(page.locator("#compare-settings")).to_contain_text("alpha")
        one, other = (an.load(used.folder / "answers" / id / "run.json").pag for id in ("001", "002"))
        differ = int(np.count_nonzero((one.marks != other.marks) | (one.marks != other.marks).T)) // 2
        expect(page.locator("#compare-edges tbody tr")).to_have_count(differ)
        for which in ("one", "other"):
            page.frame_locator(f"#frame-{which}").locator(".node").first.wait_for()
            expect(page.locator(f"#drawn-{which}")).to_have_js_property("complete", True)
            assert page.locator(f"#drawn-{which}").evaluate("image => image.naturalWidth") > 0
        page.focus("#title-compare")
        page.keyboard.press("Control+z")
        expect(page.locator("#redo-here")).to_be_visible()
        page.keyboard.press("Control+Shift+z")
        expect(page.locator("#redo-here")).to_be_hidden()


@pytest.mark.parametrize(("theme", "width"), [("light", 1400), ("dark", 360)])
def test_nobody_is_kept_out(browser: Browser, used: Studio, theme: Literal["light", "dark"], width: int) -> None:
    """No step violates the rules of accessibility, on a desk or on a phone, and nothing runs off the side."""
    axe: Any = Axe
    with visiting(browser, used, color_scheme=theme) as somebody:
        page = somebody.opens()
        assert page.evaluate("document.documentElement.dataset.theme") == theme
        page.set_viewport_size({"width": width, "height": 800})
        for step in STEPS:
            go(page, step)
            page.wait_for_timeout(150)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, step
            results = axe().run(page)
            assert results.violations_count == 0, (step, results.generate_report())
        # the report takes over the theme of the button
        page.click("#theme")
        expect(page.frame_locator("#frame-one").locator("html")).to_have_attribute(
            "data-theme", "light" if theme == "dark" else "dark"
        )


def test_pictures_can_be_read_on_a_phone(browser: Browser, used: Studio) -> None:
    """Labels have 11 of their 13 pixels at least; what is scrolled in one of two answers is scrolled in the other."""

    def scale(image: str) -> float:
        size: float = page.locator(image).evaluate("e => e.getBoundingClientRect().width / e.naturalWidth")
        return size

    with visiting(browser, used, viewport={"width": 360, "height": 740}) as somebody:
        page = somebody.opens("search")
        expect(page.locator("#stage-figure")).to_be_visible()
        expect(page.locator("#stage-whole")).to_be_visible()
        assert scale("#stage-picture") >= 11 / 13 - 0.01
        go(page, "compare")
        expect(page.locator("#drawn-whole")).to_be_visible()
        expect(page.locator("#drawn-other")).to_have_js_property("complete", True)
        assert (
            scale("#drawn-one") == pytest.approx(scale("#drawn-other"), abs=0.01)
            and scale("#drawn-one") >= 11 / 13 - 0.01
        )
        one, other = (page.locator(f".pane:has(#drawn-{which})") for which in ("one", "other"))
        assert one.evaluate("pane => pane.scrollLeft") > 0, "it begins in the middle"
        page.wait_for_function(
            "([one, other]) => { one.scrollLeft = 3; return other.scrollLeft === 3; }",
            arg=[one.element_handle(), other.element_handle()],
        )
        page.click("#drawn-whole")
        expect(page.locator("#drawn-whole")).to_have_text("Readable size")
        assert one.evaluate("pane => pane.scrollWidth <= pane.clientWidth && pane.scrollHeight <= pane.clientHeight")


def test_on_paper_there_is_the_picture_and_no_buttons(browser: Browser, used: Studio) -> None:
    with visiting(browser, used, color_scheme="dark") as somebody:
        page = somebody.opens("answer")
        page.frame_locator("#report").locator(".node").first.wait_for()
        page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print")
        assert page.evaluate("document.documentElement.dataset.theme") == "light"
        assert page.locator("#answer-picture").is_visible()
        assert page.evaluate("document.getElementById('answer-picture').naturalWidth") > 0
        for hidden in ("nav", "#report", "#ask", "#theme"):
            assert not page.locator(hidden).is_visible()
        assert page.locator("#command").is_visible()
        page.emulate_media(media="screen")
        go(page, "compare")
        expect(page.locator("#undo-here")).to_be_visible()
        page.emulate_media(media="print")
        assert page.locator("#step-compare button:visible").count() == 0
        page.evaluate("window.dispatchEvent(new Event('afterprint'))")
        assert page.evaluate("document.documentElement.dataset.theme") == "dark"
