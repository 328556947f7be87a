"""What a person sees and does with a report, in a real browser: it must say what `found` says."""

import json
from itertools import permutations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

import ancestral as an
from ancestral.show.certainties import percent
from tests.browser.every_pair import told_about
from tests.support.chow_liu import POLYTREE, registered

HOSTILE = [
    "<script>alert(1)</script>",
    '"]};//',
    "it's \"quoted\" & 'so' &amp; on",
    "\U0001f600 emoji \U0001f469‍\U0001f52c",
    "x" * 200,
    "المتغيّر الأول",
    "</script ><img src=x onerror=alert(2)>",
    "{a} {given} ${7*7} §{{content}}§",
    "two\nlines\tand  spaces ",
]

SVG = "{http://www.w3.org/2000/svg}"


def troubled(names: list[str] | None = None, seed: int = 14) -> an.Discovery:
    """A run whose stages differ, with marks by several rules; with seed 35 some answers contradict each other."""
    dag = an.simulate.random_dag(nodes=12, degree=3, seed=seed)
    data = an.simulate.linear_gaussian(dag, rows=400, seed=seed).to_pandas()
    if names is not None:
        data = data.iloc[:, : len(names)].set_axis(names, axis=1)
    return an.discover(data, alpha=0.05)


@pytest.fixture(scope="module")
def found() -> an.Discovery:
    run = troubled()
    assert len(run.graphs) >= 4 and len({o.rule for o in run.trace.orientations}) >= 4
    return run


def opened(page: Page, run: an.Discovery, folder: Path) -> None:
    run.report(folder / "run.html")
    page.goto((folder / "run.html").as_uri())
    page.wait_for_selector(".node")


def written(graph: an.PAG) -> set[str]:
    return {" ".join(edge) for edge in graph.edges()}


def edges_shown(page: Page) -> set[str]:
    return set(page.eval_on_selector_all(".hit", "all => all.map(e => e.getAttribute('aria-label'))"))


def choose(page: Page, a: int, b: int) -> None:
    page.select_option("#first", "")
    page.select_option("#second", "")
    page.select_option("#first", str(a))
    page.select_option("#second", str(b))


def reasons_shown(page: Page) -> list[tuple[int, str]]:
    """Each step with its depth: the number of lists around its own."""
    steps = page.eval_on_selector_all(
        ".why .step",
        "all => all.map(s => { let d = -1; for (let e = s; !e.id; e = e.parentElement) d += e.tagName === 'UL';"
        " return [d, s.textContent]; })",
    )
    return [(depth, text) for depth, text in steps]


def names_with(page: Page, kind: str) -> set[str]:
    return set(page.eval_on_selector_all(f".node.{kind}", "all => all.map(e => e.getAttribute('aria-label'))"))


def test_the_slider_shows_the_graph_of_each_stage(page: Page, found: an.Discovery, tmp_path: Path) -> None:
    opened(page, found, tmp_path)
    assert page.locator("#stage").get_attribute("max") == str(len(found.graphs) - 1)
    page.focus("#stage")
    for graph, milestone in reversed(list(zip(found.graphs, found.history, strict=True))):
        assert edges_shown(page) == written(graph)
        shown = page.inner_text("#stage-name")
        assert shown.startswith(f"radius {milestone.radius}: {milestone.edges} edge")
        page.keyboard.press("ArrowLeft")
    assert page.locator(".ghost").count() == 0  # nothing was there before the first


def test_what_vanished_is_dashed_and_new_marks_stand_out(page: Page, found: an.Discovery, tmp_path: Path) -> None:
    opened(page, found, tmp_path)
    for at in range(1, len(found.graphs)):
        page.locator("#stage").fill(str(at))
        before, now = found.graphs[at - 1], found.graphs[at]
        gone = np.count_nonzero((before.marks != 0) & (now.marks == 0)) // 2
        assert page.locator(".ghost").count() == gone
        fresh = np.count_nonzero(
            (before.marks != 0) & (now.marks != 0) & (before.marks != now.marks) & (now.marks == 2)
        )
        assert page.locator(".head.fresh").count() == fresh


