"""The page of a sweep in a browser: no table is cut off."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from playwright.sync_api import Page

import ancestral as an


@pytest.mark.filterwarnings("ignore:there are only 8 clusters")
def test_all_columns_are_within_a_window_of_1200_pixels(page: Page, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    cause = rng.standard_normal(400)
    frame = pl.DataFrame({f"x{i}": cause + rng.standard_normal(400) for i in range(7)})
    frame = frame.with_columns(s=pl.int_range(pl.len()) % 8, w=pl.Series(rng.random(400) + 0.5))
    swept = an.sweep(frame, weights="w", clusters="s", fdr=0.1, resamples=3, progress=False)
    assert max(level.unsupported for level in swept.levels) > 0  # so that no column is missing
    swept.report(tmp_path / "sweep.html")
    page.set_viewport_size({"width": 1200, "height": 1000})
    page.goto((tmp_path / "sweep.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") == 1200
    assert page.evaluate("[...document.querySelectorAll('.sweep')].every((one) => one.scrollWidth <= one.clientWidth)")
