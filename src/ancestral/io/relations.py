"""What a graph says about each pair of variables, as a frame."""

from typing import Any

import numpy as np

from ancestral.certainty import Certainty
from ancestral.data.libraries import Library, frame_of
from ancestral.errors import GraphError
from ancestral.graphs import PAG
from ancestral.graphs.relations import causal_answers
from ancestral.printing import shown_type

__all__ = ["relations", "relations_of_data"]


def relations(pag: PAG, *, selection_bias: bool = True, complete: bool = True, library: Library = "polars") -> Any:
    """A frame with a row for each pair: who causes whom, and whether something unmeasured drives both.

    Args:
        pag: A PAG or CPDAG.
        selection_bias: False if the sample was certainly not selected.
        complete: False if edges of the graph may still go.
        library: "polars", "pandas" or "pyarrow".

    Returns:
        A frame with the columns `a`, `edge` (null where there is none), `b`; `a_causes_b` and `b_causes_a`, each "yes",
        "no" or "possibly", directly or through others; and `confounded`, as `PAG.confounded` answers.

    Raises:
        GraphError: If the graph is of another kind.
        OptionError: If there is no such library.

    Examples:
        >>> print(relations(PAG.parse("c o-> a, a --> b")).drop("edge").rows())
        [('c', 'a', 'possibly', 'no', 'possibly'), ('c', 'b', 'possibly', 'no', 'no'), ('a', 'b', 'yes', 'no', 'no')]
    """
    if not isinstance(pag, PAG):
        raise GraphError(f"the graph must be a PAG or CPDAG, got {shown_type(pag)}; make one with an.pag_of")
    import polars as pl

    answers = causal_answers(pag, selection_bias, complete)
    first, second = np.triu_indices(len(pag.nodes), 1)
    pairs = [(pag.nodes[i], pag.nodes[j]) for i, j in zip(first.tolist(), second.tolist(), strict=True)]
    columns = {
        "a": [a for a, _ in pairs],
        "edge": [pag.edge(a, b) for a, b in pairs],
        "b": [b for _, b in pairs],
        "a_causes_b": answers[first, second].tolist(),
        "b_causes_a": answers[second, first].tolist(),
        "confounded": [str(pag.confounded(a, b)) for a, b in pairs],
    }
    return frame_of({name: pl.Series(name, values, dtype=pl.String) for name, values in columns.items()}, library)


def relations_of_data(
    pag: PAG, certainty: Certainty | None, *, selection_bias: bool, complete: bool, library: Library
) -> Any:
    """The same of a graph that was found in data, with three more columns: how certain each answer is.

    `certainty` is None if no resamples were searched; then they are null.
    """
    import polars as pl

    frame = relations(pag, selection_bias=selection_bias, complete=complete)
    asked = list(zip(frame["a"].to_list(), frame["b"].to_list(), strict=True))
    columns: dict[str, list[float | None]] = {
        "a_causes_b_certainty": [None if certainty is None else certainty.causes(a, b) for a, b in asked],
        "b_causes_a_certainty": [None if certainty is None else certainty.causes(b, a) for a, b in asked],
        "confounded_certainty": [None if certainty is None else certainty.confounded(a, b) for a, b in asked],
    }
    more = {name: pl.Series(name, values, dtype=pl.Float64) for name, values in columns.items()}
    return frame_of({**frame.to_dict(), **more}, library)