def test_the_page_says_how_certain_it_is(page: Page, tmp_path: Path) -> None:
    """The sentences of the summary, the answers of `causes`, the sentences of `why`, and the share of each edge."""
    dag = an.simulate.random_dag(nodes=8, degree=3, seed=3)
    run = an.discover(an.simulate.linear_gaussian(dag, rows=200, seed=3), resamples=10, progress=False)
    opened(page, run, tmp_path)
    said = page.eval_on_selector_all(".belief", "all => all.map(e => e.textContent)")
    assert said and all(sentence in str(run) for sentence in said)
    names = sorted(run.pag.nodes)
    certainty = run.certainty()
    for a, b in ((0, 1), (1, 3), (2, 4)):
        choose(page, a, b)
        assert reasons_shown(page) == [(s.depth, s.text) for s in run.why(names[a], names[b]).steps]
        text = page.inner_text("#answer")
        for x, y in ((a, b), (b, a)):
            answer = run.causes(names[x], names[y])
            assert f"{names[x]} causes {names[y]}: {answer} ({answer.reason})" in text
    shown = page.eval_on_selector_all("#table tbody tr", "all => all.map(r => [...r.cells].map(c => c.innerText))")
    for first, edge, second, *_, share, _why in shown:
        agreed = certainty.edge(first, second)
        with_edge = agreed if edge != "none" else 1 - agreed
        assert share == percent(with_edge)


@pytest.mark.parametrize("seed", [14, 35])
def test_every_pair_is_explained_as_why_explains_it(page: Page, seed: int, tmp_path: Path) -> None:
    found = troubled(seed=seed)
    assert bool(found.trace.conflicts) == (seed == 35)
    opened(page, found, tmp_path)
    names = page.eval_on_selector_all("#first option", "all => all.slice(1).map(o => o.textContent)")
    pairs = list(permutations(range(len(names)), 2))
    for (a, b), told in zip(pairs, told_about(page, pairs), strict=True):
        steps = found.why(names[a], names[b]).steps
        assert told.steps == [(step.depth, step.text) for step in steps]
        sepset = found.sepset(names[a], names[b])
        assert told.chosen == {names[a], names[b]}
        assert told.separating == (sepset or set())
        if sepset is None:
            witnesses = {v for step in steps if step.depth == 1 for v in step.because}
            assert told.witness == witnesses - {names[a], names[b]}
        for x, y in ((names[a], names[b]), (names[b], names[a])):
            reply = found.causes(x, y)
            assert f"{x} causes {y}: {reply} ({reply.reason})" in told.answer


def test_an_edge_is_clicked_and_a_step_points_at_its_witnesses(page: Page, tmp_path: Path) -> None:
    run = an.discover(an.Oracle(an.DAG.parse("L -> b, L -> c, a -> b, d -> c, b -> e, c -> e, e -> f", latent=["L"])))
    opened(page, run, tmp_path)
    box = page.locator('.hit[aria-label="e --> f"]').bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert page.locator(".line.chosen").count() == 1
    assert "e is a cause of f" in page.inner_text(".meaning")
    step = next(s for s in run.why("e", "f").steps if s.rule)
    page.locator(".why button", has_text=step.text).first.click()
    assert names_with(page, "witness") | {"e", "f"} == {*step.because, "e", "f"}
    assert page.locator('.step[aria-pressed="true"]').count() == 1


def test_two_clicks_on_variables_ask_about_the_two(page: Page, tmp_path: Path) -> None:
    run = an.discover(an.Oracle(an.DAG.parse("a -> b, b -> c")))
    opened(page, run, tmp_path)
    page.locator('.node[aria-label="a"]').click()
    page.locator('.node[aria-label="c"]').click()
    assert reasons_shown(page) == [(s.depth, s.text) for s in run.why("a", "c").steps]
    assert names_with(page, "set") == {"b"}


