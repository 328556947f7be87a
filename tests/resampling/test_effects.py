"""Effects in resamples: against a loop that draws the rows, searches them and asks the result."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral.certainty.repeats import weights_of
from tests.support.command_line import ran

PAIRS = [("x", "y"), ("y", "x"), ("a", "x")]


@pytest.fixture(scope="module")
def study() -> pl.DataFrame:
    """So few rows that the graph differs between resamples."""
    rng = np.random.default_rng(8)
    a, b, c = rng.normal(size=(3, 120))
    x = 0.8 * a + 0.8 * b + rng.normal(size=120)
    return pl.DataFrame({"a": a, "b": b, "c": c, "x": x, "y": 0.5 * x - 0.5 * b + 0.5 * c + rng.normal(size=120)})


@pytest.fixture(scope="module")
def boot(study: pl.DataFrame) -> an.Bootstrap:
    return an.bootstrap(study, algorithm="fci", alpha=0.05, repeats=60, seed=4, effects=PAIRS, progress=False)


@pytest.mark.filterwarnings("ignore::ancestral.DataWarning")  # rows are drawn with replacement
def test_each_effect_is_that_of_its_own_resample(study: pl.DataFrame, boot: an.Bootstrap) -> None:
    """Every resample is made, searched and asked here by itself."""
    counts = dict.fromkeys(("effect", "no effect", "not identified"), 0)
    for number in range(60):
        drawn = study[np.repeat(np.arange(120), weights_of(4, number, 120, None)).tolist()]
        found = an.discover(drawn, algorithm="fci", alpha=0.05)
        for x, y in PAIRS:
            one, said = boot.effect(x, y), found.identify(x, y)
            value = one.all_estimates[number]
            if not said:
                counts["not identified"] += 1
                assert np.isnan(value) and one.said[number] == 0
            elif said.how == "no effect":
                counts["no effect"] += 1
                assert value == 0 and one.said[number] == 1
            else:
                counts["effect"] += 1
                assert value == pytest.approx(found.effect(x, y).estimate, rel=1e-9) and one.said[number] == 2
    assert min(counts.values()) > 5


def test_resamples_without_an_estimate_are_counted_and_not_mixed_in(boot: an.Bootstrap) -> None:
    one = boot.effect("x", "y")
    assert one.zero + one.not_identified + one.not_computed + len(one.estimates) == one.repeats == 60
    assert one.not_identified > 0 and len(one.estimates) > 0
    values = np.sort([value for value in one.all_estimates if not np.isnan(value) and value != 0])
    assert one.median == pytest.approx(np.median(values))
    low, high = one.interval(0.5) or (0, 0)
    assert (low, high) == pytest.approx((np.quantile(values, 0.25), np.quantile(values, 0.75)))
    assert str(one).splitlines()[0] == "Effect of x on y in 60 resamples, each with its own graph:"
    assert f"  not identified in {one.not_identified}" in str(one).splitlines()
    assert str(one) in str(boot)
    never = next((effect for effect in boot.effects if not len(effect.estimates)), None)
    if never is not None:
        assert (never.median, never.interval()) == (None, None)


@pytest.mark.parametrize("name", ["boot.json", "boot.json.gz"])
def test_effects_come_back_from_a_file(boot: an.Bootstrap, tmp_path: Path, name: str) -> None:
    boot.save(tmp_path / name)
    back = an.load_bootstrap(tmp_path / name)
    assert [(one.x, one.y) for one in back.effects] == PAIRS
    for one, other in zip(boot.effects, back.effects, strict=True):
        np.testing.assert_array_equal(one.said, other.said)
        np.testing.assert_array_equal(one.all_estimates, other.all_estimates)
    assert back.to_json() == boot.to_json()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"x": "z"}, "must be one of"),
        ({"said": ["effect"] * 59}, "a list of 60"),
        ({"said": ["perhaps"] * 60}, "must be one of"),
        ({"said": ["effect"] * 60, "estimate": [None] * 60}, "a number where there is an effect"),
        ({"said": ["not identified"] * 60, "estimate": [1.0] * 60}, "a number where there is an effect"),
        ({"said": ["no effect"] * 60, "estimate": [1.0] * 60}, "0 where there is none"),
        ({"more": 1}, "more"),
    ],
)
def test_damaged_effects_are_refused(boot: an.Bootstrap, tmp_path: Path, change: dict[str, Any], message: str) -> None:
    document = json.loads(boot.to_json())
    document["effects"][0] |= change
    (tmp_path / "boot.json").write_text(json.dumps(document))
    with pytest.raises(an.RunError, match=message):
        an.load_bootstrap(tmp_path / "boot.json")


def test_workers_scores_and_clusters(study: pl.DataFrame, boot: an.Bootstrap) -> None:
    threads = an.bootstrap(
        study, algorithm="fci", alpha=0.05, repeats=60, seed=4, effects=PAIRS[:1], workers=2, progress=False
    )
    np.testing.assert_array_equal(threads.effects[0].all_estimates, boot.effects[0].all_estimates)
    scored = an.bootstrap(study, algorithm="scored", repeats=5, effects=[("x", "y")], progress=False)
    assert scored.effect("x", "y").repeats == 5
    groups = study.with_columns(group=pl.int_range(120) // 4)
    clustered = an.bootstrap(groups, clusters="group", repeats=5, effects=[("x", "y")], progress=False, algorithm="fci")
    assert clustered.effect("x", "y").repeats == 5


def test_a_variable_that_does_not_vary_in_a_resample_has_no_estimate() -> None:
    """c is 1 in a single row, which some resamples do not draw; given their own graph, x and c are not adjacent."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=40)
    frame = pl.DataFrame({"x": x, "c": np.r_[1.0, np.zeros(39)], "y": x + rng.normal(size=40)})
    boot = an.bootstrap(frame, kinds="continuous", repeats=20, effects=[("c", "y")], progress=False, algorithm="pc")
    one = boot.effect("c", "y")
    assert one.repeats == 20 and one.zero > 0


