"""What a search asks of an independence test: the protocol `Test`, and `BaseTest`, which fulfils most of it.

Whatever has all members of `Test` can be passed to `discover()` as its source. A new test is usually a subclass: of
`PValueTest` (module `custom`) if a Python method computes its p-values, of `DataTest` if it has a kernel, or of
`BaseTest` if it does not ask data. `ancestral.testing.check_test` checks that a test keeps the promises made here, and
docs/extending.md has an example.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ancestral.data import Counts, DataWarning, Moments, Table
from ancestral.data.old_fingerprint import old_fingerprint
from ancestral.data.stats.column_blocks import ColumnBlocks
from ancestral.data.stats.summary import Summary
from ancestral.data.stats.weighted import Weights
from ancestral.errors import Function, Option, OptionError, refuse_unknown
from ancestral.independence._questions_cy import Questions
from ancestral.independence.evidence import Evidence, Evidences, Scale, checked_alpha, p_values_on_scale

__all__ = [
    "BOOTSTRAP",
    "BaseTest",
    "Data",
    "DataFacts",
    "DataTest",
    "LevelTable",
    "Makers",
    "MomentsSource",
    "Resampler",
    "Test",
    "check_protocol",
    "checked_likelihood",
    "column_blocks_of",
    "no_effect",
    "no_likelihood",
]

# -- the protocol -----------------------------------------------------------------------------------------------------


class Test(Protocol):
    """An independence test of some variables: what a search, its result and a bootstrap ask of it."""

    @property
    def name(self) -> str:
        """What the test is called in summaries, files and errors."""

    @property
    def names(self) -> tuple[str, ...]:
        """The variables, each named once, in the order of the columns."""

    @property
    def kinds(self) -> Mapping[str, str] | None:
        """Whether each variable is "continuous", "discrete" or "ordinal", by name; None where there are no columns."""

    @property
    def rows(self) -> int:
        """The number of rows; 0 where there are none, or where it is not known."""

    @property
    def alpha(self) -> float | None:
        """The significance level: independent where the p-value exceeds it. None for a test that has none."""

    @property
    def scale(self) -> Scale:
        """What the number is that run files keep of a question, and from which its p-value follows."""

    @property
    def fingerprint(self) -> str:
        """Identifies the data: equal for equal data, so that a later run recognises what it resumes."""

    def questions(self, names: Sequence[str]) -> Questions:
        """The object that answers questions about these variables, numbered in this order.

        The names are some of `names`, each once, in any order. Each call returns a new object, which one thread may
        use while another thread uses another one. Raises an `AncestralError` for unknown or repeated names.
        """

    def evidence(self, questions: Questions, x: int, y: int, given: Sequence[int]) -> Evidence:
        """The evidence of one question to such an object, by the numbers of the variables."""

    def p_values(self, raw: NDArray[np.float64], sizes: NDArray[np.integer]) -> Evidences:
        """The evidence of many questions at once.

        `raw` has a row `statistic, df` for each question, as the questions left them; `sizes` has the numbers of
        variables that were given.
        """

    def for_workers(self) -> "Test":
        """A test that answers all questions alike, for another process: without rows that no question needs."""

    def resampler(self) -> "Resampler":
        """What makes the same test on resamples of the rows. Raises `OptionError` with the reason if there is none."""

    def effect_moments(self) -> "MomentsSource":
        """What linear effects are computed from. Raises `OptionError`, with the reason, for a test without moments."""


class Resampler(Protocol):
    """Makes a test on resamples of its rows. It is pickled for the workers of a bootstrap."""

    @property
    def names(self) -> tuple[str, ...]:
        """The variables, in the order of their names (`graphs.names.in_order`)."""

    @property
    def rows(self) -> int:
        """The number of rows to draw from."""

    def test(self, weights: Weights) -> Test | None:
        """The test on a resample; `weights` says how often each row was drawn.

        It is about the variables that vary in the resample, in the order of their names; None if fewer than two do.
        It answers as the test made of a table with these rows would.
        """


class LevelTable(NamedTuple):
    """The contingency table of some discrete columns, an axis for each, and their levels; of weighted rows, weights."""

    levels: tuple[tuple[str, ...], ...]
    counts: NDArray[np.float64]


class MomentsSource(Protocol):
    """Moments from which some columns can be selected, such as `Moments`."""

    def select(self, names: Sequence[str]) -> Moments:
        """The moments of these columns, in the units of the data, in this order."""


Test.__test__ = False  # type: ignore[attr-defined]  # so that pytest does not collect it where it is imported

#: The members of `Test`.
MEMBERS = tuple(member for member in vars(Test) if not member.startswith("_"))


def check_protocol(source: object) -> None:
    """Raise `OptionError` unless an object has all members of `Test`; the error names those that are missing."""
    # a property of the type is not evaluated: to compute a fingerprint takes a pass over the data
    missing = [member for member in MEMBERS if not hasattr(type(source), member) and not hasattr(source, member)]
    if missing:
        raise OptionError(
            f"an independence test must have {', '.join(MEMBERS)}; {type(source).__name__} lacks {', '.join(missing)}; "
            "inherit from ancestral.independence.BaseTest, which has defaults for most of them"
        )


def no_effect(*reason: str | Option, robust: bool = False) -> OptionError:
    """The error of `effect_moments` for a test that has none; the way out may be the estimator "robust"."""
    way_out: list[str | Option] = ["for other relations pass ", Option("estimator", "robust")] if robust else []
    return OptionError(["no effect can be computed: ", *reason], way_out=way_out)


def no_likelihood(*reason: str | Option) -> OptionError:
    """The error of `column_blocks` for a test that has no Gaussian likelihood."""
    return OptionError(["no graph can be scored: ", *reason])


def checked_likelihood(test: Test | None) -> "BaseTest":
    """A test that may have a likelihood. Raises `OptionError` for one of the user's own, which has none."""
    if not isinstance(test, BaseTest):
        raise no_likelihood("a test of one's own has no likelihood; pass data")
    return test


