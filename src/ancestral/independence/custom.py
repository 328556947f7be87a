"""A test of the user's own: a function of names that gives a p-value, or an object with the methods of a test.

The protocol of a test, which the built-in ones follow, too:

- `names`: the variables one can ask about,
- `independent(x, y, given) -> bool` or `p_value(x, y, given) -> float`, on names; `given` is a tuple of names,
- optionally `name`, what the test is called, and `rows`.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

from ancestral.errors import OptionError
from ancestral.graphs.names import checked_names
from ancestral.independence._custom_cy import Custom
from ancestral.independence.evidence import Evidence, checked_alpha

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
    ) -> None:
        self.names = checked_names(names)
        self.alpha = checked_alpha(alpha)
        self.name: str = name or str(getattr(function, "__name__", "custom"))
        self.rows = rows
        self._function = function
        self._decides = decides

    @classmethod
    def from_object(cls, test: Any, alpha: float) -> "CustomTest":
        """The test that an object following the protocol stands for."""
        names = getattr(test, "names", None)
        if names is None or isinstance(names, str):
            raise OptionError(f"{type(test).__name__} has no `names`; a test says which variables one can ask it about")
        label = str(getattr(test, "name", type(test).__name__))
        rows = int(getattr(test, "rows", 0))
        for method, decides in (("p_value", False), ("independent", True)):
            function = getattr(test, method, None)
            if callable(function):
                return cls(function, tuple(names), alpha, decides=decides, name=label, rows=rows)
        raise OptionError(
            f"{type(test).__name__} has neither `p_value(x, y, given)` nor `independent(x, y, given)`; a test needs one"
        )

    def questions(self, names: Sequence[str]) -> Custom:
        """The questions about these variables, numbered in this order."""

        def answer(x: int, y: int, given: list[int]) -> tuple[bool, float]:
            p = self._p_value(names[x], names[y], tuple(names[z] for z in given))
            return p > self.alpha, 1.0 - p

        return Custom(len(names), answer)

    def evidence(self, questions: Custom, names: Sequence[str], x: int, y: int, given: Sequence[int]) -> Evidence:
        """What the answer rests on: the p-value, asked again."""
        p = math.nan if self._decides else self._p_value(names[x], names[y], tuple(names[z] for z in given))
        return Evidence(math.nan, None, p, self.rows)

    def _p_value(self, x: str, y: str, given: tuple[str, ...]) -> float:
        said = self._function(x, y, given)
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
