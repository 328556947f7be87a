"""What the page shows of data, in words of the page."""

from pathlib import Path

import numpy as np
import polars as pl

from ancestral.studio.describing import described


def test_a_column_to_leave_out_is_left_out_on_the_page(tmp_path: Path) -> None:
    """The page has no options: the warning says which tick to take away, in the list and beside the column."""
    random = np.random.default_rng(1)
    frame = pl.DataFrame({"id": range(1, 201), "x": random.normal(size=200), "y": random.normal(size=200)})
    frame.write_csv(tmp_path / "study.csv")
    found = described(str(tmp_path / "study.csv"), {})
    [beside] = found["columns"][0]["doubts"]
    assert beside in found["warnings"]
    assert beside.endswith("untick Use for 'id'")
    assert "drop" not in beside


def test_a_column_for_which_a_search_is_refused_is_left_out_on_the_page_too(tmp_path: Path) -> None:
    frame = pl.DataFrame({"name": [f"p{k}" for k in range(40)], "x": np.random.default_rng(1).normal(size=40)})
    frame.write_csv(tmp_path / "study.csv")
    found = described(str(tmp_path / "study.csv"), {})
    [beside] = found["columns"][0]["doubts"]
    assert beside in found["errors"]
    assert beside.endswith("untick Use for 'name'")
