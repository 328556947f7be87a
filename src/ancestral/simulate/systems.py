"""Kinds of systems by name: the same systems from which `linear_gaussian`, `nonlinear`, `discrete` and `mixed` draw."""

from collections.abc import Callable, Iterable, Mapping

from ancestral.arguments import one_of
from ancestral.errors import Option, OptionError
from ancestral.graphs import DAG
from ancestral.simulate.discrete import discrete_system
from ancestral.simulate.gaussian import gaussian_system
from ancestral.simulate.mixed import mixed_system
from ancestral.simulate.nonlinear import nonlinear_system
from ancestral.simulate.sampling import Seed, System

__all__ = ["SYSTEMS", "system_of"]

#: How the systems of each kind are made.
SYSTEMS: dict[str, Callable[..., System]] = {
    "gaussian": gaussian_system,
    "nonlinear": nonlinear_system,
    "discrete": discrete_system,
    "mixed": mixed_system,
}

#: The options that each kind takes besides the seed.
TAKES = {"gaussian": {"keep"}, "nonlinear": set(), "discrete": {"levels"}, "mixed": {"discrete", "levels"}}


def system_of(
    dag: DAG,
    kind: str,
    *,
    seed: Seed,
    levels: int | Mapping[str, int] | None = None,
    discrete: float | Iterable[str] | None = None,
    keep: float | None = None,
) -> System:
    """The system of this kind that the seed determines; options that are None have the default of the kind.

    Raises `OptionError` for an option that systems of this kind do not have.
    """
    make = SYSTEMS[one_of("system", kind, SYSTEMS)]
    given = {"levels": levels, "discrete": discrete, "keep": keep}
    given = {option: value for option, value in given.items() if value is not None}
    for option in given:
        if option not in TAKES[kind]:
            raise OptionError(
                ["cannot be combined with ", Option("system", kind)], option=option, way_out="leave it out"
            )
    return make(dag, seed=seed, **given)
