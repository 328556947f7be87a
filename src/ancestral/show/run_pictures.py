"""Pictures of a run: methods of `Discovery`."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from ancestral.options import Location
from ancestral.show.design import without_design
from ancestral.show.emphasis import colour_groups, edge_strengths, told_by
from ancestral.show.layout import Layout, Positions
from ancestral.show.plot import as_svg, plot
from ancestral.show.run import Run

__all__ = ["RunPictures"]


class RunPictures:
    """Draws the graph of a run, with what is known of its variables and edges."""

    def plot(
        self: Run,
        path: Location | None = None,
        *,
        ax: Any = None,
        highlight: Iterable[Any] = (),
        colour: Mapping[str, str] | Literal["kind", "tier"] | None = None,
        fade: bool | Mapping[tuple[str, str], float] = False,
        layout: Layout | None = None,
        positions: Positions | None = None,
    ) -> Any:
        """Draw the graph into a file that ends in .svg, .png or .pdf, or on axes of matplotlib, which are returned.

        The options are those of `PAG.plot`; in addition, `colour="kind"` colours continuous and discrete variables, and
        `colour="tier"` the tiers of what is known; `fade=True` fades edges that few resamples have, and marks that few
        resamples have there (see `certainty`), or, without resamples, edges whose largest p-value is near alpha, up to
        full strength at a millionth of it. Where there are several kinds of variables, boxes of discrete and ordinal
        ones have square corners; contexts and randomised variables have boxes with a point at each side, and edges
        between contexts that are those of the design are not drawn. The lines of visible edges, which nothing
        unmeasured stands behind, are thick. A key below the picture says what is in it.

        Raises OptionError for an option that cannot be used, and RunError if the file cannot be written.
        """
        groups = colour_groups(self, colour) if isinstance(colour, str) else colour
        strengths = edge_strengths(self) if fade is True else None if fade is False else fade
        return plot(
            without_design(self.pag, self.settings.knowledge),
            path,
            ax=ax,
            highlight=highlight,
            colour=groups,
            fade=strengths,
            layout=layout,
            positions=positions,
            **told_by(self, colour),
        )

    def _repr_svg_(self: Run) -> str | None:
        """The picture that a notebook shows."""
        return as_svg(without_design(self.pag, self.settings.knowledge), **told_by(self))
