"""Whether answers can be believed: contradictions, denied dependences, false alarms, and firm marks beside the truth.

    python -m benchmarks.believe [--cells WORD ...] [--graphs N] [--seed 30000] [--jobs 2]

Each graph is a job of its own, and results are kept in build/believe.jsonl, so that a run that was stopped goes on;
`--anew` begins again. What is called firm was chosen on seeds 7000 to 7999; the seeds here begin at 30000. Writes
docs/believe.md.
"""

import argparse
import json
import time
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ancestral as an
from ancestral.certainty.certainty import FIRM
from ancestral.checking.check_run import ALPHA
from ancestral.checking.denials import denials
from ancestral.graphs.marks import ARROW, TAIL
from benchmarks.accuracy import Cell
from benchmarks.designs import DESIGNS

KEPT = Path("build/believe.jsonl")

#: Algorithms that ask questions, whose graphs must not contradict themselves either.
ASKING = ("icd", "fci", "rfci", "fci+")

#: Seconds after which a search that asks is stopped: FCI may ask about very many sets, and its graph so far counts.
LIMIT = 10.0

GAUSSIAN = tuple(
    Cell(design, nodes, rows, graphs=graphs, algorithms=())
    for nodes, graphs in ((15, 12), (40, 4))
    for design in ("paper", "degree 3", "latent", "bidir")
    for rows in (100, 300, 1000, 5000)
)
OTHER = tuple(
    Cell("paper", 15, rows, kind, 10, ())
    for kind in ("uniform noise", "heavy tails", "distorted", "curved", "discrete, 3 levels", "mixed, 3 levels")
    for rows in (300, 1000, 5000)
)
SECTIONS = {"Linear Gaussian data": GAUSSIAN, "Other data": OTHER}

Record = dict[str, Any]


# -- one graph ------------------------------------------------------------------------------------------------------


def record_of(cell: Cell, seed: int) -> Record:
    """What is found in the rows of one graph, and how much of it is true."""
    truth, rows = cell.data(seed)
    causes = _ancestors(DESIGNS[cell.design](cell.nodes, seed).dag, truth.nodes)
    out: Record = {"cell": cell.name, "seed": seed}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        before = time.process_time()
        found = an.discover(rows, algorithm="scored", resamples=0, test=_test(cell), progress=False)
        searched = time.process_time()
        certainty = found.certainty(30, progress=False)
        out["seconds"], out["resampling"] = searched - before, time.process_time() - searched
        out["legal"] = bool(an.legal(found.pag))
        out["scored"] = _speaking_against(found)
        for algorithm in ASKING:
            asked = an.discover(rows, algorithm=algorithm, time_limit=LIMIT, progress=False)
            out[algorithm] = _speaking_against(asked)
    true = truth.arranged(found.stage.names)
    out["false alarm"] = (denials(true, found.decisions.marginal, ALPHA).beyond_chance or 0) > 0
    out |= _marks(found, certainty, truth, causes)
    return out


def _speaking_against(found: an.Discovery) -> list[int]:
    """Whether a graph contradicts itself, the dependences in the data, those denied, and those denied beyond chance."""
    check = found.check
    assert check is not None
    contradicts = not an.consistent(found.pag) or bool(check.contradictions)
    return [int(contradicts), check.dependences, check.denied, check.beyond_chance or 0]


def _marks(found: an.Discovery, certainty: an.Certainty, truth: an.PAG, causes: NDArray[np.bool_]) -> Record:
    """The counts of arrowheads and tails, of all and of firm ones."""
    true = truth.arranged(found.pag.nodes)
    where = [truth.nodes.index(name) for name in found.pag.nodes]
    ancestor = causes[np.ix_(where, where)]
    marks, firm = found.pag.marks, certainty.marks >= FIRM
    out: Record = {}
    for kind, mark, holds in (("arrow", ARROW, ~ancestor.T), ("tail", TAIL, ancestor.T)):
        claimed = marks == mark
        out[kind] = _counts(claimed, true == mark, holds)
        out[f"firm {kind}"] = _counts(claimed & firm, true == mark, holds)
    return out


def _test(cell: Cell) -> str | None:
    return "mixed" if cell.kind.startswith("discrete") else None


def _counts(claimed: NDArray[np.bool_], same: NDArray[np.bool_], holds: NDArray[np.bool_]) -> list[int]:
    """How many marks are claimed, how many of them are in the true PAG, and how many are true of the causes."""
    return [int(claimed.sum()), int((claimed & same).sum()), int((claimed & holds).sum())]


def _ancestors(dag: an.DAG, nodes: Iterable[str]) -> NDArray[np.bool_]:
    """At a, b: whether a causes b."""
    names = list(nodes)
    above = [dag.ancestors(name) for name in names]
    return np.array([[a in above[k] and a != b for k, b in enumerate(names)] for a in names])


# -- jobs -----------------------------------------------------------------------------------------------------------


def _job(job: tuple[Cell, int]) -> Record:
    return record_of(*job)


