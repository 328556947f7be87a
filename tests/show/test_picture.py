"""Pictures: where boxes stand, how edges run, and that no mark is ever hidden."""

from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any, Literal
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.spatial import cKDTree

import ancestral as an
from ancestral.graphs import MixedGraph
from ancestral.graphs.marks import ARROW, CIRCLE, TAIL
from ancestral.show import fonts
from ancestral.show.axes import paint
from ancestral.show.emphasis import edge_strengths
from ancestral.show.fonts import families_for
from ancestral.show.labels import FONT_SIZE, plain, shortened, text_width
from ancestral.show.picture import Fade, Line, Outside, Picture, Strength, picture, pointed_box
from ancestral.show.routes import bent, route
from ancestral.show.svg import svg

Points = NDArray[np.float64]

SVG = "{http://www.w3.org/2000/svg}"


def random_pag(nodes: int, degree: float, seed: int) -> an.PAG:
    return an.pag_of(an.simulate.random_dag(nodes=nodes, degree=degree, seed=seed))


def overlapping(drawn: Picture) -> list[tuple[str, str]]:
    out = []
    for one, other in combinations(drawn.boxes, 2):
        if (np.abs(one.centre - other.centre) < (one.size + other.size) / 2).all():
            out.append((one.name, other.name))
    return out


def along(curve: Points) -> Points:
    """Points along quadratic curves that follow each other, by de Casteljau's construction."""
    t = np.linspace(0, 1, 60)[:, None]
    out = []
    for k in range(0, len(curve) - 1, 2):
        start, control, end = curve[k : k + 3]
        one, other = start + t * (control - start), control + t * (end - control)
        out.append(one + t * (other - one))
    return np.vstack(out)


def foreign_boxes(drawn: Picture) -> list[tuple[str, str]]:
    """Edges that run behind boxes that are not their own, with these boxes."""
    out = []
    for line in drawn.lines:
        points = along(line.route.curve)
        for box in drawn.boxes:
            behind = (np.abs(points - box.centre) < box.size / 2).all(axis=1).any()
            if behind and box.name not in (line.a, line.b):
                out.append((str(line), box.name))
    return out


def with_long_names(pag: an.PAG) -> an.PAG:
    return an.PAG([f"{name} as measured {'again ' * (i % 4)}" for i, name in enumerate(pag.nodes)], pag.marks)


#: Random PAGs of 10, 30, 60 and 100 variables: nodes with latent ones, degree, seed, long names.
LAWFUL = [
    (nodes, degree, seed, long)
    for nodes, degrees in ((11, (2.0, 3.0, 4.0)), (33, (2.0, 3.0, 4.0)), (66, (2.0, 3.0)), (110, (2.0, 3.0)))
    for degree in degrees
    for seed, long in ((1, False), (2, True), (3, True))
]


@pytest.mark.parametrize(("nodes", "degree", "seed", "long"), LAWFUL)
def test_the_laws_of_pictures(nodes: int, degree: float, seed: int, long: bool) -> None:
    pag = random_pag(nodes, degree, seed)
    drawn = picture(with_long_names(pag) if long else pag)
    assert overlapping(drawn) == []
    assert foreign_boxes(drawn) == []
    tips: dict[str, list[Points]] = {}
    for line in drawn.lines:
        for name, tip in zip((line.a, line.b), line.route.tips, strict=True):
            tips.setdefault(name, []).append(tip)
    for places in tips.values():  # no two edges leave a box at one point: their marks do not touch
        for one, other in combinations(places, 2):
            assert np.linalg.norm(one - other) > 9
    ways = [along(line.route.curve)[::3] for line in drawn.lines]
    owner = np.repeat(np.arange(len(ways)), [len(way) for way in ways])
    near = cKDTree(np.vstack(ways)).query_pairs(1.0, output_type="ndarray")
    both = owner[near]
    shared = Counter(map(tuple, both[both[:, 0] != both[:, 1]].tolist()))
    for (one, other), count in shared.items():  # nor do they share a curve
        assert count < 0.35 * min(len(ways[one]), len(ways[other]))
    width, height = drawn.high - drawn.low
    assert 0.8 <= width / height <= 3.2, "within a factor of two of a panel of 8 by 5"


