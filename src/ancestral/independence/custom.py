"""Tests that Python code answers: `PValueTest`, to inherit from, and `CustomTest`, of a user's function or object.

An object that a user passes as a test has

- `names`: the variables one can ask about,
- `independent(x, y, given) -> bool` or `p_value(x, y, given) -> float`, on names; `given` is a tuple of names,
- optionally `name`, what the test is called, and `rows`.

A p-value of NaN, or None, says that the data cannot support the question, as when there are too few rows: the two
variables are then taken as dependent, and the question is counted among those that were not supported.
"""

import math
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import listed as listed_argument
from ancestral.arguments import whole_number
from ancestral.data import Table
from ancestral.data.errors import leave_out
from ancestral.data.fingerprint import fingerprint
from ancestral.data.old_fingerprint import old_fingerprint
from ancestral.errors import Option, OptionError
from ancestral.graphs.names import checked_names, in_order
from ancestral.independence._custom_cy import Custom
from ancestral.independence._questions_cy import Questions
from ancestral.independence.base import BaseTest, DataFacts, DataTest, Resampler
from ancestral.independence.evidence import Evidence, Scale, checked_alpha
from ancestral.independence.resamplers import TableResampler
from ancestral.printing import listed, shown

__all__ = ["CustomTest", "Decider", "PValueTest", "PValues", "method_of_object", "names_of_object"]

Given = tuple[str, ...]


class PValueTest(DataTest):
    """A test of the rows of a table whose p-values a Python method computes; a base class for tests of one's own.

    A subclass sets `name` and implements `p_value(x, y, given)`. `data` is a `Table`, or anything that `Table.of`
    reads; the attribute `table` has the columns. With `missing="testwise"` they have missing values: `complete` gives
    the values of the rows that a question can use. A bootstrap makes `type(self)(table, alpha)` of the drawn rows; a
    subclass whose constructor takes more overrides `resampler`.
    """

    def __init__(self, data: Any, alpha: float = 0.01) -> None:
        self.table = data if isinstance(data, Table) else Table.of(data)
        super().__init__(self.table, alpha)

    @abstractmethod
    def p_value(self, x: str, y: str, given: Given, /) -> Any:
        """The p-value of "x and y are independent given these variables", a number between 0 and 1.

        NaN, or None, if the data cannot support the question.
        """

    def complete(self, *names: str) -> tuple[NDArray[Any], ...]:
        """The values of these variables in the rows in which none of them is missing, an array for each variable.

        The values of a discrete variable are codes, its levels numbered as in `table.column(name).levels`.
        """
        rows = self._complete_rows(names)
        values = (self.table.column(name).values for name in names)
        return tuple(values) if rows.all() else tuple(column[rows] for column in values)

    def questions(self, names: Sequence[str]) -> Custom:
        """The questions about these variables, numbered in this order: each is a call of `p_value`."""
        return Custom(self.checked_names(names), self.p_value, self.alpha, self._checked)

    def evidence(self, questions: Questions, x: int, y: int, given: Sequence[int]) -> Evidence:
        """The evidence of one question, which is asked again; its rows are those that are complete for it."""
        found = super().evidence(questions, x, y, given)
        if not isinstance(questions, Custom):  # of a subclass, which counts rows itself
            return found
        rows = self._complete_rows([questions.names[i] for i in (x, y, *given)])
        return replace(found, rows=int(np.count_nonzero(rows)))

    def resampler(self) -> Resampler:
        """Makes the same test of the drawn rows."""
        return TableResampler.of(self.table, partial(type(self), alpha=self.alpha))

    def _complete_rows(self, names: Iterable[str]) -> NDArray[np.bool_]:
        """True for the rows in which none of these variables is missing."""
        complete = np.ones(self.table.rows, dtype=bool)
        for column in map(self.table.column, names):
            if column.has_missing:
                complete &= ~column.missing
        return complete

    def _checked(self, answer: Any, x: str, y: str, given: Given) -> float:
        """The p-value that an answer is; raise if it is none, or has become NaN by missing values."""
        if _is_nan(answer):
            self._refuse_gaps(answer, x, y, given)
        return _checked_p_value(self.name, answer, x, y, given)

    def _refuse_gaps(self, answer: Any, x: str, y: str, given: Given) -> None:
        """Raise `OptionError` if a question that has no p-value has one when its incomplete rows are left out."""
        complete = self._complete_rows((x, y, *given))
        if complete.all() or np.count_nonzero(complete) < len(given) + 4:
            return
        try:
            other = self.resampler().test(complete.astype(np.int64))
        except OptionError:
            return
        if not isinstance(other, PValueTest) or not {x, y, *given} <= set(other.names):
            return
        if not _is_nan(other.p_value(x, y, given)):
            raise OptionError(
                f"values are missing, and the test {self.name!r} does not leave out the rows in which they are: it "
                f"answered {shown(answer)} for {_question(x, y, given)}",
                way_out=[
                    "let p_value() compute with self.complete(x, y, *given), or use the complete rows only: ",
                    Option("missing", "drop"),
                ],
            )


class PValues(Protocol):
    """An object of a user that gives p-values."""

    def p_value(self, x: str, y: str, given: Given, /) -> Any:
        """The p-value of "x and y are independent given these variables", a number between 0 and 1.

        NaN, or None, if the data cannot support the question.
        """


class Decider(Protocol):
    """An object of a user that decides."""

    def independent(self, x: str, y: str, given: Given, /) -> Any:
        """Whether x and y are independent given these variables, True or False."""


