"""Search the nine conditions of Sachs et al. (2005) as one experiment, and write the tables of the page about it.

    python -m tools.worked_sachs FOLDER

FOLDER holds sachs.2005.logxplus10.continuous.txt and sachs.2005.ground.truth.graph.txt of the collection
cmu-phil/example-causal-datasets. The table has no column for the condition: its rows stand in the order of
`CONDITIONS`, which the page holds against the data. In docs/worked/sachs-experiments.md, what stands between a line
`<!-- name -->` and the next line `<!-- end -->` is replaced.
"""

import argparse
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

import ancestral as an

PAGE = Path(__file__).resolve().parents[1] / "docs" / "worked" / "sachs-experiments.md"
BLOCK = re.compile(r"^<!-- (?!end)([\w-]+) -->\n.*?^<!-- end -->$", re.MULTILINE | re.DOTALL)

#: The conditions in the order of the rows, and their numbers of rows. The first is the general stimulation that all but
#: the last two conditions have, too.
CONDITIONS = {
    "cd3cd28": 853, "icam2": 902, "aktinhib": 911, "g0076": 723, "psitect": 810, "u0126": 799, "ly294002": 848,
    "pma": 913, "b2camp": 707,
}  # fmt: skip

#: What each agent was given for: Sachs et al. (2005), table 1.
TARGETS = {
    "aktinhib": ["akt"], "g0076": ["pkc"], "psitect": ["pip2"], "u0126": ["mek"], "ly294002": ["akt"], "pma": ["pkc"],
    "b2camp": ["pka"],
}  # fmt: skip

#: The same without the two conditions that lack the general stimulation: they differ from the first by more.
ADDED = {name: on for name, on in TARGETS.items() if name not in ("pma", "b2camp")}

#: Rows next to the ends of two conditions that are not tried as the place between them.
MARGIN = 50

#: Resamples that say which marks are firm.
RESAMPLES = 30

#: The other searches, by name: tests, and levels of significance.
OTHERS: dict[str, dict[str, Any]] = {
    "scored, as measured": {},
    "scored, ranks": {"test": "rank", "algorithm": "scored"},
    "ICD, as measured, alpha 0.001": {"alpha": 0.001},
    "ICD, as measured, alpha 0.01": {"alpha": 0.01},
    "ICD, as measured, alpha 0.05": {"alpha": 0.05},
    "ICD, ranks, alpha 0.01": {"test": "rank", "alpha": 0.01},
}


