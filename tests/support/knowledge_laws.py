"""The laws of knowledge: given true statements, a search finds nothing false and loses no mark.

Checked by ancestry in the DAG and by trying every equivalent MAG, without orientation rules and closures.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

import numpy as np

from ancestral import DAG, MAG, Knowledge, Oracle, mag_of, stages
from ancestral.classes._equivalence_cy import enumerate_mags, separations
from ancestral.graphs.names import by_name
from ancestral.search.stage import Stage
from tests.support.classes import Marks, agreed_marks
from tests.support.reference import ARROW, TAIL, ancestors, simple_paths
from tests.support.stage_laws import false_marks, missing_edges

#: Which kinds of statements are drawn together.
KINDS = (
    "tiers", "order", "forbidden", "required", "causes", "exogenous", "randomised", "unconfounded", "all but no_edge",
    "no_edge", "all",
)  # fmt: skip


_ALL = ("all but no_edge", "all")


class Truth:
    """What is true of a DAG, by ancestry."""

    def __init__(self, dag: DAG) -> None:
        self.dag = dag
        self.observed = sorted(dag.observed, key=by_name)
        self.before = {v: self._ancestors({v}) for v in dag.nodes}
        self.selected = self._ancestors(set(dag.selection))
        self.mag = mag_of(dag)

    def _ancestors(self, nodes: Iterable[str]) -> set[str]:
        return {self.dag.nodes[i] for i in ancestors(self.dag.marks, map(self.dag.index, nodes))}

    def no_cause(self, x: str, y: str) -> bool:
        """x causes neither y nor what the sample was selected on."""
        return x not in self.before[y] and x not in self.selected

    def causes_by_no_other(self, x: str, y: str) -> bool:
        """x causes y by a way that passes no other measured variable, and none that was selected on."""
        reached, queue = {x}, [x]
        for u in queue:
            for v in self.dag.nodes:
                if v not in reached and self.dag.has(u, "-->", v):
                    reached.add(v)
                    if v in self.dag.latent:
                        queue.append(v)
        return y in reached

    def causes(self, x: str, y: str) -> bool:
        """x causes y, directly or through others."""
        return x != y and x in self.before[y]

    def is_random(self, x: str) -> bool:
        """Nothing causes x, and x does not cause what the sample was selected on."""
        return self.before[x] == {x} and x not in self.selected

    def unconfounded(self, x: str, y: str) -> bool:
        """No path stands behind x and y: into both, every node between a collider that causes them, or latent."""
        ends = self._ancestors({x, y} | self.dag.selection)
        causing = {i for i, node in enumerate(self.dag.nodes) if node in ends}
        latent = {i for i, node in enumerate(self.dag.nodes) if node in self.dag.latent}
        return not stands_behind(self.dag.marks, self.dag.index(x), self.dag.index(y), causing, latent)

    def in_order(self, rng: np.random.Generator) -> list[str]:
        """The observed variables in a causal order: causes of the selection, and others, by depth."""
        depth = {v: (v not in self.selected, len(self.before[v]), rng.random()) for v in self.observed}
        return sorted(self.observed, key=depth.__getitem__)


def draw(dag: DAG, rng: np.random.Generator, kind: str, selection_bias: bool = True) -> Knowledge:
    """Some true statements of a kind; without selection bias the DAG must have no selected nodes."""
    truth = Truth(dag)
    pairs = list(permutations(truth.observed, 2))
    some = float(rng.uniform(0.2, 1.0))

    def chosen(items: Sequence[Any]) -> list[Any]:
        return [item for item in items if rng.random() < some]

    statements: dict[str, Any] = {}
    if kind in ("tiers", "order", *_ALL):
        statements["tiers"] = _tiers(truth, rng, single=kind == "order")
    if kind in ("forbidden", *_ALL):
        statements["forbidden"] = chosen([(x, y) for x, y in pairs if truth.no_cause(x, y)])
    if kind in ("required", *_ALL):
        statements["required"] = chosen([(x, y) for x, y in pairs if truth.causes_by_no_other(x, y)])
    if kind in ("no_edge", "all"):
        statements["no_edge"] = chosen([(x, y) for x, y in pairs if truth.mag.edge(x, y) is None])
    if kind in ("exogenous", *_ALL):
        others = [(x, [y for y in truth.observed if y != x]) for x in truth.observed]
        statements["exogenous"] = chosen([x for x, rest in others if all(truth.no_cause(y, x) for y in rest)])
    if kind in ("causes", *_ALL):
        statements["causes"] = chosen([(x, y) for x, y in pairs if truth.causes(x, y)])
    if kind in ("randomised", *_ALL):
        statements["randomised"] = chosen([x for x in truth.observed if truth.is_random(x)])
    if kind in ("unconfounded", *_ALL):
        statements["unconfounded"] = chosen([(x, y) for x, y in pairs if x < y and truth.unconfounded(x, y)])
    return Knowledge(**statements)


def stands_behind(marks: Marks, x: int, y: int, causing: set[int], latent: set[int]) -> bool:
    """Whether a path between x and y is into both, and each node between is a collider of `causing`, or latent.

    A latent node between may be a non-collider as well, or a collider of `causing`.
    """
    for path in simple_paths(marks, x, y):
        if marks[path[1], x] != ARROW or marks[path[-2], y] != ARROW:
            continue
        inner = zip(path, path[1:-1], path[2:], strict=False)
        if all(v in causing if marks[u, v] == ARROW and marks[w, v] == ARROW else v in latent for u, v, w in inner):
            return True
    return False


def _tiers(truth: Truth, rng: np.random.Generator, single: bool) -> list[list[str]]:
    """Groups of variables in a causal order; all causes of the selection are in the first."""
    order = truth.in_order(rng)
    first = [v for v in order if v in truth.selected]
    tiers = [first] if first else []
    for v in order[len(first) :]:
        if single or not tiers or rng.random() < 0.5:
            tiers.append([v])
        else:
            tiers[-1].append(v)
    left_out = {v for v in truth.observed if not single and rng.random() < 0.2}
    return [[v for v in tier if v not in left_out] for tier in tiers]


def believed(names: Sequence[str], rng: np.random.Generator) -> Knowledge:
    """Statements of every kind that agree with each other, true or not: a belief about some order of the variables."""
    order = rng.permutation(names).tolist()
    pairs = [(x, y) for i, x in enumerate(order) for y in order[i + 1 :]]  # x may cause y
    rng.shuffle(pairs)
    cuts = sorted(rng.choice(len(order) + 1, 2).tolist())
    return Knowledge(
        tiers=[order[: cuts[0]], order[cuts[0] : cuts[1]], order[cuts[1] :]],
        required=pairs[:2],
        no_edge=pairs[2:4],
        forbidden=[(y, x) for x, y in pairs[4:6]],
        exogenous=order[:1],
    )


# -- the class by trying ------------------------------------------------------------------------------------------


def members(mag: MAG, selection_bias: bool) -> Iterator[Marks]:
    """All equivalent MAGs; without selection bias those without an undirected edge."""
    entailed = separations(mag.marks)
    for marks in enumerate_mags(mag.marks, like_colliders=True):
        selected = ((marks == TAIL) & (marks.T == TAIL)).any()
        if np.array_equal(separations(marks), entailed) and (selection_bias or not selected):
            yield marks


def keeps_to(marks: Marks, names: Sequence[str], knowledge: Knowledge, led: bool = True) -> bool:
    """Whether a MAG over these names satisfies the knowledge, statement by statement.

    In a MAG, x causes what the sample was selected on if an undirected edge is at x. An edge that is required has a
    tail at its cause. If x causes y, a path leads from x to y on which each edge has its tail on the side of x; unless
    `led`, the path may be missing, as in a graph from data, which decide on the edges.
    """
    at = {name: i for i, name in enumerate(names)}
    selected = ((marks == TAIL) & (marks.T == TAIL)).any(axis=1)
    before = [ancestors(marks, [y]) for y in range(len(names))]
    rank = {name: i for i, tier in enumerate(knowledge.tiers) for name in tier}
    nothing = [(x, y) for x, y in permutations(rank, 2) if rank[x] > rank[y]]
    nothing += [*knowledge.forbidden, *((x, y) for y in knowledge.exogenous for x in names if x != y)]
    if any(at[x] in before[at[y]] or selected[at[x]] for x, y in nothing):
        return False
    if any(marks[at[y], at[x]] != TAIL for x, y in knowledge.required):
        return False
    for x in (at[name] for name in knowledge.randomised):
        if any(marks[y, x] != TAIL or marks[x, y] != ARROW for y in np.flatnonzero(marks[x]).tolist()):
            return False
    for x, y in ((at[a], at[b]) for a, b in knowledge.unconfounded):
        if stands_behind(marks, x, y, before[x] | before[y] | set(np.flatnonzero(selected).tolist()), set()):
            return False
    if any(marks[at[y], at[x]] == ARROW or (led and not _leads(marks, at[x], at[y])) for x, y in knowledge.causes):
        return False
    return not any(marks[at[x], at[y]] for x, y in knowledge.no_edge)


def _leads(marks: Marks, x: int, y: int) -> bool:
    """Whether a path leads from x to y on which each edge has its tail on the side of x."""
    reached, queue = {x}, [x]
    for u in queue:
        fresh = [v for v in np.flatnonzero(marks[:, u] == TAIL).tolist() if v not in reached]
        reached.update(fresh)
        queue += fresh
    return y in reached


def known_pag(dag: DAG, knowledge: Knowledge, selection_bias: bool) -> Marks:
    """The marks, by the order of names, on which all equivalent MAGs that satisfy the knowledge agree."""
    mag = mag_of(dag)
    names = sorted(mag.nodes, key=by_name)
    arranged = MAG(names, mag.arranged(names))
    return agreed_marks(m for m in members(arranged, selection_bias) if keeps_to(m, names, knowledge))


# -- what is held against it --------------------------------------------------------------------------------------


@dataclass
class Outcome:
    """A search with true knowledge: the marks of the class that it did not find, and its questions."""

    gap: int
    marks: int
    questions: int


def check(
    dag: DAG, knowledge: Knowledge, expected: Marks, without: Marks | None, way: dict[str, Any], exact: bool = True
) -> Outcome:
    """Every stage is true and keeps to the knowledge; no mark of the PAG `without` is lost, all are in the class."""
    last: Stage | None = None
    for stage in stages(Oracle(dag), knowledge=knowledge, **way):
        assert not false_marks(dag, stage), (way, stage.radius, dag, knowledge)
        assert not missing_edges(dag, stage), (way, stage.radius, dag, knowledge)
        lasting = knowledge if stage.complete else replace(knowledge, unconfounded=())  # of true edges
        assert not lasting.violations(stage.pag, way.get("selection_bias", True))
        last = stage
    assert last is not None
    assert last.complete
    found = last.oriented.marks
    if exact:
        assert ((found == 0) == (expected == 0)).all(), (way, dag, knowledge)
        decided = found > 1
        assert (found[decided] == expected[decided]).all(), (way, dag, knowledge)
        if without is not None and not knowledge.no_edge:
            assert (found[without > 1] == without[without > 1]).all(), (way, dag, knowledge)
    asked = last.tests.total() + last.verify_tests.total()
    return Outcome(int(((expected > 1) & (found == 1)).sum()), int((expected > 1).sum()), asked)
