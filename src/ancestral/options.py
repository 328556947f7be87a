"""The options of `discover`, `stages` and `bootstrap`: each declared once, with its type, default, check and help.

The signatures and docstrings of these functions, the parameters of `Discoverer` and the options of the command line
come from the fields of the dataclasses here (`option_groups`).

Beside each group stands a `TypedDict` with the same names and types: type checkers need it for `**options:
Unpack[…]` (PEP 692). A test insists that both agree.
"""

# ruff: noqa: RUF009 (`option` makes the field of a dataclass)

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypedDict, get_args

from ancestral.arguments import (
    MOST_SEED,
    DefaultFloat,
    column_kinds,
    flag,
    names_list,
    number_between,
    one_of,
    path_of,
    real,
    seconds_above_zero,
    significance_level,
    significance_levels,
    text_of,
    whole_number,
    worker_count,
)
from ancestral.arguments import listed as list_of
from ancestral.errors import Option, OptionError
from ancestral.independence.registry import TESTS
from ancestral.option_groups import Combined, Group, option
from ancestral.printing import listed

if TYPE_CHECKING:  # types that lie above this module or are slow to import; `with_options` is given them
    from concurrent.futures import Executor

    from ancestral.certainty.progress import RepeatsProgress
    from ancestral.independence.sources import TestChoice
    from ancestral.knowledge import Knowledge
    from ancestral.search.progress import Progress

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

Location = str | os.PathLike[str]
Names = Iterable[str] | str
Missing = Literal["refuse", "drop", "testwise", "impute"]
Matrix = Literal["covariance", "correlation"]
PossibleAncestors = Literal["distant", "all", "off"]
Colliders = Literal["agreed", "first"]

#: The significance level of a search for which none was chosen.
DEFAULT_ALPHA = DefaultFloat(0.01)

#: The significance levels of a sweep for which none were chosen: a logarithmic grid in round numbers.
DEFAULT_ALPHAS = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.02, 0.05, 0.1, 0.2)

#: The least significance level of a search that controls false discoveries, if none was chosen: it screens the pairs.
#: The smallest one of those tried at which the share of false edges kept to the level (docs/false-discoveries.md).
SCREENING_ALPHA = 0.2

#: The tests, for the help of the option `test`.
_TESTS_IN_WORDS = listed(TESTS, len(TESTS), last="or", spell='"{}"'.format)

#: Headings under which options are listed, in docstrings and on the command line.
READ, ASKED, SEARCHED, RUN, RESAMPLED = (
    "Reading",
    "Independence test",
    "Search",
    "Running",
    "Resampling",
)


# -- checks that only one option needs ------------------------------------------------------------------------------


def _none_or(check: Callable[..., Any], *more: Any) -> Callable[[str, Any], Any]:
    """The check of an option that may also be None."""

    def checked(option: str, value: object) -> Any:
        return None if value is None else check(option, value, *more)

    return checked


def _choice(kind: Any) -> Callable[[str, Any], Any]:
    """The check of an option that is one of the words of a `Literal`."""
    return lambda option, value: one_of(option, value, get_args(kind))


def _words(option: str, value: object) -> tuple[str, ...]:
    """Pieces of text in a list; numbers are written out, and a single piece of text is a list of one."""
    if isinstance(value, str):
        return (str(value),)
    items = list_of(option, value, "values", ["for example ", Option(option, ["NA", "-999"])])
    return tuple(_word(option, item) for item in items)


def _word(option: str, item: object) -> str:
    if isinstance(item, str):
        return str(item)
    number = real(item)
    if number is None:
        raise OptionError("must be a list of values, which are strings or numbers", option=option, value=item)
    return str(int(number)) if number.is_integer() else repr(number)


def _separator(option: str, value: object) -> str:
    if not isinstance(value, str) or len(value) != 1 or value in '"\n\r\0' or not value.isascii():
        raise OptionError(
            "must be one ASCII character other than a quotation mark or a line end",
            option=option,
            value=value,
            way_out="common choices are ',' and '\\t'",
        )
    return value


