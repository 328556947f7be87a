"""A perfect test: it knows the true graph and answers by separation."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import names_list, whole_number
from ancestral.data.fingerprint import fingerprint
from ancestral.errors import GraphError, UnknownName
from ancestral.graphs import DAG, MAG, is_separated
from ancestral.graphs.bits import bits_of
from ancestral.graphs.names import by_name, quoted
from ancestral.independence._oracle_cy import Separations
from ancestral.independence.evidence import Evidence, Evidences, Scale, single_evidence, weigh_p_values

__all__ = ["Oracle"]


class Oracle:
    """Answers independence questions about the observed nodes of a DAG (selection given) or about a MAG.

    `max_given=n` makes it the n-oracle of Spirtes (2001): given more than n nodes, everything is dependent.

    >>> Oracle(DAG.parse("a -> c, b -> c")).independent("a", "b", given=set())
    True
    """

    def __init__(self, graph: DAG | MAG, max_given: int | None = None) -> None:
        if not isinstance(graph, (DAG, MAG)):
            raise GraphError(f"an oracle knows a DAG or a MAG, not a {type(graph).__name__}")
        self.graph = graph
        self.max_given = None if max_given is None else whole_number("max_given", max_given, 0)

    @property
    def names(self) -> tuple[str, ...]:
        """The variables one can ask about."""
        return self.graph.observed if isinstance(self.graph, DAG) else self.graph.nodes

    @property
    def kinds(self) -> None:
        """An oracle has no columns."""
        return None

    def questions(self, names: Sequence[str]) -> Separations:
        """The questions about these variables, numbered in this order."""
        graph = self.graph
        selection = [graph.index(name) for name in graph.selection] if isinstance(graph, DAG) else []
        return Separations(
            graph.marks,
            [graph.index(name) for name in names],
            bits_of(selection, (len(graph.nodes) + 63) // 64),
            -1 if self.max_given is None else self.max_given,
        )

    name = "oracle"
    scale = Scale.P_VALUE
    alpha = None
    rows = 0

    def evidence(self, questions: Separations, names: Sequence[str], x: int, y: int, given: Sequence[int]) -> Evidence:
        """An oracle needs no evidence: the p-value is 1 where separated, otherwise 0."""
        return single_evidence(questions, self.p_values, x, y, given, self.rows)

    def p_values(self, raw: NDArray[np.float64], sizes: NDArray[np.integer]) -> Evidences:
        """The p-values."""
        return weigh_p_values(raw)

    @property
    def fingerprint(self) -> str:
        """Of the graph that is asked."""
        graph = self.graph
        roles = [graph.latent, graph.selection] if isinstance(graph, DAG) else []
        listed = [" ".join(sorted(map(quoted, role))) for role in roles]
        nodes = sorted(graph.nodes, key=by_name)
        edges = type(graph)(nodes, graph.arranged(nodes), *roles).edges()
        said = [f"{quoted(a)} {edge} {quoted(b)}" for a, edge, b in edges]
        return fingerprint("oracle", [type(graph).__name__, *nodes, "edges", *said, "roles", *listed, self.max_given])

    def independent(self, x: str, y: str, given: Iterable[str] = ()) -> bool:
        """Whether x and y are independent given these variables."""
        given = given if isinstance(given, str) else frozenset(names_list("given", given))  # a string is refused below
        for name in (x, y, *given):
            if name not in self.names:
                raise UnknownName(name, self.names, what="observed node")
        separated = is_separated(self.graph, x, y, given)
        return separated and (self.max_given is None or len(given) <= self.max_given)

    def __repr__(self) -> str:
        limit = "" if self.max_given is None else f", max_given={self.max_given}"
        return f"Oracle({self.graph!r}{limit})"
