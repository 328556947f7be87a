"""Rows of an experiment: some nodes are set, drawn at random or shifted, and all others keep their mechanisms.

A perfect intervention, `do`, replaces the mechanism of a node, so that its causes no longer matter. An imperfect one,
`shift`, changes the mechanism and keeps the causes. Everything else stays as it is: the weights and probabilities, the
thresholds of selection, and each other node's own stream of noise.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import real, whole_number
from ancestral.errors import Option, OptionError, named_with_suggestions
from ancestral.graphs import DAG
from ancestral.printing import listed, shown
from ancestral.simulate.mechanisms import Choice, Linear
from ancestral.simulate.sampling import Mechanism, Seed, System, Values, check, finite_values
from ancestral.simulate.systems import system_of

if TYPE_CHECKING:
    import polars as pl

__all__ = ["RANDOM", "acted_on", "intervene", "levels_at"]

#: The value in `do` for a node that is drawn at random, independently of everything. No level has this name: levels are
#: numbers, or words of one or two letters.
RANDOM = "random"

#: The largest number of a sample: it is part of the key of a random stream, whose parts have 32 bits.
MOST_SAMPLES = (1 << 31) - 1


def intervene(
    dag: DAG,
    rows: int,
    *,
    do: Mapping[str, Any] | None = None,
    shift: Mapping[str, float] | None = None,
    system: str = "gaussian",
    seed: Seed,
    sample: int = 0,
    levels: int | Mapping[str, int] | None = None,
    discrete: float | Iterable[str] | None = None,
    keep: float | None = None,
) -> "pl.DataFrame":
    """Draw rows of the observed nodes, in the order of `dag.observed`, from an experiment on a system.

    Latent nodes can be acted on like observed ones. Selection nodes cannot; their thresholds are those of the system
    without intervention. The first rows stay the same if more are drawn.

    Args:
        dag: The DAG of the system.
        rows: The number of rows.
        do: Sets nodes to a value, whatever their causes are: a number, or a level for a node that has levels. The value
            "random" draws the node independently of everything: a standard normal number, or each level with the same
            probability. (In a Gaussian system all means are 0, so this changes variances and covariances, but no mean.)
        shift: Adds a number to what the mechanism of a node gives; its causes go on acting on it. For a node with
            levels it adds the number to the log-odds of each level against the one before it.
        system: "gaussian", "nonlinear", "discrete" or "mixed". The system, and the rows if nothing is done, are those
            of `linear_gaussian`, `nonlinear`, `discrete` and `mixed` with the same seed.
        seed: A whole number or a numpy Generator. It alone determines the system; with a Generator every call draws
            another system.
        sample: The number of the sample. The rows of samples with different numbers are independent. With the same
            number, two experiments have the same noise: where nothing is selected, row by row they show what would have
            happened to the same unit.
        levels: As in `discrete` and `mixed`.
        discrete: As in `mixed`.
        keep: As in `linear_gaussian`.

    Returns:
        A polars DataFrame.

    Raises:
        OptionError: If an option is not of this form, or hardly any row is kept.
        UnknownName: If an option names nodes that are not in the DAG.

    Examples:
        >>> dag = DAG.parse("L -> x, L -> y, x -> y", latent=["L"])
        >>> rows = intervene(dag, rows=1000, do={"x": 0.5}, shift={"L": 1.5}, seed=1, sample=1)
        >>> rows["x"].unique().to_list()
        [0.5]
        >>> rows = intervene(dag, rows=1000, do={"x": "b"}, system="mixed", discrete=["x"], seed=1)
        >>> rows["x"].unique().to_list()
        ['b']
    """
    check(dag, rows)
    number = whole_number("sample", sample, 0, MOST_SAMPLES)
    undisturbed = system_of(dag, system, seed=seed, levels=levels, discrete=discrete, keep=keep)
    return acted_on(undisturbed, do, shift).draw(rows, number)


def acted_on(system: System, do: Mapping[str, Any] | None, shift: Mapping[str, float] | None) -> System:
    """The system with what is done to it; the options are checked."""
    do, shift = _checked(system.dag, "do", do), _checked(system.dag, "shift", shift)
    if both := [name for name in do if name in shift]:
        raise OptionError(
            [f"names {both[0]!r}, and so does ", Option("shift")],
            option="do",
            way_out="a node that is set cannot be shifted; leave it out of one of them",
        )
    mechanisms = dict(system.mechanisms)
    with finite_values():
        for name, value in do.items():
            mechanisms[name] = _set(system, name, value)
        for name, by in shift.items():
            mechanisms[name] = _shifted(mechanisms[name], name, by)
    less = ("change less by ", Option("do"), " and ", Option("shift"), ", ") if do or shift else ()
    return replace(system, mechanisms=mechanisms, way_out=(*less, *system.way_out))


def levels_at(system: System, name: str) -> Sequence[Any]:
    """The levels of a node, as they stand in its column; empty for a continuous node."""
    mechanism = system.mechanisms[name]
    if not isinstance(mechanism, Choice):
        return ()
    return system.labels.get(name) or range(len(mechanism.constant))


@dataclass(frozen=True)
class _Fixed:
    """The same value in every row."""

    value: float | int
    parents: tuple[str, ...] = ()

    def draw(self, causes: Sequence[Values], rows: int, rng: np.random.Generator) -> Values:
        """The value, without any noise."""
        return np.full(rows, self.value)

    def keeps(self, values: Values) -> NDArray[np.bool_]:
        """All rows: selection nodes are never set."""
        return np.ones(len(values), dtype=bool)


@dataclass(frozen=True)
class _Shifted:
    """A continuous mechanism to whose values a number is added."""

    mechanism: Mechanism
    by: float

    @property
    def parents(self) -> tuple[str, ...]:
        """Those of the mechanism."""
        return self.mechanism.parents

    def draw(self, causes: Sequence[Values], rows: int, rng: np.random.Generator) -> Values:
        """What the mechanism gives, plus the number."""
        out: Values = self.mechanism.draw(causes, rows, rng) + self.by
        return out

    def keeps(self, values: Values) -> NDArray[np.bool_]:
        """The rows that the mechanism keeps."""
        return self.mechanism.keeps(values)


def _set(system: System, name: str, value: object) -> Mechanism:
    """The mechanism of a node that is set to a value, or drawn at random."""
    levels = list(levels_at(system, name))
    if isinstance(value, str) and value == RANDOM:
        return Choice((), np.zeros(len(levels)), ()) if levels else Linear((), ())
    if levels:
        is_level = isinstance(value, str | Integral) and not isinstance(value, bool) and value in levels
        if not is_level:
            raise OptionError(
                f"must be a level of {name!r}, one of {listed(levels, last='or')}, or {RANDOM!r}",
                option="do",
                value=value,
                way_out=["for example ", Option("do", {name: levels[-1]})],
            )
        return _Fixed(levels.index(value))
    number = real(value)
    if number is None or not isfinite(number):
        raise OptionError(
            f"must be a finite number or {RANDOM!r} for the continuous node {name!r}",
            option="do",
            value=value,
            way_out=["for example ", Option("do", {name: 0.0})],
        )
    return _Fixed(number)


def _shifted(mechanism: Mechanism, name: str, value: object) -> Mechanism:
    """The mechanism with a number added: to its values or, if it chooses levels, to the log-odds of each next level."""
    by = real(value)
    if by is None or not isfinite(by):
        raise OptionError(
            f"must be a finite number for {name!r}",
            option="shift",
            value=value,
            way_out=["for example ", Option("shift", {name: 1.0})],
        )
    if isinstance(mechanism, Choice):
        return replace(mechanism, constant=mechanism.constant + by * np.arange(len(mechanism.constant)))
    return _Shifted(mechanism, by)


def _checked(dag: DAG, option: str, value: object) -> Mapping[str, Any]:
    """What an option does to which nodes: a mapping from names of nodes that are not selection nodes."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise OptionError(
            "must be a mapping from nodes to values",
            option=option,
            value=value,
            way_out=["for example ", Option(option, {dag.observed[0]: 1.0})],
        )
    if unknown := [name for name in value if not isinstance(name, str) or name not in dag.nodes]:
        raise OptionError(
            f"must name nodes of the DAG, which has no {named_with_suggestions(unknown, dag.nodes)}",
            option=option,
            way_out=f"there are: {listed(dag.nodes)}",
        )
    if selecting := [name for name in value if name in dag.selection]:
        raise OptionError(
            f"must not name selection nodes, as {shown(selecting[0])} is one: all rows that are kept have passed it",
            option=option,
            way_out="act on a cause of it",
        )
    return value
