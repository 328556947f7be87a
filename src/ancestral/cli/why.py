"""`ancestral why`: why two variables have an edge, or none, and why its marks are what they are."""

from typing import Annotated

import typer

from ancestral.cli.graphs import RunFile, read_run
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
    """Say why there is no edge between two variables, or why its marks are what they are."""
    print_result(str(read_run(run).why(a, b)))
