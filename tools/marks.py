"""Draw every edge and the structures that docs/glossary.md explains: docs/pictures/glossary-*.svg.

python -m tools.marks --out docs/pictures
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

import ancestral as an
from ancestral.graphs import MixedGraph
from ancestral.show.layout import Positions

#: Two nodes side by side, and three or four in the shapes that the pictures need, in pixels.
PAIR: Positions = {"x": (0, 0), "y": (130, 0)}
ROW: Positions = {"x": (0, 0), "z": (120, 0), "y": (240, 0)}
FORK: Positions = {"x": (0, 80), "u": (100, 0), "y": (200, 80)}
JOIN: Positions = {"x": (0, 0), "s": (100, 80), "y": (200, 0)}
LONG: Positions = {"x": (0, 0), "q": (120, 0), "b": (240, 0), "y": (180, 90)}
SEEN: Positions = {"z": (0, 0), "x": (120, 0), "y": (240, 0)}


@dataclass(frozen=True)
class Drawn:
    """A graph, and where its nodes stand."""

    graph: MixedGraph
    places: Positions


#: The pictures by name; each file is glossary-NAME.svg.
PICTURES = {
    "directed": Drawn(an.PAG.parse("x --> y"), PAIR),
    "bidirected": Drawn(an.PAG.parse("x <-> y"), PAIR),
    "circle-arrow": Drawn(an.PAG.parse("x o-> y"), PAIR),
    "circle-circle": Drawn(an.PAG.parse("x o-o y"), PAIR),
    "undirected": Drawn(an.PAG.parse("x --- y"), PAIR),
    "circle-tail": Drawn(an.PAG.parse("x o-- y"), PAIR),
    "visible": Drawn(an.PAG.parse("z o-> x, x --> y"), SEEN),
    "latent": Drawn(an.DAG.parse("u -> x, u -> y", latent=["u"]), FORK),
    "selection": Drawn(an.DAG.parse("x -> s, y -> s", selection=["s"]), JOIN),
    "dag": Drawn(an.DAG.parse("x -> z, z -> y"), ROW),
    "cpdag": Drawn(an.CPDAG.parse("x --- z, z --- y"), ROW),
    "mag": Drawn(an.MAG.parse("x --> z, z <-> y"), ROW),
    "collider": Drawn(an.PAG.parse("x o-> z, y o-> z"), ROW),
    "discriminating": Drawn(an.PAG.parse("x o-> q, q <-> b, q --> y, b o-> y"), LONG),
}


def draw(out: Path) -> None:
    """Draw all of them."""
    out.mkdir(parents=True, exist_ok=True)
    for name, drawn in PICTURES.items():
        drawn.graph.plot(out / f"glossary-{name}.svg", positions=drawn.places)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("docs/pictures"))
    draw(parser.parse_args().out)
