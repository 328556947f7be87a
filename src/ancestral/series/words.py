"""A search of time series in words: its summary, and what there is to say about the copies of a pair."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ancestral.checking import Check
from ancestral.graphs.ancestry import directed_steps, reachable
from ancestral.graphs.names import by_name
from ancestral.graphs.window import Window
from ancestral.orientation.explanations import set_in_words
from ancestral.printing import counted
from ancestral.result import Discovery
from ancestral.search.stage import FoundBy
from ancestral.show.explain import legend_of
from ancestral.show.kinds import kinds_in_words
from ancestral.show.summary import judged_by, state_in_words

if TYPE_CHECKING:
    from ancestral.series.result import SeriesDiscovery

__all__ = ["copy_sentences", "series_summary"]

#: Edges at t that a summary lists; more are counted.
MOST_EDGES = 200


def copy_sentences(run: Discovery, window: Window, a: str, b: str) -> Iterator[str]:
    """Sentences about a pair of nodes: the copy that was asked about, the ancestors that were given, other copies."""
    stage = run.stage
    places = window.places(stage.names)
    at = {name: i for i, name in enumerate(stage.names)}
    x, y = at[a], at[b]
    steps, copies = places.copies(x, y)
    adjacent = [bool(run.stage.oriented.marks[pair]) for pair in copies]
    separation = stage.separation(a, b)
    if separation is not None:
        if separation.found_by == str(FoundBy.COPY):
            found = next(
                (
                    pair
                    for pair in copies
                    if (s := stage.separation(*_names(stage.names, pair))) and s.found_by != str(FoundBy.COPY)
                ),
                None,
            )
            if found is not None:
                yield f"Carried from the copy {' – '.join(_names(stage.names, found))}."
        known = _known_ancestors(run)
        named = frozenset(z for z in separation.given if known[at[z], x] or known[at[z], y])
        if named:
            yield f"Known ancestors of the two were given in every question: {set_in_words(named)}."
        early = [pair for pair, there in zip(copies, adjacent, strict=True) if there]
        if early:
            yield (
                f"Earlier in the window, {' – '.join(_names(stage.names, early[0]))} is an edge: what separates it "
                "lies before the window there."
            )
    elif steps and adjacent[0]:
        yield f"The pair was asked about where it ends at t: {' – '.join(_names(stage.names, copies[0]))}."


def _known_ancestors(run: Discovery) -> NDArray[np.bool_]:
    """At a, x, whether a was known to cause x in the last round: as stated, or by the graph of the round before."""
    names = run.stage.names
    stated = run.settings.knowledge
    known = np.zeros((len(names), len(names)), dtype=bool) if stated is None else stated.constraints(names, False).cause
    if run.settings.on_data and len(run.history) > 1:
        known = known | reachable(directed_steps(run.history[-2].graph.matrix(len(names))))
    return known


def _names(names: Sequence[str], pair: tuple[int, int]) -> tuple[str, str]:
    first, second = sorted((names[pair[0]], names[pair[1]]), key=by_name)
    return first, second


def series_summary(found: "SeriesDiscovery", *, for_shell: bool = False) -> str:
    """The summary of a search of time series, for a person to read.

    The command line prints the edges that end at t beside it, so `for_shell` leaves them out.
    """
    run, settings = found.run, found.settings
    edges = found.pag.edges()
    lines = [
        f"{settings.chosen.title} on {len(found.processes):,} processes at {found.lags + 1} steps"
        + (f", {judged_by(settings)}" if judged_by(settings) else "")
    ]
    if run.reading.windows is not None:
        lines.append(run.reading.windows)
    if run.test.kinds:
        lines.append(kinds_in_words({name: kind for name, kind in run.test.kinds.items() if name.endswith("[t]")}))
    asked, further = run.tests.total(), run.verify_tests.total()
    rounds = len(run.history) if settings.on_data else 0
    lines.append(
        f"{counted(asked, 'question')}"
        + (f" in {counted(rounds, 'round')}" if rounds else "")
        + (f", and {counted(further, 'further one')} about colliders" if further and settings.on_data else "")
    )
    if run.unsupported:
        lines.append(
            f"not supported by the data, so answered 'dependent': {counted(run.unsupported.total(), 'question')}"
        )
    shown = not for_shell and 0 < len(edges) <= MOST_EDGES
    lines += [
        state_in_words(run),
        "",
        f"{counted(len(edges), 'edge')} that end{'s' * (len(edges) == 1)} at t" + ":" * shown,
    ]
    if shown:
        lines += [f"  {line}" for line in str(found.pag).splitlines()]
    lines += ["", "processes:" if found.summary.edges else "processes: none are joined"]
    lines += [f"  {line}" for line in str(found.summary).splitlines()]
    legend = legend_of(found.pag, False)
    kinds = [kind for kind in legend if any(edge == kind for _, edge, _ in edges)]
    lines += ["", *(f"  a {kind} b   {legend[kind]}" for kind in kinds)]
    check: Check | None = found.check
    if check is not None:
        lines += ["", *check.headlines()]
    return "\n".join(lines)