def test_the_table_has_all_pairs_and_sorts_and_filters(page: Page, found: an.Discovery, tmp_path: Path) -> None:
    opened(page, found, tmp_path)
    frame = found.to_frame("all", library="polars")
    rows = page.locator("#table tbody tr")
    assert rows.count() == len(frame)
    page.select_option("#only", "edges")
    assert rows.count() == len(found.pag.edges())
    page.select_option("#only", "apart")
    assert rows.count() == len(frame) - len(found.pag.edges())
    page.select_option("#only", "all")
    name = found.pag.nodes[3]
    page.fill("#filter", name.upper())
    assert rows.count() == sum(name in pair for pair in frame.select("a", "b").iter_rows())
    page.fill("#filter", "")
    page.locator("#table th button", has_text="p-value").click()
    shown = [float(text) for text in page.locator("#table tbody td:nth-child(4)").all_inner_texts()]
    expected = sorted(frame["p_value"].to_list())
    assert shown == pytest.approx(expected, rel=0.06)
    assert page.locator('#table th[aria-sort="ascending"]').count() == 1
    page.locator("#table th button", has_text="p-value").click()
    again = [float(text) for text in page.locator("#table tbody td:nth-child(4)").all_inner_texts()]
    assert again == pytest.approx(expected[::-1], rel=0.06)
    page.locator("#table tbody button").first.click()
    assert page.locator(".why").count() == 1


def test_the_keyboard_suffices(page: Page, found: an.Discovery, tmp_path: Path) -> None:
    opened(page, found, tmp_path)
    page.focus("#export")
    page.keyboard.press("Tab")
    for _ in found.pag.nodes:
        page.keyboard.press("ArrowRight")
    edge = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert edge in written(found.pag)
    page.keyboard.press("Enter")
    a, _, b = edge.split()
    assert reasons_shown(page) == [(s.depth, s.text) for s in found.why(a, b).steps]
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == edge
    before = page.locator("#picture").get_attribute("viewBox")
    page.keyboard.press("+")
    assert page.locator("#picture").get_attribute("viewBox") != before
    page.keyboard.press("Escape")
    assert page.locator(".why").count() == 0


def test_search_leads_to_the_neighbourhood(page: Page, found: an.Discovery, tmp_path: Path) -> None:
    opened(page, found, tmp_path)
    name = max(found.pag.nodes, key=lambda v: len(found.pag.neighbours(v)))
    page.fill("#search", name)
    page.keyboard.press("Enter")
    shown = set(page.eval_on_selector_all(".node", "all => all.map(e => e.getAttribute('aria-label'))"))
    assert shown == {name, *found.pag.neighbours(name)}
    page.click("#whole")
    assert page.locator(".node").count() == len(found.pag.nodes)
    page.fill("#search", "nobody")
    assert page.inner_text("#matches") == "no such variable"


def test_pan_and_zoom(page: Page, found: an.Discovery, tmp_path: Path) -> None:
    opened(page, found, tmp_path)

    def view() -> list[float]:
        return [float(value) for value in str(page.locator("#picture").get_attribute("viewBox")).split()]

    start = view()
    page.click("#zoom-in")
    assert view()[2] == pytest.approx(0.8 * start[2], rel=1e-3)
    page.click("#fit")
    assert view() == start
    box = page.locator("#picture").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + 65, box["y"] + 35)
    page.mouse.up()
    assert view()[0] == pytest.approx(start[0] - 60 * start[2] / box["width"], abs=1)
    page.mouse.wheel(0, -100)
    assert view()[2] < start[2]


def test_the_picture_is_saved_as_a_file_of_its_own(page: Page, found: an.Discovery, tmp_path: Path) -> None:
    opened(page, found, tmp_path)
    with page.expect_download() as download:
        page.click("#export")
    download.value.save_as(tmp_path / "graph.svg")
    text = (tmp_path / "graph.svg").read_text()
    assert "var(" not in text
    document = ElementTree.fromstring(text)
    assert document.get("style") is None  # the height of the page would leave empty bands
    assert [float(document.get(side, 0)) for side in ("width", "height")] == pytest.approx(
        [float(number) for number in document.get("viewBox", "").split()[2:]], abs=1
    )
    assert {title.text for title in document.iter(f"{SVG}title")} >= set(found.pag.nodes)
    assert len([p for p in document.iter(f"{SVG}path") if "line" in p.get("class", "")]) == len(found.pag.edges())
    page.goto((tmp_path / "graph.svg").as_uri())  # it opens by itself, too


