"""`Oracle`: the perfect test, which knows the true graph and answers by separation in it."""

from collections.abc import Iterable, Sequence

from ancestral.arguments import names_list, whole_number
from ancestral.data.fingerprint import fingerprint
from ancestral.errors import GraphError, OptionError, UnknownName
from ancestral.graphs import DAG, MAG, is_separated
from ancestral.graphs.bits import bits_of
from ancestral.graphs.names import in_order, quoted
from ancestral.independence._oracle_cy import Separations
from ancestral.independence.base import BaseTest, MomentsSource, Resampler, no_effect
from ancestral.printing import shown_type

__all__ = ["Oracle"]


class Oracle(BaseTest):
    """Answers independence questions about the observed nodes of a DAG (selection given) or about a MAG.

    `max_given=n` makes it the n-oracle of Spirtes (2001): given more than n nodes, everything is dependent.

    >>> Oracle(DAG.parse("a -> c, b -> c")).independent("a", "b", given=set())
    True
    """

    name = "oracle"
    kinds = None
    rows = 0
    alpha = None

    def __init__(self, graph: DAG | MAG, max_given: int | None = None) -> None:
        if not isinstance(graph, (DAG, MAG)):
            raise GraphError(f"an oracle must be given a DAG or a MAG, got {shown_type(graph)}")
        self.graph = graph
        self.max_given = None if max_given is None else whole_number("max_given", max_given, 0)
        self.names = graph.observed if isinstance(graph, DAG) else graph.nodes

    def questions(self, names: Sequence[str]) -> Separations:
        """The questions about these variables, numbered in this order; p-values are 1 if separated, otherwise 0."""
        graph = self.graph
        selection = [graph.index(name) for name in graph.selection] if isinstance(graph, DAG) else []
        return Separations(
            graph.marks,
            [graph.index(name) for name in self.checked_names(names)],
            bits_of(selection, (len(graph.nodes) + 63) // 64),
            -1 if self.max_given is None else self.max_given,
        )

    @property
    def fingerprint(self) -> str:
        """Identifies the graph, and `max_given`."""
        graph = self.graph
        roles = [graph.latent, graph.selection] if isinstance(graph, DAG) else []
        listed = [" ".join(sorted(map(quoted, role))) for role in roles]
        nodes = in_order(graph.nodes)
        edges = type(graph)(nodes, graph.arranged(nodes), *roles).edges()
        lines = [f"{quoted(a)} {edge} {quoted(b)}" for a, edge, b in edges]
        return fingerprint("oracle", [type(graph).__name__, *nodes, "edges", *lines, "roles", *listed, self.max_given])

    def resampler(self) -> Resampler:
        """Refuse: there are no rows."""
        raise OptionError("an Oracle knows the truth and has no rows to draw; pass data, or compare with an.pag_of()")

    def effect_moments(self) -> MomentsSource:
        """Refuse: there are no numbers."""
        raise no_effect("an oracle knows the graph and no numbers; pass data")

    def independent(self, x: str, y: str, given: Iterable[str] = ()) -> bool:
        """Whether x and y are independent given these variables.

        Raises `UnknownName` for a variable that is not observed, `GraphError` if x, y and `given` overlap.
        """
        given = given if isinstance(given, str) else frozenset(names_list("given", given))  # a string is refused below
        for name in (x, y, *given):
            if name not in self.names:
                raise UnknownName(name, self.names, what="observed node")
        separated = is_separated(self.graph, x, y, given)
        return separated and (self.max_given is None or len(given) <= self.max_given)

    def __repr__(self) -> str:
        limit = "" if self.max_given is None else f", max_given={self.max_given}"
        return f"Oracle({self.graph!r}{limit})"
