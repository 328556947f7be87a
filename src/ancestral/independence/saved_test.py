"""The test of a run that was read from a file: what it was is known, but the data are not there to ask."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ancestral.data.stats.column_blocks import ColumnBlocks
from ancestral.errors import Option, OptionError
from ancestral.independence._questions_cy import Questions
from ancestral.independence.base import BaseTest, LevelTable, MomentsSource, Resampler, no_effect, no_likelihood
from ancestral.independence.evidence import Evidence, Evidences, Scale

__all__ = ["SavedTest"]

_WAY_OUT = ("discover(data, ", Option("resume"), "...) brings file and data together")


class SavedTest(BaseTest):
    """Describes the test of a saved run; whatever would need the data raises `OptionError`."""

    def __init__(
        self,
        name: str,
        scale: Scale,
        alpha: float | None,
        names: Sequence[str],
        rows: int,
        fingerprint: str,
        kinds: Mapping[str, str] | None,
    ) -> None:
        self.name = name
        self.scale = scale
        self.alpha = alpha
        self.names = tuple(names)
        self.rows = rows
        self.kinds = kinds
        self._fingerprint = fingerprint

    @property
    def fingerprint(self) -> str:
        """Identifies the data that were searched."""
        return self._fingerprint

    def questions(self, names: Sequence[str]) -> Questions:
        """Refuse: the data are not there."""
        raise self._without_data()

    def evidence(self, questions: Questions, x: int, y: int, given: Sequence[int]) -> Evidence:
        """Refuse: the data are not there."""
        raise self._without_data()

    def p_values(self, raw: NDArray[np.float64], sizes: NDArray[np.integer]) -> Evidences:
        """Refuse: the data are not there. The numbers in a run file are read by `p_values_on_scale`."""
        raise self._without_data()

    def resampler(self) -> Resampler:
        """Refuse: the data are not there."""
        raise self._without_data()

    def readings(self) -> Mapping[str, Resampler]:
        """Refuse: the data are not there."""
        raise self._without_data()

    def effect_moments(self) -> MomentsSource:
        """Refuse: the data are not there."""
        raise no_effect("a run file does not hold the data; ", *_WAY_OUT)

    def level_table(self, names: Sequence[str]) -> LevelTable:
        """Refuse: the data are not there."""
        raise OptionError(["no bounds can be computed: a run file does not hold the data; ", *_WAY_OUT])

    def column_blocks(self, names: Sequence[str]) -> ColumnBlocks:
        """Refuse: the data are not there."""
        raise no_likelihood("a run file does not hold the data; ", *_WAY_OUT)

    def _without_data(self) -> OptionError:
        reason = "a run file does not hold the data, so nothing more can be asked; what was decided on is in to_frame()"
        return OptionError([reason, ", and ", *_WAY_OUT])
