"""How certain the claims about two variables are, in sentences."""

from ancestral.certainty import Certainty
from ancestral.certainty.certainty import FIRM
from ancestral.graphs import CPDAG
from ancestral.graphs.marks import CIRCLE, MARK_NAMES, NONE
from ancestral.graphs.names import by_name
from ancestral.show.explain import mark_in_words

__all__ = ["TIERS_WANTED", "certainty_sentences", "doubts", "percent"]

#: What a summary asks for if it says who causes whom and nothing was known beside the data.
TIERS_WANTED = (
    "Directions rest on the data alone. Where some variables come before others in time, say so (knowledge: tiers), "
    "and search again."
)


def percent(share: float) -> str:
    """A share in percent, for people: what is nearly all is not shown as 100 %, nor what is hardly any as 0 %.

    >>> percent(0.874), percent(0.998), percent(0.002), percent(1.0), percent(float("nan"))
    ('87 %', '>99 %', '<1 %', '100 %', 'unknown')
    """
    if share != share:
        return "unknown"
    if 0 < share < 0.01:
        return "<1 %"
    if 0.99 < share < 1:
        return ">99 %"
    return f"{100 * share:.0f} %"


def certainty_sentences(certainty: Certainty, a: str, b: str, *, selection: bool) -> list[str]:
    """In which share of the resamples there is the edge of a and b, or none, and each of its marks but circles."""
    a, b = sorted((a, b), key=by_name)
    edge = certainty.graph.edge(a, b)
    what = "no edge" if edge is None else "an edge"
    out = [f"{a} and {b} have {what} in {percent(certainty.edge(a, b))} of {certainty.drawn_in_words()}."]
    if edge is None:
        return out
    for x, y in ((b, a), (a, b)):
        i, j = certainty.graph.index(x), certainty.graph.index(y)
        mark = int(certainty.graph.class_marks[i, j])
        if mark in (CIRCLE, NONE):
            continue
        share = certainty.mark(x, y)
        firm = "firm" if certainty.enough and share >= FIRM else "not firm"
        selected = selection and not isinstance(certainty.graph, CPDAG)
        out.append(f"{mark_in_words(y, mark, x, selected)}: in {percent(share)} of resamples; {firm}.")
    return out


def doubts(certainty: Certainty, a: str, b: str) -> str:
    """What is not firm about an edge, in a few words; empty if all is."""
    if certainty.edge(a, b) < FIRM:
        return f"edge {percent(certainty.edge(a, b))}"
    parts = []
    for x, y in ((b, a), (a, b)):
        mark = int(certainty.graph.class_marks[certainty.graph.index(x), certainty.graph.index(y)])
        if mark != CIRCLE and certainty.mark(x, y) < FIRM:
            parts.append(f"{MARK_NAMES[mark]} at {y} {percent(certainty.mark(x, y))}")
    return ", ".join(parts)
