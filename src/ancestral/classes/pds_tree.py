"""PDS-paths and PDS-trees (definitions 1 and 2 of the ICD paper), for teaching.

A possible-D-Sep-path from a root, with respect to another node, avoids that node, and each inner node is a collider on
it or forms a triangle with its two neighbours. All PDS-paths from a root form its tree. The search itself does not list
paths: `_icd_sep_cy` grows sets along walks.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from ancestral.arguments import whole_number
from ancestral.errors import GraphError
from ancestral.graphs import PAG
from ancestral.graphs.names import by_name
from ancestral.printing import shown_type

__all__ = ["PDSTree", "pds_tree"]


@dataclass(frozen=True)
class PDSTree:
    """A node of a PDS-tree: its name, and the trees of the nodes that a PDS-path may go on to."""

    name: str
    branches: tuple["PDSTree", ...]

    def paths(self) -> Iterator[tuple[str, ...]]:
        """All PDS-paths from the root, the shorter before those that continue them."""
        for branch in self.branches:
            yield self.name, branch.name
            for path in branch.paths():
                if len(path) > 1:
                    yield self.name, *path

    def __str__(self) -> str:
        return "\n".join([self.name, *self._lines("")])

    def _lines(self, indent: str) -> Iterator[str]:
        for branch in self.branches:
            last = branch is self.branches[-1]
            yield f"{indent}{'└── ' if last else '├── '}{branch.name}"
            yield from branch._lines(indent + ("    " if last else "│   "))


def pds_tree(pag: PAG, root: str, other: str, radius: int) -> PDSTree:
    """The PDS-paths from `root` with respect to `other`, of up to `radius` edges.

    Args:
        pag: The PAG.
        root: The node where the paths begin.
        other: The other node of the pair.
        radius: The largest number of edges of a path.

    Returns:
        A tree that prints as text.

    Raises:
        GraphError: If the graph is not a PAG.
        UnknownName: If a node is not in it.

    Examples:
        >>> print(pds_tree(PAG.parse("d o-> a, a <-> b, b <-o c, a o-> e, b o-> e"), "d", "e", radius=3))
        d
        └── a
            └── b
                └── c
    """
    if not isinstance(pag, PAG):
        raise GraphError(f"the graph must be a PAG, got {shown_type(pag)}; pag_of gives the PAG of a DAG or MAG")
    pag.index(other)
    whole_number("radius", radius, 0)
    return _grown(pag, (root,), other, radius)


def _grown(pag: PAG, path: tuple[str, ...], other: str, left: int) -> PDSTree:
    end = path[-1]
    following = sorted(pag.neighbours(end) - {*path, other}, key=by_name) if left else []
    branches = tuple(_grown(pag, (*path, v), other, left - 1) for v in following if _passes(pag, (*path, v)))
    return PDSTree(end, branches)


def _passes(pag: PAG, path: tuple[str, ...]) -> bool:
    """Whether a PDS-path is still one after its last step."""
    if len(path) < 3:
        return True
    u, v, w = path[-3:]
    collider = pag.has(u, "*->", v) and pag.has(w, "*->", v)
    return collider or pag.edge(u, w) is not None
