"""As long as edges may still go, only directed paths say yes: two walks may lead over an edge that is not there."""

from itertools import permutations

from ancestral import DAG, Oracle, discover
from ancestral.show.causes import causes

DIAMOND = DAG.parse("a -> b, a -> c, b -> d, c -> d, e -> d")


def test_an_early_end_answers_by_directed_paths_only() -> None:
    early = discover(Oracle(DIAMOND), max_radius=2, selection_bias=False)
    assert not early.complete
    assert causes(early.pag, "a", "d", False, complete=True) == "yes"
    assert early.causes("a", "d") == "possibly"
    whole = discover(Oracle(DIAMOND), selection_bias=False)
    assert whole.causes("a", "d") == "yes"


def test_all_pairs_and_each_pair_are_answered_alike() -> None:
    for radius in (1, 2, None):
        found = discover(Oracle(DIAMOND), max_radius=radius, selection_bias=False)
        rows = {(row["a"], row["b"]): row for row in found.relations().to_dicts()}
        for a, b in permutations(found.pag.nodes, 2):
            answer = rows[a, b]["a_causes_b"] if (a, b) in rows else rows[b, a]["b_causes_a"]
            assert answer == found.causes(a, b)
            row = rows[a, b] if (a, b) in rows else rows[b, a]
            assert row["confounded"] == found.confounded(a, b)
