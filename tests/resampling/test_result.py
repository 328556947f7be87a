"""What a bootstrap says: frequencies of edges and marks, the consensus, the table, the picture."""

from pathlib import Path
from xml.etree import ElementTree

import polars as pl
import pytest

import ancestral as an
from ancestral.data.read_options import ReadOptions
from ancestral.resampling.file import SavedBootstrap
from ancestral.search.settings import Settings
from ancestral.search.stage import Edges


def test_each_mark_is_counted_at_its_end(boot: an.Bootstrap) -> None:
    graphs = boot.graphs
    assert sum(times for _, times in graphs) == boot.repeats == boot.wanted == 40 and boot.stopped is None
    names = {"o": "circle", "<": "arrowhead", ">": "arrowhead", "-": "tail"}
    for a in boot.nodes:
        for b in boot.nodes:
            if a == b:
                continue
            found = boot.edge(a, b)
            edges = [(graph.edge(a, b), times) for graph, times in graphs]
            assert found.edge == sum(times for edge, times in edges if edge) / 40
            assert found.edge + found.no_edge == 1
            for end, marks in ((0, found.at_a), (2, found.at_b)):
                for mark in ("circle", "arrowhead", "tail"):
                    count = sum(times for edge, times in edges if edge and names[edge[end]] == mark)
                    assert marks[mark] == count / 40
            assert found.estimate == boot.pag.edge(a, b)


def test_graphs_come_by_frequency(boot: an.Bootstrap) -> None:
    counts = [times for _, times in boot.graphs]
    assert counts == sorted(counts, reverse=True) and len({graph for graph, _ in boot.graphs}) == len(counts)


def test_pc_gives_cpdags(rows: pl.DataFrame) -> None:
    boot = an.bootstrap(rows, repeats=10, algorithm="pc")
    assert boot.pag == an.discover(rows, algorithm="pc").pag
    assert {type(graph) for graph, _ in boot.graphs} == {an.CPDAG} == {type(boot.pag)}


def voted(*graphs: str, threshold: float = 0.5) -> an.PAG:
    """The consensus of these graphs over a, b, c, made as if resamples had found them."""
    parsed = [an.PAG.parse(f"{text}, a, b, c" if text else "a, b, c") for text in graphs]
    edges = tuple(Edges.of(graph.arranged(("a", "b", "c"))) for graph in parsed)
    saved = SavedBootstrap(
        made_by="",
        settings=Settings(),
        fingerprint="",
        rows=9,
        reading=ReadOptions(),
        kinds=None,
        columns=("a", "b", "c"),
        seed=1,
        subsample=None,
        wanted=len(edges),
        stopped=None,
        estimate=edges[0],
        graphs=edges,
    )
    return an.Bootstrap(saved).consensus(threshold)


@pytest.mark.parametrize(
    ("graphs", "expected"),
    [
        (["a --> b", "a --> b", "a o-> b"], "a --> b, c"),
        (["a --> b", "a <-> b"], "a o-> b, c"),  # no majority at a: half is not more than half
        (["a --> b", "a o-> b", "a <-> b"], "a o-> b, c"),  # three opinions at a
        (["a --> b", "", "", "a --> b"], "a --> b, c"),  # half of the resamples have it, and agree
        (["a --> b", "", ""], "a, b, c"),
        (
            ["a --> b, b --> c", "b --> c, c --> a", "c --> a, a --> b"],
            "a --> b, b --> c, c --> a",
        ),  # no PAG of any MAG
        (["", ""], "a, b, c"),
    ],
)
def test_each_edge_and_mark_is_put_to_the_vote(graphs: list[str], expected: str) -> None:
    assert voted(*graphs) == an.PAG.parse(expected)


def test_the_threshold_counts_edges_whatever_their_marks() -> None:
    graphs = ["a --> b", "a o-o b", "a <-> b", ""]
    assert voted(*graphs, threshold=0.75) == an.PAG.parse("a o-> b, c")
    assert voted(*graphs, threshold=0.76) == an.PAG.parse("a, b, c")
    for wrong in (0, 1.5, True, "half"):
        with pytest.raises(an.OptionError, match="threshold must be above 0 and at most 1, got "):
            voted(*graphs, threshold=wrong)  # type: ignore[arg-type]


def test_it_prints_stable_and_doubtful_edges(boot: an.Bootstrap) -> None:
    text = str(boot)
    stable, doubtful = text.split("doubtful: ")
    assert text.startswith("40 resamples of 200 rows, with replacement (seed 2): ICD on 6 variables, test fisher-z")
    assert "stable: an edge in at least 90 % of the resamples" in stable
    listed = []
    for part, least, most in ((stable, 0.9, 1.0), (doubtful, 0.1, 0.9)):
        for line in part.splitlines():
            if line.startswith("  ") and not line.startswith("   "):
                a, edge, b = line.split()[:3]
                found = boot.edge(a, b)
                assert least <= found.edge <= most and found.types[edge] == max(found.types.values())
                listed.append({a, b})
    seen = [{a, b} for a, b, share in boot.to_frame().select("a", "b", "edge").iter_rows() if share > 0.1]
    assert len(listed) == len(seen) and all(pair in listed for pair in seen)
    assert "not how probable" in text
    assert repr(boot) == "<Bootstrap: 6 variables, 40 of 40 repeats>"
    shown = str(boot.edge("a", "c"))
    assert shown.startswith("a and c: an edge in ") and "an arrowhead in 90 %" in shown


def test_a_pair_must_be_two_variables(boot: an.Bootstrap) -> None:
    with pytest.raises(an.OptionError, match="'a' and 'a' are the same variable"):
        boot.edge("a", "a")
    with pytest.raises(an.UnknownName, match="unknown node 'z'"):
        boot.edge("a", "z")


def test_the_picture_is_fainter_where_resamples_disagree(boot: an.Bootstrap, tmp_path: Path) -> None:
    boot.plot(tmp_path / "boot.svg", threshold=0.1)
    drawn = ElementTree.parse(tmp_path / "boot.svg")
    lines = {str(path.findtext(f"{SVG}title")): path for path in drawn.iterfind(f".//{SVG}path[{SVG}title]")}
    heads, circles = [], []
    for a, edge, b in boot.consensus(0.1).edges():
        seen = boot.edge(a, b)
        assert float(lines[f"{a} {edge} {b}"].get("opacity", 1)) == opacity(seen.edge)
        for mark, shares in ((edge[0], seen.at_a), (edge[2], seen.at_b)):
            heads += [opacity(shares["arrowhead"])] if mark in "<>" else []
            circles += [opacity(shares["circle"])] if mark == "o" else []
    marks = drawn.findall(f"{SVG}g")[2]
    arrows = [path for path in marks.iter(f"{SVG}path") if path.attrib["d"].endswith("Z")]
    assert sorted(float(path.get("opacity", 1)) for path in arrows) == sorted(heads)
    assert sorted(float(circle.get("opacity", 1)) for circle in marks.iter(f"{SVG}circle")) == sorted(circles)
    assert len(set(heads)) > 1


SVG = "{http://www.w3.org/2000/svg}"


def opacity(share: float) -> float:
    """What a share of resamples looks like: from 0.18, which can still be seen, to 1."""
    return round(0.18 + 0.82 * share, 2)
