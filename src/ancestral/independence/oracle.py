"""`Oracle`: the perfect test, which knows the true graph and answers by separation in it."""

from collections.abc import Iterable, Sequence

from ancestral.arguments import names_list, whole_number
from ancestral.data.fingerprint import fingerprint
from ancestral.errors import GraphError, OptionError, UnknownName, refuse_unknown
from ancestral.graphs import DAG, MAG, is_separated
from ancestral.graphs.bits import bits_of
from ancestral.graphs.names import in_order, quoted
from ancestral.independence._oracle_cy import Separations
from ancestral.independence.base import BaseTest, MomentsSource, Resampler, no_effect
from ancestral.printing import shown_type

__all__ = ["Oracle"]


class Oracle(BaseTest):
    """Answers independence questions about the observed nodes of a DAG (selection given) or about a MAG.

    `max_given=n` makes it the n-oracle of Spirtes (2001): given more than n nodes, everything is dependent. `together`
    are the sets of nodes that were measured together, one for each table: a question has an answer only if one of them
    has all its nodes (docs/combine.md).

    >>> Oracle(DAG.parse("a -> c, b -> c")).independent("a", "b", given=set())
    True
    >>> two = Oracle(DAG.parse("a -> c, b -> c"), together=[["a", "c"], ["b", "c"]])
    >>> two.independent("a", "c"), two.independent("a", "b")
    (False, None)
    """

    name = "oracle"
    kinds = None
    rows = 0
    alpha = None

    def __init__(
        self, graph: DAG | MAG, max_given: int | None = None, *, together: Iterable[Iterable[str]] | None = None
    ) -> None:
        if not isinstance(graph, (DAG, MAG)):
            raise GraphError(f"an oracle must be given a DAG or a MAG, got {shown_type(graph)}")
        self.graph = graph
        self.max_given = None if max_given is None else whole_number("max_given", max_given, 0)
        self.names = graph.observed if isinstance(graph, DAG) else graph.nodes
        self.together = None if together is None else _families(together, self.names)

    def questions(self, names: Sequence[str]) -> Separations:
        """The questions about these variables, numbered in this order; p-values are 1 if separated, otherwise 0."""
        graph, chosen = self.graph, self.checked_names(names)
        selection = [graph.index(name) for name in graph.selection] if isinstance(graph, DAG) else []
        return Separations(
            graph.marks,
            [graph.index(name) for name in chosen],
            bits_of(selection, (len(graph.nodes) + 63) // 64),
            -1 if self.max_given is None else self.max_given,
            None if self.together is None else [[name in family for name in chosen] for family in self.together],
        )

    @property
    def fingerprint(self) -> str:
        """Identifies the graph, `max_given` and `together`."""
        graph = self.graph
        roles = [graph.latent, graph.selection] if isinstance(graph, DAG) else []
        listed = [" ".join(sorted(map(quoted, role))) for role in roles]
        nodes = in_order(graph.nodes)
        edges = type(graph)(nodes, graph.arranged(nodes), *roles).edges()
        lines = [f"{quoted(a)} {edge} {quoted(b)}" for a, edge, b in edges]
        tables = sorted(" ".join(sorted(map(quoted, family))) for family in self.together or ())
        parts = [type(graph).__name__, *nodes, "edges", *lines, "roles", *listed, self.max_given]
        return fingerprint("oracle", parts if self.together is None else [*parts, "together", *tables])

    def resampler(self) -> Resampler:
        """Refuse: there are no rows."""
        raise OptionError("an Oracle knows the truth and has no rows to draw; pass data, or compare with an.pag_of()")

    def effect_moments(self) -> MomentsSource:
        """Refuse: there are no numbers."""
        raise no_effect("an oracle knows the graph and no numbers; pass data")

    def independent(self, x: str, y: str, given: Iterable[str] = ()) -> bool | None:
        """Whether x and y are independent given these variables; None if they were never measured together.

        Raises `UnknownName` for a variable that is not observed, `GraphError` if x, y and `given` overlap.
        """
        given = given if isinstance(given, str) else frozenset(names_list("given", given))  # a string is refused below
        for name in (x, y, *given):
            if name not in self.names:
                raise UnknownName(name, self.names, what="observed node")
        separated = is_separated(self.graph, x, y, given)
        if self.together is not None and not any({x, y, *given} <= set(family) for family in self.together):
            return None
        return separated and (self.max_given is None or len(given) <= self.max_given)

    def __repr__(self) -> str:
        limit = "" if self.max_given is None else f", max_given={self.max_given}"
        tables = "" if self.together is None else f", together={[list(family) for family in self.together]}"
        return f"Oracle({self.graph!r}{limit}{tables})"


def _families(together: Iterable[Iterable[str]], names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The sets of nodes that were measured together, each in the order of names, without those inside another one.

    Raises `UnknownName` for a node that is not observed, and `OptionError` if a node is in none of them.
    """
    if isinstance(together, str) or not isinstance(together, Iterable):
        raise OptionError("must be sets of nodes, one for each table", option="together", value=together)
    found = [set(names_list("together", family)) for family in together]
    refuse_unknown([name for family in found for name in sorted(family)], names, what="observed node")
    left = [name for name in names if not any(name in family for family in found)]
    if left:
        raise OptionError(
            f"must have every observed node, and {left[0]!r} is in none of the sets",
            option="together",
            way_out="add it to the set of the table that has it, or make it latent",
        )
    kept = [f for i, f in enumerate(found) if not any(f < g or (f == g and k < i) for k, g in enumerate(found))]
    return tuple(tuple(name for name in names if name in family) for family in kept)
