"""Draw a picture on axes of matplotlib."""

import warnings
from typing import Any

from ancestral.errors import OptionError
from ancestral.graphs.marks import ARROW, CIRCLE
from ancestral.show.fonts import families_for, warn_of_missing
from ancestral.show.labels import FONT_SIZE
from ancestral.show.picture import INK, THICK, THIN, KeyLine, Line, Picture, Text
from ancestral.show.routes import MARK_SIZES

__all__ = ["figure_of", "paint", "size_of", "with_matplotlib"]

#: Pixels of a picture in an inch of paper.
PER_INCH = 96.0
#: Points, in which matplotlib measures lines, in a pixel of a picture.
POINTS = 72 / PER_INCH


def figure_of(picture: Picture) -> Any:
    """A figure of the size of the picture, with the picture on it."""
    with_matplotlib()
    from matplotlib.figure import Figure

    figure = Figure(figsize=size_of(picture))
    paint(picture, figure.add_axes((0, 0, 1, 1)))
    return figure


def size_of(picture: Picture) -> tuple[float, float]:
    """The width and height of the picture in inches."""
    width, height = (picture.high - picture.low) / PER_INCH
    return float(width), float(height) + 0.3 * (bool(picture.key) + len(picture.explained))


def with_matplotlib() -> None:
    """Raise OptionError if matplotlib is not installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise OptionError(
            "drawing on axes, and as .png or .pdf, needs matplotlib; pip install 'ancestral[figures]', or write an .svg"
        ) from None


def paint(picture: Picture, ax: Any) -> None:
    """Draw the picture on axes; text is drawn as outlines, so that it scales with the boxes on axes of any size."""
    with_matplotlib()
    warn_of_missing([*(box.label for box in picture.boxes), *(text.text for text in picture.texts), *picture.key])
    from matplotlib.patches import FancyBboxPatch, PathPatch, Polygon, Rectangle
    from matplotlib.path import Path as Outline

    for line in picture.lines:
        curve = Outline(line.route.curve, [Outline.MOVETO] + [Outline.CURVE3] * (len(line.route.curve) - 1))
        style: dict[str, Any] = {"edgecolor": line.ink, "alpha": line.opacity, "linewidth": line.width * POINTS}
        way = PathPatch(curve, fill=False, zorder=1, **style)
        if line.dashed:
            way.set_linestyle((0, (5, 4)))
        ax.add_patch(way)
        for patch in _marks(line):
            ax.add_patch(patch)
    for box in picture.boxes:
        if box.pointed:
            style = {"facecolor": box.fill, "edgecolor": box.ink, "linewidth": 1.5, "zorder": 2}
            ax.add_patch(Polygon(box.corners(), closed=True, **style))
        for inset in () if box.pointed else (0.0, 3.0)[: 1 + box.double]:
            (left, top), (width, height) = box.centre - box.size / 2 + inset, box.size - 2 * inset
            frame = FancyBboxPatch(
                (left, top),
                width,
                height,
                boxstyle=f"round,pad=0,rounding_size={box.rounding:g}",
                facecolor=box.fill,
                edgecolor=box.ink,
                linestyle=(0, (4, 3)) if box.dashed else "-",
                linewidth=0.9,
                zorder=2,
            )
            ax.add_patch(frame)
        ax.add_patch(PathPatch(_outline(Text(box.label, box.centre, "middle")), facecolor=box.ink, lw=0, zorder=3))
    for text in picture.texts:
        outline = _outline(text)
        if text.halo:
            ax.add_patch(Rectangle(tuple(text.low), *text.size, facecolor="white", linewidth=0, zorder=5))
        ax.add_patch(PathPatch(outline, facecolor=text.ink, linewidth=0, zorder=6))
    if entries := _entries(picture):
        columns = 1 if picture.explained else len(entries)
        key = ax.legend(
            handles=entries,
            loc="upper center",
            bbox_to_anchor=(0.5, 0.0),
            ncols=columns,
            frameon=False,
        )
        for words in key.get_texts():
            words.set_parse_math(False)
            words.set_fontfamily(families_for(words.get_text()))
    (left, top), (right, bottom) = picture.low, picture.high
    ax.set_xlim(left, right)
    ax.set_ylim(bottom, top)
    ax.set_aspect("equal")
    ax.set_axis_off()


def _marks(line: Line) -> list[Any]:
    """The marks of an edge."""
    from matplotlib.patches import Circle, PathPatch, Polygon
    from matplotlib.path import Path as Outline

    out: list[Any] = []
    for mark, points, opacity in line.shapes():
        if mark == ARROW:
            out.append(Polygon(points, closed=True, color=line.ink, alpha=opacity, linewidth=0, zorder=4))
        elif mark == CIRCLE:
            radius, width = MARK_SIZES[CIRCLE] / 2 - 0.75, THIN * POINTS
            style: dict[str, Any] = {"facecolor": "white", "edgecolor": line.ink, "alpha": opacity, "linewidth": width}
            out.append(Circle((float(points[0]), float(points[1])), radius, zorder=4, **style))
        else:
            style = {"edgecolor": line.ink, "alpha": opacity, "linewidth": line.width * POINTS}
            out.append(PathPatch(Outline(points), fill=False, zorder=4, **style))
    return out


def _entries(picture: Picture) -> list[Any]:
    """The lines of the key: what shapes mean, and the fill of each group."""
    from matplotlib.patches import Patch

    out = [_sample(line) for line in picture.explained]
    if picture.key and picture.heading:
        out.append(_sample(KeyLine("none", f"{picture.heading}:")))
    return out + [Patch(facecolor=fill, edgecolor=INK, label=group) for group, fill in picture.key.items()]


def _sample(line: KeyLine) -> Any:
    """A line of the key, with an example of the shape that it explains."""
    from matplotlib.lines import Line2D

    markers = {"pointed": "h", "square": "s"}
    style: dict[str, Any] = {"linestyle": "none"}
    if line.sample in markers:
        style |= {"marker": markers[line.sample], "markersize": 10, "markerfacecolor": "white", "markeredgecolor": INK}
    elif line.sample == "thick":
        style = {"color": INK, "linewidth": THICK * POINTS}
    return Line2D([], [], label=line.words, **style)


def _outline(text: Text) -> Any:
    """The outlines of a line of text where it stands; y goes down."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath
    from matplotlib.transforms import Affine2D

    font = FontProperties(family=families_for(text.text, bold=text.bold), weight="bold" if text.bold else "normal")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")  # what is missing was told once
        # so that a dollar sign does not begin a formula
        outline = TextPath((0, 0), text.text.replace("$", r"\$"), size=FONT_SIZE * 0.92, prop=font)
    extent = outline.get_extents()
    left = {"start": extent.x0, "middle": (extent.x0 + extent.x1) / 2, "end": extent.x1}[text.anchor]
    placed = Affine2D().translate(-left, -FONT_SIZE * 0.35).scale(1, -1).translate(*text.at)
    return outline.transformed(placed)
