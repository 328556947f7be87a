"""`ancestral compare`: how far two graphs agree."""

from pathlib import Path
from typing import Annotated

import typer

from ancestral.cli.formats import COMPARISON_FORMATS, comparison_as
from ancestral.cli.graphs import read_graph
from ancestral.cli.output import print_result
from ancestral.cli.parsing import choice

__all__ = ["EXAMPLES", "compare"]

EXAMPLES = """Examples:

ancestral compare run.json truth.txt

ancestral discover data.csv --output graph.txt

ancestral compare graph.txt truth.txt --format json
"""


def compare(
    estimate: Annotated[
        Path,
        typer.Argument(
            help="A run file, or a file with a graph in any format that convert reads.", metavar="A", show_default=False
        ),
    ],
    truth: Annotated[Path, typer.Argument(help="The same, for the truth.", metavar="B", show_default=False)],
    form: Annotated[
        str,
        choice(
            "--format",
            COMPARISON_FORMATS,
            help="text: a page. json: numbers, and the pairs that differ. csv: numbers.",
        ),
    ] = "text",
) -> None:
    """Compare two graphs over the same variables, an estimate A with the truth B.

    A text file is read as a DAG if all its edges are --> (lines 'latent: a, b' and 'selection: s' give roles to its
    nodes), otherwise as a PAG. A DAG stands for its PAG, which is all that can be learned of it.
    """
    import ancestral as an

    print_result(comparison_as(an.compare(read_graph(estimate), read_graph(truth)), form))
