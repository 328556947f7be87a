"""Mixed models: some nodes are continuous, others have levels.

A continuous node is a weighted sum of its continuous parents, plus a summand for the level of each discrete one, plus
standard normal noise. A discrete node chooses its level as in `discrete`; a continuous parent, in units of its standard
deviation, changes the logits by a slope for each level.

There is no formula for the standard deviation and the median of a node. The model estimates them from a pilot sample of
its own, so that it does not depend on the rows asked for.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from ancestral.arguments import names_list
from ancestral.errors import Option, OptionError, refuse_unknown
from ancestral.graphs import DAG
from ancestral.graphs.names import by_name
from ancestral.simulate.discrete import level_terms, levels_of
from ancestral.simulate.mechanisms import EFFECT, WEIGHT, Choice, Linear, Term, centred, weights
from ancestral.simulate.sampling import Seed, System, Values, check, finite_values, parents_of, streams

if TYPE_CHECKING:
    import polars as pl

__all__ = ["mixed", "mixed_model", "mixed_system"]

#: The number of rows of the pilot sample, from which the centre and the spread of continuous nodes are estimated.
PILOT_ROWS = 4096


def mixed(
    dag: DAG,
    rows: int,
    *,
    discrete: float | Iterable[str] = 0.5,
    levels: int | Mapping[str, int] = 3,
    seed: Seed,
) -> "pl.DataFrame":
    """Draw rows of the observed nodes, in the order of `dag.observed`: floats, or levels "a", "b", "c", … as strings.

    With selection nodes, a row is kept if every one of them is above its median or, if it has levels, in the upper half
    of these. Rows are drawn until there are enough.

    Args:
        dag: The DAG.
        rows: The number of rows.
        discrete: A list of the nodes with levels, or their share: that share of the observed nodes, rounded, and of the
            others is then chosen at random.
        levels: One number for all nodes with levels, or a mapping from their names; nodes left out have 3.
        seed: A whole number or a numpy Generator. It determines the model, and each row: if more rows are drawn, the
            first ones stay the same.

    Returns:
        A polars DataFrame.

    Raises:
        OptionError: If an option is not of this form, or hardly any row is kept.
        UnknownName: If `discrete` or `levels` names nodes that are not in the DAG.

    Examples:
        >>> dag = DAG.parse("a -> b, b -> c")
        >>> rows = mixed(dag, rows=1000, discrete=["b"], seed=1)
        >>> rows.dtypes
        [Float64, String, Float64]
        >>> sorted(rows["b"].unique())
        ['a', 'b', 'c']
    """
    check(dag, rows)
    return mixed_system(dag, discrete=discrete, levels=levels, seed=seed).draw(rows)


def mixed_system(
    dag: DAG, *, discrete: float | Iterable[str] = 0.5, levels: int | Mapping[str, int] = 3, seed: Seed
) -> System:
    """The system from which `mixed` draws its rows."""
    sizes = levels_of(dag, levels, otherwise=3)
    model, noise = streams(seed)
    with_levels = _chosen(dag, discrete, model)
    named = levels if isinstance(levels, Mapping) and not isinstance(discrete, int | float) else {}
    if continuous := [name for name in named if name not in with_levels]:
        raise OptionError(
            ["must name discrete nodes only, and ", Option("discrete"), f" lacks {', '.join(map(repr, continuous))}"],
            option="levels",
            way_out=["add them to ", Option("discrete"), ", or leave them out of ", Option("levels")],
        )
    mechanisms = mixed_model(dag, {name: sizes[name] for name in with_levels}, model)
    return System(dag, mechanisms, noise, {name: _letters(sizes[name]) for name in with_levels})


def mixed_model(dag: DAG, levels: Mapping[str, int], rng: np.random.Generator) -> dict[str, Linear | Choice]:
    """The mechanism of each node, in causal order; the nodes that `levels` leaves out are continuous."""
    out: dict[str, Linear | Choice] = {}
    pilot: dict[str, Values] = {}
    with finite_values():
        for name, parents in parents_of(dag).items():
            causes = [pilot[parent] for parent in parents]
            if name in levels:
                out[name] = _choice(parents, causes, levels[name], levels, rng, jointly=name not in dag.selection)
                pilot[name] = out[name].draw(causes, PILOT_ROWS, rng)
            else:
                effects = tuple(_summand(parent, levels, rng) for parent in parents)
                pilot[name] = Linear(parents, effects).draw(causes, PILOT_ROWS, rng)
                out[name] = Linear(parents, effects, threshold=float(np.median(pilot[name])))
    return out


def _summand(parent: str, levels: Mapping[str, int], rng: np.random.Generator) -> float | Values:
    if parent in levels:
        return centred(rng, (levels[parent],), size=rng.uniform(*WEIGHT))
    return float(weights(rng, 1)[0])


def _choice(
    parents: tuple[str, ...],
    causes: list[Values],
    own: int,
    levels: Mapping[str, int],
    rng: np.random.Generator,
    *,
    jointly: bool,
) -> Choice:
    """The mechanism of a node with `own` levels; `causes` are the pilot values of its parents."""
    constant = centred(rng, (own,), size=rng.uniform(0, EFFECT[0]))
    of_parents = {i: levels[parent] for i, parent in enumerate(parents) if parent in levels}
    terms = level_terms(rng, own, of_parents, jointly=jointly)
    for i, parent in enumerate(parents):
        if parent not in levels:
            slopes = centred(rng, (own,), size=rng.uniform(*EFFECT)) / causes[i].std()
            constant = constant - slopes * causes[i].mean()
            terms = (*terms, Term((i,), slopes))
    return Choice(parents, constant, terms)


def _chosen(dag: DAG, discrete: float | Iterable[str], rng: np.random.Generator) -> frozenset[str]:
    """The nodes with levels."""
    if isinstance(discrete, str):
        raise OptionError(
            f"must be a list of names or a share, got the single string {discrete!r}",
            option="discrete",
            way_out=["pass ", Option("discrete", [discrete])],
        )
    if isinstance(discrete, bool) or not isinstance(discrete, int | float):
        names = names_list("discrete", discrete)
        refuse_unknown(names, dag.nodes)
        return frozenset(names)
    if not 0 <= discrete <= 1:
        raise OptionError("must be a share from 0 to 1, or a list of names", option="discrete", value=discrete)
    out: set[str] = set()
    for role in (set(dag.observed), dag.latent | dag.selection):
        names_of_role = np.array(sorted(role, key=by_name), dtype=object)
        out.update(rng.permutation(names_of_role)[: int(discrete * len(role) + 0.5)].tolist())
    return frozenset(out)


def _letters(count: int) -> list[str]:
    """Labels in the manner of the columns of a spreadsheet: a, b, …, z, aa, ab, …"""
    out: list[str] = []
    for i in range(count):
        out.append((out[i // 26 - 1] if i >= 26 else "") + chr(ord("a") + i % 26))
    return out
