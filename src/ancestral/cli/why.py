"""`ancestral why`: why two variables have an edge, or none, and why its marks are what they are."""

from typing import Annotated

import typer

from ancestral.cli.graphs import RunFile, read_run, series_in
from ancestral.cli.output import print_result

__all__ = ["EXAMPLES", "why"]

EXAMPLES = """Examples:

ancestral why run.json x2 x7
"""


def why(
    run: RunFile,
    a: Annotated[str, typer.Argument(help="A variable.", metavar="A", show_default=False)],
    b: Annotated[str, typer.Argument(help="Another variable.", metavar="B", show_default=False)],
) -> None:
    """Say why there is no edge between two variables, or why its marks are what they are.

    Of time series, a variable is a process at a step, such as rain\\[t-1]; the name of a process alone means it at t.
    """
    found = read_run(run)
    print_result(str((series_in(found) or found).why(a, b)))