@pytest.mark.parametrize("seed", range(3))
def test_early_stages_and_given_places_go_around_boxes_too(seed: int) -> None:
    dag = an.simulate.random_dag(nodes=40, degree=2.5, seed=seed)
    found = an.discover(an.simulate.linear_gaussian(dag, rows=1000, seed=seed), alpha=0.01, resamples=0)
    places = found.pag.positions()
    assert len(found.graphs[0].edges()) > len(found.pag.edges())
    for graph in found.graphs:
        assert foreign_boxes(picture(graph, positions=places)) == []
    assert foreign_boxes(picture(found.pag, layout="stress")) == []


def test_tiers_stand_from_left_to_right() -> None:
    pag = random_pag(40, 3.0, 1)
    tiers = [pag.nodes[:9], pag.nodes[9:20], pag.nodes[20:30]]
    boxes = {box.name: box for box in picture(pag, tiers=tiers).boxes}
    for earlier, later in pairwise(tiers):
        ends = [boxes[name].centre[0] + boxes[name].size[0] / 2 for name in earlier]
        assert max(ends) < min(boxes[name].centre[0] - boxes[name].size[0] / 2 for name in later)


def test_a_picture_of_few_variables_fits_into_the_studio() -> None:
    """The report has 818 pixels there for its graph at a common width, and its labels shrink from 13 pixels to 11.2."""
    pag = an.PAG.parse(
        "age o-o bp, age o-o s6, bmi --> s3, bmi --> target, bp o-> bmi, bp o-o s6, bp o-> sex, bp --> target, "
        "s1 --> s4, s2 --> s1, s3 --> s1, s3 --> s4, s3 --> s5, s3 <-> sex, s5 --> s1, s5 --> s2, s6 o-> bmi, "
        "s6 --> s2, s6 --> s5, target --> s3, target --> s5"
    )
    drawn = picture(pag, tiers=[["age", "sex"], ["bmi"], ["target"]])
    assert drawn.high[0] - drawn.low[0] < 818 * 13 / 11.2


def test_the_key_says_that_tiers_are_ordered_only_where_they_are() -> None:
    pag = an.PAG.parse("a o-> b, b --> c")
    tiers = [["a"], ["b", "c"]]

    def says(**options: Any) -> bool:
        return any("tiers" in line.words for line in picture(pag, **options).explained)

    assert says(tiers=tiers)
    assert not says() and not says(tiers=tiers[:1])
    places = {"a": (0.0, 0.0), "b": (200.0, 0.0), "c": (200.0, 100.0)}
    assert says(tiers=tiers, positions=places)
    assert not says(tiers=tiers, positions=places | {"a": (200.0, 200.0)})
    found = an.discover(an.Oracle(an.DAG.parse("a -> b, b -> c")), knowledge=an.Knowledge(tiers=tiers))
    assert "from left to right: the tiers" in str(found._repr_svg_())


@pytest.mark.parametrize("layout", [None, "layered", "stress"])
@pytest.mark.parametrize("seed", range(4))
def test_boxes_never_overlap_up_to_sixty_variables(layout: str | None, seed: int) -> None:
    for nodes, degree in ((5, 2.0), (20, 3.0), (66, 2.6)):
        pag = random_pag(nodes, degree, seed)
        long_names = [f"{name} as measured {'again ' * (i % 4)}" for i, name in enumerate(pag.nodes)]
        drawn = picture(an.PAG(long_names, pag.marks), layout=layout)  # type: ignore[arg-type]
        assert overlapping(drawn) == []
        for box in drawn.boxes:
            assert text_width(box.label) < box.size[0]


