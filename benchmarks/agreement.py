"""Whether our FCI and causal-learn's find the same edges on the same rows: `make agreement`.

    python -m benchmarks.agreement [--sets 40] [--report docs/agreement.md]

Gaussian rows of random DAGs with latent nodes, Fisher's z. Both searches for adjacencies ask the same questions (all
subsets of neighbours, removals at the end of a size), so their skeletons must be equal. The second searches do not ask
the same ones; each edge in which the ends differ is traced to a set that one of them does not ask about.
"""

import argparse
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
    """One data set: whether the first skeletons are equal, and what is to be said about each edge that differs."""

    name: str
    first_equal: bool
    differing: list[str]


def theirs(python: str, rows: NDArray[np.float64]) -> tuple[Joined, Joined]:
    """causal-learn's skeletons after the first search and in the end."""
    SCRATCH.mkdir(parents=True, exist_ok=True)
    data, out = SCRATCH / "agreement.npy", SCRATCH / "agreement.npz"
    np.save(data, rows)
    subprocess.run([python, str(SKELETON), str(data), str(ALPHA), str(out)], check=True, timeout=300)
    answer = np.load(out)
    return answer["first"], answer["last"]


def compared(python: str, seed: int) -> Outcome:
    """One data set."""
    nodes, count = 8 + seed % 8, (200, 1_000, 5_000)[seed % 3]
    dag = an.simulate.random_dag(nodes=nodes, degree=2.5, seed=seed)
    frame = an.simulate.linear_gaussian(dag, rows=count, seed=seed)
    names = tuple(frame.columns)
    first, last = theirs(python, frame.to_numpy())
    stages = list(an.stages(frame, algorithm="fci", verify=False, alpha=ALPHA))
    ours_first = [s for s in stages if s.phase is Phase.ADJACENCY][-1].pag.arranged(names) != 0
    found = an.discover(frame, algorithm="fci", verify=False, alpha=ALPHA)
    ours_last = found.pag.arranged(names) != 0
    differing = []
    for x, y in np.argwhere(np.triu(ours_last != last)).tolist():
        a, b = names[x], names[y]
        if ours_last[x, y]:
            differing.append(
                f"{a}–{b} is removed by causal-learn alone, after its graph has changed: no set of ours is left"
            )
        else:
            given = found.sepset(a, b)
            p_value = found.evidence(a, b).p_value
            shown = ", ".join(sorted(given or ()))
            differing.append(
                f"{a}–{b} falls given {{{shown}}} (p = {p_value:.3f}), which causal-learn does not ask about"
            )
    return Outcome(f"{nodes} nodes, {count} rows, seed {seed}", bool((ours_first == first).all()), differing)


def page(outcomes: list[Outcome], command: str) -> str:
    """What was found, as a page."""
    equal = sum(not outcome.differing for outcome in outcomes)
    lines = [
        "# Beside causal-learn's FCI",
        "",
        f"`{command}`",
        "",
        (__doc__ or "").partition("\n\n")[2].partition("\n\n")[2].strip(),
        "",
        f"After the search for adjacencies the skeletons are equal on {sum(o.first_equal for o in outcomes)} of "
        f"{len(outcomes)} data sets, in the end on {equal}.",
        "",
    ]
    for outcome in outcomes:
        lines += [f"- {outcome.name}: {text}" for text in outcome.differing]
    return "\n".join([*lines, ""])


def main() -> None:
    """Compare, print and keep the page."""
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


if __name__ == "__main__":
    main()
