"""Values of a wrong type end in an error that says what to pass, not in Python's own."""

import pytest

import ancestral as an
from tests.support.hostile_types import called_wrongly

FRAME = an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c"), rows=60, seed=1)

#: An estimator raises what scikit-learn raises.
OTHERS = {"Discoverer"}


def test_no_wrong_type_ends_in_an_error_of_python() -> None:
    calls = called_wrongly([name for name in dir(an) if name not in OTHERS])
    assert calls.raw == [] and calls.count > 4000
    assert calls.unnamed == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"columns": 3}, r"columns must be a list of names, got 3; for example columns=\['a', 'b'\]"),
        ({"drop": True}, "drop must be a list of names, got True"),
        ({"drop": [1.5]}, "drop must be a list of names, which are strings, got 1.5"),
        ({"save": True}, "save must be a path, got True; pass a string or a pathlib.Path"),
        ({"resume": 3}, "resume must be a path, got 3"),
        ({"algorithm": ["icd"]}, r"algorithm must be a string, got \['icd'\]"),
        ({"workers": 10**23}, "workers must be a whole number from 1 to 1,024, got 1"),
        ({"workers": 10**5000}, "workers must be a whole number from 1 to 1,024, got <int>"),
        ({"max_radius": -(10**5000)}, "max_radius must be a whole number of at least 0, got <int>"),
        ({"time_limit": 10**400}, "time_limit must be a number of seconds above 0, got"),
        ({"separator": 3}, "separator must be one ASCII character .*, got 3"),
    ],
)
def test_what_to_pass_is_said(options: dict[str, object], message: str) -> None:
    with pytest.raises(an.OptionError, match=message):
        an.discover(FRAME, **options)  # type: ignore[arg-type]


def test_workers_are_bounded_everywhere() -> None:
    for search in (an.stages, an.bootstrap):
        with pytest.raises(an.OptionError, match="workers must be a whole number from 1 to 1,024, got 1"):
            search(FRAME, workers=10**23)
    with pytest.raises(an.OptionError, match="workers must be a whole number from 1 to 1,024, got 1"):
        an.Discoverer(workers=10**23).fit(FRAME)


def test_how_firm_edges_are_is_said_pair_by_pair() -> None:
    found = an.discover(FRAME)
    with pytest.raises(an.OptionError, match=r"fade must be .* dictionary .*got 0.5; pass the strength of edges"):
        found.plot("x.svg", fade=0.5)  # type: ignore[arg-type]
    with pytest.raises(an.OptionError, match="ax must be axes of matplotlib, got 3"):
        found.plot(ax=3)


def test_what_has_no_repr_is_shown_by_its_type() -> None:
    class Odd:
        def __repr__(self) -> str:
            raise RuntimeError("no")

    with pytest.raises(an.OptionError, match=r"test must be the name of a test .*, got <Odd>"):
        an.discover(FRAME, test=Odd())  # type: ignore[arg-type]
