"""`ancestral bootstrap`: how often resamples of the rows come to the same edges and marks."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ancestral.cli.discover import DATA, discover, source_of
from ancestral.cli.exit_codes import Ending
from ancestral.cli.options import also_taking, as_in_python
from ancestral.cli.output import Deliveries, note, write_result
from ancestral.cli.places import check_places

if TYPE_CHECKING:
    from ancestral import Bootstrap

__all__ = ["EXAMPLES", "bootstrap"]

EXAMPLES = """Examples:

ancestral bootstrap data.csv

ancestral bootstrap data.csv --repeats 50 --subsample 0.5 --seed 7 --format csv --output frequencies.csv

ancestral bootstrap data.csv --repeats 100 --save boot.json --report boot.html --time-limit 5m
"""

Format = Literal["text", "json", "csv"]
_RESAMPLED, _KEPT = "How it is resampled", "Watching, stopping, keeping"


@also_taking(discover, but=("time_limit", "save", "resume", "report", "form", "output", "quiet", "executor"))
def bootstrap(
    data: DATA,
    repeats: Annotated[
        int, typer.Option(help="Search so many resamples of the rows.", rich_help_panel=_RESAMPLED)
    ] = 200,
    seed: Annotated[
        int, typer.Option(help="The same seed draws the same rows, with any --workers.", rich_help_panel=_RESAMPLED)
    ] = 1,
    subsample: Annotated[
        float | None,
        typer.Option(
            help="Draw this share of the rows, each at most once; without it as many as there are, with replacement.",
            rich_help_panel=_RESAMPLED,
        ),
    ] = None,
    time_limit: Annotated[
        str | None,
        typer.Option(
            help="In seconds, or as 30s, 5m, 2h. When it is over, and also on Ctrl-C and SIGTERM, the repeats done are "
            "counted. Exit code 3.",
            metavar="TIME",
            rich_help_panel=_KEPT,
        ),
    ] = None,
    save: Annotated[
        Path | None, typer.Option(help="A bootstrap file (.json or .json.gz).", rich_help_panel=_KEPT)
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            help="Write the search of all rows as one HTML file, with how often resamples agree.",
            rich_help_panel=_KEPT,
        ),
    ] = None,
    form: Annotated[
        Format,
        typer.Option(
            "--format",
            help="text: the firm and the doubtful edges. csv: a row for each pair (beyond 100 000 pairs those that had "
            "an edge), all frequencies. json: the bootstrap file, with the graph of every resample.",
        ),
    ] = "text",
    output: Annotated[
        Path | None, typer.Option(help="Write the table into this file instead of standard output.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on standard error but warnings.")] = False,
    **words: Any,
) -> int:
    """Search many resamples of the rows, and count how often each edge and each mark comes back.

    A frequency says how stable an answer is, not how probable it is that it is true.
    """
    options = as_in_python({**words, "time_limit": time_limit})
    check_places(
        writes={"--output": output, "--report": report, "--save": save},
        reads={"--knowledge": words["knowledge"]},
        data=data,
    )
    import ancestral as an
    from ancestral.io.files import check_writable
    from ancestral.resampling.file import check_target
    from ancestral.show.report import check_report

    if output is not None:
        check_writable(output)
    if report is not None:
        check_report(report)
    if save is not None:
        check_target(save)
    boot = an.bootstrap(source_of(data), repeats=repeats, seed=seed, subsample=subsample, **options)
    deliveries = Deliveries()
    if save is not None:
        deliveries.deliver("bootstrap", save, lambda: boot.save(save))
    if report is not None:
        deliveries.deliver("report", report, lambda: boot.report(report))
    deliveries.deliver("table", output, lambda: write_result(_as(boot, form), output))
    if not quiet:
        if boot.stopped is not None:
            note(f"ended early ({boot.stopped}): {boot.repeats:,} of {boot.wanted:,} repeats were done")
        deliveries.tell()
    deliveries.end()
    return Ending.COMPLETE if boot.stopped is None else Ending.STOPPED


def _as(boot: "Bootstrap", form: Format) -> str:
    if form == "json":
        return boot.to_json()
    return str(boot.to_frame(library="polars").write_csv()) if form == "csv" else str(boot)
