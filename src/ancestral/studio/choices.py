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

#: What each algorithm does and needs, for somebody who reads of it alone, without the list of the others.
_ALGORITHMS = {
    "scored": "Compares whole graphs, and keeps the one that fits the rows best for its size. For numbers, or numbers "
    "and labels, of a sample that was not selected.",
    "icd": "Asks the data one question after another: are two variables independent, given some others? For any data, "
    "also of a selected sample. It can be stopped after any stage.",
    "fci": "Asks questions of independence, and finds what ICD finds where all answers are right, usually with more "
    "questions. To repeat what others did, or to compare.",
    "rfci": "FCI with fewer questions: it may leave an edge that further questions would remove.",
    "fci+": "A variant of FCI for graphs in which no variable has many neighbours. It finds what ICD finds where all "
    "answers are right, usually with more questions.",
    "pc": "Asks questions of independence, and takes it for granted that all common causes were measured and that the "
    "sample was not selected.",
    "gfci": "First a graph by score, by adding and removing edges, then questions of independence within it. For a "
    "sample that was not selected.",
    "boss-fci": "First a graph by score, by reordering variables, then questions of independence within it. For a "
    "sample that was not selected.",
    "boss": "Finds a graph by score alone, by reordering variables, and takes it for granted that all common causes "
    "were measured and that the sample was not selected.",
}

#: What each test is for, in the same way.
_TESTS = {
    "fisher-z": "For numbers whose relations are straight lines: partial correlations. The quickest test.",
    "labels": "For labels: whether counts differ from what chance gives. Right also where few rows share the given "
    "values.",
    "g": "For labels: whether counts differ from what chance gives, by a likelihood ratio. Needs many rows for each "
    "combination of given values.",
    "chi2": "For labels: whether counts differ from what chance gives, by Pearson's statistic. Needs many rows for "
    "each combination of given values.",
    "mixed": "For numbers and labels together: each level of a label counts as a variable, and relations of numbers "
    "are straight lines.",
    "copula": "For ordered levels, also beside numbers: each level stands for an interval of a normal number that was "
    "not seen.",
    "rank": "For numbers that are skewed or have outliers, also beside levels: of numbers, only the order counts. "
    "Relations must rise or fall throughout.",
    "regression": "For numbers and labels together: whether one of the two helps to predict the other, where the given "
    "ones predict already.",
    "basis": "For relations that may be curves, between numbers or labels. It has less power for straight lines, and "
    "takes longer.",
    "kernel": "For relations that may be curves of several given variables at once. The slowest test; a second opinion "
    "on basis.",
}

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
            {"name": name, "title": ALGORITHMS[name].title, "sentence": _about(name)} for name in _algorithms()
        ],
        "tests": [
            {"name": name, "title": name, "sentence": _TESTS.get(name, _sentence(kind.about))}
            for name, kind in TESTS.items()
        ],
        "missing": [{"name": name, "title": name, "sentence": sentence} for name, sentence in _MISSING.items()],
        "alpha": "The significance level: two variables count as independent where the p-value exceeds it. A smaller "
        "one gives fewer edges; common choices are 0.05 and 0.01.",
        "kinds": ["continuous", "discrete", "ordinal"],
    }


def _algorithms() -> list[str]:
    return [name for name, algorithm in ALGORITHMS.items() if not algorithm.windows]


def _about(name: str) -> str:
    algorithm = ALGORITHMS[name]
    registered = f"{algorithm.title} {algorithm.summary.format(max_radius='a largest radius')}"
    return _ALGORITHMS.get(name, _sentence(registered))


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".") + "."
