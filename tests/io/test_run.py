"""Run files: what is written is read back, what is read is checked, and nothing is lost."""

import gzip
import json
import os
import resource
import subprocess
import sys
import textwrap
import tracemalloc
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ancestral as an
from ancestral.io.files import check_writable, write_atomically
from ancestral.io.run import read_run
from ancestral.io.run_parts import FOUND_BY


@cache
def example(complete: bool = True) -> dict[str, Any]:
    """The document of a run with every part: separations, conflicts, verification, what to go on with."""
    import tempfile

    dag = an.simulate.random_dag(nodes=10, degree=3, seed=4)
    rows = an.simulate.linear_gaussian(dag, rows=150, seed=4)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.json"
        found = an.discover(rows, alpha=0.05, save=path, max_radius=None if complete else 2)
        if complete:
            found.certainty(3, progress=False)
            found.save(path)
        out: dict[str, Any] = json.loads(path.read_text())
    return out


def loaded(document: Any, tmp_path: Path) -> an.Discovery:
    path = tmp_path / "run.json"
    path.write_text(json.dumps(document))
    return an.load(path)


# -- laws ---------------------------------------------------------------------------------------------------------


@settings(max_examples=25)
@given(
    seed=st.integers(0, 10_000),
    rows=st.sampled_from([60, 300]),
    max_radius=st.sampled_from([None, 0, 1, 2]),
    kind=st.sampled_from(["gaussian", "discrete", "mixed", "oracle"]),
    verify=st.booleans(),
)
def test_save_load_save_gives_the_same_bytes(
    seed: int, rows: int, max_radius: int | None, kind: str, verify: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("runs")
    dag = an.simulate.random_dag(nodes=8, degree=3, seed=seed)
    makers: dict[str, Callable[[], Any]] = {
        "gaussian": lambda: an.simulate.linear_gaussian(dag, rows=rows, seed=seed),
        "discrete": lambda: an.simulate.discrete(dag, rows=10 * rows, seed=seed),
        "mixed": lambda: an.simulate.mixed(dag, rows=10 * rows, seed=seed),
        "oracle": lambda: an.Oracle(dag),
    }
    source = makers[kind]()
    if kind != "oracle":  # the order of columns is not that of names
        source = source.select(np.random.default_rng(seed).permutation(source.columns).tolist())
    level: dict[str, Any] = {} if kind == "oracle" else {"alpha": 0.05}
    found = an.discover(source, max_radius=max_radius, verify=verify, **level)
    found.save(folder / "one.json")
    again = an.load(folder / "one.json")
    again.save(folder / "two.json")
    assert (folder / "one.json").read_bytes() == (folder / "two.json").read_bytes()
    again.save(folder / "three.json.gz")
    an.load(folder / "three.json.gz").save(folder / "four.json")
    assert (folder / "one.json").read_bytes() == (folder / "four.json").read_bytes()
    assert_same(found, again)


def assert_same(found: an.Discovery, again: an.Discovery) -> None:
    assert again.pag == found.pag
    assert again.pag.nodes == found.pag.nodes
    assert (again.radius, again.complete, again.stopped) == (found.radius, found.complete, found.stopped)
    assert (again.tests, again.verify_tests, again.unsupported) == (found.tests, found.verify_tests, found.unsupported)
    assert (again.history, again.settings) == (found.history, found.settings)
    assert again.graphs == found.graphs
    assert (again.reading, again.test.kinds) == (found.reading, found.test.kinds)
    assert str(again) == str(found)
    assert again.to_frame("all").equals(found.to_frame("all", library="polars"))
    assert again.trace.orientations == found.trace.orientations
    assert again.trace.conflicts == found.trace.conflicts
    for a in found.pag.nodes:
        for b in found.pag.nodes:
            if a != b:
                assert again.trace.separation(a, b) == found.trace.separation(a, b)
                assert str(again.why(a, b)) == str(found.why(a, b))
                assert again.causes(a, b) == found.causes(a, b)


def test_a_loaded_run_has_no_data(tmp_path: Path) -> None:
    found = loaded(example(), tmp_path)
    with pytest.raises(an.OptionError, match="a run file does not hold the data, so nothing more can be asked"):
        found.evidence(found.pag.nodes[0], found.pag.nodes[1], given=[])


def test_a_run_before_radius_0_can_be_kept(tmp_path: Path) -> None:
    def impatient(x: str, y: str, given: tuple[str, ...]) -> float:
        raise KeyboardInterrupt

    path = tmp_path / "run.json"
    with pytest.warns(an.RunWarning):
        found = an.discover(impatient, names=["a", "b", "c"], save=path)
    assert (found.radius, str(found.pag)) == (-1, "a o-o b\na o-o c\nb o-o c")
    assert "nothing was asked yet" in str(found)
    again = an.load(path)
    again.save(tmp_path / "again.json")
    assert path.read_bytes() == (tmp_path / "again.json").read_bytes()
    assert an.discover(an.Oracle(an.DAG.parse("a -> b")), save=tmp_path / "other.json").complete


def test_names_may_be_anything(tmp_path: Path) -> None:
    names = ['say "a"', "größe, cm", "\U0001f600", "x -> y"]
    found = an.discover(lambda x, y, given: 0.001, names=names, max_radius=1)
    found.save(tmp_path / "run.json")
    assert an.load(tmp_path / "run.json").pag == found.pag


@pytest.mark.parametrize("suffix", ["json", "json.gz"])
def test_a_thousand_variables_stay_in_proportion(suffix: str, tmp_path: Path) -> None:
    dag = an.simulate.random_dag(nodes=1000, degree=2.6, seed=1)
    found = an.discover(an.Moments.of(an.simulate.linear_gaussian(dag, rows=1200, seed=1)), algorithm="icd")
    path = tmp_path / f"run.{suffix}"
    found.save(path)
    assert path.stat().st_size < 20e6
    assert an.load(path).pag == found.pag


def test_saving_and_loading_take_no_more_memory_than_a_matrix(tmp_path: Path) -> None:
    """Bytes at the peak, beside one matrix of doubles over all pairs of variables."""
    n = 1500
    values = np.random.default_rng(1).normal(size=(2000, n))
    found = an.discover(an.Moments.from_correlation(np.corrcoef(values.T), rows=2000), max_radius=1, alpha=0.001)
    path = tmp_path / "run.json"
    matrix = 8 * n * n
    assert found.decisions and found.test.fingerprint  # known before, as in a search
    saving = traced(lambda: found.save(path))
    assert path.stat().st_size > 0.66 * matrix  # a double for each pair, in base64
    loading = traced(lambda: an.load(path))
    resuming = traced(lambda: read_run(path, to_resume=True))
    assert saving < 16e6 < matrix  # some blocks
    assert loading < 1.5 * matrix  # numbers of pairs, half a matrix; sets, half a matrix; marks, an eighth
    assert resuming < 1.2 * matrix
    assert traced(lambda: an.load(path).to_frame("edges")) < 2.2 * matrix


def traced(work: Callable[[], Any]) -> int:
    """Bytes that a piece of work takes at its peak."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_the_file_says_what_the_schema_says() -> None:
    """docs/run-file.md names every key, and no other; graphs without questions have a table of their own."""
    import re

    text = (Path(__file__).parents[2] / "docs" / "run-file.md").read_text()
    described = set(re.findall(r"^\| `([a-z_]+)` \|", text.partition("## A graph without questions")[0], re.MULTILINE))
    assert described == {*example(), "warnings"}  # which a run has that gave any: test_saved_warnings.py


def test_the_texts_of_packed_columns_are_those_of_questions() -> None:
    """They stand in every file with a packed column, and are read by name: one may be added, none may change."""
    assert FOUND_BY == ("search", "collider check", "path check", "score graph", "fdr", "copy", "context check")


# -- refusals -----------------------------------------------------------------------------------------------------


def changed(complete: bool, change: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    document = deepcopy(example(complete))
    change(document)
    return document


BAD: list[tuple[str, bool, Callable[[dict[str, Any]], Any], str]] = [
    (
        "another version",
        True,
        lambda d: d.update(version=99),
        "must be of version 3 and 4, got version 99",
    ),
    ("no version", True, lambda d: d.pop("version"), "version is missing"),
    ("another format", True, lambda d: d.update(format="x"), "must be a run file, got another file"),
    ("a part is missing", True, lambda d: d.pop("edges"), "edges is missing"),
    ("an unknown part", True, lambda d: d.update(more=1), "more is not known here"),
    ("names twice", True, lambda d: d["variables"].__setitem__(0, d["variables"][1]), "occurs twice"),
    (
        "a name is a number",
        True,
        lambda d: d["variables"].__setitem__(0, 7),
        r"variables\[0\] must be a string, got 7;",
    ),
    (
        "alpha is text",
        True,
        lambda d: d["settings"].update(alpha="x"),
        'settings.alpha must be a number between 0 and 1, got "x";',
    ),
    (
        "alpha is 0",
        True,
        lambda d: d["settings"].update(alpha=0),
        "settings.alpha must be a number between 0 and 1, got 0;",
    ),
    ("alpha is negative", True, lambda d: d["settings"].update(alpha=-5), "settings.alpha must be .*, got -5;"),
    ("alpha is large", True, lambda d: d["settings"].update(alpha=17), "settings.alpha must be .*, got 17;"),
    (
        "alpha is huge",
        True,
        lambda d: d["settings"].update(alpha=10**400),
        "settings.alpha must be a number .*, got 1000",
    ),
    (
        "half a character",
        True,
        lambda d: d["variables"].__setitem__(0, "\ud800"),
        "without surrogates, which are halves of characters",
    ),
    ("other counts", True, lambda d: d["tests"].update({"0": 1}), "tests must be as many questions as all of `stages`"),
    ("other stages", True, lambda d: d["stages"][0].update(questions=7), "as many questions as all of `stages` took"),
    ("an unknown algorithm", True, lambda d: d["settings"].update(algorithm="x"), "algorithm must be one of 'icd'"),
    ("an unknown setting", True, lambda d: d["settings"].update(beta=1), "settings.beta is not known here"),
    ("a truth value", True, lambda d: d["settings"].update(stable=1), "settings.stable must be true or false, got 1;"),
    (
        "the radius is too large",
        True,
        lambda d: d.update(radius=99),
        "radius must be a whole number from -1 to .*, got 99;",
    ),
    ("a radius too many", True, lambda d: [d["stages"].pop(), d["stages"][-1].update(graph=None)], "that ends with"),
    ("a last graph of its own", True, lambda d: d["stages"][-1].update(graph={}), "since the last graph stands under"),
    (
        "a stage without a graph",
        True,
        lambda d: d["stages"][0].update(graph=None),
        r"stages\[0\].graph must be an",
    ),
    ("a radius passed over", True, lambda d: d["stages"].pop(0), r"stages\[0\].radius must be .*, got 1;"),
    (
        "an unknown phase",
        True,
        lambda d: d["stages"][0].update(phase="soon"),
        r"stages\[0\].phase must be one of",
    ),
    (
        "the phase of another algorithm",
        True,
        lambda d: d["stages"][0].update(phase="adjacency"),
        'must be one of "search"',
    ),
    (
        "a phase that is not the last stage's",
        True,
        lambda d: d.update(phase="adjacency"),
        "the phase of the last stage",
    ),
    ("why it stopped", False, lambda d: d.update(stopped="bored"), 'stopped must be one of .*, got "bored";'),
    ("complete and stopped", True, lambda d: d.update(stopped="time limit"), "must be null in a complete run"),
    ("negative counts", True, lambda d: d["tests"].update({"0": -1}), "tests.0 must be a whole number .*, got -1;"),
    (
        "a node that is not there",
        True,
        lambda d: d["edges"]["a"].__setitem__(0, 99),
        r"edges.a\[0\] must be .*, got 99;",
    ),
    ("an edge to itself", True, lambda d: d["edges"]["a"].__setitem__(0, d["edges"]["b"][0]), "different variables"),
    (
        "an edge twice",
        True,
        lambda d: [d["edges"][c].append(d["edges"][c][-1]) for c in ["a", "edge", "b"]],
        "different",
    ),
    (
        "a strange edge",
        True,
        lambda d: d["edges"]["edge"].__setitem__(0, "=>"),
        r"edges.edge\[0\] must be one of .*, got \"=>\";",
    ),
    ("columns of different lengths", True, lambda d: d["edges"]["b"].pop(), "edges.b must be a list of"),
    ("a statistic below 0", True, lambda d: d["edges"]["number"].__setitem__(0, -2), "must be numbers of at least 0"),
    ("a statistic is text", True, lambda d: d["edges"]["number"].__setitem__(0, "1"), "must be a number or null"),
    ("a scale", True, lambda d: d.update(scale="kilos"), 'scale must be one of .*, got "kilos";'),
    ("p-values", True, lambda d: d.update(scale="p-value"), "marginal.number must be numbers from 0 to 1"),
    ("df of a normal statistic", True, lambda d: d["edges"].update(df=[1]), "numbers that are normal have no degrees"),
    ("no df", True, lambda d: d.update(scale="chi2"), "marginal.df must be a list of .*, got null;"),
    ("a set with a node twice", True, lambda d: _put_twice(d), "sets: each variable once"),
    ("a member too few", True, lambda d: d["separations"]["given"].pop(), "separations.given must be a list of"),
    (
        "the size of a set",
        True,
        lambda d: d["separations"]["size"].__setitem__(0, 99),
        r"separations.size\[0\] must be .*, got 99;",
    ),
    ("an edge that is separated", True, lambda d: _separate_an_edge(d), "about pairs without an edge"),
    ("an empty set is listed", True, lambda d: _empty_a_set(d), "sets that are not empty"),
    ("found by nobody", True, lambda d: d["separations"]["found_by"].__setitem__(0, "me"), "found_by"),
    ("a set of radius 0", True, lambda d: d["separations"]["radius"].__setitem__(0, 0), "radius must be from 1 on"),
    ("a graph by score", True, lambda d: _separate_by_score(d), "since this algorithm has no graph by score"),
    (
        "another radius than the size of a set by score",
        True,
        lambda d: _separate_by_score(d, radius=7),
        "radius must be from 1 on; of a pair that a graph by score",
    ),
    ("a set holds its pair", True, lambda d: _hold_the_pair(d), "sets without the pair itself"),
    ("a number too few", True, lambda d: d["marginal"]["number"].pop(), "marginal.number must be a list of 36"),
    ("infinity", True, lambda d: d["marginal"]["number"].__setitem__(0, 10**309), "must be a number or null"),
    ("no marginal", True, lambda d: d.update(marginal=None), "marginal must be an object, got null;"),
    ("a column that is not there", True, lambda d: d["edges"].update(a="packed"), "packed column edges.a is missing"),
    ("a mark without a reason", True, lambda d: d["orientations"]["x"].pop(), "a reason for each"),
    ("another mark", True, lambda d: _turn_a_mark(d), "a reason for each mark"),
    ("an unknown rule", True, lambda d: d["orientations"]["rule"].__setitem__(0, "R99"), "orientations.rule"),
    ("too few witnesses", True, lambda d: _take_a_witness(d), "must be 3 variables for R0"),
    ("too many witnesses", True, lambda d: _add_a_witness(d), "must be 3 variables for R0"),
    ("no way to go on", False, lambda d: d.update(state=None), "an object in a run that is not complete"),
    ("going on from the end", True, lambda d: d.update(state={}), "null in a run that is complete"),
    ("a graph too few", False, lambda d: d["state"]["graphs"].pop(), "state.graphs must be a list of 2"),
    ("a set too short", False, lambda d: d["state"]["asked"][1]["given"].pop(), r"state.asked\[1\].given must be a"),
    (
        "a set that is none",
        False,
        lambda d: d["state"]["asked"][1]["given"].__setitem__(slice(2), [1, 1]),
        "each variable",
    ),
    ("a question twice", False, lambda d: _ask_twice(d), "different questions"),
    ("a list", True, lambda d: d.update(edges=[]), "edges must be an object"),
    ("seeds", True, lambda d: d.update(seeds={"x": 1}), "seeds.x is not known here"),
    (
        "a fingerprint",
        True,
        lambda d: d["data"].update(fingerprint=None),
        "data.fingerprint must be a string, got null;",
    ),
    (
        "kinds that nobody knows",
        True,
        lambda d: d["data"].update(kinds=["odd"] * 9),
        r"data.kinds\[0\] must be one of .*, got \"odd\";",
    ),
    ("a kind too few", True, lambda d: d["data"]["kinds"].pop(), "data.kinds must be a list of 9"),
    ("read in a new way", True, lambda d: d["data"]["reading"].update(how=1), "data.reading.how is not known here"),
    (
        "dropped a number",
        True,
        lambda d: d["data"]["reading"].update(drop=[1]),
        r"data.reading.drop\[0\] must be a string, got 1;",
    ),
    ("missing how", True, lambda d: d["data"]["reading"].update(missing="so"), 'missing must be one of .*, got "so";'),
    ("huge numbers", True, lambda d: d["data"].update(rows=10**400), "data.rows must be a whole number .*, got 1000"),
]


def _put_twice(d: dict[str, Any]) -> None:
    d["edges"]["size"][0] = 2
    d["edges"]["closest"] = [2, 2, *d["edges"]["closest"], *[3] * 99][: sum(d["edges"]["size"])]


def _separate_by_score(document: dict[str, Any], radius: int | None = None) -> None:
    separations = document["separations"]
    separations["found_by"][0] = "score graph"
    separations["radius"][0] = separations["size"][0] if radius is None else radius


def _empty_a_set(d: dict[str, Any]) -> None:
    del d["separations"]["given"][: d["separations"]["size"][0]]
    d["separations"]["size"][0] = 0


def _add_a_witness(d: dict[str, Any]) -> None:
    d["orientations"]["size"][0] = 4
    d["orientations"]["because"].insert(0, 0)


def _take_a_witness(d: dict[str, Any]) -> None:
    assert d["orientations"]["size"][0] == 3
    d["orientations"]["size"][0] = 2
    del d["orientations"]["because"][0]


def _separate_an_edge(d: dict[str, Any]) -> None:
    d["separations"]["a"][0], d["separations"]["b"][0] = d["edges"]["a"][0], d["edges"]["b"][0]
    others = set(range(len(d["variables"]))) - {d["edges"]["a"][0], d["edges"]["b"][0]}
    assert d["separations"]["size"][0] == 1
    d["separations"]["given"][0] = min(others)


def _hold_the_pair(d: dict[str, Any]) -> None:
    d["separations"]["given"][0] = d["separations"]["a"][0]


def _turn_a_mark(d: dict[str, Any]) -> None:
    d["orientations"]["mark"][0] = "-" if d["orientations"]["mark"][0] == ">" else ">"


def _ask_twice(d: dict[str, Any]) -> None:
    verified = d["state"]["verified"]
    for name, value in (("a", 0), ("b", 1), ("size", 1), ("given", 2), ("independent", 0), ("raw", 0.5)):
        verified[name] += [value, value]


@pytest.mark.parametrize(("complete", "change", "message"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_a_file_that_was_changed_is_refused(
    complete: bool, change: Callable[[dict[str, Any]], Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(an.RunError, match=message) as caught:
        loaded(changed(complete, change), tmp_path)
    assert str(tmp_path / "run.json") in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "cannot be read as JSON"),
        (b"{", "nested too deeply, or cut off"),
        (b"\xff\xfe", "cannot be read as JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b"NaN", "NaN is not JSON"),
        (b"[]", "must be a run file, got another file; one is written by save"),
        (b"a,b\n1,2\n", "cannot be read as JSON"),
        (b"\x1f\x8bnonsense", "is compressed, but cannot be unpacked"),
        (gzip.compress(b"{}" * 1000, mtime=0)[:-20], "is compressed, but ends too soon"),
        (gzip.compress(b"[]", mtime=0), "must be a run file, got another file"),
    ],
)
def test_other_files_are_refused(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(content)
    with pytest.raises(an.RunError, match=message):
        an.load(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(an.RunError, match="cannot be read \\(No such file or directory\\); check the name"):
        an.load(tmp_path / "nothing.json")
    with pytest.raises(an.RunError, match="cannot be read"):
        an.discover(an.Oracle(an.DAG.parse("a -> b")), resume=tmp_path / "nothing.json")


# -- a fuzzer -----------------------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 12)
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "R1", ">", "-", "o->", "<->", "icd", "AAAA", "a"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "raw"]), inner, max_size=2),
    max_leaves=4,
)


@settings(max_examples=400)
@given(data=st.data(), complete=st.booleans())
def test_no_change_of_a_file_brings_about_an_unexpected_error(
    data: st.DataObject, complete: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    document = deepcopy(example(complete))
    for _ in range(data.draw(st.integers(1, 3))):
        place: Any = document
        while True:
            keys = sorted(place) if isinstance(place, dict) else list(range(len(place)))
            if not keys:
                break
            key = data.draw(st.sampled_from(keys))
            if isinstance(place[key], dict | list) and place[key] and data.draw(st.booleans()):
                place = place[key]
                continue
            if data.draw(st.booleans()):
                place[key] = data.draw(JSON)
            elif isinstance(place, list):
                place.insert(key, place[data.draw(st.sampled_from(keys))])
            else:
                del place[key]
            break
    path = tmp_path_factory.getbasetemp() / "fuzz.json"
    path.write_text(json.dumps(document))
    try:
        found = an.load(path)
    except an.RunError:
        return
    # what was let in must be whole: every question that a user may ask has an answer
    str(found)
    found.to_frame("all")
    for a in found.pag.nodes:
        for b in found.pag.nodes:
            if a != b:
                str(found.why(a, b))
    found.save(path)
    assert an.load(path).pag == found.pag


@settings(max_examples=200)
@given(content=st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "replace")))
def test_no_content_brings_about_an_unexpected_error(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "noise.json"
    path.write_bytes(content)
    with pytest.raises(an.RunError):
        an.load(path)


@settings(max_examples=300)
@given(text=st.text(alphabet='ab "\\,#o<>-*\n:latentsio', max_size=40))
def test_no_text_of_a_graph_brings_about_an_unexpected_error(text: str) -> None:
    for kind in (an.PAG, an.MAG, an.DAG, an.CPDAG):
        try:
            graph = kind.parse(text)
        except an.GraphError:
            continue
        assert kind.parse(str(graph)) == graph


# -- resuming with something else ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        (
            0,
            {"alpha": 0.02},
            "is a run with alpha=0.05, not alpha=0.02; resume it with the same settings, or start a new run",
        ),
        (0, {"verify": False}, "is a run with verify=True, not verify=False"),
        (0, {"stable": False}, "is a run with stable=True, not stable=False"),
        (0, {"possible_ancestors": "all"}, 'is a run with possible_ancestors="distant", not possible_ancestors="all"'),
        (0, {"selection_bias": False}, "is a run with selection_bias=True, not selection_bias=False"),
        (0, {"test": "rank"}, 'is a run with test="fisher-z", not test="rank"'),
        (1, {}, "was made from different data; resume it with the original data, or start a new run"),
        (2, {}, "was made from different data"),
        (3, {}, "was made from different data"),
    ],
)
def test_other_data_or_settings_are_refused(rows: int, options: dict[str, Any], message: str, tmp_path: Path) -> None:
    frame = an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c, c -> d"), rows=100, seed=1)
    path = tmp_path / "run.json"
    an.discover(frame, alpha=0.05, save=path, max_radius=1)
    before = path.read_bytes()
    other = [
        frame,
        frame.with_columns(frame["a"].scatter(7, float(np.nextafter(frame["a"][7], 9.0)))),  # one bit of one value
        frame.rename({"a": "e"}),
        frame.head(99),
    ][rows]
    with pytest.raises(an.RunError, match=message):
        an.discover(other, **({"alpha": 0.05} | options), resume=path)
    assert path.read_bytes() == before


def test_other_variables_are_refused_whatever_the_fingerprint_says(tmp_path: Path) -> None:
    frame = an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c, c -> d"), rows=100, seed=1)
    path = tmp_path / "run.json"
    an.discover(frame, save=path, max_radius=0)
    path.write_text(path.read_text().replace('"variables": ["a"', '"variables": ["aa"'))
    assert "aa" in an.load(path).pag.nodes
    with pytest.raises(an.RunError, match="was made from different data"):
        an.discover(frame, resume=path)


# -- nothing is lost ----------------------------------------------------------------------------------------------


def test_saving_over_something_else_is_refused(tmp_path: Path) -> None:
    found = an.discover(an.Oracle(an.DAG.parse("a -> b")))
    table = tmp_path / "data.csv"
    table.write_text("a,b\n1,2\n")
    with pytest.raises(an.RunError, match="exists and is not a run file, so it is left alone; choose another name"):
        found.save(table)
    assert table.read_text() == "a,b\n1,2\n"
    with pytest.raises(an.RunError, match="must be a file, got a directory"):
        found.save(tmp_path)
    with pytest.raises(an.RunError, match="there is no directory"):
        found.save(tmp_path / "nowhere" / "run.json")
    with pytest.raises(an.RunError, match="cannot be written"):
        found.save("/proc/run.json")
    found.save(tmp_path / "run.json")
    found.save(tmp_path / "run.json")  # over a run file it may be saved
    assert sorted(p.name for p in tmp_path.iterdir()) == ["data.csv", "run.json"]


def test_a_search_is_not_begun_if_it_cannot_be_saved(tmp_path: Path) -> None:
    def never(x: str, y: str, given: tuple[str, ...]) -> float:
        raise AssertionError

    with pytest.raises(an.RunError, match="there is no directory"):
        an.discover(never, names=["a", "b"], save=tmp_path / "nowhere" / "run.json")


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    """The kernel itself refuses to let the file grow, in the middle of writing."""
    path = tmp_path / "run.json"
    found = an.discover(an.Oracle(an.DAG.parse("a -> b")), save=path)
    before = path.read_bytes()
    code = f"""
        import resource, signal, warnings
        import ancestral as an
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
        warnings.simplefilter("error", an.DataWarning)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            found = an.discover(an.Oracle(an.DAG.parse("a -> c, b -> c, c -> d")), save={str(path)!r})
        print(len(found.pag.edges()), found.complete)
        print(told[-1].message)
        """
    done = subprocess.run(
        [sys.executable, "-B", "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.splitlines()[0] == "3 True"  # the graph is there all the same
    assert "cannot be written (File too large); what was there before is untouched" in done.stdout
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["run.json"]
    assert found.complete
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY


def test_a_link_is_followed(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    link = tmp_path / "link.json"
    link.symlink_to(real / "run.json")
    an.discover(an.Oracle(an.DAG.parse("a -> b")), save=link)
    assert link.is_symlink()
    assert an.load(real / "run.json").complete


def test_writing_stops_at_an_exception(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    write_atomically(path, b"old")

    def interrupted(descriptor: int) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", interrupted)
        with pytest.raises(KeyboardInterrupt):
            write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["file"]
    check_writable(path)
    assert path.read_bytes() == b"old"


# -- saving that fails ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("failure", "message"),
    [
        (OSError("no space left"), "could not be saved"),
        (MemoryError(), "since memory is short"),
        (KeyboardInterrupt(), "interrupted while the run was saved; the file is as before"),
    ],
)
def test_a_save_that_fails_stays_in_unsaved(
    failure: BaseException, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: Path, run: Any) -> None:
        if run.stage.complete:
            raise failure

    target = tmp_path / "run.json"
    with monkeypatch.context() as patched:
        patched.setattr("ancestral.result.write_run", fail)
        with pytest.warns(an.RunWarning, match=message):
            found = an.discover(an.Oracle(an.DAG.parse("a -> b, b -> c")), save=target)
    assert isinstance(found.unsaved, an.RunError) and message in str(found.unsaved)
    assert found.complete and not target.exists()
    found.save(target)
    assert found.unsaved is None and an.load(target).pag == found.pag


def test_what_was_not_saved_or_was_is_not_unsaved(tmp_path: Path) -> None:
    dag = an.DAG.parse("a -> b, b -> c")
    assert an.discover(an.Oracle(dag)).unsaved is None
    assert an.discover(an.Oracle(dag), save=tmp_path / "run.json").unsaved is None
    assert an.load(tmp_path / "run.json").unsaved is None