def test_the_page_draws_what_plot_draws(page: Page, found: an.Discovery, tmp_path: Path) -> None:
    opened(page, found, tmp_path)
    found.plot(tmp_path / "graph.svg")
    document = ElementTree.parse(tmp_path / "graph.svg")
    theirs = [p.get("d") for p in document.iter(f"{SVG}path") if p.find(f"{SVG}title") is not None]
    ours = page.eval_on_selector_all("#picture .line", "all => all.map(e => e.getAttribute('d'))")
    drawn, plotted = sorted(map(_corners, ours)), sorted(map(_corners, map(str, theirs)))
    assert len(drawn) == len(plotted)
    for one, other in zip(drawn, plotted, strict=True):
        assert one == pytest.approx(other, abs=0.3)


def _corners(path: str) -> list[float]:
    numbers = np.array([float(value) for value in path.replace("M", "").replace("Q", " ").split()]).reshape(-1, 2)
    one, other = np.round(numbers).ravel().tolist(), np.round(numbers[::-1]).ravel().tolist()
    ordered = numbers if one < other else numbers[::-1]  # whichever way it is drawn
    return [float(value) for value in ordered.ravel()]


#: The pairs and boxes of the picture in which an edge runs behind a box that is not its own.
BEHIND = """() => {
  const nodes = [...document.querySelectorAll('#picture .node')];
  const boxes = nodes.map((node) => [node.dataset.node, node.querySelector('.frame').getBBox()]);
  const out = [];
  for (const path of document.querySelectorAll('#picture .hit')) {
    const own = path.dataset.pair.split(' '), length = path.getTotalLength();
    for (let at = 0; at <= length; at += 2) {
      const { x, y } = path.getPointAtLength(at);
      for (const [v, box] of boxes) {
        const inside = x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
        if (inside && !own.includes(v)) out.push([own, v]);
      }
    }
  }
  return out;
}"""


@pytest.fixture(scope="module")
def large() -> an.Discovery:
    dag = an.simulate.random_dag(nodes=77, degree=2.5, seed=4)
    return an.discover(an.simulate.linear_gaussian(dag, rows=1500, seed=4), alpha=0.001, resamples=0)


def test_no_edge_runs_behind_a_box_at_any_stage_nor_in_a_neighbourhood(
    page: Page, large: an.Discovery, tmp_path: Path
) -> None:
    opened(page, large, tmp_path)
    for stage in range(len(large.graphs)):
        page.evaluate(
            "k => { const s = document.getElementById('stage'); s.value = k; s.dispatchEvent(new Event('input')); }",
            stage,
        )
        assert page.locator("#picture .hit").count() == len(large.graphs[stage].edges())
        assert page.evaluate(BEHIND) == []
    degrees = {name: sum(name in (a, b) for a, _, b in large.pag.edges()) for name in large.pag.nodes}
    centre = max(degrees, key=lambda name: degrees[name])
    for steps in ("1", "2"):
        page.fill("#search", centre)
        page.press("#search", "Enter")
        page.select_option("#steps", steps)
        assert page.evaluate(BEHIND) == []
    page.select_option("#steps", "1")
    around = {centre} | {b if a == centre else a for a, _, b in large.pag.edges() if centre in (a, b)}
    shown = page.eval_on_selector_all(".node", "all => all.map(e => e.getAttribute('aria-label'))")
    assert set(shown) == around


def label_size(page: Page) -> float:
    """The height of letters on the screen, in pixels."""
    size: float = page.evaluate(
        "() => 13 * document.getElementById('picture').getBoundingClientRect().width"
        " / document.getElementById('picture').viewBox.baseVal.width"
    )
    return size


