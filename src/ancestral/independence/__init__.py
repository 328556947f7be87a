"""Independence questions and who answers them: tests on data, the user's own test, or an oracle."""

from ancestral.independence.choose import TESTS, choose_test
from ancestral.independence.oracle import Oracle

__all__ = ["TESTS", "Oracle", "choose_test"]
