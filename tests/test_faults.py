"""Planted faults: each still applies to the sources, and its verdict is about a fault that is there."""

import pytest

from tests.faults.catalogue import FAULTS, SOURCES, Fault, verdicts


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.what)
def test_a_fault_can_be_planted(fault: Fault) -> None:
    for change in fault.changes:
        assert change.applies(SOURCES), f"{change.file} must hold exactly once: {change.old!r}"
        assert change.old != change.new


def test_faults_have_names_of_their_own() -> None:
    names = [fault.what for fault in FAULTS]
    assert len(set(names)) == len(names) > 300


def test_verdicts_are_about_faults_that_are_there() -> None:
    assert set(verdicts()) <= {fault.what for fault in FAULTS}