def test_a_large_graph_opens_where_it_is_most_connected_and_can_be_read(
    page: Page, large: an.Discovery, tmp_path: Path
) -> None:
    opened(page, large, tmp_path)
    assert label_size(page) >= 11 - 1e-6
    degrees = {name: sum(name in (a, b) for a, _, b in large.pag.edges()) for name in large.pag.nodes}
    picture, most = page.locator("#picture").bounding_box(), max(degrees.values())
    assert picture is not None
    inside = []
    for name, degree in degrees.items():
        box = page.locator(f'.node[aria-label="{name}"]').bounding_box()
        assert box is not None
        right, bottom = picture["x"] + picture["width"], picture["y"] + picture["height"]
        across = picture["x"] <= box["x"] <= right - box["width"]
        if across and picture["y"] <= box["y"] <= bottom - box["height"]:
            inside.append(degree)
    assert most in inside and len(inside) < len(degrees)
    assert page.locator("#overview").is_visible()
    frame = page.locator("#overview .window").bounding_box()
    page.locator("#overview").click(position={"x": 4, "y": 4})  # its corner comes into view
    moved = page.locator("#overview .window").bounding_box()
    assert frame is not None and moved is not None and (moved["x"], moved["y"]) != (frame["x"], frame["y"])
    page.click("#fit")
    assert label_size(page) < 11
    assert not page.locator("#overview").is_visible()


def test_the_keyboard_brings_what_it_reaches_into_view(page: Page, large: an.Discovery, tmp_path: Path) -> None:
    opened(page, large, tmp_path)
    page.locator("#picture .node").first.focus()
    for _ in range(len(large.pag.nodes) - 1):
        page.keyboard.press("ArrowRight")
    focused, picture = page.locator(".node:focus").bounding_box(), page.locator("#picture").bounding_box()
    assert focused is not None and picture is not None
    assert picture["x"] - 1 <= focused["x"] <= picture["x"] + picture["width"]
    assert picture["y"] - 1 <= focused["y"] <= picture["y"] + picture["height"]


def test_names_are_text_whatever_they_are(page: Page, tmp_path: Path) -> None:
    run = troubled(HOSTILE)
    opened(page, run, tmp_path)
    assert page.locator("script").count() == 2  # the content and the script, as in any report
    assert page.locator("img").count() == 0
    labels = page.eval_on_selector_all(".node", "all => all.map(e => e.getAttribute('aria-label'))")
    assert set(labels) == set(HOSTILE)
    assert set(page.eval_on_selector_all(".node title", "all => all.map(e => e.textContent)")) == set(HOSTILE)
    for a, b in ((HOSTILE[0], HOSTILE[1]), (HOSTILE[6], HOSTILE[7]), (HOSTILE[3], HOSTILE[8])):
        names = page.eval_on_selector_all("#first option", "all => all.slice(1).map(o => o.textContent)")
        choose(page, names.index(a), names.index(b))
        assert reasons_shown(page) == [(s.depth, s.text) for s in run.why(a, b).steps]
    page.fill("#filter", "<script>")
    assert page.locator("#table tbody tr").count() == len(HOSTILE) - 1
    with page.expect_download() as download:
        page.click("#export")
    download.value.save_as(tmp_path / "saved.svg")
    run.plot(tmp_path / "plotted.svg")
    for file in ("saved.svg", "plotted.svg"):
        document = ElementTree.parse(tmp_path / file)
        assert {title.text for title in document.iter(f"{SVG}title")} >= set(HOSTILE)
        assert not list(document.iter(f"{SVG}script")) and not list(document.iter(f"{SVG}img"))
        page.goto((tmp_path / file).as_uri())
    assert set(json.loads(run.to_json())["variables"]) == set(HOSTILE)


def test_the_name_of_the_data_is_text(page: Page, tmp_path: Path) -> None:
    data = tmp_path / "a <img src=x onerror=alert(1)> & §{{content}}§.csv"
    an.simulate.linear_gaussian(an.DAG.parse("a -> b"), rows=50, seed=1).write_csv(data)
    opened(page, an.discover(data), tmp_path)
    assert page.locator("img").count() == 0
    assert page.inner_text("h1") == page.title() == f"{data.name}: Scored search on 2 variables"