class CustomTest(BaseTest):
    """Asks a function of names, `(x, y, given) -> p-value`, or `-> bool` if it `decides`.

    `table` is the data that the function is about, if they are known.
    """

    alpha: float

    def __init__(
        self,
        function: Callable[[str, str, Given], Any],
        names: Sequence[str],
        alpha: float = 0.01,
        *,
        decides: bool = False,
        name: str | None = None,
        rows: int = 0,
        table: Table | None = None,
    ) -> None:
        self.names = checked_names(names)
        self.alpha = checked_alpha(alpha)
        self.name = name or str(getattr(function, "__name__", "custom"))
        self.rows = whole_number("rows", rows, 0) if table is None else table.rows
        self.kinds = None if table is None else dict(zip(table.names, table.kinds, strict=True))
        self.scale = Scale.DECISION if decides else Scale.P_VALUE
        self._data: Table | DataFacts | None = table
        self._function = function

    @classmethod
    def from_object(cls, test: Any, alpha: float, names: Sequence[str]) -> "CustomTest":
        """The test of these variables that an object with `p_value` or `independent` answers."""
        rows = whole_number(f"{type(test).__name__}.rows", getattr(test, "rows", 0), 0)
        function, decides = method_of_object(test)
        assert function is not None
        return cls(function, names, alpha, decides=decides, name=_label(test), rows=rows)

    @classmethod
    def of_table(cls, test: Any, table: Table, alpha: float) -> "CustomTest":
        """The test of the columns of a table that a function, or an object with such a method, answers."""
        function, decides = method_of_object(test)
        if function is None:
            return cls(test, table.names, alpha, table=table)
        if getattr(test, "names", None) is not None:
            known = set(names_of_object(test))
            if unknown := [name for name in table.names if name not in known]:
                raise OptionError(
                    f"{type(test).__name__} must have every column among its `names`, and lacks {listed(unknown)}",
                    way_out=leave_out(*unknown),
                )
        return cls(function, table.names, alpha, decides=decides, name=_label(test), table=table)

    def for_workers(self) -> "CustomTest":
        """The same function, without the table beside it; data that the function itself holds go with it."""
        if self._data is None:
            return self
        other = copy(self)
        other._data = DataFacts(self._data.fingerprint)
        return other

    def questions(self, names: Sequence[str]) -> Custom:
        """The questions about these variables, numbered in this order."""
        function = self._decided if self.scale is Scale.DECISION else self._function
        return Custom(self.checked_names(names), function, self.alpha, partial(_checked_p_value, self.name))

    @property
    def fingerprint(self) -> str:
        """Identifies the table, if there is one, the variables, and the name of the function, not what it computes."""
        return self._with_content("no table" if self._data is None else self._data.fingerprint)

    @property
    def old_fingerprint(self) -> str | None:
        """The fingerprint of the function beside a table in files of earlier versions."""
        content = old_fingerprint(self._data)
        return None if content is None else self._with_content(content)

    def _with_content(self, content: str) -> str:
        return fingerprint("custom", [*in_order(self.names), self.name, content])

    def resampler(self) -> Resampler:
        """Refuse: the function is asked about names, whatever rows are drawn."""
        raise OptionError(
            f"the test {self.name!r} is a function of names, so it does not see which rows are drawn; draw rows in a "
            "loop of your own, with discover() on each sample, or use one of the tests that have a name"
        )

    def _decided(self, x: str, y: str, given: Given) -> float:
        """The decision of `independent(x, y, given)` as a p-value: 1 for independent, 0 for dependent."""
        answer = self._function(x, y, given)
        if not isinstance(answer, bool | np.bool_):
            raise OptionError(
                f"independent() must return True or False; the test {self.name!r} answered {shown(answer)} for "
                f"{_question(x, y, given)}; let p_value() return numbers"
            )
        return 1.0 if answer else 0.0


def _is_nan(answer: Any) -> bool:
    """Whether an answer says that there is no p-value: NaN, or None."""
    try:
        return answer is None or (not isinstance(answer, str | bytes) and math.isnan(float(answer)))
    except (TypeError, ValueError, OverflowError):
        return False


def _checked_p_value(test: str, answer: Any, x: str, y: str, given: Given) -> float:
    """The p-value that the answer of a test is, NaN if it says that there is none; raise if it is no p-value."""
    if _is_nan(answer):
        return math.nan
    try:
        p = math.nan if isinstance(answer, str | bytes) else float(answer)
    except (TypeError, ValueError, OverflowError):
        p = math.nan
    if not 0 <= p <= 1:
        raise OptionError(
            f"a p-value must be a number between 0 and 1; the test {test!r} answered {shown(answer)} for "
            f"{_question(x, y, given)}",
            way_out="where the data cannot support a question, answer NaN or None",
        )
    return p


def _question(x: str, y: str, given: Given) -> str:
    return f"{x} and {y} given {', '.join(given) or 'nothing'}"


def _label(test: Any) -> str:
    return str(getattr(test, "name", type(test).__name__))


def method_of_object(test: Any) -> tuple[Callable[..., Any] | None, bool]:
    """The method of an object that answers questions, and whether it decides; None if it has no such method."""
    for method, decides in (("p_value", False), ("independent", True)):
        if callable(function := getattr(test, method, None)):
            return function, decides
    return None, False


def names_of_object(test: Any) -> tuple[str, ...]:
    """The variables that an object can be asked about."""
    names = getattr(test, "names", None)
    if names is None or isinstance(names, str):
        raise OptionError(
            f"a test must have `names`, the variables one can ask it about; {type(test).__name__} has no list of them"
        )
    return checked_names(listed_argument(f"{type(test).__name__}.names", names, "names"))
