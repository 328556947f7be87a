"""`ancestral causes` and `ancestral adjust`: what a graph says about two variables, and what to adjust for."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ancestral.cli.graphs import GraphFile, node_names, read_graph, series_in
from ancestral.cli.output import print_result
from ancestral.cli.parsing import names_in
from ancestral.printing import shown_type, visible

if TYPE_CHECKING:
    from ancestral.effects import AdjustmentSet
    from ancestral.graphs import PAG

__all__ = ["ADJUST_EXAMPLES", "CAUSES_EXAMPLES", "adjust", "causes"]

CAUSES_EXAMPLES = """Examples:

ancestral causes run.json x4 x7

ancestral causes truth.txt x4 x7 --no-selection-bias
"""

ADJUST_EXAMPLES = """Examples:

ancestral adjust run.json x5 x7

ancestral adjust run.json x4,x5 x7

ancestral adjust truth.txt x5 x7 --limit 5
"""


def causes(
    run: GraphFile,
    a: Annotated[str, typer.Argument(help="A variable.", metavar="A", show_default=False)],
    b: Annotated[str, typer.Argument(help="Another variable.", metavar="B", show_default=False)],
    selection_bias: Annotated[
        bool | None,
        typer.Option(
            "--selection-bias/--no-selection-bias",
            help="Whether the sample may have been selected. A run file states it; for a graph it may.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Say whether A causes B, whether B causes A, and whether something unmeasured drives both.

    Of time series, a variable is a process at a step, such as rain\\[t-1]; the name of a process alone means it at t.
    """
    import ancestral as an
    from ancestral.show.causes import causes as answer_of

    graph = read_graph(run)
    if isinstance(graph, an.Discovery) and selection_bias is not None:
        raise an.OptionError(
            "does not apply to a run file, which states it",
            option="selection_bias",
            value=selection_bias,
            way_out="leave it out",
            assigned=True,
        )
    a, b = node_names(graph, (a, b))
    if a == b:
        raise an.OptionError(f"{a!r} and {b!r} are the same variable; ask about two different ones")
    if isinstance(graph, an.Discovery):
        answers = [graph.causes(a, b), graph.causes(b, a), graph.confounded(a, b)]
    else:
        pag, allows_selection = _as_pag(graph, run), selection_bias is not False
        answers = [answer_of(pag, x, y, allows_selection) for x, y in ((a, b), (b, a))] + [pag.confounded(a, b)]
    *causal, answer = answers
    lines = [
        visible(f"Does {x} cause {y}? {_capital(answer)}: {answer.reason}.")
        for (x, y), answer in zip(((a, b), (b, a)), causal, strict=True)
    ]
    lines.append(visible(f"Does something unmeasured drive both? {_capital(answer)}: {answer.reason}."))
    print_result("\n".join(lines))


def adjust(
    run: GraphFile,
    x: Annotated[str, typer.Argument(help="The cause; several by commas.", metavar="X", show_default=False)],
    y: Annotated[str, typer.Argument(help="The effect; several by commas.", metavar="Y", show_default=False)],
    limit: Annotated[int, typer.Option(help="The largest number of minimal sets to list.", metavar="N")] = 100,
) -> None:
    """Say which variables to adjust for, to learn the effect of X on Y; or that adjustment cannot tell, and why.

    A text file is read as a DAG if all its edges are --> (lines 'latent: a, b' give roles to its nodes), otherwise as a
    PAG. It is assumed that the sample was not selected.
    """
    import ancestral as an

    graph = read_graph(run)
    causes, effects = names_in([x]) or [], names_in([y]) or []
    found: AdjustmentSet
    if (series := series_in(graph)) is not None:
        if len(effects) != 1:
            raise an.OptionError(f"Y must be one node of a run of time series, got {y!r}; ask for one at a time")
        found = series.adjustment_set(causes, effects[0], limit=limit)
    elif isinstance(graph, an.Discovery):
        found = graph.adjustment_set(causes, effects, limit=limit)
    else:
        found = an.adjustment_set(graph, causes, effects, limit=limit)
    print_result(str(found))


def _as_pag(graph: object, path: Path) -> "PAG":
    """The PAG that a graph in a file stands for: a DAG stands for its equivalence class."""
    import ancestral as an

    if isinstance(graph, an.DAG):
        return an.pag_of(graph)
    if isinstance(graph, an.PAG):
        return graph
    raise an.GraphError(f"{path}: must be a PAG or a DAG, and is {shown_type(graph)}; convert it first")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
