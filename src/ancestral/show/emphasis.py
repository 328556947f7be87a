"""What a picture of a run tells beside its graph: groups by colour, kinds by shape, weak edges and marks by fading."""

from collections.abc import Mapping

import numpy as np

from ancestral.certainty import Certainty
from ancestral.errors import OptionError
from ancestral.graphs import MixedGraph
from ancestral.graphs.marks import parse_symbol
from ancestral.graphs.names import by_name, in_order
from ancestral.search.stage import GraphStage
from ancestral.show.actions import set_from_outside
from ancestral.show.design import asked_edges
from ancestral.show.picture import Outside, Strength, Told, visible_pairs
from ancestral.show.reliabilities import Reliabilities
from ancestral.show.run import Run

__all__ = [
    "DESIGN_NOT_DRAWN",
    "colour_groups",
    "edge_strengths",
    "outside_of",
    "resampled_strengths",
    "tiers_of",
    "told_by",
    "visible_of",
]

#: What the key says that the groups of variables are.
HEADINGS = {"kind": "kind of variable", "tier": "known order"}

#: What a picture says in the place of edges between contexts whose relation was designed.
DESIGN_NOT_DRAWN = "edges between contexts are those of the design, and not drawn"

#: Powers of ten below alpha from which on an edge is drawn at full strength.
_FULL_STRENGTH = 6


def colour_groups(run: Run, by: str) -> Mapping[str, str]:
    """The group of each variable: by "kind", continuous, discrete or ordinal, or by "tier", of what is known.

    Raises OptionError if the run has no columns, or no tiers, or `by` is something else.
    """
    way_out = "pass the group of each variable"
    if by == "tier":
        known = run.settings.knowledge
        if known is None or not known.tiers:
            raise OptionError(
                "needs tiers, and none are known", option="colour", value=by, assigned=True, way_out=way_out
            )
        return {name: f"tier {i}" for i, tier in enumerate(known.tiers, 1) for name in tier}
    if by != "kind":
        raise OptionError("must be 'kind', 'tier', or a dictionary", option="colour", value=by, way_out=way_out)
    if run.test.kinds is None:
        raise OptionError(
            "needs columns of data, and there are none", option="colour", value=by, assigned=True, way_out=way_out
        )
    return {name: run.test.kinds[name] for name in in_order(run.pag.nodes)}


def tiers_of(run: Run) -> tuple[tuple[str, ...], ...]:
    """The tiers of what is known, which pictures show from left to right; empty if there are none."""
    known = run.settings.knowledge
    return () if known is None else tuple(tuple(tier) for tier in known.tiers)


def outside_of(run: Run) -> Outside | None:
    """The variables that were set from outside, as pictures show them; None if there are none."""
    known = run.settings.knowledge
    names = set_from_outside(known, run.pag)
    if known is None or not names:
        return None
    kinds = [word for word, some in (("context", known.contexts), ("randomised", known.randomised)) if some]
    designed = len(run.pag.edges()) > len(asked_edges(run.pag, known))
    return Outside(names, f"{' or '.join(kinds)}: set from outside", DESIGN_NOT_DRAWN if designed else "")


def told_by(run: Run, colour: object = None) -> Told:
    """What a picture of a run tells about its variables and edges, beside the graph; `colour` is that of its plot."""
    heading = HEADINGS.get(colour, "") if isinstance(colour, str) else ""
    kinds = run.test.kinds or {}
    several = len(set(kinds.values())) > 1
    square = [name for name, kind in kinds.items() if kind != "continuous"] if several else []
    return {
        "outside": outside_of(run),
        "tiers": tiers_of(run),
        "square": square,
        "visible": visible_of(run),
        "heading": heading,
    }


def visible_of(run: Run) -> frozenset[frozenset[str]]:
    """The pairs whose edge is visible, as `confounded` says; where an edge may be false, those that are known to be."""
    pairs = visible_pairs(run.pag)
    return pairs if run.settings.together is None else pairs & run.pag.unconfounded


def _certainty(certainty: Certainty, a: str, b: str) -> Strength:
    """The certainty of an edge, and of its marks; a mark that is known is drawn in full."""
    return Strength(certainty.edge(a, b), certainty.mark(b, a), certainty.mark(a, b))


def edge_strengths(run: Run) -> dict[tuple[str, str], float | Strength]:
    """How certain each edge and each of its marks is, if resamples were searched: the share that have it.

    Otherwise, how far its largest p-value is below alpha, in powers of ten: 0 at alpha, 1 at a millionth of it. Empty
    if the test has no alpha, and if no questions were asked about edges: then none is faded. An edge about which no
    question could be asked has strength 0.
    """
    if run.known_certainty is not None and run.known_certainty.repeats:
        return {(a, b): _certainty(run.known_certainty, a, b) for a, _, b in run.pag.edges()}
    if run.test.alpha is None or isinstance(run.stage, GraphStage):
        return {}
    alpha, names, decided = run.test.alpha, run.stage.names, run.decisions
    if not run.stage.begun:  # nothing was asked
        return {(a, b): 0.0 for a, _, b in run.pag.edges()}
    with np.errstate(divide="ignore"):
        strengths = np.log10(decided.kept_by.p_value / alpha) / -_FULL_STRENGTH
    clipped = np.clip(np.nan_to_num(strengths, nan=0.0), 0, 1).tolist()
    return {(names[x], names[y]): strength for (x, y), strength in zip(decided.edges.tolist(), clipped, strict=True)}


def resampled_strengths(graph: MixedGraph, seen: Reliabilities) -> dict[tuple[str, str], Strength]:
    """The share of resamples of a bootstrap that have each edge of a graph, and the mark that it has at either end.

    Raises OptionError if the variables are not those of the graph.
    """
    names, counted = in_order(graph.nodes), seen.frequencies
    if in_order(seen.nodes) != names:
        raise OptionError(
            "must be a bootstrap of the same variables",
            option="fade",
            value=seen,
            way_out="resample the data of this graph",
        )
    rows = {(names[x], names[y]): row for row, (x, y) in enumerate(counted.pairs.tolist())}
    ends = counted.at(0), counted.at(1)
    out = {}
    for a, edge, b in graph.edges():
        first, last = sorted((a, b), key=by_name)
        marks = dict(zip((a, b), parse_symbol(edge), strict=True))
        row = rows.get((first, last))
        if row is None:
            out[first, last] = Strength(0.0, 0.0, 0.0)
            continue
        counts = ends[0][row].sum(), ends[0][row][marks[first] - 1], ends[1][row][marks[last] - 1]
        out[first, last] = Strength(*(float(count) / max(counted.repeats, 1) for count in counts))
    return out
