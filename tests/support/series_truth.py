"""What is true of windows of time series, by enumeration: the graphs of a class that stationary processes can have.

A ts-DMAG is the MAG of some series DAG over the steps of a window, and a ts-DPAG has the marks on which all ts-DMAGs
agree that entail the same separations (Gerhardus 2023). A MAG is a ts-DMAG if and only if it reproduces itself: take
its edges that end at t, repeat them for ever, with a latent process for each `<->`, and the MAG of that process is the
same. So it is enough to try all marks of the edges that end at t; no rule of orientation takes part in that.
"""

from collections.abc import Iterator
from itertools import combinations, permutations, product

import numpy as np
from numpy.typing import NDArray

from ancestral import DAG, MAG, PAG, pag_of
from ancestral.graphs import SeriesDAG
from ancestral.graphs.marks import ARROW, CIRCLE, TAIL
from ancestral.graphs.window import Window

__all__ = [
    "NAMED",
    "canonical",
    "random_series_dag",
    "random_series_dags",
    "small_series_dags",
    "true_window_pag",
    "unrolled",
]

Marks = NDArray[np.uint8]

#: Two processes and the lag between them: an edge at all its places.
Link = tuple[str, int, str]

#: The marks of an edge at the first and at the second process.
Choice = tuple[int, int]

#: Graphs on which published algorithms go wrong, or for which one idea is needed, each with the lags of its window.
NAMED: dict[str, tuple[SeriesDAG, int]] = {
    "echo": (SeriesDAG.parse("A-1->A, A-1->B"), 1),
    "carry": (SeriesDAG.parse("A-1->A, B-0->A"), 1),
    "mirror": (SeriesDAG.parse("A-0->B, A-1->A, B-1->B"), 1),
    "half edge": (SeriesDAG.parse("A-1->A, A-2->B, B-1->B"), 2),
    "half edge, two causes": (SeriesDAG.parse("B-0->A, B-1->B, C-1->A, C-1->C"), 1),
    "unasked past": (SeriesDAG.parse("A-1->A, B-1->B, B-1->C, C-1->A, C-1->C"), 2),
    "latent loop": (SeriesDAG.parse("A-1->B, A-1->L, L-1->A, L-1->B", latent=["L"]), 2),
    "far set": (SeriesDAG.parse("A-1->A, A-1->B, B-1->B, C-1->C, C-2->A"), 2),
    "names": (SeriesDAG.parse("B-1->A, B-1->B"), 2),
}


def true_window_pag(dag: SeriesDAG, lags: int, most: int = 3000) -> PAG | None:
    """The ts-DPAG of a window: the marks on which all equivalent ts-DMAGs agree; None beyond `most` candidates."""
    mag = dag.mag(lags)
    target, window = pag_of(mag), Window.of(mag.nodes)
    agreed = mag.marks.copy()
    for number, (links, marks) in enumerate(_candidates(mag)):
        if number >= most:
            return None
        news = (marks != agreed) & (agreed != CIRCLE)
        if news.any():  # otherwise it does not matter whether this is a member
            member = canonical(links, window).mag(lags)
            if np.array_equal(member.arranged(mag.nodes), marks) and pag_of(member) == target:
                agreed[news] = CIRCLE
    return PAG(mag.nodes, agreed)


def unrolled(dag: SeriesDAG, lags: int, steps: int) -> DAG:
    """The DAG of a process that began some steps before the window; all nodes before the window are latent."""
    window, whole = Window(dag.observed, lags), Window(dag.processes, lags + steps)
    arrows = [
        (_node(cause, lag + later), "-->", _node(effect, later))
        for cause, lag, effect in dag.edges
        for later in range(lags + steps - lag + 1)
    ]
    return DAG.from_edges(arrows, nodes=whole.names, latent=set(whole.names) - set(window.names))


def canonical(links: dict[Link, Choice], window: Window) -> SeriesDAG:
    """The process in which these edges hold at every step, with a latent process for each `<->`."""
    edges: list[tuple[str, int, str]] = []
    latent: list[str] = []
    for number, ((first, lag, second), choice) in enumerate(links.items()):
        if choice == (TAIL, ARROW):
            edges.append((first, lag, second))
        elif choice == (ARROW, TAIL):
            edges.append((second, lag, first))
        else:
            latent.append(f"latent {number}")
            edges += [(latent[-1], 0, first), (latent[-1], lag, second)]
    return SeriesDAG([*window.processes, *latent], edges, latent)