def test_what_has_no_effects_is_refused_before_anything_is_searched(study: pl.DataFrame, boot: an.Bootstrap) -> None:
    for wrong in ("x", ["xy"], [("x",)], [("x", "x")], [("x", "y", "a")], 3):
        with pytest.raises(an.OptionError, match="effects must be a list of pairs"):
            an.bootstrap(study, effects=wrong, repeats=2)  # type: ignore[arg-type]
    with pytest.raises(an.UnknownName, match="unknown variable 'z'"):
        an.bootstrap(study, effects=[("x", "z")], repeats=2)
    with pytest.raises(an.OptionError, match=r"subsample=0\.5 cannot be combined with effects"):
        an.bootstrap(study, effects=[("x", "y")], repeats=2, subsample=0.5)
    with pytest.raises(an.OptionError, match="the test 'rank' looks at the order of values only"):
        an.bootstrap(study, effects=[("x", "y")], repeats=2, test="rank")
    with pytest.raises(an.OptionError, match="search without no_edge"):
        an.bootstrap(
            study, effects=[("x", "y")], repeats=2, knowledge=an.Knowledge(no_edge=[("a", "c")]), algorithm="fci"
        )
    with pytest.raises(an.OptionError, match=r"the effect of 'b' on 'y' was not asked for; pass effects="):
        boot.effect("b", "y")
    with pytest.raises(an.UnknownName):
        boot.effect("q", "y")
    assert an.bootstrap(study, effects=[], repeats=2, progress=False).effects == ()


def test_on_the_command_line(study: pl.DataFrame, tmp_path: Path) -> None:
    study.write_csv(tmp_path / "study.csv")
    said = ran("bootstrap", tmp_path / "study.csv", "--repeats", "3", "--effect", "x,y", "--effect", "a,y", "-q")
    assert said.code == 0
    assert "Effect of x on y in 3 resamples, each with its own graph:" in said.out
    assert "Effect of a on y in 3 resamples" in said.out
    wrong = ran("bootstrap", tmp_path / "study.csv", "--repeats", "3", "--effect", "x")
    assert wrong.code != 0
    assert "--effect must be a cause and an outcome, got 'x'; for example --effect x,y" in wrong.err
