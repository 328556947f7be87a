"""Bootstrap files: what is saved is loaded, and nothing that is damaged is believed."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ancestral as an
from ancestral.resampling.file import FORMAT, VERSION

DAG = an.DAG.parse("b1 -> c, a10 -> c, c -> d, L -> d, L -> a2", latent=["L"])


@pytest.fixture(scope="module")
def boot() -> an.Bootstrap:
    rows = an.simulate.linear_gaussian(DAG, rows=120, seed=3).select("d", "a10", "c", "a2", "b1")
    return an.bootstrap(rows, repeats=25, seed=11, alpha=0.05, subsample=0.8, kinds="continuous")


def same(one: an.Bootstrap, other: an.Bootstrap) -> None:
    assert one.to_json() == other.to_json() and one.nodes == other.nodes and one.pag == other.pag
    assert one.graphs == other.graphs and one.to_frame().equals(other.to_frame())
    assert str(one) == str(other) and one.consensus() == other.consensus() and one.settings == other.settings
    assert (one.seed, one.subsample, one.repeats, one.wanted) == (
        other.seed,
        other.subsample,
        other.repeats,
        other.wanted,
    )


@pytest.mark.parametrize("name", ["boot.json", "boot.json.gz"])
def test_what_is_saved_is_loaded(boot: an.Bootstrap, tmp_path: Path, name: str) -> None:
    boot.save(tmp_path / name)
    same(an.load_bootstrap(tmp_path / name), boot)
    assert (tmp_path / name).read_bytes()[:2] == (b"\x1f\x8b" if name.endswith("gz") else b"{\n")
    boot.save(tmp_path / name)  # over itself


def test_each_repeat_keeps_its_graph(boot: an.Bootstrap, tmp_path: Path) -> None:
    boot.save(tmp_path / "boot.json")
    document = json.loads((tmp_path / "boot.json").read_text())
    names, graphs = document["variables"], document["graphs"]
    stops = np.cumsum(graphs["size"]).tolist()
    assert len(document["found"]) == 25
    for number, which in enumerate(document["found"]):
        some = slice(stops[which] - graphs["size"][which], stops[which])
        rows = zip(graphs["a"][some], graphs["edge"][some], graphs["b"][some], strict=True)
        expected = an.PAG.from_edges((names[a], edge, names[b]) for a, edge, b in rows)
        assert boot._saved.graph(boot._saved.graphs[number]).edges() == expected.edges()


def test_runs_with_knowledge_and_an_early_end_come_back(tmp_path: Path) -> None:
    rows = an.simulate.linear_gaussian(DAG, rows=120, seed=3)
    known = an.Knowledge(tiers=[["b1", "a10"], ["c"]])
    boot = an.bootstrap(rows, repeats=10**6, time_limit=0.4, knowledge=known)
    boot.save(tmp_path / "boot.json")
    back = an.load_bootstrap(tmp_path / "boot.json")
    same(back, boot)
    assert back.stopped == "time limit" and back.settings.knowledge == known and back.found is None
    with pytest.raises(an.OptionError, match=r"call found.report\(path, reliabilities=boot\)"):
        back.report(tmp_path / "boot.html")


def test_every_key_is_documented(boot: an.Bootstrap, rows: pl.DataFrame) -> None:
    """docs/bootstrap-file.md names every key, and no other."""
    text = (Path(__file__).parents[2] / "docs" / "bootstrap-file.md").read_text()
    documented = re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)
    optional = ("resamples", "effects")
    assert [key for key in documented if key not in optional] == list(json.loads(boot.to_json()))
    effects = [(rows.columns[0], rows.columns[1])]
    by_score = an.bootstrap(rows, algorithm="scored", repeats=2, progress=False, effects=effects)
    assert documented == list(json.loads(by_score.to_json()))


def test_other_files_are_told_apart(boot: an.Bootstrap, tmp_path: Path) -> None:
    boot.save(tmp_path / "boot.json")
    with pytest.raises(
        an.RunError,
        match=r"got an ancestral bootstrap file; an.load_bootstrap\(\) and ancestral report --reliabilities read it",
    ):
        an.load(tmp_path / "boot.json")
    assert boot.found is not None
    boot.found.save(tmp_path / "run.json")
    with pytest.raises(an.RunError, match=r"must be a bootstrap file, got an ancestral run file; an.load\(\) reads it"):
        an.load_bootstrap(tmp_path / "run.json")
    with pytest.raises(an.RunError, match="exists and is not a bootstrap file, so it is left alone"):
        boot.save(tmp_path / "run.json")
    assert an.load(tmp_path / "run.json").pag == boot.pag
    (tmp_path / "junk").write_text("[1, 2")
    with pytest.raises(an.RunError, match="cannot be read as JSON"):
        an.load_bootstrap(tmp_path / "junk")


def changed(boot: an.Bootstrap, path: Path, **changes: Any) -> Path:
    document = json.loads(boot.to_json())
    document.update(changes)
    path.write_text(json.dumps({key: value for key, value in document.items() if value != "gone"}))
    return path


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": VERSION + 1}, "must be of version 1 and 2, got version 3"),
        ({"seed": -1}, "seed must be a whole number .*, got -1;"),
        ({"subsample": 1.0}, "subsample must be a number between 0 and 1"),
        ({"wanted": 0}, "wanted must be a whole number from 1 .*, got 0;"),
        ({"repeats": 26}, "repeats must be a whole number from 0 to 25, got 26;"),
        ({"repeats": 24}, "stopped must be null where all repeats were done, and otherwise the reason"),
        ({"stopped": "interrupt"}, "stopped must be null where all repeats were done"),
        ({"stopped": "tired"}, "must be one of"),
        ({"subsample": 10**400}, "subsample must be a number between 0 and 1"),
        ({"wanted": 10**9, "repeats": 10**9}, "repeats must be a whole number from 0 to 10000000"),
        ({"wanted": 10**7, "repeats": 10**7}, "found must be a list of 10000000"),
        ({"found": [1] * 25}, "found must be the numbers of graphs, in the order in which they were first found"),
        ({"found": [0] * 25}, "graphs.size must be a list of 1"),
        ({"graphs": []}, "graphs must be an object"),
        ({"estimate": {"a": [0], "edge": ["o=>"], "b": [1]}}, "must be one of"),
        ({"estimate": {"a": [0], "edge": ["o->"], "b": [0]}}, "pairs of different variables"),
        ({"variables": ["a", "a"]}, "a"),
        ({"more": 1}, "more is not known here"),
        ({"data": "gone"}, "data is missing"),
    ],
)
def test_what_is_damaged_is_refused(boot: an.Bootstrap, tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(an.RunError, match=message):
        an.load_bootstrap(changed(boot, tmp_path / "boot.json", **changes))


@pytest.mark.parametrize("columns", [("a",), ("a", "edge", "b")])
def test_each_graph_has_its_edges(boot: an.Bootstrap, tmp_path: Path, columns: tuple[str, ...]) -> None:
    graphs = json.loads(boot.to_json())["graphs"]
    for column in columns:
        graphs[column].append(graphs[column][-1])
    with pytest.raises(an.RunError, match=r"graphs.a must be a list of"):
        an.load_bootstrap(changed(boot, tmp_path / "boot.json", graphs=graphs))
    graphs["size"][-1] += 1
    message = "lists of different edges" if len(columns) == 3 else "graphs.edge must be a list of"
    with pytest.raises(an.RunError, match=message):
        an.load_bootstrap(changed(boot, tmp_path / "boot.json", graphs=graphs))


def test_graphs_stand_in_the_order_in_which_they_were_found(boot: an.Bootstrap, tmp_path: Path) -> None:
    found = json.loads(boot.to_json())["found"]
    assert found[0] == 0 and 1 in found
    turned = [{0: 1, 1: 0}.get(number, number) for number in found]
    with pytest.raises(an.RunError, match="in the order in which they were first found"):
        an.load_bootstrap(changed(boot, tmp_path / "boot.json", found=turned))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_whatever_is_changed_it_is_read_or_refused(boot: an.Bootstrap, tmp_path: Path, data: st.DataObject) -> None:
    document: Any = json.loads(boot.to_json())
    place, key = document, data.draw(st.sampled_from(sorted(document)))
    while isinstance(place[key], dict | list) and place[key] and data.draw(st.integers(0, 3)):
        place = place[key]
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
    place[key] = data.draw(st.sampled_from([None, -1, 0, 1, 3, 1e9, 0.5, "", "o->", "a", [], {}, [0], True]))
    (tmp_path / "boot.json").write_text(json.dumps(document))
    try:
        back = an.load_bootstrap(tmp_path / "boot.json")
    except an.RunError:
        return
    assert str(back) and len(back.to_frame()) and back.consensus() is not None


def test_a_packed_file_that_ends_too_soon_is_refused(boot: an.Bootstrap, tmp_path: Path) -> None:
    (tmp_path / "boot.json.gz").write_bytes(gzip.compress(boot.to_json().encode())[:-20])
    with pytest.raises(an.RunError, match=r"ends too soon|cannot be unpacked"):
        an.load_bootstrap(tmp_path / "boot.json.gz")
    assert FORMAT in boot.to_json()


def test_in_a_file_of_version_1_no_repeat_has_two_graphs(boot: an.Bootstrap, tmp_path: Path) -> None:
    document = json.loads(boot.to_json())
    columns, numbers = document["graphs"], document.pop("found")
    graphs, start = [], 0
    for number, size in enumerate(columns["size"]):
        edges = {key: columns[key][start : start + size] for key in ("a", "edge", "b")}
        graphs.append({"repeats": [i for i, of in enumerate(numbers) if of == number], **edges})
        start += size
    path = tmp_path / "old.json"
    path.write_text(json.dumps({**document, "version": 1, "graphs": graphs}))
    assert an.load_bootstrap(path).to_frame().equals(boot.to_frame())
    graphs[1]["repeats"].append(graphs[0]["repeats"][0])
    path.write_text(json.dumps({**document, "version": 1, "graphs": graphs}))
    with pytest.raises(an.RunError, match="a list of repeats that have no other graph"):
        an.load_bootstrap(path)
