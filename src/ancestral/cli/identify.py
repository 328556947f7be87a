"""`ancestral identify` and `ancestral effect`: what a graph and the data tell about setting a variable."""

from collections.abc import Mapping
from typing import Annotated

import typer

from ancestral.cli.data_again import DataOption, run_with_data, series_with_data
from ancestral.cli.graphs import GraphFile, RunFile, node_names, read_graph
from ancestral.cli.output import print_result
from ancestral.cli.parsing import names_in
from ancestral.errors import Option, OptionError
from ancestral.shell import spelled

__all__ = ["EFFECT_EXAMPLES", "IDENTIFY_EXAMPLES", "effect", "identify"]

IDENTIFY_EXAMPLES = """Examples:

ancestral identify run.json x5 x7

ancestral identify run.json x4,x5 x7 --latex

ancestral identify truth.txt x2 x7 --within x5
"""

EFFECT_EXAMPLES = """Examples:

ancestral effect run.json x5 x7

ancestral effect run.json x5 x7 --data data.csv --given x2,x3 --confidence 0.9

ancestral effect run.json x5 x7 --estimator robust
"""

_X = Annotated[str, typer.Argument(help="The cause; several by commas.", metavar="X", show_default=False)]
_WITHIN = Annotated[
    list[str] | None,
    typer.Option(
        help="Ask within levels of these columns; write a,b,c, or repeat it.",
        metavar="COLS",
        show_default=False,
    ),
]


def identify(
    run: GraphFile,
    x: _X,
    y: Annotated[str, typer.Argument(help="The effect; several by commas.", metavar="Y", show_default=False)],
    within: _WITHIN = None,
    latex: Annotated[bool, typer.Option("--latex", help="Write the formula in LaTeX.")] = False,
) -> None:
    """Say whether the effect of X on Y follows from the graph, and by which formula; or what stands in the way.

    A text file is read as a DAG if all its edges are --> (lines 'latent: a, b' give roles to its nodes), otherwise as a
    PAG. It is assumed that the sample was not selected.
    """
    import ancestral as an

    graph = read_graph(run)
    causes, effects = (node_names(graph, names_in([some]) or []) for some in (x, y))
    conditions = None if within is None else node_names(graph, names_in(within) or [])
    if isinstance(graph, an.Discovery):
        said = graph.identify(causes, effects, within=conditions)
    else:
        said = an.identify(graph, causes, effects, within=conditions)
    if latex and said.latex is not None:
        print_result(said.latex)
        return
    lines = [str(said)]
    if not said and len(causes) == len(effects) == 1 and not conditions and (found := said.within()):
        left_out = said.left_out(found)
        but = "" if left_out is None else f" (which leaves out {left_out})"
        lines.append(f"  Within levels it is identified: {spelled(Option('within', found))}{but}")
    print_result("\n".join(lines))


def effect(
    run: RunFile,
    x: _X,
    y: Annotated[str, typer.Argument(help="The effect.", metavar="Y", show_default=False)],
    data: DataOption = None,
    given: Annotated[
        list[str] | None,
        typer.Option(help="Adjust for these columns. Write a,b,c, or repeat the option.", metavar="COLS"),
    ] = None,
    within: _WITHIN = None,
    how: Annotated[
        str, typer.Option(help="auto, or adjustment or formula for one of the two alone.", metavar="HOW")
    ] = "auto",
    estimator: Annotated[
        str | None,
        typer.Option(
            help="linear, levels, regression or robust; by default by the kinds of the columns.",
            metavar="NAME",
            show_default=False,
        ),
    ] = None,
    contrast: Annotated[
        str | None,
        typer.Option(help="How levels of X are compared: difference or ratio.", metavar="NAME", show_default=False),
    ] = None,
    levels: Annotated[
        list[str] | None,
        typer.Option(
            help="Two levels of X to compare, as high,low: the reference last.", metavar="LEVELS", show_default=False
        ),
    ] = None,
    event: Annotated[
        str | None,
        typer.Option(help="The level of Y whose probability is meant.", metavar="LEVEL", show_default=False),
    ] = None,
    confidence: Annotated[float, typer.Option(help="The level of the interval.", metavar="P")] = 0.95,
    seed: Annotated[int, typer.Option(help="The seed of redrawn counts, folds and learners.", metavar="N")] = 0,
    bandwidth: Annotated[
        int | None,
        typer.Option(
            help="Of time series: over how many steps the errors of windows may depend on each other.",
            metavar="N",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Estimate the effect of X on Y, with its interval: by adjustment if there is a set, otherwise by a formula.

    Of time series, X and Y are processes at steps, such as rain\\[t-1], and the effect is found by adjustment in
    the window.
    """
    compared = [tuple(names_in([pair]) or ()) for pair in levels] if levels else None
    series = series_with_data(run, data)
    if series is not None:
        others: dict[str, object] = {"within": within, "how": None if how == "auto" else how, "estimator": estimator}
        others |= {"seed": seed or None}
        _refuse(others, "does not apply to a run of time series, whose effects are found by adjustment")
        answer = series.effect(
            names_in([x]) or [],
            y,
            given=names_in(given),
            confidence=confidence,
            bandwidth=bandwidth,
            contrast=contrast,  # type: ignore[arg-type]  # checked there
            levels=compared,
            event=event,
        )
        print_result(str(answer))
        return
    _refuse({"bandwidth": bandwidth}, "applies to runs of time series")
    found = run_with_data(run, data)
    answer = found.effect(
        names_in([x]) or [],
        y,
        given=names_in(given),
        within=names_in(within),
        how=how,  # type: ignore[arg-type]  # checked there
        estimator=estimator,  # type: ignore[arg-type]
        contrast=contrast,  # type: ignore[arg-type]
        levels=compared,
        event=event,
        confidence=confidence,
        seed=seed,
    )
    print_result(str(answer))


def _refuse(options: Mapping[str, object], reason: str) -> None:
    """Raise `OptionError` for the first of these options that is given."""
    for name, value in options.items():
        if value is not None:
            raise OptionError(reason, option=name, value=value, way_out="leave it out", assigned=True)
