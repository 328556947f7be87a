"""A rule in a test is a picture: the graph before, and the graph after."""

from collections.abc import Mapping

from ancestral import PAG
from ancestral.orientation import Oriented, orient
from ancestral.orientation._judge_cy import Sepsets


def applied(rules: str, before: str, sepsets: Mapping[str, str] | None = None) -> tuple[PAG, Oriented]:
    """Apply the rules (separated by blanks) to a graph; sepsets as {"a c": "b d"}, names separated by blanks."""
    pag = PAG.parse(before)
    judge = Sepsets(len(pag.nodes))
    for pair, given in (sepsets or {}).items():
        x, y = pair.split()
        judge.record(pag.index(x), pag.index(y), [pag.index(z) for z in given.split()])
    return pag, orient(pag.marks, judge, rules.split())


def after(rules: str, before: str, sepsets: Mapping[str, str] | None = None) -> PAG:
    """The graph after the rules were applied."""
    pag, oriented = applied(rules, before, sepsets)
    return PAG(pag.nodes, oriented.marks)
