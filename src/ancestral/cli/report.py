"""`ancestral report`: a run file as an HTML page."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from ancestral.cli.data_again import DataOption, run_with_data
from ancestral.cli.graphs import RunFile, read_run, series_in
from ancestral.cli.output import note
from ancestral.cli.parsing import effect_pair
from ancestral.cli.places import check_places

__all__ = ["EXAMPLES", "report"]

EXAMPLES = """Examples:

ancestral report run.json

ancestral report run.json --output for-a-colleague.html

ancestral report run.json --reliabilities boot.json

ancestral report run.json --effect x5,x7 --effect x2,x7

ancestral report run.json --around x5 --within 2 --output near-x5.html
"""


def report(
    run: RunFile,
    output: Annotated[
        Path | None,
        typer.Option(help="The file to write; by default beside the run file, ending in .html."),
    ] = None,
    reliabilities: Annotated[
        Path | None,
        typer.Option(help="A bootstrap file of the same data, from bootstrap --save: how often resamples agree."),
    ] = None,
    effect: Annotated[
        list[str] | None,
        typer.Option(help="A cause and an effect, as x,y: what the graph and the data tell about it; repeat it."),
    ] = None,
    around: Annotated[
        list[str] | None,
        typer.Option(help="A variable: a small page about it and its neighbours; repeat it."),
    ] = None,
    within: Annotated[int, typer.Option(help="With --around: how many edges away a variable may be.")] = 1,
    data: DataOption = None,
) -> None:
    """Write a run as one HTML file: the graph stage by stage, what each edge means, and why it is there.

    Of time series, it shows the window and the processes. The file needs no server and no network.
    """
    import ancestral as an
    from ancestral.show.report import check_report

    target = output or _beside(run)
    check_places(writes={"--output": target}, reads={"the run file": run, "--reliabilities": reliabilities})
    if output is not None:
        check_report(output, "output")
    series = series_in(read_run(run))
    if series is not None:
        _refuse_in_series(
            run, {"--reliabilities": reliabilities, "--effect": effect, "--around": around, "--data": data}
        )
        series.report(target)
        note(f"report written to {target}")
        return
    found = run_with_data(run, data) if effect or data else read_run(run)
    known = None if reliabilities is None else an.load_bootstrap(reliabilities)
    effects = [effect_pair(text) for text in effect or ()]
    found.report(target, reliabilities=known, effects=effects, around=around or None, within=within)
    note(f"report written to {target}")


def _refuse_in_series(run: Path, options: Mapping[str, object]) -> None:
    """Raise `OptionError` for an option that the report of a run of time series does not have."""
    from ancestral.errors import OptionError

    for option, value in options.items():
        if value:
            raise OptionError(f"{run}: is a run of time series, whose report does not take {option}; leave it out")


def _beside(run: Path) -> Path:
    return run.parent / f"{run.name.removesuffix('.gz').removesuffix('.json')}.html"
