"""`ancestral sweep`: the graph, its stability and its fit along the significance level."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ancestral.cli.discover import DATA
from ancestral.cli.exit_codes import Ending
from ancestral.cli.formats import BY_ENDING, written_format
from ancestral.cli.options import given_options, search_options
from ancestral.cli.output import Deliveries, note, write_result
from ancestral.cli.parsing import choice
from ancestral.cli.places import check_search_places
from ancestral.cli.samples import data_files, source_of
from ancestral.options import RUN, SweepOptions

if TYPE_CHECKING:
    from ancestral import Sweep

__all__ = ["EXAMPLES", "sweep"]

EXAMPLES = """Examples:

ancestral sweep data.csv

ancestral sweep data.csv --alphas 0.001,0.01,0.05 --format csv --output levels.csv

ancestral sweep data.csv --resamples 20 --report sweep.html --plot sweep.svg
"""

FORMATS = ("text", "csv", "json")


@search_options(SweepOptions)
def sweep(
    data: DATA,
    report: Annotated[
        Path | None,
        typer.Option(help="Write the sweep as one HTML file: picture, levels, edges.", rich_help_panel=RUN),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Draw the sweep into this .svg, .png or .pdf file.", rich_help_panel=RUN)
    ] = None,
    form: Annotated[
        str | None,
        choice(
            "--format",
            FORMATS,
            help="text: a page to read. csv: a row for each level. json: the levels, and the edges at each level. "
            f"{BY_ENDING}",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Write the result into this file instead of standard output.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on standard error but warnings.")] = False,
    **words: Any,
) -> int:
    """Search at one significance level after the other: which edges depend on it, and which do not.

    No level is the right one; docs/alpha.md says how to read a sweep.
    """
    options = given_options(words)
    check_search_places(
        data_files(data),
        output=output,
        report=report,
        others={"--plot": plot},
        reads={"--knowledge": options["knowledge"], "--targets": options["targets"]},
    )
    chosen = written_format(form, output, FORMATS)
    import ancestral as an
    from ancestral.show.axes import with_matplotlib
    from ancestral.sweeping.picture import check_picture

    if plot is not None:
        check_picture(plot, "plot")
    if report is not None or plot is not None:
        with_matplotlib()  # before the search, which may take long
    swept = an.sweep(source_of(data), **options)
    deliveries = Deliveries()
    if plot is not None:
        deliveries.deliver("picture", plot, lambda: swept.plot(plot))
    if report is not None:
        deliveries.deliver("report", report, lambda: swept.report(report))
    deliveries.deliver("result", output, lambda: write_result(_as(swept, chosen), output))
    if not quiet:
        for remark in swept.remarks() if chosen != "text" or output is not None else ():
            note(remark)
        deliveries.tell()
    deliveries.end()
    return Ending.COMPLETE if swept.stopped is None else Ending.STOPPED


def _as(swept: "Sweep", form: str) -> str:
    if form == "json":
        return swept.to_json()
    return str(swept.to_frame(library="polars").write_csv()) if form == "csv" else str(swept)
