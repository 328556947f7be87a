"""Two answers side by side: what both have is in the same places."""

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.typing import NDArray

import ancestral as an
from ancestral.studio.pictures import beside_picture
from tests.support.studio import write_study

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """The folders of two answers about the same variables, each with an edge that the other one has not."""
    folder = tmp_path_factory.mktemp("answers")
    dag = an.simulate.random_dag(nodes=15, degree=3, seed=5)
    rows = an.simulate.linear_gaussian(dag, rows=300, seed=5)
    first, last = rows.columns[:3], rows.columns[3:6]
    known = an.Knowledge(tiers=[first, last], no_edge=[next(iter(an.discover(rows, alpha=0.05).pag.edges()))[::2]])
    found = [an.discover(rows, alpha=0.001), an.discover(rows, alpha=0.2, knowledge=known)]
    pairs = [{frozenset((a, b)) for a, _, b in run.pag.edges()} for run in found]
    assert pairs[0] - pairs[1] and pairs[1] - pairs[0]
    for number, run in enumerate(found):
        (folder / str(number)).mkdir()
        run.save(folder / str(number) / "run.json")
    return str(folder / "0"), str(folder / "1")


def way(path: str) -> NDArray[np.float64]:
    """The points of a path, from left to right."""
    points = np.array([float(word) for word in path.replace("M", " ").replace("Q", " ").split()]).reshape(-1, 2)
    return points if tuple(points[0]) < tuple(points[-1]) else points[::-1]


def test_what_both_answers_have_is_in_the_same_places(answers: tuple[str, str]) -> None:
    boxes, curves, sizes = [], [], []
    for drawn in answers:
        document = ElementTree.fromstring(beside_picture(*answers, drawn))
        sizes.append((document.attrib["viewBox"].split()[:3], document.attrib["width"]))
        named = {group.findtext(f"{SVG}title"): group.find(f"{SVG}rect") for group in document.iter(f"{SVG}g")}
        boxes.append({name: sorted(box.attrib.items()) for name, box in named.items() if name and box is not None})
        titled = {path.findtext(f"{SVG}title"): path.attrib["d"] for path in document.iter(f"{SVG}path")}
        edges = {edge: way(path) for edge, path in titled.items() if edge}
        assert set(edges) == {" ".join(edge) for edge in an.load(f"{drawn}/run.json").pag.edges()}
        curves.append({frozenset(edge.split()[::2]): points for edge, points in edges.items()})
    assert boxes[0] == boxes[1] and sizes[0] == sizes[1]
    for pair in set(curves[0]) & set(curves[1]):  # marks take a little of the ends
        one, other = (points[2:-2] for points in (curves[0][pair], curves[1][pair]))
        assert len(one) == len(other) and np.abs(one - other).max(initial=0.0) < 0.2, pair


def test_answers_about_other_variables_have_places_of_their_own(answers: tuple[str, str], tmp_path: Path) -> None:
    an.discover(write_study(tmp_path / "study.csv"), save=tmp_path / "run.json")
    document = ElementTree.fromstring(beside_picture(answers[0], str(tmp_path), str(tmp_path)))
    names = {group.findtext(f"{SVG}title") for group in document.iter(f"{SVG}g")}
    assert {"a", "b", "c", "d"} <= names