def run(cells: Iterable[Cell], seed: int, jobs: int, graphs: int | None) -> list[Record]:
    """The records of all cells; those that are kept from an earlier run are not computed again."""
    cells = list(cells)
    done = {(record["cell"], record["seed"]) for record in _kept()}
    wanted = [(cell, seed + i) for cell in cells for i in range(min(cell.graphs, graphs or cell.graphs))]
    waiting = [(cell, number) for cell, number in wanted if (cell.name, number) not in done]
    KEPT.parent.mkdir(exist_ok=True)
    with ProcessPoolExecutor(jobs) as pool, KEPT.open("a", encoding="utf-8") as file:
        for (cell, number), found in zip(waiting, pool.map(_job, waiting), strict=True):
            file.write(json.dumps(found) + "\n")
            file.flush()
            print(f"{cell.name}, seed {number}", flush=True)
    names = {(cell.name, number) for cell, number in wanted}
    return [record for record in _kept() if (record["cell"], record["seed"]) in names]


def _kept() -> list[Record]:
    if not KEPT.exists():
        return []
    return [json.loads(line) for line in KEPT.read_text(encoding="utf-8").splitlines()]


# -- the page -------------------------------------------------------------------------------------------------------


EXPLANATION = """\
Each line is over random graphs of one design (`benchmarks/designs.py`) and their rows. The true graph is the PAG of the
generating DAG.

*Firm marks.* Marks of the scored search, and those that at least 90 % of 30 resamples have in both readings: the share
that are in the true PAG; in brackets the share that are true of the causes (an arrowhead at b: b does not cause a; a
tail at a: a causes b). "Kept" is the share of marks that are firm. Seconds are processor time of the search and of the
resamples.

*Contradictions and denials.* "Contradict" is the share of graphs that contradict themselves: that no ancestral graph
has all their marks. "Denied" is the share of the dependences in the data (p < 0.01) that the graph denies, "beyond
chance" the mean number of those that are beyond chance. "False alarms": the share of true graphs that are said to deny
a dependence beyond chance.
"""


def firm_lines(cells: Iterable[Cell], records: Mapping[str, list[Record]]) -> Iterator[str]:
    """A table of firm marks."""
    columns = ("arrowheads", "firm arrowheads", "kept", "tails", "firm tails", "kept", "search", "resamples")
    yield f"| design | nodes | rows | {' | '.join(columns)} |"
    yield "|" + " --- |" * 11
    for cell in cells:
        each = records.get(cell.name, [])
        if not each:
            continue
        parts = []
        for kind in ("arrow", "tail"):
            every, firm = (np.sum([record[key] for record in each], axis=0) for key in (kind, f"firm {kind}"))
            kept = f"{firm[0] / every[0]:.2f}" if every[0] else ""
            parts += [_share(every), f"**{_share(firm)}**", kept]
        times = [f"{np.mean([record[key] for record in each]):.2g}" for key in ("seconds", "resampling")]
        yield f"| {_what(cell)} | {cell.nodes} | {cell.rows:,} | {' | '.join([*parts, *times])} |"


def against_lines(cells: Iterable[Cell], records: Mapping[str, list[Record]]) -> Iterator[str]:
    """A table of what speaks against graphs."""
    algorithms = ("scored", *ASKING)
    columns = [f"{name}: contradict, denied, beyond chance" for name in algorithms]
    yield f"| design | nodes | rows | false alarms | scored: legal | {' | '.join(columns)} |"
    yield "|" + " --- |" * (5 + len(columns))
    for cell in cells:
        each = records.get(cell.name, [])
        if not each:
            continue
        parts = [f"{np.mean([record[key] for record in each]):.2f}" for key in ("false alarm", "legal")]
        for name in algorithms:
            contradict, dependences, denied, beyond = np.sum([record[name] for record in each], axis=0)
            share = denied / max(dependences, 1)
            parts.append(f"{contradict / len(each):.2f}, {share:.2f}, {beyond / len(each):.2f}")
        yield f"| {_what(cell)} | {cell.nodes} | {cell.rows:,} | {' | '.join(parts)} |"


def _what(cell: Cell) -> str:
    return cell.design if cell.kind == "gaussian" else f"{cell.design}, {cell.kind}"


def _share(counts: NDArray[np.int64]) -> str:
    return f"{counts[1] / counts[0]:.2f} ({counts[2] / counts[0]:.2f})" if counts[0] else "none"


def page(records: Iterable[Record], command: str) -> str:
    """The page with all tables."""
    by: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        by[record["cell"]].append(record)
    out = ["# Can answers be believed?", "", f"`{command}`", "", *EXPLANATION.splitlines()]
    for title, cells in SECTIONS.items():
        counts = ", ".join(f"{count} of {nodes} nodes" for nodes, count in sorted({(c.nodes, c.graphs) for c in cells}))
        out += ["", f"## {title}", "", f"Graphs a cell: {counts}.", "", *firm_lines(cells, by)]
        out += ["", *against_lines(cells, by)]
    return "\n".join([*out, ""])


def main() -> None:
    """Run what is missing, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", nargs="*", default=[], help="only cells whose name has all of these words")
    parser.add_argument("--graphs", type=int, help="at most this many graphs a cell")
    parser.add_argument("--seed", type=int, default=30_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--anew", action="store_true", help="forget earlier results")
    parser.add_argument("--report", type=Path, default=Path("docs/believe.md"))
    options = parser.parse_args()
    if options.anew:
        KEPT.unlink(missing_ok=True)
    cells = [cell for some in SECTIONS.values() for cell in some if all(word in cell.name for word in options.cells)]
    records = run(cells, options.seed, options.jobs, options.graphs)
    options.report.write_text(page(records, f"python -m benchmarks.believe --seed {options.seed}"), encoding="utf-8")


if __name__ == "__main__":
    main()
