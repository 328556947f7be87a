"""How to repeat a run: the command of the shell, if a file was read, and the call in Python."""

import shlex
from itertools import permutations
from typing import Any

from ancestral.data.read_options import ReadOptions
from ancestral.graphs.window import Window, node_at
from ancestral.independence.oracle import Oracle
from ancestral.independence.registry import TESTS, name_in_registry
from ancestral.knowledge import SeriesKnowledge
from ancestral.search.settings import Settings
from ancestral.shell import option_words

__all__ = ["command", "python_call"]


def command(settings: Settings, reading: ReadOptions) -> str | None:
    """The command that repeats a run; None unless the data, and the knowledge if there is any, came from files.

    >>> read = ReadOptions("my study.csv", drop=["id", "a, b"])
    >>> print(command(Settings(test="g", alpha=0.05, verify=False), read))
    ancestral discover 'my study.csv' --algorithm icd --test g --alpha 0.05 --no-verify --drop 'id,"a, b"'
    >>> print(command(Settings(test="g", alpha=0.05), ReadOptions("-study.csv")))
    ancestral discover ./-study.csv --algorithm icd --test g --alpha 0.05
    >>> print(command(Settings(test="g", alpha=0.05, colliders="first"), ReadOptions("study.csv")))
    ancestral discover study.csv --algorithm icd --test g --alpha 0.05 --colliders first
    """
    if reading.source is None or name_in_registry(settings.test) not in TESTS:
        return None
    if _has_knowledge_object(settings, reading):
        return None
    name = "series" if settings.chosen.windows else "discover"
    # a path that begins with a dash would be read as an option
    words = ["ancestral", name, f"./{reading.source}" if reading.source.startswith("-") else reading.source]
    for option, value in _options(settings, reading).items():
        words += option_words(option, value)
    return shlex.join(words)


def python_call(settings: Settings, reading: ReadOptions) -> str:
    """The call in Python that repeats a run.

    >>> python_call(Settings(algorithm="pc", test="fisher-z", alpha=0.01), ReadOptions())
    "an.discover(data, algorithm='pc', test='fisher-z', alpha=0.01)"
    >>> known = SeriesKnowledge(own_past="all").window(Window(("rain", "sales"), 3))
    >>> series = Settings(algorithm="series", test="fisher-z", alpha=0.01, knowledge=known)
    >>> python_call(series, ReadOptions("shops.csv", missing="drop", time="date"))
    "an.discover_series('shops.csv', lags=3, own_past='all', test='fisher-z', alpha=0.01, time='date')"
    """
    source = "data" if reading.source is None else repr(reading.source)
    if name_in_registry(settings.test) not in TESTS:  # an oracle, or the user's own function, is itself what is asked
        source = "dag" if settings.chosen.windows else "test"
    texts = {
        name: str(list(value)) if isinstance(value, tuple) else repr(value)
        for name, value in _options(settings, reading).items()
    }
    if _has_knowledge_object(settings, reading):
        # of time series, what was stated about processes is not kept, only what follows for the window
        texts["knowledge"] = "knowledge" if settings.chosen.windows else f"an.{settings.knowledge!r}"
    arguments = [source, *(f"{name}={text}" for name, text in texts.items())]
    return f"an.{'discover_series' if settings.chosen.windows else 'discover'}({', '.join(arguments)})"


def _has_knowledge_object(settings: Settings, reading: ReadOptions) -> bool:
    """Whether knowledge was passed as an object: it is not that of a file, nor all told by options."""
    if settings.knowledge is None or reading.knowledge is not None:
        return False
    if not settings.chosen.windows:
        return True
    window, told = _told_by_options(settings)
    return settings.knowledge != told.window(window)


def _told_by_options(settings: Settings) -> tuple[Window, SeriesKnowledge]:
    """The window of a search of time series, and what the options `lags` and `own_past` can say of its knowledge."""
    known = settings.knowledge
    assert known is not None, "the order of time is always known"
    window = Window.of(name for tier in known.tiers for name in tier)
    own = [name for name in window.processes if (node_at(name, 1), node_at(name, 0)) in known.required]
    now = [node_at(name, 0) for name in window.processes]
    apart = len(now) > 1 and set(permutations(now, 2)) <= set(known.forbidden)
    every = len(own) == len(window.processes)
    return window, SeriesKnowledge(own_past="all" if every else own, within_step=not apart)


def _options(settings: Settings, reading: ReadOptions) -> dict[str, Any]:
    """The algorithm, the test and alpha as they were, and those of the other options that are not at their defaults."""
    if settings.chosen.windows:
        return _series_options(settings, reading)
    defaults, chosen = Settings(algorithm=settings.algorithm).as_dict(), settings.as_dict()
    out = {name: chosen[name] for name in defaults if name == "algorithm" or chosen[name] != defaults[name]}
    if name_in_registry(settings.test) not in TESTS:
        out.pop("test", None)
    elif "test" in out:
        out["test"] = name_in_registry(settings.test)
    if settings.colliders == "first" and settings.test != Oracle.name:  # not the default on data
        out["colliders"] = "first"
    if settings.fdr is not None:
        out["fdr"] = settings.fdr
    return out | reading.options()


def _series_options(settings: Settings, reading: ReadOptions) -> dict[str, Any]:
    """The lags, the test and alpha of a search of time series, and the other options that are not at their defaults."""
    window, told = _told_by_options(settings)
    out: dict[str, Any] = {
        "lags": window.lags if told.within_step else f"1..{window.lags}",
        "own_past": told.own_past or None,
        "test": name_in_registry(settings.test) if name_in_registry(settings.test) in TESTS else None,
        "alpha": settings.alpha,
        "max_radius": settings.max_radius,
        **reading.options(),
        "missing": None if reading.missing == "drop" or reading.windows is None else reading.missing,
        "windows": None,
    }
    return {name: value for name, value in out.items() if value is not None}
