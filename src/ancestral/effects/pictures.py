"""The graph of a question about an effect, for notebooks: coloured are the cause, the outcome and what is given."""

from collections.abc import Iterable

from ancestral.graphs import MixedGraph
from ancestral.graphs.names import by_name
from ancestral.notebook import MOST_BESIDE

__all__ = ["effect_picture"]


def effect_picture(
    graph: MixedGraph, x: Iterable[str], y: Iterable[str], adjusted_for: Iterable[str], within: Iterable[str] = ()
) -> str | None:
    """The graph as an SVG document, with a key of the colours; None if it has too many nodes to stand beside text."""
    if len(graph.nodes) > MOST_BESIDE:
        return None
    roles = {"cause": x, "outcome": y, "adjusted for": sorted(adjusted_for, key=by_name), "within": within}
    return graph.svg(colour={name: role for role, names in roles.items() for name in names})
