"""Options that take names report all unknown ones at once."""

from collections.abc import Callable

import pytest

import ancestral as an
from ancestral.data.column_names import positions_of

DATA = an.simulate.linear_gaussian(an.DAG.parse("a -> b, b -> c"), rows=100, seed=1)


@pytest.mark.parametrize(
    "call",
    [
        lambda names: an.discover(DATA, columns=["a", *names]),
        lambda names: an.discover(DATA, drop=["a", *names]),
        lambda names: an.discover(DATA, kinds=dict.fromkeys(["a", *names], "continuous")),
        lambda names: an.discover(DATA).to_frame(involving=["a", *names]),
        lambda names: an.Oracle(an.DAG.parse("a -> b")).checked_names(["a", *names]),
        lambda names: positions_of(["a", *names], ("a", "b", "c")),
    ],
    ids=["columns", "drop", "kinds", "involving", "questions", "positions"],
)
def test_all_unknown_names_are_in_one_message(call: Callable[[list[str]], object]) -> None:
    with pytest.raises(an.UnknownName, match=r"unknown (columns|variables) 'zz' and 'qq'; there are: 'a', 'b'"):
        call(["zz", "qq"])
    with pytest.raises(an.UnknownName, match=r"unknown (column|variable) 'zz'; there are: 'a', 'b'"):
        call(["zz"])


def test_an_unknown_name_that_is_given_twice_is_told_once() -> None:
    with pytest.raises(an.UnknownName, match="unknown column 'zz'; there are"):
        an.discover(DATA, drop=["zz", "zz"])
