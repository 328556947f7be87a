"""The options of `discover_series`: windows, how rows become steps, and what is known about processes."""

# ruff: noqa: RUF009 (`option` makes the field of a dataclass)

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Literal

from ancestral.arguments import names_list, path_of, seconds_above_zero, text_of, whole_number
from ancestral.errors import OptionError
from ancestral.option_groups import Combined, Group, option
from ancestral.options.checks import choice, none_or, progress_of
from ancestral.options.run import FileKeywords, FileOptions
from ancestral.options.source import SourceKeywords, SourceOptions
from ancestral.options.words import READ, RUN, SEARCHED, Location

if TYPE_CHECKING:
    from ancestral.knowledge import SeriesKnowledge
    from ancestral.search.progress import Progress

__all__ = ["MissingInSeries", "SeriesKeywords", "SeriesOptions", "WindowOptions", "lags_of"]

MissingInSeries = Literal["drop", "testwise", "refuse"]

#: One step more than effects from one step to the next, so that directions can be found.
DEFAULT_LAGS = 2

#: The longest window: more nodes of a single process than any search can ask about.
MOST_LAGS = 1000

#: Digits of a number in a text; more are not looked at.
MOST_DIGITS = 6


def lags_of(name: str, value: object) -> int | str:
    """How far a window reaches back: a whole number, or a text such as "1..3", if nothing acts within a step."""
    if isinstance(value, str):
        first, dots, last = (part.strip() for part in value.partition(".."))
        if (
            first in ("0", "1")
            and dots
            and last.isdecimal()
            and len(last) <= MOST_DIGITS
            and 1 <= int(last) <= MOST_LAGS
        ):
            return int(last) if first == "0" else f"1..{int(last)}"
        if not value.strip().isdecimal() or len(value.strip()) > MOST_DIGITS:
            raise OptionError(
                'must be a whole number of steps, or a range such as "1..3" if nothing acts within a step',
                option=name,
                value=value,
                way_out="3 is a common choice",
            )
        value = int(value)
    return whole_number(name, value, 1, MOST_LAGS)


class SeriesKeywords(SourceKeywords, FileKeywords, total=False):
    """Names and types of `SeriesOptions`."""

    lags: int | str
    time: str | None
    unit: str | None
    step: str | float | timedelta | None
    max_radius: int | None
    knowledge: "SeriesKnowledge | Location | None"
    own_past: "Literal['all'] | list[str] | str | None"
    time_limit: float | None
    progress: "bool | Callable[[Progress], None] | None"


@dataclass(frozen=True, kw_only=True)
class WindowOptions(Group):
    """Which rows are steps of which series, and how far a window reaches back."""

    lags: int | str = option(
        SEARCHED,
        DEFAULT_LAGS,
        lags_of,
        "How many steps a window reaches back: one more than the longest lag that is expected, since directions come "
        'from comparisons with earlier steps; "1..3" also says that nothing acts within a step.',
    )
    time: str | None = option(
        READ,
        None,
        none_or(text_of),
        "The column of times, by which rows are sorted: dates, numbers, or text such as 2020-01 or 2020Q1. Without it, "
        "rows are steps in the order given.",
    )
    unit: str | None = option(
        READ,
        None,
        none_or(text_of),
        "The column that tells which rows belong to one series, such as patients; unit means are removed.",
    )
    step: str | float | timedelta | None = option(
        READ,
        None,
        None,
        'The time from one row to the next where rows may be missing, such as "1D" or "1M", or a number.',
    )


@dataclass(frozen=True, kw_only=True)
class SeriesSourceOptions(SourceOptions):
    """How the columns of a series are read, and how questions about them are answered."""

    missing: MissingInSeries = option(
        READ,
        "drop",
        choice(MissingInSeries),
        '"drop" windows with a missing value, "testwise": each question uses the windows complete for it, or "refuse".',
    )


@dataclass(frozen=True, kw_only=True)
class SeriesSearchOptions(Group):
    """How a window is searched, and what is known beside the data."""

    max_radius: int | None = option(
        SEARCHED,
        None,
        none_or(whole_number, 0),
        "Stop after sets of this many nodes beyond known ancestors; the graph may then be less informative.",
    )
    knowledge: "SeriesKnowledge | Location | None" = option(
        SEARCHED,
        None,
        None,
        "What is known about the processes, in a file: text ('own past: all', 'sales -/-> rain', 'rain < sales' within "
        "a step) or TOML (docs/knowledge.md).",
        "Or a `SeriesKnowledge`.",
    )
    own_past: "Literal['all'] | list[str] | str | None" = option(
        SEARCHED,
        None,
        none_or(names_list),
        'Processes that cause themselves from one step to the next, or "all", beside {knowledge}; never assumed.',
    )


@dataclass(frozen=True, kw_only=True)
class SeriesRunOptions(Group):
    """How a search of a window runs."""

    time_limit: float | None = option(
        RUN,
        None,
        none_or(seconds_above_zero),
        "The time in seconds after which the search ends, with the graph of the last complete round.",
    )
    progress: "bool | Callable[[Progress], None] | None" = option(
        RUN,
        None,
        none_or(progress_of),
        "Show a bar on standard error; by default where that is a terminal.",
        "Or a function that is called with a `Progress` now and then.",
    )


@dataclass(frozen=True, kw_only=True)
class SeriesFileOptions(FileOptions):
    """The run files that a search of a window writes and goes on from."""

    resume: Location | None = option(
        RUN,
        None,
        none_or(path_of),
        "A run file to continue, with the same data and settings ({max_radius} may differ); one that was stopped "
        "begins again. It is kept up to date unless {save} names another one. If both name one file that does not "
        "exist yet, the run begins.",
    )


@dataclass(frozen=True)
class SeriesOptions(Combined):
    """The options of `discover_series`."""

    windows: WindowOptions
    source: SeriesSourceOptions
    search: SeriesSearchOptions
    run: SeriesRunOptions
    file: SeriesFileOptions
