"""How often the intervals of effects cover the truth, in systems with curves, interactions, levels and designs.

    python -m benchmarks.effect_coverage [--repeats 200] [--seed 1] [--only "two levels"]

In every system z1, z2 and a label c act on cause and outcome, and are the adjustment set. The true effects are known:
by algebra, or by Gaussian quadrature over z1 and z2. For each cell: the share of 95 % intervals that cover the truth,
the mean error of the estimates in units of their standard deviation, and the mean standard error over that standard
deviation. Writes docs/effects-coverage.md.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.special import expit, softmax

from ancestral.data import Table
from ancestral.effects.effect import Effect
from ancestral.effects.estimation.estimate import estimated_effect
from ancestral.effects.options import EffectOptions, EstimatorName

__all__ = ["CELLS", "Cell", "estimates"]

Floats = NDArray[np.float64]
Columns = dict[str, Any]

GIVEN = frozenset({"z1", "z2", "c"})
LABELS = ("a", "b", "c")
SHARES = (0.5, 0.3, 0.2)
RATIO = {"contrast": "ratio"}

EXPLANATION = """\
z1, z2 and a label c act on cause and outcome, and are the adjustment set; curves and products of z1 and z2 are among
the relations, but in systems that are called linear. "covers" is the share of 95 % intervals that cover the truth, with
its standard error; "bias" the mean error of the estimates over their standard deviation; "error" the mean standard
error over that standard deviation, which a few wild estimates raise. Where a cause has three levels, both are compared
with the reference, and all numbers are means. "regression" on curved systems shows what a wrong model costs.
"""


def _before(rng: np.random.Generator, rows: int) -> tuple[Floats, Floats, NDArray[np.str_]]:
    """The adjustment set."""
    return rng.normal(size=rows), rng.normal(size=rows), rng.choice(LABELS, rows, p=SHARES)


def _curve(z1: Floats, z2: Floats, c: Any) -> Floats:
    """What the adjustment set adds to an outcome, in curved systems."""
    return np.asarray(np.sin(2 * z1) + 0.7 * z2**2 + 0.5 * z1 * z2 + 1.0 * (c == "c"))


def _lean(z1: Floats, z2: Floats, c: Any) -> Floats:
    """How the adjustment set inclines to a cause, in curved systems."""
    return np.asarray(0.8 * np.sin(2 * z1) + 0.5 * z1 * z2 - 0.4 * (c == "b"))


def two_levels(rng: np.random.Generator, rows: int) -> Columns:
    """A cause of two levels, with an effect that differs between rows: 1 on average."""
    z1, z2, c = _before(rng, rows)
    x = (rng.random(rows) < expit(_lean(z1, z2, c))).astype(int)
    return {"z1": z1, "z2": z2, "c": c, "x": x, "y": _curve(z1, z2, c) + x * (1 + 0.5 * z1) + rng.normal(size=rows)}


def three_levels(rng: np.random.Generator, rows: int) -> Columns:
    """A cause of three levels: "mid" adds 1 and "high" 2 - z2, which is 2 on average, to "low"."""
    z1, z2, c = _before(rng, rows)
    lean = _lean(z1, z2, c)
    chances = softmax(np.column_stack([np.full(rows, 0.3), 0.7 * lean, -0.5 * lean + 0.3 * z2]), axis=1)
    code = (rng.random(rows)[:, None] > chances.cumsum(axis=1)).sum(axis=1).clip(0, 2)
    gain = np.choose(code, [np.zeros(rows), np.ones(rows), 2 - z2])
    x = np.array(["low", "mid", "high"])[code]
    return {"z1": z1, "z2": z2, "c": c, "x": x, "y": _curve(z1, z2, c) + gain + rng.normal(size=rows)}


def event(rng: np.random.Generator, rows: int) -> Columns:
    """An outcome of two levels."""
    z1, z2, c = _before(rng, rows)
    x = (rng.random(rows) < expit(_lean(z1, z2, c))).astype(int)
    y = (rng.random(rows) < _chance(x, z1, z2, c)).astype(int)
    return {"z1": z1, "z2": z2, "c": c, "x": x, "y": y}


def _chance(x: Any, z1: Floats, z2: Floats, c: Any) -> Floats:
    return np.asarray(expit(-1 + 0.7 * _curve(z1, z2, c) + 0.8 * x))


def _event_chances(chance: Callable[..., Floats]) -> tuple[float, float]:
    """The probability of the event with x set to 0 and to 1, by quadrature."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    z1, z2 = np.meshgrid(nodes, nodes)
    area = np.outer(weights, weights) / (2 * np.pi)
    shares = zip(LABELS, SHARES, strict=True)
    labels = [(np.full(z1.shape, label), share) for label, share in shares]
    low, high = (sum(share * float((area * chance(x, z1, z2, c)).sum()) for c, share in labels) for x in (0, 1))
    return low, high


