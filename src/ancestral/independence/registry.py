"""The built-in tests by name: for which columns each is, what it is, and the module that makes it.

To add a test, write a module with its `Makers` and a line here. Nothing else lists the tests: the choice for a table,
the command line and the errors read this table. It imports no test, so that the command line starts quickly.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ancestral.independence.base import Makers

__all__ = ["TESTS", "TestKind", "default_test", "quoted_names"]


@dataclass(frozen=True)
class TestKind:
    """A built-in test: the kinds of columns that it is for, what it is in a phrase, and where its `Makers` are.

    `where` is the name of a module of this package, a dot, and the name in it.
    """

    kinds: frozenset[str]
    about: str
    where: str

    @property
    def makers(self) -> "Makers":
        """How the test is made of data."""
        module, name = self.where.split(".")
        found: Makers = getattr(import_module(f"ancestral.independence.{module}"), name)
        return found


_NUMBERS, _LEVELS, _BOTH = frozenset({"continuous"}), frozenset({"discrete"}), frozenset({"continuous", "discrete"})

#: The built-in tests. The first one that is for all kinds of columns that a table has is the one chosen for it.
TESTS: Mapping[str, TestKind] = {
    "fisher-z": TestKind(_NUMBERS, "partial correlation, Fisher's z", "fisher_z.FISHER_Z"),
    "rank": TestKind(_NUMBERS, "the same on normal scores: only the order of values counts", "rank.RANK"),
    "g": TestKind(_LEVELS, "likelihood ratio on contingency tables", "contingency.G"),
    "chi2": TestKind(_LEVELS, "Pearson's statistic on the same tables", "contingency.CHI2"),
    "mixed": TestKind(_BOTH, "likelihood ratio of a Gaussian model with indicator columns", "likelihood_ratio.MIXED"),
}


def default_test(kinds: Collection[str], *, streamed: bool = False) -> str:
    """The name of the test that is chosen for data with these kinds of columns.

    `streamed`: only tests that can be made of a source that is read some rows at a time.

    >>> default_test({"continuous"}), default_test({"continuous", "discrete"})
    ('fisher-z', 'mixed')
    """
    fitting = (name for name, test in TESTS.items() if test.kinds.issuperset(kinds))
    return next(name for name in fitting if not streamed or TESTS[name].makers.of_summary is not None)


def quoted_names() -> str:
    """The names of all built-in tests, as errors list them."""
    return ", ".join(map(repr, TESTS))
