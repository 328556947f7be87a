"""How to repeat a run: the command of the shell, if a file was read, and the call in Python."""

import shlex
from typing import Any

from ancestral.data.read_options import ReadOptions
from ancestral.independence.oracle import Oracle
from ancestral.independence.registry import TESTS, name_in_registry
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
    if settings.knowledge is not None and reading.knowledge is None:  # it was passed as an object
        return None
    # a name that begins with a dash would be read as an option
    words = ["ancestral", "discover", f"./{reading.source}" if reading.source.startswith("-") else reading.source]
    for option, value in _options(settings, reading).items():
        words += option_words(option, value)
    return shlex.join(words)


def python_call(settings: Settings, reading: ReadOptions) -> str:
    """The call in Python that repeats a run.

    >>> python_call(Settings(algorithm="pc", test="fisher-z", alpha=0.01), ReadOptions())
    "an.discover(data, algorithm='pc', test='fisher-z', alpha=0.01)"
    """
    source = "data" if reading.source is None else repr(reading.source)
    if (
        name_in_registry(settings.test) not in TESTS
    ):  # an oracle, or a function of the user's own, is itself what is asked
        source = "test"
    arguments = [source]
    for name, value in _options(settings, reading).items():
        arguments.append(f"{name}={list(value) if isinstance(value, tuple) else value!r}")
    if settings.knowledge is not None and reading.knowledge is None:
        arguments.append(f"knowledge=an.{settings.knowledge!r}")
    return f"an.discover({', '.join(arguments)})"


def _options(settings: Settings, reading: ReadOptions) -> dict[str, Any]:
    """The algorithm, the test and alpha as they were, and those of the other options that are not at their defaults."""
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