def samples_of(table: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """The rows of each condition."""
    ends = np.cumsum([0, *CONDITIONS.values()]).tolist()
    return {name: table[a:b] for name, a, b in zip(CONDITIONS, ends, ends[1:], strict=False)}


def likeliest_split(values: NDArray[np.float64]) -> int:
    """After how many rows means and variances change, by the likelihood of normal columns."""
    n = len(values)
    sums, squares = np.cumsum(values, axis=0), np.cumsum(values**2, axis=0)
    before = np.arange(MARGIN, n - MARGIN)
    k, one, two = before[:, None], sums[before - 1], squares[before - 1]
    first = two / k - (one / k) ** 2
    second = (squares[-1] - two) / (n - k) - ((sums[-1] - one) / (n - k)) ** 2
    return int(before[np.argmin((k * np.log(first) + (n - k) * np.log(second)).sum(axis=1))])


@dataclass(frozen=True)
class Found:
    """One search, and what it told."""

    discovery: an.Discovery
    told: list[str]

    @property
    def pag(self) -> an.PAG:
        """The graph."""
        return self.discovery.pag


def searched(source: Any, **options: Any) -> Found:
    """A search without selection."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = an.discover(source, selection_bias=False, **options)
    return Found(found, [str(each.message) for each in told])


@dataclass(frozen=True)
class Study:
    """The data, the accepted network, and the searches."""

    table: pl.DataFrame
    samples: dict[str, pl.DataFrame]
    network: an.DAG
    searches: dict[str, Found]

    # -- the pieces of the page ---------------------------------------------------------------------------------

    def conditions(self) -> Iterator[str]:
        """Each condition: rows, where it seems to begin, how its target and others differ from the first condition."""
        control = next(iter(self.samples.values()))
        scale = control.to_numpy().std(axis=0)
        names, first = list(self.samples), 0
        yield "| condition | rows | from row | likeliest beginning | given for | its change | largest changes |"
        yield "| --- | ---: | ---: | ---: | --- | ---: | --- |"
        for before, name in zip([None, *names], names, strict=False):
            frame = self.samples[name]
            begins = ""
            if before is not None:
                both = np.vstack([self.samples[before].to_numpy(), frame.to_numpy()])
                begins = f"{first - CONDITIONS[before] + likeliest_split(both) + 1:,}"
            change = dict(
                zip(
                    frame.columns,
                    (frame.to_numpy().mean(axis=0) - control.to_numpy().mean(axis=0)) / scale,
                    strict=True,
                )
            )
            largest = sorted(change, key=lambda protein: -abs(change[protein]))[:4] if before else []
            target = TARGETS.get(name, [])
            yield (
                f"| {name} | {len(frame)} | {first + 1:,} | {begins} | {', '.join(target)} | "
                f"{', '.join(f'{change[x]:+.1f}' for x in target)} | "
                f"{', '.join(f'{x} {change[x]:+.1f}' for x in largest)} |"
            )
            first += len(frame)

    def floors(self) -> str:
        """How many values of each protein stand at the smallest value, in the condition where most do."""
        floor = min(frame.to_numpy().min() for frame in self.samples.values())
        most = []
        for protein in self.table.columns:
            shares = {name: float((frame[protein] < floor + 0.05).mean()) for name, frame in self.samples.items()}
            name = max(shares, key=lambda name: shares[name])
            if shares[name] > 0.4:
                most.append(f"{protein} {shares[name]:.0%} ({name})")
        return (
            f"Values within 0.05 of the smallest one, {floor:.2f}, by protein, where they are most: {', '.join(most)}."
        )

    def beside_network(self, pag: an.PAG) -> dict[str, int]:
        """The edges between proteins, and how they stand to the accepted network."""
        proteins, count = set(self.table.columns), dict.fromkeys(COUNTS, 0)
        for a, edge, b in pag.edges():
            if not {a, b} <= proteins:
                continue
            count["edges"] += 1
            for x, y, mark in ((a, b, edge[0]), (b, a, edge[-1])):
                if mark != "o":
                    count["marks right" if (mark == "-") == (x in self.network.ancestors(y)) else "marks wrong"] += 1
            if not self.network.edge(a, b):
                continue
            count["in the network"] += 1
            cause, effect = (a, b) if self.network.has(a, "-->", b) else (b, a)
            if pag.has(cause, "-->", effect):
                count["directed as there"] += 1
            elif pag.has(cause, "<-*", effect):
                count["against it"] += 1
            else:
                count["open"] += 1
        return count

    def table_of(self, searches: dict[str, an.PAG]) -> Iterator[str]:
        """A row for each graph."""
        yield "| search | " + " | ".join(COUNTS) + " |"
        yield "| --- |" + " ---: |" * len(COUNTS)
        for name, pag in searches.items():
            yield f"| {name} | " + " | ".join(str(value) for value in self.beside_network(pag).values()) + " |"

    def searched(self) -> Iterator[str]:
        """The searches, and what of them is firm."""
        yield from self.table_of({name: one.pag for name, one in self.searches.items()})
        yield ""
        yield "The same, with the marks alone that are firm (90 % of 30 resamples in both readings; `found.firm`):"
        yield ""
        yield from self.table_of({name: one.discovery.firm for name, one in self.searches.items()})

    def edges(self) -> Iterator[str]:
        """The edges between proteins, with targets unknown and known."""
        unknown, known, proteins = self.searches[UNKNOWN], self.searches[KNOWN], set(self.table.columns)
        yield "| network | conditions, targets unknown | firm of it | conditions, targets known |"
        yield "| --- | --- | --- | --- |"
        pairs = {(a, b) for one in (unknown, known) for a, _, b in one.pag.edges() if {a, b} <= proteins}
        for a, b in sorted(pairs):
            graphs = (self.network, unknown.pag, unknown.discovery.firm, known.pag)
            texts = [f"`{graph.edge_text(a, b)}`" if graph.edge(a, b) else "no edge" for graph in graphs]
            yield "| " + " | ".join(texts) + " |"

    def targets(self) -> Iterator[str]:
        """What each context is found to act on, beside what it was given for."""
        by_icd = searched(self.samples, alpha=0.01).pag
        found = self.searches[UNKNOWN]
        yield "| condition | given for | scored: acts on | of these firm | ICD, alpha 0.01 |"
        yield "| --- | --- | --- | --- | --- |"
        for name in list(self.samples)[1:]:
            cells = []
            for graph in (found.pag, None, by_icd):
                acted = [y for y in self.table.columns if (graph or found.pag).edge(name, y)]
                if graph is None:
                    acted = [y for y in acted if found.discovery.certainty().edge(name, y) >= 0.9]
                cells.append(", ".join(f"**{y}**" if y in TARGETS.get(name, ()) else y for y in acted))
            yield f"| {name} | {', '.join(TARGETS.get(name, ['?']))} | " + " | ".join(cells) + " |"

    def told(self) -> Iterator[str]:
        """Which known targets the data contradict, by condition."""
        known = self.searches[KNOWN].discovery.settings.knowledge
        assert known is not None
        beyond: dict[str, list[str]] = {}
        for context, z in known.untargeted(self.searches[KNOWN].pag):
            beyond.setdefault(context, []).append(z)
        yield "| condition | said to act on | acts on, and not through it |"
        yield "| --- | --- | --- |"
        for name, targets in TARGETS.items():
            yield f"| {name} | {', '.join(targets)} | {', '.join(beyond.get(name, [])) or 'nothing'} |"

    def checked(self) -> Iterator[str]:
        """What each graph is held against."""
        for name, one in self.searches.items():
            yield f"- **{name}.** {' '.join(str(one.discovery.check).splitlines())}"
            about_data = [text for text in one.told if "knowledge" not in text and "(targets)" not in text]
            if of_targets := len(one.told) - len(about_data):
                yield f"  {of_targets} warnings are about targets, the last of them with the number of those left out."
            yield from (f"  Warning: {text}" for text in about_data)

    def sensitivity(self) -> Iterator[str]:
        """All conditions, with other tests and levels."""
        graphs: dict[str, an.PAG] = {}
        for name, options in OTHERS.items():
            graphs[f"{name}; pooled"] = searched(self.table, **options, resamples=0).pag
            graphs[f"{name}; targets unknown"] = searched(self.samples, **options, resamples=0).pag
            graphs[f"{name}; targets known"] = searched(self.samples, **options, resamples=0, targets=TARGETS).pag
        yield from self.table_of(graphs)


COUNTS = ("edges", "in the network", "directed as there", "against it", "open", "marks right", "marks wrong")
UNKNOWN, KNOWN = "all conditions, targets unknown", "all conditions, targets known"


def study_of(folder: Path) -> Study:
    """Read and search."""
    table = pl.read_csv(folder / "sachs.2005.logxplus10.continuous.txt", separator="\t")
    lines = (folder / "sachs.2005.ground.truth.graph.txt").read_text(encoding="utf-8").splitlines()
    edges = [line.split(". ")[1] for line in lines if ". " in line]
    samples = samples_of(table)
    return Study(
        table,
        samples,
        an.DAG.parse(", ".join(edges)),
        {
            "pooled, without conditions": searched(table, resamples=RESAMPLES),
            "cd3cd28 alone": searched(samples["cd3cd28"], resamples=RESAMPLES),
            UNKNOWN: searched(samples, resamples=RESAMPLES),
            KNOWN: searched(samples, resamples=RESAMPLES, targets=TARGETS),
            "the same, where only an agent was added": searched(samples, resamples=RESAMPLES, targets=ADDED),
        },
    )


def main() -> None:
    """Renew the tables of the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    study = study_of(parser.parse_args().folder)
    pieces = {
        "conditions": study.conditions,
        "floors": lambda: [study.floors()],
        "searched": study.searched,
        "edges": study.edges,
        "targets": study.targets,
        "told": study.told,
        "checked": study.checked,
        "sensitivity": study.sensitivity,
    }
    text = BLOCK.sub(
        lambda block: f"<!-- {block[1]} -->\n\n" + "\n".join(pieces[block[1]]()) + "\n\n<!-- end -->",
        PAGE.read_text(encoding="utf-8"),
    )
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
