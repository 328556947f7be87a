"""The options of each public function: which groups it has, and which options cannot be combined."""

from dataclasses import dataclass

from ancestral.errors import Option, OptionError
from ancestral.option_groups import Combined
from ancestral.options.experiment import ExperimentKeywords, ExperimentOptions
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
from ancestral.options.search import AlgorithmKeywords, AlgorithmOptions
from ancestral.options.source import AnsweredKeywords, AnsweredOptions, SourceKeywords, SourceOptions, TableOptions

__all__ = [
    "BootstrapKeywords",
    "BootstrapOptions",
    "DescribeOptions",
    "DiscoverKeywords",
    "DiscoverOptions",
    "StagesKeywords",
    "StagesOptions",
    "SweepKeywords",
    "SweepOptions",
]


class StagesKeywords(SourceKeywords, AlgorithmKeywords, ExperimentKeywords, RunKeywords, total=False):
    """Names and types of `StagesOptions`."""


class DiscoverKeywords(StagesKeywords, CertaintyKeywords, FileKeywords, total=False):
    """Names and types of `DiscoverOptions`."""


class SweepKeywords(
    SweptKeywords, AnsweredKeywords, AlgorithmKeywords, ExperimentKeywords, SweepRunKeywords, total=False
):
    """Names and types of `SweepOptions`."""


class BootstrapKeywords(
    ResampleKeywords, SourceKeywords, AlgorithmKeywords, ExperimentKeywords, RepeatsKeywords, total=False
):
    """Names and types of `BootstrapOptions`."""


@dataclass(frozen=True)
class StagesOptions(Combined):
    """The options of `stages`."""

    source: SourceOptions
    search: AlgorithmOptions
    experiment: ExperimentOptions
    run: RunOptions

    def __post_init__(self) -> None:
        _refuse_executor_of_unstable(self.run, self.search)


@dataclass(frozen=True)
class DiscoverOptions(StagesOptions):
    """The options of `discover`."""

    certainty: CertaintyOptions
    file: FileOptions


@dataclass(frozen=True)
class BootstrapOptions(Combined):
    """The options of `bootstrap`."""

    resample: ResampleOptions
    source: SourceOptions
    search: AlgorithmOptions
    experiment: ExperimentOptions
    run: RepeatsOptions


@dataclass(frozen=True)
class DescribeOptions(Combined):
    """The options of `describe`."""

    reading: TableOptions


@dataclass(frozen=True)
class SweepOptions(Combined):
    """The options of `sweep`."""

    swept: SweptOptions
    source: AnsweredOptions
    search: AlgorithmOptions
    experiment: ExperimentOptions
    run: SweepRunOptions

    def __post_init__(self) -> None:
        _refuse_executor_of_unstable(self.run, self.search)


def _refuse_executor_of_unstable(run: RunOptions, search: AlgorithmOptions) -> None:
    if run.executor is not None and not search.stable:
        raise OptionError(
            ["cannot be combined with ", Option("executor")],
            option="stable",
            value=False,
            way_out="an edge would have to be removed before the next pair is asked; leave one of them out",
            assigned=True,
        )
