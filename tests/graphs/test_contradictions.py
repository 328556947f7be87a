"""Contradictions of graphs: what is told, and that nothing is told of graphs that have none."""

import numpy as np
import pytest

from ancestral import CPDAG, PAG, pag_of
from ancestral.graphs.contradictions import MOST_CONTRADICTIONS
from ancestral.graphs.contradictions import contradictions as contradictions_of
from ancestral.graphs.marks import ARROW, CIRCLE, NONE, TAIL
from ancestral.simulate.trouble import TROUBLE
from tests.support.reference import ancestors, random_marks


def contradictions(pag: PAG) -> tuple[str, ...]:
    return contradictions_of(pag.class_marks, pag.nodes)


def test_a_directed_cycle_is_told_with_its_path() -> None:
    assert contradictions(PAG.parse("a --> b, b --> c, c --> a, c --> d")) == (
        "a --> b --> c --> a: a would cause itself",
    )


def test_cycles_that_share_no_node_are_told_one_by_one() -> None:
    told = contradictions(PAG.parse("a --> b, b --> c, c --> a, d --> e, e --> f, f --> d, c --> d"))
    assert [sentence.partition(":")[0] for sentence in told] == ["a --> b --> c --> a", "d --> e --> f --> d"]


def test_an_almost_directed_cycle_is_told_with_its_path() -> None:
    (told,) = contradictions(PAG.parse("a --> b, b --> c, c <-> a"))
    assert told.startswith("a <-> c, but a --> b --> c: a would cause c")


def test_the_path_may_lead_either_way() -> None:
    (told,) = contradictions(PAG(list("abc"), PAG.parse("a <-> c, c --> b, b --> a").arranged("abc")))
    assert told.startswith("c <-> a, but c --> b --> a: c would cause a")


def test_an_arrowhead_at_an_undirected_edge_is_told() -> None:
    (told,) = contradictions(PAG.parse("d o-> b, a --- b, c --- a"))
    assert told.startswith("b --- a, but d o-> b: b would cause a or what the sample was selected on")


@pytest.mark.parametrize(
    "text",
    [
        "a --> b, b --> c, a --> c",
        "a --> b, b o-> c, c <-> a",  # the circle leaves open whether b causes c
        "a --> b, b --> c, a o-> c",
        "a --- b, b --o c",
        "a o-o b, b o-o c, c o-o a",
    ],
)
def test_circles_contradict_nothing(text: str) -> None:
    assert contradictions(PAG.parse(text)) == ()


def test_an_undirected_edge_of_a_cpdag_is_an_open_direction() -> None:
    assert contradictions(CPDAG.parse("a --> b, b --- c")) == ()


def test_names_are_written_as_in_graphs() -> None:
    marks = np.array([[0, ARROW, TAIL], [TAIL, 0, ARROW], [ARROW, TAIL, 0]], dtype=np.uint8)
    (told,) = contradictions(PAG(["a b", "c", "d->e"], marks))
    assert told.startswith('"a b" --> c --> "d->e" --> "a b"')


def test_no_pag_contradicts_itself() -> None:
    for trouble in TROUBLE:
        for seed in range(10):
            assert contradictions(pag_of(trouble(seed=seed))) == ()


@pytest.mark.parametrize("seed", range(30))
def test_something_is_told_if_and_only_if_the_definition_is_broken(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kinds = [(TAIL, ARROW), (ARROW, TAIL), (ARROW, ARROW), (TAIL, TAIL), (CIRCLE, ARROW), (CIRCLE, CIRCLE)]
    n = int(rng.integers(3, 9))
    marks = random_marks(rng, n, rng.uniform(0.1, 0.5), kinds[: int(rng.integers(2, 7))])
    broken = False
    for x in range(n):
        for y in range(n):
            if marks[x, y] == NONE:
                continue
            leads = x in ancestors(marks, [y])
            broken |= marks[x, y] == TAIL and marks[y, x] == ARROW and leads  # y --> x … --> y
            broken |= marks[x, y] == marks[y, x] == ARROW and leads
            broken |= bool(marks[x, y] == marks[y, x] == TAIL and (marks[:, y] == ARROW).any())
    assert bool(contradictions(PAG([f"x{i}" for i in range(n)], marks))) == bool(broken)


def test_of_many_the_rest_is_counted() -> None:
    count = MOST_CONTRADICTIONS + 7
    text = ", ".join(f"a{i} --> b{i}, b{i} --> c{i}, a{i} <-> c{i}" for i in range(count))
    told = contradictions(PAG.parse(text))
    assert len(told) == MOST_CONTRADICTIONS + 1
    assert told[-1] == "and 7 more"
