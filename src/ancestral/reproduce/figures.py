"""The style of figures, and how they are written: with the same bytes each time, and readable when printed in grey.

matplotlib is imported where it is used; it comes with `ancestral[figures]`.
"""

from collections.abc import Sequence
from io import BytesIO
from itertools import cycle
from pathlib import Path
from typing import Any

from ancestral.errors import OptionError
from ancestral.io.files import write_atomically

__all__ = ["LOOKS", "log_scale", "look", "need_matplotlib", "panels", "save"]

#: Styles of lines; markers, dashes and lightness differ, so that they can be told apart without colour.
LOOKS: tuple[dict[str, Any], ...] = (
    {"color": "#000000", "marker": "o", "linestyle": "-"},
    {"color": "#b5441c", "marker": "s", "linestyle": "--"},
    {"color": "#3b7dbf", "marker": "^", "linestyle": ":"},
    {"color": "#8aa82b", "marker": "D", "linestyle": "-."},
    {"color": "#8c6bb1", "marker": "v", "linestyle": (0, (5, 1, 1, 1, 1, 1))},
    {"color": "#d9a400", "marker": "P", "linestyle": (0, (1, 1))},
    {"color": "#5b5b5b", "marker": "X", "linestyle": (0, (8, 2))},
    {"color": "#2f9e8f", "marker": "<", "linestyle": (0, (3, 1, 1, 1))},
)

_SETTINGS: Any = {
    "svg.hashsalt": "ancestral",  # otherwise identifiers in the file are random
    "svg.fonttype": "path",
    "font.size": 9,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "axes.axisbelow": True,
    "legend.frameon": False,
    "legend.handlelength": 3,
    "lines.markersize": 5,
    "figure.facecolor": "white",
}


def need_matplotlib() -> None:
    """Set matplotlib up, or raise an `OptionError` if it is not installed; called before any work is done."""
    try:
        import matplotlib
    except ImportError:
        raise OptionError("figures need matplotlib, which is not installed; pip install 'ancestral[figures]'") from None
    matplotlib.use("agg")
    matplotlib.rcParams.update(_SETTINGS)


def panels(columns: int, *, rows: int = 1, width: float = 3.4, height: float = 3.0) -> tuple[Any, Any]:
    """A figure, and its axes row by row; `width` and `height` are those of one of them, in inches."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width * columns, height * rows), layout="constrained", dpi=150)
    return figure, figure.subplots(rows, columns, squeeze=False).ravel()


def log_scale(axis: Any) -> None:
    """Make the y axis logarithmic, with plain numbers even where it spans less than a power of ten."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axis.set_yscale("log")
    low, high = axis.get_ylim()
    axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 200 * low else (1,)))
    axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    axis.yaxis.set_minor_formatter(NullFormatter())


def look(names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """A style of lines for each name."""
    return dict(zip(names, cycle(LOOKS), strict=False))


def save(figure: Any, path: Path) -> None:
    """Write the figure as SVG and as PNG, without a date."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # the layout is computed once, for both files
    for ending, canvas, metadata in (
        (".svg", FigureCanvasSVG, {"Date": None, "Creator": "ancestral"}),
        (".png", FigureCanvasAgg, {"Software": "ancestral"}),
    ):
        out = BytesIO()
        getattr(canvas(figure), f"print_{ending[1:]}")(out, metadata=metadata)
        write_atomically(path.with_suffix(ending), out.getvalue())
