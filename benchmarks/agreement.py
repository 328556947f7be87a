"""Compare our FCI with causal-learn's on the same rows: `make agreement`.

    python -m benchmarks.agreement [--sets 40] [--report docs/agreement.md]

Gaussian rows of random DAGs with latent nodes, Fisher's z. The first phases of both programs ask the same questions
(all subsets of neighbours, edges removed after each size), so their skeletons must be equal. The second phases ask
different ones: causal-learn's Possible-D-Sep sets are smaller (it requires possible parents on the way, and reads them
from a graph that changes meanwhile). Its questions are recorded, and each edge in which the final skeletons differ is
traced to a set that causal-learn did not ask about.
"""

import argparse
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import ancestral as an
from ancestral.search.stage import Phase
from benchmarks.measure import SCRATCH
from benchmarks.peers import causal_learn

SKELETON = Path(__file__).with_name("peer_skeleton.py")
ALPHA = 0.01
Joined = NDArray[np.bool_]


@dataclass(frozen=True)
class Outcome:
    """One data set: whether the first skeletons are equal, and a line about each edge that differs in the end."""

    name: str
    first_equal: bool
    differing: list[str]


@dataclass(frozen=True)
class Peer:
    """causal-learn's skeletons after the first search and in the end, and all its questions."""

    first: Joined
    last: Joined
    asked: set[tuple[frozenset[int], frozenset[int]]]


def theirs(python: str, rows: NDArray[np.float64]) -> Peer:
    """Run causal-learn on these rows."""
    SCRATCH.mkdir(parents=True, exist_ok=True)
    data, out = SCRATCH / "agreement.npy", SCRATCH / "agreement.json"
    np.save(data, rows)
    subprocess.run([python, str(SKELETON), str(data), str(ALPHA), str(out)], check=True, timeout=300)
    answer = json.loads(out.read_text())
    asked = {(frozenset((x, y)), frozenset(given)) for x, y, given in answer["asked"]}
    return Peer(np.array(answer["first"]), np.array(answer["last"]), asked)


def compared(python: str, seed: int) -> Outcome:
    """Compare both searches on one data set."""
    nodes, count = 8 + seed % 8, (200, 1_000, 5_000)[seed % 3]
    dag = an.simulate.random_dag(nodes=nodes, degree=2.5, seed=seed)
    frame = an.simulate.linear_gaussian(dag, rows=count, seed=seed)
    names = tuple(frame.columns)
    peer = theirs(python, frame.to_numpy())
    stages = list(an.stages(frame, algorithm="fci", verify=False, alpha=ALPHA))
    first = [s for s in stages if s.phase is Phase.ADJACENCY][-1].pag.arranged(names) != 0
    found = an.discover(frame, algorithm="fci", verify=False, alpha=ALPHA)
    last = found.pag.arranged(names) != 0
    differing = []
    for x, y in np.argwhere(np.triu(last != peer.last)).tolist():
        a, b = names[x], names[y]
        if last[x, y]:
            differing.append(f"{a}–{b} is removed by causal-learn alone: NOT TRACED")
            continue
        given = found.sepset(a, b) or frozenset()
        asked = (frozenset((x, y)), frozenset(names.index(z) for z in given)) in peer.asked
        shown = f"{a}–{b} falls given {{{', '.join(sorted(given))}}} (p = {found.evidence(a, b).p_value:.3f})"
        differing.append(shown + (": NOT TRACED" if asked else ", which causal-learn did not ask about"))
    return Outcome(f"{nodes} nodes, {count} rows, seed {seed}", bool((first == peer.first).all()), differing)


def page(outcomes: list[Outcome], command: str) -> str:
    """The result as a page."""
    equal = sum(not outcome.differing for outcome in outcomes)
    lines = [
        "# Beside causal-learn's FCI",
        "",
        f"`{command}`",
        "",
        (__doc__ or "").partition("\n\n")[2].partition("\n\n")[2].strip(),
        "",
        f"After the first phase the skeletons are equal on {sum(o.first_equal for o in outcomes)} of "
        f"{len(outcomes)} data sets, in the end on {equal}.",
        "",
    ]
    for outcome in outcomes:
        lines += [f"- {outcome.name}: {text}" for text in outcome.differing]
    return "\n".join([*lines, ""])


def main() -> None:
    """Compare, print the page and write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=40)
    parser.add_argument("--report", type=Path, default=Path("docs/agreement.md"))
    options = parser.parse_args()
    python = causal_learn()
    if python is None:
        raise SystemExit("causal-learn could not be installed here")
    outcomes = [compared(python, seed) for seed in range(options.sets)]
    text = page(outcomes, f"python -m benchmarks.agreement --sets {options.sets}")
    print(text)
    options.report.write_text(text, encoding="utf-8")
    if not all(outcome.first_equal for outcome in outcomes):
        raise SystemExit("the skeletons after the same questions differ")
    if "NOT TRACED" in text:
        raise SystemExit("an edge differs although both have asked the same")


if __name__ == "__main__":
    main()
