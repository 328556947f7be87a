"""`Knowledge`: what is known about who causes whom, each kind of statement defined by ancestry in one sentence.

"Causes" means ancestry: directly or through others, measured or not. An arrowhead at x on x–y says that x causes
neither y nor what the sample was selected on. The statement "x does not cause y" is to justify such an arrowhead, so it
has the same meaning: of a sample that may have been selected, it also says that x did not cause the selection.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from os import PathLike
from typing import Any

from ancestral.arguments import names_list, path_of, text_of
from ancestral.errors import GraphError, KnowledgeError
from ancestral.graphs import PAG
from ancestral.graphs.ancestry import directed_steps, possible_ancestor_steps, possible_anterior_steps, reachable
from ancestral.graphs.marks import ARROW, NONE, TAIL
from ancestral.graphs.names import by_name, quoted
from ancestral.graphs.paths import shortest_of_steps
from ancestral.knowledge.closure import Constraints
from ancestral.knowledge.contexts import (
    DESIGNED,
    EXOGENOUS,
    UNCONFOUNDED,
    checked_assumptions,
    checked_targets,
)
from ancestral.knowledge.fields import (
    Pair,
    checked_pairs,
    checked_tiers,
    plain,
    sorted_names,
    unknown_names,
    unordered_pairs,
)
from ancestral.knowledge.lookup import Lookup
from ancestral.printing import shown, shown_type

__all__ = ["Knowledge"]


@dataclass(frozen=True)
class Knowledge:
    """What is known, as statements about the measured variables.

    With `selection_bias=False` there is no selection, and the parts about it do not apply. Two objects are equal if
    their statements are; `str()` gives the format that `parse` reads. Objects are immutable.

    Attributes:
        tiers: Groups of variables, earlier ones first: a variable of a later group causes neither one of an earlier
            group nor what the sample was selected on. Nothing is said within a group, or about variables in no group.
        forbidden: `(x, y)` says that x causes neither y, directly or indirectly, nor what the sample was selected on.
            This puts an arrowhead at x on an edge x–y, and does not remove the edge.
        required: `(x, y)` says that x causes y along a path without other measured variables. So the two are adjacent
            whatever the tests say, there is a tail at x, and y does not cause x. An arrowhead at y would also say that
            y did not cause the selection, so it is there only if selection is ruled out: by `selection_bias=False`, or
            by another statement (if `forbidden` has `(y, x)`, for example).
        no_edge: `(x, y)` says that some set of measured variables separates x and y. Which set is not known, so the
            pair is not adjacent, has no separating set, and no rule uses it to tell a collider from a non-collider.
        exogenous: x says that no other measured variable causes x, nor what the sample was selected on.
        causes: `(x, y)` says that x causes y, directly or through others, measured or not; whether the two are adjacent
            is left to the data. If they are, there is a tail at x. And y does not cause x, with an arrowhead at y where
            `required` has one.
        randomised: x says that nothing causes x, measured or not, and that x does not cause what the sample was
            selected on. So every edge at x is x --> y, and nothing unmeasured stands behind it.
        unconfounded: `(x, y)` says that nothing unmeasured stands behind an edge between x and y: if they are adjacent,
            one of them causes the other or the selection, and the edge is visible as soon as it is directed.
        contexts: Variables that are set from outside the system of the others, such as a treatment, a batch or a site.
            What this says is chosen by `context_assumptions`.
        context_assumptions: Some of "exogenous", "unconfounded" and "designed" (`knowledge/contexts.py`); all of it if
            None.
        targets: `{c: [x, …]}` says that a context or randomised variable c acts on these variables, and on other
            measured variables only through them. So c and x are adjacent, whatever the tests say.

    Raises:
        KnowledgeError: If statements are not of this form, or contradict each other.

    Examples:
        >>> known = Knowledge(tiers=[["age"], ["smoking"], ["cancer"]], required=[("smoking", "cancer")])
        >>> print(known)
        age < smoking < cancer
        smoking --> cancer
        >>> Knowledge.parse("age < smoking < cancer\\nsmoking --> cancer") == known
        True
        >>> known.names, known.as_dict()["required"]
        (('age', 'cancer', 'smoking'), [['smoking', 'cancer']])
        >>> Knowledge(tiers=[["a"], ["b"]], required=[("b", "a")])
        Traceback (most recent call last):
        ...
        ancestral.errors.KnowledgeError: the knowledge contradicts itself: b --> a (required), but a comes before b
        (tiers); remove one of the statements
        >>> trial = Knowledge(contexts=["drug", "site"], targets={"drug": ["pain"]})
        >>> trial.targets_of("drug"), trial.targets_of("site"), trial.target_pairs
        (('pain',), (), (('drug', 'pain'),))
        >>> trial.is_context("pain"), trial.is_designed("drug", "site"), trial.assumes("designed")
        (False, True, True)
    """

    tiers: Sequence[Sequence[str]] = ()
    forbidden: Sequence[Pair] = ()
    required: Sequence[Pair] = ()
    no_edge: Sequence[Pair] = ()
    exogenous: Sequence[str] = ()
    causes: Sequence[Pair] = ()
    randomised: Sequence[str] = ()
    unconfounded: Sequence[Pair] = ()
    contexts: Sequence[str] = ()
    context_assumptions: Sequence[str] | None = None
    targets: Mapping[str, Sequence[str]] | Sequence[Pair] = ()

    def __post_init__(self) -> None:
        for field, value in (
            ("tiers", checked_tiers(self.tiers)),
            ("forbidden", checked_pairs(self.forbidden, "forbidden")),
            ("required", checked_pairs(self.required, "required")),
            ("no_edge", unordered_pairs(self.no_edge, "no_edge")),
            ("exogenous", sorted_names(self.exogenous, "exogenous")),
            ("causes", checked_pairs(self.causes, "causes")),
            ("randomised", sorted_names(self.randomised, "randomised")),
            ("unconfounded", unordered_pairs(self.unconfounded, "unconfounded")),
            ("contexts", sorted_names(self.contexts, "contexts")),
            ("targets", checked_targets(self.targets)),
        ):
            object.__setattr__(self, field, value)
        assumed = checked_assumptions(self.context_assumptions, self.contexts)
        object.__setattr__(self, "context_assumptions", assumed)
        self._refuse_contradiction()

    # -- reading ------------------------------------------------------------------------------------------------

    @classmethod
    def parse(cls, text: str, form: str | None = None) -> "Knowledge":
        """Read knowledge from text.

        Args:
            text: The text, in one of the forms of docs/knowledge.md.
            form: "text", "toml" or "tetrad"; if None, it is recognised by the content.

        Returns:
            The knowledge.

        Raises:
            KnowledgeError: If the text cannot be read, or contradicts itself; the message has the number of the line.

        Examples:
            >>> Knowledge.parse("age, sex < bmi  # tiers\\nbmi -/-> dose\\nbmi | job\\nexogenous: age").forbidden
            (('bmi', 'dose'),)
        """
        from ancestral.knowledge.reading import parse

        return cls(**parse(text, form, "the text"))

    @classmethod
    def read(cls, path: str | PathLike[str], form: str | None = None) -> "Knowledge":
        """Read a knowledge file: TOML (`.toml`), Tetrad's format, or plain text (docs/knowledge.md).

        Args:
            path: The file.
            form: As in `parse`.

        Returns:
            The knowledge.

        Raises:
            KnowledgeError: If the file cannot be read; the message has the path.

        Examples:
            >>> import pathlib, tempfile
            >>> file = pathlib.Path(tempfile.mkdtemp()) / "known.txt"
            >>> _ = file.write_text("age < smoking < cancer", encoding="utf-8")
            >>> Knowledge.read(file).tiers
            (('age',), ('smoking',), ('cancer',))
        """
        from ancestral.knowledge.reading import parse, text_of

        place = path_of("path", path)
        statements = parse(text_of(place), form or ("toml" if place.suffix.lower() == ".toml" else None), str(place))
        try:
            return cls(**statements)
        except KnowledgeError as error:
            raise KnowledgeError(f"{place}: {error}") from None

    @classmethod
    def from_causal_learn(cls, background: Any, names: Iterable[str] | None = None) -> "Knowledge":
        """Read the `BackgroundKnowledge` of causal-learn, as Tetrad's files are read (docs/knowledge.md).

        Args:
            background: The `BackgroundKnowledge`.
            names: The variables that are searched; needed if it has patterns of names.

        Returns:
            The knowledge.

        Raises:
            KnowledgeError: If it is another object, has patterns without `names`, or contradicts itself.

        Examples:
            >>> from causallearn.graph.GraphNode import GraphNode
            >>> from causallearn.utils.PCUtils.BackgroundKnowledge import BackgroundKnowledge
            >>> background = BackgroundKnowledge().add_forbidden_by_node(GraphNode("weight"), GraphNode("age"))
            >>> Knowledge.from_causal_learn(background).forbidden
            (('weight', 'age'),)
        """
        from ancestral.knowledge.causal_learn import from_background_knowledge

        variables = None if names is None else names_list("names", names)
        return cls(**from_background_knowledge(background, variables))

    @classmethod
    def of(cls, source: Any) -> "Knowledge | None":
        """The value of an option `knowledge`.

        Args:
            source: A `Knowledge`, the path of a file, or None.

        Returns:
            The knowledge; None if nothing is stated.

        Raises:
            KnowledgeError: If it is something else, or the file cannot be read.

        Examples:
            >>> Knowledge.of(Knowledge()) is None, Knowledge.of(Knowledge(exogenous=["age"])).exogenous
            (True, ('age',))
        """
        if source is None or isinstance(source, Knowledge):
            return source or None
        if isinstance(source, (str, PathLike)):
            return cls.read(source) or None
        raise KnowledgeError(
            f"knowledge must be a Knowledge or the path of a file, got {shown(source)}; pass Knowledge(tiers=[…], …)"
        )

    # -- questions ----------------------------------------------------------------------------------------------

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) for field in fields(self) if field.name != "context_assumptions")

    @cached_property
    def target_pairs(self) -> tuple[Pair, ...]:
        """Each context, or randomised variable, with each variable that it is known to act on."""
        return checked_targets(self.targets)

    def assumes(self, assumption: str) -> bool:
        """Whether there are contexts of which this is assumed.

        Args:
            assumption: "exogenous", "unconfounded" or "designed".

        Returns:
            True if there are.
        """
        return text_of("assumption", assumption) in (self.context_assumptions or ())

    def is_context(self, name: str) -> bool:
        """Whether a variable is a context.

        Args:
            name: The variable.

        Returns:
            True if it is.
        """
        return text_of("name", name) in self._lookup.contexts

    def is_designed(self, x: str, y: str) -> bool:
        """Whether x and y are contexts about whose relation nothing is asked, since the design of the study made it.

        Args:
            x: A variable.
            y: Another variable.

        Returns:
            True if they are.
        """
        both = self.is_context(x), self.is_context(y)
        return all(both) and self.assumes(DESIGNED)

    def targets_of(self, name: str) -> tuple[str, ...]:
        """The variables that a context, or a randomised variable, is known to act on.

        Args:
            name: The context or randomised variable.

        Returns:
            The variables; empty if that is not known.
        """
        text_of("name", name)
        return tuple(target for context, target in self.target_pairs if context == name)

    @property
    def names(self) -> tuple[str, ...]:
        """All variables that the statements mention, in the order of names."""
        tiers = [name for tier in self.tiers for name in tier]
        stated = (*self.forbidden, *self.required, *self.no_edge, *self.causes, *self.unconfounded, *self.target_pairs)
        pairs = [name for pair in stated for name in pair]
        single = (*self.exogenous, *self.randomised, *self.contexts)
        return tuple(sorted({*tiers, *pairs, *single}, key=by_name))

    def among(self, variables: Iterable[str]) -> "Knowledge":
        """The statements about some variables alone; what follows only through other variables is lost.

        So is `unconfounded`, unless all variables of the statements are kept: what is left out is unmeasured from then
        on, and may stand behind an edge.

        Args:
            variables: The variables to keep.

        Returns:
            The knowledge about them.

        Raises:
            OptionError: If `variables` are not names.

        Examples:
            >>> print(Knowledge(tiers=[["a"], ["b", "c"]], forbidden=[("c", "d")]).among(["a", "b", "d"]))
            a < b
        """
        kept = set(names_list("variables", variables))
        contexts = [name for name in self.contexts if name in kept]
        assumed, targets = self.context_assumptions, self.target_pairs
        if len(contexts) < len(self.contexts):  # one that is left out may stand behind the others and the system
            assumed = [name for name in assumed or () if name != UNCONFOUNDED]
            targets = tuple(pair for pair in targets if pair[0] in self.randomised)
        # a context with a target that is left out may act on the others through it
        targets = tuple(pair for pair in targets if kept.issuperset((pair[0], *self.targets_of(pair[0]))))
        of_these = [pair for pair in self.target_pairs if pair not in targets]
        return Knowledge(
            tiers=[[name for name in tier if name in kept] for tier in self.tiers],
            forbidden=[pair for pair in self.forbidden if kept.issuperset(pair)],
            required=[pair for pair in (*self.required, *of_these) if kept.issuperset(pair)],
            no_edge=[pair for pair in self.no_edge if kept.issuperset(pair)],
            exogenous=[name for name in self.exogenous if name in kept],
            causes=[pair for pair in self.causes if kept.issuperset(pair)],
            randomised=[name for name in self.randomised if name in kept],
            unconfounded=self.unconfounded if kept.issuperset(self.names) else (),
            contexts=contexts,
            context_assumptions=assumed if contexts else None,
            targets=targets,
        )

    def constraints(self, names: Sequence[str], selection_bias: bool = True) -> Constraints:
        """What follows from the statements for some variables, as a search uses it.

        Args:
            names: The variables, numbered in this order.
            selection_bias: Whether the sample may have been selected.

        Returns:
            Arrays of what is known about each pair: `no_cause`, `cause`, `tail`, `arrow`, `unconfounded` and others.

        Raises:
            KnowledgeError: If variables of the statements are not among the names; all of them are listed, and `among`
                gives the statements without them.

        Examples:
            >>> follows = Knowledge(tiers=[["age"], ["bmi"]]).constraints(["age", "bmi"])
            >>> follows.no_cause.tolist()  # bmi does not cause age
            [[False, False], [True, False]]
        """
        names = names_list("names", names)
        there = set(names)
        if unknown := [name for name in self.names if name not in there]:
            raise unknown_names(unknown, names, "variable", "this search")
        return Constraints.of(self, names, selection_bias)

    def violations(self, graph: PAG, selection_bias: bool = True) -> list[str]:
        """The statements, or what follows from them, that a graph contradicts, in words.

        A graph contradicts "x causes y" also if it has no path along which x may cause y (`unreached`).

        Args:
            graph: A PAG or CPDAG.
            selection_bias: Whether the sample may have been selected.

        Returns:
            A sentence for each contradiction; empty if there are none.

        Raises:
            GraphError: If the graph is of another kind.
            KnowledgeError: If the statements have variables that it does not have.

        Examples:
            >>> known = Knowledge(forbidden=[("b", "a")])
            >>> known.violations(PAG.parse("a o-> b")), known.violations(PAG.parse("b --> a"))
            ([], ['b --> a, but b does not cause a (forbidden)'])
        """
        _refuse_other_graphs(graph)
        constraints = self.constraints(graph.nodes, selection_bias)
        marks, nodes = graph.class_marks, graph.nodes
        out = []
        for x, y in constraints.denied(marks):
            if marks[x, y] == NONE or marks[y, x] != TAIL:
                path = " --> ".join(quoted(nodes[v]) for v in shortest_of_steps(directed_steps(marks), x, y))
            else:
                path = graph.edge_text(nodes[x], nodes[y])
            out.append(f"{path}, but {self.why_not(nodes[x], nodes[y])}")
        for x, y in zip(*(constraints.cause & (marks.T == ARROW)).nonzero(), strict=True):
            out.append(f"{graph.edge_text(nodes[x], nodes[y])}, but {self.why(nodes[x], nodes[y])}")
        for x, y in zip(*(constraints.tail & ~constraints.cause & (marks.T == ARROW)).nonzero(), strict=True):
            out.append(f"{graph.edge_text(nodes[x], nodes[y])}, but {self.why_tail(nodes[x], nodes[y])}")
        out += [
            f"{a} and {b} are not adjacent, but {self._lookup.path_text((a, b))}"
            for a, b in (*self.required, *self.target_pairs)
            if not graph.edge(a, b)
        ]
        out += [
            f"{graph.edge_text(a, b)}, but {self.why_unconfounded(a, b)}"
            for a, _, b in graph.edges()
            if graph.has(a, "<->", b) and self.why_unconfounded(a, b)
        ]
        out += [f"{graph.edge_text(a, b)}, but no_edge says there is none" for a, b in self.no_edge if graph.edge(a, b)]
        out += [
            f"{graph.edge_text(c, z)}, but {self._acts_alone(c)}, and none of these may cause {z}"
            for c, z in self.untargeted(graph)
        ]
        out += [
            f"no path allows {a} to cause {b}, but {self._lookup.path_text((a, b))}"
            for a, b in self.unreached(graph, selection_bias)
        ]
        return out

    def unreached(self, graph: PAG, selection_bias: bool = True) -> list[Pair]:
        """The pairs x, y of `causes` such that no path of a graph allows x to cause y: the graph contradicts them.

        On such a path no arrowhead points back to x; without selection, no tail points forward either.

        Args:
            graph: A PAG or CPDAG.
            selection_bias: Whether the sample may have been selected.

        Returns:
            The pairs.

        Raises:
            GraphError: If the graph is of another kind.

        Examples:
            >>> Knowledge(causes=[("a", "b"), ("a", "c")]).unreached(PAG.parse("a o-> b, b <-> c"))
            [('a', 'c')]
        """
        _refuse_other_graphs(graph)
        steps = (possible_anterior_steps if selection_bias else possible_ancestor_steps)(graph.class_marks)
        reached = reachable(steps)
        return [(x, y) for x, y in self.causes if not reached[graph.index(x), graph.index(y)]]

    def untargeted(self, graph: PAG) -> list[Pair]:
        """The edges c, z of a graph that contradict the targets of c: none of these may cause z, and be adjacent to it.

        Args:
            graph: A PAG or CPDAG.

        Returns:
            The pairs.

        Raises:
            GraphError: If the graph is of another kind.

        Examples:
            >>> known = Knowledge(contexts=["drug"], targets={"drug": ["x"]})
            >>> known.untargeted(PAG.parse("drug --> x, drug --> z, z --> x"))
            [('drug', 'z')]
        """
        _refuse_other_graphs(graph)
        out = []
        for context in dict.fromkeys(context for context, _ in self.target_pairs):
            targets = self.targets_of(context)
            for z in graph.nodes:
                if z in targets or not graph.edge(context, z) or self.is_designed(context, z):
                    continue
                if not any(graph.edge(t, z) and not graph.has(t, "<-*", z) for t in targets):
                    out.append((context, z))
        return out

    # -- reasons ------------------------------------------------------------------------------------------------

    def why_not(self, x: str, y: str) -> str | None:
        """Why x is known not to cause y, in words.

        Args:
            x: A variable.
            y: Another variable.

        Returns:
            The reason; None if that does not follow from the statements.

        Examples:
            >>> Knowledge(tiers=[["age"], ["smoking"]]).why_not("smoking", "age")
            'age comes before smoking (tiers)'
        """
        text_of("x", x)
        text_of("y", y)
        stated = self._lookup
        if statement := stated.stated_not(x, y):
            return statement
        if path := stated.causing_path(y, x):
            return stated.path_text(path)
        # x does not cause y if some a causes x, some b is caused by y, and a does not cause b
        for a in [x, *stated.causes_of(x)]:
            for b in [y, *stated.effects_of(y)]:
                if statement := stated.stated_not(a, b):
                    paths = [path for path in (stated.causing_path(a, x), stated.causing_path(y, b)) if path]
                    return ", ".join([*map(stated.path_text, paths), f"and {statement}"])
        return None

    def why(self, x: str, y: str) -> str | None:
        """Why x is known to cause y, in words.

        Args:
            x: A variable.
            y: Another variable.

        Returns:
            The reason; None if that does not follow from the statements.

        Examples:
            >>> Knowledge(causes=[("age", "bmi")]).why("age", "bmi")
            'age ~~> bmi (causes)'
        """
        path = self._lookup.causing_path(text_of("x", x), text_of("y", y))
        return self._lookup.path_text(path) if path else None

    def why_tail(self, x: str, y: str) -> str | None:
        """Why an edge between x and y has a tail at x, though x need not cause y, in words.

        Args:
            x: A variable.
            y: Another variable.

        Returns:
            The reason; None if the edge need not have one.

        Examples:
            >>> Knowledge(randomised=["dose"]).why_tail("dose", "pain")
            'dose was randomised (randomised)'
        """
        text_of("x", x)
        text_of("y", y)
        if x == y:
            return None
        if x in self._lookup.randomised:
            return f"{x} was randomised (randomised)"
        if self.is_context(x) and not self.is_context(y) and self._sets_apart:
            return f"{x} is a context, exogenous and unconfounded (contexts)"
        if (stated := self.why_unconfounded(x, y)) and (why := self.why_not(y, x)):
            return f"{stated}, and {why}"
        return None

    def why_unconfounded(self, x: str, y: str) -> str | None:
        """Why nothing unmeasured stands behind an edge between x and y, in words.

        Args:
            x: A variable.
            y: Another variable.

        Returns:
            The reason; None if something may.

        Examples:
            >>> Knowledge(unconfounded=[("dose", "pain")]).why_unconfounded("pain", "dose")
            'nothing unmeasured stands behind dose and pain (unconfounded)'
        """
        text_of("x", x)
        text_of("y", y)
        for a, b in ((x, y), (y, x)):
            if (a, b) in self._lookup.unconfounded:
                return f"nothing unmeasured stands behind {a} and {b} (unconfounded)"
            if a in self._lookup.randomised and a != b:
                return f"{a} was randomised (randomised)"
            if self.assumes(UNCONFOUNDED) and self.is_context(a) and not self.is_context(b):
                return f"{a} is a context, unconfounded with the system (contexts)"
        return None

    @property
    def _sets_apart(self) -> bool:
        """Whether contexts are neither caused by the system nor confounded with it."""
        return self.assumes(EXOGENOUS) and self.assumes(UNCONFOUNDED)

    def _refuse_contradiction(self) -> None:
        stated = self._lookup
        for x in stated.children:
            for y in stated.effects_of(x):
                contrary = f"{y} would cause itself" if x == y else stated.stated_not(x, y)
                if contrary is not None:
                    raise KnowledgeError(
                        f"the knowledge contradicts itself: {stated.path_text(stated.causing_path(x, y))}, but "
                        f"{contrary}; remove one of the statements"
                    )
        no_edge = set(self.no_edge)
        for x, y in (*self.required, *self.target_pairs):
            if (x, y) in no_edge or (y, x) in no_edge:
                raise KnowledgeError(
                    f"the knowledge contradicts itself: {stated.path_text((x, y))}, but {quoted(x)} | {quoted(y)} "
                    "(no_edge); remove one of the statements"
                )
        self._refuse_contradicting_contexts()

    def _refuse_contradicting_contexts(self) -> None:
        """Refuse what contexts and targets cannot be, each with the statements that say so."""
        if both := [name for name in self.contexts if name in self._lookup.randomised]:
            raise KnowledgeError(
                f"{both[0]!r} is a context and randomised; leave it in one of the two: what is randomised depends on "
                "no other variable, and contexts may depend on each other"
            )
        for x, y in self.no_edge:
            if self.is_designed(x, y):
                raise KnowledgeError(
                    f"the knowledge contradicts itself: {quoted(x)} | {quoted(y)} (no_edge), but both are contexts, "
                    "whose relation is designed (contexts); remove one of the statements"
                )
        for context, target in self.target_pairs:
            if context not in self._lookup.randomised and not (self.is_context(context) and self._sets_apart):
                raise KnowledgeError(
                    f"targets must be those of a context that is exogenous and unconfounded, or of a randomised "
                    f"variable, and {context!r} is neither; name it in contexts, or state {quoted(context)} --> "
                    f"{quoted(target)} (required)"
                )
            if self.is_context(target):
                raise KnowledgeError(
                    f"targets of {context!r} must be variables of the system, and {target!r} is a context"
                )
        for x, y in self.required:
            if self.targets_of(x) and y not in self.targets_of(x):
                raise KnowledgeError(
                    f"the knowledge contradicts itself: {self._lookup.path_text((x, y))}, but {self._acts_alone(x)}; "
                    "remove one of the statements"
                )

    def _acts_alone(self, context: str) -> str:
        """What a context acts on directly, in words."""
        return f"{quoted(context)} acts directly on {', '.join(map(quoted, self.targets_of(context)))} alone (targets)"

    @cached_property
    def _lookup(self) -> Lookup:
        return Lookup(self)

    # -- as text and plain values -------------------------------------------------------------------------------

    def __str__(self) -> str:
        from ancestral.knowledge.reading import as_text

        return as_text(self)

    def as_dict(self) -> dict[str, Any]:
        """The statements as lists, by the names of the attributes.

        Returns:
            A dictionary, from which attributes without statements are left out.
        """
        stated = ((field.name, getattr(self, field.name)) for field in fields(self))
        out = {key: plain(value) for key, value in stated if value}
        if self.context_assumptions == checked_assumptions(None, self.contexts):
            out.pop("context_assumptions", None)
        elif self.contexts:
            out["context_assumptions"] = list(self.context_assumptions or ())
        return out

    def __repr__(self) -> str:
        return f"Knowledge({', '.join(f'{key}={value}' for key, value in self.as_dict().items())})"


def _refuse_other_graphs(graph: object) -> None:
    """Raise `GraphError` unless a graph is a PAG or CPDAG."""
    if not isinstance(graph, PAG):
        raise GraphError(f"knowledge is compared with a PAG or CPDAG, got {shown_type(graph)}")