@pytest.mark.parametrize("seed", range(4))
def test_marks_stand_outside_of_every_box(seed: int) -> None:
    drawn = picture(random_pag(30, 2.4, seed))
    for line in drawn.lines:
        shapes = [*line.arrowheads(), *(np.array([centre]) for centre in line.circles())]
        assert len(shapes) == sum(mark != TAIL for mark in line.marks)
        for corner in np.vstack(shapes) if shapes else []:
            for box in drawn.boxes:
                if box.name in (line.a, line.b):
                    assert (np.abs(corner - box.centre) > box.size / 2).any()


def test_an_edge_goes_around_boxes_that_are_not_its_own() -> None:
    pag = an.PAG.parse("a --> b, b --> c, a o-> c")
    drawn = picture(pag, positions={"a": (0, 0), "b": (150, 0), "c": (300, 0)})
    across = next(line for line in drawn.lines if {line.a, line.b} == {"a", "c"})
    box = next(box for box in drawn.boxes if box.name == "b")
    assert (np.abs(along(across.route.curve) - box.centre) > box.size / 2).any(axis=1).all()
    straight = next(line for line in drawn.lines if {line.a, line.b} == {"a", "b"})
    assert straight.route.curve[:, 1] == pytest.approx([0, 0, 0], abs=1e-6)


def test_a_mark_points_at_its_box_and_the_line_ends_where_it_begins() -> None:
    centres, sizes = np.array([[0.0, 0.0], [200.0, 0.0]]), np.array([[40.0, 30.0], [60.0, 30.0]])
    way = route(bent(centres, sizes, 0.0), (CIRCLE, ARROW))
    assert way.tips == pytest.approx(np.array([[22, 0], [168, 0]]), abs=1e-3)  # two pixels outside
    assert way.towards == pytest.approx(np.array([[-1, 0], [1, 0]]), abs=1e-3)
    assert way.curve[[0, 2]] == pytest.approx(np.array([[32, 0], [156, 0]]), abs=1e-3)
    plain = route(bent(centres, sizes, 0.0), (TAIL, TAIL))
    assert plain.curve[[0, 2]] == pytest.approx(np.array([[22, 0], [168, 0]]), abs=1e-3)


def test_each_end_has_the_mark_of_its_edge() -> None:
    drawn = picture(an.PAG.parse("a o-> b, c --> b, c <-> d"))
    marks = {(line.a, line.b): line.marks for line in drawn.lines}
    assert marks == {("a", "b"): (CIRCLE, ARROW), ("c", "b"): (TAIL, ARROW), ("c", "d"): (ARROW, ARROW)}


def test_arrows_lead_from_left_to_right() -> None:
    places = an.DAG.parse("d -> c, c -> a, a -> b, d -> e").positions()
    assert places["d"][0] < places["c"][0] < places["a"][0] < places["b"][0]
    assert places["d"][0] < places["e"][0]


def test_the_picture_does_not_depend_on_the_order_of_columns() -> None:
    pag = random_pag(14, 2.5, 1)
    order = np.random.default_rng(0).permutation(list(pag.nodes)).tolist()
    again = an.PAG(order, pag.arranged(order))
    assert svg(picture(again)) == svg(picture(pag))


def test_nodes_stay_where_they_were() -> None:
    found = an.discover(an.Oracle(an.simulate.random_dag(nodes=10, degree=2.5, seed=2)))
    places = found.pag.positions()
    for graph in found.graphs:
        drawn = picture(graph, positions=places)
        assert {box.name: tuple(box.centre) for box in drawn.boxes} == places
    with pytest.raises(an.OptionError, match="positions must have a position for every node, got none for 'x2'"):
        picture(found.pag, positions={name: place for name, place in places.items() if name != found.pag.nodes[0]})
    for bad in (
        {name: (0.0, float("nan")) for name in places},
        dict.fromkeys(places, (1,)),
        dict.fromkeys(places, "ab"),
    ):
        with pytest.raises(an.OptionError, match="two finite numbers for every node"):
            picture(found.pag, positions=bad)  # type: ignore[arg-type]


def test_parts_that_nothing_joins_stand_side_by_side() -> None:
    pag = an.PAG.parse("a o-o b, c o-> d, e, f, g")
    assert overlapping(picture(pag)) == []
    assert picture(an.PAG.parse("")).boxes == ()
    assert ElementTree.fromstring(svg(picture(an.PAG.parse("")))).tag == f"{SVG}svg"


