"""Compliance checks that anyone can run on their own extensions, in the way of scikit-learn's `check_estimator`.

`check_test` checks an independence test, `check_algorithm` an algorithm, `check_data_format` a format of data files,
`check_graph_format` a text format of graphs, and `check_rule` an orientation rule. Each raises an `AssertionError` that
lists every promise that is broken; no test framework is needed to run it. `checks_of_test` and its like return the same
checks one by one, for a test framework to name and run them.
"""

from ancestral.testing.algorithm_checks import check_algorithm, checks_of_algorithm
from ancestral.testing.checks import Check
from ancestral.testing.data_format_checks import check_data_format, checks_of_data_format
from ancestral.testing.graph_format_checks import check_graph_format, checks_of_graph_format
from ancestral.testing.independence_checks import check_test, checks_of_test
from ancestral.testing.rule_checks import Picture, check_rule, checks_of_rule

__all__ = [
    "Check",
    "Picture",
    "check_algorithm",
    "check_data_format",
    "check_graph_format",
    "check_rule",
    "check_test",
    "checks_of_algorithm",
    "checks_of_data_format",
    "checks_of_graph_format",
    "checks_of_rule",
    "checks_of_test",
]
