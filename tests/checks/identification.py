"""The long checks of identification: `make exhaustive`, or by itself

    python -m tests.checks.identification [--systems 20000] [--seed 1] [--report docs/identification.md]

1. Every class of five nodes without selection, and all x and y. What is identified is identified by the algorithm ID in
   every causal graph tried (up to 40 MAGs of the class, each also with hidden causes behind its arrows), and has the
   value of the intervention in two random systems. What is refused has a certificate: a causal graph of the class in
   which ID fails, or two of them that give different values for one observed distribution.
2. Random systems with hidden causes: formulas on the exact joint distribution against the intervention itself, for any
   x, y and conditions, until there are 1,000 answers beyond adjustment, 100 of them by overlapping regions.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product
from pathlib import Path

import numpy as np

from ancestral import DAG, MAG, PAG, Identification, identify, pag_of
from ancestral.effects.identification.formulas import Product
from ancestral.effects.identification.plans import Plan, plan
from ancestral.effects.identification.structure import bits_in, structure_of
from ancestral.effects.identification.tables import value_on_tables
from tests.support.classes import classes, skeletons_up_to_isomorphism
from tests.support.interventions import BinarySystem, error_of, overlaps, random_causes
from tests.support.mixed_causes import MixedCauses, confounded_versions, identifies

#: The largest number of MAGs of a class that are looked at.
MOST_MAGS = 40

#: The largest error of a formula that counts as none.
EXACT = 1e-9


def classes_without_selection(n: int) -> Iterator[list[MAG]]:
    """The MAGs without `---` of each class of n nodes, one class of all that differ in names only."""
    names = [f"v{i}" for i in range(n)]
    orders = [np.ix_(order, order) for order in permutations(range(n))]
    seen = set()
    for members in classes(skeletons_up_to_isomorphism(n)):
        plain = [marks for marks in members if not ((marks == 3) & (marks.T == 3)).any()]
        if plain:
            marks = pag_of(MAG(names, plain[0])).marks
            key = min(marks[order].tobytes() for order in orders)
            if key not in seen:
                seen.add(key)
                yield [MAG(names, member) for member in plain]


def questions(names: tuple[str, ...]) -> Iterator[tuple[list[str], list[str]]]:
    """All disjoint x and y."""
    for sides in product(range(3), repeat=len(names)):
        x, y = ([name for name, side in zip(names, sides, strict=True) if side == k] for k in (1, 2))
        if x and y:
            yield x, y


def differ(graphs: list[MixedCauses], x: list[str], y: list[str], rng: np.random.Generator) -> bool:
    """Whether two of these graphs, all of one class, give different values for one observed distribution."""
    system = BinarySystem(graphs[0].dag(), rng)
    names = sorted({*x, *y})
    first = system.of(y, x, [], names)
    for graph in graphs[1:]:
        said = identify(graph.dag(), x, y)
        assert isinstance(said.formula, Product)
        axes = [*names, *said.any_value]
        value = value_on_tables(said.formula, system.marginal, axes).values
        if np.abs(value - first.reshape(first.shape + (1,) * len(said.any_value))).max() > 1e-6:
            return True
    return False


def five_nodes(rng: np.random.Generator) -> tuple[Counter[str], list[str]]:
    """Check all classes of five nodes; returns counts, and what is wrong."""
    counts, wrong = Counter[str](), []
    for members in classes_without_selection(5):
        counts["classes"] += 1
        pag = pag_of(members[0])
        chosen = [members[i] for i in rng.permutation(len(members))[:MOST_MAGS]]
        graphs = [graph for mag in chosen for graph in confounded_versions(mag)]
        systems = [BinarySystem(graphs[i].dag(), rng) for i in rng.choice(len(graphs), 2)]
        for x, y in questions(pag.nodes):
            counts["questions"] += 1
            sets = [{int(name[1:]) for name in side} for side in (x, y)]
            said = identify(pag, x, y)
            where = f"{pag!r}, {x}, {y}"
            failing = next((graph for graph in graphs if not identifies(graph, *sets)), None)
            if said:
                counts["identified"] += 1
                counts[str(said.how)] += 1
                if failing is not None:
                    wrong.append(f"identified, but not in {failing}: {where}")
                if max(error_of(said, system) for system in systems) > EXACT:
                    wrong.append(f"wrong value: {where}")
            elif failing is not None:
                counts["refused, ID fails"] += 1
            elif differ(graphs, x, y, rng):
                counts["refused, values differ"] += 1
            else:
                wrong.append(f"refused without a certificate: {where}")
    return counts, wrong


def random_systems(least: int, rng: np.random.Generator) -> tuple[Counter[str], list[str], float]:
    """Check formulas in random systems; returns counts, what is wrong, and the largest error."""
    counts, wrong, largest = Counter[str](), [], 0.0
    while counts["systems"] < least or counts["by a formula"] < 1000 or counts["by overlapping regions"] < 100:
        dag = dense_causes(rng) if rng.random() < 0.7 else random_causes(rng)
        pag = pag_of(dag)
        system = BinarySystem(dag, rng)
        counts["systems"] += 1
        for said, overlap in _asked(pag, rng):
            counts["questions"] += 1
            if said:
                counts["identified"] += 1
                counts["by a formula"] += said.how == "formula"
                counts["with conditions, by a formula"] += said.how == "formula" and bool(said.conditions)
                counts["by overlapping regions"] += overlap
                error = error_of(said, system)
                largest = max(largest, error)
                if error > EXACT:
                    wrong.append(f"wrong value: {pag!r}, {said.query}")
    return counts, wrong, largest


def _asked(pag: PAG, rng: np.random.Generator) -> Iterator[tuple[Identification, bool]]:
    """Some random questions, and each question about all others jointly of which the regions overlap."""
    for _ in range(4):
        order = [str(name) for name in rng.permutation(pag.nodes)]
        k, z = int(rng.integers(1, 3)), int(rng.integers(0, 3))
        m = int(rng.integers(1, len(order)))
        if y := order[k : k + m]:
            yield identify(pag, order[:k], y, within=order[k + m : k + m + z]), False
    graph = structure_of(pag)
    for i in range(len(pag.nodes)):
        for j in range(i + 1):
            x = [pag.nodes[k] for k in {i, j}]
            steps = plan(graph, bits_in([k for k in range(len(pag.nodes)) if k not in (i, j)]))
            if len(x) < len(pag.nodes) and isinstance(steps, Plan) and overlaps(steps):
                yield identify(pag, x, [name for name in pag.nodes if name not in x]), True


def dense_causes(rng: np.random.Generator) -> DAG:
    """A DAG with 5 to 8 observed nodes, many arrows, and latent causes of two of them each."""
    n, hidden = int(rng.integers(5, 9)), int(rng.integers(1, 5))
    names, order, share = [f"v{i}" for i in range(n)], rng.permutation(n), rng.uniform(0.3, 0.6)
    edges = [(names[order[j]], "-->", names[order[i]]) for i in range(n) for j in range(i) if rng.random() < share]
    latent = [f"h{k}" for k in range(hidden)]
    for name in latent:
        edges += [(name, "-->", names[i]) for i in rng.choice(n, 2, replace=False)]
    return DAG.from_edges(edges, nodes=[*names, *latent], latent=latent)


def report(small: Counter[str], drawn: Counter[str], largest: float, wrong: list[str], command: str) -> str:
    """The findings as a page."""
    lines = [
        "# Identification against the algorithm ID and against exact systems",
        "",
        f"`{command}`",
        "",
        "Every class of five nodes without selection, all x and y. What is identified is identified by the algorithm",
        f"ID in every causal graph tried (up to {MOST_MAGS} MAGs of the class, each also with hidden causes behind its",
        "arrows) and has the value of the intervention in two random systems. What is refused has a certificate: a",
        "causal graph of the class in which ID fails, or two that give different values for one observed distribution.",
        "Classes of three and four nodes, with all causal graphs and with conditions, are a part of `make test`.",
        "",
        *_table(small),
        "",
        "Random systems of binary variables with hidden causes: formulas on the exact joint distribution, against the",
        "intervention itself, at all values of all variables.",
        "",
        *_table(drawn),
        "",
        f"Largest error: {largest:.1g}. Wrong: {len(wrong)}.",
        "",
    ]
    return "\n".join(lines)


def _table(counts: Counter[str]) -> list[str]:
    return ["| what | number |", "| --- | --- |", *(f"| {what} | {number:,} |" for what, number in counts.items())]


def main(arguments: list[str] | None = None) -> int:
    """Run the checks, write the page, and return 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--systems", type=int, default=3000, help="the least number of random systems")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=Path, default=None)
    chosen = parser.parse_args(arguments)
    rng = np.random.default_rng(chosen.seed)
    small, wrong = five_nodes(rng)
    drawn, more, largest = random_systems(chosen.systems, rng)
    command = f"python -m tests.checks.identification --systems {chosen.systems} --seed {chosen.seed}"
    page = report(small, drawn, largest, wrong + more, command)
    print(page)
    for line in (wrong + more)[:20]:
        print(line)
    if chosen.report is not None:
        chosen.report.write_text(page)
    return bool(wrong or more)


if __name__ == "__main__":
    sys.exit(main())