def column_blocks_of(test: Test | None, names: Sequence[str]) -> ColumnBlocks:
    """The columns that a Gaussian likelihood scores. Raises `OptionError`, with the reason, if there is none."""
    return checked_likelihood(test).column_blocks(names)


#: The function that tells how stable answers are, whatever the test.
BOOTSTRAP = Function("bootstrap")


# -- base classes -----------------------------------------------------------------------------------------------------

SomeTest = TypeVar("SomeTest", bound="BaseTest")


class BaseTest(ABC):
    """A test with defaults for what most tests do alike.

    A subclass sets `name`, `names`, `kinds`, `rows` and `alpha`, and implements `fingerprint` and `questions`. By
    default `statistic` is the number on the `scale`, no rows can be drawn, and no effects can be computed.

    Attributes:
        name: The name of the test, as in the option `test`.
        names: The variables.
        kinds: The kind of each variable; None if that has no meaning.
        rows: The number of rows; 0 if there are none.
        alpha: The significance level; None if there is none.
        scale: What the numbers are by which answers are compared.
        together: Of combined tables, the variables that each has; None otherwise.
        judged_by_score: Whether a score can judge resamples of complete rows.

    Examples:
        >>> from ancestral import DAG, Oracle, OptionError
        >>> oracle = Oracle(DAG.parse("a -> c, b -> c"))  # leaves all of the defaults as they are
        >>> oracle.checked_names(["b", "a"]), oracle.for_workers() is oracle, oracle.old_fingerprint
        (('b', 'a'), True, None)
        >>> oracle.has_rows, oracle.data_table, oracle.data_counts, oracle.has_readings
        (False, None, None, False)
        >>> oracle.scale, oracle.together, oracle.judged_by_score
        (<Scale.P_VALUE: 'p-value'>, None, False)
        >>> oracle.with_alpha(0.05).alpha
        0.05
        >>> asked = [oracle.resampler, oracle.readings, oracle.effect_moments]
        >>> asked += [lambda: oracle.level_table(["a"]), lambda: oracle.column_blocks(["a"])]
        >>> for question in asked:
        ...     try:
        ...         question()
        ...     except OptionError as error:
        ...         print(str(error).partition(";")[0])
        an Oracle knows the truth and has no rows to draw
        no certainty can be computed: the test 'oracle' has no Gaussian likelihood on complete rows
        no effect can be computed: an oracle knows the graph and no numbers
        no bounds can be computed: the test 'oracle' counts no rows
        no graph can be scored: the test 'oracle' has no Gaussian likelihood
    """

    name: str
    names: tuple[str, ...]
    kinds: Mapping[str, str] | None
    rows: int
    alpha: float | None
    scale: Scale = Scale.P_VALUE
    together: tuple[tuple[str, ...], ...] | None = None  #: of combined tables, the variables that each has
    judged_by_score: bool = False  #: whether a score can judge resamples of complete rows

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """Identifies the data: equal for equal data."""

    @property
    def old_fingerprint(self) -> str | None:
        """The fingerprint in files of earlier versions, if it was another one and can still be computed."""
        return None

    @property
    def has_rows(self) -> bool:
        """Whether there are rows to draw, so that there can be a `resampler`."""
        return False

    @property
    def data_table(self) -> Table | None:
        """The rows that the test was made of; None if they are gone, or there never were any."""
        return None

    @property
    def data_counts(self) -> Counts | None:
        """The counts of configurations that the test was made of; None if it was not made of counts."""
        return None

    @property
    def has_readings(self) -> bool:
        """Whether there are `readings`: rows to draw, and a score that judges them."""
        return self.has_rows and self.judged_by_score

    @abstractmethod
    def questions(self, names: Sequence[str]) -> Questions:
        """The questions about these variables, numbered in this order."""

    def evidence(self, questions: Questions, x: int, y: int, given: Sequence[int]) -> Evidence:
        """The evidence of one question, which is asked again.

        Args:
            questions: The questions of this test.
            x: The number of a variable.
            y: The number of another one.
            given: The numbers of the variables that are conditioned on.

        Returns:
            The statistic, its degrees of freedom, the p-value and the number of rows.

        Raises:
            OptionError: If the numbers are not those of different variables.

        Examples:
            >>> from ancestral import DAG, Oracle
            >>> oracle = Oracle(DAG.parse("a -> c, b -> c"))
            >>> oracle.evidence(oracle.questions(["a", "b", "c"]), 0, 1, []).p_value  # an oracle answers 1 or 0
            1.0
        """
        questions.ask(x, y, given)
        raw = np.array([[questions.statistic, questions.df]], dtype=np.float64)
        found = self.p_values(raw, np.array([len(given)]))
        used = getattr(questions, "used", self.rows)  # kernels that leave out incomplete rows count those they use
        return Evidence(float(found.statistic[0]), int(found.df[0]) or None, float(found.p_value[0]), int(used))

    def p_values(self, raw: NDArray[np.float64], sizes: NDArray[np.integer]) -> Evidences:
        """The evidence of many questions: here `statistic` is the number on the scale.

        Args:
            raw: A row for each question, with its statistic and degrees of freedom.
            sizes: The size of the conditioning set of each.

        Returns:
            Arrays of statistics, degrees of freedom and p-values.

        Examples:
            >>> import numpy as np
            >>> from ancestral import DAG, Oracle
            >>> answered = np.array([[0.0, 0.0], [1.0, 0.0]])
            >>> Oracle(DAG.parse("a -> b")).p_values(answered, np.array([0, 0])).p_value.tolist()
            [0.0, 1.0]
        """
        return p_values_on_scale(self.scale, raw[:, 0], raw[:, 1])

    def for_workers(self: SomeTest) -> SomeTest:
        """The test as it is sent to other processes: here the test itself, since its questions need all that it has.

        Returns:
            A test that answers the same questions.
        """
        return self

    def resampler(self) -> Resampler:
        """Refuse: there are no rows to draw. Tests of rows return what draws them.

        Returns:
            What makes the same test of drawn rows.

        Raises:
            OptionError: If there are no rows to draw.
        """
        raise OptionError(
            f"a bootstrap draws rows, and the test {self.name!r} cannot be made of drawn rows; pass data, and the name "
            "of a test"
        )

    def readings(self) -> Mapping[str, Resampler]:
        """Refuse: no score judges resamples. Tests that have one return a resampler for each reading of the columns.

        Returns:
            The resamplers by the name of the reading; the tests that they make have `column_blocks`.

        Raises:
            OptionError: If the test has no Gaussian likelihood on complete rows.
        """
        instead: list[str | Option] = [BOOTSTRAP, " tells how stable the answers are"] if self.has_rows else []
        raise OptionError(
            f"no certainty can be computed: the test {self.name!r} has no Gaussian likelihood on complete rows",
            way_out=instead,
        )

    def effect_moments(self) -> MomentsSource:
        """Refuse: there are no moments. Tests of numbers return them.

        Returns:
            The moments that linear effects are computed from.

        Raises:
            OptionError: If there are none.
        """
        if self.name == "fisher-z":
            raise no_effect(
                "rows with missing values were kept, and linear effects need complete rows; search with ",
                Option("missing", "drop"),
                robust=True,
            )
        raise no_effect(
            f"the test {self.name!r} has no moments of complete rows, and linear effects are for 'fisher-z'",
            robust=True,
        )

    def level_table(self, names: Sequence[str]) -> LevelTable:
        """Refuse: there are no rows to count. Tests of data have the contingency table of discrete columns.

        Args:
            names: The columns.

        Returns:
            The table, and the levels of each column.

        Raises:
            OptionError: If there are no rows to count.
        """
        raise OptionError(
            f"no bounds can be computed: the test {self.name!r} counts no rows; bounds are for columns with levels"
        )

    def column_blocks(self, names: Sequence[str]) -> ColumnBlocks:
        """Refuse: there is no Gaussian likelihood. Tests that have one return the columns of these variables.

        Args:
            names: The variables.

        Returns:
            The columns by variable, and their correlations.

        Raises:
            OptionError: If there is no Gaussian likelihood.
        """
        raise no_likelihood(
            f"the test {self.name!r} has no Gaussian likelihood; 'fisher-z', 'rank', 'mixed' and 'copula' have one, "
            "on data"
        )

    def with_alpha(self: SomeTest, alpha: float) -> SomeTest:
        """The same test at another significance level.

        Args:
            alpha: The level, between 0 and 1.

        Returns:
            A new test.

        Raises:
            OptionError: If it is not such a number.
        """
        other = copy(self)
        other.alpha = checked_alpha(alpha)
        return other

    def checked_names(self, names: Sequence[str]) -> tuple[str, ...]:
        """The variables to ask about, each of them known and named once.

        Args:
            names: The variables.

        Returns:
            The same as a tuple.

        Raises:
            UnknownName: If one of them is not known.
            OptionError: If one of them is named twice.
        """
        chosen = tuple(names)
        if chosen == self.names:
            return chosen
        refuse_unknown(chosen, self.names, what="variable")
        if len(set(chosen)) < len(chosen):
            twice = next(name for name in chosen if chosen.count(name) > 1)
            raise OptionError(f"questions are about different variables, and {twice!r} is named twice; name each once")
        return chosen


