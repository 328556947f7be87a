"""`ancestral simulate`: data from a known DAG."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ancestral.cli.output import note
from ancestral.cli.parsing import choice
from ancestral.cli.places import check_places
from ancestral.errors import GraphError, Option, OptionError

if TYPE_CHECKING:
    from collections.abc import Callable

    import polars as pl

    from ancestral import DAG

__all__ = ["EXAMPLES", "simulate", "writer_for"]

EXAMPLES = """Examples:

ancestral simulate --nodes 8 --rows 2000 --output data.csv --truth truth.txt --force

ancestral simulate --kind mixed --latent 2 --selection 1 --seed 7 --output mixed.parquet --truth mixed.txt

ancestral simulate --graph truth.txt --seed 2 --output again.csv
"""

KINDS = ("gaussian", "nonlinear", "discrete", "mixed", "ordinal")


def simulate(
    nodes: Annotated[int, typer.Option(help="The number of nodes, with the latent and the selection ones.")] = 10,
    degree: Annotated[float, typer.Option(help="The mean number of neighbours.")] = 2.0,
    latent: Annotated[
        int | None,
        typer.Option(
            help="The number of latent nodes; by default half of the nodes without parents and with two children or "
            "more, at least one.",
            show_default=False,
        ),
    ] = None,
    selection: Annotated[int, typer.Option(help="The number of nodes on which rows are selected.")] = 0,
    graph: Annotated[
        Path | None,
        typer.Option(help="Draw from the DAG in this file instead of a random one.", show_default=False),
    ] = None,
    rows: Annotated[int, typer.Option(help="The number of rows.")] = 1000,
    kind: Annotated[str, choice("--kind", KINDS, help="The kind of columns.")] = "gaussian",
    levels: Annotated[
        int | None,
        typer.Option(
            help="The number of levels of a column that has levels; by default 2, with --kind mixed 3, with --kind "
            "ordinal 5.",
            show_default=False,
        ),
    ] = None,
    keep: Annotated[
        float | None,
        typer.Option(
            help="The share of rows that pass a selection node, with --kind gaussian; by default 0.5.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same files.")] = 1,
    output: Annotated[
        Path,
        # as in the message of `writer_for`; a test compares
        typer.Option(help="The file for the data, which ends in one of .csv, .tsv (also with .gz) and .parquet."),
    ] = Path("data.csv"),
    truth: Annotated[
        Path | None,
        typer.Option(
            help="The file for the true DAG, as text; by default truth.txt, and none with --graph.",
            show_default=False,
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite existing files.")] = False,
) -> None:
    """Draw a random DAG with hidden common causes, and rows from it."""
    if truth is None and graph is None:
        truth = Path("truth.txt")
    check_places(writes={"--output": output, "--truth": truth}, reads={"--graph": graph})
    import ancestral as an
    from ancestral.io.files import check_writable, write_atomically

    write = writer_for(output)
    for path in (output, truth):
        if path is None:
            continue
        if path.exists() and not force:
            raise OptionError(f"{path}: exists already; choose another name, or overwrite it with --force")
        check_writable(path)
    dag = (
        _read_dag(graph)
        if graph
        else an.simulate.random_dag(nodes, degree, seed=seed, latent=latent, selection=selection)
    )
    frame = _draw(dag, rows, kind, seed, levels, keep)
    write_atomically(output, write(frame))
    note(f"{frame.height:,} rows of {frame.width} columns written to {output}")
    if truth is not None:
        write_atomically(truth, _as_text(dag).encode())
        note(f"the true DAG, with {len(dag.latent)} latent and {len(dag.selection)} selection nodes, in {truth}")


def writer_for(output: Path) -> "Callable[[pl.DataFrame], bytes]":
    """The function that makes the content of a file with this name; files that end in .gz are compressed later."""
    from ancestral.data.read.formats import FORMATS, endings_in_words

    plain = output.name.removesuffix(".gz")
    for data_format in FORMATS.values():
        may_end_so = plain.lower().endswith(data_format.endings) and (plain == output.name or data_format.compressed)
        if may_end_so and data_format.write is not None:
            return data_format.write
    endings = endings_in_words(lambda data_format: data_format.write is not None, compressed=[".gz"])
    raise OptionError(f"{output}: must end in one of {endings}; choose another name")


def _read_dag(path: Path) -> "DAG":
    from ancestral import DAG
    from ancestral.cli.graphs import read_graph

    dag = read_graph(path)
    if not isinstance(dag, DAG):
        raise GraphError(
            f"{path}: must be a DAG, since rows are drawn from causes to effects; write edges as 'a --> b'"
        )
    return dag


def _as_text(dag: "DAG") -> str:
    """The DAG, after a line with its nodes, so that a reader has them in the same order and draws the same rows."""
    from ancestral.graphs.names import quoted

    return f"{', '.join(map(quoted, dag.nodes))}\n{dag}\n"


def _not_for(kind: str, option: str) -> OptionError:
    return OptionError(["cannot be combined with ", Option("kind", kind)], option=option, way_out="leave it out")


def _draw(dag: "DAG", rows: int, kind: str, seed: int, levels: int | None, keep: float | None) -> "pl.DataFrame":
    from ancestral.simulate import discrete, linear_gaussian, mixed, nonlinear, ordinal

    if kind == "gaussian":
        if levels is not None:
            raise _not_for(kind, "levels")
        return (
            linear_gaussian(dag, rows, seed=seed) if keep is None else linear_gaussian(dag, rows, seed=seed, keep=keep)
        )
    if keep is not None:
        raise _not_for(kind, "keep")
    if kind == "nonlinear":
        if levels is not None:
            raise _not_for(kind, "levels")
        return nonlinear(dag, rows, seed=seed)
    draw = {"discrete": discrete, "mixed": mixed, "ordinal": ordinal}[kind]
    return draw(dag, rows, seed=seed) if levels is None else draw(dag, rows, seed=seed, levels=levels)
