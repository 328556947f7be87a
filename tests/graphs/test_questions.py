"""What a PAG answers, held against all MAGs of its class, found without any rule (tests/support/classes.py)."""

from collections import Counter
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from ancestral import CPDAG, DAG, MAG, PAG, GraphError, UnknownName, is_separated, pag_of, relations
from ancestral.graphs import MixedGraph
from ancestral.graphs.relations import causal_answers
from ancestral.graphs.visible import visible_steps
from ancestral.show.causes import causes
from tests.support.classes import agreed_marks, classes, skeletons_up_to_isomorphism
from tests.support.reference import ARROW, TAIL, ancestors, separated_by_paths, simple_paths, subsets

Marks = NDArray[np.uint8]


@cache
def small_classes() -> list[tuple[PAG, list[Marks]]]:
    """Every class of MAGs with up to four nodes, up to renaming, with its PAG by definition."""
    found = [members for n in (2, 3, 4) for members in classes(skeletons_up_to_isomorphism(n))]
    return [(PAG("abcd"[: len(members[0])], agreed_marks(members)), members) for members in found]


def unselected(members: list[Marks]) -> list[Marks]:
    return [marks for marks in members if not ((marks == TAIL) & (marks.T == TAIL)).any()]


def named(pag: PAG, positions: set[int]) -> set[str]:
    return {pag.nodes[i] for i in positions}


@pytest.mark.parametrize("selection_bias", [True, False])
def test_definite_and_possible_ancestors_are_those_of_every_and_of_some_mag(selection_bias: bool) -> None:
    counts = Counter[str]()
    for pag, all_members in small_classes():
        members = all_members if selection_bias else unselected(all_members)
        if not members:
            continue
        for y, name in enumerate(pag.nodes):
            of_each = [ancestors(marks, {y}) for marks in members]
            always, ever = named(pag, set.intersection(*of_each)), named(pag, set.union(*of_each))
            assert pag.ancestors(name, selection_bias=selection_bias) == always, (pag, name)
            assert pag.possible_ancestors(name) == ever, (pag, name)
            counts["definite"] += len(always) - 1
            counts["possible"] += len(ever) - 1
            for x in pag.nodes:
                assert (name in pag.descendants(x, selection_bias=selection_bias)) is (x in always)
                assert (name in pag.possible_descendants(x)) is (x in ever)
    assert counts["definite"] > 15
    assert counts["possible"] > 200


def test_an_ancestor_that_no_directed_path_shows() -> None:
    pag = pag_of(DAG.parse("a -> b, a -> c, b -> d, c -> d, e -> d"))
    assert pag.ancestors("d", selection_bias=False) == {"a", "b", "c", "d"}
    assert pag.ancestors("d") == {"b", "c", "d"}  # a --- b, b --> d is a MAG of the class
    assert causes(pag, "a", "d", False) == "yes"
    assert "by way of b and of c" in causes(pag, "a", "d", False).reason
    assert causes(pag, "a", "d", False, complete=False) == "possibly"
    assert causes(pag, "a", "d", True) == "possibly"


@pytest.mark.parametrize(
    ("text", "x", "y"),
    [
        # one of the two first steps has an arrowhead
        ("a o-> e, b o-o d, b o-> e, d --> c, e --> c", "b", "c"),
        # neither has, but a third walk, over e, begins with one
        ("b o-o c, b o-o d, b o-> e, c --> a, c o-> e, d --> a, d o-> e, e --> a", "b", "a"),
    ],
)
def test_ancestors_in_spite_of_selection(text: str, x: str, y: str) -> None:
    """Five nodes, so all MAGs of the class are found here, in which x is an ancestor of y."""
    pag = PAG.parse(text)
    skeleton = (pag.marks != 0).astype(np.uint8)
    (members,) = (found for found in classes([skeleton]) if np.array_equal(agreed_marks(found), pag.marks))
    assert any(((marks == TAIL) & (marks.T == TAIL)).any() for marks in members)
    assert all(pag.index(x) in ancestors(marks, {pag.index(y)}) for marks in members)
    assert x in pag.ancestors(y)


def is_visible_by_paths(marks: Marks, x: int, y: int) -> bool:
    """Zhang's definition, by listing all paths."""
    if marks[x, y] != ARROW or marks[y, x] != TAIL:
        return False
    parents = {v for v in range(len(marks)) if marks[v, y] == ARROW and marks[y, v] == TAIL}
    for c in range(len(marks)):
        if c in (x, y) or marks[c, y]:
            continue
        for path in simple_paths(marks, c, x):
            colliders = all(
                marks[u, v] == ARROW and marks[w, v] == ARROW and v in parents
                for u, v, w in zip(path, path[1:], path[2:], strict=False)
            )
            if y not in path and colliders and marks[path[-2], x] == ARROW:
                return True
    return False


def test_visible_edges_by_their_definition_in_mags_and_pags() -> None:
    seen = Counter[bool]()
    for pag, members in small_classes():
        for marks in [pag.marks, *members]:
            steps = visible_steps(marks)
            for x, y in np.argwhere(marks != 0):
                assert steps[x, y] == is_visible_by_paths(marks, x, y)
                seen[bool(steps[x, y])] += 1
    assert seen[True] > 100


