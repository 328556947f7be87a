"""Hostile arguments: `make attack` tries many more."""

from tests.support.hostile_arguments import attack_arguments


def test_no_argument_ends_in_a_raw_error_a_hang_or_a_file_that_is_gone() -> None:
    codes = attack_arguments(250, seed=101)
    assert codes.total() == 250
    assert codes[0] > 20
    assert codes[2] > 100
    assert set(codes) <= {0, 1, 2, 3, 4}