@given(st.lists(st.text(min_size=1, max_size=60).filter(lambda s: s.strip()), min_size=1, max_size=6, unique=True))
@settings(deadline=None, max_examples=60)
def test_any_name_is_text_in_an_svg(names: list[str]) -> None:
    try:
        pag = an.PAG.from_edges([(names[0], "o->", other) for other in names[1:]], nodes=names)
    except an.GraphError:  # not every text is a name
        return
    document = ElementTree.fromstring(svg(picture(pag)))
    boxes = [
        group.findtext(f"{SVG}title") for group in document.iter(f"{SVG}g") if group.find(f"{SVG}text") is not None
    ]
    # a reader of XML takes every kind of line end for the same
    assert {str(title) for title in boxes} == {plain(name).replace("\r\n", "\n").replace("\r", "\n") for name in names}
    assert {element.tag.removeprefix(SVG) for element in document.iter()} <= {
        "svg", "g", "rect", "path", "circle", "title", "text",
    }  # fmt: skip


def test_long_names_are_cut_in_the_middle_and_told_in_full() -> None:
    name = "systolic " * 20 + "pressure"
    drawn = svg(picture(an.PAG.parse(f'"{name}" o-> b')))
    assert shortened(name) in drawn and f"<title>{name}</title>" in drawn
    assert len(shortened(name)) <= 26


def test_a_box_is_wide_enough_for_characters_that_fill_a_square() -> None:
    (box,) = picture(an.PAG(["収縮期血圧の測定値"], np.zeros((1, 1), dtype=np.uint8))).boxes
    assert box.size[0] > 9 * FONT_SIZE


def test_groups_have_colours_and_a_key() -> None:
    pag = an.PAG.parse("age o-> bmi, bmi --> sugar")
    text = svg(picture(pag, colour={"age": "before", "bmi": "after", "sugar": "after"}))
    document = ElementTree.fromstring(text)
    texts = [t.text for t in document.iter(f"{SVG}text")]
    assert texts[-2:] == ["before", "after"]
    boxes = [g for g in document.iter(f"{SVG}g") if g.find(f"{SVG}title") is not None]
    fills = {str(g.findtext(f"{SVG}title")): g.find(f"{SVG}rect").get("fill") for g in boxes}  # type: ignore[union-attr]
    assert fills["bmi"] == fills["sugar"] != fills["age"]
    with pytest.raises(an.UnknownName, match="height"):
        picture(pag, colour={"height": "x"})
    with pytest.raises(an.OptionError, match="colour must be a dictionary, got 'kind'; pass the group of each node"):
        picture(pag, colour="kind")  # type: ignore[arg-type]


def test_what_is_highlighted_stands_out_and_what_is_weak_fades() -> None:
    pag = an.PAG.parse("a o-> b, b --> c")
    drawn = picture(pag, highlight=["a", ("c", "b")], fade={("b", "a"): 0.0})
    inks = {line.a + line.b: line.ink for line in drawn.lines}
    assert inks["bc"] != inks["ab"]
    assert {box.name for box in drawn.boxes if box.ink == inks["bc"]} == {"a"}
    opacities = {line.a + line.b: line.opacity for line in drawn.lines}
    assert opacities["bc"] == 1.0 and 0 < opacities["ab"] < 0.3
    for bad, message in (
        (["z"], "z"),
        ([("a", "c")], "highlight must hold pairs with an edge"),
        ([7], "highlight must hold nodes and pairs of nodes, got 7"),
        ("a", r"highlight must be a list, got 'a'; pass highlight=\['a'\]"),
    ):
        with pytest.raises(an.AncestralError, match=message):
            picture(pag, highlight=bad)
    for weights, message in (
        ({("a", "b"): 2}, "fade must have numbers from 0 to 1 as values, got 2"),
        ({"ab": 1}, "fade must have pairs of nodes as keys, got 'ab'"),
    ):
        with pytest.raises(an.OptionError, match=message):
            picture(pag, fade=weights)  # type: ignore[arg-type]