def test_a_visible_edge_is_visible_in_every_mag_and_an_invisible_one_is_not_in_some() -> None:
    """So "possibly" is never answered where all MAGs without selection agree."""
    counts = Counter[str]()
    for pag, members in small_classes():
        mags = [(marks, visible_steps(marks)) for marks in unselected(members)]
        if not mags:
            continue
        for a, b in combinations(range(len(pag.nodes)), 2):
            answers = set()
            for marks, visible in mags:
                if marks[a, b] == ARROW and marks[b, a] == ARROW:
                    answers.add("yes")
                else:
                    answers.add("no" if not marks[a, b] or visible[a, b] or visible[b, a] else "possibly")
            answer = pag.confounded(pag.nodes[a], pag.nodes[b])
            assert answer == (answers.pop() if len(answers) == 1 else "possibly"), (pag, a, b)
            counts[str(answer)] += 1
    assert min(counts[each] for each in ("yes", "no", "possibly")) > 20


def test_separation_in_a_pag_is_separation_in_each_of_its_mags() -> None:
    counts = Counter[bool]()
    for pag, members in small_classes():
        n = len(pag.nodes)
        for x, y in combinations(range(n), 2):
            for given in subsets(set(range(n)) - {x, y}):
                answer = pag.is_separated(pag.nodes[x], pag.nodes[y], [pag.nodes[z] for z in given])
                assert {separated_by_paths(marks, x, y, given) for marks in members} == {answer}
                counts[answer] += 1
    assert min(counts.values()) > 200


def test_separation_of_sets_in_a_pag() -> None:
    pag = PAG.parse("a o-> c, b o-> c, c --> d, c --> e")
    assert is_separated(pag, ["a", "b"], ["d", "e"], given={"c"})
    assert not is_separated(pag, ["a", "b"], ["d", "e"])
    assert not is_separated(pag, "a", "b", given={"e"})
    with pytest.raises(UnknownName, match="'z'"):
        pag.is_separated("a", "z")
    with pytest.raises(GraphError, match="on both sides"):
        pag.is_separated("a", ["a", "b"])


def test_a_cpdag_speaks_of_dags() -> None:
    cpdag = CPDAG.parse("a --- b, b --- c, d --> e, c --> e")
    assert cpdag.possible_ancestors("e") == {"a", "b", "c", "d", "e"}
    assert cpdag.ancestors("e") == {"c", "d", "e"}
    assert cpdag.confounded("a", "b") == "no"
    assert cpdag.confounded("d", "e") == "no"
    assert cpdag.is_visible("d", "e")
    assert not cpdag.is_visible("a", "b")
    assert cpdag.is_separated("a", "c", given={"b"})
    assert not cpdag.is_separated("a", "c")
    dag = DAG.parse("b -> a, b -> c, d -> e, c -> e")
    for x, y in combinations(cpdag.nodes, 2):
        for k in range(4):
            for given in combinations(set(cpdag.nodes) - {x, y}, k):
                assert cpdag.is_separated(x, y, given) is is_separated(dag, x, y, given)


def answer_by_definition(pag: PAG, a: str, b: str, selection_bias: bool, complete: bool) -> str:
    if a == b or a not in pag.possible_anteriors(b):
        return "no"
    ancestors = pag.ancestors(b, selection_bias=selection_bias) if complete else MixedGraph.ancestors(pag, b)
    no_selection = not selection_bias or not pag.may_hide or bool(pag.neighbours(a, "<-*"))
    return "yes" if a in ancestors and no_selection else "possibly"


def test_answers_for_all_pairs_and_for_each_follow_from_ancestry() -> None:
    counts = Counter[str]()
    cpdag = CPDAG.parse("a --- b, b --- c, c --> e, d --> e")
    for pag in [*(pag for pag, _ in small_classes()), cpdag]:
        for selection_bias in (True, False):
            for complete in (True, False):
                table = causal_answers(pag, selection_bias, complete)
                for i, a in enumerate(pag.nodes):
                    for j, b in enumerate(pag.nodes):
                        expected = answer_by_definition(pag, a, b, selection_bias, complete)
                        assert table[i, j] == causes(pag, a, b, selection_bias, complete) == expected
                        counts[expected] += 1
                j = len(pag.nodes) - 1
                assert (causal_answers(pag, selection_bias, complete, [j])[:, 0] == table[:, j]).all()
    assert min(counts[answer] for answer in ("yes", "no", "possibly")) > 50


def test_relations_are_a_frame() -> None:
    pag = PAG.parse("c o-> a, a --> b, b <-> d")
    frame = relations(pag)
    assert frame.columns == ["a", "edge", "b", "a_causes_b", "b_causes_a", "confounded"]
    rows = {(row[0], row[2]): row[1:2] + row[3:] for row in frame.rows()}
    assert rows["a", "b"] == ("-->", "yes", "no", "no")
    assert rows["b", "d"] == ("<->", "no", "no", "yes")
    assert rows["c", "b"] == (None, "possibly", "no", "no")
    assert list(relations(pag, library="pandas").columns) == frame.columns
    with pytest.raises(GraphError, match="must be a PAG or CPDAG, got a MAG"):
        relations(MAG.parse("a --> b"))  # type: ignore[arg-type]


def test_smoking() -> None:
    """The PAG of Zhang (2008), figure 3: smoking --> cancer is visible by income; not so with genotype behind both."""
    alone = pag_of(
        DAG.parse(
            "profession -> income, profession -> smoking, smoking -> cancer, genotype -> smoking", latent=["profession"]
        )
    )
    assert alone.confounded("smoking", "cancer") == "no"
    assert alone.is_visible("smoking", "cancer")
    behind = DAG.parse(
        "profession -> income, profession -> smoking, smoking -> cancer, genotype -> smoking, genotype -> cancer",
        latent=["profession", "genotype"],
    )
    assert pag_of(behind).confounded("smoking", "cancer") == "possibly"
