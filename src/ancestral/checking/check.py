"""The check of a graph against its own data, as it is printed, saved and reported: `Check`."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from ancestral.data.libraries import Library, frame_of
from ancestral.graphs.names import quoted
from ancestral.notebook import answer_html
from ancestral.printing import counted
from ancestral.scores.fit import Residual

__all__ = ["CHANCE", "MISFIT", "MOST_DENIED", "MOST_UNANSWERED", "Check", "DeniedPair", "FitCheck", "UnansweredEdge"]

#: The probability that a true graph has any denial "beyond chance": the level of Bonferroni's bound.
CHANCE = 0.01

#: Below this p-value a linear normal model is said not to fit.
MISFIT = 0.01

#: Denied pairs that are listed, the worst ones; all are counted.
MOST_DENIED = 1_000

#: Edges with questions that could not be answered which are listed, and which sentences name.
MOST_UNANSWERED, MOST_NAMED = 1_000, 5


class DeniedPair(NamedTuple):
    """Two variables that the graph says are independent while the data show a dependence; NaN without a p-value."""

    a: str
    b: str
    p_value: float


class UnansweredEdge(NamedTuple):
    """An edge about which `questions` could not be answered; `answered`: whether any other was, as "dependent"."""

    a: str
    b: str
    questions: int
    answered: bool


class FitCheck(NamedTuple):
    """How a graph fits as a linear normal model.

    `deviance` is twice the log-likelihood that is lost beside a graph with all edges, on `df` degrees of freedom;
    `p_value` is corrected for the number of rows, None if there are no degrees of freedom; `worst` is the pair of
    columns with the largest residual, None if there is a single column.
    """

    deviance: float
    df: int
    p_value: float | None
    worst: Residual | None


@dataclass(frozen=True)
class Check:
    """What speaks against a graph in its own data; print it to read it.

    A graph against which nothing is found need not be true. Made by `Discovery.check`.

    Attributes:
        contradictions: Marks that no ancestral graph has together, a sentence each; of more than 20 the last sentence
            counts the others.
        alpha: The significance level at which pairs count as dependent: that of the search, or 0.01 if it has none, or
            controls false discoveries.
        dependences: How many pairs of variables are dependent in the data, given nothing. Pairs about which the data
            cannot tell do not count.
        independences: How many are not.
        implied: The number of pairs that the graph says are independent given nothing: every path between them has a
            collider.
        denied: How many of the dependences the graph denies.
        beyond_chance: How many of these have a p-value below 0.01 divided by `implied`; under a true graph there is any
            with probability 0.01 at most. It is None if the test tells no p-values.
        claimed: How many of the independences in the data the graph claims to be dependences. A true graph does so
            where dependences are weak.
        denied_pairs: The pairs of `denied`, the worst first, at most 1,000.
        fit: How the graph fits as a linear normal model; None if that cannot be said.
        no_fit: Why it cannot; empty if there is a fit.
        unanswered: How many edges stay although some question about them could not be answered from these data.
        untold: How many of these stay without any answer.
        unanswered_edges: These edges, those without any answer first, then those with most such questions, at most
            1,000. Edges that are known to be there are not among them.
        never: How many of the edges without any answer are of variables that no table has together.

    Examples:
        >>> import ancestral as an
        >>> rows = an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c, c -> d"), rows=500, seed=1)
        >>> check = an.discover(rows, resamples=0).check
        >>> check.dependences, check.independences, check.denied, check.worst, check.unneeded  # a and b are independent
        (5, 1, 0, None, 0.0)
        >>> check.is_doubtful, check.misfits, check.df, check.deviance > 0, 0.01 < check.p_value < 1
        (False, False, 3, True, True)
        >>> check.worst_residual.a, check.worst_residual.b, check.to_frame().height
        ('a', 'b', 0)
        >>> print(check.headlines()[0])
        The graph denies none of the 5 dependences in the data.
    """

    contradictions: tuple[str, ...]
    alpha: float
    dependences: int
    independences: int
    implied: int
    denied: int
    beyond_chance: int | None
    claimed: int
    denied_pairs: tuple[DeniedPair, ...]
    fit: FitCheck | None = None
    no_fit: str = ""
    unanswered: int = 0
    untold: int = 0
    unanswered_edges: tuple[UnansweredEdge, ...] = ()
    never: int = 0

    @property
    def worst(self) -> DeniedPair | None:
        """The denied pair with the smallest p-value; None if no dependence is denied."""
        return self.denied_pairs[0] if self.denied_pairs else None

    @property
    def unneeded(self) -> float:
        """The share of the independences in the data that the graph claims to be dependences; 0 if there are none."""
        return self.claimed / self.independences if self.independences else 0.0

    @property
    def deviance(self) -> float | None:
        """The deviance of the fit; None without a fit."""
        return None if self.fit is None else self.fit.deviance

    @property
    def df(self) -> int | None:
        """The degrees of freedom of the fit; None without a fit."""
        return None if self.fit is None else self.fit.df

    @property
    def p_value(self) -> float | None:
        """The corrected p-value of the fit; None without a fit."""
        return None if self.fit is None else self.fit.p_value

    @property
    def worst_residual(self) -> Residual | None:
        """The pair of columns whose correlation the graph misses most; None without a fit."""
        return None if self.fit is None else self.fit.worst

    @property
    def is_doubtful(self) -> bool:
        """Whether the graph contradicts itself, denies a dependence beyond chance, or has an edge without an answer."""
        return bool(self.contradictions or self.beyond_chance or self.untold)

    @property
    def misfits(self) -> bool:
        """Whether a linear normal model with this graph does not fit the data."""
        return self.p_value is not None and self.p_value < MISFIT

    def to_frame(self, *, library: Library = "polars") -> Any:
        """A frame with a row for each of `denied_pairs`.

        Args:
            library: "polars", "pandas" or "pyarrow".

        Returns:
            A frame with the columns `a`, `b`, `p_value`, null if the test tells none, and `beyond_chance`.

        Raises:
            OptionError: If there is no such library.
        """
        import polars as pl

        known = [pair.p_value if pair.p_value == pair.p_value else None for pair in self.denied_pairs]
        bound = CHANCE / max(self.implied, 1)
        beyond = [None if p is None else p < bound for p in known]
        columns = [
            pl.Series("a", [pair.a for pair in self.denied_pairs], dtype=pl.String),
            pl.Series("b", [pair.b for pair in self.denied_pairs], dtype=pl.String),
            pl.Series("p_value", known, dtype=pl.Float64),
            pl.Series("beyond_chance", beyond, dtype=pl.Boolean),
        ]
        return frame_of({column.name: column for column in columns}, library)

    def headlines(self) -> list[str]:
        """What summaries and reports say, a line each: contradictions, denied dependences, the fit, what follows.

        Returns:
            The lines.
        """
        return [*self._findings(), *self._verdict()]

    def __str__(self) -> str:
        more = []
        if self.claimed:
            pairs = f"{self.claimed:,} of {counted(self.independences, 'pair')}"
            more.append(f"It claims dependence for {pairs} that are independent in the data ({self.unneeded:.0%}).")
        if self.no_fit:
            more.append(f"No fit: {self.no_fit}.")
        return "\n".join([*self._findings(), *more, *self._verdict()])

    def _repr_html_(self) -> str:
        """What printing shows, for notebooks."""
        return answer_html(str(self))

    def __repr__(self) -> str:
        contradicts = "contradicts itself, " if self.contradictions else ""
        return f"<Check: {contradicts}{self.denied:,} of {counted(self.dependences, 'dependence')} denied>"

    def _findings(self) -> list[str]:
        lines = [f"  {sentence}" for sentence in self.contradictions]
        if lines:
            lines.insert(0, "The graph contradicts itself:")
        if self.unanswered:
            lines.append(self._unanswered_in_words())
        lines.append(self._denials_in_words())
        if self.fit is not None and self.fit.df:
            lines.append(_fit_in_words(self.fit))
        return lines

    def _verdict(self) -> list[str]:
        if self.misfits:
            return ["A linear normal model with this graph does not fit; directions rest on it."]
        if self.is_doubtful or self.unanswered:
            return []
        return ["Nothing was found against it, which does not make it true."]

    def _unanswered_in_words(self) -> str:
        names = [f"{quoted(edge.a)}–{quoted(edge.b)}" for edge in self.unanswered_edges[:MOST_NAMED]]
        names += [f"{self.unanswered - MOST_NAMED:,} more"] * (self.unanswered > MOST_NAMED)
        rest = f"{counted(self.unanswered, 'edge')} {'rests' if self.unanswered == 1 else 'rest'} on questions that "
        none = f", {self.untold:,} of them on no answer at all" if self.untold else ""
        if self.never:
            none += f" ({self.never:,} never measured together)"
        return f"{rest}these data could not answer{none}: {', '.join(names)}."

    def _denials_in_words(self) -> str:
        if not self.dependences:
            return "There are no dependences in the data that the graph could deny."
        of = f"{counted(self.dependences, 'dependence')} in the data"
        if self.worst is None:
            return (
                f"The graph denies none of the {of}." if self.dependences > 1 else f"The graph does not deny the {of}."
            )
        if self.beyond_chance is None:
            return f"Of {of} the graph denies {self.denied:,} (the test tells no p-values)."
        worst = f"worst: {quoted(self.worst.a)}, {quoted(self.worst.b)}, {_p(self.worst.p_value)}"
        beyond = f"{self.beyond_chance:,}" if self.beyond_chance else "none"
        denied = f"Of {of} the graph denies {self.denied:,} ({beyond} of them beyond chance; {worst})."
        return f"{denied} Do not read absences as independence." if self.beyond_chance else denied


def _fit_in_words(fit: FitCheck) -> str:
    deviance = f"{fit.deviance:,.0f}" if fit.deviance >= 10 else f"{fit.deviance:.1f}"
    line = f"Fit: deviance {deviance} on {counted(fit.df, 'degree')} of freedom ({fit.deviance / fit.df:.1f} for 1)"
    if fit.worst is not None:
        a, b, observed, implied = fit.worst
        line += f"; worst pair {quoted(a)}–{quoted(b)}, seen {observed:.2f}, implied {implied:.2f}"
    return f"{line}."


def _p(value: float) -> str:
    """A p-value in words; the smallest ones are too small for a double."""
    return f"p = {value:.2g}" if value else "p < 1e-300"
