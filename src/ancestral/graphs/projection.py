"""The MAG of a DAG: what it implies for its observed nodes, given selection.

Two observed nodes a and b are adjacent in the MAG if no set of observed nodes separates them. This is the case if and
only if an inducing path joins them: every observed or selection node on it is a collider, and every collider is an
ancestor of a, of b or of selection. The mark at a is a tail if a is an ancestor of b or of selection, otherwise
an arrowhead. (Richardson & Spirtes 2002, section 4.2.)
"""

import numpy as np

from ancestral.errors import GraphError
from ancestral.graphs._separation_cy import Walker
from ancestral.graphs.bits import all_bits, bits_of, has_bit, union_of
from ancestral.graphs.kinds import DAG, MAG
from ancestral.graphs.marks import ARROW, TAIL
from ancestral.printing import shown_type

__all__ = ["mag_of"]


def mag_of(dag: DAG) -> MAG:
    """The maximal ancestral graph of a DAG over its observed nodes.

    Args:
        dag: The DAG.

    Returns:
        The MAG, which entails the same separations of observed nodes, given the selection nodes.

    Raises:
        GraphError: If the graph is of another kind.

    Examples:
        >>> print(mag_of(DAG.parse("L -> a, L -> b, a -> s, c -> s", latent=["L"], selection=["s"])))
        a --> b
        a --- c
    """
    if not isinstance(dag, DAG):
        raise GraphError(f"mag_of needs a DAG, got {shown_type(dag)}; for a MAG of a PAG see an.mag_in")
    observed = [dag.index(name) for name in dag.observed]
    selection = [dag.index(name) for name in dag.selection]
    position = {node: i for i, node in enumerate(observed)}
    walker = Walker(dag.marks)
    blocks = bits_of([*observed, *selection], walker.words)
    everything = all_bits(walker.words)
    ancestors, of_selection = dag.ancestor_bits, union_of(selection, dag.ancestor_bits)

    marks = np.zeros((len(observed), len(observed)), dtype=np.uint8)
    for a in observed:
        # a node that cannot be reached when every collider is open cannot be reached by an inducing path
        for b in walker.reached(a, blocks, everything):
            if b < a or b not in position:
                continue
            if walker.connected(a, b, blocks, ancestors[a] | ancestors[b] | of_selection):
                for x, y in ((a, b), (b, a)):
                    before = has_bit(ancestors[y], x) or has_bit(of_selection, x)
                    marks[position[y], position[x]] = TAIL if before else ARROW
    return MAG(dag.observed, marks)