def _encoding(option: str, value: object) -> str:
    import codecs

    name = text_of(option, value)
    try:
        if codecs.lookup(name)._is_text_encoding:
            return name
    except (LookupError, ValueError, UnicodeError):
        pass
    raise OptionError(
        "must be the name of an encoding that Python knows",
        option=option,
        value=value,
        way_out="common choices are 'utf-8', 'latin-1', 'cp1252' and 'utf-16'",
    )


def _executor(option: str, value: object) -> "Executor":
    from concurrent.futures import Executor

    if not isinstance(value, Executor):
        is_client = hasattr(value, "get_executor")  # of a Dask cluster
        raise OptionError(
            "must be a concurrent.futures.Executor",
            option=option,
            value=value,
            way_out="pass client.get_executor()" if is_client else "for example ProcessPoolExecutor(4)",
        )
    return value


def _progress(option: str, value: object) -> Any:
    if not isinstance(value, bool) and not callable(value):
        raise OptionError("must be True, False, None or a function", option=option, value=value)
    return value


# -- the groups -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SourceKind:
    """A kind of source: its name, what error messages call it, and the options that it takes.

    An existing test has a significance level of its own (`own_alpha`), which may be given again.
    """

    name: str
    what: str
    takes: frozenset[str]
    own_alpha: float | None = None


#: Why a source may have no use for an option, and what to do besides leaving it out.
_UNUSED = {
    "test": ("the source itself is the test", ", or pass the data as the source"),
    "alpha": ("the answers of the source do not depend on it", ""),
    "names": ("the source has names already", ", or rename its variables"),
    **dict.fromkeys(
        ("columns", "drop"), ("its variables are fixed", ", and make the test of the variables that you want")
    ),
    "kinds": ("it says how to read columns, and the source has none to read", ""),
    "missing": ("it says what to do about missing values, and the source has no rows to read", ""),
    **dict.fromkeys(("separator", "decimal", "encoding"), ("it says how to read text files", "")),
    "na": ("it says which values to read as missing, and the source has none to read", ""),
    "in_memory": ("it says how to read rows, and the source has none to read", ""),
    "matrix": ("it says how to read the file of a matrix", ", or name the file of a covariance or correlation matrix"),
    "rows": ("it is the number of rows of a matrix, and other data have their rows", ""),
    **dict.fromkeys(
        ("weights", "clusters"),
        ("it names a column of rows, and the source has none to read", ", or pass the rows as the source"),
    ),
}


class RowsKeywords(TypedDict, total=False):
    """Names and types of the options of `TableOptions` that `Moments.of` and `Counts.of` take: all but the kinds."""

    names: Names | None
    columns: Names | None
    drop: Names | None
    missing: Missing
    separator: str | None
    decimal: str | None
    na: Names | None
    encoding: str | None
    weights: str | None
    clusters: str | None


#: The names of these options.
ROWS_OPTIONS = tuple(RowsKeywords.__annotations__)


class TableKeywords(RowsKeywords, total=False):
    """Names and types of `TableOptions`."""

    kinds: Mapping[str, str | Sequence[str]] | str | None
    in_memory: bool
    matrix: Matrix | None
    rows: int | None