class Data(Protocol):
    """What a test can be made of: a `Table`, a `Summary`, `Counts`."""

    @property
    def names(self) -> tuple[str, ...]:
        """The columns."""

    @property
    def kinds(self) -> Sequence[str]:
        """The kind of each column."""

    @property
    def rows(self) -> int:
        """The number of rows."""

    @property
    def fingerprint(self) -> str:
        """Identifies the content."""


class DataTest(BaseTest):
    """A test of data: its variables are the columns, its fingerprint is that of the data."""

    alpha: float

    def __init__(self, data: Data, alpha: float) -> None:
        self.names = tuple(data.names)
        self.kinds = dict(zip(data.names, data.kinds, strict=True))
        self.rows = data.rows
        self.alpha = checked_alpha(alpha)
        self._data: Any = data

    @property
    def has_rows(self) -> bool:
        """Whether the data are a table."""
        return isinstance(self._data, Table)

    @property
    def data_table(self) -> Table | None:
        """The table, if the data are one."""
        return self._data if isinstance(self._data, Table) else None

    @property
    def data_counts(self) -> Counts | None:
        """The counts, if the data are counts, or were summed up with them."""
        data = self._data.counts if isinstance(self._data, Summary) else self._data
        return data if isinstance(data, Counts) else None

    @property
    def has_readings(self) -> bool:
        """Whether the data are a table without gaps, and a score judges them."""
        return super().has_readings and not self._data.has_missing

    @property
    def fingerprint(self) -> str:
        """Identifies the data."""
        return str(self._data.fingerprint)

    @property
    def old_fingerprint(self) -> str | None:
        """The fingerprint of a table in files of earlier versions."""
        return old_fingerprint(self._data)

    def level_table(self, names: Sequence[str]) -> LevelTable:
        """The contingency table of discrete or ordinal columns, of the rows in which none of them is missing.

        Raises `OptionError` if a column is continuous, or the columns were summed up without their counts.
        """
        chosen = self.checked_names(names)
        for name in chosen:
            if (self.kinds or {}).get(name) == "continuous":
                raise OptionError(
                    f"no bounds can be computed: column {name!r} is continuous; bounds are for columns with levels"
                )
        data = self._data.counts if isinstance(self._data, Summary) else self._data
        if isinstance(data, Counts):
            levels = dict(zip(data.names, data.levels, strict=True))
            return LevelTable(tuple(levels[name] for name in chosen), data.weighted_table(chosen))
        if not isinstance(data, Table):
            return super().level_table(names)
        return _counted(data, chosen)


