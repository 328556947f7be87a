"""Independence questions and the tests that answer them: on data, by a user's function, or by the true graph."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ancestral.independence.registry import TESTS

if TYPE_CHECKING:
    from ancestral.independence.base import BaseTest, DataTest, Resampler, Test
    from ancestral.independence.choice import choose_test
    from ancestral.independence.custom import PValueTest
    from ancestral.independence.evidence import Evidence, Evidences, Scale
    from ancestral.independence.oracle import Oracle
    from ancestral.independence.resamplers import TableResampler

__all__ = [
    "TESTS", "BaseTest", "DataTest", "Evidence", "Evidences", "Oracle", "PValueTest", "Resampler", "Scale",
    "TableResampler", "Test", "choose_test",
]  # fmt: skip

#: The module of each name. It is imported when the name is first asked for, so that the registry alone can be read.
_HOMES = {
    "base": "BaseTest DataTest Resampler Test",
    "choice": "choose_test",
    "custom": "PValueTest",
    "evidence": "Evidence Evidences Scale",
    "oracle": "Oracle",
    "resamplers": "TableResampler",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}


if not TYPE_CHECKING:  # a type checker knows the names from the imports above

    def __getattr__(name: str) -> Any:
        if name not in _HOME:
            raise AttributeError(f"module 'ancestral.independence' has no attribute {name!r}")
        globals()[name] = value = getattr(import_module(f"ancestral.independence.{_HOME[name]}"), name)
        return value
