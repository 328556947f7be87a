"""The picture of a sweep: numbers along alpha, and below them a row for each edge that comes and goes.

Levels stand at equal distances, so that every panel and the rows of edges share one axis.
"""

import os
from collections.abc import Mapping, Sequence
from io import BytesIO
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ancestral.arguments import optional, path_of
from ancestral.errors import OptionError
from ancestral.io.files import check_writable, write_atomically
from ancestral.printing import counted
from ancestral.show.axes import with_matplotlib
from ancestral.show.labels import shortened
from ancestral.sweeping.frames import EdgePath
from ancestral.sweeping.suggestion import MOST_INSTABILITY

if TYPE_CHECKING:
    from ancestral.sweeping.result import Sweep

__all__ = ["FILLS", "MOST_ROWS", "check_picture", "figure_of_sweep", "fill_of", "plot", "svg_of_sweep"]

#: Edges that a picture shows; of more, those that are at some levels only come first.
MOST_ROWS = 40

#: The ink and fill of cells, by what the edge says: they differ in lightness, too, and the marks stand in them.
FILLS = {
    "directed": "#9cc3e6",
    "bidirected": "#f3b98b",
    "partly open": "#d3e4c5",
    "open": "#ececec",
    "undirected": "#d9c6e8",
}
INK, GREY, RED = "#222222", "#8a8a8a", "#b5441c"

#: Settings of matplotlib while a sweep is drawn: the same bytes each time, and text that can be searched.
_SETTINGS: Any = {"svg.hashsalt": "ancestral", "svg.fonttype": "none", "font.size": 9, "axes.axisbelow": True}


def fill_of(edge: str) -> str:
    """The fill of a cell with this edge."""
    ends = {edge[0], edge[2]}
    if edge in ("-->", "<--"):
        return FILLS["directed"]
    if edge == "<->":
        return FILLS["bidirected"]
    if ends == {"o"}:
        return FILLS["open"]
    return FILLS["undirected"] if ends == {"-"} else FILLS["partly open"]


def plot(sweep: "Sweep", path: str | os.PathLike[str] | None) -> Any:
    """Draw a sweep into a file, or return it as a figure of matplotlib."""
    target = optional(path_of, "path", path)
    if target is None:
        return figure_of_sweep(sweep)
    check_picture(target)
    write_atomically(target, _drawn(sweep, target.suffix.lower()[1:]))
    return None


def check_picture(target: Path, option: str = "path") -> None:
    """Raise unless a picture can be written into this file, which an option names."""
    if target.suffix.lower() not in (".svg", ".png", ".pdf"):
        raise OptionError("must end in .svg, .png or .pdf", option=option, value=str(target))
    check_writable(target)


def svg_of_sweep(sweep: "Sweep") -> str:
    """The picture as an SVG element, for a page of HTML."""
    text = _drawn(sweep, "svg").decode()
    return text[text.index("<svg") :]


def _drawn(sweep: "Sweep", kind: str) -> bytes:
    with_matplotlib()
    import matplotlib

    # without a date, so that the same sweep gives the same file
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})
    out = BytesIO()
    with matplotlib.rc_context(_SETTINGS):
        figure_of_sweep(sweep).savefig(out, format=kind, dpi=192, metadata=metadata)
    return out.getvalue()


def figure_of_sweep(sweep: "Sweep") -> Any:
    """The figure of a sweep; raises OptionError if matplotlib is not installed."""
    with_matplotlib()
    import matplotlib
    from matplotlib.figure import Figure

    panels = _panels(sweep)
    rows = _rows(sweep.paths)
    heights = [1.15] * len(panels) + [0.55 + 0.21 * max(len(rows), 1)]
    width = max(7.0, 2.6 + 0.62 * len(sweep.alphas))
    with matplotlib.rc_context(_SETTINGS):
        figure = Figure(figsize=(width, sum(heights) + 1.2), layout="constrained")
        axes = figure.subplots(
            len(heights), 1, sharex=True, squeeze=False, gridspec_kw={"height_ratios": heights}
        ).ravel()
        figure.suptitle(sweep.headline(), fontsize=10)
        for axis, draw in zip(axes, panels, strict=False):
            draw(axis)
            _tidy(axis)
        _strip(axes[-1], rows, sweep)
        for axis in axes[:-1]:
            axis.tick_params(labelbottom=False, bottom=False)
    return figure


def _panels(sweep: "Sweep") -> list[Any]:
    """What draws each of the panels for which there are numbers."""
    levels = sweep.levels
    panels: list[Any] = [lambda axis: _lines(axis, "edges", {"": [level.edges for level in levels]}, INK)]
    if any(level.denied is not None for level in levels):
        denied = {
            "denied": [level.denied for level in levels],
            "beyond chance": [level.beyond_chance for level in levels],
        }
        panels.append(lambda axis: _lines(axis, "dependences\ndenied", denied, RED))
    ratios = [None if level.deviance is None or not level.df else level.deviance / level.df for level in levels]
    if any(ratio is not None for ratio in ratios):
        panels.append(lambda axis: _lines(axis, "fit: deviance\nper degree", {"": ratios}, INK, logarithmic=True))
    if len(levels) > 1:
        shares = {
            "edges as in neighbouring levels": [level.same_edges for level in levels],
            "marks": [level.same_marks for level in levels],
        }
        panels.append(lambda axis: _lines(axis, "agreement", shares, INK, top=1.0))
    if any(level.instability is not None for level in levels):
        unstable = {"": [level.instability for level in levels]}
        panels.append(lambda axis: _unstable(axis, unstable))
    return panels


