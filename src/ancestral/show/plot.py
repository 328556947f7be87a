"""Pictures of graphs in files, on axes and in notebooks."""

import os
from collections.abc import Callable, Iterable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, Unpack

from ancestral.arguments import optional, path_of
from ancestral.errors import Option, OptionError
from ancestral.graphs import MixedGraph
from ancestral.io.files import check_writable, write_atomically
from ancestral.show.axes import figure_of, paint, size_of, with_matplotlib
from ancestral.show.layout import Layout, Positions
from ancestral.show.picture import Fade, Picture, Told, picture
from ancestral.show.svg import svg

__all__ = ["MOST_SHOWN", "as_svg", "check_picture", "drawn_on", "plot"]

#: Nodes up to which a notebook shows a graph as a picture; a picture of more cannot be read at that size.
MOST_SHOWN = 150


def plot(
    graph: MixedGraph,
    path: str | os.PathLike[str] | None = None,
    *,
    ax: Any = None,
    highlight: Iterable[Any] = (),
    colour: Mapping[str, str] | None = None,
    fade: Fade | None = None,
    layout: Layout | None = None,
    positions: Positions | None = None,
    **told: Unpack[Told],
) -> Any:
    """Draw a graph into a file (.svg, .png, .pdf), or on axes of matplotlib, which are returned.

    Without `path` and `ax`, new axes are made. The other options are those of `picture`; `told` is what a run knows
    beside its graph. Raises OptionError for an
    option that cannot be used, or if matplotlib is needed and not installed, and RunError if the file cannot be
    written.
    """
    options: dict[str, Any] = {"highlight": highlight, "colour": colour, "fade": fade, **told}
    return drawn_on(path, ax, lambda: picture(graph, layout=layout, positions=positions, **options))


def drawn_on(path: str | os.PathLike[str] | None, ax: Any, make: Callable[[], Picture]) -> Any:
    """Draw a picture into a file or on axes, as `plot` does. The place is checked before the picture is made."""
    if path is not None and ax is not None:
        raise OptionError(["a picture goes into a file or on axes; pass either ", Option("path"), " or ", Option("ax")])
    if ax is not None and not hasattr(type(ax), "add_patch"):
        raise OptionError(
            "must be axes of matplotlib", option="ax", value=ax, way_out="pass those of plt.subplots(), or leave it out"
        )
    target = optional(path_of, "path", path)
    if target is not None:
        check_picture(target)
    drawn = make()
    if target is None:
        if ax is None:
            with_matplotlib()
            import matplotlib.pyplot as plt

            ax = plt.figure(figsize=size_of(drawn)).add_axes((0, 0, 1, 1))
        paint(drawn, ax)
        return ax
    if target.suffix.lower() == ".svg":
        write_atomically(target, svg(drawn).encode())
        return None
    page = BytesIO()
    kind = target.suffix.lower()[1:]
    # without a date, so that the same graph gives the same file
    metadata = {"CreationDate": None} if kind == "pdf" else {}
    figure_of(drawn).savefig(page, format=kind, dpi=192, metadata=metadata, bbox_inches="tight", pad_inches=0.05)
    write_atomically(target, page.getvalue())
    return None


def check_picture(target: Path, option: str = "path") -> None:
    """Raise unless a picture can be written there: OptionError for its ending, RunError for its place."""
    if target.suffix.lower() not in (".svg", ".png", ".pdf"):
        raise OptionError("must end in .svg, .png or .pdf", option=option, value=str(target))
    if target.suffix.lower() != ".svg":
        with_matplotlib()
    check_writable(target)


def as_svg(
    graph: MixedGraph,
    *,
    colour: Mapping[str, str] | None = None,
    fade: Fade | None = None,
    **told: Unpack[Told],
) -> str | None:
    """The picture that a notebook shows; None for a graph of more than `MOST_SHOWN` nodes."""
    if len(graph.nodes) > MOST_SHOWN:
        return None
    return svg(picture(graph, colour=colour, fade=fade, **told))
