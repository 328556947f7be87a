"""The tutorial: its picture shows its graph, and what it says about the true graph holds."""

from xml.etree import ElementTree

import ancestral as an
from tests.support.tutorial import PAGE, ran_through

SVG = "{http://www.w3.org/2000/svg}"


def test_the_picture_shows_the_graph_that_is_found() -> None:
    found = ran_through()["found"]
    picture = ElementTree.parse(PAGE.parent / "pictures" / "tutorial-graph.svg")
    titles = [path.findtext(f"{SVG}title") for path in picture.iter(f"{SVG}path")]  # arrowheads have none
    assert sorted(filter(None, titles)) == sorted(str(found.pag).splitlines())


def test_the_story_is_true() -> None:
    dag = an.DAG.parse(
        "distance -> exercise, age -> exercise, age -> pressure, motivation -> exercise, motivation -> diet, "
        "income -> diet, diet -> pressure, exercise -> pressure",
        latent=["motivation"],
    )
    found = ran_through()["found"]
    assert found.pag == an.pag_of(dag)
    low, high = found.effect("exercise", "pressure").interval
    assert low < -1.5 < high