def _unstable(axis: Any, lines: Mapping[str, Sequence[float | None]]) -> None:
    """Draw the instability, and the bound that StARS sets."""
    _lines(axis, "instability\nin subsamples", lines, INK)
    axis.axhline(MOST_INSTABILITY, color=RED, linewidth=0.9, linestyle=":")
    axis.set_ylim(0.0, max(axis.get_ylim()[1], 1.3 * MOST_INSTABILITY))


def _lines(
    axis: Any,
    label: str,
    lines: Mapping[str, Sequence[float | None]],
    colour: str,
    *,
    top: float | None = None,
    logarithmic: bool = False,
) -> None:
    """Draw one or two lines; the second one is dashed and lighter. A level without a number is left out."""
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

    styles = (
        {"color": colour, "marker": "o", "linestyle": "-"},
        {"color": GREY, "marker": "s", "linestyle": "--"},
    )
    for (name, values), style in zip(lines.items(), styles, strict=False):
        # no line across a level without a number
        heights = [nan if value is None else value for value in values]
        axis.plot(range(len(heights)), heights, markersize=4, linewidth=1.2, label=name, clip_on=False, **style)
    known = [value for values in lines.values() for value in values if value is not None]
    if logarithmic:
        axis.set_yscale("log")
        axis.set_ylim(min(known) / 1.25, max(known) * 1.25)
        axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5), numticks=5))
        axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axis.yaxis.set_minor_formatter(NullFormatter())
    else:
        whole = all(isinstance(value, int) for value in known)
        axis.yaxis.set_major_locator(MaxNLocator(3, integer=whole))
        axis.set_ylim(0.0, 1.08 * (top or max(known) or 1))
    axis.set_ylabel(label, rotation=0, ha="right", va="center")
    if len(lines) > 1:
        axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize=8)


def _tidy(axis: Any) -> None:
    axis.grid(axis="y", color="#e4e4e4", linewidth=0.7)
    for side in ("top", "right"):
        axis.spines[side].set_visible(False)


def _rows(paths: Sequence[EdgePath]) -> list[EdgePath]:
    """The edges to show: those at some levels only, by the level at which they appear, then those that change marks."""
    changing = [path for path in paths if path.changes]
    changing.sort(key=lambda path: (None not in path.edges, path.levels[0], -len(path.levels)))
    return changing[:MOST_ROWS]


def _strip(axis: Any, rows: Sequence[EdgePath], sweep: "Sweep") -> None:
    """Draw a row for each edge, and a cell with its marks for each level that has it."""
    from matplotlib.patches import Patch, Rectangle

    count = len(sweep.alphas)
    axis.set_xlim(-0.6, count - 0.4)
    axis.set_xticks(range(count), [f"{alpha:g}" for alpha in sweep.alphas])
    axis.set_xlabel("alpha")
    axis.set_ylim(max(len(rows), 1) - 0.5, -0.5)
    for row, path in enumerate(rows):
        axis.axhline(row, color="#f0f0f0", linewidth=0.7, zorder=0)
        for place, edge in enumerate(path.edges):
            if edge is not None:
                cell = Rectangle((place - 0.44, row - 0.42), 0.88, 0.84, facecolor=fill_of(edge), linewidth=0)
                axis.add_patch(cell)
                axis.text(place, row, edge, ha="center", va="center", family="monospace", fontsize=7.5, color=INK)
    labels = [f"{_name(path.a)} · {_name(path.b)}" for path in rows]
    axis.set_yticks(range(len(rows)), labels, fontsize=8)
    axis.tick_params(length=0)
    for side in axis.spines.values():
        side.set_visible(False)
    if not rows:
        axis.set_yticks([])
        axis.text((count - 1) / 2, 0, "every edge is the same at all levels", ha="center", va="center", color=GREY)
        return
    changing = sum(path.changes for path in sweep.paths)
    left_out = f", {len(rows)} of {changing} shown" if changing > len(rows) else ""
    same = counted(len(sweep.paths) - changing, "edge")
    title = f"edges that come and go{left_out}, read from the first name to the second"
    axis.set_title(f"{title}\n{same} the same at all levels", fontsize=9, loc="left")
    lasting = sum(None not in path.edges for path in rows)
    if 0 < lasting < len(rows):  # below the line, only marks change
        axis.axhline(len(rows) - lasting - 0.5, color=GREY, linewidth=0.9)
    used = {fill_of(edge) for path in rows for edge in path.edges if edge is not None}
    entries = [Patch(facecolor=fill, label=name) for name, fill in FILLS.items() if fill in used]
    axis.legend(handles=entries, loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, fontsize=8)


def _name(name: str) -> str:
    return shortened(name).replace("$", r"\$")  # otherwise it begins a formula
