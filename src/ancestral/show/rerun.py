"""How to repeat a run: the command of the shell, where a file was read, and the call in Python."""

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from ancestral.data.read_options import ReadOptions
from ancestral.independence.registry import TESTS
from ancestral.search.settings import Settings

__all__ = ["command", "python_call"]


def command(settings: Settings, reading: ReadOptions) -> str | None:
    """The command that does the same again; None unless the data came from a file.

    >>> read = ReadOptions.of("my study.csv", drop=["id", "a, b"])
    >>> print(command(Settings(test="g", alpha=0.05, verify=False), read))
    ancestral discover 'my study.csv' --test g --alpha 0.05 --no-verify --drop 'id,"a, b"'
    >>> print(command(Settings(test="g", alpha=0.05), ReadOptions.of("-study.csv")))
    ancestral discover ./-study.csv --test g --alpha 0.05
    """
    if reading.source is None or settings.test not in TESTS:
        return None
    if settings.knowledge is not None and reading.knowledge is None:  # it was said in Python
        return None
    # a name that begins with a dash would be read as an option
    words = ["ancestral", "discover", f"./{reading.source}" if reading.source.startswith("-") else reading.source]
    for option, value in _options(settings, reading).items():
        flag = option.replace("_", "-")
        if isinstance(value, bool):
            words.append(f"--{flag}" if value else f"--no-{flag}")
        elif option == "kinds":
            words += _kinds(value)
        else:
            words += [f"--{flag}", value if isinstance(value, str) else _joined(value)]
    return shlex.join(words)


def python_call(settings: Settings, reading: ReadOptions) -> str:
    """The call that does the same again.

    >>> python_call(Settings(algorithm="pc", test="fisher-z", alpha=0.01), ReadOptions.of(None))
    "an.discover(data, algorithm='pc', test='fisher-z', alpha=0.01)"
    """
    source = "data" if reading.source is None else repr(reading.source)
    options = {name: list(v) if isinstance(v, tuple) else v for name, v in _options(settings, reading).items()}
    if settings.test not in TESTS:  # an oracle, or a function of the user's own, is itself what is asked
        source = "test"
    said = [f"{name}={value!r}" for name, value in options.items()]
    if settings.knowledge is not None and reading.knowledge is None:
        said.append(f"knowledge=an.{settings.knowledge!r}")
    return f"an.discover({', '.join([source, *said])})"


def _options(settings: Settings, reading: ReadOptions) -> dict[str, Any]:
    """Alpha and the test as they were; of the others what differs from the defaults."""
    usual = Settings().as_dict()
    chosen = settings.as_dict()
    out = {name: value for name, value in chosen.items() if name != "knowledge" and value != usual[name]}
    if settings.test not in TESTS:
        out.pop("test", None)
    return out | reading.options()


def _joined(value: Any) -> str:
    """A list as the command line reads it: names with commas stand in double quotes."""
    if not isinstance(value, Sequence):
        return str(value)
    return ",".join(f'"{name.replace(chr(34), chr(34) * 2)}"' if set(name) & set(',"') else name for name in value)


def _kinds(kinds: Mapping[str, str] | str) -> list[str]:
    if isinstance(kinds, str):
        return [f"--{kinds}", "*"]
    words = []
    for kind in ("discrete", "continuous"):
        if names := [name for name, said in kinds.items() if said == kind]:
            words += [f"--{kind}", _joined(names)]
    return words