@pytest.mark.parametrize("names", [None, HOSTILE], ids=["plain names", "any names"])
def test_labels_fit_into_their_boxes(page: Page, names: list[str] | None, tmp_path: Path) -> None:
    opened(page, troubled(names), tmp_path)
    room = page.eval_on_selector_all(
        ".node",
        "all => all.map(e => e.querySelector('rect').width.baseVal.value"
        " - e.querySelector('text').getComputedTextLength())",
    )
    assert min(room) > 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_keeps_anybody_out(page: Page, found: an.Discovery, theme: str, tmp_path: Path) -> None:
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    opened(page, found, tmp_path)
    assert page.evaluate("document.documentElement.dataset.theme") == theme
    a, _, b = found.pag.edges()[0]
    names = page.eval_on_selector_all("#first option", "all => all.slice(1).map(o => o.textContent)")
    axe: Any = Axe
    for step in ("opened", "a pair is chosen", "a name is searched"):
        if step == "a pair is chosen":
            choose(page, names.index(a), names.index(b))
        elif step == "a name is searched":
            page.fill("#search", "x")
        results = axe().run(page)
        assert results.violations_count == 0, results.generate_report()


def test_on_paper_there_is_what_can_be_read_and_nothing_to_click(
    page: Page, found: an.Discovery, tmp_path: Path
) -> None:
    opened(page, found, tmp_path)
    page.emulate_media(media="print")
    for hidden in ("#zoom-in", "#search", "#stage", "#filter", "#details", "#table button >> nth=-1"):
        assert not page.locator(hidden).first.is_visible()
    for shown in ("#picture", "#facts", "#history td >> nth=2", "#lessons", "#commands"):
        assert page.locator(shown).is_visible()
    page.emulate_media(media="screen")
    choose(page, 0, 1)
    page.click("#theme")
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(232, 236, 241)"  # light on dark
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(27, 36, 48)"  # paper is white
    assert page.locator("#details .why").is_visible()


@pytest.mark.parametrize("names", [["displacement", "acceleration", "horsepower", "model year", "weight"], HOSTILE])
def test_tables_fit_on_paper_and_ordinary_words_are_not_torn(page: Page, names: list[str], tmp_path: Path) -> None:
    page.set_viewport_size({"width": 700, "height": 1000})  # A4 within its margins
    opened(page, troubled(names), tmp_path)
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth") <= 700
    lines = page.eval_on_selector_all(
        "#table td:nth-child(1), #table td:nth-child(3)",
        """all => all.map(cell => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          return [cell.textContent, new Set([...range.getClientRects()].map(r => r.top)).size];
        })""",
    )
    assert lines and all(count == 1 for text, count in lines if len(text) <= 12)


def test_a_mixed_table_and_an_algorithm_of_two_phases(page: Page, tmp_path: Path) -> None:
    dag = an.simulate.random_dag(nodes=8, degree=2.5, seed=3)
    run = an.discover(an.simulate.mixed(dag, rows=600, seed=3), algorithm="fci")
    opened(page, run, tmp_path)
    assert page.locator(".node.discrete").count() == sum(kind == "discrete" for kind in run.test.kinds.values())  # type: ignore[union-attr]
    page.locator("#stage").fill("0")
    assert page.inner_text("#stage-name").startswith("adjacency, radius 0: ")


def test_what_is_known_is_told_as_known(page: Page, tmp_path: Path) -> None:
    dag = an.DAG.parse("a -> b, b -> c, a -> d, d -> c, c -> e")
    known = an.Knowledge(tiers=[["a"], ["b", "d"], ["c"], ["e"]], required=[("c", "e")], no_edge=[("a", "e")])
    run = an.discover(an.Oracle(dag), knowledge=known)
    opened(page, run, tmp_path)
    names = page.eval_on_selector_all("#first option", "all => all.slice(1).map(o => o.textContent)")
    for a, b in ((a, b) for a in range(len(names)) for b in range(len(names)) if a != b):
        choose(page, a, b)
        assert reasons_shown(page) == [(s.depth, s.text) for s in run.why(names[a], names[b]).steps]
    assert "known" in page.inner_text("#answer")


