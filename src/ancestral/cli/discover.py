"""`ancestral discover`: learn a graph from a file."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ancestral.cli.exit_codes import Ending
from ancestral.cli.formats import BY_ENDING, DISCOVERY_FORMATS, discovery_as, written_format
from ancestral.cli.options import given_options, search_options
from ancestral.cli.output import Deliveries, note, write_result
from ancestral.cli.parsing import choice
from ancestral.cli.places import check_run_places
from ancestral.cli.samples import by_name, data_files, source_of
from ancestral.options import RUN, DiscoverOptions
from ancestral.options.words import READ
from ancestral.printing import counted

if TYPE_CHECKING:
    from ancestral import Discovery
    from ancestral.checking import Check

__all__ = ["DATA", "EXAMPLES", "data_path", "discover", "doubts_in_words"]

EXAMPLES = """Examples:

ancestral discover data.csv

ancestral discover data.csv --alpha 0.05 --drop x3,x4 --format csv --output pairs.csv

ancestral discover data.csv --save run.json --time-limit 5m

ancestral discover data.csv --resume run.json

ancestral discover data.csv --format dot --quiet

ancestral discover 'visits/*.parquet'

ancestral discover visits/january.parquet visits/february.parquet

ancestral discover control.csv 'drug A=a.csv' --targets targets.toml

ancestral discover clinic.csv survey.csv --combine
"""


def data_path(text: str) -> Path:
    """The path in an argument; an empty one, as from a variable that is not set, does not mean this folder."""
    if not text:
        raise typer.BadParameter("the path is empty; name a file or a folder")
    return Path(text)


DATA = Annotated[
    list[Path],
    typer.Argument(
        parser=data_path,
        # the endings as in `data.read.formats.endings_in_words()`, whose import would delay the help; a test compares
        help="A file that ends in one of .csv, .tsv, .txt (also with .gz or .zst) and .parquet, .arrow, .ipc, "
        ".feather, .xlsx, .xlsm, .xls, .xlsb, .ods, .dta, .sav, .zsav, .por, .sas7bdat, .xpt; or several such files, "
        "a folder of them, or a pattern in quotation marks ('visits/*.parquet'), which are read some rows at a time "
        "and need not fit into memory; or the file of a covariance matrix (.cov, .cov.txt, or see --matrix); or the "
        "samples of an experiment, each a file with its name: control.csv 'drug A=a.csv'.",
        metavar="DATA",
        show_default=False,
    ),
]


@search_options(DiscoverOptions)
def discover(
    data: DATA,
    report: Annotated[
        Path | None,
        typer.Option(
            help="Write the run as one HTML file, to look at and to pass on: stages, edges, reasons.",
            rich_help_panel=RUN,
        ),
    ] = None,
    form: Annotated[
        str | None,
        choice(
            "--format",
            DISCOVERY_FORMATS,
            help="text: the graph. json: the run file, with the reasons. csv: a row for each pair (the edges only, "
            "beyond 100,000 pairs), sets with ; between names. dot: for graphviz. "
            f"{BY_ENDING}",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Write the graph into this file instead of standard output.")
    ] = None,
    combine: Annotated[
        bool,
        typer.Option(
            "--combine",
            help="The files are tables of one population that have only some columns in common; each question is asked "
            "of those that have all its columns (docs/combine.md).",
            rich_help_panel=READ,
        ),
    ] = False,
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
    """Learn a partial ancestral graph from a file.

    The graph goes to standard output, everything else to standard error.
    """
    options = given_options(words)
    target = check_run_places(data_files(data), output=output, report=report, options=options)
    chosen = written_format(form, output, DISCOVERY_FORMATS)
    import ancestral as an

    if combine:
        tables = an.combine(by_name(data), kinds=options.pop("kinds"), drop=options.pop("drop"))
        if not quiet:
            note(f"{tables}\n")
        found = an.discover(tables, **options)
    else:
        found = an.discover(source_of(data), **options)
    deliveries = Deliveries()
    if target is not None:
        # `discover()` has saved it, or has warned that it could not: then it is tried once more, for the exit code
        deliveries.deliver("run", target, lambda: found.save(target) if found.unsaved else None)
    if report is not None:
        deliveries.deliver("report", report, lambda: found.report(report))
    deliveries.deliver("graph", output, lambda: write_result(discovery_as(found, chosen), output))
    if not quiet:
        _summarize(found, deliveries, target, apart=output is None)
    deliveries.end()
    if strict and found.check is not None and found.check.is_doubtful:
        note(f"--strict: {doubts_in_words(found.check)}")
        return Ending.DOUBTFUL
    return Ending.STOPPED if found.stopped not in (None, "max_radius") else Ending.COMPLETE


def doubts_in_words(check: "Check") -> str:
    """Why --strict refuses a graph, as a clause."""
    reasons = []
    if check.contradictions:
        reasons.append("contradicts itself")
    if check.beyond_chance:
        reasons.append(f"denies {counted(check.beyond_chance, 'dependence')} in the data beyond chance")
    if check.untold:
        reasons.append(f"has {counted(check.untold, 'edge')} about which these data cannot tell")
    return f"the graph {' and '.join(reasons)}"


def _summarize(found: "Discovery", deliveries: Deliveries, target: Path | None, *, apart: bool) -> None:
    """Print what was found and written, with an empty line before it if the graph is on the same terminal (`apart`)."""
    from ancestral.show.summary import summary

    if apart and sys.stdout.isatty() and sys.stderr.isatty():
        note()
    note(summary(found, for_shell=True))
    deliveries.tell()
    if (
        target is not None
        and not found.complete
        and (found.stopped != "max_radius" or found.settings.chosen.resumable_beyond_max_radius)
    ):
        note(f"to go on: the same command with --resume {target}")