def _candidates(mag: MAG) -> Iterator[tuple[dict[Link, Choice], Marks]]:
    """All marks of the edges that end at t such that the graph is ancestral, with the unshielded colliders of the MAG.

    Each comes with the marks that all edges of the window then have by ancestry.
    """
    window = Window.of(mag.nodes)
    number = {node: i for i, node in enumerate(mag.nodes)}
    copies: dict[Link, list[tuple[int, int]]] = {}
    for a, _, b in mag.edges():
        (first, later), (second, sooner) = sorted((window.place(a), window.place(b)), key=lambda place: -place[1])
        if second < first and later == sooner:
            first, second = second, first
        copies.setdefault((first, later - sooner, second), []).append((later, sooner))
    links = [link for link, places in copies.items() if any(sooner == 0 for _, sooner in places)]
    shifts = {
        link: [
            (number[_node(link[0], sooner + link[1])], number[_node(link[2], sooner)])
            for sooner in range(window.lags - link[1] + 1)
        ]
        for link in links
    }
    adjacent = mag.marks != 0
    triples = [
        (u, v, w, bool(mag.marks[u, v] == ARROW and mag.marks[w, v] == ARROW))
        for v in range(len(adjacent))
        for u, w in combinations(np.flatnonzero(adjacent[v]).tolist(), 2)
        if not adjacent[u, w]
    ]

    def extend(chosen: dict[Link, Choice], marks: Marks) -> Iterator[tuple[dict[Link, Choice], Marks]]:
        if len(chosen) == len(links):
            complete = _by_ancestry(adjacent, marks)
            if all((complete[u, v] == ARROW and complete[w, v] == ARROW) == c for u, v, w, c in triples):
                yield dict(chosen), complete
            return
        link = links[len(chosen)]
        for choice in _choices(link):
            more = marks.copy()
            for x, y in shifts[link]:
                more[y, x], more[x, y] = choice
            if _is_ancestral(more) and _fits(more, triples):
                yield from extend({**chosen, link: choice}, more)

    yield from extend({}, np.zeros_like(mag.marks))


def _choices(link: Link) -> list[Choice]:
    """The marks that an edge may have at its first and second process: no effect comes before its cause."""
    return [(TAIL, ARROW), (ARROW, ARROW)] + ([(ARROW, TAIL)] if link[1] == 0 else [])


def _node(process: str, lag: int) -> str:
    return f"{process}[t-{lag}]" if lag else f"{process}[t]"


def _reach(marks: Marks) -> NDArray[np.bool_]:
    """At x, y: whether a directed path of one or more edges leads from x to y."""
    reach: NDArray[np.bool_] = (marks == ARROW) & (marks.T == TAIL)
    while True:
        more = reach | (reach @ reach)
        if np.array_equal(more, reach):
            return reach
        reach = more


def _is_ancestral(marks: Marks) -> bool:
    """Whether no node with an arrowhead at an edge is an ancestor of its other end or of itself."""
    reach = _reach(marks)
    return not (reach & (marks.T == ARROW)).any() and not reach.diagonal().any()


def _fits(marks: Marks, triples: list[tuple[int, int, int, bool]]) -> bool:
    """Whether the unshielded triples whose marks are all there are colliders where they should be."""
    return all(
        (marks[u, v] == ARROW and marks[w, v] == ARROW) == collider
        for u, v, w, collider in triples
        if marks[u, v] and marks[w, v]
    )


def _by_ancestry(adjacent: NDArray[np.bool_], marks: Marks) -> Marks:
    """The marks of all edges: a tail at an ancestor of the other end, otherwise an arrowhead."""
    return np.where(adjacent, np.where(_reach(marks).T, TAIL, ARROW), 0).astype(np.uint8)


def small_series_dags(edges: int = 4) -> Iterator[SeriesDAG]:
    """Every series DAG with up to so many edges of lags 0 and 1 over two or three processes, up to renaming.

    Every process has an edge, and at least two are observed, A, B and C; a latent one is L.
    """
    for names, hidden in ((["A", "B"], 0), (["A", "B", "L"], 1), (["A", "B", "C"], 0)):
        yield from _up_to_renaming(names, hidden, edges)


def _up_to_renaming(names: list[str], hidden: int, most: int) -> Iterator[SeriesDAG]:
    seen: set[frozenset[tuple[str, int, str]]] = set()
    observed, latent = names[: len(names) - hidden], names[len(names) - hidden :]
    renamings = [
        dict(zip(names, [*first, *second], strict=True))
        for first in permutations(observed)
        for second in permutations(latent)
    ]
    links = [link for link in product(names, (0, 1), names) if link[1] or link[0] != link[2]]
    for size in range(1, most + 1):
        for chosen in combinations(links, size):
            if {name for a, _, b in chosen for name in (a, b)} != set(names) or frozenset(chosen) in seen:
                continue
            seen |= {frozenset((to[a], lag, to[b]) for a, lag, b in chosen) for to in renamings}
            if _acyclic(names, [(a, b) for a, lag, b in chosen if lag == 0]):
                yield SeriesDAG(names, chosen, latent)


def _acyclic(names: list[str], arrows: list[tuple[str, str]]) -> bool:
    return any(all(order.index(a) < order.index(b) for a, b in arrows) for order in permutations(names))


def random_series_dag(rng: np.random.Generator) -> SeriesDAG:
    """Two to four observed and up to two latent processes, lags from 0 to 2, about one or two edges per process."""
    observed, hidden = int(rng.integers(2, 5)), int(rng.integers(0, 3))
    names = [f"x{i}" for i in range(observed)] + [f"l{i}" for i in range(hidden)]
    order = [str(name) for name in rng.permutation(names)]
    edges = {(name, 1, name) for name in names if rng.random() < 0.6}
    for _ in range(int(rng.integers(len(names) - 1, 2 * len(names)))):
        i, j = sorted(rng.choice(len(names), 2, replace=False).tolist())
        lag = int(rng.integers(0, 3))
        a, b = (order[j], order[i]) if lag and rng.random() < 0.5 else (order[i], order[j])
        edges.add((a, lag, b))
    return SeriesDAG(names, sorted(edges), names[observed:])


def random_series_dags(seed: int) -> Iterator[tuple[SeriesDAG, int]]:
    """Random series DAGs without end, each with the lags of a window, from 1 to 3."""
    rng = np.random.default_rng(seed)
    while True:
        yield random_series_dag(rng), int(rng.integers(1, 4))
