"""What can go wrong, in the user's words: each error names the thing, the reason and the way out."""

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = [
    "AncestralError", "GraphError", "KnowledgeError", "KnowledgeWarning", "OptionError", "RunError", "RunWarning",
    "UnknownName",
]  # fmt: skip


class AncestralError(ValueError):
    """The root of all errors that ancestral raises on purpose."""


class GraphError(AncestralError):
    """A text that is no graph, or a graph that breaks the promise of its kind."""


class KnowledgeError(AncestralError):
    """Knowledge that cannot be read, that contradicts itself, or that speaks of what is not there."""


class OptionError(AncestralError):
    """An option, or a source, that cannot be used as it is."""


class RunError(AncestralError):
    """A run file that cannot be written, read, or gone on from."""


class RunWarning(UserWarning):
    """A run goes on or came to an end in a way that its user should know about."""


class KnowledgeWarning(RunWarning):
    """The data contradict what is known; knowledge was kept to."""


class UnknownName(AncestralError):
    """A name that is not among the names there are; the closest ones are suggested."""

    def __init__(self, name: object, known: Iterable[str], what: str = "node") -> None:
        names = list(known)
        self._made_of = (name, tuple(names), what)
        close = get_close_matches(str(name), names, n=3)
        if close:
            way_out = "did you mean " + " or ".join(map(repr, close)) + "?"
        else:
            shown = ", ".join(map(repr, names[:8])) + (", …" if len(names) > 8 else "")
            way_out = f"there are: {shown}" if names else f"there is no {what} at all"
        super().__init__(f"unknown {what} {name!r}; {way_out}")

    def __reduce__(self) -> tuple[type["UnknownName"], tuple[object, tuple[str, ...], str]]:
        return UnknownName, self._made_of
