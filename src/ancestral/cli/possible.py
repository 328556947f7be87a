"""`ancestral possible` and `ancestral sensitivity`: what is left of an effect that a graph leaves open."""

from typing import Annotated

import typer

from ancestral.cli.data_again import DataOption, run_with_data
from ancestral.cli.graphs import RunFile
from ancestral.cli.output import print_result
from ancestral.cli.parsing import names_in

__all__ = ["POSSIBLE_EXAMPLES", "SENSITIVITY_EXAMPLES", "possible", "sensitivity"]

POSSIBLE_EXAMPLES = """Examples:

ancestral possible run.json x2 x7

ancestral possible run.json x2 x7 --data data.csv --most 500
"""

SENSITIVITY_EXAMPLES = """Examples:

ancestral sensitivity run.json x4 x7

ancestral sensitivity run.json x4 x7 --data data.csv --given x2,x3
"""

_X = Annotated[str, typer.Argument(help="The cause.", metavar="X", show_default=False)]
_Y = Annotated[str, typer.Argument(help="The effect.", metavar="Y", show_default=False)]


def possible(
    run: RunFile,
    x: _X,
    y: _Y,
    data: DataOption = None,
    most: Annotated[
        int, typer.Option(help="The largest number of graphs to list, or to draw if there are more.", metavar="N")
    ] = 2000,
    seed: Annotated[int, typer.Option(help="The seed of the draws.", metavar="N")] = 0,
) -> None:
    """Say which effects X can have on Y, if nothing is confounded beyond what the data force.

    Of columns with levels, say which probabilities of Y are possible if X is set, in any graph.
    """
    found = run_with_data(run, data)
    kinds = found.test.kinds or {}
    if all(kinds.get(name) in ("discrete", "ordinal") for name in (x, y)):
        print_result(str(found.effect_bounds(x, y)))
    else:
        print_result(str(found.possible_effects(x, y, most=most, seed=seed)))


def sensitivity(
    run: RunFile,
    x: _X,
    y: _Y,
    data: DataOption = None,
    given: Annotated[
        list[str] | None,
        typer.Option(help="Adjust for these columns. Write a,b,c, or repeat the option.", metavar="COLS"),
    ] = None,
    confidence: Annotated[float, typer.Option(help="The level of the interval.", metavar="P")] = 0.95,
) -> None:
    """Say how strong an unmeasured cause of X and Y must be to bring the effect of X on Y to zero."""
    found = run_with_data(run, data)
    print_result(str(found.sensitivity(x, y, given=names_in(given), confidence=confidence)))
