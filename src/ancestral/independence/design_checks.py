"""Which tests take data with weights and clusters, and how those that do not are refused."""

import warnings
from typing import Any

from ancestral.data import DataWarning
from ancestral.data.design import Design, DesignFacts
from ancestral.errors import Option, OptionError
from ancestral.independence.registry import TESTS
from ancestral.options import Missing

__all__ = ["check_design", "knowing_designs", "warn_of_few_clusters"]

#: Clusters below which there is a warning: with fewer, the variance between them is hardly known.
FEW_CLUSTERS = 10


def knowing_designs() -> list[str]:
    """The names of the tests that take data with weights and clusters."""
    return [name for name, kind in TESTS.items() if kind.makers.designs]


def check_design(design: Design | DesignFacts, test: Any, *, missing: Missing | None = None) -> None:
    """Raise `OptionError` if a test cannot take data with weights or clusters; warn if there are very few clusters.

    `missing`: what is to be done about missing values, if there are any.
    """
    facts = design.facts if isinstance(design, Design) else design
    given = [
        Option(option, name)
        for option, name in (("weights", facts.weights), ("clusters", facts.clusters))
        if name is not None
    ]
    if test is not None and not (isinstance(test, str) and TESTS[test].makers.designs):
        name = repr(test) if isinstance(test, str) else "a function or an object of one's own"
        raise OptionError(
            ["cannot be combined with ", given[0], f": {name} does not know how much rows count"],
            option="test",
            way_out=f"choose one of {', '.join(map(repr, knowing_designs()))}, or leave the weights and clusters out",
        )
    if missing is not None:
        why = "imputed values do not know how much rows count" if missing == "impute" else "rows differ by question"
        raise OptionError(
            ["cannot be combined with ", given[0], f": {why}"],
            option="missing",
            value=missing,
            assigned=True,
            way_out=["pass ", Option("missing", "drop"), " to use the rows that are complete"],
        )
    warn_of_few_clusters(facts)


def warn_of_few_clusters(facts: DesignFacts) -> None:
    """Warn if there are so few clusters that the variance between them is hardly known."""
    if facts.clusters is not None and facts.cluster_count < FEW_CLUSTERS:
        warnings.warn(
            DataWarning(
                f"there are only {facts.cluster_count} clusters in column {facts.clusters!r}, and what rows tell is "
                "judged by how much clusters differ: few dependences can be shown, and p-values are rough"
            ),
            stacklevel=7,  # of the caller of discover()
        )
