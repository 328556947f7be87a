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

    Args:
        graph: The DAG or MAG.
        max_given: Given more than this number of nodes, everything is dependent: the n-oracle of Spirtes (2001).
        together: The sets of nodes that were measured together, one for each table: a question has an answer only if
            one of them has all its nodes (docs/combine.md).

    Attributes:
        graph: The graph.
        names: Its observed nodes.
        max_given: As given; None if there is no limit.
        together: The sets that were given; None if all nodes were measured together.
        name: "oracle".
        kinds: None, since there are no columns.
        rows: 0, since there are no rows.
        alpha: None, since there is no significance level.

    Raises:
        GraphError: If the graph is neither a DAG nor a MAG.
        OptionError: If `max_given` is not a whole number of at least 0, or a node is in no set of `together`.
        UnknownName: If `together` names a node that is not observed.

    Examples:
        >>> Oracle(DAG.parse("a -> c, b -> c")).independent("a", "b", given=set())
        True
        >>> two = Oracle(DAG.parse("a -> c, b -> c"), together=[["a", "c"], ["b", "c"]])
        >>> two.independent("a", "c"), two.independent("a", "b")
        (False, None)
        >>> two.name, two.names, two.together, two.max_given, two.rows, two.kinds, two.alpha
        ('oracle', ('a', 'c', 'b'), (('a', 'c'), ('c', 'b')), None, 0, None, None)
        >>> two.fingerprint == Oracle(DAG.parse("a -> c, b -> c")).fingerprint
        False
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
        """The questions about these variables, numbered in this order.

        Args:
            names: The variables, all of them or some.

        Returns:
            The questions; their p-values are 1 if separated, otherwise 0.

        Raises:
            UnknownName: If one of them is not an observed node.
            OptionError: If one of them is named twice.

        Examples:
            >>> questions = Oracle(DAG.parse("a -> c, b -> c")).questions(["a", "b", "c"])
            >>> questions.ask(0, 1, ()), questions.ask(0, 1, (2,))
            (True, False)
        """
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
        """Refuse: there are no rows.

        Returns:
            Nothing.

        Raises:
            OptionError: Always.

        Examples:
            >>> Oracle(DAG.parse("a -> b")).resampler()
            Traceback (most recent call last):
            ...
            ancestral.errors.OptionError: an Oracle knows the truth and has no rows to draw; pass data, or compare with
            an.pag_of()
        """
        raise OptionError("an Oracle knows the truth and has no rows to draw; pass data, or compare with an.pag_of()")

    def effect_moments(self) -> MomentsSource:
        """Refuse: there are no numbers.

        Returns:
            Nothing.

        Raises:
            OptionError: Always.

        Examples:
            >>> Oracle(DAG.parse("a -> b")).effect_moments()
            Traceback (most recent call last):
            ...
            ancestral.errors.OptionError: no effect can be computed: an oracle knows the graph and no numbers; pass data
        """
        raise no_effect("an oracle knows the graph and no numbers; pass data")

    def independent(self, x: str, y: str, given: Iterable[str] = ()) -> bool | None:
        """Whether x and y are independent given these variables.

        Args:
            x: A variable.
            y: Another variable.
            given: The variables that are conditioned on.

        Returns:
            True or False; None if they were never measured together.

        Raises:
            UnknownName: If a variable is not observed.
            GraphError: If x, y and `given` overlap.

        Examples:
            >>> oracle = Oracle(DAG.parse("a -> c, b -> c"))
            >>> oracle.independent("a", "b"), oracle.independent("a", "b", given=["c"])
            (True, False)
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