def test_pc_is_told_in_its_own_words(page: Page, tmp_path: Path) -> None:
    run = an.discover(an.Oracle(an.DAG.parse("a -> c, b -> c, c -> d, d -> e")), algorithm="pc")
    opened(page, run, tmp_path)
    assert "An arrow leads from a cause to its effect." in page.inner_text("#lessons")
    page.locator('.hit[aria-label="c --> d"]').dispatch_event("click")
    assert reasons_shown(page) == [(s.depth, s.text) for s in run.why("c", "d").steps]


def test_three_hundred_variables_open_and_can_be_searched(page: Page, tmp_path: Path) -> None:
    dag = an.simulate.random_dag(nodes=330, degree=2.4, seed=3)
    run = an.discover(an.simulate.linear_gaussian(dag, rows=1000, seed=1), algorithm="icd")
    opened(page, run, tmp_path)
    assert page.locator(".node").count() == len(run.pag.nodes)
    assert edges_shown(page) == written(run.pag)
    page.locator("#stage").fill("0")  # thousands of edges
    name = run.pag.edges()[0][0]
    page.locator("#stage").fill(str(len(run.graphs) - 1))
    page.fill("#search", name)
    page.keyboard.press("Enter")
    assert page.locator(".node").count() == 1 + len(run.pag.neighbours(name))


def test_a_run_that_has_not_begun_and_a_graph_without_edges(page: Page, tmp_path: Path) -> None:
    def impatient(x: str, y: str, given: tuple[str, ...]) -> float:
        raise KeyboardInterrupt

    with pytest.warns(an.RunWarning):
        run = an.discover(impatient, names=["a", "b", "c"])
    opened(page, run, tmp_path)
    assert edges_shown(page) == {"a o-o b", "a o-o c", "b o-o c"}
    opened(page, an.discover(lambda x, y, given: 0.9, names=["a", "b"]), tmp_path)
    assert edges_shown(page) == set()
    choose(page, 0, 1)
    assert "a and b are independent given nothing" in page.inner_text("#answer")


def test_a_search_within_a_graph_by_score(page: Page, tmp_path: Path) -> None:
    """Pairs that were never asked about are explained by the graph, others by their questions, as `why` does."""
    dag = an.DAG.parse("a -> b, l -> b, l -> c, d -> c, b -> e", latent=["l"])
    found = an.discover(an.simulate.linear_gaussian(dag, rows=1000, seed=1), algorithm="gfci")
    assert set(found.to_frame("separated")["found_by"]) == {"score graph", "search"}
    opened(page, found, tmp_path)
    names = page.eval_on_selector_all("#first option", "all => all.slice(1).map(o => o.textContent)")
    for a, b in ((a, b) for a in range(len(names)) for b in range(len(names)) if a != b):
        choose(page, a, b)
        assert reasons_shown(page) == [(step.depth, step.text) for step in found.why(names[a], names[b]).steps]


def test_a_graph_that_was_found_without_questions(page: Page, tmp_path: Path) -> None:
    """Steps have scores, pairs are explained as `why` does, and nothing on the page speaks of questions."""
    data = an.simulate.linear_gaussian(an.DAG.parse("b -> a, c -> a, a -> d, d -> e, f"), rows=300, seed=4)
    with registered("polytree", POLYTREE):
        found = an.discover(data, algorithm="polytree")
        opened(page, found, tmp_path)
        shown = page.inner_text("body")
        assert not any(word in shown.lower() for word in ("radius", "question"))
        assert page.inner_text("#stage-name") == f"colliders: 4 edges, BIC {found.score:,.1f}"
        assert page.locator("#history th").all_inner_texts() == ["Step", "BIC", "Edges"]
        assert "Radius" not in page.locator("#table th").all_inner_texts()
        names = page.eval_on_selector_all("#first option", "all => all.slice(1).map(o => o.textContent)")
        for a, b in ((a, b) for a in range(len(names)) for b in range(len(names)) if a != b):
            choose(page, a, b)
            steps = found.why(names[a], names[b]).steps
            assert reasons_shown(page) == [(step.depth, step.text) for step in steps]
        page.locator("#stage").fill("0")
        assert page.inner_text("#stage-name").startswith("forest: 4 edges, BIC ")
        assert edges_shown(page) == written(found.graphs[0])


