"""`found.evidence` is about two variables given others, as `found.why` is."""

import pytest

import ancestral as an

FRAME = an.simulate.linear_gaussian(an.DAG.parse("a -> b, b -> c"), rows=100, seed=1)


@pytest.mark.parametrize(
    ("a", "b", "given", "message"),
    [
        ("a", "a", [], "the two variables must differ, got 'a' twice"),
        ("a", "a", None, "the two variables must differ, got 'a' twice"),
        ("a", "b", ["a"], "given must not hold the two variables themselves, got 'a'"),
        ("a", "b", ["c", "b"], "given must not hold the two variables themselves, got 'b'"),
        ("a", "b", 3, "given must be a list of names, got 3"),
        ("a", "z", [], "unknown node 'z'"),
        ("a", "b", ["z"], "unknown node 'z'"),
    ],
)
def test_what_is_no_question_is_refused(a: str, b: str, given: list[str] | None, message: str) -> None:
    for source in (FRAME, an.Oracle(an.DAG.parse("a -> b, b -> c"))):
        with pytest.raises(an.AncestralError, match=message):
            an.discover(source).evidence(a, b, given=given)


def test_given_may_be_one_name_or_an_iterator() -> None:
    found = an.discover(FRAME)
    assert found.evidence("a", "c", "b") == found.evidence("a", "c", iter(["b"])) == found.evidence("a", "c", {"b"})
