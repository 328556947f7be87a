import numpy as np

from ancestral.independence.incomplete import IncompleteColumns


def test_a_row_is_missing_in_a_block_if_it_is_in_any_of_its_columns() -> None:
    values = np.array([[1.0, 2.0, 3.0, 4.0], [np.nan, 1.0, 5.0, 2.0], [1.0, 1.0, np.nan, 2.0]])
    found = IncompleteColumns.of(values, np.array([0, 2, 3]))
    assert np.asarray(found.gaps).tolist() == [0, 2]
    assert np.asarray(found.gap_starts).tolist() == [0, 1, 2]
