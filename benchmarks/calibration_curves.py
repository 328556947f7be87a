"""Level, power, speed and graphs of the tests `basis` and `kernel`, beside KCI and RCIT of causal-learn.

    python -m benchmarks.calibration_curves --part size [--rows 50 200] [--repeats 1000] [--seed 1]
    python -m benchmarks.calibration_curves --part power --rows 200 --repeats 40
    python -m benchmarks.calibration_curves --part speed
    python -m benchmarks.calibration_curves --part graphs --repeats 20
    python -m benchmarks.calibration_curves --part page

Each part adds what it finds to a file of results, and writes docs/calibration-curves.md from all that the file holds.

Cells are ways in which Z drives x and y, and x drives y. Size: x and y are independent given Z; the share of samples
that a test calls dependent at .01 and .05. Power: the share called dependent at .05 where x drives y; all tests see the
same samples. Graphs: the same search with several tests, on linear and on nonlinear data of random graphs.
"""

import argparse
import json
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import ancestral as an
from ancestral.data import Table
from ancestral.data.column import Column
from ancestral.independence import TESTS
from ancestral.metrics import compare
from benchmarks.levels import LEVELS, Columns, Share, share_below

Draw = Callable[[np.random.Generator, int, int, float], Columns]

OURS = ("basis", "kernel")
#: How strongly x drives y where power is measured: so that some samples of 200 rows show it and some do not.
EFFECTS = {"heteroscedastic": 0.35, "interaction": 0.35}
EFFECT = 0.25