def test_a_dag_shows_what_is_latent_and_what_was_selected_on() -> None:
    dag = an.DAG.parse("L -> a, L -> b, a -> s", latent=["L"], selection=["s"])
    boxes = {box.name: (box.dashed, box.double) for box in picture(dag).boxes}
    assert boxes == {"L": (True, False), "a": (False, False), "b": (False, False), "s": (False, True)}
    assert svg(picture(dag)).count("stroke-dasharray") == 1


# -- files, axes, notebooks ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("suffix", "head"), [("svg", b"<svg "), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_a_picture_is_written_and_the_same_each_time(suffix: str, head: bytes, tmp_path: Path) -> None:
    pag = an.PAG.parse('"$x_1$" o-> b, b <-> c, c --- d, "50 $" o-- d')
    pag.plot(tmp_path / f"one.{suffix}")
    pag.plot(str(tmp_path / f"two.{suffix}"))
    assert (tmp_path / f"one.{suffix}").read_bytes().startswith(head)
    assert (tmp_path / f"one.{suffix}").read_bytes() == (tmp_path / f"two.{suffix}").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"one.{suffix}", f"two.{suffix}"]


def test_a_picture_on_axes() -> None:
    import matplotlib.pyplot as plt

    plt.switch_backend("agg")
    pag = an.PAG.parse("a o-> b, b <-> c")
    figure, (left, right) = plt.subplots(1, 2)
    assert pag.plot(ax=left) is left
    heads = [patch for patch in left.patches if type(patch).__name__ == "Polygon"]
    circles = [patch for patch in left.patches if type(patch).__name__ == "Circle"]
    assert (len(heads), len(circles)) == (3, 1)
    assert not right.patches
    assert pag.plot(colour={"a": "x", "b": "y", "c": "y"}).get_legend() is not None
    plt.close("all")
    figure.clear()


def test_where_no_picture_can_go(tmp_path: Path) -> None:
    pag = an.PAG.parse("a o-> b")
    with pytest.raises(an.OptionError, match=r"must end in \.svg, \.png or \.pdf, got .*jpg"):
        pag.plot(tmp_path / "g.jpg")
    with pytest.raises(an.RunError, match="there is no directory"):
        pag.plot(tmp_path / "no" / "g.svg")
    with pytest.raises(an.OptionError, match="into a file or on axes"):
        pag.plot(tmp_path / "g.svg", ax=object())
    with pytest.raises(an.OptionError, match="layout must be 'layered', 'stress' or None, got 'circle'"):
        pag.plot(tmp_path / "g.svg", layout="circle")  # type: ignore[arg-type]


def test_a_notebook_shows_a_graph_and_what_was_found() -> None:
    found = an.discover(an.Oracle(an.DAG.parse("a -> c, b -> c")))
    assert found._repr_svg_() == found.pag._repr_svg_()
    assert str(found._repr_svg_()).startswith("<svg ")
    large = MixedGraph([f"x{i}" for i in range(500)], np.zeros((500, 500), dtype=int))
    assert large._repr_svg_() is None  # it is read as text


