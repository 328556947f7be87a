"""The words that declarations of options share: headings, types that several options have, and default levels."""

import os
from collections.abc import Iterable

from ancestral.arguments import DefaultFloat

__all__ = [
    "ASKED",
    "DEFAULT_ALPHA",
    "DEFAULT_ALPHAS",
    "READ",
    "RESAMPLED",
    "RUN",
    "SCREENING_ALPHA",
    "SEARCHED",
    "Location",
    "Names",
]

Location = str | os.PathLike[str]
Names = Iterable[str] | str

#: The significance level of a search for which none was chosen.
DEFAULT_ALPHA = DefaultFloat(0.01)

#: The significance levels of a sweep for which none were chosen: a logarithmic grid in round numbers.
DEFAULT_ALPHAS = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.02, 0.05, 0.1, 0.2)

#: The least significance level of a search that controls false discoveries, if none was chosen: it screens the pairs.
#: The smallest one of those tried at which the share of false edges kept to the level (docs/false-discoveries.md).
SCREENING_ALPHA = 0.2

#: Headings under which options are listed, in docstrings and on the command line.
READ, ASKED, SEARCHED, RUN, RESAMPLED = (
    "Reading",
    "Independence test",
    "Search",
    "Running",
    "Resampling",
)
