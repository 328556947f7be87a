"""A run in a page that a person reads: what was asked, how far it came, the edges, and what they mean."""

from collections import Counter
from collections.abc import Sequence

from ancestral.graphs import PAG
from ancestral.graphs.names import by_name, quoted
from ancestral.search.settings import Settings
from ancestral.search.stage import Phase, StageRecord
from ancestral.show.explain import legend_of

__all__ = ["state_in_words", "summary"]

#: More edges than this are not listed, only counted: print the graph itself for all of them.
MOST_EDGES = 200

_ENDED = {
    "max_radius": "stopped at max_radius",
    "time limit": "stopped by the time limit",
    "interrupt": "interrupted",
    "executor": "stopped when its executor was gone",
}


def summary(
    pag: PAG,
    settings: Settings,
    rows: int,
    history: Sequence[StageRecord],
    verify_tests: Counter[int],
    unsupported: Counter[int],
    stopped: str | None,
    conflicts: int = 0,
    listed: bool = True,
) -> str:
    """The summary of a run; unless `listed`, without the edges themselves, for where the graph stands beside it."""
    edges = pag.edges()
    level = "" if settings.alpha is None else f", alpha {settings.alpha:g}"
    lines = [
        f"{settings.chosen.title} on {_count(len(pag.nodes), 'variable')}"
        + (f" and {_count(rows, 'row')}" if rows else "")
        + f", test {settings.test}{level}",
        "",
        *_history(history),
    ]
    if settings.knowledge is not None:
        said = sum(map(len, settings.knowledge.as_dict().values()))
        lines.append(f"with knowledge: {_count(said, 'statement')}{' (.settings.knowledge)' * listed}")
    if verify_tests:
        lines.append(f"and {_count(verify_tests.total(), 'question')} to verify what the marks rest on")
    if unsupported:
        sizes = ", ".join(f"{count:,} given {size}" for size, count in sorted(unsupported.items()))
        lines.append(f"not supported by the data, so answered 'dependent': {sizes}")
    if conflicts:
        lines.append(
            f"{_count(conflicts, 'time')} the answers contradict each other; such marks stay open"
            + " (.trace.conflicts)" * listed
        )
    lines += [
        state_in_words(settings, stopped),
        "",
        _count(len(edges), "edge") + (":" * listed if edges else ": nothing depends on anything"),
    ]
    legend = legend_of(pag)
    kinds = [kind for kind in legend if any(edge == kind for _, edge, _ in edges)]
    if listed and len(edges) > MOST_EDGES:
        lines.append("(too many to list: print the graph, .pag, or take .to_frame())")
        listed, kinds = False, []
    if listed and edges:
        alone = {quoted(name) for name, row in zip(pag.nodes, pag.marks, strict=True) if not row.any()}
        lines += [f"  {line}" for line in str(pag).splitlines() if line not in alone]
        if alone:
            lines += ["", f"without an edge: {', '.join(sorted(alone, key=by_name))}"]
    if kinds and history:  # before anything was asked, they say nothing yet
        lines += ["", *(f"  a {kind} b   {legend[kind]}" for kind in kinds)]
    return "\n".join(lines)


def state_in_words(settings: Settings, stopped: str | None) -> str:
    """How the run ended, and what that means for what it says."""
    if stopped is None:
        return settings.chosen.complete_means
    if settings.chosen.sufficient:
        return f"{_ENDED[stopped]}: edges may be too many, and their directions are not known yet"
    if not settings.verify:
        return f"{_ENDED[stopped]}: not verified, so marks may be false; a longer run may say more"
    return f"{_ENDED[stopped]}: what it says is true, a longer run may say more"


def _history(history: Sequence[StageRecord]) -> list[str]:
    if not history:
        return ["nothing was asked yet"]
    table = [["phase", "radius", "edges left", "questions"]]
    table += [[str(m.phase), f"{m.radius}", f"{m.edges:,}", f"{m.questions:,}"] for m in history]
    if all(m.phase is Phase.SEARCH for m in history):
        table = [row[1:] for row in table]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in table]


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" + ("" if number == 1 else "s")
