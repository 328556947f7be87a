"""`ancestral reproduce`: the experiments of the ICD paper."""

from pathlib import Path
from typing import Annotated

import typer

from ancestral.cli.output import note, print_result
from ancestral.cli.parsing import names_in

__all__ = ["EXAMPLES", "reproduce"]

EXAMPLES = """Examples:

ancestral reproduce --out paper --quick --only example

ancestral reproduce --out paper --quick

ancestral reproduce --out paper
"""


def reproduce(
    out: Annotated[
        Path,
        typer.Option(help="The folder for CSVs, figures and the page; it is created if needed.", show_default=False),
    ],
    quick: Annotated[bool, typer.Option("--quick", help="Fewer DAGs: a minute instead of several.")] = False,
    only: Annotated[
        list[str] | None,
        typer.Option(
            help="Only these experiments: fci, rfci, accuracy, example, stages, order, large.", show_default=False
        ),
    ] = None,
    workers: Annotated[int, typer.Option(help="The number of processes; the numbers do not depend on it.")] = 2,
    seed: Annotated[
        int,
        typer.Option(
            help="The seed of the first DAG; the next DAGs have the next seeds. The same seed gives the same CSVs."
        ),
    ] = 0,
) -> None:
    """Run every experiment of the ICD paper, and some beyond it: CSVs, figures, and a page with the printed numbers.

    What is finished is kept in the folder: the same command goes on where it was stopped.
    """
    from ancestral.reproduce import FULL, QUICK
    from ancestral.reproduce import reproduce as run

    try:
        pages = run(out, scale=QUICK if quick else FULL, only=names_in(only), workers=workers, seed=seed)
    except KeyboardInterrupt:
        note(f"what is finished is kept in {out}; the same command goes on from there")
        raise
    print_result("\n".join(map(str, pages)))
