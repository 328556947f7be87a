"""A run that was stopped and resumed ends exactly like one that was not: the same file, byte for byte."""

from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import pytest

import ancestral as an
from ancestral.independence.fisher_z import FisherZ
from ancestral.io.run import SavedRun, write_run
from ancestral.search.progress import Progress

OPTIONS: list[dict[str, Any]] = [
    {},
    {"stable": False},
    {"stable": False, "verify": False, "possible_ancestors": "all"},
    {"possible_ancestors": "off", "selection_bias": False},
    {"workers": 2},
]


def sources(seed: int) -> dict[str, tuple[Any, dict[str, Any]]]:
    dag = an.simulate.random_dag(nodes=11, degree=3, seed=seed)
    rows = an.simulate.linear_gaussian(dag, rows=400, seed=seed)
    test = FisherZ(an.Moments.of(rows), 0.05)
    questions = test.questions(test.names)
    position = {name: i for i, name in enumerate(test.names)}
    turn = Lock()  # whoever is asked by several threads must see to it that they do not meet

    def own(x: str, y: str, given: tuple[str, ...]) -> float:
        i, j = sorted((position[x], position[y]))
        with turn:
            return test.evidence(questions, i, j, sorted(position[z] for z in given)).p_value

    return {
        "oracle": (an.Oracle(dag), {}),
        "fisher-z": (rows, {}),
        "g": (an.simulate.discrete(dag, rows=1500, seed=seed), {}),
        "few rows": (an.simulate.discrete(dag, rows=150, levels=3, seed=seed), {"alpha": 0.4}),
        "mixed": (an.simulate.mixed(dag, rows=400, seed=seed), {}),
        "own": (own, {"names": test.names, "alpha": 0.05}),
    }


@pytest.mark.parametrize("kind", ["oracle", "fisher-z", "g", "few rows", "mixed", "own"])
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: ",".join(options) or "defaults")
def test_resuming_after_any_radius_gives_the_same_file(kind: str, options: dict[str, Any], tmp_path: Path) -> None:
    source, more = sources(seed=len(options))[kind]
    options = options | more | {"algorithm": "icd"}
    whole, part = tmp_path / "whole.json", tmp_path / "part.json"
    found = an.discover(source, save=whole, **options)
    assert found.radius is not None and found.radius >= 2
    assert (found.unsupported.total() > 0) == (kind == "few rows")
    for radius in range(found.radius):
        part.unlink(missing_ok=True)
        an.discover(source, save=part, max_radius=radius, **options)
        assert not an.load(part).complete
        again = an.discover(source, resume=part, **options)
        assert part.read_bytes() == whole.read_bytes()
        assert again.pag == found.pag
        assert again.tests == found.tests


ALGORITHMS: list[dict[str, Any]] = [
    {"algorithm": "fci"},
    {"algorithm": "fci", "stable": False, "verify": False},
    {"algorithm": "fci+"},
    {"algorithm": "fci", "stable": False},
    {"algorithm": "fci+", "stable": False},
    {"algorithm": "rfci"},
    {"algorithm": "pc", "stable": False},
]


@pytest.mark.parametrize("kind", ["oracle", "fisher-z", "g", "own"])
@pytest.mark.parametrize("options", ALGORITHMS, ids=lambda options: ",".join(map(str, options.values())))
def test_every_algorithm_can_be_resumed_after_every_stage(kind: str, options: dict[str, Any], tmp_path: Path) -> None:
    source, more = sources(seed=3)[kind]
    options = options | more
    whole, part = tmp_path / "whole.json", tmp_path / "part.json"
    found = an.discover(source, save=whole, **options)
    assert found.complete
    assert an.load(whole).pag == found.pag
    kept: list[bytes] = []

    def keep(path: Path, run: SavedRun) -> None:
        write_run(path, run)
        kept.append(path.read_bytes())

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("ancestral.result.write_run", keep)
        an.discover(source, save=part, **options)
    assert len(kept) == len(found.history)
    for stage, content in enumerate(kept):
        part.write_bytes(content)
        assert len(an.load(part).history) == stage + 1
        again = an.discover(source, resume=part, **options)
        assert part.read_bytes() == whole.read_bytes()
        assert (again.pag, again.tests) == (found.pag, found.tests)


@pytest.mark.filterwarnings("ignore::ancestral.KnowledgeWarning")
@pytest.mark.parametrize("kind", ["oracle", "fisher-z"])
@pytest.mark.parametrize(
    "options", [{"algorithm": "icd"}, {"stable": False}, *ALGORITHMS], ids=lambda o: ",".join(map(str, o.values()))
)
def test_with_knowledge_too(kind: str, options: dict[str, Any], tmp_path: Path) -> None:
    dag = an.simulate.random_dag(nodes=11, degree=3, seed=3)
    order = sorted(dag.observed, key=lambda v: len(dag.ancestors(v)))
    known = an.Knowledge(tiers=[order[:3], order[3:]], required=[(order[0], order[4])], no_edge=[(order[1], order[5])])
    test_every_algorithm_can_be_resumed_after_every_stage(kind, {**options, "knowledge": known}, tmp_path)


