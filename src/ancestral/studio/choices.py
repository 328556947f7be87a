"""What can be chosen: options with their defaults and checks, and a sentence on each algorithm, test and setting."""

from typing import Any

from ancestral import OptionError
from ancestral.independence.registry import TESTS
from ancestral.options import DiscoverOptions
from ancestral.printing import listed, shown
from ancestral.search.algorithms import ALGORITHMS
from ancestral.studio.refusals import Refused

__all__ = ["DEFAULTS", "READING", "checked_options", "choices", "keywords_of"]

#: The options of a project at the beginning.
DEFAULTS: dict[str, Any] = {
    "kinds": {},
    "missing": "refuse",
    "na": [],
    "drop": [],
    "algorithm": None,
    "test": None,
    "alpha": 0.01,
    "selection_bias": None,
    "max_radius": None,
    "fdr": None,
    "weights": None,
    "clusters": None,
}

#: The options that say how the data are read, in the order in which calls name them.
READING = ("kinds", "missing", "na", "drop", "weights", "clusters")

_MISSING = {
    "refuse": "Missing values are an error: nothing is searched until you decide.",
    "drop": "Rows with a missing value are left out; the others are searched.",
    "testwise": "Each question uses the rows that are complete for it.",
    "impute": "Gaps are filled several times from what was observed, and each question is asked of all these tables.",
}


def checked_options(changed: object, before: dict[str, Any]) -> dict[str, Any]:
    """The options with those that were changed; raises `Refused` or `OptionError` for one that cannot be used."""
    if not isinstance(changed, dict):
        raise Refused(f"options must be an object, got {shown(changed)}")
    if unknown := [name for name in changed if name not in DEFAULTS]:
        raise Refused(f"unknown option {shown(unknown[0])}; there are {', '.join(DEFAULTS)}")
    out = {**before, **changed}
    for name, default in DEFAULTS.items():
        if out[name] is None and default is not None:
            out[name] = default
    for name, known in (("algorithm", _algorithms()), ("test", list(TESTS))):
        if out[name] is not None and out[name] not in known:
            raise OptionError(f"must be one of {listed(known, len(known))}", option=name, value=out[name])
    DiscoverOptions.from_keywords("discover", keywords_of(out))
    return out


def keywords_of(options: dict[str, Any]) -> dict[str, Any]:
    """The options that differ from their defaults, as keywords of `discover`."""
    return {name: value for name, value in options.items() if value != DEFAULTS[name] or type(value) is bool}


def choices() -> dict[str, Any]:
    """The algorithms, tests, ways to treat missing values and kinds, with a sentence on each."""
    return {
        "algorithms": [
            {"name": name, "title": ALGORITHMS[name].title, "sentence": _sentence(_about(name))}
            for name in _algorithms()
        ],
        "tests": [{"name": name, "title": name, "sentence": _sentence(kind.about)} for name, kind in TESTS.items()],
        "missing": [{"name": name, "title": name, "sentence": sentence} for name, sentence in _MISSING.items()],
        "alpha": "The significance level: two variables count as independent where the p-value exceeds it. A smaller "
        "one gives fewer edges; common choices are 0.05 and 0.01.",
        "kinds": ["continuous", "discrete", "ordinal"],
    }


def _algorithms() -> list[str]:
    return [name for name, algorithm in ALGORITHMS.items() if not algorithm.windows]


def _about(name: str) -> str:
    algorithm = ALGORITHMS[name]
    return f"{algorithm.title} {algorithm.summary.format(max_radius='a largest radius')}"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".") + "."
