"""What a command writes at its end, and how failures are worded."""

import pytest

from ancestral.cli.exit_codes import Failure
from ancestral.cli.output import Deliveries
from ancestral.errors import Option, RunError


def test_failures_keep_their_options_until_they_are_worded() -> None:
    deliveries = Deliveries()

    def fails(error: Exception) -> None:
        raise error

    deliveries.deliver("run", None, lambda: fails(RunError("pass ", Option("save"), " a file")))
    deliveries.deliver("graph", None, lambda: fails(Failure("standard output is closed")))
    with pytest.raises(Failure) as failure:
        deliveries.end()
    assert str(failure.value) == "pass save= a file; standard output is closed"
    assert failure.value.worded(lambda option: f"--{option.name}") == "pass --save a file; standard output is closed"
