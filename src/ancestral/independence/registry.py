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

__all__ = ["TESTS", "TestKind", "default_test", "imputed_name", "name_in_registry", "quoted_names"]


@dataclass(frozen=True)
class TestKind:
    """A test that has a name: the kinds of columns that it is for, what it is in a phrase, and where its `Makers` are.

    Besides the kinds of columns, "binary" stands for discrete columns with two levels.
    `where` is the full name of a module that can be imported, a dot, and the name in it.
    """

    __test__ = False  # its name is not that of a test for pytest to collect

    kinds: frozenset[str]
    about: str
    where: str

    def takes(self, kind: str) -> bool:
        """Whether the test is for columns of this kind; one for labels takes ordinal and binary columns, too."""
        return kind in self.kinds or (kind in ("ordinal", "binary") and "discrete" in self.kinds)

    @property
    def makers(self) -> "Makers":
        """How the test is made of data."""
        module, _, name = self.where.rpartition(".")
        found: Makers = getattr(import_module(module), name)
        return found


_NUMBERS, _LEVELS, _BOTH = frozenset({"continuous"}), frozenset({"discrete"}), frozenset({"continuous", "discrete"})
_ORDERED, _ALL = frozenset({"continuous", "ordinal", "binary"}), frozenset({"continuous", "discrete", "ordinal"})

#: The tests by name. Assign to it to add one. The first one that is for all kinds of columns that a table has is chosen
#: for it; a test that takes ordinal columns as mere labels only if there is no other.
TESTS: dict[str, TestKind] = {
    "fisher-z": TestKind(_NUMBERS, "partial correlation, Fisher's z", "ancestral.independence.fisher_z.FISHER_Z"),
    "labels": TestKind(
        _LEVELS,
        "Pearson's statistic on contingency tables, given the margins: keeps its level in small strata",
        "ancestral.independence.contingency.LABELS",
    ),
    "g": TestKind(_LEVELS, "likelihood ratio on contingency tables", "ancestral.independence.contingency.G"),
    "chi2": TestKind(_LEVELS, "Pearson's statistic on the same tables", "ancestral.independence.contingency.CHI2"),
    "mixed": TestKind(
        _BOTH,
        "likelihood ratio of a Gaussian model with indicator columns",
        "ancestral.independence.likelihood_ratio.MIXED",
    ),
    "copula": TestKind(
        _ORDERED,
        "partial correlation of latent normal variables, of which levels are intervals",
        "ancestral.independence.copula.COPULA",
    ),
    "rank": TestKind(
        _ALL,
        "`fisher-z` or `mixed` on normal scores: only the order of values counts",
        "ancestral.independence.rank.RANK",
    ),
    "regression": TestKind(
        _BOTH,
        "likelihood ratios of linear and multinomial regressions both ways",
        "ancestral.independence.regression.REGRESSION",
    ),
    "basis": TestKind(
        _BOTH, "what curves of the given columns leave of curves of x and y", "ancestral.independence.curves.BASIS"
    ),
    "kernel": TestKind(
        _BOTH, "the same with random features of all given columns", "ancestral.independence.curves.KERNEL"
    ),
}


def default_test(
    kinds: Collection[str],
    *,
    columns: int = 0,
    streamed: bool = False,
    incomplete: bool = False,
    among: Collection[str] | None = None,
) -> str:
    """The name of the test that is chosen for data with these kinds of columns, "binary" among them.

    `columns` is their number. `streamed`: only tests that can be made of a source that is read some rows at a time.
    `incomplete`: only tests that take missing values. `among`: one of these, if one of them is for such columns.

    >>> default_test({"continuous"}), default_test({"continuous", "discrete"})
    ('fisher-z', 'mixed')
    >>> default_test({"ordinal", "binary"}), default_test({"ordinal", "discrete"})
    ('copula', 'rank')
    """
    taking = [name for name, test in TESTS.items() if all(map(test.takes, kinds))]
    # first those that are preferred, and of these first those that take ordinal columns as such
    taking.sort(key=lambda name: "ordinal" in kinds and "ordinal" not in TESTS[name].kinds)
    taking.sort(key=lambda name: among is not None and name not in among)
    for name in taking:
        makers = TESTS[name].makers
        few = makers.most_columns is None or columns <= makers.most_columns
        if few and (makers.incomplete or not incomplete) and (makers.takes_sums(kinds) or not streamed):
            return name
    raise LookupError("no test is for these columns")


def imputed_name(name: str, imputations: int) -> str:
    """What a test is called that is asked of imputed tables.

    >>> imputed_name("fisher-z", 10)
    'fisher-z, 10 imputations'
    """
    return f"{name}, {imputations} imputations"


def name_in_registry(name: str) -> str:
    """The name of a test without the number of imputations, if it has one.

    >>> name_in_registry("fisher-z, 10 imputations"), name_in_registry("g")
    ('fisher-z', 'g')
    """
    first, _, rest = name.rpartition(", ")
    return first if rest.endswith(" imputations") else name


def quoted_names() -> str:
    """The names of all tests in `TESTS`, as errors list them."""
    return ", ".join(map(repr, TESTS))
