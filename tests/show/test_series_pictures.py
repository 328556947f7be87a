"""Pictures of time series: columns of steps, rows of processes, and edges that can be told apart."""

from itertools import combinations, islice
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.typing import NDArray

import ancestral as an
from ancestral.graphs.window import Window
from ancestral.series.picture import WINDOW_INKS, series_picture, window_picture
from ancestral.series.summary_picture import summary_picture
from ancestral.show.picture import Line, Picture
from ancestral.show.routes import points_on
from tests.support.series_truth import NAMED, random_series_dags

SVG = "{http://www.w3.org/2000/svg}"

SHOP = an.SeriesDAG.parse(
    "rain -1-> rain, rain -1-> sales, rain -3-> sales, sales -1-> sales, sales -2-> sales, sales -1-> price, "
    "price -0-> sales, price -1-> price"
)


@pytest.fixture(scope="module")
def shop() -> an.SeriesDiscovery:
    return an.discover_series(SHOP, lags=3)


def drawn(dag: an.SeriesDAG, lags: int) -> tuple[Window, an.PAG, Picture]:
    found = an.discover_series(dag, lags=lags)
    window = Window(found.processes, lags)
    return window, found.window, window_picture(window, found.window)


WINDOWS = {**NAMED, "shop": (SHOP, 3), **{f"random {k}": one for k, one in enumerate(islice(random_series_dags(5), 6))}}


@pytest.mark.parametrize("name", WINDOWS)
def test_no_edge_of_a_window_runs_behind_a_box_that_is_not_its_own(name: str) -> None:
    _, graph, picture = drawn(*WINDOWS[name])
    assert len(picture.lines) == len(graph.edges())
    for line in picture.lines:
        points = points_on(line.route.curve)
        for box in picture.boxes:
            if box.name not in (line.a, line.b):
                assert (np.abs(points - box.centre) > box.size / 2).any(axis=1).all(), (str(line), box.name)


