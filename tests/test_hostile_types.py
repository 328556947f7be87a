"""Values of a wrong type end in an error that says what to pass, not in Python's own."""

import pytest

import ancestral as an
from tests.support.hostile_types import raw_failures

FRAME = an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c"), rows=60, seed=1)

#: An estimator raises what scikit-learn raises.
OTHERS = {"Discoverer"}


def test_no_wrong_type_ends_in_an_error_of_python() -> None:
    failures, calls = raw_failures([name for name in dir(an) if name not in OTHERS])
    assert failures == [] and calls > 4000


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"columns": 3}, r"columns=3 is not a list; pass a list of names, as in columns=\['a', 'b'\]"),
        ({"drop": True}, "drop=True is not a list"),
        ({"drop": [1.5]}, "drop= holds 1.5, which is not a name; pass names as strings"),
        ({"save": True}, "save=True is not a path; pass one as a string or a pathlib.Path"),
        ({"resume": 3}, "resume=3 is not a path"),
        ({"algorithm": ["icd"]}, r"algorithm=\['icd'\] is not known; choose one of 'icd'"),
        ({"workers": 10**23}, "workers=1.* is too large; pass a whole number from 1 to 1,024"),
        ({"workers": 10**5000}, "workers=<int> is too large"),
        ({"max_radius": -(10**5000)}, "max_radius=<int> is no count"),
        ({"time_limit": 10**400}, "time_limit=.*is no time"),
        ({"separator": 3}, "separator=3 is not a string"),
    ],
)
def test_what_to_pass_is_said(options: dict[str, object], message: str) -> None:
    with pytest.raises(an.OptionError, match=message):
        an.discover(FRAME, **options)  # type: ignore[arg-type]


def test_workers_are_bounded_everywhere() -> None:
    for search in (an.stages, an.bootstrap):
        with pytest.raises(an.OptionError, match=r"workers=1.* is too large; pass a whole number from 1 to 1,024"):
            search(FRAME, workers=10**23)
    with pytest.raises(an.OptionError, match=r"workers=1.* is too large"):
        an.Discoverer(workers=10**23).fit(FRAME)


def test_how_firm_edges_are_is_said_pair_by_pair() -> None:
    found = an.discover(FRAME)
    with pytest.raises(an.OptionError, match=r"fade=0.5 must say how firm edges are, from 0 to 1, as in"):
        found.plot("x.svg", fade=0.5)  # type: ignore[arg-type]
    with pytest.raises(an.OptionError, match="ax=3 is not axes of matplotlib"):
        found.plot(ax=3)


def test_what_has_no_repr_is_shown_by_its_type() -> None:
    class Odd:
        def __repr__(self) -> str:
            raise RuntimeError("no")

    with pytest.raises(an.OptionError, match="test=<Odd> is not a test"):
        an.discover(FRAME, test=Odd())  # type: ignore[arg-type]
