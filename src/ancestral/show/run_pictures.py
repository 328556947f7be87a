"""Pictures of a run: methods of `Discovery`."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from ancestral.arguments import whole_number
from ancestral.data.old_fingerprint import data_difference
from ancestral.errors import Option, OptionError
from ancestral.options import Location
from ancestral.show.design import without_design
from ancestral.show.emphasis import colour_groups, edge_strengths, resampled_strengths, told_by
from ancestral.show.layout import Layout, Positions
from ancestral.show.picture import Fade, picture
from ancestral.show.plot import as_svg, plot
from ancestral.show.reliabilities import Reliabilities
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
        fade: bool | Mapping[tuple[str, str], float] | Reliabilities = False,
        layout: Layout | None = None,
        positions: Positions | None = None,
        stage: int | None = None,
    ) -> Any:
        """Draw the graph into a file that ends in .svg, .png or .pdf, or on axes of matplotlib.

        Where there are several kinds of variables, boxes of discrete and ordinal ones have square corners; contexts and
        randomised variables have boxes with a point at each side, and edges between contexts that are those of the
        design are not drawn. The lines of visible edges, which nothing unmeasured stands behind, are thick. A key below
        the picture says what is in it.

        Args:
            path: The file to write.
            ax: As in `PAG.plot`.
            highlight: As in `PAG.plot`.
            colour: As in `PAG.plot`; or "kind", which colours continuous and discrete variables, or "tier", which
                colours the tiers of what is known.
            fade: As in `PAG.plot`. True fades edges that few resamples have, and marks that few resamples have there
                (see `certainty`), or, without resamples, edges whose largest p-value is near alpha, up to full strength
                at a millionth of it. A `Bootstrap` fades them by its frequencies.
            layout: As in `PAG.plot`.
            positions: As in `PAG.plot`.
            stage: Draws the graph after this line of `history`, the first of which is 1, with the nodes in the places
                of the last graph.

        Returns:
            The axes; None if a file was written.

        Raises:
            OptionError: If an option cannot be used.
            UnknownName: If an option names a variable that the graph does not have.
            RunError: If the file cannot be written.
        """
        groups = colour_groups(self, colour) if isinstance(colour, str) else colour
        told, known = told_by(self, colour), self.settings.knowledge
        graph, strengths = without_design(self.pag, known), _strengths(self, fade)
        if stage is not None and not _is_last(self, stage):
            if strengths is not None and not isinstance(fade, Mapping):
                raise OptionError(
                    "is about the last graph", option="fade", way_out=["leave it out, or leave out ", Option("stage")]
                )
            if positions is None:
                at_last = picture(graph, layout=layout, outside=told["outside"], tiers=told["tiers"])
                positions = at_last.arrangement.positions
            graph = without_design(self.graphs[stage - 1], known)
            told["visible"] = frozenset()  # it may rest on edges that are removed later
        return plot(
            graph,
            path,
            ax=ax,
            highlight=highlight,
            colour=groups,
            fade=strengths,
            layout=layout,
            positions=positions,
            **told,
        )

    def _repr_svg_(self: Run) -> str | None:
        """The picture that a notebook shows."""
        return as_svg(without_design(self.pag, self.settings.knowledge), **told_by(self))


def _strengths(run: Run, fade: bool | Mapping[tuple[str, str], float] | Reliabilities | None) -> Fade | None:
    """The strength of edges and marks that is asked for."""
    if fade is False or fade is None:
        return None
    if fade is True:
        return edge_strengths(run)
    if isinstance(fade, Mapping):
        return fade
    if not all(hasattr(fade, part) for part in ("nodes", "fingerprint", "frequencies")):
        raise OptionError(
            "must be True, a dictionary or a Bootstrap",
            option="fade",
            value=fade,
            way_out=["pass the strength of edges, as in ", Option("fade", {("a", "b"): 0.5})],
        )
    if (other := data_difference(fade.fingerprint, run.test)) is not None:
        raise OptionError(
            f"must be a bootstrap of the data of this run, got one of {other}",
            option="fade",
            way_out="resample the same data, with the same columns",
        )
    return resampled_strengths(without_design(run.pag, run.settings.knowledge), fade)


def _is_last(run: Run, stage: int) -> bool:
    """Whether a stage is the last one; raise OptionError if there is no such stage."""
    if whole_number("stage", stage, 1) > len(run.graphs):
        raise OptionError(
            f"must be at most {len(run.graphs)}, the number of stages that the run has", option="stage", value=stage
        )
    return stage == len(run.graphs)