@dataclass(frozen=True, kw_only=True)
class TableOptions(Group):
    """How a source is read as a table.

    >>> TableOptions(drop=iter(["id"])).drop
    ('id',)
    """

    names: Names | None = option(
        READ,
        None,
        _none_or(names_list),
        "The names of the columns, for a file without a header.",
        "Also those of an array, and the variables that a function can be asked about.",
    )
    columns: Names | None = option(READ, None, _none_or(names_list), "Use only these columns.")
    drop: Names | None = option(READ, None, _none_or(names_list), "Leave these columns out.")
    kinds: Mapping[str, str | Sequence[str]] | str | None = option(
        READ,
        None,
        _none_or(column_kinds),
        "Read columns as continuous, discrete or ordinal, whatever their values suggest.",
        'For example {{"origin": "discrete"}}, or "discrete" for all. Levels in a list are ordinal, the lowest first.',
    )
    missing: Missing = option(
        READ,
        "refuse",
        _choice(Missing),
        '"refuse" missing values, "drop" incomplete rows, "testwise": each question uses the rows complete for it, or '
        '"impute": each question is asked of several tables with the gaps filled (docs/missing.md).',
    )
    separator: str | None = option(
        READ, None, _none_or(_separator), "The separator of a text file, if it is not detected correctly."
    )
    decimal: str | None = option(
        READ,
        None,
        _none_or(one_of, (".", ",")),
        'The decimal mark of a text file, "." or ",", if it is not detected correctly.',
    )
    na: Names | None = option(
        READ,
        None,
        _none_or(_words),
        "The values that count as missing, in place of NA, N/A, NaN, nan, null, None, * and ? in text files.",
        'For example ["NA", "-999"]. Numbers alone, such as ["-999"], come beside these words. What is left empty in a '
        "text file, and nulls and NaN elsewhere, always is.",
    )
    encoding: str | None = option(
        READ, None, _none_or(_encoding), "The encoding of text files, such as latin-1, if it is not UTF-8."
    )
    in_memory: bool = option(
        READ, False, flag, "Read all rows of several files, or of any other source that comes in parts, as one table."
    )
    matrix: Matrix | None = option(
        READ,
        None,
        _none_or(one_of, get_args(Matrix)),
        'What the file holds if it is not a table of rows: a "covariance" or a "correlation" matrix.',
    )
    rows: int | None = option(
        READ, None, _none_or(whole_number, 2), "The number of rows that a matrix is of, if its file does not tell."
    )
    weights: str | None = option(
        READ,
        None,
        _none_or(text_of),
        "The column with survey weights: how many rows of the population each row stands for (docs/designs.md).",
    )
    clusters: str | None = option(
        READ,
        None,
        _none_or(text_of),
        "The column that says which rows belong together, so that they are not independent: schools, households, "
        "patients with several visits (docs/designs.md).",
    )

    def refuse_unused(self, kind: SourceKind) -> None:
        """Refuse an option that was given and that this kind of source does not take."""
        for name, value in self.given:
            own_alpha = kind.own_alpha if name == "alpha" else None
            if name in kind.takes or (own_alpha is not None and value == own_alpha):
                continue
            why, instead = _UNUSED[name]
            reason: list[str | Option] = [f"does not apply to {kind.what}: {why}"]
            if own_alpha is not None:
                reason = [f"does not apply to {kind.what}: it was made with ", Option("alpha", own_alpha)]
                instead = ", or pass the data as the source"
            raise OptionError(
                reason, option=name, value=value, way_out=["leave ", Option(name), f" out{instead}"], assigned=True
            )


class AnsweredKeywords(TableKeywords, total=False):
    """Names and types of `AnsweredOptions`."""

    test: "TestChoice"


@dataclass(frozen=True, kw_only=True)
class AnsweredOptions(TableOptions):
    """How a source is read, and which test it gets, which is checked when it is chosen."""

    test: "TestChoice" = option(
        ASKED,
        None,
        None,
        f"{_TESTS_IN_WORDS}; by default chosen by the kinds of the columns.",
        "Or a function or an object of your own.",
    )


class SourceKeywords(AnsweredKeywords, total=False):
    """Names and types of `SourceOptions`."""

    alpha: float


@dataclass(frozen=True, kw_only=True)
class SourceOptions(AnsweredOptions):
    """How a source is read, and how questions about it are answered."""

    alpha: float = option(
        ASKED,
        DEFAULT_ALPHA,
        significance_level,
        "The significance level: two variables count as independent where the p-value exceeds it.",
    )

    @property
    def reading(self) -> TableOptions:
        """Those that say how the source is read."""
        return TableOptions.from_attributes(self)


class AlgorithmKeywords(TypedDict, total=False):
    """Names and types of `AlgorithmOptions`."""

    algorithm: str | None
    max_radius: int | None
    possible_ancestors: PossibleAncestors
    stable: bool
    verify: bool
    selection_bias: bool | None
    colliders: Colliders | None
    fdr: float | None
    knowledge: "Knowledge | Location | None"


