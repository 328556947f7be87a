"""Tables with overlapping columns, held against every graph that agrees with them: nothing false, and how much is left.

    python -m tests.checks.overlapping [--nodes 4] [--algorithm icd] [--families 0] [--seed 1]

For each class of MAGs on so many nodes, and each family of sets of columns that were measured together (all families
up to renaming, or so many at random), an oracle that answers only inside these sets is searched. All MAGs whose
separations inside the sets are the same are listed: a missing edge must be missing in all of them, a tail be an
ancestor, and an arrowhead none, in all of them. Counted is which share of what they agree on is found.
"""

import argparse
from collections import Counter

import numpy as np

from ancestral import Oracle, discover
from tests.support.overlapping import EveryMag, Family, families, families_up_to_isomorphism
from tests.support.reference import ARROW, TAIL


def compared(every: EveryMag, truth: int, family: Family, algorithm: str = "icd") -> Counter[str]:
    """What is said that is false, and how much of what could be said is said."""
    said = discover(
        Oracle(every.graph(truth), together=[[every.names[v] for v in some] for some in family]),
        algorithm=algorithm,
        progress=False,
    )
    marks, agreed = said.pag.arranged(every.names), every.agreed(truth, family)
    joined = marks != 0
    pair = np.triu(np.ones_like(joined), 1)
    apart = ~joined & pair
    tail, arrow = marks.T == TAIL, marks.T == ARROW  # at a on a–b, as `before[a, b]`
    return Counter(
        {
            "graphs": 1,
            "false missing edges": int((apart & ~agreed.apart).sum()),
            "false marks": int((tail & ~agreed.before).sum() + (arrow & ~agreed.not_before).sum()),
            "missing edges found": int(apart.sum()),
            "missing edges agreed on": int((agreed.apart & pair).sum()),
            "marks found": int((tail | arrow).sum()),
            "marks agreed on": int((joined & (agreed.before | agreed.not_before)).sum()),
        }
    )


def main() -> None:
    """Compare, and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=4)
    parser.add_argument("--algorithm", default="icd")
    parser.add_argument("--families", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    every = EveryMag(options.nodes)
    chosen = list(families_up_to_isomorphism(options.nodes))
    if options.families:
        chosen = list(families(options.nodes))
        chosen = [chosen[i] for i in np.random.default_rng(options.seed).permutation(len(chosen))[: options.families]]
    total: Counter[str] = Counter()
    for family in chosen:
        for truth in every.classes.tolist():
            total += compared(every, truth, family, options.algorithm)
    print(f"{len(every.classes)} classes, {len(chosen)} families")
    for what in ("graphs", "false missing edges", "false marks"):
        print(f"{what}: {total[what]:,}")
    for what in ("missing edges", "marks"):
        found, agreed = total[f"{what} found"], total[f"{what} agreed on"]
        print(f"{what}: {found:,} of {agreed:,} ({found / agreed:.1%})")


if __name__ == "__main__":
    main()