@pytest.mark.parametrize("algorithm", ["fci", "fci+", "rfci"])
@pytest.mark.parametrize("radius", [0, 1, 2])
def test_a_search_in_phases_is_resumed_with_the_same_largest_radius(
    algorithm: str, radius: int, tmp_path: Path
) -> None:
    source, _ = sources(1)["oracle"]
    path = tmp_path / "run.json"
    an.discover(source, algorithm=algorithm, save=path, max_radius=radius)
    before = path.read_bytes()
    with pytest.raises(an.RunError, match=f"is a run with max_radius={radius}, not max_radius=None"):
        an.discover(source, algorithm=algorithm, resume=path)
    an.discover(source, algorithm=algorithm, resume=path, max_radius=radius)  # as it was
    assert path.read_bytes() == before


def test_a_second_search_that_had_nothing_to_ask_does_not_begin_again(tmp_path: Path) -> None:
    """All five depend on each other: the first search is cut short, and Possible-D-Sep has neighbours only."""
    dag = an.DAG.parse("a -> b, a -> c, a -> d, a -> e, b -> c, b -> d, b -> e, c -> d, c -> e, d -> e")
    path = tmp_path / "run.json"
    found = an.discover(an.Oracle(dag), algorithm="fci", max_radius=2, save=path)
    assert [(str(stage.phase), stage.radius) for stage in found.history][-1] == ("possible d-sep", 1)
    assert not found.complete
    before = path.read_bytes()
    an.discover(an.Oracle(dag), algorithm="fci", max_radius=2, resume=path)
    assert path.read_bytes() == before


@pytest.mark.filterwarnings("ignore:interrupted")
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("options", OPTIONS[:4] + ALGORITHMS[:4], ids=lambda options: ",".join(options) or "defaults")
def test_resuming_after_an_interrupt_at_any_question(seed: int, options: dict[str, Any], tmp_path: Path) -> None:
    """Ctrl-C comes while a question is asked, of the search or of verification, again and again."""
    own, more = sources(seed)["own"]
    rng = np.random.default_rng(seed)
    left = 0

    def impatient(x: str, y: str, given: tuple[str, ...]) -> float:
        nonlocal left
        left -= 1
        if left == 0:
            raise KeyboardInterrupt
        return float(own(x, y, given))

    whole, part = tmp_path / "whole.json", tmp_path / "part.json"
    an.discover(impatient, save=whole, **options, **more)
    interrupted = 0
    while True:
        left = int(rng.integers(1, 40)) + 8 * interrupted  # a radius must fit in at last
        found = an.discover(impatient, save=part, resume=part, **options, **more)
        if found.complete:
            break
        interrupted += 1
        assert found.stopped == "interrupt"
    assert interrupted >= 2
    assert part.read_bytes() == whole.read_bytes()


def test_a_complete_run_is_taken_as_it_is(tmp_path: Path) -> None:
    source, _ = sources(1)["fisher-z"]
    path = tmp_path / "run.json"
    found = an.discover(source, save=path)
    told: list[Progress] = []
    again = an.discover(source, resume=path, progress=told.append)
    assert again.complete
    assert not told
    assert again.history == found.history
    assert again.to_frame().equals(found.to_frame())
    before = path.read_bytes()
    an.discover(source, resume=path, save=tmp_path / "copy.json")
    assert path.read_bytes() == (tmp_path / "copy.json").read_bytes() == before
    assert again.evidence(found.pag.nodes[0], found.pag.nodes[1], given=[]).p_value >= 0  # the data are there again


def test_a_run_goes_on_with_a_larger_radius_but_not_with_a_smaller_one(tmp_path: Path) -> None:
    source, _ = sources(1)["oracle"]
    path = tmp_path / "run.json"
    an.discover(source, save=path, max_radius=1)
    assert an.discover(source, resume=path, max_radius=2).radius == 2
    with pytest.raises(
        an.RunError, match="has already reached radius 2, above max_radius=1; start a new run for a smaller one"
    ):
        an.discover(source, resume=path, max_radius=1)


def test_other_columns_orders_are_the_same_data(tmp_path: Path) -> None:
    rows, _ = sources(1)["fisher-z"]
    path = tmp_path / "run.json"
    an.discover(rows, save=path, max_radius=1)
    turned = rows.select(reversed(rows.columns))
    found = an.discover(turned, resume=path)
    assert found.pag == an.discover(rows, algorithm="icd").pag
    assert found.pag.nodes == tuple(turned.columns)
