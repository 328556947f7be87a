"""The options of `discover`, `stages` and `bootstrap`: each declared once, with its type, default, check and help.

The signatures and docstrings of these functions, the parameters of `Discoverer` and the options of the command line
come from the fields of the dataclasses here (`option_groups`).

Beside each group stands a `TypedDict` with the same names and types: type checkers need it for `**options:
Unpack[…]` (PEP 692). A test insists that both agree.
"""

from ancestral.options.experiment import ExperimentKeywords, ExperimentOptions
from ancestral.options.functions import (
    BootstrapKeywords,
    BootstrapOptions,
    DescribeOptions,
    DiscoverKeywords,
    DiscoverOptions,
    StagesKeywords,
    StagesOptions,
    SweepKeywords,
    SweepOptions,
)
from ancestral.options.resampling import (
    CertaintyKeywords,
    CertaintyOptions,
    ResampleKeywords,
    ResampleOptions,
    SweptKeywords,
    SweptOptions,
)
from ancestral.options.run import (
    FileKeywords,
    FileOptions,
    RepeatsKeywords,
    RepeatsOptions,
    RunKeywords,
    RunOptions,
    SweepRunKeywords,
    SweepRunOptions,
)
from ancestral.options.search import AlgorithmKeywords, AlgorithmOptions, Colliders, PossibleAncestors, SearchOptions
from ancestral.options.series import SeriesKeywords, SeriesOptions
from ancestral.options.source import (
    ROWS_OPTIONS,
    AnsweredKeywords,
    AnsweredOptions,
    Matrix,
    Missing,
    RowsKeywords,
    SourceKeywords,
    SourceKind,
    SourceOptions,
    TableKeywords,
    TableOptions,
)
from ancestral.options.words import DEFAULT_ALPHA, DEFAULT_ALPHAS, RUN, SCREENING_ALPHA, Location

__all__ = [
    "DEFAULT_ALPHA",
    "DEFAULT_ALPHAS",
    "ROWS_OPTIONS",
    "RUN",
    "SCREENING_ALPHA",
    "AlgorithmKeywords",
    "AlgorithmOptions",
    "AnsweredKeywords",
    "AnsweredOptions",
    "BootstrapKeywords",
    "BootstrapOptions",
    "CertaintyKeywords",
    "CertaintyOptions",
    "Colliders",
    "DescribeOptions",
    "DiscoverKeywords",
    "DiscoverOptions",
    "ExperimentKeywords",
    "ExperimentOptions",
    "FileKeywords",
    "FileOptions",
    "Location",
    "Matrix",
    "Missing",
    "PossibleAncestors",
    "RepeatsKeywords",
    "RepeatsOptions",
    "ResampleKeywords",
    "ResampleOptions",
    "RowsKeywords",
    "RunKeywords",
    "RunOptions",
    "SearchOptions",
    "SeriesKeywords",
    "SeriesOptions",
    "SourceKeywords",
    "SourceKind",
    "SourceOptions",
    "StagesKeywords",
    "StagesOptions",
    "SweepKeywords",
    "SweepOptions",
    "SweepRunKeywords",
    "SweepRunOptions",
    "SweptKeywords",
    "SweptOptions",
    "TableKeywords",
    "TableOptions",
]
