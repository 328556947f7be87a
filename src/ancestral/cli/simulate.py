"""`ancestral simulate`: data from a known DAG."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ancestral.cli.output import note
from ancestral.cli.parsing import choice, values_in
from ancestral.cli.places import check_places
from ancestral.errors import GraphError, Option, OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import polars as pl

    from ancestral import DAG

__all__ = ["EXAMPLES", "simulate", "writer_for"]

EXAMPLES = """Examples:

ancestral simulate --nodes 8 --rows 2000 --output data.csv --truth truth.txt --force

ancestral simulate --kind mixed --latent 2 --selection 1 --seed 7 --output mixed.parquet --truth mixed.txt

ancestral simulate --graph truth.txt --seed 2 --output again.csv

ancestral simulate --graph truth.txt --do x2=0 --shift x3=1.5 --sample 1 --output experiment.csv
"""

_DONE = {"do", "shift", "sample"}
#: The kinds of columns, each with the options that it takes.
_TAKES = {
    "gaussian": {"keep", *_DONE},
    "nonlinear": _DONE,
    "discrete": {"levels", *_DONE},
    "mixed": {"levels", *_DONE},
    "ordinal": {"levels"},
}


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
    kind: Annotated[str, choice("--kind", _TAKES, help="The kind of columns.")] = "gaussian",
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
    do: Annotated[
        list[str] | None,
        typer.Option(
            help="Set a node to a value whatever its causes are: x=0, or x=b for a level, or x=random to draw it "
            "independently of everything. May be repeated. Not with --kind ordinal.",
            metavar="NODE=VALUE",
            show_default=False,
        ),
    ] = None,
    shift: Annotated[
        list[str] | None,
        typer.Option(
            help="Add a number to what a node is by its causes, or to the log-odds of each of its levels against the "
            "one before: y=1.5. May be repeated. Not with --kind ordinal.",
            metavar="NODE=NUMBER",
            show_default=False,
        ),
    ] = None,
    sample: Annotated[
        int,
        typer.Option(
            help="The number of the sample: with the same seed, samples with different numbers are independent rows of "
            "the same system. Not with --kind ordinal."
        ),
    ] = 0,
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
    done = {"do": values_in("do", do), "shift": values_in("shift", shift), "sample": sample or None}
    frame = _draw(dag, rows, kind, seed, {"levels": levels, "keep": keep}, done)
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


def _draw(
    dag: "DAG", rows: int, kind: str, seed: int, options: "Mapping[str, Any]", done: "Mapping[str, Any]"
) -> "pl.DataFrame":
    """The rows; `options` and `done` are what the command line gives, or None."""
    from ancestral.simulate import intervene, ordinal

    given = {option: value for option, value in (*options.items(), *done.items()) if value is not None}
    for option in given:
        if option not in _TAKES[kind]:
            raise OptionError(["cannot be combined with ", Option("kind", kind)], option=option, way_out="leave it out")
    if kind == "ordinal":
        return ordinal(dag, rows, seed=seed, **given)
    return intervene(dag, rows, system=kind, seed=seed, **given)