def test_a_page_of_the_scored_search_shows_evidence(page: Page, tmp_path: Path) -> None:
    """The reasons are those of `why`, the last one that nothing is proved; the table can be sorted by evidence."""
    data = an.simulate.linear_gaussian(an.DAG.parse("b -> a, c -> a, a -> d, d -> e, f"), rows=300, seed=4)
    found = an.discover(data, algorithm="scored")
    opened(page, found, tmp_path)
    names = page.eval_on_selector_all("#first option", "all => all.slice(1).map(o => o.textContent)")
    for a, b in ((a, b) for a in range(len(names)) for b in range(len(names)) if a != b):
        choose(page, a, b)
        steps = found.why(names[a], names[b]).steps
        assert reasons_shown(page) == [(step.depth, step.text) for step in steps]
    assert reasons_shown(page)[-1] == (0, "Not proved: other graphs may score better.")
    heads = page.locator("#table th").all_inner_texts()
    column = heads.index("Evidence")
    page.locator("#table th button", has_text="Evidence").click()
    shown = [float(text) for text in page.locator(f"#table td:nth-child({column + 1})").all_inner_texts()]
    expected = sorted(found.to_frame(library="polars")["evidence"])
    assert shown == [float(f"{evidence:.3g}") for evidence in expected]


def test_the_page_holds_the_graph_against_its_data(page: Page, found: an.Discovery, tmp_path: Path) -> None:
    opened(page, found, tmp_path)
    check = found.check
    assert check is not None and check.denied
    assert page.locator("#check-lines p").all_inner_texts() == str(check).splitlines()
    shown = [row.split("\t")[:2] for row in page.locator("#check-denied tbody tr").all_inner_texts()]
    assert shown == [list(pair[:2]) for pair in check.denied_pairs[:20]]
    opened(page, an.discover(an.Oracle(an.DAG.parse("a -> b"))), tmp_path)
    assert not page.locator("#check").is_visible()


def test_what_contradicts_knowledge_is_shown_in_the_graph(page: Page, tmp_path: Path) -> None:
    rows = an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c, c -> d"), rows=500, seed=1)
    with pytest.warns(an.KnowledgeWarning) as caught:
        run = an.discover(rows, algorithm="icd", knowledge=an.Knowledge(tiers=[["a"], ["c"]], required=[("a", "b")]))
    opened(page, run, tmp_path)
    told = page.eval_on_selector_all("#warnings li > span", "all => all.map(e => e.textContent)")
    assert told == [f"Knowledge: {one.message}" for one in caught]
    assert page.inner_text("#statements dt:first-child + dd") == "a; then c"
    assert page.inner_text("#statement-count") == "2 statements."
    assert page.locator("#contradictions li").count() == len(caught)
    page.click("#contradictions li:first-child button")
    assert names_with(page, "chosen") == {"a", "b"}
    assert Axe().run(page).violations_count == 0


def test_a_visible_edge_has_no_hidden_cause_behind_it(page: Page, tmp_path: Path) -> None:
    run = an.discover(an.Oracle(an.DAG.parse("c -> a, d -> a, a -> b")))
    opened(page, run, tmp_path)
    for first, second, hidden in (("a", "b", "no"), ("c", "a", "possibly")):
        choose(page, "abcd".index(first), "abcd".index(second))
        answer = run.confounded(first, second)
        assert answer == hidden
        text = page.inner_text("#answer")
        assert f"Does something unmeasured cause both?\n\n{answer} ({answer.reason})" in text
        assert ("Nothing unmeasured causes both." in text) == (hidden == "no")
        assert "may cause both" not in text
    column = page.eval_on_selector_all("#table th", "all => all.map(e => e.textContent).indexOf('Confounded')")
    cells = page.eval_on_selector_all("#table tbody tr", "all => all.map(r => [...r.cells].map(c => c.textContent))")
    for row in cells:
        assert row[column] == str(run.confounded(row[0], row[2]))
