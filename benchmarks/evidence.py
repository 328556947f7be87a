"""How many of the claims of the scored search are true, by their evidence.

    python -m benchmarks.evidence [--graphs 40] [--seed 5000] [--check-seed 7000]

Random models of 15 nodes from three laws (`benchmarks.designs`), data of 100, 1,000 and 3,000 rows from each. Every
claim of the graphs that `algorithm="scored"` finds is held against the true PAG. The models of `--seed` make the table
that words about evidence follow; those of `--check-seed` show how far it can be relied on. Writes docs/evidence.md, and
the table into src/ancestral/search/scored/calibration_table.py.
"""

import argparse
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

import ancestral as an
from ancestral.graphs.marks import ARROW, TAIL
from ancestral.search.scored.calibration_table import BOUNDS
from benchmarks.designs import DESIGNS, Model

__all__ = ["KINDS", "RANGES", "Tally", "claims_of", "measured", "module", "page"]

NODES = 15
ROWS = (100, 1_000, 3_000)
LAWS = ("paper", "latent", "bidir")
KINDS = {"edge": "edges", "no edge": "missing edges", "arrowhead": "arrowheads", "tail": "tails"}
RANGES = (
    f"below {BOUNDS[0]:g}",
    *(f"{low:g}–{high:g}" for low, high in pairwise(BOUNDS)),
    f"{BOUNDS[-1]:g} or more",
)

#: A share of fewer claims than this is not shown.
FEWEST = 20

PAGE = Path("docs/evidence.md")
MODULE = Path("src/ancestral/search/scored/calibration_table.py")

#: How many claims there were, and how many of them were true: by number of rows, kind, range, and truth.
Tally = Counter[tuple[int, str, int, bool]]

EXPLANATION = """\
The scored search says of each claim of its graph, an edge, a missing edge, an arrowhead or a tail, what the score (the
extended BIC) loses if it is denied: its evidence. Evidence is not a probability, and not a Bayes factor: by that
formula 95 % of the claims with an evidence of 6 would be true. How many are true was measured instead, and the words of
`found.why(a, b)` and `found.claims(a, b)` follow the first table below.

Models of {nodes} nodes from three laws: that of the ICD paper, a graph with half as many latent causes of random pairs
as it has nodes, and one in which latent causes have taken the place of most edges; linear, with normal noise. Rows are
drawn from each: 100, 1,000 and 3,000. The truth is the PAG of the generating DAG, so a tail or an arrowhead is true
only if it follows from independences. A claim about an edge that is not in the true PAG is false. A dash stands for a
share of fewer than {fewest} claims.

These data suit the search perfectly, as real data hardly ever do: they are linear, normal, and not selected. On other
data evidence is worth less.
"""


def mark_at(pag: an.PAG, x: str, y: str) -> int:
    """The mark at y on the edge x–y; 0 if there is none."""
    return int(pag.marks[pag.index(x), pag.index(y)])


def claims_of(found: an.Discovery, truth: an.PAG) -> Iterator[tuple[str, float, bool]]:
    """The claims of a graph that have evidence: the kind of each, its evidence, and whether it is true."""
    for row in found.claims_frame("all", library="polars").iter_rows(named=True):
        kind, a, b = row["claim"], row["a"], row["b"]
        if row["evidence"] is None:
            continue
        if kind in ("edge", "no edge"):
            true = (truth.edge(a, b) is not None) == (kind == "edge")
        else:
            x, y = (a, b) if row["at"] == b else (b, a)
            true = mark_at(truth, x, y) == (ARROW if kind == "arrowhead" else TAIL)
        yield kind, row["evidence"], true


def tallied(models: Iterable[tuple[int, Model]]) -> Tally:
    """The claims about models, each with the seed of its rows."""
    out: Tally = Counter()
    for seed, model in models:
        for rows in ROWS:
            found = an.discover(model.rows(rows, seed), algorithm="scored", resamples=0, progress=False)
            for kind, evidence, true in claims_of(found, model.truth):
                out[rows, kind, bisect_right(BOUNDS, evidence), true] += 1
    return out


def measured(graphs: int, seed: int) -> Tally:
    """The claims about as many models of each law, from this seed on."""
    out: Tally = Counter()
    for law in LAWS:
        start = time.perf_counter()
        out += tallied((s, DESIGNS[law](NODES, s)) for s in range(seed, seed + graphs))
        print(f"{law}, seeds {seed}–{seed + graphs - 1}: {time.perf_counter() - start:.0f} s", flush=True)
    return out


def counted(tally: Tally, kind: str, place: int, rows: Iterable[int] = ROWS) -> tuple[int, int | None]:
    """The number of claims of a kind and range, and the share of true ones in hundredths, if they are not too few."""
    true, false = (sum(tally[n, kind, place, truth] for n in rows) for truth in (True, False))
    return true + false, round(100 * true / (true + false)) if true + false >= FEWEST else None


def table(tally: Tally, rows: Iterable[int] = ROWS) -> list[str]:
    """A table with a line for each range of evidence."""
    lines = [
        "| evidence | " + " | ".join(f"{name} | of them true" for name in KINDS.values()) + " |",
        "| --- |" + " ---: | ---: |" * len(KINDS),
    ]
    for place, name in enumerate(RANGES):
        cells = []
        for kind in KINDS:
            count, share = counted(tally, kind, place, tuple(rows))
            cells.append(f"{count:,} | {'–' if share is None else f'{share} %'}")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return [*lines, ""]


def page(chosen: Tally, check: Tally, command: str, graphs: int, seeds: tuple[int, int]) -> str:
    """The page with all tables."""
    spans = [f"{seed}–{seed + graphs - 1}" for seed in seeds]
    lines = [
        "# What evidence of the scored search is worth",
        "",
        *EXPLANATION.format(nodes=NODES, fewest=FEWEST).splitlines(),
        "",
        f"`{command}`",
        "",
        f"## The table that words follow: {graphs} models of each law, seeds {spans[0]}",
        "",
        *table(chosen),
        f"## Other models: {graphs} of each law, seeds {spans[1]}",
        "",
        *table(check),
    ]
    for rows in ROWS:
        lines += [f"## {rows:,} rows, all models", "", *table(chosen + check, [rows])]
    return "\n".join(lines)


def module(chosen: Tally) -> str:
    """The text of the module that has the table."""
    lines = MODULE.read_text(encoding="utf-8").partition("SHARES:")
    shares = [
        f'    "{kind}": ({", ".join(str(counted(chosen, kind, place)[1]) for place in range(len(RANGES)))}),'
        for kind in KINDS
    ]
    return "\n".join([lines[0] + "SHARES: dict[str, tuple[int | None, ...]] = {", *shares, "}", ""])


def main() -> None:
    """Measure, and write the page and the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=5000)
    parser.add_argument("--check-seed", type=int, default=7000)
    options = parser.parse_args()
    seeds = options.seed, options.check_seed
    chosen, check = (measured(options.graphs, seed) for seed in seeds)
    command = f"python -m benchmarks.evidence --graphs {options.graphs} --seed {seeds[0]} --check-seed {seeds[1]}"
    PAGE.write_text(page(chosen, check, command, options.graphs, seeds), encoding="utf-8")
    MODULE.write_text(module(chosen), encoding="utf-8")
    print("\n".join(table(chosen)))


if __name__ == "__main__":
    main()
