"""The CSVs of a tiny run, checked by hand: ratios from counts, counts from searches made here."""

import csv
import json
import re
from collections import defaultdict
from pathlib import Path
from statistics import fmean

import pytest

import ancestral as an
from ancestral.reproduce import EXPERIMENTS, reproduce
from tests.support.tiny_scale import TINY

pytest.importorskip("matplotlib")

Rows = list[dict[str, str]]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("paper")
    reproduce(folder, scale=TINY, workers=1)
    return folder


def rows_of(out: Path, name: str) -> Rows:
    with open(out / f"{name}.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_has_a_csv_and_figures_on_the_pages(name: str, out: Path) -> None:
    assert rows_of(out, name)
    for page in ("README.md", "index.html"):
        text = (out / page).read_text(encoding="utf-8")
        figures = [file.name for file in out.glob(f"{name}*.svg")]
        assert figures
        for figure in figures:
            assert figure in text
            assert (out / figure).with_suffix(".png").stat().st_size > 1000


def test_ratios_follow_from_counts(out: Path) -> None:
    for name in ("accuracy", "large"):
        for row in rows_of(out, name):
            tp, fp, fn, tn = (
                int(row[f"{truth}_{sign}s"])
                for truth, sign in (
                    ("true", "positive"),
                    ("false", "positive"),
                    ("false", "negative"),
                    ("true", "negative"),
                )
            )
            assert float(row["fpr"]) == pytest.approx(fp / (fp + tn))
            assert float(row["fnr"]) == pytest.approx(fn / (fn + tp))
            assert float(row["f1"]) == pytest.approx(2 * tp / (2 * tp + fp + fn))
            assert float(row["orientation"]) == pytest.approx(int(row["marks_right"]) / int(row["marks"]))
            assert int(row["marks"]) == 2 * (tp + fn)


def test_accuracy_is_that_of_a_search_made_here(out: Path) -> None:
    some = [row for row in rows_of(out, "accuracy") if row["algorithm"] == "ICD as published" and row["rho"] == "3"]
    for row in some:
        dag = an.simulate.random_dag(15, 3, seed=int(row["seed"]))
        data = an.simulate.linear_gaussian(dag, int(row["rows"]), seed=int(row["seed"]))
        found = an.discover(data, alpha=0.001, possible_ancestors="all", stable=False, verify=False, colliders="first")
        both = an.compare(found, an.pag_of(dag))
        assert float(row["f1"]) == both.f1
        assert float(row["orientation"]) == both.orientation
        assert int(row["questions"]) == found.tests.total()
    assert len(some) == TINY.accuracy_dags * len(TINY.data_rows)


def test_the_table_shows_questions_relative_to_fci_on_the_same_data(out: Path) -> None:
    asked: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for row in rows_of(out, "accuracy"):
        if row["rho"] == "2":
            asked[row["rows"], row["seed"]][row["algorithm"]] = int(row["questions"])
    page = (out / "README.md").read_text(encoding="utf-8")
    part = page[page.index("### rho = 2") : page.index("### rho = 3")]
    for count in map(str, TINY.data_rows):
        ratio = fmean(some["RFCI"] / some["FCI"] for (rows, _), some in asked.items() if rows == count)
        shown = re.search(rf"\| {count} \| RFCI \| ([\d.]+) ", part)
        assert shown
        assert shown[1] == f"{ratio:.2f}"


@pytest.mark.parametrize(
    ("name", "algorithm", "options"),
    [
        ("fci", "ICD (1–2)", {"possible_ancestors": "off", "verify": False}),
        ("fci", "FCI", {"algorithm": "fci", "verify": False}),
        ("rfci", "RFCI", {"algorithm": "rfci"}),
    ],
)
def test_questions_by_size_are_those_of_a_search_made_here(
    name: str, algorithm: str, options: dict[str, object], out: Path
) -> None:
    counted: dict[tuple[str, str], dict[int, int]] = defaultdict(dict)
    for row in rows_of(out, name):
        if row["algorithm"] == algorithm:
            assert row["censored"] == "0"
            counted[row["nodes"], row["seed"]][int(row["size"])] = int(row["questions"])
    assert len(counted) == len(TINY.sizes) * TINY.dags
    for (nodes, seed), by_size in counted.items():
        dag = an.simulate.random_dag(int(nodes), 2, seed=int(seed))
        found = an.discover(an.Oracle(dag), stable=False, **options)  # type: ignore[arg-type]
        expected = found.tests + found.verify_tests
        assert {size: count for size, count in by_size.items() if count} == dict(expected)


def test_the_example_asks_what_the_paper_prints(out: Path) -> None:
    rows = rows_of(out, "example")
    asked = {(row["algorithm"], row["phase"], int(row["size"])): int(row["questions"]) for row in rows}
    assert asked["ICD (1–3)", "search", 2] == 3
    assert asked["ICD (1–3)", "search", 3] == 1
    assert asked["FCI", "adjacency", 2] == 11


def test_only_verified_stages_are_all_true(out: Path) -> None:
    rows = rows_of(out, "stages")
    lying = {row["search"] for row in rows if row["false_marks"] != "0"}
    assert lying
    assert not any(search.endswith("verified") for search in lying)
    assert all(row["missing_edges"] == "0" for row in rows)


def test_shuffled_columns_change_nothing(out: Path) -> None:
    rows = [row for row in rows_of(out, "order") if row["what"] == "columns shuffled"]
    assert rows
    assert all(row["pairs_differ"] == "0" for row in rows)


def test_the_conclusions_count_what_the_csvs_say(out: Path) -> None:
    totals: dict[tuple[str, str], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for row in rows_of(out, "fci"):
        totals[row["nodes"], row["seed"]][row["algorithm"]] += int(row["questions"])
    fewer = sum(asked["ICD (1–2)"] < asked["FCI"] for asked in totals.values())
    page = (out / "README.md").read_text(encoding="utf-8")
    assert f"asks fewer questions than FCI on {fewer} of {len(totals)} DAGs" in page
    seconds: dict[tuple[int, str], float] = defaultdict(float)
    for run in json.loads((out / "fci.seconds.json").read_text(encoding="utf-8")):
        seconds[run["nodes"], run["algorithm"]] += run["seconds"]
    nodes = sorted({n for n, _ in seconds})
    times = ", ".join(f"{seconds[n, 'FCI'] / seconds[n, 'ICD (1–2)']:.1f}" for n in nodes)
    assert f"FCI takes {times} times as long with {', '.join(map(str, nodes))} nodes" in page
    ours = [row for row in rows_of(out, "accuracy") if row["algorithm"] == "ICD, our defaults"]
    assert f"our defaults {fmean(float(row['f1']) for row in ours):.3f}: better by" in page
    large = [row for row in rows_of(out, "large") if row["algorithm"] == "ICD, our defaults"]
    fewest = min(int(row["nodes"]) for row in large)
    assert f"the F1 is {fmean(float(row['f1']) for row in large if int(row['nodes']) == fewest):.2f}" in page
