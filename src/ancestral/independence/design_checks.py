"""Which tests take data with weights and clusters, and how those that do not are refused."""

from typing import Any

from ancestral.data import DataWarning
from ancestral.data.audit import NEEDED_CLUSTERS
from ancestral.data.design import Design, DesignFacts
from ancestral.errors import Option, OptionError
from ancestral.given_warnings import warn
from ancestral.independence.registry import TESTS
from ancestral.options import Missing

__all__ = ["check_design", "fault_of_gaps", "few_clusters", "knowing_designs"]

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
    if test is not None and not (isinstance(test, str) and TESTS[test].makers.designs):
        name = repr(test) if isinstance(test, str) else "a function or an object of one's own"
        raise OptionError(
            ["cannot be combined with ", _given(facts), f": {name} does not know how much rows count"],
            option="test",
            way_out=f"choose one of {', '.join(map(repr, knowing_designs()))}, or leave the weights and clusters out",
        )
    if missing is not None:
        raise fault_of_gaps(facts, missing)
    if (doubt := few_clusters(facts)) is not None:
        warn(doubt, stacklevel=6)  # of the caller of discover()


def _given(facts: DesignFacts) -> Option:
    """The first option that names a column of the design."""
    options = (("weights", facts.weights), ("clusters", facts.clusters))
    return next(Option(option, name) for option, name in options if name is not None)


def fault_of_gaps(facts: DesignFacts, missing: Missing) -> OptionError:
    """The error for data with weights or clusters whose missing values are to be kept, or imputed."""
    why = "imputed values do not know how much rows count" if missing == "impute" else "rows differ by question"
    return OptionError(
        ["cannot be combined with ", _given(facts), f": {why}"],
        option="missing",
        value=missing,
        assigned=True,
        way_out=["pass ", Option("missing", "drop"), " to use the rows that are complete"],
    )


def few_clusters(facts: DesignFacts) -> DataWarning | None:
    """The warning if there are so few clusters that the variance between them is hardly known.

    There is none where they are too few for any question: the audit refuses such data.
    """
    if facts.clusters is None or not NEEDED_CLUSTERS <= facts.cluster_count < FEW_CLUSTERS:
        return None
    return DataWarning(
        f"there are only {facts.cluster_count} clusters in column {facts.clusters!r}, and what rows tell is judged by "
        "how much clusters differ: few dependences can be shown, and p-values are rough"
    )
