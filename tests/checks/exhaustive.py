"""The long checks against brute force and against the truth: `make exhaustive`.

    python -m tests.checks.exhaustive [--classes 2000] [--graphs 3000] [--seed 1] [--report docs/exhaustive.md]

1. Every MAG of 2 to 5 nodes (5: one skeleton of each kind) has the PAG that its equivalence class has by definition.
2. So have random classes of 6 to 8 nodes, from random DAGs and from the generators for trouble. Which graphs are tried
   is settled before the enumeration, by the number of edges; no class is given up halfway.
3. Each rule is decisive somewhere: without it, the answer changes. A rule that is decisive nowhere fails the check.
4. Searches with the oracle: on every class of five nodes, and on random DAGs (the paper's and the generators for
   trouble, with at most 10 observed nodes and 24 edges), every mark and every missing edge of every stage is true and
   the last stage is the PAG: ICD for all six combinations of `stable` and `possible_ancestors`, FCI and FCI+ for both
   values of `stable`. FCI and FCI+ as printed, unverified, end with the PAG, too. RFCI says nothing false.
5. On every class of 2 to 5 nodes, the changes of one mark that stay in the class are those that the local conditions
   allow, and they lead to all of its MAGs without undirected edges (`list_mags`).
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ancestral import DAG, MAG, PAG, GraphError, list_mags, mag_of, simulate
from ancestral.classes._listing_cy import ClassWalk
from ancestral.classes.equivalence import class_pag
from ancestral.graphs.marks import ARROW, TAIL
from ancestral.orientation import ALL_RULES
from tests.support.classes import Marks, agreed_marks, classes, oriented_marks, skeletons_up_to_isomorphism
from tests.support.stage_laws import EXACT, SOUND, assert_exact_as_printed, assert_rfci_is_sound, assert_sound

#: Largest number of edges of a random graph: the enumeration grows exponentially with it.
MOST_EDGES = {6: 13, 7: 12, 8: 12}


class Tally:
    """What was checked, what was wrong, and which rules mattered."""

    def __init__(self) -> None:
        self.checked: Counter[str] = Counter()
        self.mags: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.decisive: Counter[str] = Counter()

    def add(self, kind: str, members: list[Marks], expected: Marks) -> None:
        """Check a class: these members, whose marks by definition are expected."""
        self.checked[kind] += 1
        self.mags[kind] += len(members)
        for mag in members:
            if not np.array_equal(oriented_marks(mag), expected):
                self.wrong.append(f"{kind}: {mag.tolist()}")
        for rule in ALL_RULES:
            without = [name for name in ALL_RULES if name != rule]
            if not np.array_equal(oriented_marks(members[0], without), expected):
                self.decisive[rule] += 1


def small(tally: Tally) -> None:
    """Every class of up to five nodes."""
    for n in (2, 3, 4, 5):
        for members in classes(skeletons_up_to_isomorphism(n)):
            tally.add(f"{n} nodes, all", members, agreed_marks(members))


def random_graphs(seed: int) -> Iterator[DAG]:
    """Endless DAGs with 6 to 8 observed nodes: plain ones, and those of the generators for trouble."""
    rng = np.random.default_rng(seed)
    while True:
        draw = int(rng.integers(2**31))
        for make in simulate.trouble.TROUBLE:
            yield make(seed=draw)
        nodes, selection = int(rng.integers(7, 13)), int(rng.integers(0, 3))
        try:
            yield simulate.random_dag(nodes=nodes, degree=rng.uniform(2, 3), seed=draw, selection=selection)
        except GraphError:
            continue


def large(tally: Tally, count: int, seed: int) -> None:
    """Different random classes of six to eight nodes."""
    seen: set[PAG] = set()
    for dag in random_graphs(seed):
        if len(dag.observed) not in MOST_EDGES:
            continue
        names = [f"v{i}" for i in range(len(dag.observed))]
        mag = MAG(names, mag_of(dag).marks)
        if len(mag.edges()) > MOST_EDGES[len(names)] or (expected := class_pag(mag)) in seen:
            continue
        seen.add(expected)
        tally.add(f"{len(names)} nodes, random", [mag.marks], expected.marks)
        if len(seen) == count:
            return


class Searches:
    """Searches that were checked, stage by stage, and those that failed."""

    def __init__(self) -> None:
        self.graphs: Counter[str] = Counter()
        self.stages = 0
        self.weaker = 0  # graphs on which RFCI says less than the PAG
        self.failed: list[str] = []

    def add(self, kind: str, graph: DAG | MAG) -> None:
        """Check all ways of searching on one graph."""
        self.graphs[kind] += 1
        try:
            self.stages += assert_sound(graph, SOUND + EXACT)
            assert_exact_as_printed(graph)
            self.weaker += not assert_rfci_is_sound(graph)
        except AssertionError as error:
            self.failed.append(f"{kind}: {error}")


def searches(count: int, seed: int) -> Searches:
    """Check the searches on all classes of five nodes and on random DAGs."""
    done = Searches()
    for members in classes(skeletons_up_to_isomorphism(5)):
        done.add("all classes of 5 nodes", MAG([f"v{i}" for i in range(5)], members[0]))
    for dag in random_graphs(seed):
        if len(dag.observed) <= 10 and len(mag_of(dag).edges()) <= 24:
            done.add("random DAGs", dag)
            if done.graphs["random DAGs"] == count:
                break
    return done


class Listings:
    """Changes of single marks that were checked, and classes that were listed."""

    def __init__(self) -> None:
        self.classes = 0
        self.mags = 0
        self.changes = 0
        self.wrong: list[str] = []

    def add(self, members: list[Marks]) -> None:
        """Check one class: every change of a mark in every MAG, and the list."""
        agreed, kept = agreed_marks(members), {marks.tobytes() for marks in members}
        choices = np.argwhere(agreed)
        self.classes += 1
        for marks in members:
            walk = ClassWalk(marks, choices, False, True)
            for k, (u, v) in enumerate(choices.tolist()):
                changed = marks.copy()
                changed[u, v] = ARROW + TAIL - marks[u, v]
                self.changes += 1
                if walk.allows(k) is not (changed.tobytes() in kept):
                    self.wrong.append(f"change of {u}, {v} in {marks.tolist()}")
        plain = {marks.tobytes() for marks in members if not ((marks == TAIL) & (marks.T == TAIL)).any()}
        listed = [mag.marks.tobytes() for mag in list_mags(PAG([f"v{i}" for i in range(len(agreed))], agreed))]
        self.mags += len(listed)
        if len(listed) != len(plain) or set(listed) != plain:
            self.wrong.append(f"list of {agreed.tolist()}")


def listings() -> Listings:
    """Check the lists of all classes of up to five nodes."""
    done = Listings()
    for n in (2, 3, 4, 5):
        for members in classes(skeletons_up_to_isomorphism(n)):
            done.add(members)
    return done


def report(tally: Tally, done: Searches, lists: Listings, command: str) -> str:
    """The findings as a page."""
    lines = [
        "# The rules against brute force",
        "",
        f"`{command}`",
        "",
        "The PAG by the rules R0–R10 is compared with the PAG by definition: all MAGs that entail the same separations",
        "are enumerated, without any rule, and a mark belongs into the PAG if they agree on it.",
        "",
        "| graphs | classes | MAGs compared |",
        "| --- | --- | --- |",
        *(f"| {kind} | {count} | {tally.mags[kind]} |" for kind, count in sorted(tally.checked.items())),
        "",
        f"Wrong: {len(tally.wrong)}.",
        "",
        "On how many classes each rule is decisive (without it, the answer changes):",
        "",
        "| " + " | ".join(ALL_RULES) + " |",
        "|" + " --- |" * len(ALL_RULES),
        "| " + " | ".join(str(tally.decisive[rule]) for rule in ALL_RULES) + " |",
        "",
        "## Searches at every stage",
        "",
        "With the oracle, verified, for ICD (the six combinations of `stable` and `possible_ancestors`), FCI and FCI+",
        "(both values of `stable`): every mark and missing edge of every stage is true of the graph (by ancestry,",
        "no rule involved), and the last stage is the PAG. FCI and FCI+ as printed, not verified, end with it, too.",
        f"RFCI says nothing false at any stage; on {done.weaker} of the graphs it says less than the PAG.",
        "",
        "| graphs | number |",
        "| --- | --- |",
        *(f"| {kind} | {count} |" for kind, count in done.graphs.items()),
        "",
        f"Stages checked: {done.stages}. Graphs with anything wrong: {len(done.failed)}.",
        "",
        "## Lists of classes",
        "",
        "Changes of single marks that stay in a class, and the MAGs without `---` to which they lead (`list_mags`),",
        "against brute force, on every class of 2 to 5 nodes.",
        "",
        "| classes | changes compared | MAGs listed | wrong |",
        "| --- | --- | --- | --- |",
        f"| {lists.classes} | {lists.changes} | {lists.mags} | {len(lists.wrong)} |",
        "",
    ]
    return "\n".join(lines)


def main() -> int:
    """Run the check; 0 if all is well."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--classes", type=int, default=2000, help="random classes of 6 to 8 nodes")
    parser.add_argument("--graphs", type=int, default=3000, help="random DAGs to search")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=Path, default=Path("docs/exhaustive.md"))
    options = parser.parse_args()
    start = time.perf_counter()
    tally = Tally()
    small(tally)
    large(tally, options.classes, options.seed)
    done = searches(options.graphs, options.seed)
    lists = listings()
    command = (
        f"python -m tests.checks.exhaustive --classes {options.classes} --graphs {options.graphs} --seed {options.seed}"
    )
    text = report(tally, done, lists, command)
    print(text)
    print(f"{time.perf_counter() - start:.0f} s", *tally.wrong[:5], *done.failed[:5], *lists.wrong[:5], sep="\n")
    options.report.write_text(text, encoding="utf-8")
    idle = [rule for rule in ALL_RULES if not tally.decisive[rule]]
    if idle:
        print("never decisive:", *idle)
    return 1 if tally.wrong or done.failed or lists.wrong or idle else 0


if __name__ == "__main__":
    sys.exit(main())
