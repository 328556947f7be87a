"""Our layout beside ELK, dagre and Graphviz: crossings, edges behind boxes, shape and time, on the same random PAGs.

    python -m benchmarks.layout_engines

Node.js and npm are needed; the engines are installed into build/layout-engines. The table is that of
docs/decisions/30-pictures-are-columns.md.
"""

import json
import subprocess
import time
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ancestral as an
from ancestral.graphs.marks import ARROW
from ancestral.show.layout import arrange

Points = NDArray[np.float64]

FOLDER = Path("build/layout-engines")
ENGINES = ["elkjs@0.12.1", "@dagrejs/dagre@3.1.3", "@hpcc-js/wasm-graphviz@1.29.2"]
#: Nodes, of which about a tenth is latent, and seeds.
NODES, SEEDS = (11, 33, 66, 110), (11, 12, 13, 14, 15)


def main() -> None:
    """Lay out all graphs by all engines, and print the table."""
    graphs: list[dict[str, Any]] = []
    rows: list[tuple[int, list[tuple[int, int]], dict[str, Any]]] = []
    for nodes in NODES:
        for seed in SEEDS:
            pag = an.pag_of(an.simulate.random_dag(nodes=nodes, degree=3.0, seed=seed))
            pag = an.PAG([f"{name} as measured" for name in pag.nodes], pag.marks)
            start = time.perf_counter()
            boxes = arrange(pag)
            milliseconds = 1e3 * (time.perf_counter() - start)
            marks = pag.arranged(boxes.names)
            pairs = np.argwhere(np.triu(marks)).tolist()
            edges = [(b, a) if marks[b, a] == ARROW and marks[a, b] != ARROW else (a, b) for a, b in pairs]
            graphs.append({"sizes": [[width, 30.0] for width in boxes.sizes[:, 0].tolist()], "edges": edges})
            curves = [boxes.curves.get((a, b), boxes.curves.get((b, a))) for a, b in edges]
            corners = np.hstack([boxes.centres - boxes.sizes / 2, boxes.sizes])
            found: dict[str, Any] = {
                "boxes": corners,
                "curves": curves,
                "kind": "quadratic",
                "milliseconds": milliseconds,
            }
            rows.append((nodes, edges, {"ancestral": found}))
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "graphs.json").write_text(json.dumps(graphs))
    (FOLDER / "run.mjs").write_text(Path(__file__).with_suffix(".mjs").read_text())
    subprocess.run(["npm", "install", "--silent", "--no-save", *ENGINES], cwd=FOLDER, check=True)
    subprocess.run(["node", "run.mjs"], cwd=FOLDER, check=True)
    for (_, _, found), others in zip(rows, json.loads((FOLDER / "layouts.json").read_text()), strict=True):
        found.update(others)
    print("| variables | engine | crossings | edges behind boxes | width : height | height needed, px | ms |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for nodes in NODES:
        for engine in rows[0][2]:
            measured = np.array([_measured(edges, found[engine]) for size, edges, found in rows if size == nodes])
            crossings, behind, aspect, needed, milliseconds = measured.T
            print(
                f"| {nodes} | {engine} | {crossings.mean():.0f} | {behind.mean():.1f} | {aspect.min():.2f} to "
                f"{aspect.max():.2f} | {needed.mean():.0f} | {np.median(milliseconds):.0f} |"
            )


def _measured(edges: list[tuple[int, int]], found: Any) -> list[float]:
    """Crossings of edges without a common end, edges behind boxes, aspect, height of a panel of 8 : 5, milliseconds."""
    boxes = np.array(found["boxes"])
    low, high = boxes[:, :2], boxes[:, :2] + boxes[:, 2:]
    ways = [_along(np.array(curve), found["kind"]) for curve in found["curves"]]
    behind = 0
    for ends, way in zip(edges, ways, strict=True):
        inside = ((way[:, None] > low) & (way[:, None] < high)).all(axis=2).any(axis=0)
        inside[list(ends)] = False
        behind += bool(inside.any())
    crossings = sum(
        _crossings(one, other)
        for (ends, one), (others, other) in combinations(zip(edges, ways, strict=True), 2)
        if not set(ends) & set(others)
    )
    width, height = high.max(axis=0) - low.min(axis=0)
    return [crossings, behind, width / height, max(height, width / 1.6), found["milliseconds"]]


def _along(curve: Points, kind: str) -> Points:
    """Points along a curve; what is not a whole number of Bézier curves is straight lines."""
    degree = {"straight": 1, "quadratic": 2, "cubic": 3}[kind]
    if (len(curve) - 1) % degree:
        degree = 1
    t = np.linspace(0, 1, 12)[:, None, None]
    out = []
    for k in range(0, len(curve) - 1, degree):
        points = np.repeat(curve[None, k : k + degree + 1], len(t), axis=0)
        while points.shape[1] > 1:  # de Casteljau
            points = (1 - t) * points[:, :-1] + t * points[:, 1:]
        out.append(points[:, 0])
    return np.vstack(out)


def _crossings(one: Points, other: Points) -> int:
    """How often two lines of points cross."""
    a, b, c, d = one[:-1, None], one[1:, None], other[None, :-1], other[None, 1:]

    def side(u: Points, v: Points, w: Points) -> Points:
        return np.sign((v - u)[..., 0] * (w - u)[..., 1] - (v - u)[..., 1] * (w - u)[..., 0])

    return int(((side(a, b, c) != side(a, b, d)) & (side(c, d, a) != side(c, d, b))).sum())


if __name__ == "__main__":
    main()
