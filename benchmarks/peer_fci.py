"""Run by the Python that has causal-learn: print the seconds of causal-learn's FCI on a saved array, at alpha 0.01.

python peer_fci.py data.npy fisherz|gsq
"""

import contextlib
import importlib
import io
import sys
import time

import numpy as np

if __name__ == "__main__":
    fci = importlib.import_module("causallearn.search.ConstraintBased.FCI").fci
    data = np.load(sys.argv[1])
    with contextlib.redirect_stdout(io.StringIO()):
        start = time.perf_counter()
        fci(data, sys.argv[2], 0.01, verbose=False, show_progress=False)
        taken = time.perf_counter() - start
    print(taken)
