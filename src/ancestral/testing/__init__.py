"""Compliance checks that anyone can run on their own extensions, in the way of scikit-learn's `check_estimator`.

`check_test` checks an independence test, `check_algorithm` an algorithm, `check_data_format` a format of data files,
and `check_graph_format` a text format of graphs.
A check is a plain function that raises `AssertionError`; no test framework is needed to run it.
"""

from ancestral.testing.algorithm_checks import check_algorithm, checks_of_algorithm
from ancestral.testing.checks import Check
from ancestral.testing.data_format_checks import check_data_format, checks_of_data_format
from ancestral.testing.graph_format_checks import check_graph_format, checks_of_graph_format
from ancestral.testing.independence_checks import check_test, checks_of_test

__all__ = [
    "Check",
    "check_algorithm",
    "check_data_format",
    "check_graph_format",
    "check_test",
    "checks_of_algorithm",
    "checks_of_data_format",
    "checks_of_graph_format",
    "checks_of_test",
]