@dataclass(frozen=True, kw_only=True)
class _AlgorithmName(Group):
    algorithm: str | None = option(
        SEARCHED,
        None,
        _none_or(text_of),
        '"icd" is exact; "fci" is exact, and with {max_radius} anytime FCI; "rfci" asks the fewest questions and may '
        'leave an edge that the others remove; "fci+" is exact; "pc" is for data without latent variables and without '
        'selection, and gives a CPDAG; "scored" finds the graph with the lowest extended BIC that it can, for data '
        'that were not selected; "gfci" is FCI within the graph of a greedy equivalence search by score; "boss-fci" is '
        'the same with an order search; "boss" is the order search alone, for data without latent variables and '
        "without selection, and gives a CPDAG. "
        'By default "scored" or "icd" is chosen, by the data and the other options (docs/choosing.md).',
    )


@dataclass(frozen=True, kw_only=True)
class SearchOptions(Group):
    """The options that an algorithm is given: those on which its answer depends."""

    max_radius: int | None = option(
        SEARCHED,
        None,
        _none_or(whole_number, 0),
        "Stop after conditioning sets of this size; the graph is then correct, but may be less informative.",
    )
    possible_ancestors: PossibleAncestors = option(
        SEARCHED,
        "distant",
        _choice(PossibleAncestors),
        "Which nodes of a conditioning set must be possible ancestors of the pair (condition 3 of ICD-Sep): those not "
        'adjacent to its root ("distant"), "all", as in the paper, or none ("off").',
    )
    stable: bool = option(
        SEARCHED,
        True,
        flag,
        "Remove edges at the end of a radius, so that the answer does not depend on the order in which edges are "
        "asked; otherwise an edge is removed as soon as a set separates it.",
    )
    verify: bool = option(
        SEARCHED,
        True,
        flag,
        "Ask before an orientation rule trusts an edge, so that every stage is sound; otherwise the algorithm is as "
        "printed. RFCI always verifies; PC has no use for it.",
    )
    selection_bias: bool | None = option(
        SEARCHED,
        None,
        _none_or(flag),
        "Whether the sample may have been selected; if it certainly was not, rules R5–R7 are left out. By default it "
        'may, except with an {algorithm} that assumes that it was not ("scored"); if it may, that one is not chosen.',
    )
    colliders: Colliders | None = option(
        SEARCHED,
        None,
        _none_or(_choice(Colliders)),
        'How colliders are found: "agreed", by the majority of small separating sets and by their p-values, if these '
        'agree, and only as long as no mark contradicts another one; or "first", as published, by the first separating '
        'set. By default "agreed" on data and "first" with an oracle; a run that is resumed keeps its own.',
    )
    fdr: float | None = option(
        SEARCHED,
        None,
        _none_or(partial(number_between, low=0, high=1, way_out="common choices are 0.05 and 0.1")),
        "Control false discoveries among the edges, for a search that asks questions: it ends by removing the edges "
        "whose p-values are too large among so many pairs. The expected share of false edges is then at most this, "
        "unless the search errs in other ways (Benjamini & Hochberg; docs/alpha.md). Alpha screens the pairs before, "
        "and is by default 0.2, or this if it is larger.",
    )


@dataclass(frozen=True, kw_only=True)
class AlgorithmOptions(SearchOptions, _AlgorithmName):
    """How the search goes. `search.settings` checks what depends on the algorithm, and reads the knowledge."""

    knowledge: "Knowledge | Location | None" = option(
        SEARCHED,
        None,
        None,
        "What is known beside the data, in a file: text ('age < smoking', 'x -/-> y', 'x --> y', 'x | y'), TOML, or "
        "Tetrad's format. The search keeps to it; one that asks questions warns where the data contradict it.",
        "Or a `Knowledge`.",
    )


class RunKeywords(TypedDict, total=False):
    """Names and types of `RunOptions`."""

    workers: int
    executor: "Executor | None"
    time_limit: float | None
    progress: "bool | Callable[[Progress], None] | None"


