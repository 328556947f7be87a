"""A test of the user's own: a function of names that gives a p-value, or an object with the methods of a test.

The protocol of a test, which the built-in ones follow, too:

- `names`: the variables one can ask about,
- `independent(x, y, given) -> bool` or `p_value(x, y, given) -> float`, on names; `given` is a tuple of names,
- optionally `name`, what the test is called, and `rows`.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.data import Table
from ancestral.data.fingerprint import fingerprint
from ancestral.errors import OptionError, whole_number
from ancestral.graphs.names import by_name, checked_names
from ancestral.independence._custom_cy import Custom
from ancestral.independence.evidence import Evidence, Scale, Weighed, checked_alpha, single_evidence, weigh_p_values

__all__ = ["CustomTest"]


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
    def from_object(cls, test: Any, alpha: float) -> "CustomTest":
        """The test that an object following the protocol stands for."""
        names = getattr(test, "names", None)
        if names is None or isinstance(names, str):
            raise OptionError(f"{type(test).__name__} has no `names`; a test says which variables one can ask it about")
        label = str(getattr(test, "name", type(test).__name__))
        rows = getattr(test, "rows", 0)
        for method, decides in (("p_value", False), ("independent", True)):
            function = getattr(test, method, None)
            if callable(function):
                return cls(function, tuple(names), alpha, decides=decides, name=label, rows=rows)
        raise OptionError(
            f"{type(test).__name__} has neither `p_value(x, y, given)` nor `independent(x, y, given)`; a test needs one"
        )

    def without_rows(self) -> "CustomTest":
        """The same for those who only ask: the function, and no table but what it knows itself."""
        return CustomTest(self._function, self.names, self.alpha, decides=self._decides, name=self.name, rows=self.rows)

    def questions(self, names: Sequence[str]) -> Custom:
        """The questions about these variables, numbered in this order."""
        return Custom(names, self._function, self.alpha, self._checked)

    def evidence(self, questions: Custom, names: Sequence[str], x: int, y: int, given: Sequence[int]) -> Evidence:
        """What the answer rests on: the p-value, asked again."""
        return single_evidence(questions, self.weigh, x, y, given, self.rows)

    def weigh(self, raw: NDArray[np.float64], sizes: NDArray[np.integer]) -> Weighed:
        """The p-values, where the function gives any."""
        return weigh_p_values(raw, known=not self._decides)

    @property
    def fingerprint(self) -> str:
        """Of the table, if there is one, the variables, and the name of the function: its content cannot be known."""
        content = "no table" if self.table is None else self.table.fingerprint
        return fingerprint("custom", [*sorted(self.names, key=by_name), self.name, content])

    def _checked(self, said: Any, x: str, y: str, given: tuple[str, ...]) -> float:
        """The p-value that an answer stands for."""
        if self._decides:
            return 1.0 if said else 0.0
        try:
            p = float(said)
        except (TypeError, ValueError):
            p = math.nan
        if not 0 <= p <= 1:
            shown = ", ".join(given) or "nothing"
            raise OptionError(
                f"the test {self.name!r} answered {said!r} for {x} and {y} given {shown}; "
                "a p-value is a number between 0 and 1"
            )
        return p
