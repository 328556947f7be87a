"""Several samples as one table: the same rows as if they had been put together by hand."""

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import ancestral as an
from ancestral.data import Table
from ancestral.data.errors import DataError
from ancestral.data.read.samples import Samples, samples_in
from ancestral.errors import AncestralError, OptionError


def frames(rows: int = 40) -> dict[str, pl.DataFrame]:
    rng = np.random.default_rng(1)
    return {
        name: pl.DataFrame(
            {"x": rng.normal(size=rows + k), "g": rng.choice(["u", "v"], rows + k), "y": rng.normal(size=rows + k)}
        )
        for k, name in enumerate(("control", "drug A", "drug B"))
    }


def by_hand(samples: dict[str, pl.DataFrame]) -> pl.DataFrame:
    names = list(samples)[1:]
    parts = [
        frame.select("x", "g", "y").with_columns(*(pl.lit(int(name == own)).alias(name) for name in names))
        for own, frame in samples.items()
    ]
    return pl.concat(parts)


def same(one: Table, other: Table) -> bool:
    return one.names == other.names and one.kinds == other.kinds and one.fingerprint == other.fingerprint


def test_frames_are_put_together() -> None:
    samples = frames()
    assert same(Table.of(samples_in(samples)), Table.of(by_hand(samples)))


def test_columns_may_come_in_another_order_and_from_another_library() -> None:
    samples = frames()
    mixed = {
        "control": samples["control"],
        "drug A": samples["drug A"].select("y", "g", "x").to_pandas(),
        "drug B": samples["drug B"].to_arrow(),
    }
    assert same(Table.of(samples_in(mixed)), Table.of(by_hand(samples)))


def test_files_and_lists_of_files(tmp_path: Path) -> None:
    samples = frames()
    for name, frame in samples.items():
        frame.write_csv(tmp_path / f"{name}.csv")
    samples["drug B"][:20].write_csv(tmp_path / "b1.csv")
    samples["drug B"][20:].write_csv(tmp_path / "b2.csv")
    paths = {
        "control": tmp_path / "control.csv",
        "drug A": str(tmp_path / "drug A.csv"),
        "drug B": [tmp_path / "b1.csv", tmp_path / "b2.csv"],
    }
    expected = an.discover(by_hand(samples), alpha=0.2)
    found = an.discover(paths, alpha=0.2, context_assumptions=[])
    assert found.pag == expected.pag
    assert found.test.rows == expected.test.rows


def test_streams_are_summed_up_and_give_the_same_answer() -> None:
    samples = frames(300)
    found = an.discover({name: iter([frame[:100], frame[100:]]) for name, frame in samples.items()}, alpha=0.1)
    assert found.pag == an.discover(samples, alpha=0.1).pag
    assert found.settings.knowledge == an.Knowledge(contexts=["drug A", "drug B"])


def test_results_are_frames_of_the_users_library() -> None:
    found = an.discover({name: frame.to_pandas() for name, frame in frames(60).items()}, alpha=0.01)
    assert isinstance(found.to_frame(), pd.DataFrame)


def test_a_dictionary_is_needed_for_samples() -> None:
    assert isinstance(samples_in({"a": pl.DataFrame(), "b": pl.DataFrame()}), Samples)
    frame = pl.DataFrame({"a": [1]})
    assert samples_in(frame) is frame


@pytest.mark.parametrize(
    ("make", "error", "says"),
    [
        (lambda f: {"control": f["control"]}, DataError, "two samples or more"),
        (lambda f: {1: f["control"], 2: f["drug A"]}, DataError, "must have names"),
        (lambda f: {"control": f["control"], " ": f["drug A"]}, DataError, "must have names"),
        (lambda f: {"x": [1.0, 2.0], "y": np.ones(2)}, DataError, "sample 'y' must be a frame"),
        (
            lambda f: {"control": f["control"], "drug A": f["drug A"].drop("g")},
            DataError,
            "sample 'drug A' lacks 'g'; .* an.combine",
        ),
        (lambda f: {"control": f["control"], "x": f["drug A"]}, DataError, "column 'x' has the name of a sample"),
        (
            lambda f: {"control": f["control"], "drug": f["drug A"].with_columns(x=pl.lit("a"))},
            DataError,
            "'x' holds numbers in some parts",
        ),
    ],
)
def test_what_cannot_be_put_together(make: object, error: type[AncestralError], says: str) -> None:
    with pytest.raises(error, match=says):
        an.discover(make(frames()))  # type: ignore[operator]


def test_errors_name_the_sample_of_a_row() -> None:
    samples = frames()
    broken = samples["drug A"].with_columns(
        x=pl.when(pl.int_range(pl.len()) == 4).then(float("inf")).otherwise(pl.col("x"))
    )
    with pytest.raises(DataError, match="row 5 of sample 'drug A'"):
        an.discover({**samples, "drug A": broken})


def test_options_that_files_have_are_refused_for_frames() -> None:
    with pytest.raises(OptionError, match="separator"):
        an.discover(frames(), separator=";")
