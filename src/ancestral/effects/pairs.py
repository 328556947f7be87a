"""One cause and one effect in a graph: their names, what rules an effect out, and the edge that leaves it open."""

from collections.abc import Collection

from ancestral.arguments import listed, names_list
from ancestral.effects.criterion import Criterion
from ancestral.effects.selected import selection_shown
from ancestral.errors import GraphError, Option, OptionError, refuse_unknown
from ancestral.graphs import CPDAG, PAG
from ancestral.independence.base import MomentsSource, Test

__all__ = ["asked_pairs", "criterion_of", "linear_moments", "open_edge", "refuse_selection", "two_names"]


def two_names(x: object, y: object) -> tuple[str, str]:
    """The names of two different variables; raise `OptionError` for several on one side, and for the same twice."""
    for option, name in (("x", x), ("y", y)):
        if not isinstance(name, str):
            raise OptionError(
                "must be the name of one variable", option=option, value=name, way_out="ask for one at a time"
            )
    if x == y:
        raise OptionError(f"the two variables must differ, got {x!r} twice; ask about two different ones")
    return str(x), str(y)


def asked_pairs(effects: object, names: Collection[str]) -> tuple[tuple[str, str], ...]:
    """The effects that were asked for, each a cause and an outcome among these names, none twice.

    Raises `OptionError` for anything else than pairs of different names, `UnknownName` for a name that is unknown.
    """
    example: list[str | Option] = ["for example ", Option("effects", [("x", "y")])]
    out = []
    for item in listed("effects", effects, "pairs, each a cause and an outcome", example):
        pair = () if isinstance(item, str) else names_list("effects", item)
        if len(pair) != 2 or pair[0] == pair[1]:
            reason = "must be a list of pairs, each a cause and another variable"
            raise OptionError(reason, option="effects", value=item, way_out=example)
        refuse_unknown(pair, tuple(names), what="variable")
        out.append((pair[0], pair[1]))
    return tuple(dict.fromkeys(out))


def criterion_of(graph: PAG, x: str, y: str) -> Criterion:
    """The adjustment criterion for the effect of x on y."""
    every = frozenset(range(len(graph.nodes)))
    xs, ys = frozenset({graph.index(x)}), frozenset({graph.index(y)})
    return Criterion(graph.class_marks, xs, ys, isinstance(graph, CPDAG), every, graph.unconfounded_pairs)


def open_edge(graph: PAG, x: str, y: str) -> tuple[str, str] | None:
    """The edge out of x behind which a confounder may stand, so that the effect of x on y is open; None if none may.

    None may if all such edges are visible, as in a CPDAG, where nothing is latent.
    """
    step = criterion_of(graph, x, y).invisible
    return None if step is None or isinstance(graph, CPDAG) else (graph.nodes[step[0]], graph.nodes[step[1]])


def linear_moments(test: Test) -> MomentsSource:
    """The moments of a test, for questions without a choice of estimator: the error of a test without names none."""
    try:
        return test.effect_moments()
    except OptionError as error:
        raise OptionError(error.reason) from None


def refuse_selection(graph: PAG) -> None:
    """Raise `GraphError` if a mark shows that the sample was selected."""
    if words := selection_shown(graph):
        raise GraphError(f"{words}, and effects require that it was not")
