"""Questions about two variables of an answer, answered as the package answers them."""

from collections.abc import Callable
from typing import Any

import ancestral as an
from ancestral.printing import listed, visible
from ancestral.studio.reading import found_in, found_with_data
from ancestral.studio.refusals import sentence_of

__all__ = ["QUESTIONS", "asked"]


def asked(place: str, source: str | None, what: str, a: str, b: str) -> dict[str, Any]:
    """The answer to a question as text; `ok` is false if there is none, and the text says why."""
    try:
        return {"text": visible(QUESTIONS[what](place, source, a, b), keep="\n\t"), "ok": True}
    except an.AncestralError as error:
        return {"text": sentence_of(error), "ok": False}


def _why(place: str, source: str | None, a: str, b: str) -> str:
    return str(found_in(place).why(a, b))


def _causes(place: str, source: str | None, a: str, b: str) -> str:
    found = found_in(place)
    if a == b:
        raise an.OptionError(f"{a!r} and {b!r} are the same variable; ask about two different ones")
    lines = []
    for x, y in ((a, b), (b, a)):
        answer = found.causes(x, y)
        lines.append(f"Does {x} cause {y}? {_capital(str(answer))}: {answer.reason}.")
    both = found.confounded(a, b)
    lines.append(f"Does something unmeasured drive both? {_capital(str(both))}: {both.reason}.")
    return "\n".join(map(visible, lines))


def _adjust(place: str, source: str | None, a: str, b: str) -> str:
    return str(found_in(place).adjustment_set([a], [b]))


def _identify(place: str, source: str | None, a: str, b: str) -> str:
    found = found_in(place)
    said = found.identify([a], [b])
    lines = [str(said)]
    if not said and (levels := said.within()):
        lines.append(f"\nWithin levels of {listed(levels, len(levels))} it is identified:")
        lines.append(str(found.identify([a], [b], within=levels)))
    return "\n".join(lines)


def _effect(place: str, source: str | None, a: str, b: str) -> str:
    found = _with_data(place, source)
    if found.test.name == "mixed":  # it keeps no moments of complete rows, and so the rows are read again
        return str(found_in(place).effect([a], b, data=source))
    return str(found.effect([a], b))


def _robust(place: str, source: str | None, a: str, b: str) -> str:
    return str(_with_data(place, source).effect([a], b, estimator="robust"))


def _possible(place: str, source: str | None, a: str, b: str) -> str:
    found = _with_data(place, source)
    kinds = found.test.kinds or {}
    if all(kinds.get(name) in ("discrete", "ordinal") for name in (a, b)):
        return str(found.effect_bounds(a, b))
    levels = [name for name in found.pag.nodes if kinds.get(name) not in (None, "continuous")]
    if found.test.name == "mixed" and levels:
        raise an.OptionError(
            f"the possible effects of {a} on {b} cannot be computed: both must have levels, or all variables must be "
            f"numbers, and here {listed(levels)} {'has' if len(levels) == 1 else 'have'} levels; ask about two "
            "variables with levels, or take those with levels out in the step Variables and search again. Effect "
            "answers here, too, where the graph identifies the effect"
        )
    return str(found.possible_effects(a, b))


def _sensitivity(place: str, source: str | None, a: str, b: str) -> str:
    return str(_with_data(place, source).sensitivity(a, b))


def _with_data(place: str, source: str | None) -> "an.Discovery":
    if source is None:
        raise an.OptionError("the data of this answer are no longer in the project folder; put the file back")
    return found_with_data(place, source)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


#: What can be asked.
QUESTIONS: dict[str, Callable[[str, str | None, str, str], str]] = {
    "why": _why,
    "causes": _causes,
    "adjust": _adjust,
    "identify": _identify,
    "effect": _effect,
    "robust": _robust,
    "possible": _possible,
    "sensitivity": _sensitivity,
}
