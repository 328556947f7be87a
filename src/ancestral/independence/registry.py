"""The tests that have a name: for which columns each is, what it is, and the module that makes it.

To add a test, write a module with its `Makers` and assign a `TestKind` to `TESTS`. Nothing else lists the tests: the
choice for a table, the command line and the errors read this table. It imports no test, so that the command line starts
quickly.
"""

from collections.abc import Collection
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ancestral.independence.base import Makers

__all__ = ["TESTS", "TestKind", "default_test", "quoted_names"]


@dataclass(frozen=True)
class TestKind:
    """A test that has a name: the kinds of columns that it is for, what it is in a phrase, and where its `Makers` are.

    `where` is the full name of a module that can be imported, a dot, and the name in it.
    """

    __test__ = False  # its name is not that of a test for pytest to collect

    kinds: frozenset[str]
    about: str
    where: str

    @property
    def makers(self) -> "Makers":
        """How the test is made of data."""
        module, _, name = self.where.rpartition(".")
        found: Makers = getattr(import_module(module), name)
        return found


_NUMBERS, _LEVELS, _BOTH = frozenset({"continuous"}), frozenset({"discrete"}), frozenset({"continuous", "discrete"})

#: The tests by name. Assign to it to add one. The first one that is for all kinds of columns that a table has is chosen
#: for it.
TESTS: dict[str, TestKind] = {
    "fisher-z": TestKind(_NUMBERS, "partial correlation, Fisher's z", "ancestral.independence.fisher_z.FISHER_Z"),
    "rank": TestKind(
        _NUMBERS, "the same on normal scores: only the order of values counts", "ancestral.independence.rank.RANK"
    ),
    "g": TestKind(_LEVELS, "likelihood ratio on contingency tables", "ancestral.independence.contingency.G"),
    "chi2": TestKind(_LEVELS, "Pearson's statistic on the same tables", "ancestral.independence.contingency.CHI2"),
    "mixed": TestKind(
        _BOTH,
        "likelihood ratio of a Gaussian model with indicator columns",
        "ancestral.independence.likelihood_ratio.MIXED",
    ),
    "basis": TestKind(
        _BOTH, "what curves of the given columns leave of curves of x and y", "ancestral.independence.curves.BASIS"
    ),
    "kernel": TestKind(
        _BOTH, "the same with random features of all given columns", "ancestral.independence.curves.KERNEL"
    ),
}


def default_test(kinds: Collection[str], *, streamed: bool = False, among: Collection[str] | None = None) -> str:
    """The name of the test that is chosen for data with these kinds of columns.

    `streamed`: only tests that can be made of a source that is read some rows at a time. `among`: only these tests.

    >>> default_test({"continuous"}), default_test({"continuous", "discrete"})
    ('fisher-z', 'mixed')
    """
    allowed = TESTS if among is None else among
    fitting = (name for name, test in TESTS.items() if name in allowed and test.kinds.issuperset(kinds))
    return next(name for name in fitting if not streamed or TESTS[name].makers.of_summary is not None)


def quoted_names() -> str:
    """The names of all tests in `TESTS`, as errors list them."""
    return ", ".join(map(repr, TESTS))
