"""The test of a run that was read from a file: what it was called is known, the data are not there."""

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ancestral.errors import OptionError
from ancestral.independence.evidence import Evidence, Evidences, Scale

__all__ = ["SavedTest"]


class SavedTest:
    """Answers nothing."""

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
        self.fingerprint = fingerprint
        self.kinds = kinds

    def questions(self, names: Sequence[str]) -> Any:
        """Refused: the data are not there."""
        self._refuse()

    def evidence(self, questions: Any, names: Sequence[str], x: int, y: int, given: Sequence[int]) -> Evidence:
        """Refused: the data are not there."""
        self._refuse()

    def p_values(self, raw: NDArray[np.float64], sizes: NDArray[np.integer]) -> Evidences:
        """Refused: the data are not there. Numbers of a file are weighed by `weigh_numbers`."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise OptionError(
            "a run file does not hold the data, so nothing more can be asked; what was decided on is in to_frame(), "
            "and discover(data, resume=...) brings file and data together"
        )
