"""A run that is killed loses nothing; `make kill` does the same ten times as often."""

from pathlib import Path

from kill import Trials


def test_a_killed_run_resumes_to_the_identical_file(tmp_path: Path) -> None:
    trials = Trials(tmp_path, seed=1)
    for _ in range(20):
        trials.trial()
    assert trials.killed >= 20
    assert trials.found_half_way >= 3
