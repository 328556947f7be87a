"""Run by the Python of `build/peers`: the skeletons of causal-learn's FCI on saved rows, for `agreement`.

python peer_skeleton.py rows.npy alpha out.npz: `first` after its search for adjacencies, `last` in the end
"""

import contextlib
import importlib
import io
import sys

import numpy as np

if __name__ == "__main__":
    search = importlib.import_module("causallearn.search.ConstraintBased.FCI")
    rows, alpha = np.load(sys.argv[1]), float(sys.argv[2])
    first: list[np.ndarray] = []
    found = search.fas

    def listening(*args: object, **kwargs: object) -> object:
        """Keep the graph as it is when the first search ends."""
        answer = found(*args, **kwargs)
        first.append(np.array(answer[0].graph) != 0)
        return answer

    setattr(search, "fas", listening)  # noqa: B010
    with contextlib.redirect_stdout(io.StringIO()):
        graph, _ = search.fci(rows, "fisherz", alpha, verbose=False, show_progress=False)
    np.savez(sys.argv[3], first=first[0], last=np.array(graph.graph) != 0)
