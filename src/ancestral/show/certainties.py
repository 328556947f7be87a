"""How certain the claims about two variables are, in sentences."""

from collections.abc import Sequence

from ancestral.certainty import Certainty
from ancestral.certainty.certainty import FIRM
from ancestral.graphs import CPDAG, PAG
from ancestral.graphs.marks import MARK_NAMES
from ancestral.graphs.names import by_name, quoted
from ancestral.printing import listed
from ancestral.show.explain import mark_in_words

__all__ = ["certainty_sentences", "doubts", "not_firm_at", "percent", "tiers_wanted"]


def tiers_wanted(*, for_shell: bool) -> str:
    """What a summary asks for if it says who causes whom and nothing was known beside the data."""
    how = "in a file of tiers (--knowledge knowledge.txt)" if for_shell else "(knowledge: tiers)"
    return (
        f"Directions rest on the data alone. Where some variables come before others in time, say so {how}, and search "
        "again."
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
    selected = selection and not isinstance(certainty.graph, CPDAG)
    for node, mark, share in certainty.marks_of(a, b):
        firm = "firm" if certainty.enough and share >= FIRM else "not firm"
        other = b if node == a else a
        out.append(f"{mark_in_words(node, mark, other, selected)}: in {percent(share)} of resamples; {firm}.")
    return out


def doubts(certainty: Certainty, a: str, b: str) -> str:
    """What is not firm about an edge, in a few words; empty if all is."""
    if certainty.edge(a, b) < FIRM:
        return f"edge {percent(certainty.edge(a, b))}"
    weak = [(node, mark, share) for node, mark, share in certainty.marks_of(a, b) if share < FIRM]
    return ", ".join(f"{MARK_NAMES[mark]} at {node} {percent(share)}" for node, mark, share in weak)


def not_firm_at(pag: PAG, certainty: Certainty | None, x: Sequence[str], y: Sequence[str]) -> str:
    """What is not firm about the effect of x on y, as a clause; empty if all is, or without enough resamples.

    These are the edges at the variables, and a missing edge between one of x and one of y.
    """
    if certainty is None or not certainty.enough:
        return ""
    weak = [
        f"no edge between {quoted(a)} and {quoted(b)} ({percent(certainty.edge(a, b))})"
        for a in x
        for b in y
        if pag.edge(a, b) is None and certainty.edge(a, b) < FIRM
    ]
    weak += [
        f"{pag.edge_text(a, b)} ({doubt})"
        for a, _, b in pag.edges()
        if {a, b} & {*x, *y} and (doubt := doubts(certainty, a, b))
    ]
    return f"not firm in resamples: {listed(weak, 5, spell=str)}" if weak else ""
