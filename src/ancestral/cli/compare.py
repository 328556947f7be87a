"""`ancestral compare`: how far two graphs agree."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ancestral.cli.formats import ComparisonFormat, comparison_as
from ancestral.cli.output import print_result

if TYPE_CHECKING:
    from ancestral import Discovery
    from ancestral.graphs import MixedGraph

__all__ = ["EXAMPLES", "compare", "read_graph"]

EXAMPLES = """Examples:

ancestral compare run.json truth.txt

ancestral discover data.csv --output graph.txt

ancestral compare graph.txt truth.txt --format json
"""


def compare(
    estimate: Annotated[
        Path, typer.Argument(help="A run file, or a text file with a graph.", metavar="A", show_default=False)
    ],
    truth: Annotated[Path, typer.Argument(help="The same, the true one.", metavar="B", show_default=False)],
    form: Annotated[
        ComparisonFormat,
        typer.Option("--format", help="text: a page. json: numbers, and the pairs that differ. csv: numbers."),
    ] = "text",
) -> None:
    """Compare two graphs over the same variables, an estimate A with the truth B.

    A text file is read as a DAG if all its edges are --> (lines 'latent: a, b' and 'selection: s' give roles to its
    nodes), otherwise as a PAG. A DAG stands for its PAG, which is all that can be learned of it.
    """
    import ancestral as an

    print_result(comparison_as(an.compare(read_graph(estimate), read_graph(truth)), form))


def read_graph(path: Path) -> "MixedGraph | Discovery":
    """What is in the file: a run if it is JSON, otherwise the text of a graph."""
    import ancestral as an
    from ancestral.graphs.marks import ARROW, TAIL
    from ancestral.graphs.text import read_text
    from ancestral.io.packed import begins_with, read_bytes
    from ancestral.io.run import FORMAT

    if begins_with(path, FORMAT):
        return an.load(path)
    content = read_bytes(path)
    if content.lstrip()[:1] == b"{":
        return an.load(path)
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise an.GraphError(f"{path}: is neither a run file nor text; save a graph as UTF-8 text") from None
    try:
        said = read_text(text)
        if not said.names:
            raise an.GraphError("there is no graph in it; write edges like 'a --> b', one a line")
        causal = all({at_a, at_b} == {TAIL, ARROW} for _, _, at_a, at_b in said.edges)
        return an.DAG.parse(text) if causal else an.PAG.parse(text)
    except an.AncestralError as error:
        raise an.GraphError(f"{path}: {error}") from None
