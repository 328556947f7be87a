"""The kernels run as this run of the suite claims they do: a suite that tests something else proves nothing."""

import os
from pathlib import Path

import numpy as np
import pytest

import ancestral
from ancestral._cython import compiled_kernels, kernels
from ancestral.graphs._separation_cy import Walker

EXPECT = os.environ.get("ANCESTRAL_EXPECT", "compiled")


def test_every_kernel_file_is_a_kernel_module() -> None:
    files = Path(ancestral.__file__).parent.rglob("_*_cy.py")
    assert sorted(file.stem for file in files) == sorted(name.rsplit(".", 1)[1] for name in kernels())
    assert len(kernels()) >= 8


def test_every_kernel_runs_as_expected() -> None:
    assert set(compiled_kernels().values()) == {EXPECT != "interpreted"}


def test_checks_are_on_where_they_should_be() -> None:
    if EXPECT == "compiled":
        assert "build" not in Path(ancestral.__file__).parts
        return
    assert EXPECT in Path(ancestral.__file__).parts  # build/interpreted or build/checked
    nothing = np.zeros(1, dtype=np.uint64)
    with pytest.raises(IndexError):
        Walker(np.zeros((3, 3), dtype=np.uint8)).connected(7, 0, nothing, nothing)
