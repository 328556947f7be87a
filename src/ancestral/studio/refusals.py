"""What the server answers if it does not do what was asked: a status, and a sentence that says why and the way out."""

from typing import Any

from ancestral.errors import AncestralError, Message
from ancestral.printing import visible
from ancestral.studio.words import on_page

__all__ = ["Refused", "lacks_memory", "sentence_of"]


class Refused(Exception):
    """A request that is refused, with a status of HTTP; `more` goes into the answer beside the sentence."""

    def __init__(self, sentence: str, status: int = 400, **more: Any) -> None:
        super().__init__(sentence)
        self.sentence, self.status, self.more = sentence, status, more


def sentence_of(error: BaseException) -> str:
    """What the shell prints about an error, in the words of the page; faults of data each on a line.

    >>> from ancestral.errors import Option
    >>> sentence_of(AncestralError("column 'age' has gaps; pass ", Option("missing", "drop")))
    "column 'age' has gaps; choose “drop” for Missing values"
    """
    if isinstance(error, AncestralError):
        return "\n".join(_worded(fault) for fault in getattr(error, "faults", [error]))
    if isinstance(error, Message):
        return _worded(error)
    if lacks_memory(error):
        return (
            "the memory that the studio may use was not enough; leave columns out, choose a simpler test or a smaller "
            "largest radius, or use a larger machine"
        )
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename is not None else ""
        return visible(f"{place}{error.strerror or error}; check that the file is there and may be read and written")
    described = " ".join(f"{type(error).__name__}: {error}".split())
    return visible(f"sorry, this should not have happened: {described}; it is a fault of the program, please report it")


def lacks_memory(error: BaseException) -> bool:
    """Whether an error says that the memory was not enough; a thread needs memory for its stack, too."""
    return isinstance(error, MemoryError) or "can't start new thread" in str(error)


def _worded(message: Message) -> str:
    return visible(on_page(message), keep="\n")