def test_what_was_found_fades_by_its_p_values_and_colours_by_kind(tmp_path: Path) -> None:
    dag = an.DAG.parse("a -> b, b -> c")
    found = an.discover(an.simulate.mixed(dag, rows=300, seed=1), alpha=0.05)
    found.plot(tmp_path / "g.svg", fade=True, colour="kind")
    text = (tmp_path / "g.svg").read_text()
    assert all(kind in text for kind in set((found.test.kinds or {}).values()))
    values = {"weak": 0.04, "firm": 1e-30}

    def p_value(x: str, y: str, given: tuple[str, ...]) -> float:
        return values["weak"] if {x, y} == {"a", "b"} else values["firm"] if {x, y} == {"b", "c"} else 0.9

    graded = an.discover(p_value, names=["a", "b", "c"], alpha=0.05)
    strengths = edge_strengths(graded)
    weak = strengths["a", "b"]
    assert strengths["b", "c"] == 1.0 and isinstance(weak, float) and 0 < weak < 0.1
    with pytest.raises(an.OptionError, match="needs columns"):
        graded.plot(tmp_path / "h.svg", colour="kind")
    with pytest.raises(an.OptionError, match='colour="tier" needs tiers, and none are known'):
        graded.plot(tmp_path / "h.svg", colour="tier")
    with pytest.raises(an.OptionError, match="colour must be 'kind', 'tier', or a dictionary, got 'size'"):
        graded.plot(tmp_path / "h.svg", colour="size")  # type: ignore[arg-type]
    ordered = an.discover(p_value, names=["a", "b", "c"], knowledge=an.Knowledge(tiers=[["a", "b"], ["c"]]))
    ordered.plot(tmp_path / "t.svg", colour="tier")
    assert all(tier in (tmp_path / "t.svg").read_text() for tier in ("tier 1", "tier 2"))


# -- experiments ------------------------------------------------------------------------------------------------------


def experiment(knowledge: an.Knowledge) -> an.Discovery:
    dag = an.DAG.parse("D -> C1, D -> C2, C1 -> x, C2 -> y, x -> y, y -> z", latent=["D"])
    return an.discover(an.Oracle(dag), knowledge=knowledge, selection_bias=False)