@dataclass(frozen=True, kw_only=True)
class RunOptions(Group):
    """How a search runs: what does not change its answer, unless the time is over."""

    workers: int = option(
        RUN,
        1,
        worker_count,
        "The number of threads that work at the same time (with {stable}); the answer does not depend on it.",
        "A function of your own is then called by all of them.",
    )
    executor: "Executor | None" = option(
        RUN,
        None,
        _none_or(_executor),
        "A `concurrent.futures.Executor` whose workers ask the questions instead of this process, such as that of a "
        "Dask cluster, `client.get_executor()` (with {stable}; docs/clusters.md); the answer of an {algorithm} does "
        "not depend on it. If it goes away, the last complete stage is returned.",
    )
    time_limit: float | None = option(
        RUN,
        None,
        _none_or(seconds_above_zero),
        "The time in seconds after which the search ends, even inside a radius, with the graph of the last complete "
        "stage. Ctrl-C ends it in the same way.",
        "The time counts from the call on; `found.stopped` says why a search ended. If it is over before the data are "
        "read, there is a `RunError`.",
    )
    progress: "bool | Callable[[Progress], None] | None" = option(
        RUN,
        None,
        _none_or(_progress),
        "Show a bar on standard error; by default where that is a terminal.",
        "Or a function that is called with a `Progress` now and then.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.executor is not None and self.workers != 1:
            raise OptionError(
                ["cannot be combined with ", Option("executor")],
                option="workers",
                value=self.workers,
                way_out="workers are threads of this process; leave one of them out",
                assigned=True,
            )


class FileKeywords(TypedDict, total=False):
    """Names and types of `FileOptions`."""

    save: Location | None
    resume: Location | None


@dataclass(frozen=True, kw_only=True)
class FileOptions(Group):
    """The run files that a search writes and goes on from."""

    save: Location | None = option(
        RUN, None, _none_or(path_of), "A run file (.json or .json.gz), rewritten after every stage."
    )
    resume: Location | None = option(
        RUN,
        None,
        _none_or(path_of),
        "A run file to continue, with the same data and settings (with ICD and PC {max_radius} may differ), by its "
        "own {algorithm} unless one is given; it is kept up to date unless {save} names another one. If both name one "
        "file that does not exist yet, the run begins.",
    )


class CertaintyKeywords(TypedDict, total=False):
    """Names and types of `CertaintyOptions`."""

    resamples: int | None


@dataclass(frozen=True, kw_only=True)
class CertaintyOptions(Group):
    """How certain the graph is to be shown to be."""

    resamples: int | None = option(
        RESAMPLED,
        None,
        _none_or(whole_number, 0),
        "The number of resamples of the rows that are searched, to tell how certain each mark is; 0 for none. By "
        "default 30 where that takes seconds: after a scored search of up to 50 variables (docs/believing.md).",
        "`found.certainty` searches them later, or more of them.",
    )


class ResampleKeywords(TypedDict, total=False):
    """Names and types of `ResampleOptions`."""

    repeats: int
    seed: int
    subsample: float | None


@dataclass(frozen=True, kw_only=True)
class ResampleOptions(Group):
    """How rows are drawn for a bootstrap."""

    repeats: int = option(
        RESAMPLED, 200, partial(whole_number, least=1), "The number of resamples of the rows to search."
    )
    seed: int = option(
        RESAMPLED,
        1,
        partial(whole_number, least=0, most=MOST_SEED),
        "The same seed draws the same rows, with any {workers}.",
        "Each repeat has a random stream of its own, a child of the seed, so the result depends neither on the "
        "executor nor on the order in which repeats end.",
    )
    subsample: float | None = option(
        RESAMPLED,
        None,
        _none_or(partial(number_between, low=0, high=1, way_out="for example 0.5")),
        "Draw this share of the rows, each at most once; by default as many as there are, with replacement (the "
        "bootstrap).",
    )


class SweptKeywords(TypedDict, total=False):
    """Names and types of `SweptOptions`."""

    alphas: Iterable[float]
    resamples: int
    seed: int


@dataclass(frozen=True, kw_only=True)
class SweptOptions(Group):
    """At which significance levels a sweep searches.

    >>> SweptOptions(alphas=[0.05, 0.01, 0.05]).alphas
    (0.01, 0.05)
    """

    alphas: Iterable[float] = option(
        ASKED,
        DEFAULT_ALPHAS,
        significance_levels,
        "The significance levels to search at, each once, from the smallest to the largest.",
    )
    resamples: int = option(
        RESAMPLED,
        0,
        partial(whole_number, least=0),
        "The number of subsamples of the rows that are searched at every level, to tell how stable the edges are "
        "(Liu, Roeder & Wasserman 2010); 0 for none, 20 is a common choice.",
    )
    seed: int = option(
        RESAMPLED,
        1,
        partial(whole_number, least=0, most=MOST_SEED),
        "The same seed draws the same subsamples, which are those of every level.",
    )


class SweepRunKeywords(TypedDict, total=False):
    """Names and types of `SweepRunOptions`."""

    workers: int
    executor: "Executor | None"
    time_limit: float | None
    progress: "bool | Callable[[Progress], None] | None"


@dataclass(frozen=True, kw_only=True)
class SweepRunOptions(RunOptions):
    """How the searches of a sweep run: the options of a single search, two of them with another meaning."""

    time_limit: float | None = option(
        RUN,
        None,
        _none_or(seconds_above_zero),
        "The time in seconds after which it ends, with the levels that are done. Ctrl-C ends it in the same way.",
        "The time counts from the call on; `sweep.stopped` says why it ended. If it is over before a level is done, "
        "there is a `RunError`.",
    )
    progress: "bool | Callable[[Progress], None] | None" = option(
        RUN,
        None,
        _none_or(_progress),
        "Show a bar on standard error; by default where that is a terminal.",
        "Or a function that is called with a `Progress` after every search: `done` of `edges` searches.",
    )


class RepeatsKeywords(TypedDict, total=False):
    """Names and types of `RepeatsOptions`."""

    workers: int
    executor: "Executor | None"
    time_limit: float | None
    progress: "bool | Callable[[RepeatsProgress], None] | None"


@dataclass(frozen=True, kw_only=True)
class RepeatsOptions(RunOptions):
    """How the searches of a bootstrap run: the options of a single search, with another meaning."""

    workers: int = option(
        RUN, 1, worker_count, "The number of threads that search at the same time; the result does not depend on it."
    )
    executor: "Executor | None" = option(
        RUN,
        None,
        _none_or(_executor),
        "A `concurrent.futures.Executor` that searches the resamples (all rows are searched here): repeats go out in "
        "chunks, and lists of edges come back. A chunk that is lost is sent again; if the executor breaks, the repeats "
        "done are kept.",
    )
    time_limit: float | None = option(
        RUN,
        None,
        _none_or(seconds_above_zero),
        "The time in seconds after which it ends, with the repeats done. Ctrl-C ends it in the same way.",
        "These are the first ones without a gap: `boot.repeats` says how many, `boot.stopped` why.",
    )
    progress: "bool | Callable[[RepeatsProgress], None] | None" = option(  # type: ignore[assignment]
        RUN,
        None,
        _none_or(_progress),
        "Show a bar on standard error; by default where that is a terminal.",
        "Or a function that is called with a `RepeatsProgress` now and then.",
    )


def _refuse_executor_of_unstable(run: RunOptions, search: AlgorithmOptions) -> None:
    if run.executor is not None and not search.stable:
        raise OptionError(
            ["cannot be combined with ", Option("executor")],
            option="stable",
            value=False,
            way_out="an edge would have to be removed before the next pair is asked; leave one of them out",
            assigned=True,
        )


# -- the options of each function -----------------------------------------------------------------------------------


class StagesKeywords(SourceKeywords, AlgorithmKeywords, RunKeywords, total=False):
    """Names and types of `StagesOptions`."""


class DiscoverKeywords(StagesKeywords, CertaintyKeywords, FileKeywords, total=False):
    """Names and types of `DiscoverOptions`."""


class SweepKeywords(SweptKeywords, AnsweredKeywords, AlgorithmKeywords, SweepRunKeywords, total=False):
    """Names and types of `SweepOptions`."""


class BootstrapKeywords(ResampleKeywords, SourceKeywords, AlgorithmKeywords, RepeatsKeywords, total=False):
    """Names and types of `BootstrapOptions`."""


@dataclass(frozen=True)
class StagesOptions(Combined):
    """The options of `stages`."""

    source: SourceOptions
    search: AlgorithmOptions
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
    run: SweepRunOptions

    def __post_init__(self) -> None:
        _refuse_executor_of_unstable(self.run, self.search)