@pytest.mark.parametrize("name", WINDOWS)
def test_no_two_edges_of_a_window_share_a_curve(name: str) -> None:
    _, _, picture = drawn(*WINDOWS[name])

    def shared(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
        return float((np.linalg.norm(one[:, None] - other[None], axis=2).min(axis=1) < 3).mean())

    for one, other in combinations(picture.lines, 2):
        first, second = points_on(one.route.curve), points_on(other.route.curve)
        assert min(shared(first, second), shared(second, first)) < 0.5, (str(one), str(other))


@pytest.mark.parametrize("name", ["far set", "unasked past", "shop"])
def test_copies_of_an_edge_have_one_shape(name: str) -> None:
    window, _, picture = drawn(*WINDOWS[name])
    shapes: dict[object, list[NDArray[np.float64]]] = {}
    for line in picture.lines:
        a, b = sorted((window.place(line.a), window.place(line.b)), key=lambda place: (-place[1], place[0]))
        way = points_on(line.route.curve)
        shapes.setdefault((a[0], b[0], a[1] - b[1]), []).append(way - way.mean(axis=0))
    assert max(map(len, shapes.values())) > 1
    for first, *others in shapes.values():
        for other in others:
            assert np.allclose(first, other, atol=0.01) or np.allclose(first, other[::-1], atol=0.01)


def test_steps_are_columns_and_processes_are_rows(shop: an.SeriesDiscovery) -> None:
    window = Window(shop.processes, 3)
    picture = window_picture(window, shop.window)
    place = {window.place(box.name): box.centre for box in picture.boxes}
    for process in window.processes:
        across = [place[process, lag][0] for lag in window.steps]
        assert across == sorted(across) and len(set(across)) == 4
        assert len({place[process, lag][1] for lag in window.steps}) == 1
    down = [place[process, 0][1] for process in window.processes]
    assert down == sorted(down) and len(set(down)) == 3
    texts = {text.text: text for text in picture.texts}
    assert set(texts) == {"t−3", "t−2", "t−1", "t", "rain", "sales", "price"}
    for lag, name in enumerate(("t", "t−1", "t−2", "t−3")):
        assert texts[name].at[0] == place["rain", lag][0]
    for process in window.processes:
        assert texts[process].at[1] == place[process, 0][1]
    for text in picture.texts:  # beside all boxes and curves
        for line in picture.lines:
            inside = (points_on(line.route.curve) > text.low) & (points_on(line.route.curve) < text.low + text.size)
            assert not inside.all(axis=1).any()


def test_edges_that_end_at_t_are_in_ink_copies_grey_and_early_ones_dashed() -> None:
    """Echo: A[t-1] <-> B[t-1] exists at the beginning only; shop: its own past repeats."""
    _, _, picture = drawn(*NAMED["echo"])

    def look(line: Line) -> tuple[str, bool]:
        return line.ink, line.dashed

    assert {str(line): look(line) for line in picture.lines} == {
        "A[t-1] --> A[t]": (WINDOW_INKS["latest"], False),
        "A[t-1] --> B[t]": (WINDOW_INKS["latest"], False),
        "A[t-1] <-> B[t-1]": (WINDOW_INKS["early"], True),
    }
    _, _, picture = drawn(*NAMED["names"])
    looks = {str(line): look(line) for line in picture.lines}
    assert looks["B[t-1] --> B[t]"] == (WINDOW_INKS["latest"], False)
    assert looks["B[t-2] --> B[t-1]"] == (WINDOW_INKS["copy"], False)


def test_a_summary_has_its_lags_at_its_edges_and_loops_at_its_processes(shop: an.SeriesDiscovery) -> None:
    picture = summary_picture(shop.summary)
    assert [str(line) for line in picture.lines if len(line.route.curve) == 5] == [
        "rain --> rain", "sales --> sales", "price --> price",
    ]  # fmt: skip
    lags = dict(zip(map(str, picture.lines), (text.text for text in picture.texts), strict=True))
    assert lags["sales --> sales"] == "1, 2" and lags["sales --> price"] == "1" and lags["price --> sales"] == "0"
    there, back = (line for line in picture.lines if {line.a, line.b} == {"sales", "price"})
    apart = np.linalg.norm(points_on(there.route.curve).mean(axis=0) - points_on(back.route.curve).mean(axis=0))
    assert apart > 20


def test_a_picture_of_both_has_every_edge_of_the_window_and_of_the_summary(shop: an.SeriesDiscovery) -> None:
    text = shop._repr_svg_()
    assert text is not None
    document = ElementTree.fromstring(text)
    titles = [element.findtext(f"{SVG}title") for element in document.iter(f"{SVG}path")]
    edges = [" ".join(edge) for edge in shop.window.edges()] + [f"{e.a} {e.edge} {e.b}" for e in shop.summary.edges]
    named = sorted(title for title in titles if title and title.strip(" -<>o"))
    assert named == sorted(edges)
    words = {element.text for element in document.iter(f"{SVG}text")}
    assert {"ends at t", "an earlier copy", "causes", "numbers: lags, in steps"} <= words


def test_everything_of_a_picture_is_on_the_page(shop: an.SeriesDiscovery) -> None:
    for what in ("window", "summary", "both"):
        picture = series_picture(shop, what)
        for line in picture.lines:
            points = points_on(line.route.curve)
            assert (points >= picture.low).all() and (points <= picture.high).all()
        for text in picture.texts:
            assert (text.low >= picture.low - 1).all() and (text.low + text.size <= picture.high + 1).all()


@pytest.mark.parametrize("ending", [".svg", ".png", ".pdf"])
def test_pictures_are_written_to_files(shop: an.SeriesDiscovery, tmp_path: Path, ending: str) -> None:
    beginnings = {".svg": b"<svg", ".png": b"\x89PNG", ".pdf": b"%PDF"}
    shop.plot(tmp_path / f"found{ending}")
    shop.summary.plot(tmp_path / f"summary{ending}")
    for name in ("found", "summary"):
        assert (tmp_path / f"{name}{ending}").read_bytes().startswith(beginnings[ending])


def test_a_part_of_a_picture_is_chosen_by_what(shop: an.SeriesDiscovery, tmp_path: Path) -> None:
    shop.plot(tmp_path / "window.svg", what="window")
    shop.plot(tmp_path / "summary.svg", what="summary")
    assert "rain[t-1] --&gt; sales[t]" in (tmp_path / "window.svg").read_text()
    assert "[t-1]" not in (tmp_path / "summary.svg").read_text()
    assert (tmp_path / "summary.svg").read_text() == shop.summary._repr_svg_().replace(  # type: ignore[union-attr]
        "A causal graph over processes", "A causal graph"
    )
    with pytest.raises(an.OptionError, match="what must be 'window', 'summary' or 'both', got 'all'"):
        shop.plot(tmp_path / "x.svg", what="all")  # type: ignore[arg-type]
    with pytest.raises(an.OptionError, match=r"path must end in \.svg, \.png or \.pdf"):
        shop.plot(tmp_path / "x.jpg")


def test_a_window_without_edges_is_drawn_too(tmp_path: Path) -> None:
    found = an.discover_series(an.SeriesDAG(["a", "b"], []), lags=1)
    found.plot(tmp_path / "empty.svg")
    assert ElementTree.fromstring((tmp_path / "empty.svg").read_text()).tag == f"{SVG}svg"


def test_hostile_names_are_text(tmp_path: Path) -> None:
    names = ["<script>alert(1)</script>", "x" * 80, 'a "quoted" & $name$']
    dag = an.SeriesDAG(names, [(name, 1, name) for name in names])
    found = an.discover_series(dag, lags=2)
    found.plot(tmp_path / "names.svg")
    found.plot(tmp_path / "names.png")
    document = ElementTree.fromstring((tmp_path / "names.svg").read_text())
    assert {element.tag.removeprefix(SVG) for element in document.iter()} <= {
        "svg", "g", "rect", "path", "circle", "title", "text",
    }  # fmt: skip
