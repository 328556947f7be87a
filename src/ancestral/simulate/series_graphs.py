"""Random series DAGs: links between processes at random lags, some of them within a step, and latent processes.

The design is that of the experiments with LPCMCI (Gerhardus & Runge 2020, section 5): as many links as processes, 30 %
of them within a step, 30 % of the processes latent, and an effect of every process on its own next step.
"""

from itertools import combinations, permutations

import numpy as np

from ancestral.arguments import flag, number_between, optional, random_generator, whole_number
from ancestral.errors import Option, OptionError
from ancestral.graphs import SeriesDAG
from ancestral.graphs.series_dag import MOST_LAG

__all__ = ["random_series_dag"]

#: The largest number of processes: the links are chosen among all pairs of them.
MOST_PROCESSES = 1000

#: The share of the processes that is latent unless a number is given.
LATENT = 0.3


def random_series_dag(
    processes: int,
    *,
    seed: int | np.random.Generator,
    links: int | None = None,
    lags: int = 3,
    contemporaneous: float = 0.3,
    latent: int | None = None,
    own_past: bool = True,
) -> SeriesDAG:
    """A random series DAG over x1, x2 and so on.

    Args:
        processes: The number of all processes, latent ones included.
        seed: A whole number or a numpy Generator.
        links: The number of edges between different processes, as many as there are processes if None. Each joins
            another pair of a cause and an effect.
        lags: The largest lag: those of links that are not within a step are uniform from 1 to `lags`.
        contemporaneous: The share of links within a step, rounded. They follow a random causal order.
        latent: The number of latent processes, chosen uniformly; 30 % of all, rounded down, if None.
        own_past: Whether every process has an effect on its own next step.

    Returns:
        The series DAG.

    Raises:
        OptionError: If an option is not of this form, or if there are not enough pairs for so many links.

    Examples:
        >>> print(random_series_dag(4, seed=1, links=3))
        x1 -1-> x1
        x1 -0-> x2
        x1 -1-> x4
        x2 -1-> x2
        x3 -1-> x3
        x4 -1-> x2
        x4 -1-> x4
        latent: x4
    """
    count = whole_number("processes", processes, 1, MOST_PROCESSES)
    largest = whole_number("lags", lags, 1, MOST_LAG)
    hidden = optional(whole_number, "latent", latent, 0, count - 1)
    share = number_between("contemporaneous", contemporaneous, 0, 1, with_low=True, with_high=True)
    wanted = optional(whole_number, "links", links, 0)
    own = flag("own_past", own_past)
    pairs = count * (count - 1)
    total = min(count, pairs) if wanted is None else wanted
    within = round(share * total)
    if total > pairs or within > pairs // 2:
        raise OptionError(
            f"must be at most {pairs:,} for {count:,} processes, of which at most {pairs // 2:,} are within a step",
            option="links",
            value=total,
            way_out=["take more processes, or pass a smaller ", Option("contemporaneous")],
        )

    rng = random_generator(seed)
    order = rng.permutation(count).tolist()
    along = list(combinations(order, 2))
    edges = [(*along[i], 0) for i in rng.choice(len(along), within, replace=False)] if within else []
    taken = {(cause, effect) for cause, effect, _ in edges}
    free = [pair for pair in permutations(range(count), 2) if pair not in taken]
    for i in rng.choice(len(free), total - within, replace=False) if total > within else ():
        edges.append((*free[i], int(rng.integers(1, largest, endpoint=True))))
    if own:
        edges += [(i, i, 1) for i in range(count)]

    names = [f"x{i}" for i in range(1, count + 1)]
    unobserved = rng.choice(count, int(LATENT * count) if hidden is None else hidden, replace=False)
    return SeriesDAG(
        names, [(names[cause], lag, names[effect]) for cause, effect, lag in edges], [names[i] for i in unobserved]
    )
