"""`Answer`: yes, no or possibly, with the reason; what a class of graphs answers to a question."""

from ancestral.notebook import answer_html

__all__ = ["Answer"]


class Answer(str):
    """A string with attributes, which says what a graph answers.

    What a graph alone answers is "yes", "no" or "possibly". A graph that was found in data says how certain that is:
    "yes, firm", "probably (63 %)", "open", or "yes, not checked".

    - `reason`: a clause in words.
    - `verdict`: "yes", "no" or "possibly", what the graph itself answers.
    - `certainty`: the share of resamples that answer alike; None if there are none.
    """

    reason: str
    verdict: str
    certainty: float | None

    def __new__(
        cls, answer: str, reason: str, *, verdict: str | None = None, certainty: float | None = None
    ) -> "Answer":
        """An answer with its reason; without a `verdict`, the answer is one."""
        out = super().__new__(cls, answer)
        out.reason = reason
        out.verdict = answer if verdict is None else verdict
        out.certainty = certainty
        return out

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _answer, (str(self), self.reason, self.verdict, self.certainty)

    def _repr_html_(self) -> str:
        """The answer and its reason, for notebooks."""
        return answer_html(f"{self}: {self.reason}")

    def __repr__(self) -> str:
        return f"{str(self)!r}: {self.reason}"


def _answer(answer: str, reason: str, verdict: str, certainty: float | None) -> Answer:
    return Answer(answer, reason, verdict=verdict, certainty=certainty)
