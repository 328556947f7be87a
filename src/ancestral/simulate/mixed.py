"""Models of both kinds: some nodes are numbers, others have levels.

A continuous node is a weighted sum of its continuous parents, plus a summand for the level of each discrete one, plus
standard normal noise. A discrete node chooses its level as in `discrete`; a continuous parent, in units of its standard
deviation, moves the logits by a slope for each level.

What the standard deviation of a node is, and its median, has no formula. The model finds out with a pilot sample of its
own, so that it does not hang on the rows asked for.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from ancestral.arguments import names_list
from ancestral.errors import OptionError, UnknownName
from ancestral.graphs import DAG
from ancestral.graphs.names import by_name
from ancestral.printing import shown
from ancestral.simulate.discrete import WAY_OUT, level_terms, levels_of
from ancestral.simulate.mechanisms import EFFECT, WEIGHT, Choice, Linear, Term, centred, weights
from ancestral.simulate.sampling import Seed, Values, check, finite_values, frame, parents_of, sample, streams

if TYPE_CHECKING:
    import polars as pl

__all__ = ["mixed", "mixed_model"]

#: The size of the sample from which the model knows the centre and the spread of its continuous nodes.
PILOT_ROWS = 4096


def mixed(
    dag: DAG,
    rows: int,
    *,
    discrete: float | Iterable[str] = 0.5,
    levels: int | Mapping[str, int] = 3,
    seed: Seed,
) -> "pl.DataFrame":
    """Rows of the observed nodes, in the order of `dag.observed`: floats, and the levels "a", "b", "c", … as strings.

    - `discrete` names the nodes with levels, or is their share, chosen by the seed: of the observed nodes, rounded, and
      likewise of the others.
    - `levels` is one number for all nodes with levels, or says it by name; nodes left out have 3.
    - The model follows from the seed alone, and so does each row: with more rows the first ones stay the same.
    - Selection: a row is kept if every selection node is above its median or, if it has levels, in the upper half of
      these. Rows are drawn until there are enough.

    >>> dag = DAG.parse("a -> b, b -> c")
    >>> rows = mixed(dag, rows=1000, discrete=["b"], seed=1)
    >>> rows.dtypes
    [Float64, String, Float64]
    >>> sorted(rows["b"].unique())
    ['a', 'b', 'c']
    """
    check(dag, rows)
    sizes = levels_of(dag, levels, otherwise=3)
    model, noise = streams(seed)
    with_levels = _chosen(dag, discrete, model)
    if isinstance(levels, Mapping) and not isinstance(discrete, int | float):
        for name in levels:
            if name not in with_levels:
                raise OptionError(
                    f"levels= says how many levels {name!r} has, which is not among discrete=; add it there, or "
                    "leave it out of levels="
                )
    mechanisms = mixed_model(dag, {name: sizes[name] for name in with_levels}, model)
    columns = sample(dag, mechanisms, rows, noise, way_out=WAY_OUT)
    return frame(dag, columns, {name: _letters(sizes[name]) for name in with_levels})


def mixed_model(dag: DAG, levels: Mapping[str, int], rng: np.random.Generator) -> dict[str, Linear | Choice]:
    """How each node gets its values, in causal order; the nodes that `levels` leaves out are continuous."""
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
    """A node with `own` levels; the pilot values of its continuous parents say what their standard deviation is."""
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
        raise OptionError(f"discrete={discrete!r} is a single string; pass a list of names: discrete=[{discrete!r}]")
    if isinstance(discrete, bool) or not isinstance(discrete, int | float):
        names = frozenset(names_list("discrete", discrete))
        for name in sorted(names, key=str):
            if name not in dag.nodes:
                raise UnknownName(name, dag.nodes)
        return names
    if not 0 <= discrete <= 1:
        raise OptionError(
            f"discrete={shown(discrete)} is the share of nodes with levels; pass one from 0 to 1, or a list of names"
        )
    out: set[str] = set()
    for role in (set(dag.observed), dag.latent | dag.selection):
        names_of_role = np.array(sorted(role, key=by_name), dtype=object)
        out.update(rng.permutation(names_of_role)[: int(discrete * len(role) + 0.5)].tolist())
    return frozenset(out)


def _letters(count: int) -> list[str]:
    """As a spreadsheet names its columns: a, b, …, z, aa, ab, …"""
    out: list[str] = []
    for i in range(count):
        out.append((out[i // 26 - 1] if i >= 26 else "") + chr(ord("a") + i % 26))
    return out
