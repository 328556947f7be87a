"""pcalg's adjacency matrices, as numbers with names and as CSV. pcalg has two codings, chosen by the kind of graph.

`amat.pag`, for MAGs and PAGs: `amat[a, b]` is the mark at b on the edge a–b, 0 none, 1 circle, 2 arrowhead, 3 tail
(as `marks` here). `amat.cpdag`, for DAGs and CPDAGs: `amat[b, a] = 1` alone is `a --> b`, and 1 on both sides is `a
--- b`.

In R: `amat <- as.matrix(read.csv("graph.csv", row.names = 1, check.names = FALSE))`, and
`write.csv(as(fit, "amat"), "graph.csv")`. The corner of our CSV holds the kind, which R ignores.
"""

import csv
from collections.abc import Iterable
from io import StringIO

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ancestral.errors import GraphError, Option
from ancestral.graphs import MixedGraph
from ancestral.graphs.marks import ARROW, CIRCLE, TAIL
from ancestral.graphs.names import checked_names
from ancestral.io.interop.common import GraphBuilder, HasPag, checked_kind, checked_text, graph_of, refuse_roles
from ancestral.io.kinds import KINDS, kind_of

__all__ = ["from_pcalg", "from_pcalg_csv", "to_pcalg", "to_pcalg_csv"]

#: The kinds that pcalg codes as amat.cpdag.
_CPDAG_CODED = ("dag", "cpdag")


def to_pcalg(graph: MixedGraph | HasPag) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """The matrix of the graph in the coding that pcalg has for its kind, and the names of its rows and columns.

    Args:
        graph: A graph, or an object with a `.pag`.

    Returns:
        The matrix and the names.

    Raises:
        GraphError: If the graph is a DAG with latent or selection nodes, which the matrix cannot express.

    Examples:
        >>> from ancestral import CPDAG, PAG
        >>> amat, names = to_pcalg(PAG.parse("a o-> b"))
        >>> names, amat.tolist()
        (('a', 'b'), [[0, 2], [1, 0]])
        >>> to_pcalg(CPDAG.parse("a --> b"))[0].tolist()
        [[0, 0], [1, 0]]
    """
    written = graph_of(graph)
    refuse_roles(written, "pcalg's matrix", "latent", "selection")
    if kind_of(written) not in _CPDAG_CODED:
        return written.marks.astype(np.int64), written.nodes
    # a 1 in row b: an arrowhead at b, or an end of an undirected edge
    arrowheads = (written.marks == ARROW).T
    undirected = (written.marks == TAIL) & (written.marks.T == TAIL)
    return (arrowheads | undirected).astype(np.int64), written.nodes


def from_pcalg(amat: ArrayLike, names: Iterable[str], kind: str | None = None) -> MixedGraph:
    """The graph of a matrix of pcalg; the kind decides the coding.

    Without `kind`, a matrix with 2 or 3 is a PAG, and one of 0 and 1 that is not symmetric a DAG if no edge is
    undirected, otherwise a CPDAG. A symmetric one may be `---` of a CPDAG or `o-o` of a PAG, and needs `kind`.

    Args:
        amat: The matrix.
        names: The names of its rows and columns.
        kind: "dag", "mag", "cpdag" or "pag".

    Returns:
        The graph.

    Raises:
        GraphError: If it is not such a matrix.
        OptionError: If there is no such kind.

    Examples:
        >>> from_pcalg([[0, 2], [1, 0]], ["a", "b"])
        PAG.parse('a o-> b')
        >>> from_pcalg([[0, 1], [1, 0]], ["a", "b"], kind="cpdag")
        CPDAG.parse('a --- b')
    """
    nodes = checked_names(names)
    matrix = _checked(amat, nodes)
    chosen = checked_kind(kind) or _coded_kind(matrix)
    if chosen not in _CPDAG_CODED:
        return KINDS[chosen](nodes, matrix)
    if (matrix > 1).any():
        x, y = np.argwhere(matrix > 1)[0]
        raise GraphError(
            f"the matrix of a {chosen.upper()} must hold 0 and 1, got {matrix[x, y]} at {nodes[x]!r}, {nodes[y]!r}; "
            "for marks, pass ",
            Option("kind", "pag"),
            " or ",
            Option("kind", "mag"),
        )
    builder = GraphBuilder(chosen, dict.fromkeys(nodes))
    for x, y in np.argwhere(np.triu(matrix | matrix.T)):
        at_x, at_y = _CPDAG_MARKS[int(matrix[x, y]), int(matrix[y, x])]
        builder.edge(nodes[x], nodes[y], at_x, at_y)
    return builder.graph()


_CPDAG_MARKS = {(0, 1): (TAIL, ARROW), (1, 0): (ARROW, TAIL), (1, 1): (TAIL, TAIL)}