def _named(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> Columns:
    return {"x": x, "y": y} | {f"z{i}": z[:, i] for i in range(z.shape[1])}


def _share(k: int, total: float) -> np.ndarray:
    """Weights of k variables whose squares add up to total²."""
    return np.full(k, total / np.sqrt(max(k, 1)))


def gaussian(rng: np.random.Generator, rows: int, k: int, effect: float) -> Columns:
    """Linear and normal."""
    z = rng.standard_normal((rows, k))
    x = z @ _share(k, 0.8) + rng.standard_normal(rows)
    return _named(x, -z @ _share(k, 0.8) + effect * x + rng.standard_normal(rows), z)


def quadratic(rng: np.random.Generator, rows: int, k: int, effect: float) -> Columns:
    """Squares of Z drive x and y, the square of x drives y."""
    z = rng.standard_normal((rows, k))
    x = (z**2 - 1) @ _share(k, 0.8) + rng.standard_normal(rows)
    return _named(x, (z**2 - 1) @ _share(k, 0.8) + effect * (x**2 - x.var()) + rng.standard_normal(rows), z)


def sinusoidal(rng: np.random.Generator, rows: int, k: int, effect: float) -> Columns:
    """Sines of Z drive x and y, a sine of x drives y."""
    z = rng.standard_normal((rows, k))
    x = np.sin(2 * z) @ _share(k, 1.2) + rng.standard_normal(rows)
    return _named(x, np.sin(2 * z) @ _share(k, 1.2) + 2 * effect * np.sin(2 * x) + rng.standard_normal(rows), z)


def heteroscedastic(rng: np.random.Generator, rows: int, k: int, effect: float) -> Columns:
    """Z drives the variances of x and y, and x drives that of y; means are zero."""
    z = rng.standard_normal((rows, k))
    spread = np.exp(z @ _share(k, 0.6))
    x = rng.standard_normal(rows)
    return _named(spread * x, spread * np.exp(effect * x) * rng.standard_normal(rows), z)


def heavy_tails(rng: np.random.Generator, rows: int, k: int, effect: float, df: float = 2.5) -> Columns:
    """Linear, everything with Student's t distribution."""
    z = rng.standard_t(df, (rows, k))
    x = z @ _share(k, 0.8) + rng.standard_t(df, rows)
    return _named(x, -z @ _share(k, 0.8) + effect * x + rng.standard_t(df, rows), z)


def cauchy(rng: np.random.Generator, rows: int, k: int, effect: float) -> Columns:
    """Linear, everything with Cauchy's distribution, which has no mean."""
    return heavy_tails(rng, rows, k, effect, df=1)


def interaction(rng: np.random.Generator, rows: int, k: int, effect: float) -> Columns:
    """Products of two of Z drive x and y; x drives y by its product with the first of Z, or with something hidden."""
    z = rng.standard_normal((rows, k))
    pairs = [(i, (i + 1) % k) for i in range(k if k > 2 else k - 1)]
    lean = sum((z[:, i] * z[:, j] for i, j in pairs), start=np.zeros(rows)) * 0.8 / np.sqrt(max(len(pairs), 1))
    x = lean + rng.standard_normal(rows)
    by = z[:, 0] if k else rng.standard_normal(rows)
    return _named(x, lean + 2 * effect * x * by + rng.standard_normal(rows), z)


#: Ways in which variables drive each other, by name.
CELLS: dict[str, Draw] = {
    "gaussian": gaussian,
    "quadratic": quadratic,
    "sinusoidal": sinusoidal,
    "heteroscedastic": heteroscedastic,
    "heavy tails": heavy_tails,
    "cauchy": cauchy,
    "interaction": interaction,
}
POWER_CELLS = [name for name in CELLS if name != "cauchy"]


def ours(test: str, columns: Columns, k: int) -> float:
    """The p-value of x and y given all of Z by a test of the package; NaN where it cannot tell."""
    table = Table(tuple(Column(name, values) for name, values in columns.items()))
    made = TESTS[test].makers.of_table(table, 0.05)
    return made.evidence(made.questions(made.names), 0, 1, range(2, 2 + k)).p_value


def peers(test: str, columns: Columns, k: int) -> float:
    """The same by a test of causal-learn."""
    from causallearn.utils.cit import CIT

    return float(CIT(np.column_stack(list(columns.values())), test)(0, 1, list(range(2, 2 + k))))


def p_values(cell: str, tests: list[str], rows: int, k: int, effect: float, repeats: int, seed: int) -> np.ndarray:
    """p-values, a row for each sample and a column for each test."""
    rng = np.random.default_rng([seed, rows, k, int(100 * effect), list(CELLS).index(cell)])
    out = np.empty((repeats, len(tests)))
    for i in range(repeats):
        columns = CELLS[cell](rng, rows, k, effect)
        for j, test in enumerate(tests):
            out[i, j] = (
                ours(test, columns, k) if test in OURS or test in ("fisher-z", "rank") else peers(test, columns, k)
            )
    return out


def measure_size(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The share of samples called dependent where x and y are independent given Z."""
    for rows in options.rows or [50, 200, 1000]:
        for cell in options.cells or CELLS:
            for k in options.given or [0, 1, 3, 5]:
                tests = options.tests or list(OURS)
                p = p_values(cell, tests, rows, k, 0.0, options.repeats, options.seed)
                for test, own in zip(tests, p.T, strict=True):
                    found = [share_below(own, level) for level in LEVELS]
                    shares = [one.share if one.samples else None for one in found]
                    yield {"part": "size", "test": test, "cell": cell, "rows": rows, "given": k, "shares": shares,
                         "decided": found[0].samples, "repeats": options.repeats, "seed": options.seed}  # fmt: skip


def measure_power(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The share of samples called dependent at .05 where x drives y."""
    tests = options.tests or [*OURS, "fisher-z", "kci", "rcit"]
    for rows in options.rows or [200]:
        for cell in options.cells or POWER_CELLS:
            for k in options.given or [0, 1, 3]:
                p = p_values(cell, tests, rows, k, EFFECTS.get(cell, EFFECT), options.repeats, options.seed)
                shares = {test: float(np.mean(own <= 0.05)) for test, own in zip(tests, p.T, strict=True)}
                yield {"part": "power", "cell": cell, "rows": rows, "given": k, "shares": shares,
                     "repeats": options.repeats, "seed": options.seed}  # fmt: skip


def measure_speed(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Milliseconds for one question, the fastest of some; causal-learn with what it prepares for a table left out."""
    from causallearn.utils.cit import CIT

    for rows, k, with_peers in [(500, 0, True), (500, 1, True), (500, 3, True), (5000, 3, False), (50_000, 3, False)]:
        columns = gaussian(np.random.default_rng(options.seed), rows, k, 0.0)
        values = np.column_stack(list(columns.values()))
        given = list(range(2, 2 + k))
        table = Table.of(values, names=list(columns), kinds="continuous")
        row: dict[str, float] = {}
        for test in OURS:
            questions = TESTS[test].makers.of_table(table, 0.05).questions(table.names)
            row[test] = min(_time(questions.ask, given) for _ in range(20))
        for test in ("kci", "rcit") if with_peers else ():
            row[test] = min(_time(CIT(values, test), given) for _ in range(5))  # it remembers its answers
        yield {"part": "speed", "rows": rows, "given": k, "milliseconds": row, "seed": options.seed}


def _time(ask: Callable[[int, int, list[int]], object], given: list[int]) -> float:
    """The processor time of a question, in milliseconds."""
    begun = time.process_time()
    ask(0, 1, given)
    return 1000 * (time.process_time() - begun)


def measure_graphs(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """How well ICD finds random graphs of 15 nodes by each test."""
    for data in ("linear", "nonlinear"):
        draw = an.simulate.linear_gaussian if data == "linear" else an.simulate.nonlinear
        for rows in options.rows or [500, 2000]:
            scores: dict[str, list[tuple[float, float]]] = {}
            for graph in range(options.repeats):
                dag = an.simulate.random_dag(nodes=15, degree=3, seed=1000 * options.seed + graph)
                true = an.pag_of(dag)
                table = Table.of(draw(dag, rows, seed=1000 * options.seed + graph))
                for test in options.tests or ["fisher-z", "rank", "basis", "kernel"]:
                    pag = an.discover(table, test=test, algorithm="icd", progress=False).pag
                    compared = compare(pag, true)
                    scores.setdefault(test, []).append((compared.f1, compared.orientation))
            means = {test: np.mean(own, axis=0).tolist() for test, own in scores.items()}
            yield {"part": "graphs", "data": data, "rows": rows, "means": means, "repeats": options.repeats,
                 "seed": options.seed}  # fmt: skip


# -- the page -------------------------------------------------------------------------------------------------------


def page(found: list[dict[str, Any]]) -> str:
    """The page of all results."""
    parts: dict[str, list[dict[str, Any]]] = {}
    for one in found:
        parts.setdefault(one["part"], []).append(one)
    lines = [
        "# Calibration of the tests that see curves",
        "",
        "`python -m benchmarks.calibration_curves --part size` (`power`, `speed`, `graphs`) with the rows, repeats and",
        "seeds in the tables. The cells are described in that file. The tests were designed on other samples.",
        "",
    ]
    if "size" in parts:
        lines += _size_table(parts["size"])
    if "power" in parts:
        lines += _power_table(parts["power"])
    if "speed" in parts:
        lines += _speed_table(parts["speed"])
    if "graphs" in parts:
        lines += _graph_table(parts["graphs"])
    return "\n".join(lines)


def _size_table(found: list[dict[str, Any]]) -> list[str]:
    lines = [
        "## Level",
        "",
        "x and y are independent given Z. The shares of samples called dependent at .01 and at .05; a star marks a",
        "share more than three standard errors above the level, a dash a size at which the test cannot tell.",
        "Where samples are few, as in 10,000 rows, only gross faults show: with 60 samples, a share above .134 at .05.",
        "",
        "| test | cell | rows | samples, seed | Z: 0 | 1 | 3 | 5 |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    order = list(CELLS)
    most: dict[tuple[Any, ...], dict[str, Any]] = {}
    for one in sorted(found, key=lambda one: int(one["repeats"])):  # of the same samples, the measurement with the most
        most[one["test"], order.index(one["cell"]), one["rows"], one["seed"], one["given"]] = one
    table: dict[tuple[Any, ...], dict[int, str]] = {}
    for (test, number, rows, seed, k), one in sorted(most.items()):
        key = (test, order[number], f"{rows:,}", f"{one['repeats']:,}, {seed}")
        table.setdefault(key, {})[k] = _shares(one)
    for key, shares in table.items():
        lines.append(f"| {' | '.join((*key, *(shares.get(k, '') for k in (0, 1, 3, 5))))} |")
    return [*lines, ""]


def _shares(one: dict[str, Any]) -> str:
    """Two shares, each with a star if it is too large."""
    if one["decided"] < one["repeats"] / 2:
        return "–"
    found = [Share(share, level, one["decided"]) for share, level in zip(one["shares"], LEVELS, strict=True)]
    return " ".join(f"{own.share:.3f}".removeprefix("0") + ("*" if own.is_too_large else "") for own in found)


def _power_table(found: list[dict[str, Any]]) -> list[str]:
    tests = list(dict.fromkeys(test for one in found for test in one["shares"]))
    lines = [
        "## Power",
        "",
        "x drives y. The share of samples called dependent at .05; all tests see the same samples. `kci` and `rcit`",
        "are those of causal-learn. `fisher-z` is dependent too often where Z drives x and y by curves.",
        "",
        f"| cell | rows | Z | samples, seed | {' | '.join(tests)} |",
        f"|{' --- |' * (4 + len(tests))}",
    ]
    for one in found:
        shares = " | ".join(f"{one['shares'][test]:.2f}" if test in one["shares"] else "" for test in tests)
        lines.append(f"| {one['cell']} | {one['rows']} | {one['given']} | {one['repeats']}, {one['seed']} | {shares} |")
    for rows in sorted({one["rows"] for one in found}):
        own = [one["shares"] for one in found if one["rows"] == rows]
        means = " | ".join(f"{np.mean([shares[test] for shares in own if test in shares]):.2f}" for test in tests)
        lines.append(f"| **mean** | {rows} | | | {means} |")
    return [*lines, ""]


def _speed_table(found: list[dict[str, Any]]) -> list[str]:
    tests = list(dict.fromkeys(test for one in found for test in one["milliseconds"]))
    lines = [
        "## Time of a question",
        "",
        "Milliseconds of processor time, the fastest of some, on one core.",
        "",
        f"| rows | Z | {' | '.join(tests)} |",
        f"|{' --- |' * (2 + len(tests))}",
    ]
    for one in found:
        times = " | ".join(f"{one['milliseconds'][test]:.3g}" if test in one["milliseconds"] else "" for test in tests)
        lines.append(f"| {one['rows']:,} | {one['given']} | {times} |")
    return [*lines, ""]


def _graph_table(found: list[dict[str, Any]]) -> list[str]:
    lines = [
        "## Graphs",
        "",
        "ICD on random graphs of 15 nodes, mean degree 3, against the true PAG: F1 of edges, and the share of marks",
        "that are right.",
        "",
        "| data | rows | graphs, seed | test | F1 | marks |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for one in found:
        for test, (f1, marks) in one["means"].items():
            lines.append(
                f"| {one['data']} | {one['rows']:,} | {one['repeats']}, {one['seed']} "
                f"| {test} | {f1:.2f} | {marks:.2f} |"
            )
    return [*lines, ""]


PARTS = {"size": measure_size, "power": measure_power, "speed": measure_speed, "graphs": measure_graphs}


def main() -> None:
    """Measure a part, keep what was found, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=[*PARTS, "page"], required=True)
    parser.add_argument("--rows", type=int, nargs="*")
    parser.add_argument("--given", type=int, nargs="*")
    parser.add_argument("--cells", nargs="*", choices=list(CELLS))
    parser.add_argument("--tests", nargs="*")
    parser.add_argument("--repeats", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=Path, default=Path("build/calibration_curves.jsonl"))
    parser.add_argument("--report", type=Path, default=Path("docs/calibration-curves.md"))
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # of columns far from normal, which are the point here
    if options.part != "page":
        with options.results.open("a", encoding="utf-8") as file:
            for one in PARTS[options.part](options):
                print(json.dumps(one), file=file, flush=True)
                print(one, flush=True)
    found = [json.loads(line) for line in options.results.read_text(encoding="utf-8").splitlines()]
    options.report.write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
