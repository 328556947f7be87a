"""`ancestral bootstrap`: how often resamples of the rows come to the same edges and marks."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ancestral.cli.discover import DATA
from ancestral.cli.exit_codes import Ending
from ancestral.cli.formats import BY_ENDING, written_format
from ancestral.cli.options import given_options, search_options
from ancestral.cli.output import Deliveries, note, write_result
from ancestral.cli.parsing import choice, effect_pair
from ancestral.cli.places import check_search_places
from ancestral.cli.samples import data_files, source_of
from ancestral.options import RUN, BootstrapOptions

if TYPE_CHECKING:
    from ancestral import Bootstrap

__all__ = ["EXAMPLES", "bootstrap"]

EXAMPLES = """Examples:

ancestral bootstrap data.csv

ancestral bootstrap data.csv --repeats 50 --subsample 0.5 --seed 7 --format csv --output frequencies.csv

ancestral bootstrap data.csv --repeats 100 --save boot.json --report boot.html --time-limit 5m

ancestral bootstrap data.csv --repeats 50 --effect x4,x7 --effect x5,x7
"""

FORMATS = ("text", "json", "csv")


@search_options(BootstrapOptions)
def bootstrap(
    data: DATA,
    save: Annotated[
        Path | None, typer.Option(help="A bootstrap file (.json or .json.gz).", rich_help_panel=RUN)
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            help="Write the search of all rows as one HTML file, with how often resamples agree.",
            rich_help_panel=RUN,
        ),
    ] = None,
    effect: Annotated[
        list[str] | None,
        typer.Option(
            help="Estimate this effect in every resample, in its own graph: cause and outcome, by a comma.",
            metavar="X,Y",
            rich_help_panel=RUN,
        ),
    ] = None,
    form: Annotated[
        str | None,
        choice(
            "--format",
            FORMATS,
            help="text: the stable and the doubtful edges. csv: a row for each pair (beyond 100,000 pairs those that "
            "had an edge), all frequencies. json: the bootstrap file, with the graph of every resample. "
            f"{BY_ENDING}",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Write the table into this file instead of standard output.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on standard error but warnings.")] = False,
    **words: Any,
) -> int:
    """Search many resamples of the rows, and count how often each edge and each mark comes back.

    A frequency says how stable an answer is, not how probable it is that it is true.
    """
    options = given_options(words)
    check_search_places(
        data_files(data),
        output=output,
        report=report,
        others={"--save": save},
        reads={"--knowledge": options["knowledge"], "--targets": options["targets"]},
    )
    chosen = written_format(form, output, FORMATS)
    import ancestral as an
    from ancestral.resampling.file import check_target

    if save is not None:
        check_target(save)
    boot = an.bootstrap(source_of(data), effects=list(map(effect_pair, effect)) if effect else None, **options)
    deliveries = Deliveries()
    if save is not None:
        deliveries.deliver("bootstrap", save, lambda: boot.save(save))
    if report is not None:
        deliveries.deliver("report", report, lambda: boot.report(report))
    deliveries.deliver("table", output, lambda: write_result(_as(boot, chosen), output))
    if not quiet:
        if boot.stopped is not None:
            note(f"ended early ({boot.stopped}): {boot.repeats:,} of {boot.wanted:,} repeats were done")
        deliveries.tell()
    deliveries.end()
    return Ending.COMPLETE if boot.stopped is None else Ending.STOPPED


def _as(boot: "Bootstrap", form: str) -> str:
    if form == "json":
        return boot.to_json()
    return str(boot.to_frame(library="polars").write_csv()) if form == "csv" else str(boot)
