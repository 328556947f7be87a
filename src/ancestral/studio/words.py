"""Messages in the words of the page: what to choose there, where Python and the shell have an option."""

from collections.abc import Callable
from typing import Any

from ancestral.describing.advice import in_shell
from ancestral.errors import UNSET, Message, Method, Option
from ancestral.printing import listed
from ancestral.search.algorithms import ALGORITHMS

__all__ = ["on_page"]

#: The labels of the page for options of Python.
_LABELS = {
    "kinds": "Kind",
    "missing": "Missing values",
    "na": "Codes of missing values",
    "algorithm": "Algorithm",
    "test": "Test of independence",
    "alpha": "Alpha",
    "selection_bias": "Selection bias",
    "max_radius": "Largest radius",
    "weights": "Weights",
    "clusters": "Clusters",
}
#: The buttons that ask what a method answers.
_BUTTONS = {
    "possible_effects": "Possible effects",
    "effect_bounds": "Possible effects",
    "adjustment_set": "Adjust",
    "sensitivity": "Sensitivity",
    "interventional": "Identify",
}
_SELECTION = {True: "the sample may be selected", False: "the sample is not selected", None: "automatic"}


def on_page(message: Message) -> str:
    """The message, with each option as the page has it; an option that the page has not, as in the shell.

    >>> from ancestral.errors import AncestralError
    >>> on_page(AncestralError("column 'age' has gaps; pass ", Option("missing", "drop")))
    "column 'age' has gaps; choose “drop” for Missing values"
    >>> on_page(AncestralError("search with ", Option("kinds", {"zip": "discrete"}), ", or ", Option("drop", ["id"])))
    "search with the kind “discrete” for 'zip', or untick Use for 'id'"
    """
    said = ""
    for part in message.args:
        if not isinstance(part, Option):
            said += str(part)
        elif (request := _request(part)) is not None:
            said = said.removesuffix("pass ") + request
        elif (name := _name(part)) is None:
            said += in_shell(part)
        else:
            said = f"{said.removesuffix('pass ')}choose {name}" if said.endswith("pass ") else said + name
    return said


def _request(option: Option) -> str | None:
    """What an option asks for, if the page has something to press for it."""
    if isinstance(option, Method):
        button = _BUTTONS.get(option.name.split("(")[0])
        return None if button is None else f"“{button}”"
    if option.name == "drop":
        return "leave out" if option.value is UNSET else f"untick Use for {listed(_list(option.value))}"
    if option.name == "within" and option.value is not UNSET:
        return "see “Identify”"
    if option.name == "estimator" and option.value == "robust":
        return "press “Effect, any form”"
    return None


def _name(option: Option) -> str | None:
    """The value and the label of a control of the page; None if the page has none for the option."""
    label = _LABELS.get(option.name)
    if label is None or option.value is UNSET:
        return label
    value: Any = option.value
    if option.name == "kinds":
        if not isinstance(value, dict) or any(not isinstance(kind, str) for kind in value.values()):
            return None
        return " and ".join(f"the kind “{kind}” for {name!r}" for name, kind in value.items())
    return f"“{_VALUES.get(option.name, str)(value)}” for {label}"


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple | set | frozenset) else [value]


_VALUES: dict[str, Callable[[Any], str]] = {
    "na": lambda codes: ", ".join(map(str, _list(codes))),
    "algorithm": lambda name: ALGORITHMS[name].title if name in ALGORITHMS else str(name),
    "selection_bias": lambda chosen: _SELECTION.get(chosen, str(chosen)),
    "max_radius": lambda most: "no limit" if most is None else str(most),
}
