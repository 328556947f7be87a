"""How many questions each algorithm asks with a perfect oracle: the paper's 100 DAGs (section 4.1), `make questions`.

    python -m benchmarks.questions [--most 5000000] [--report docs/questions.md]

25 connected DAGs of 15, 20, 25 and 35 nodes each, rho = 2, seeds 0 to 24. Each algorithm as printed, where edges go as
they fall and nothing is verified; RFCI's own checks are counted with its questions. A search is given up after so many
questions, and then counted as having asked that many, and listed; means over such runs are too small.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import mean

import ancestral as an
from ancestral.graphs.names import in_order
from ancestral.search.algorithms import SEARCHES
from ancestral.search.state import Problem, SearchOptions
from ancestral.search.watch import Stopped, Watch

SIZES = (15, 20, 25, 35)
SEEDS = range(25)

PRINTED = SearchOptions(stable=False, verify=False)
WAYS: dict[str, tuple[str, SearchOptions]] = {
    "ICD, conditions 1–2": ("icd", SearchOptions("off", stable=False, verify=False)),
    "FCI": ("fci", PRINTED),
    "ICD, conditions 1–3": ("icd", SearchOptions("all", stable=False, verify=False)),
    "FCI+": ("fci+", PRINTED),
    "RFCI": ("rfci", SearchOptions(stable=False)),
}


class Budget(Watch):
    """Ends a search that has asked too much."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def check(self) -> float:
        """The time; raises when the questions are used up."""
        if self.asked > self.most:
            raise Stopped
        return super().check()


@dataclass(frozen=True)
class Asked:
    """The questions of one search by the size of the set; whether it was given up."""

    by_size: Counter[int]
    given_up: bool

    @property
    def total(self) -> int:
        """All of them."""
        return self.by_size.total()


def asked(dag: an.DAG, algorithm: str, options: SearchOptions, most: int) -> Asked:
    """Search, and count."""
    names = in_order(dag.observed)
    watch = Budget(most)
    last = None
    try:
        for stage in SEARCHES[algorithm](Problem(an.Oracle(dag).questions(names), names, names, options, watch)):
            last = stage
    except Stopped:
        before = Counter[int]() if last is None else last.tests
        return Asked(before + Counter({watch.radius: watch.asked - before.total()}), True)
    assert last is not None
    return Asked(last.tests + last.verify_tests, False)


Counts = dict[tuple[int, int, str], Asked]


def counted(most: int) -> Counts:
    """By the nodes, the seed and the way of asking."""
    out = {}
    for nodes, seed in product(SIZES, SEEDS):
        dag = an.simulate.random_dag(nodes=nodes, degree=2, seed=seed)
        for way, (algorithm, options) in WAYS.items():
            out[nodes, seed, way] = asked(dag, algorithm, options, most)
    return out


def claims(counts: Counts) -> Iterator[str]:
    """The paper's claims about single DAGs, with the DAGs on which they do not hold."""
    for less, more in (
        ("ICD, conditions 1–2", "FCI"),
        ("ICD, conditions 1–3", "FCI+"),
        ("ICD, conditions 1–3", "RFCI"),
        ("RFCI", "FCI+"),
    ):
        pairs = [((n, s), counts[n, s, less], counts[n, s, more]) for n, s in product(SIZES, SEEDS)]
        sure = [(dag, a, b) for dag, a, b in pairs if not a.given_up]
        not_fewer = [(dag, a, b) for dag, a, b in sure if a.total >= b.total]
        yield f"**{less} asks fewer questions than {more}** on {len(sure) - len(not_fewer)} of {len(sure)} DAGs."
        for (nodes, seed), a, b in not_fewer:
            larger = ", ".join(str(size) for size in sorted(a.by_size) if a.by_size[size] > b.by_size[size])
            yield f"- not with {nodes} nodes, seed {seed}: {a.total:,} and {b.total:,}; more sets of {larger}"
        if not_fewer and less.startswith("ICD"):
            yield "\nWhere triangles are many, PDS-paths lead past the neighbours to nodes that stay possible ancestors"
            yield "and ICD asks about larger sets than the other forms."
        yield ""


def every_size(counts: Counts) -> Iterator[str]:
    """The claim about set sizes, on the DAGs on which both came to an end."""
    less, more = "ICD, conditions 1–2", "FCI"
    for nodes in SIZES:
        both = [(counts[nodes, seed, less], counts[nodes, seed, more]) for seed in SEEDS]
        both = [(a, b) for a, b in both if not (a.given_up or b.given_up)]
        sizes = range(1, 1 + max(max(b.by_size) for _, b in both))
        sums = [(sum(a.by_size[size] for a, _ in both), sum(b.by_size[size] for _, b in both)) for size in sizes]
        yield (
            f"**{less} asks fewer questions than {more} on average** at {sum(a < b for a, b in sums)} of {len(sizes)} "
            f"set sizes from 1 on: {nodes} nodes, the {len(both)} DAGs on which both came to an end."
        )
        yield ""


def page(counts: Counts, most: int, command: str) -> str:
    """What was found, as a page."""
    lines = [
        "# Questions with a perfect oracle",
        "",
        f"`{command}`",
        "",
        __doc__[__doc__.index("25 connected") :].strip(),
        "",
        f"Given up after {most:,} questions:",
        "",
    ]
    lines += [f"- {way}: {n} nodes, seed {s}" for (n, s, way), a in counts.items() if a.given_up] or ["- none"]
    lines += ["", "## Each DAG", "", *claims(counts), "## Each set size", "", *every_size(counts)]
    lines += ["## Mean number of questions", "", f"| nodes | {' | '.join(WAYS)} |", "| --- " * (len(WAYS) + 1) + "|"]
    for nodes in SIZES:
        means = (mean(counts[nodes, seed, way].total for seed in SEEDS) for way in WAYS)
        lines.append(f"| {nodes} | {' | '.join(f'{m:,.1f}' for m in means)} |")
    for nodes in SIZES:
        lines += ["", f"## Mean number by the size of the set, {nodes} nodes", ""]
        lines += [f"| size | {' | '.join(WAYS)} |", "| --- " * (len(WAYS) + 1) + "|"]
        largest = max(max(counts[nodes, seed, way].by_size) for seed in SEEDS for way in WAYS)
        for size in range(largest + 1):
            means = (mean(counts[nodes, seed, way].by_size[size] for seed in SEEDS) for way in WAYS)
            lines.append(f"| {size} | {' | '.join(f'{m:,.1f}' for m in means)} |")
    return "\n".join([*lines, ""])


def main() -> None:
    """Count, print and keep the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=5_000_000, help="questions after which a search is given up")
    parser.add_argument("--report", type=Path, default=Path("docs/questions.md"))
    options = parser.parse_args()
    text = page(counted(options.most), options.most, f"python -m benchmarks.questions --most {options.most}")
    print(text)
    options.report.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
