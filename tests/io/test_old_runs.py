"""Files of version 0.1.0 are read, with all that stands in them, and runs that were not finished are gone on with.

What must be read is taken from the files by `json` alone.
"""

import base64
import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ancestral as an
from ancestral.search.stage import AskedStage
from tests.support.hostile_runs import DAG, NAMES, OLD, own, table_of

pytestmark = pytest.mark.filterwarnings("ignore::ancestral.KnowledgeWarning")

RUNS = sorted(path.name for path in OLD.glob("*_*.json*"))
UNFINISHED = [name for name in RUNS if "unfinished" in name]


class Decides:
    """The test of `object_unfinished.json`, which was called so."""

    name = "T"
    names = NAMES

    def independent(self, x: str, y: str, given: tuple[str, ...]) -> bool:
        """By the graph."""
        return an.is_separated(DAG, x, y, given)


def written(name: str) -> dict[str, Any]:
    """The document as it stands in the file."""
    content = (OLD / name).read_bytes()
    out: dict[str, Any] = json.loads(gzip.decompress(content) if name.endswith(".gz") else content)
    return out


def doubles(text: str | None, count: int) -> list[float]:
    return [0.0] * count if text is None else np.frombuffer(base64.b64decode(text), "<f8").tolist()


def shown(value: float | None) -> Any:
    return None if value is None or value != value else pytest.approx(value, rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("name", RUNS)
def test_everything_in_an_old_run_is_read(name: str, tmp_path: Path) -> None:
    saved = written(name)
    assert saved["version"] == 3
    found = an.load(OLD / name)
    names = saved["variables"]
    assert list(found.pag.nodes) == names
    assert (found.radius, found.complete, found.stopped) == (saved["radius"], saved["complete"], saved["stopped"])
    assert [found.tests, found.verify_tests, found.unsupported] == [
        {int(size): count for size, count in saved[key].items()} for key in ("tests", "verify_tests", "unsupported")
    ]
    assert found.test.rows == saved["data"]["rows"] and found.test.fingerprint == saved["data"]["fingerprint"]
    assert [(m.phase, m.radius, m.questions) for m in found.history] == [
        (stage["phase"], stage["radius"], stage["questions"]) for stage in saved["stages"]
    ]
    marks = found.trace.orientations
    assert [(o.x, o.y, o.mark, o.rule, o.because) for o in marks] == [
        (names[x], names[y], mark, rule, tuple(names[v] for v in because))
        for x, y, mark, rule, because in zip(*saved["orientations"].values(), strict=True)
    ]
    for stage, graph in zip(saved["stages"][:-1], found.graphs, strict=False):
        assert edges(stage["graph"], names) == {(a, e, b) for a, e, b in listed(graph)}
    frame = {(row["a"], row["b"]): row for row in found.to_frame("all").iter_rows(named=True)}
    pairs = [(names[i], names[j]) for i in range(len(names)) for j in range(i + 1, len(names))]
    assert list(frame) == pairs
    if saved["marginal"] is not None:
        columns = [doubles(saved["marginal"][key], len(pairs)) for key in ("statistic", "df", "p_value")]
        for pair, statistic, df, p_value in zip(pairs, *columns, strict=True):
            if frame[pair]["sepset"] == []:
                assert frame[pair]["edge"] is None
                assert (frame[pair]["statistic"], frame[pair]["p_value"]) == (shown(statistic), shown(p_value))
                assert (frame[pair]["df"] or 0) == df
    for part, sets in (("edges", "closest"), ("separations", "given")):
        table = saved[part]
        for k, (a, b) in enumerate(zip(table["a"], table["b"], strict=True)):
            row = frame[names[min(a, b)], names[max(a, b)]]
            assert (row["statistic"], row["p_value"]) == (shown(table["statistic"][k]), shown(table["p_value"][k]))
            assert row["df"] == table["df"][k]
            given = row["closest" if part == "edges" else "sepset"]
            assert (None if given is None else set(given)) == named(table[sets][k], names)
            if part == "edges":
                assert row["edge"] == table["edge"][k]
            else:
                assert (row["radius"], row["found_by"]) == (table["radius"][k], table["found_by"][k])
    # and, saved by this version, it is the same run
    found.save(tmp_path / "new.json")
    again = an.load(tmp_path / "new.json")
    assert again.to_frame("all").equals(found.to_frame("all")) and str(again) == str(found)
    assert again.to_json() == found.to_json() and again.settings == found.settings
    assert isinstance(again.stage, AskedStage) and isinstance(found.stage, AskedStage)
    assert again.stage.memory.steps == found.stage.memory.steps


def named(given: list[int] | None, names: list[str]) -> set[str] | None:
    return None if given is None else {names[z] for z in given}


def edges(graph: dict[str, Any], names: list[str]) -> set[tuple[str, str, str]]:
    rows = zip(graph["a"], graph["edge"], graph["b"], strict=True)
    return {(names[min(a, b)], edge, names[max(a, b)]) for a, edge, b in rows}


def listed(graph: an.PAG) -> list[tuple[str, str | None, str]]:
    nodes = graph.nodes
    pairs = [(a, b) for i, a in enumerate(nodes) for b in nodes[i + 1 :]]
    return [(a, graph.edge(a, b), b) for a, b in pairs if graph.edge(a, b) is not None]


@pytest.mark.parametrize("name", UNFINISHED)
@pytest.mark.parametrize("saved_again", [False, True])
def test_an_old_run_is_gone_on_with_to_the_same_end(name: str, saved_again: bool, tmp_path: Path) -> None:
    saved = written(name)
    kind = name.split("_")[0]
    tables = {"icd": "gaussian", "fci": "gaussian", "knowledge": "gaussian"}
    asked = {"function": own, "object": Decides()}
    source: Any = asked[kind] if kind in asked else table_of(tables.get(kind, kind))
    options: dict[str, Any] = {"alpha": saved["settings"]["alpha"], "algorithm": saved["settings"]["algorithm"]}
    if kind == "function":
        options["names"] = NAMES
    if kind == "object":
        del options["alpha"]  # it decides by itself
    if kind == "knowledge":
        options["knowledge"] = an.Knowledge(**saved["settings"]["knowledge"])
    path = tmp_path / name
    path.write_bytes((OLD / name).read_bytes())
    if saved_again:
        an.load(path).save(path)
    then = options | ({"test": "g"} if kind == "discrete" else {})  # the test that was chosen for labels
    fresh = an.discover(source, **then, colliders="first")
    found = an.discover(source, resume=path, **options)
    assert fresh.complete and found.complete and found.radius > saved["radius"]
    assert (found.pag, found.tests, found.history) == (fresh.pag, fresh.tests, fresh.history)
    assert found.to_frame("all").drop("p_value", "statistic").equals(fresh.to_frame("all").drop("p_value", "statistic"))
    assert found.trace.orientations == fresh.trace.orientations
    assert json.loads(path.read_text())["version"] == 4 and an.load(path).pag == fresh.pag


def test_an_old_bootstrap_is_read(tmp_path: Path) -> None:
    saved = json.loads((OLD / "bootstrap.json").read_text())
    assert saved["version"] == 1
    boot = an.load_bootstrap(OLD / "bootstrap.json")
    names = saved["variables"]
    assert (boot.seed, boot.subsample, boot.repeats, boot.wanted) == (3, 0.7, 12, 12)
    assert edges(saved["estimate"], names) == set(listed(boot.pag))
    for graph in saved["graphs"]:
        for number in graph["repeats"]:
            assert set(listed(boot._saved.graph(boot._saved.graphs[number]))) == edges(graph, names)
    for a in range(len(names)):
        for b in range(a + 1, len(names)):
            often = sum(len(g["repeats"]) for g in saved["graphs"] if (a, b) in list(zip(g["a"], g["b"], strict=True)))
            assert boot.edge(names[a], names[b]).edge == often / 12
    boot.save(tmp_path / "boot.json")
    assert json.loads((tmp_path / "boot.json").read_text())["version"] == 2
    assert an.load_bootstrap(tmp_path / "boot.json").to_json() == boot.to_json()


@pytest.mark.parametrize("numbers", [[0, 0], [0], list(range(1, 13)), [*range(12), 3]])
def test_each_repeat_of_an_old_bootstrap_has_one_graph(numbers: list[int], tmp_path: Path) -> None:
    saved = json.loads((OLD / "bootstrap.json").read_text())
    saved["graphs"] = [{**saved["graphs"][0], "repeats": numbers}]
    (tmp_path / "boot.json").write_text(json.dumps(saved))
    with pytest.raises(an.RunError, match=r"a graph for each of 12 repeats|repeats that have no other|from 0 to 11"):
        an.load_bootstrap(tmp_path / "boot.json")


OLD_FAULTS: dict[str, tuple[str, Any]] = {
    "a p-value above 1": ("must be p-values from 0 to 1", lambda d: d["edges"]["p_value"].__setitem__(0, 2)),
    "a marginal p-value above 1": ("must be p-values", lambda d: d["marginal"].update(p_value=_packed([2.0] * 36))),
    "infinity": ("finite numbers", lambda d: d["marginal"].update(statistic=_packed([np.inf] * 36))),
    "base64 too short": ("base64 of 36 doubles", lambda d: d["marginal"].update(p_value="AAAA")),
    "not base64": ("must be base64", lambda d: d["marginal"].update(p_value="%" * 384)),
    "a set twice": ("each variable once", lambda d: d["edges"]["closest"].__setitem__(0, [1, 1])),
    "an empty set": ("sets that are not empty", lambda d: d["separations"]["given"].__setitem__(0, [])),
    "a set of one more": ("sets of 1", lambda d: d["state"]["asked"][0]["given"].__setitem__(0, [7, 8])),
    "a set for nothing": ("null for null", lambda d: d["state"]["asked"][0]["raw"].__setitem__(0, None)),
    "half a degree of freedom": ("degrees of freedom", lambda d: d["edges"]["df"].__setitem__(0, 0.5)),
    "raw below 0": ("from 0 on", lambda d: d["state"]["separations"]["raw"].__setitem__(0, -0.5)),
    "too few witnesses": ("3 variables", lambda d: d["orientations"]["because"].__setitem__(0, [1])),
    "a column of version 4": ("edges.size is not known", lambda d: d["edges"].update(size=[])),
    "a packed column": ("edges.a is missing", lambda d: d["edges"].update(a="packed")),
}


def _packed(values: list[float]) -> str:
    return base64.b64encode(np.array(values, dtype="<f8").tobytes()).decode()


@pytest.mark.parametrize("what", OLD_FAULTS)
def test_an_old_run_that_was_changed_is_refused(what: str, tmp_path: Path) -> None:
    message, change = OLD_FAULTS[what]
    saved = written("icd_unfinished.json")
    change(saved)
    (tmp_path / "run.json").write_text(json.dumps(saved))
    with pytest.raises(an.RunError, match=message):
        an.load(tmp_path / "run.json")
