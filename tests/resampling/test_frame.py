"""The frequencies as a frame."""

import pandas as pd
import polars as pl
import pytest

import ancestral as an


def test_the_frame_says_the_same_as_single_pairs(boot: an.Bootstrap) -> None:
    frame = boot.to_frame()
    assert isinstance(frame, pl.DataFrame) and len(frame) == 15
    for row in frame.iter_rows(named=True):
        found = boot.edge(row["a"], row["b"])
        assert (row["edge"], row["no_edge"], row["estimate"]) == (found.edge, found.no_edge, found.estimate)
        for end, marks in (("a", found.at_a), ("b", found.at_b)):
            for mark, share in marks.items():
                assert row[f"{mark}_at_{end}"] == share
        assert {edge: row[edge] for edge in found.types} == found.types
        kinds = ("o-o", "o->", "o--", "<-o", "<->", "<--", "--o", "-->", "---")
        assert sum(row[edge] for edge in kinds) == pytest.approx(found.edge)
    seen = boot.to_frame("seen")
    assert set(seen.select("a", "b").iter_rows()) == {
        (a, b) for a, b, share in frame.select("a", "b", "edge").iter_rows() if share or boot.pag.edge(a, b)
    }
    assert len(seen) < 15
    assert set(boot.to_frame(involving="f")["b"]) == {"f"} and len(boot.to_frame(involving="f")) == 5
    with pytest.raises(an.OptionError, match="pairs must be one of 'all', 'seen', got 'edges'"):
        boot.to_frame("edges")  # type: ignore[arg-type]
    with pytest.raises(an.UnknownName, match="unknown variable 'g'"):
        boot.to_frame(involving="g")


def test_frames_are_of_the_callers_library(rows: pl.DataFrame) -> None:
    boot = an.bootstrap(rows.to_pandas(), repeats=3)
    assert isinstance(boot.to_frame(), pd.DataFrame)
    assert isinstance(boot.to_frame(library="polars"), pl.DataFrame)
    assert set(boot.to_frame().columns) == set(boot.to_frame(library="pyarrow").column_names)
