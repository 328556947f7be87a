"""A run in a page that a person reads: what was done, how far it came, the edges, what they mean, and the check."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from ancestral.graphs.marks import CIRCLE
from ancestral.graphs.names import by_name, quoted
from ancestral.independence.base import BOOTSTRAP, BaseTest, Test
from ancestral.printing import counted
from ancestral.search.algorithm_choice import choice_in_words
from ancestral.search.settings import Settings
from ancestral.search.stage import AskedStage, FoundBy, Phase, StageRecord
from ancestral.shell import spelled
from ancestral.show.certainties import doubts, tiers_wanted
from ancestral.show.design import acting_title, asked_conflicts, asked_edges, contexts_in_words
from ancestral.show.explain import legend_of
from ancestral.show.kinds import kinds_in_words
from ancestral.show.run import Run

__all__ = ["belief", "judged_by", "never_in_words", "state_in_words", "summary", "why_chosen"]

#: More edges than this are counted and not listed; a longer list would push the rest of the page off the screen.
MOST_EDGES = 200

#: Edges that are not firm, of which the summary of the command line lists the first.
MOST_DOUBTFUL = 20

#: Pairs that were never measured together, of which a line names the first.
MOST_NEVER = 10

_ENDED = {
    "max_radius": "stopped at the largest radius allowed",
    "time limit": "stopped by the time limit",
    "interrupt": "interrupted",
    "executor": "stopped when its executor was gone",
}


def summary(run: Run, *, for_shell: bool = False) -> str:
    """The summary of a run.

    The command line prints the graph beside it: `for_shell` leaves out the list of edges, and the hints to attributes
    of Python objects.
    """
    edges = asked_edges(run.pag, run.settings.knowledge)
    settings, listed = run.settings, not for_shell
    lines = [
        f"{settings.chosen.title} on {counted(len(run.pag.nodes), 'variable')}"
        + (f" and {counted(run.test.rows, 'row')}" if run.test.rows else "")
        + f", {judged_by(settings)}" * bool(judged_by(settings)),
        *([f"rows with {design}"] if (design := getattr(run.test, "design", None)) is not None else []),
        *([chosen] if (chosen := why_chosen(settings)) else []),
        *([kinds_in_words(run.test.kinds)] if run.test.kinds else []),
        "",
        *(_history(run.history) if settings.chosen.asks else _steps(run)),
    ]
    if settings.knowledge is not None:
        statements = sum(
            len(some) for what, some in settings.knowledge.as_dict().items() if what != "context_assumptions"
        )
        lines.append(f"with knowledge: {counted(statements, 'statement')}" + " (.settings.knowledge)" * listed)
        if settings.knowledge.contexts:
            lines.append(contexts_in_words(settings.knowledge))
    if run.verify_tests:
        agreed = " and to agree on colliders" if settings.colliders == "agreed" else ""
        lines.append(f"and {counted(run.verify_tests.total(), 'question')} to verify what the marks rest on{agreed}")
    if settings.together is not None:
        lines.append(never_in_words(run))
    if run.unsupported:
        sizes = ", ".join(f"{count:,} given {size}" for size, count in sorted(run.unsupported.items()))
        why = "not supported by the data" if settings.together is None else "without an answer in any table"
        lines.append(f"{why}, so answered 'dependent': {sizes}")
    if settings.fdr is not None:
        lines.append(_control_in_words(run, settings.fdr))
    if conflicts := len(asked_conflicts(run.trace, settings.knowledge)):
        lines.append(
            f"{counted(conflicts, 'contradictory answer')}, whose marks stay open" + " (.trace.conflicts)" * listed
        )
    designed = len(run.pag.edges()) - len(edges)
    by_design = f", and {designed:,} between contexts by design" + ", not listed" * listed if designed else ""
    lines += [
        state_in_words(run),
        "",
        f"{counted(len(edges), 'edge')}{by_design}" + (":" * listed if edges else ": no dependence was found"),
    ]
    legend = legend_of(run.pag, settings.allows_selection)
    kinds = [kind for kind in legend if any(edge == kind for _, edge, _ in edges)]
    if listed and len(edges) > MOST_EDGES:
        lines.append("(too many to list: print the graph, .pag, or take .to_frame())")
        listed, kinds = False, []
    if listed and edges:
        isolated = {quoted(name) for name, row in zip(run.pag.nodes, run.pag.marks, strict=True) if not row.any()}
        lines += [f"  {edge}{doubt}" for edge, doubt in _edges(run)]
        if isolated:
            lines += ["", f"without an edge: {', '.join(sorted(isolated, key=by_name))}"]
    if kinds and run.history:  # before any question, the edges mean nothing yet
        lines += ["", *(f"  a {kind} b   {legend[kind]}" for kind in kinds)]
    if len(run.interventions) and run.history:
        lines += ["", f"{acting_title(run.settings.knowledge)}:", *(f"  {item}" for item in run.interventions)]
    if run.check is not None:
        lines += ["", *run.check.headlines()]
    if believed := belief(run, for_shell=for_shell):
        lines += ["", *believed]
    return "\n".join(lines)


def belief(run: Run, *, for_shell: bool = False) -> list[str]:
    """How far a graph from data is to be believed: what is firm, and what is missing to believe its directions."""
    if not run.settings.on_data or not run.stage.complete or not (run.pag.class_marks > CIRCLE).any():
        return []
    certainty = run.known_certainty
    if certainty is None:
        out = [f"How certain the marks are was not checked{_how_to_check(run.test, for_shell=for_shell)}."]
    else:
        out = [str(certainty)]
        if for_shell:  # the graph stands elsewhere, without doubts
            doubtful = [edge + doubt for edge, doubt in _edges(run) if doubt]
            out += [f"  {line}" for line in doubtful[:MOST_DOUBTFUL]]
            out += [f"  and {len(doubtful) - MOST_DOUBTFUL:,} more edges"] * (len(doubtful) > MOST_DOUBTFUL)
    if run.settings.knowledge is None and any(edge == "-->" for _, edge, _ in run.pag.edges()):
        out.append(tiers_wanted(for_shell=for_shell))
    return out


def _how_to_check(test: Test, *, for_shell: bool) -> str:
    """How it can be checked how certain marks are, in brackets; empty if these data cannot tell.

    In Python it is the same for a run from a file, of which it is not known whether its test has a likelihood.
    """
    if not for_shell:
        return f" (found.certainty(), or {BOOTSTRAP} where the test has no likelihood)"
    if isinstance(test, BaseTest) and test.has_readings:
        return " (--resamples 30)"
    if isinstance(test, BaseTest) and test.has_rows:
        return f" ({spelled(BOOTSTRAP)} tells how stable they are)"
    return ""


def _edges(run: Run) -> list[tuple[str, str]]:
    """The edges, each with what is not firm about it, in brackets; empty if all is."""
    certainty, out = run.known_certainty, []
    for a, edge, b in asked_edges(run.pag, run.settings.knowledge):
        doubt = "" if certainty is None or not certainty.enough else doubts(certainty, a, b)
        out.append((f"{quoted(a)} {edge} {quoted(b)}", f"   ({doubt})" * bool(doubt)))
    return out


def state_in_words(run: Run) -> str:
    """How the run ended, and what that means for its graph."""
    settings, stopped = run.settings, run.stopped
    if stopped is None and settings.together is not None:
        right = "if every test was right, " * settings.on_data
        return (
            f"complete: all was asked that some table can answer; {right}what it says is true, and an edge may be "
            "there that a table with more of the columns would remove"
        )
    if stopped is None:
        return settings.chosen.complete_on_data if settings.on_data else settings.chosen.complete_means
    if not settings.chosen.asks:
        better = "the best graph found so far; a longer run may find a better one"
        return f"{_ENDED[stopped]}: {better if run.history else 'no graph was found yet'}"
    if settings.chosen.sufficient:
        return f"{_ENDED[stopped]}: edges may be too many, and their directions are not known yet"
    if settings.chosen.within_scored:
        return f"{_ENDED[stopped]}: edges may be too many, and marks false; a longer run may remove more"
    if not settings.verify:
        return f"{_ENDED[stopped]}: not verified, so marks may be false; a longer run may say more"
    if settings.on_data:
        return f"{_ENDED[stopped]}: if every test was right, what it says is true; a longer run may say more"
    return f"{_ENDED[stopped]}: what it says is true, a longer run may say more"


def never_in_words(run: Run) -> str:
    """Which pairs no table has, of tables that measured different columns."""
    settings, nodes = run.settings, sorted(run.pag.nodes, key=by_name)
    pairs = [f"{quoted(a)}–{quoted(b)}" for a, b in combinations(nodes, 2) if settings.never_together(a, b)]
    tables = counted(len(settings.together or ()), "table")
    if not pairs:
        return f"{tables}, in which all pairs were measured together"
    some = ", ".join(pairs[:MOST_NEVER]) + f" and {len(pairs) - MOST_NEVER:,} more" * (len(pairs) > MOST_NEVER)
    return f"{tables}; never measured together, so that their edges are open: {some}"


def _control_in_words(run: Run, level: float) -> str:
    """What the control of false discoveries did."""
    if not isinstance(run.stage, AskedStage) or not run.stage.complete:
        return f"false discoveries are to be controlled at {level:g} when the search is complete"
    removed = int(np.count_nonzero(run.stage.separations.found_by == FoundBy.FDR))
    removals = f"{counted(removed, 'edge')} removed" if removed else "no edge had to be removed"
    return f"false discoveries among edges controlled at {level:g}: {removals}"


def judged_by(settings: Settings) -> str:
    """What a search judges by, in words: a test and its level, or a score; empty if it has neither."""
    if not settings.chosen.asks:
        return "" if settings.chosen.score is None else f"score {settings.chosen.score}"
    return f"test {settings.test}" + ("" if settings.alpha is None else f", alpha {settings.alpha:g}")


def why_chosen(settings: Settings) -> str:
    """Why the algorithm was chosen, as a clause; empty if it was asked for."""
    reason = settings.algorithm_reason
    return "" if reason is None else choice_in_words(settings.algorithm, reason)


def _steps(run: Run) -> list[str]:
    """A table with a line for each stage of a search that asks no questions."""
    if not run.history:
        return ["no step is finished yet"]
    table = [["step", "edges", run.settings.chosen.score or "score"]]
    table += [[m.phase, f"{m.edges:,}", "" if m.score is None else f"{m.score:,.1f}"] for m in run.history]
    if all(m.score is None for m in run.history):
        table = [row[:2] for row in table]
    return _aligned(table)


def _history(history: Sequence[StageRecord]) -> list[str]:
    """A table with a line for each radius."""
    if not history:
        return ["nothing was asked yet"]
    table = [["phase", "radius", "edges left", "questions"]]
    table += [[str(m.phase), f"{m.radius}", f"{m.edges:,}", f"{m.questions:,}"] for m in history]
    if all(m.phase is Phase.SEARCH for m in history):
        table = [row[1:] for row in table]
    return _aligned(table)


def _aligned(table: list[list[str]]) -> list[str]:
    """The rows as lines, with columns of equal width."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in table]
