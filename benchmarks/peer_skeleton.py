"""Run by the Python that has causal-learn, for `agreement`: skeletons and questions of its FCI on saved rows.

python peer_skeleton.py rows.npy alpha out.json: `first` is the skeleton after its search for adjacencies, `last` the
final one, `asked` a list of x, y and the set of each question
"""

import contextlib
import importlib
import io
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

if __name__ == "__main__":
    search: Any = importlib.import_module("causallearn.search.ConstraintBased.FCI")
    rows, alpha = np.load(sys.argv[1]), float(sys.argv[2])
    first: list[Any] = []
    asked: list[Any] = []
    find_adjacencies, make_test = search.fas, search.CIT

    def fas(*args: Any, **kwargs: Any) -> Any:
        """Record the graph at the end of the first search."""
        answer = find_adjacencies(*args, **kwargs)
        first.append((np.array(answer[0].graph) != 0).tolist())
        return answer

    def recording(*args: Any, **kwargs: Any) -> Any:
        """A test that records every question."""
        test = make_test(*args, **kwargs)
        kind = type(test)

        class Recording(kind):  # type: ignore[misc, valid-type]
            """The same test, recorded."""

            def __call__(self, x: int, y: int, given: Any = None, *more: Any) -> Any:
                """Record the question, and ask it."""
                asked.append([int(x), int(y), sorted(int(z) for z in (given or ()))])
                return super().__call__(x, y, given, *more)

        test.__class__ = Recording
        return test

    search.fas, search.CIT = fas, recording
    with contextlib.redirect_stdout(io.StringIO()):
        graph, _ = search.fci(rows, "fisherz", alpha, verbose=False, show_progress=False)
    last = (np.array(graph.graph) != 0).tolist()
    Path(sys.argv[3]).write_text(json.dumps({"first": first[0], "last": last, "asked": asked}))
