"""Our FCI and ICD beside causal-learn's FCI, on the same rows at the same alpha, from an array to a graph."""

from collections.abc import Iterator
from pathlib import Path
from statistics import median

import numpy as np

import ancestral as an
from benchmarks.gaussian import sample
from benchmarks.kinds import graph
from benchmarks.measure import SCRATCH, apart, rounds, short, table
from benchmarks.peers import PATIENCE, causal_learn, fci_seconds

#: Seconds below which the peer is run three times.
QUICK = 3.0


def ours(path: Path, test: str) -> float:
    """Our seconds from the saved array."""
    values = np.load(path)
    kinds = "discrete" if test == "g" else "continuous"
    an.discover(values, algorithm="icd", test=test, kinds=kinds, progress=False)
    (taken,) = rounds(lambda: an.discover(values, algorithm="icd", test=test, kinds=kinds, progress=False), budget=0.3)
    return min(taken)


def inputs() -> Iterator[tuple[str, Path, str, str]]:
    """The name of each case, the saved rows, our test and theirs."""
    for nodes in (15, 35, 70):
        yield f"Gaussian, {nodes} nodes", sample(nodes, 1_000), "fisher-z", "fisherz"
    for levels in (2, 3):
        path = SCRATCH / f"discrete-{levels}.npy"
        np.save(path, an.simulate.discrete(graph(50), rows=5_000, levels=levels, seed=1).to_numpy())
        yield f"50 columns of {levels} levels", path, "g", "gsq"


def lines() -> Iterator[tuple[str, ...]]:
    """The table, row by row; both programs run in turns."""
    for what, path, test, peer_test in inputs():
        pairs: list[tuple[float, float]] = []
        while not pairs or (len(pairs) < 3 and pairs[-1][1] < QUICK):
            mine, theirs = apart(ours, path, test), fci_seconds(path, peer_test)
            if theirs is None:
                yield what, short(mine), f"> {PATIENCE:.0f}", f"> {PATIENCE / mine:,.0f}"
                break
            pairs.append((mine, theirs))
        else:
            times = median(theirs / mine for mine, theirs in pairs)
            yield what, short(min(m for m, _ in pairs)), short(min(t for _, t in pairs)), f"{times:,.0f}"


def report() -> None:
    """Print the table."""
    print("## Beside causal-learn's FCI\n")
    if causal_learn() is None:
        print("causal-learn could not be installed here.\n")
    else:
        table(("what", "ours, s", "FCI, s", "FCI / ours"), lines())
