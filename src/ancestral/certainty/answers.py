"""Answers of a graph from data, in words that say how certain they are: "yes, firm", "probably (63 %)", "open"."""

from ancestral.certainty.certainty import FIRM, Certainty
from ancestral.graphs.ancestry import directed_steps, reaching
from ancestral.graphs.answers import Answer
from ancestral.graphs.marks import ARROW

__all__ = ["told", "told_causes", "told_confounded", "unchecked"]


def told_causes(certainty: Certainty, a: str, b: str, answer: Answer) -> Answer:
    """What the graph answers when asked whether a causes b, in words that say how certain it is.

    It is also firm if firm marks say it: an arrowhead at a on an edge with b, or a directed path.
    """
    firm = certainty.firm().marks
    i, j = certainty.graph.index(a), certainty.graph.index(b)
    by_edge = answer == "no" and firm[j, i] == ARROW
    by_path = answer == "yes" and i in reaching(directed_steps(firm), j)
    return told(answer, certainty.causes(a, b), firm=bool(by_edge or by_path), enough=certainty.enough)


def told_confounded(certainty: Certainty, a: str, b: str, answer: Answer) -> Answer:
    """What the graph answers when asked whether a and b are confounded, in words that say how certain it is."""
    return told(answer, certainty.confounded(a, b), enough=certainty.enough)


def told(answer: Answer, share: float, *, firm: bool = False, enough: bool = True) -> Answer:
    """An answer in words that say how certain it is: firm, probable with a percentage, or open.

    `firm`: it is known to be firm, whatever the share; `enough`: there are enough resamples to say so.
    """
    if not enough:
        return unchecked(answer)
    if answer == "possibly":
        return Answer("open", answer.reason, verdict="possibly", certainty=share)
    percent = f"{100 * share:.0f} %"
    if firm or share >= FIRM:
        words, reason = f"{answer}, firm", answer.reason
    elif share >= 0.5:
        words = f"probably ({percent})" if answer == "yes" else f"probably not ({percent})"
        reason = answer.reason
    else:
        words, reason = "open", f"the graph says {answer} ({answer.reason}), and only {percent} of resamples do"
    return Answer(words, reason, verdict=str(answer), certainty=share)


def unchecked(answer: Answer) -> Answer:
    """An answer of a graph from data whose certainty was not computed."""
    if answer == "possibly":
        return Answer("open", answer.reason, verdict="possibly")
    return Answer(f"{answer}, not checked", answer.reason, verdict=str(answer))