def test_contexts_are_pointed_boxes_without_edges_of_the_design(tmp_path: Path) -> None:
    found = experiment(an.Knowledge(contexts=["C1", "C2"]))
    found.plot(tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text()
    assert text == found._repr_svg_()
    tree = ElementTree.fromstring(text)
    curves = {title.text for title in tree.iterfind(f".//{SVG}path/{SVG}title")}
    assert curves == {"C1 --> x", "C2 --> y", "x --> y", "y --> z"}
    boxes = {group.findtext(f"{SVG}title"): group.find(f"{SVG}path") for group in tree.iter(f"{SVG}g")}
    pointed = {name for name, frame in boxes.items() if name is not None and frame is not None}
    assert pointed == {"C1", "C2"}
    words = [node.text for node in tree.iter(f"{SVG}text")]
    assert words[-3:] == [
        "context: set from outside",
        "edges between contexts are those of the design, and not drawn",
        "thick: not confounded (visible)",
    ]
    assert float(tree.attrib["width"]) > max(text_width(line or "") for line in words)
    for name in ("a.png", "a.pdf"):
        found.plot(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 1000


def test_only_what_is_there_is_told() -> None:
    asked = experiment(an.Knowledge(contexts=["C1", "C2"], context_assumptions=["exogenous", "unconfounded"]))
    picture_of = str(asked._repr_svg_())
    assert "C1 &lt;-&gt; C2" in picture_of or "C1 o-o C2" in picture_of
    assert "not drawn" not in picture_of
    trial = an.discover(an.Oracle(an.DAG.parse("dose -> x")), knowledge=an.Knowledge(randomised=["dose"]))
    assert "randomised: set from outside" in str(trial._repr_svg_())
    assert "set from outside" not in str(an.discover(an.Oracle(an.DAG.parse("a -> b")))._repr_svg_())


@pytest.mark.parametrize("layout", [None, "stress"])
@pytest.mark.parametrize("seed", range(6))
def test_contexts_stand_to_the_left(seed: int, layout: Literal["stress"] | None) -> None:
    pag = an.PAG.parse("C --> a, a o-o b, b o-o c, c o-o d, d o-o e, b o-o f, f o-o g")
    names = np.random.default_rng(seed).permutation(list("abcdefg")).tolist()
    renamed = an.PAG([dict(zip("abcdefg", names, strict=True)).get(name, name) for name in pag.nodes], pag.marks)
    drawn = picture(renamed, layout=layout, outside=Outside(("C",), "context"))
    places = {box.name: float(box.centre[0]) for box in drawn.boxes}
    assert places["C"] < np.mean([x for name, x in places.items() if name != "C"])
    assert overlapping(drawn) == []
    for box in drawn.boxes:
        assert box.pointed == (box.name == "C")


def test_a_pointed_box_stays_within_the_room_of_its_box() -> None:
    corners = pointed_box(np.array([10.0, 20.0]), np.array([60.0, 30.0]))
    assert corners.min(axis=0).tolist() == [-20.0, 5.0]
    assert corners.max(axis=0).tolist() == [40.0, 35.0]
    assert len({tuple(corner) for corner in corners.tolist()}) == 6


# -- strength of marks, kinds, visible edges ---------------------------------------------------------------------------


def faintness(line: Line) -> tuple[float, float, float]:
    """The opacities of a line and of its marks, as the strengths that they stand for: 0.18 is 0, and 1 is 1."""
    line_and_marks = (line.opacity, *line.mark_opacities)
    first, second, third = (round((opacity - 0.18) / 0.82, 6) for opacity in line_and_marks)
    return first, second, third


def test_a_line_and_its_marks_have_strengths_of_their_own() -> None:
    pag = an.PAG.parse("a o-> b, b --> c, c <-> d")
    fade: Fade = {("b", "a"): Strength(0.9, 0.2, 0.6), ("b", "c"): Strength(1.0, 0.5, 1.0), ("c", "d"): 0.4}
    lines = {line.a + line.b: line for line in picture(pag, fade=fade).lines}
    assert faintness(lines["ab"]) == (0.9, 0.6, 0.2), "the strengths are those of the pair in its order"
    assert faintness(lines["bc"]) == (1.0, 0.5, 1.0)
    assert faintness(lines["cd"]) == (0.4, 0.4, 0.4), "one number stands for the line and both marks"
    assert [mark for mark, _, _ in lines["bc"].shapes()] == [TAIL, ARROW], "a faint tail is drawn by itself"
    assert [mark for mark, _, _ in picture(pag).lines[1].shapes()] == [ARROW]


def test_files_and_axes_draw_each_mark_with_its_strength() -> None:
    import matplotlib.pyplot as plt

    plt.switch_backend("agg")
    fade = {("a", "b"): Strength(1.0, 0.5, 0.0)}
    drawn = picture(an.PAG.parse("a o-> b"), fade=fade)
    document = ElementTree.fromstring(svg(drawn))
    (circle,) = document.iter(f"{SVG}circle")
    head = next(path for path in document.iter(f"{SVG}path") if "Z" in path.attrib["d"])
    curve = next(path for path in document.iter(f"{SVG}path") if "Q" in path.attrib["d"])
    assert (circle.attrib["opacity"], head.attrib["opacity"], curve.get("opacity")) == ("0.59", "0.18", None)
    ax = plt.figure().add_axes((0, 0, 1, 1))
    paint(drawn, ax)
    opacities = {type(patch).__name__: patch.get_alpha() for patch in ax.patches if patch.get_zorder() == 4}
    assert opacities == pytest.approx({"Circle": 0.59, "Polygon": 0.18})
    plt.close("all")


def test_visible_edges_are_thick_where_something_may_be_hidden() -> None:
    # smoking --> cancer is visible because of income (Zhang 2008); a lone arrow is not
    pag = an.PAG.parse("income o-> smoking, smoking --> cancer, genotype o-> cancer, a --> b")
    drawn = picture(pag)
    assert {str(line) for line in drawn.lines if line.width > 2} == {"smoking --> cancer"}
    assert "thick: not confounded (visible)" in svg(drawn)
    for same in (an.DAG.parse("a -> b, b -> c"), an.CPDAG.parse("a --> c, b --> c, c --> d"), an.PAG.parse("a --> b")):
        assert {line.width for line in picture(same).lines} == {1.5}
        assert "thick" not in svg(picture(same))
    known = an.PAG(["a", "b"], an.PAG.parse("a --> b").marks, [("a", "b")])
    assert [line.width for line in picture(known).lines] == [2.4]


def test_an_early_stage_shows_no_edge_as_visible(tmp_path: Path) -> None:
    """c --> d is visible in the end; at radius 0 both are adjacent already, by edges that are removed later."""
    found = an.discover(an.Oracle(an.DAG.parse("a -> c, b -> c, c -> d")), algorithm="icd", progress=False)
    thick = []
    for stage in (1, None):
        found.plot(tmp_path / "graph.svg", stage=stage)
        thick.append('stroke-width="2.4"' in (tmp_path / "graph.svg").read_text("utf-8"))
    assert thick == [False, True]


def test_a_run_that_was_stopped_shows_no_edge_as_visible() -> None:
    dag = an.DAG.parse("a -> c, b -> c, c -> d, d -> e")
    whole, stopped = (an.discover(an.Oracle(dag), max_radius=radius, algorithm="icd") for radius in (None, 0))
    assert "thick" in str(whole._repr_svg_()) and not stopped.complete
    assert "thick" not in str(stopped._repr_svg_())


def test_boxes_of_levels_are_square_where_kinds_differ(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    columns = {"weight": rng.normal(size=300), "sex": rng.choice(["f", "m"], size=300)}
    an.discover(pl.DataFrame(columns), alpha=0.05).plot(tmp_path / "g.svg", colour="kind")
    document = ElementTree.fromstring((tmp_path / "g.svg").read_text())
    groups = [group for group in document.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None]
    corners = {group.findtext(f"{SVG}title"): float(group.find(f"{SVG}rect").attrib["rx"]) for group in groups}  # type: ignore[union-attr]
    assert corners["weight"] > 2 * corners["sex"]
    words = [text.text for text in document.iter(f"{SVG}text")]
    assert words[2:4] == ["square corners: discrete or ordinal; round: continuous", "kind of variable:"]
    same = an.discover(pl.DataFrame({"x": columns["sex"], "y": columns["sex"][::-1]}), alpha=0.05)
    assert "square" not in str(same._repr_svg_())


# -- fonts -----------------------------------------------------------------------------------------------------------


def test_a_font_that_has_the_character_is_taken() -> None:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    assert families_for("blood pressure") == ["DejaVu Sans"]
    small_ou = "\u1d15"  # DejaVu Sans has it not, DejaVu Serif, which comes with matplotlib, has it
    families = families_for(f"x {small_ou}")
    assert families[0] == "DejaVu Sans" and len(families) == 2
    drawn = TextPath((0, 0), small_ou, size=12, prop=FontProperties(family=families))
    assert len(drawn.vertices) == len(
        TextPath((0, 0), small_ou, size=12, prop=FontProperties(family=families[1])).vertices
    )


def test_characters_without_a_font_are_told_once_with_a_way_out(tmp_path: Path) -> None:
    pag = an.PAG.parse('"a\U000f0001" o-> "b\U000f0002", "b\U000f0002" <-> "c\U000f0001"')  # for private use
    with pytest.warns(an.RunWarning) as told:
        pag.plot(tmp_path / "g.png")
    (warning,) = told
    assert str(warning.message) == (
        "no font of this system has these characters, which the picture shows as boxes: U+F0001, U+F0002; "
        "write an .svg, in which the fonts of the reader are used"
    )
    pag.plot(tmp_path / "g.svg")  # does not warn
    with pytest.warns(an.RunWarning, match="GARI LETTER KA.*apt install fonts-noto-core"):
        warn_of_missing_in(["\u0915"])
    with pytest.warns(an.RunWarning, match="CJK UNIFIED IDEOGRAPH-53CE.*apt install fonts-noto-cjk"):
        warn_of_missing_in(["収"])


def warn_of_missing_in(texts: list[str]) -> None:
    """Warn as on a system whose only font is that of matplotlib."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fonts, "_other_families", lambda: ())
        fonts.warn_of_missing(texts)


def test_names_in_any_script_are_drawn(tmp_path: Path) -> None:
    an.PAG.parse('"العمر" o-> "βάρος", "вес" <-> "😀"').plot(tmp_path / "g.png")  # no warning: DejaVu Sans has them