def slope(rng: np.random.Generator, rows: int) -> Columns:
    """A cause in numbers, with 0.7 for each unit."""
    z1, z2, c = _before(rng, rows)
    x = _lean(z1, z2, c) + rng.normal(size=rows)
    return {"z1": z1, "z2": z2, "c": c, "x": x, "y": _curve(z1, z2, c) + 0.7 * x + rng.normal(size=rows)}


def linear_levels(rng: np.random.Generator, rows: int) -> Columns:
    """Two levels in a linear system, with an effect of 1 + z1 / 2."""
    z1, z2, c = _before(rng, rows)
    x = (rng.random(rows) < expit(0.8 * z1 - 0.5 * z2 + (c == "b"))).astype(int)
    y = z1 - z2 + (c == "c") + x * (1 + 0.5 * z1) + rng.normal(size=rows) * (1 + 0.5 * x)
    return {"z1": z1, "z2": z2, "c": c, "x": x, "y": y}


def linear_event(rng: np.random.Generator, rows: int) -> Columns:
    """An outcome of two levels by logistic regressions, one for each level of the cause."""
    drawn = linear_levels(rng, rows)
    chance = _linear_chance(drawn["x"], drawn["z1"], drawn["z2"], drawn["c"])
    return drawn | {"y": (rng.random(rows) < chance).astype(int)}


def _linear_chance(x: Any, z1: Floats, z2: Floats, c: Any) -> Floats:
    return np.asarray(expit(-1 + z1 - 0.5 * z2 + (c == "c") + x * (0.8 - 0.5 * z1)))


def linear_slope(rng: np.random.Generator, rows: int) -> Columns:
    """A cause in numbers in a linear system, with a slope of 0.7 + 0.3 z2, and a variance that depends on z1."""
    z1, z2, c = _before(rng, rows)
    x = z1 - z2 + (c == "b") + rng.normal(size=rows)
    y = z1 - z2 + (c == "c") + x * (0.7 + 0.3 * z2) + rng.normal(size=rows) * np.exp(0.3 * z1)
    return {"z1": z1, "z2": z2, "c": c, "x": x, "y": y}


