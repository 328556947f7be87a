"""Planted faults: each still applies to the sources, a test has caught it, and the page that lists them is current."""

import pytest

from tests.faults.catalogue import FAULTS, PAGE, SOURCES, Fault, page, verdicts

RUN = """
Run `make faults`, or `.venv/bin/python -m tests.faults.plant --only "some words of the description"` for single faults;
then commit tests/faults/verdicts.toml and docs/faults.md."""

WRITE = "run `.venv/bin/python -m tests.faults.plant --page`"


def none_of(faults: list[str], problem: str) -> None:
    """Fail, with the way out, if there are faults that have this problem."""
    if faults:
        pytest.fail("\n".join([problem, *faults, RUN]), pytrace=False)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.what)
def test_a_fault_can_be_planted(fault: Fault) -> None:
    for change in fault.changes:
        assert change.applies(SOURCES), f"{change.file} must hold exactly once: {change.old!r}"
        assert change.old != change.new


def test_faults_have_names_of_their_own() -> None:
    names = [fault.what for fault in FAULTS]
    assert len(set(names)) == len(names) > 300


def test_each_fault_was_caught() -> None:
    """There must be a verdict on each fault; it may be older than the sources, since `make faults` takes long."""
    known = verdicts()
    new = [fault.what for fault in FAULTS if fault.what not in known]
    none_of(new, "These faults have no verdict yet:")
    missed = [f"{what}: {verdict.outcome}" for what, verdict in known.items() if not verdict.is_caught]
    none_of(missed, "These faults were not caught; one that survived needs a new test:")


def test_the_test_that_caught_a_fault_is_still_there() -> None:
    gone = [f"{what}: {verdict.outcome}" for what, verdict in verdicts().items() if not verdict.has_its_test]
    none_of(gone, "The tests that caught these faults were removed or renamed:")


def test_verdicts_are_about_faults_that_are_there() -> None:
    gone = verdicts().keys() - {fault.what for fault in FAULTS}
    assert not gone, f"there are verdicts on faults that were removed or renamed; {WRITE}"


def test_the_page_lists_the_verdicts() -> None:
    agrees = PAGE.read_text(encoding="utf-8") == page()
    assert agrees, f"docs/faults.md does not agree with tests/faults/verdicts.toml; {WRITE}"
