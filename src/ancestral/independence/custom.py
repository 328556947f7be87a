"""A test of the user's own: a function of names that gives a p-value, or an object with the methods of a test.

The protocol of a test, which the built-in ones follow, too:

- `names`: the variables one can ask about,
- `independent(x, y, given) -> bool` or `p_value(x, y, given) -> float`, on names; `given` is a tuple of names,
- optionally `name`, what the test is called, and `rows`.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import listed, whole_number
from ancestral.data import Table
from ancestral.data.fingerprint import fingerprint
from ancestral.errors import OptionError
from ancestral.graphs.names import by_name, checked_names
from ancestral.independence._custom_cy import Custom
from ancestral.independence.evidence import Evidence, Evidences, Scale, checked_alpha, single_evidence, weigh_p_values
from ancestral.printing import shown

__all__ = ["CustomTest", "Decisions", "PValues", "method_of_object", "names_of_object"]


class PValues(Protocol):
    """An object that gives p-values."""

    def p_value(self, x: str, y: str, given: tuple[str, ...], /) -> Any:
        """The p-value of "x and y are independent given these", a number between 0 and 1."""


class Decisions(Protocol):
    """An object that decides."""

    def independent(self, x: str, y: str, given: tuple[str, ...], /) -> Any:
        """Whether x and y are independent given these, True or False."""


class CustomTest:
    """Asks a Python function of names, `(x, y, given) -> p-value`, or `-> bool` where `decides` says so."""

    def __init__(
        self,
        function: Callable[[str, str, tuple[str, ...]], Any],
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
        self.name: str = name or str(getattr(function, "__name__", "custom"))
        self.rows = whole_number("rows", rows, 0) if table is None else table.rows
        self.table = table
        self.kinds = None if table is None else dict(zip(table.names, table.kinds, strict=True))
        self._function = function
        self._decides = decides
        self.scale = Scale.DECISION if decides else Scale.P_VALUE

    @classmethod
    def from_object(cls, test: Any, alpha: float, names: Sequence[str]) -> "CustomTest":
        """The test of these variables that an object following the protocol stands for."""
        rows = whole_number(f"{type(test).__name__}.rows", getattr(test, "rows", 0), 0)
        function, decides = method_of_object(test)
        assert function is not None
        return cls(function, names, alpha, decides=decides, name=_label(test), rows=rows)

    @classmethod
    def of_table(cls, test: Any, table: Table, alpha: float) -> "CustomTest":
        """The test of the variables of a table that a function, or an object following the protocol, stands for."""
        function, decides = method_of_object(test)
        if function is None:
            return cls(test, table.names, alpha, table=table)
        if getattr(test, "names", None) is not None:
            known = set(names_of_object(test))
            if unknown := [name for name in table.names if name not in known]:
                raise OptionError(
                    f"{type(test).__name__} cannot be asked about {unknown[0]!r}, which is not among its `names`; "
                    f"leave the column out: drop=[{unknown[0]!r}]"
                )
        return cls(function, table.names, alpha, decides=decides, name=_label(test), table=table)

    def without_rows(self) -> "CustomTest":
        """The same for those who only ask: the function, and no table but what it knows itself."""
        return CustomTest(self._function, self.names, self.alpha, decides=self._decides, name=self.name, rows=self.rows)

    def questions(self, names: Sequence[str]) -> Custom:
        """The questions about these variables, numbered in this order."""
        return Custom(names, self._decided if self._decides else self._function, self.alpha, self._checked)

    def evidence(self, questions: Custom, names: Sequence[str], x: int, y: int, given: Sequence[int]) -> Evidence:
        """What the answer rests on: the p-value, asked again."""
        return single_evidence(questions, self.p_values, x, y, given, self.rows)

    def p_values(self, raw: NDArray[np.float64], sizes: NDArray[np.integer]) -> Evidences:
        """The p-values, where the function gives any."""
        return weigh_p_values(raw, known=not self._decides)

    @property
    def fingerprint(self) -> str:
        """Of the table, if there is one, the variables, and the name of the function: its content cannot be known."""
        content = "no table" if self.table is None else self.table.fingerprint
        return fingerprint("custom", [*sorted(self.names, key=by_name), self.name, content])

    def _decided(self, x: str, y: str, given: tuple[str, ...]) -> float:
        """The decision of `independent(x, y, given)` as a p-value: 1 for independent, 0 for dependent."""
        said = self._function(x, y, given)
        if not isinstance(said, bool | np.bool_):
            raise OptionError(
                f"the test {self.name!r} answered {shown(said)} for {_asked(x, y, given)}; independent() returns True "
                "or False, and p_value() a number"
            )
        return 1.0 if said else 0.0

    def _checked(self, said: Any, x: str, y: str, given: tuple[str, ...]) -> float:
        """The p-value that an answer stands for."""
        try:
            p = math.nan if isinstance(said, str | bytes) else float(said)
        except (TypeError, ValueError, OverflowError):
            p = math.nan
        if not 0 <= p <= 1:
            raise OptionError(
                f"the test {self.name!r} answered {shown(said)} for {_asked(x, y, given)}; "
                "a p-value is a number between 0 and 1"
            )
        return p


def _asked(x: str, y: str, given: tuple[str, ...]) -> str:
    return f"{x} and {y} given {', '.join(given) or 'nothing'}"


def _label(test: Any) -> str:
    return str(getattr(test, "name", type(test).__name__))


def method_of_object(test: Any) -> tuple[Callable[..., Any] | None, bool]:
    """The method that answers questions, and whether it decides; None where an object has no such method."""
    for method, decides in (("p_value", False), ("independent", True)):
        if callable(function := getattr(test, method, None)):
            return function, decides
    return None, False


def names_of_object(test: Any) -> tuple[str, ...]:
    """The variables that an object can be asked about."""
    names = getattr(test, "names", None)
    if names is None or isinstance(names, str):
        raise OptionError(f"{type(test).__name__} has no `names`; a test says which variables one can ask it about")
    return checked_names(listed(f"{type(test).__name__}.names", names, "names"))