def linear_clusters(rng: np.random.Generator, rows: int) -> Columns:
    """A linear system in clusters of ten, which are treated as a whole."""
    group = np.repeat(np.arange(rows // 10), 10)
    z1, z2, c = _before(rng, rows)
    x = (rng.random(rows // 10) < 0.5)[group].astype(int)
    y = z1 - z2 + (c == "c") + 0.7 * rng.normal(size=rows // 10)[group] + x * (1 + 0.5 * z1) + rng.normal(size=rows)
    return {"z1": z1, "z2": z2, "c": c, "x": x, "y": y, "group": group}


def linear_weights(rng: np.random.Generator, rows: int) -> Columns:
    """A linear system, with rows of a large z1, for which the effect is larger, drawn more often."""
    return _selected(linear_levels(rng, 4 * rows), rng, rows)


def clusters(rng: np.random.Generator, rows: int) -> Columns:
    """Rows in clusters of ten, half of which are treated as a whole; what a cluster adds to y is not measured."""
    group = np.repeat(np.arange(rows // 10), 10)
    z1, z2, c = _before(rng, rows)
    z1 = rng.normal(size=rows // 10)[group]
    x = (rng.random(rows // 10) < expit(np.sin(2 * z1[::10])))[group].astype(int)
    shared = 0.7 * rng.normal(size=rows // 10)[group]
    y = _curve(z1, z2, c) + shared + x * (1 + 0.5 * z1) + rng.normal(size=rows)
    return {"z1": z1, "z2": z2, "c": c, "x": x, "y": y, "group": group}


def weights(rng: np.random.Generator, rows: int) -> Columns:
    """As two levels, with rows of a large z1, for which the effect is larger, drawn more often."""
    return _selected(two_levels(rng, 4 * rows), rng, rows)


def _selected(drawn: Columns, rng: np.random.Generator, rows: int) -> Columns:
    chance = expit(-1 + 1.2 * drawn["z1"])
    keep = np.flatnonzero(rng.random(4 * rows) < chance)[:rows]
    return {name: values[keep] for name, values in drawn.items()} | {"w": 1 / chance[keep]}


_LOW, _HIGH = _event_chances(_chance)
_LINEAR_LOW, _LINEAR_HIGH = _event_chances(_linear_chance)


@dataclass(frozen=True)
class Cell:
    """A row of the page: a system, how its rows are read, the estimator, and the true effects."""

    name: str
    draw: Callable[[np.random.Generator, int], Columns]
    estimator: EstimatorName
    rows: int
    truth: tuple[float, ...]
    options: dict[str, Any] = field(default_factory=dict)
    reading: dict[str, Any] = field(default_factory=dict)


def _both(name: str, draw: Any, truth: tuple[float, ...], **more: Any) -> list[Cell]:
    both: tuple[EstimatorName, ...] = ("robust", "regression")
    return [Cell(name, draw, estimator, 1000, truth, **more) for estimator in both]


CELLS = [
    *_both("two levels", two_levels, (1.0,)),
    Cell("two levels", two_levels, "robust", 4000, (1.0,)),
    Cell("three levels", three_levels, "robust", 1000, (2.0, 1.0), {"levels": [("high", "low"), ("mid", "low")]}),
    Cell("event", event, "robust", 1000, (_HIGH - _LOW,)),
    Cell("event, ratio", event, "robust", 1000, (_HIGH / _LOW,), RATIO),
    *_both("slope", slope, (0.7,)),
    Cell("clusters", clusters, "robust", 1000, (1.0,), reading={"clusters": "group"}),
    Cell("weights", weights, "robust", 1000, (1.0,), reading={"weights": "w"}),
    *_both("linear, two levels", linear_levels, (1.0,)),
    Cell("linear, two levels", linear_levels, "regression", 100, (1.0,)),
    Cell("linear, slope", linear_slope, "regression", 1000, (0.7,)),
    Cell("linear, event", linear_event, "regression", 1000, (_LINEAR_HIGH - _LINEAR_LOW,)),
    Cell(
        "linear, event, ratio", linear_event, "regression", 1000, (_LINEAR_HIGH / _LINEAR_LOW,), {"contrast": "ratio"}
    ),
    Cell("linear, clusters", linear_clusters, "regression", 1000, (1.0,), reading={"clusters": "group"}),
    Cell("linear, weights", linear_weights, "regression", 1000, (1.0,), reading={"weights": "w"}),
]


def estimates(cell: Cell, repeats: int, seed: int) -> list[Effect]:
    """The effects in so many samples; each has a random stream of its own."""
    out = []
    for stream in np.random.SeedSequence(seed).spawn(repeats):
        frame = pl.DataFrame(cell.draw(np.random.default_rng(stream), cell.rows))
        table = Table.of(frame, **cell.reading)
        options = EffectOptions(estimator=cell.estimator, **cell.options)
        out.append(estimated_effect(table, ["x"], "y", GIVEN, options))
    return out


def _row(cell: Cell, repeats: int, seed: int) -> str:
    found = estimates(cell, repeats, seed)
    truth = np.array(cell.truth)
    names = ("estimates", "errors", "lows", "highs")
    value, error, low, high = (np.array([getattr(one, name) for one in found]) for name in names)
    covers = float(((low <= truth) & (truth <= high)).mean())
    spread = value.std(axis=0)
    bias, ratio = float(np.mean((value.mean(axis=0) - truth) / spread)), float(np.mean(error.mean(axis=0) / spread))
    doubt = np.sqrt(covers * (1 - covers) / repeats)
    return f"{_key(cell)}{covers:.3f} ± {doubt:.3f} | {bias:+.2f} | {ratio:.2f} |"


def _key(cell: Cell) -> str:
    """How the row of a cell begins."""
    return f"| {cell.name} | {cell.estimator} | {cell.rows} | "


def main() -> None:
    """Measure some systems, or all, and write the page; rows of other systems stay as they are."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="measure this system, or this estimator, alone")
    parser.add_argument("--report", type=Path, default=Path("docs/effects-coverage.md"))
    options = parser.parse_args()
    known = options.report.read_text(encoding="utf-8").splitlines() if options.report.exists() else []
    rows = []
    for cell in CELLS:
        if options.only in ("", cell.name, cell.estimator):
            repeats = options.repeats * (5 if cell.estimator == "regression" else 1)
            rows.append(_row(cell, repeats, options.seed))
            print(rows[-1], flush=True)
        else:
            rows += [line for line in known if line.startswith(_key(cell))]
    lines = [
        "# Coverage of the intervals of effects",
        "",
        f"`python -m benchmarks.effect_coverage --repeats {options.repeats} --seed {options.seed}`, with five times as",
        'many repeats of "regression".',
        "",
        *EXPLANATION.splitlines(),
        "",
        "| system | estimator | rows | covers | bias | error |",
        "| --- | --- | --- | --- | --- | --- |",
        *rows,
        "",
    ]
    options.report.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
