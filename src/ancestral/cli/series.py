"""`ancestral series`: learn a graph over lags from time series in a file."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ancestral.cli.discover import data_path, doubts_in_words
from ancestral.cli.exit_codes import Ending
from ancestral.cli.formats import BY_ENDING, SERIES_FORMATS, series_as, written_format
from ancestral.cli.options import given_options, search_options
from ancestral.cli.output import Deliveries, note, write_result
from ancestral.cli.parsing import choice
from ancestral.cli.places import check_run_places
from ancestral.cli.samples import source_of
from ancestral.options import RUN, SeriesOptions

if TYPE_CHECKING:
    from ancestral import SeriesDiscovery

__all__ = ["EXAMPLES", "series"]

EXAMPLES = """Examples:

ancestral series levels.csv --time date --unit station --lags 2

ancestral series levels.csv --time date --unit station --lags 1..3 --own-past all --save run.json --report run.html

ancestral series levels.csv --time date --unit station --lags 2 --step 1D --missing testwise --format summary

ancestral series levels.csv --time date --unit station --lags 2 --format window --output window.txt
"""

#: Options of Python's function that name a column or a file for which time series have no use.
_OF_OTHER_DATA = ("in_memory", "matrix", "rows", "weights", "clusters")

_TEXTS = {
    "time_limit": "The time after which the search ends, with the graph of the last complete round; Ctrl-C ends it in "
    "the same way.",
}

_DATA = Annotated[
    list[Path],
    typer.Argument(
        parser=data_path,
        help="A file whose rows are steps: CSV, Parquet, Excel or any other that discover reads; or several such "
        "files, a folder of them, or a pattern in quotation marks, of which each file is a series of its own unless "
        "--unit names a column.",
        metavar="DATA",
        show_default=False,
    ),
]


@search_options(SeriesOptions, leave_out=_OF_OTHER_DATA, texts=_TEXTS)
def series(
    data: _DATA,
    report: Annotated[
        Path | None,
        typer.Option(
            help="Write the run as one HTML file, to look at and to pass on: the window, the processes, reasons.",
            rich_help_panel=RUN,
        ),
    ] = None,
    form: Annotated[
        str | None,
        choice(
            "--format",
            SERIES_FORMATS,
            help="text: the edges that end at t. window: the graph of the whole window. summary: the graph over "
            "processes, with lags. json: the run file, with the reasons. csv: a row for each pair of the window, sets "
            f"with ; between names. dot: the edges that end at t, for graphviz. {BY_ENDING}",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Write the graph into this file instead of standard output.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No summary on standard error.")] = False,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="End with exit code 4 if the graph contradicts itself, denies dependences in the data beyond chance, "
            "or has edges about which no question could be answered; it is written all the same.",
        ),
    ] = False,
    **words: Any,
) -> int:
    """Learn a graph over lags from one or several time series: which process acts on which, how many steps later.

    A node is a process at a step, such as rain\\[t-1]. The edges that end at t go to standard output, everything else
    to standard error. The processes must be stationary, and some may be unmeasured.
    """
    options = given_options(words)
    target = check_run_places(data, output=output, report=report, options=options)
    chosen = written_format(form, output, SERIES_FORMATS)
    import ancestral as an

    found = an.discover_series(source_of(data), **options)
    deliveries = Deliveries()
    if target is not None:
        # `discover_series()` has saved it, or has warned that it could not: then it is tried once more
        deliveries.deliver("run", target, lambda: found.save(target) if found.run.unsaved else None)
    if report is not None:
        deliveries.deliver("report", report, lambda: found.report(report))
    deliveries.deliver("graph", output, lambda: write_result(series_as(found, chosen), output))
    if not quiet:
        _summarize(found, deliveries, target, apart=output is None)
    deliveries.end()
    if strict and found.check is not None and found.check.is_doubtful:
        note(f"--strict: {doubts_in_words(found.check)}")
        return Ending.DOUBTFUL
    return Ending.STOPPED if found.stopped not in (None, "max_radius") else Ending.COMPLETE


def _summarize(found: "SeriesDiscovery", deliveries: Deliveries, target: Path | None, *, apart: bool) -> None:
    """Print what was found and written, with an empty line before it if the graph is on the same terminal (`apart`).

    The edges that end at t are left out: they are the result, which stands elsewhere.
    """
    if apart and sys.stdout.isatty() and sys.stderr.isatty():
        note()
    from ancestral.series.words import series_summary

    note(series_summary(found, for_shell=True))
    deliveries.tell()
    if target is not None and not found.complete and found.stopped != "max_radius":
        note(f"to search it again: the same command with --resume {target}, and more time")