def _checked(amat: ArrayLike, nodes: tuple[str, ...]) -> NDArray[np.int64]:
    try:
        given = np.asarray(amat)
    except ValueError:
        given = np.zeros(0)
    n = len(nodes)
    if n == 0 and given.size == 0:
        return np.zeros((0, 0), dtype=np.int64)
    if given.shape != (n, n):
        shape = " x ".join(map(str, given.shape)) or "a single value"
        raise GraphError(f"the matrix of {n} names must be {n} x {n}, got {shape}; give a name for each row")
    whole = given.astype(np.int64) if given.dtype.kind in "biuf" and np.isfinite(given).all() else None
    if whole is None or (whole != given).any() or (whole < 0).any() or (whole > TAIL).any():
        raise GraphError(
            "an adjacency matrix of pcalg must hold 0, 1, 2 and 3, got other values; replace weights and missing values"
        )
    if whole.diagonal().any():
        name = nodes[int(np.flatnonzero(whole.diagonal())[0])]
        raise GraphError(f"an edge must join two nodes, got one from {name!r} to itself; set the diagonal to 0")
    return whole


def _coded_kind(matrix: NDArray[np.int64]) -> str:
    if (matrix > CIRCLE).any() or not matrix.any():
        return "pag"
    if (matrix == matrix.T).all():
        raise GraphError(
            "a symmetric matrix of 0 and 1 may be o-o edges of a PAG or --- edges of a CPDAG; pass ",
            Option("kind", "pag"),
            " or ",
            Option("kind", "cpdag"),
        )
    return "cpdag" if (matrix & matrix.T).any() else "dag"


def to_pcalg_csv(graph: MixedGraph | HasPag) -> str:
    """The matrix of `to_pcalg` as CSV, with names on both sides and the kind in the corner.

    Args:
        graph: A graph, or an object with a `.pag`.

    Returns:
        The text.

    Raises:
        GraphError: If the graph is a DAG with latent or selection nodes.

    Examples:
        >>> from ancestral import PAG
        >>> print(to_pcalg_csv(PAG.parse("a o-> b")), end="")
        "PAG","a","b"
        "a",0,2
        "b",1,0
    """
    written = graph_of(graph)
    amat, names = to_pcalg(written)
    out = StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow([kind_of(written).upper(), *names])
    writer.writerows([name, *row] for name, row in zip(names, amat.tolist(), strict=True))
    return out.getvalue()


def from_pcalg_csv(text: str, kind: str | None = None) -> MixedGraph:
    """The graph in a CSV, as `write.csv` of R writes an adjacency matrix, with the names of rows or without.

    Args:
        text: The text.
        kind: "dag", "mag", "cpdag" or "pag"; without it, the one in the corner, otherwise as in `from_pcalg`.

    Returns:
        The graph.

    Raises:
        GraphError: If it is not such a CSV; the message has the line.
        OptionError: If there is no such kind.

    Examples:
        >>> from_pcalg_csv('"","a","b"\\n"a",0,2\\n"b",3,0\\n')
        PAG.parse('a --> b')
    """
    content = checked_text(text, "the CSV of an adjacency matrix").removeprefix("\ufeff")
    lines = csv.reader(StringIO(content, newline=""), strict=True)
    rows: list[tuple[int, list[str]]] = []
    try:
        rows.extend((lines.line_num, row) for row in lines if row)
    except csv.Error as error:
        raise GraphError(f"line {lines.line_num}: must be CSV ({error}); is the text complete?") from None
    header, body = (rows[0][1], rows[1:]) if rows else ([], [])
    n = len(body)
    # a graph without nodes is a whole line, the kind in its corner
    if not n and not (len(header) == 1 and header[0].lower() in KINDS and text.endswith("\n")):
        raise GraphError(
            "line 1: must hold names, with a row for each below, got no rows; write the matrix with "
            "write.csv(amat, file)"
        )
    has_row_names = len(header) == n + 1
    if not has_row_names and len(header) != n:
        raise GraphError(
            f"line 1: a matrix must have as many rows as columns, got {n} x {len(header)}; is the text complete?"
        )
    names = checked_names(header[1:] if has_row_names else header)
    matrix = np.zeros((n, n), dtype=np.int64)
    for i, (number, row) in enumerate(body):
        if len(row) != len(header):
            raise GraphError(
                f"line {number}: must have {len(header)} fields, one for each column, got {len(row)}; is it complete?"
            )
        if has_row_names and row[0] != names[i]:
            raise GraphError(
                f"line {number}: must be the row of {names[i]!r}, got that of {row[0]!r}; keep the order of the columns"
            )
        for j, cell in enumerate(row[1:] if has_row_names else row):
            if cell.strip() not in ("0", "1", "2", "3"):
                raise GraphError(
                    f"line {number}: a mark must be 0, 1, 2 or 3, got {cell!r} in the column of {names[j]!r}"
                )
            matrix[i, j] = int(cell)
    corner = header[0].lower() if has_row_names else ""
    return from_pcalg(matrix, names, checked_kind(kind) or (corner if corner in KINDS else None))