def _counted(table: Table, names: Sequence[str]) -> LevelTable:
    columns = [table.column(name) for name in names]
    weights = np.ones(table.rows) if table.design is None else table.design.scaled
    levels = tuple(column.levels or () for column in columns)
    complete = ~np.any([column.missing for column in columns], axis=0)
    out = np.zeros(tuple(map(len, levels)))
    np.add.at(out, tuple(column.values[complete].astype(np.intp) for column in columns), weights[complete])
    return LevelTable(levels, out)


@dataclass(frozen=True)
class DataFacts:
    """What the copy of a test that workers get still knows of data whose rows stay behind.

    `column_lengths`, where effects can be computed: the root of the sum of squared deviations of each column.
    """

    fingerprint: str
    column_lengths: Mapping[str, float] = field(default_factory=dict)

    def lengths(self, names: Sequence[str]) -> list[float]:
        """The lengths of these columns."""
        return [self.column_lengths[name] for name in names]


# -- how a built-in test is made --------------------------------------------------------------------------------------


def _no_doubt(data: Table | Summary) -> DataWarning | None:
    """Every table suits the test."""
    return None


@dataclass(frozen=True)
class Makers:
    """How a test that has a name is made, for the registry of tests (module `registry`). The data have been audited.

    `of_table(table, alpha)`: of a table, whose missing values are to be left out question by question.
    `of_moments(moments, alpha, data)`, if moments are all it needs: also of a table without missing values; `data` is
    the table of which they are the standardised moments, None if only the moments are known.
    `of_summary(summary, alpha)`: of the summary of a source that is read some rows at a time; None if the test needs
    all rows at once.
    `summed_kinds`, where `of_summary` is not for all kinds of columns: those that it is for.
    `of_counts(counts, alpha)`, if counts are all it needs.
    `incomplete`: whether `of_table` takes tables with missing values.
    `imputable`: whether the answers about imputed tables can be combined (`independence/imputed`); they cannot unless
    its questions leave chi-squared statistics.
    `most_columns`: the largest number of columns that it takes, None if there is no limit.
    `doubt(data)`: a warning if the test may be misled by these data, None otherwise.
    `designs`: whether all of these also take data with weights and clusters; other tests are refused for such data.
    """

    of_table: Callable[[Table, float], Test]
    of_moments: Callable[[Moments, float, Table | None], Test] | None = None
    of_summary: Callable[[Summary, float], Test] | None = None
    of_counts: Callable[[Counts, float], Test] | None = None
    doubt: Callable[[Table | Summary], DataWarning | None] = _no_doubt
    designs: bool = False
    summed_kinds: frozenset[str] | None = None
    incomplete: bool = True
    imputable: bool = True
    most_columns: int | None = None

    def takes_sums(self, kinds: Collection[str]) -> bool:
        """Whether the test can be made of the summary of columns of these kinds."""
        return self.of_summary is not None and (self.summed_kinds is None or self.summed_kinds.issuperset(kinds))
