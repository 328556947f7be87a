"""`ancestral discover`: learn a graph from a file."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ancestral.cli.exit_codes import Ending
from ancestral.cli.formats import Format, discovery_as
from ancestral.cli.output import Deliveries, note, write_result
from ancestral.cli.parsing import kinds_of, names_in, seconds_in
from ancestral.cli.places import check_places

if TYPE_CHECKING:
    from ancestral import Discovery

__all__ = ["DATA", "EXAMPLES", "discover", "source_of"]

EXAMPLES = """Examples:

ancestral discover data.csv

ancestral discover data.csv --alpha 0.05 --drop x3,x4 --format csv --output pairs.csv

ancestral discover data.csv --save run.json --time-limit 5m

ancestral discover data.csv --resume run.json

ancestral discover data.csv --format dot --quiet

ancestral discover 'visits/*.parquet'

ancestral discover visits/january.parquet visits/february.parquet
"""

_READ, _ASKED, _SEARCHED, _KEPT = (
    "How it is read",
    "How it is asked",
    "How it is searched",
    "Watching, stopping, keeping",
)


def _data_path(text: str) -> Path:
    """The path that an argument is; an empty one, as of a variable that is not set, is not this folder."""
    if not text:
        raise typer.BadParameter("the path is empty; name a file or a folder")
    return Path(text)


DATA = Annotated[
    list[Path],
    typer.Argument(
        parser=_data_path,
        help="A CSV, TSV (also .gz, .zst) or Parquet file; or several such files, a folder of them, or a pattern in "
        "quotation marks ('visits/*.parquet'), which are read some rows at a time and need not fit into memory.",
        metavar="DATA",
        show_default=False,
    ),
]


def discover(
    data: DATA,
    columns: Annotated[
        list[str] | None,
        typer.Option(
            help="Use these columns only: a,b,c, or repeat the option.", metavar="COLS", rich_help_panel=_READ
        ),
    ] = None,
    drop: Annotated[
        list[str] | None, typer.Option(help="Leave these columns out.", metavar="COLS", rich_help_panel=_READ)
    ] = None,
    names: Annotated[
        list[str] | None,
        typer.Option(
            help="The names of the columns, for a file without a header.", metavar="COLS", rich_help_panel=_READ
        ),
    ] = None,
    discrete: Annotated[
        list[str] | None,
        typer.Option(help="Read these columns as discrete; '*' means all.", metavar="COLS", rich_help_panel=_READ),
    ] = None,
    continuous: Annotated[
        list[str] | None,
        typer.Option(help="Read these columns as continuous; '*' means all.", metavar="COLS", rich_help_panel=_READ),
    ] = None,
    missing: Annotated[
        Literal["refuse", "drop", "testwise"],
        typer.Option(
            help="Refuse missing values, drop incomplete rows, or let each question use the rows complete for it.",
            rich_help_panel=_READ,
        ),
    ] = "refuse",
    separator: Annotated[
        str | None,
        typer.Option(help="Of a text file, where it is not found out rightly: one character.", rich_help_panel=_READ),
    ] = None,
    decimal: Annotated[
        str | None, typer.Option(help="The decimal mark of a text file: . or ,", rich_help_panel=_READ)
    ] = None,
    alpha: Annotated[
        float,
        typer.Option(help="Two variables count as independent where the p-value exceeds it.", rich_help_panel=_ASKED),
    ] = 0.01,
    test: Annotated[
        str | None,
        typer.Option(
            help="fisher-z, rank, g, chi2 or mixed; without it, chosen by the kinds of columns.",
            rich_help_panel=_ASKED,
        ),
    ] = None,
    algorithm: Annotated[
        str,
        typer.Option(
            help="icd, fci, fci+ (all exact), rfci (quick, may leave an edge too many), or pc (nothing is latent).",
            rich_help_panel=_SEARCHED,
        ),
    ] = "icd",
    max_radius: Annotated[
        int | None,
        typer.Option(
            help="Stop after conditioning sets of this size; the graph is then true but may say less than could be "
            "said. Exit code 0.",
            rich_help_panel=_SEARCHED,
        ),
    ] = None,
    possible_ancestors: Annotated[
        Literal["distant", "all", "off"],
        typer.Option(
            help="Which nodes of a conditioning set must be possible ancestors of the pair: those that are not "
            "adjacent to its root, all (as in the paper), or none.",
            rich_help_panel=_SEARCHED,
        ),
    ] = "distant",
    stable: Annotated[
        bool,
        typer.Option(
            help="Removals wait for the end of a radius, so the answer does not depend on the order of edges.",
            rich_help_panel=_SEARCHED,
        ),
    ] = True,
    verify: Annotated[
        bool,
        typer.Option(
            help="Ask before trusting an edge, so that every stage is sound; without, the algorithm as printed.",
            rich_help_panel=_SEARCHED,
        ),
    ] = True,
    selection_bias: Annotated[
        bool,
        typer.Option(help="Without it: the sample was certainly not selected.", rich_help_panel=_SEARCHED),
    ] = True,
    knowledge: Annotated[
        Path | None,
        typer.Option(
            help="A file of what is known: text ('age < smoking', 'x -/-> y', 'x --> y', 'x | y'), TOML, or Tetrad's. "
            "It is kept to; a warning tells where the data contradict it.",
            metavar="FILE",
            rich_help_panel=_SEARCHED,
        ),
    ] = None,
    workers: Annotated[
        int,
        typer.Option(help="So many threads ask at the same time; the answer is the same.", rich_help_panel=_SEARCHED),
    ] = 1,
    time_limit: Annotated[
        str | None,
        typer.Option(
            help="In seconds, or as 30s, 5m, 2h. When it is over, and also on Ctrl-C and SIGTERM, the graph of the "
            "last complete stage is written. Exit code 3.",
            metavar="TIME",
            rich_help_panel=_KEPT,
        ),
    ] = None,
    progress: Annotated[
        bool | None,
        typer.Option(help="A bar on standard error; by default where that is a terminal.", rich_help_panel=_KEPT),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(help="A run file (.json or .json.gz), written anew after every stage.", rich_help_panel=_KEPT),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            help="A run file to go on from, with the same data and settings (with icd and pc --max-radius may differ); "
            "it is kept up to date unless --save names another one.",
            rich_help_panel=_KEPT,
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            help="Write the run as one HTML file, to look at and to pass on: stages, edges, reasons.",
            rich_help_panel=_KEPT,
        ),
    ] = None,
    form: Annotated[
        Format,
        typer.Option(
            "--format",
            help="text: the graph. json: the run file, with the reasons. csv: a row for each pair (the edges only, "
            "beyond 100 000 pairs), sets with ; between names. dot: for graphviz.",
        ),
    ] = "text",
    output: Annotated[
        Path | None, typer.Option(help="Write the graph into this file instead of standard output.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No summary on standard error.")] = False,
) -> int:
    """Learn a partial ancestral graph from a file.

    The graph goes to standard output, everything else to standard error.
    """
    kinds, limit = kinds_of(discrete, continuous), seconds_in(time_limit)
    target = save or resume
    from ancestral.io.files import same_file

    # a run file may be resumed and saved under one name
    other = resume if save is not None and resume is not None and not same_file(save, resume) else None
    check_places(
        writes={"--output": output, "--report": report, "--save" if save is not None else "--resume": target},
        reads={"--knowledge": knowledge, "--resume": other},
        data=data,
    )
    import ancestral as an
    from ancestral.io.files import check_writable
    from ancestral.show.report import check_report

    if output is not None:
        check_writable(output)
    if report is not None:
        check_report(report)
    found = an.discover(
        source_of(data),
        algorithm=algorithm,
        alpha=alpha,
        test=test,
        names=names_in(names),
        columns=names_in(columns),
        drop=names_in(drop),
        kinds=kinds,
        missing=missing,
        separator=separator,
        decimal=decimal,
        max_radius=max_radius,
        possible_ancestors=possible_ancestors,
        stable=stable,
        verify=verify,
        selection_bias=selection_bias,
        knowledge=knowledge,
        workers=workers,
        time_limit=limit,
        progress=progress,
        save=save,
        resume=resume,
    )
    deliveries = Deliveries()
    if target is not None:
        # `discover()` has saved it, or has warned that it could not: then it is tried again, for the exit code
        deliveries.deliver("run", target, lambda: None if found.unsaved is None else found.save(target))
    if report is not None:
        deliveries.deliver("report", report, lambda: found.report(report))
    deliveries.deliver("graph", output, lambda: write_result(discovery_as(found, form), output))
    if not quiet:
        _summarize(found, deliveries, target, apart=output is None)
    deliveries.end()
    return Ending.STOPPED if found.stopped not in (None, "max_radius") else Ending.COMPLETE


def source_of(data: list[Path]) -> Path | list[Path]:
    """What the arguments mean: one path is a file, a folder or a pattern; several are files with the same columns."""
    return data[0] if len(data) == 1 else data


def _summarize(found: "Discovery", deliveries: Deliveries, target: Path | None, *, apart: bool) -> None:
    """Tell what was found and written, `apart` from the graph if both are on one terminal."""
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
