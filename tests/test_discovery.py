from pathlib import Path

import pytest

import ancestral as an
from ancestral import DAG, OptionError, Oracle, UnknownName, discover, stages
from tests.support.example_graphs import SEVEN_NODES


def test_columns_come_back_in_their_order() -> None:
    dag = DAG.parse("z -> m, a -> m, m -> k")
    assert discover(Oracle(dag)).pag.nodes == ("z", "m", "a", "k")


def test_what_a_discovery_says_when_printed() -> None:
    summary = str(discover(Oracle(SEVEN_NODES)))
    assert summary.startswith(
        "ICD on 7 variables, test oracle\nchosen because an independence test was given (docs/choosing.md)\n\n"
        "radius  edges left  questions\n     0          21         21\n"
    )
    assert "complete: nothing more can be learned from independences\n\n8 edges:\n" in summary
    assert "\n  A <-> B\n" in summary
    assert "\n  a <-> b   neither causes the other" in summary


def test_sepset_is_none_or_a_set() -> None:
    found = discover(Oracle(DAG.parse("a -> b, c")))
    assert found.sepset("a", "b") is None
    assert found.sepset("a", "c") == frozenset()


def test_an_early_stage_knows_nothing_of_later_separations() -> None:
    seen = list(stages(Oracle(SEVEN_NODES)))
    assert seen[1].separation("A", "E") is None
    assert seen[-1].separation("A", "E") is not None
    for stage in seen:
        for i, a in enumerate(SEVEN_NODES.nodes):
            for b in SEVEN_NODES.nodes[i + 1 :]:
                assert (stage.separation(a, b) is None) is (stage.pag.edge(a, b) is not None)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"algorithm": "magic"}, "algorithm must be one of 'icd', 'fci', .*, got 'magic'$"),
        ({"possible_ancestors": "some"}, "possible_ancestors must be one of 'distant', 'all', 'off', got 'some'"),
        ({"algorithm": "fcii"}, "got 'fcii'; did you mean 'fci'"),
        ({"max_radius": -1}, "max_radius must be a whole number of at least 0, got -1"),
        ({"max_radius": True}, "max_radius must be a whole number of at least 0, got True"),
        ({"workers": 0}, "workers must be a whole number of at least 1, got 0"),
        ({"stable": "no"}, "stable must be True or False, got 'no'"),
        ({"max_radius": 1.5}, "max_radius must be a whole number of at least 0, got 1.5"),
    ],
)
def test_bad_options(options: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        discover(Oracle(SEVEN_NODES), **options)  # type: ignore[arg-type]


def test_bad_sources_and_names() -> None:
    with pytest.raises(OptionError, match="pass an Oracle, as in an"):
        discover(DAG.parse("a -> b"))
    with pytest.raises(UnknownName, match="unknown node 'Q'"):
        discover(Oracle(SEVEN_NODES)).why("A", "Q")
    with pytest.raises(OptionError, match="max_given must be a whole number of at least 0, got -1"):
        Oracle(SEVEN_NODES, max_given=-1)
    with pytest.raises(OptionError, match="ask about two different ones"):
        discover(Oracle(SEVEN_NODES)).why("A", "A")
    for a, b in (("A", "typo"), ("typo", "A"), ("typo", "typo")):
        with pytest.raises(UnknownName, match="'typo'"):
            discover(Oracle(SEVEN_NODES)).causes(a, b)
    with pytest.raises(an.GraphError, match="must be given a DAG or a MAG, got a PAG"):
        Oracle(an.PAG.parse("a o-o b"))  # type: ignore[arg-type]


def test_what_could_not_be_saved_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "run.json"
    assert discover(Oracle(SEVEN_NODES)).unsaved is None
    assert discover(Oracle(SEVEN_NODES), save=target).unsaved is None

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ancestral.io.files.os.replace", full)
    with pytest.warns(an.RunWarning, match="cannot be written"):
        found = discover(Oracle(SEVEN_NODES), save=target)
    assert isinstance(found.unsaved, an.RunError)
    assert "run.json: cannot be written (No space left on device)" in str(found.unsaved)
