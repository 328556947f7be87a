"""What can go wrong, in the user's words: each error names the thing, the reason and the way out."""

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["AncestralError", "GraphError", "OptionError", "UnknownName"]


class AncestralError(ValueError):
    """The root of all errors that ancestral raises on purpose."""


class GraphError(AncestralError):
    """A text that is no graph, or a graph that breaks the promise of its kind."""


class OptionError(AncestralError):
    """An option, or a source, that cannot be used as it is."""


class UnknownName(AncestralError):
    """A name that is not among the names there are; the closest ones are suggested."""

    def __init__(self, name: object, known: Iterable[str], what: str = "node") -> None:
        names = list(known)
        close = get_close_matches(str(name), names, n=3)
        if close:
            way_out = "did you mean " + " or ".join(map(repr, close)) + "?"
        else:
            shown = ", ".join(map(repr, names[:8])) + (", …" if len(names) > 8 else "")
            way_out = f"there are: {shown}" if names else f"there is no {what} at all"
        super().__init__(f"unknown {what} {name!r}; {way_out}")
