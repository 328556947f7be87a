"""`ancestral plot`: a picture of a run, or of a graph."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ancestral.cli.graphs import GraphFile, read_graph, series_in
from ancestral.cli.output import note
from ancestral.cli.parsing import choice, names_in
from ancestral.cli.places import check_places
from ancestral.errors import OptionError

if TYPE_CHECKING:
    from ancestral.graphs import MixedGraph

__all__ = ["EXAMPLES", "plot"]

EXAMPLES = """Examples:

ancestral plot run.json

ancestral plot run.json --output graph.png --fade

ancestral plot run.json --output firm.pdf --bootstrap boot.json

ancestral plot truth.txt --output truth.svg --highlight x2 --layout layered
"""


def plot(
    run: GraphFile,
    output: Annotated[
        Path | None,
        typer.Option(
            help="The file to write, .svg, .png or .pdf; by default beside the file of the graph, ending in .svg."
        ),
    ] = None,
    highlight: Annotated[
        list[str] | None,
        typer.Option(
            help="What should stand out: a variable, or two with a comma between them for their edge; repeat it.",
            metavar="X|X,Y",
        ),
    ] = None,
    colour: Annotated[
        str | None,
        choice(
            "--colour",
            ("kind", "tier"),
            help="Colour variables by kind, continuous, discrete or ordinal, or by the tiers of what is known.",
            show_default=False,
        ),
    ] = None,
    fade: Annotated[
        bool,
        typer.Option(
            "--fade",
            help="Draw edges and marks the fainter, the fewer resamples have them; in a run without resamples, edges "
            "whose p-value is near alpha.",
        ),
    ] = False,
    bootstrap: Annotated[
        Path | None,
        typer.Option(help="A bootstrap file, from bootstrap --save: fade by the frequencies in it."),
    ] = None,
    layout: Annotated[
        str | None,
        choice(
            "--layout",
            ("layered", "stress"),
            help="layered: from left to right along the arrowheads. stress: distances as in the graph. Without it, by "
            "the graph.",
            show_default=False,
        ),
    ] = None,
    stage: Annotated[
        int | None,
        typer.Option(
            help="Draw the graph after this stage of the run, from 1, in the places of the last graph.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Draw a graph into a file.

    Thick lines are edges that nothing unmeasured stands behind. Of time series, it draws the window and the processes.
    """
    import ancestral as an
    from ancestral.show.emphasis import resampled_strengths
    from ancestral.show.plot import check_picture
    from ancestral.show.plot import plot as draw

    target = output or _beside(run)
    check_places(writes={"--output": target}, reads={"the graph": run, "--bootstrap": bootstrap})
    check_picture(target, "output")
    found = read_graph(run)
    chosen: dict[str, Any] = {"highlight": [_highlighted(text) for text in highlight or ()], "layout": layout}
    of_runs = {"--colour": colour, "--fade": fade and bootstrap is None, "--stage": stage}
    boot = None if bootstrap is None else an.load_bootstrap(bootstrap)
    if (series := series_in(found)) is not None:
        own = {"--highlight": highlight, "--layout": layout, "--bootstrap": bootstrap}
        _refuse(run, "a run of time series, whose picture does not take", {**own, **of_runs})
        series.plot(target)
    elif isinstance(found, an.Discovery):
        found.plot(target, colour=colour, fade=fade if boot is None else boot, stage=stage, **chosen)  # type: ignore[arg-type]
    else:
        graph: MixedGraph = found
        _refuse(run, "a graph, and only a run takes", of_runs)
        draw(graph, target, fade=None if boot is None else resampled_strengths(graph, boot), **chosen)
    note(f"picture written to {target}")


def _highlighted(text: str) -> str | tuple[str, str]:
    """A variable, or the two variables of an edge."""
    names = names_in([text]) or []
    if len(names) == 1:
        return names[0]
    if len(names) == 2:
        return names[0], names[1]
    raise OptionError(
        "must be a variable, or two with a comma between them", option="highlight", value=text, way_out="repeat it"
    )


def _refuse(path: Path, what: str, options: Mapping[str, object]) -> None:
    """Raise OptionError for the first option that is given and does not apply."""
    for option, value in options.items():
        if value not in (None, False):
            raise OptionError(f"{path}: is {what} {option}; leave it out")


def _beside(graph: Path) -> Path:
    """The picture beside a file, with its name."""
    return graph.with_name(graph.name.removesuffix(".gz")).with_suffix(".svg")
