"""`Answer`: yes, no or possibly, with the reason; what a class of graphs answers to a question."""

__all__ = ["Answer"]


class Answer(str):
    """A string, "yes", "no" or "possibly", with the attribute `reason`, a clause in words."""

    reason: str

    def __new__(cls, answer: str, reason: str) -> "Answer":
        """An answer with its reason."""
        out = super().__new__(cls, answer)
        out.reason = reason
        return out

    def __reduce__(self) -> tuple[type["Answer"], tuple[str, str]]:
        return Answer, (str(self), self.reason)

    def __repr__(self) -> str:
        return f"{str(self)!r}: {self.reason}"
