"""The compliance suite of an algorithm: each check tests one promise of its entry in `ALGORITHMS`.

An oracle, which knows the true graph, answers the questions. So every claim of every stage can be compared with the
truth, by ancestry alone; no expected output is needed. The graphs are those on which searches are known to fail. An
algorithm that asks no questions is tried on data of the same graphs (`graph_search_checks`), and so is one that asks
within a graph by score (`within_scored_checks`).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import chain, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.classes import pag_of
from ancestral.classes.equivalence import cpdag_of
from ancestral.discovery import discover, stages
from ancestral.errors import OptionError
from ancestral.graphs import DAG, PAG, is_separated, mag_of
from ancestral.graphs.marks import ARROW, CIRCLE, NONE, TAIL
from ancestral.graphs.names import in_order
from ancestral.independence import Oracle
from ancestral.knowledge import Knowledge
from ancestral.parallel.clock import Stopped, Watch
from ancestral.parallel.tuning import Tuning
from ancestral.result import Discovery, load
from ancestral.search.algorithms import ALGORITHMS, OF_QUESTIONS, Algorithm
from ancestral.search.base import Problem, SearchOptions
from ancestral.search.stage import AskedStage, Stage
from ancestral.simulate import random_dag
from ancestral.simulate.trouble import TROUBLE
from ancestral.testing.checks import Check, checks_from, require, suite
from ancestral.testing.data_search_checks import DataSearch, gaussian_rows
from ancestral.testing.graph_search_checks import GRAPH_CHECKS
from ancestral.testing.same_stages import require_same_stages
from ancestral.testing.within_scored_checks import WITHIN_SCORED_CHECKS

__all__ = ["check_algorithm", "checks_of_algorithm"]

#: The name of an algorithm while it is checked, if it is not in `ALGORITHMS`.
UNREGISTERED = "algorithm-under-test"

#: Graphs of each kind, and the largest number of observed nodes: with these, all checks take some ten seconds.
GRAPHS_OF_A_KIND, MOST_NODES = 8, 9

#: Checks that search a graph many times take every third graph, those that ask Python functions every twelfth.
SOME, FEW = 3, 12

#: Verification removes the last edge that had larger sets to ask about: a search may forget that it is complete.
FORGETFUL = DAG.parse(
    "l1 -> x3, l1 -> x5, x1 -> s2, x4 -> s1, x4 -> s2, x4 -> x1, x4 -> x2, x5 -> s1, x5 -> x2, x5 -> x4",
    latent=["l1"],
    selection=["s1", "s2"],
)


def checks_of_algorithm(
    algorithm: Algorithm | str, graphs: Sequence[DAG] | None = None, data: Callable[[DAG], Any] = gaussian_rows
) -> Iterator[Check]:
    """The checks of an algorithm, each of one promise of its entry in `ALGORITHMS`.

    Args:
        algorithm: The name of an entry, or an entry that is not in `ALGORITHMS` yet.
        graphs: DAGs to try it on, with up to about ten observed nodes each; for an algorithm that assumes causal
            sufficiency, without latent and selection nodes. By default they are graphs that are made to be difficult.
        data: Makes of a graph the frame of polars on which an algorithm that needs data is tried; by default, rows of a
            linear Gaussian model.

    Yields:
        The checks.

    Examples:
        >>> check_algorithm("rfci", [DAG.parse("a -> c, b -> c, c -> d")])
    """
    subject = _Subject.of(algorithm, graphs)
    checks = checks_from(_CHECKS, subject)
    if subject.algorithm.within_scored or not subject.algorithm.asks:
        search = DataSearch(subject.name, subject.algorithm, [truth.dag for truth in subject.graphs], data)
        of_data = WITHIN_SCORED_CHECKS if subject.algorithm.asks else GRAPH_CHECKS
        checks = chain(checks_from((_entry,), subject), checks_from(of_data, search))
    for check in checks:
        yield replace(check, run=subject.registered()(check.run))


check_algorithm = suite(checks_of_algorithm)


# -- what is checked --------------------------------------------------------------------------------------------------


class _Truth:
    """A DAG, and what is true of it, by ancestry."""

    def __init__(self, dag: DAG) -> None:
        self.dag = dag
        self.names = in_order(dag.observed)
        self.mag = mag_of(dag)
        self._answers: dict[tuple[str, str, tuple[str, ...]], float] = {}

    @cached_property
    def tails(self) -> NDArray[np.bool_]:
        """At a, b: whether a causes b or the selection, so that a tail at a on a–b is true and an arrowhead false."""
        selected = {node for name in self.dag.selection for node in self.dag.ancestors(name)}
        before = [self.dag.ancestors(b) | selected for b in self.names]
        return np.array([[a in before[j] for j in range(len(self.names))] for a in self.names], dtype=bool)

    @cached_property
    def edges(self) -> NDArray[np.bool_]:
        """At a, b: whether they are adjacent."""
        return np.asarray(self.mag.arranged(self.names) != NONE)

    def false_claims(self, stage: Stage) -> list[str]:
        """The claims of a stage that are not true."""
        marks, names = stage.oriented.marks, stage.names
        wrong = ((marks.T == TAIL) & ~self.tails) | ((marks.T == ARROW) & self.tails)
        claims = [f"the mark at {names[a]} on {names[a]}–{names[b]}" for a, b in np.argwhere(wrong)]
        missing = np.argwhere(np.triu(self.edges & (marks == NONE)))
        return claims + [f"no edge between {names[a]} and {names[b]}" for a, b in missing]

    def questions(self) -> Any:
        """The questions of an oracle."""
        return Oracle(self.dag).questions(self.names)

    def answer(self, x: str, y: str, given: tuple[str, ...]) -> float:
        """The oracle as a function of one question, which is a test of the user's own."""
        if (x, y, given) not in self._answers:
            self._answers[x, y, given] = float(is_separated(self.dag, x, y, given=given))
        return self._answers[x, y, given]

    def __str__(self) -> str:
        return str(self.dag).replace("\n", ", ")


@dataclass(frozen=True)
class _Subject:
    """An algorithm, the name under which it runs, and the graphs to try it on."""

    name: str
    algorithm: Algorithm
    graphs: tuple[_Truth, ...]

    @classmethod
    def of(cls, algorithm: Algorithm | str, graphs: Sequence[DAG] | None) -> "_Subject":
        name, entry = (algorithm, ALGORITHMS[algorithm]) if isinstance(algorithm, str) else (UNREGISTERED, algorithm)
        dags = _difficult_graphs(entry.sufficient) if graphs is None else graphs
        return cls(name, entry, tuple(map(_Truth, dags)))

    @contextmanager
    def registered(self) -> Iterator[None]:
        """Let the front door find the algorithm by its name."""
        added = self.name not in ALGORITHMS
        if added:
            ALGORITHMS[self.name] = self.algorithm
        try:
            yield
        finally:
            if added:
                del ALGORITHMS[self.name]

    @property
    def ways(self) -> list[SearchOptions]:
        """The options that the algorithm takes, each with the defaults of the others."""
        changed: list[dict[str, Any]] = [{}, {"stable": False}, {"selection_bias": False}]
        return [SearchOptions(**change) for change in changed if not set(change) & set(self.algorithm.fixed_options)]

    def stages(self, truth: _Truth, **problem: Any) -> list[AskedStage]:
        """The stages of a search of this graph."""
        out = []
        for stage in self.algorithm.run(self.problem(truth, **problem)):
            require(
                isinstance(stage, AskedStage),
                f"It yielded a {type(stage).__name__}; without questions, say asks=False.",
            )
            assert isinstance(stage, AskedStage)
            out.append(stage)
        return out

    def problem(self, truth: _Truth, **more: Any) -> Problem:
        """A search of this graph, answered by an oracle."""
        return Problem(**{"questions": truth.questions(), "names": truth.names, "columns": truth.names, **more})

    def truth_of(self, truth: _Truth) -> PAG:
        """The whole answer to a search of this graph."""
        return cpdag_of(truth.mag) if self.algorithm.sufficient else pag_of(truth.dag)


def _difficult_graphs(sufficient: bool) -> list[DAG]:
    """Small DAGs on which searches have been found to fail, or without latent nodes, random ones."""
    if sufficient:
        return [random_dag(nodes=8, degree=3, latent=0, seed=seed) for seed in range(3 * GRAPHS_OF_A_KIND)]
    out = [FORGETFUL]
    for make in TROUBLE:
        small = (dag for seed in range(1000) if len((dag := make(seed=seed)).observed) <= MOST_NODES)
        out += [dag for _, dag in zip(range(GRAPHS_OF_A_KIND), small, strict=False)]
    return out + [random_dag(nodes=MOST_NODES, degree=3, seed=seed) for seed in range(GRAPHS_OF_A_KIND)]


# -- the entry, and the form of stages --------------------------------------------------------------------------------


def _entry(subject: _Subject) -> None:
    """The entry has a title and a summary, and the options that it does not take are options of a search."""
    entry = subject.algorithm
    for what in ("title", "summary", "complete_means"):
        require(bool(getattr(entry, what)), f"{what} must be a text that is not empty, got {getattr(entry, what)!r}.")
    require(len(entry.phases) > 0, "phases must name one phase at least.")
    known = {"knowledge", *(field.name for field in fields(SearchOptions))}
    unknown = sorted(set(entry.fixed_options) - known)
    require(not unknown, f"fixed_options must be options of SearchOptions, or knowledge, got {unknown}.")
    if not entry.asks:
        missing = sorted(set(OF_QUESTIONS) - set(entry.fixed_options))
        require(not missing, f"fixed_options must have the options of questions (OF_QUESTIONS); {missing} are missing.")
        says = "independences" not in entry.complete_means
        require(says, "complete_means must say what a complete answer is; it does not rest on independences.")
    other: dict[str, Any] = {"possible_ancestors": "off", "stable": False, "verify": False, "selection_bias": False}
    other |= {"colliders": "agreed", "fdr": 0.05}
    other |= {"max_radius": 1, "knowledge": Knowledge(forbidden=[("a", "b")])}
    for option in entry.fixed_options:
        try:
            discover(Oracle(DAG.parse("a -> b")), algorithm=subject.name, **{option: other[option]})
        except OptionError:
            continue
        raise AssertionError(f"{option}={other[option]!r} was not refused, although it is in fixed_options.")


def _steps(subject: _Subject) -> None:
    """Stages go through the declared phases in order, with growing radii; the last stage, and no other, is complete."""
    phases = list(subject.algorithm.phases)
    for truth in subject.graphs:
        for options in subject.ways:
            found = subject.stages(truth, options=options)
            require(bool(found), f"It yielded no stage on {truth}.")
            for stage in found:
                require(stage.phase in phases, f"It yielded phase {str(stage.phase)!r}, which is not declared.")
                expected = (truth.names, truth.names, subject.algorithm.sufficient)
                given = (tuple(stage.names), tuple(stage.columns), stage.sufficient)
                require(given == expected, f"names, columns and sufficient must be {expected}, got {given}.")
            places = [(phases.index(stage.phase), stage.radius) for stage in found]
            require(all(a < b for a, b in pairwise(places)), f"Phases and radii do not grow: {places}, on {truth}.")
            complete = [stage.complete for stage in found]
            require(complete == [False] * (len(found) - 1) + [True], f"complete was {complete} on {truth}.")


def _tiny_graphs(subject: _Subject) -> None:
    """A search of one, two or three variables comes to an end, with the edges that there are."""
    for text in ("a", "a, b", "a -> b", "a -> b, c"):
        *_, last = subject.stages(_Truth(DAG.parse(text)))
        require(last.complete, f"It is not complete on {text!r}.")
        require(len(last.pag.edges()) == text.count("->"), f"It found {last.pag} on {text!r}.")


# -- what is claimed --------------------------------------------------------------------------------------------------


def _true_claims(subject: _Subject) -> None:
    """Every mark and every missing edge of every stage is true of the graph."""
    for truth in subject.graphs:
        for options in _fitting(subject.ways, truth):
            for stage in subject.stages(truth, options=options):
                false = truth.false_claims(stage)
                require(not false, f"False at {stage.phase} {stage.radius}: {'; '.join(false)}, on {truth}.")


def _fitting(ways: Sequence[SearchOptions], truth: _Truth) -> Iterator[SearchOptions]:
    """The options that may be used on a graph: only without selection may selection be ruled out."""
    return (options for options in ways if options.selection_bias or not truth.dag.selection)


def _early_stages(subject: _Subject) -> None:
    """An algorithm that is not anytime makes no claim but missing edges before its last stage."""
    if subject.algorithm.anytime:
        return
    for truth in subject.graphs:
        *early, _ = subject.stages(truth)
        for stage in early:
            marks = stage.oriented.marks
            require(bool(np.isin(marks, (NONE, CIRCLE)).all()), f"It oriented an edge at radius {stage.radius}.")


def _exact(subject: _Subject) -> None:
    """The last stage of an algorithm that is exact is all that can be known."""
    if not subject.algorithm.exact:
        return
    for truth in subject.graphs:
        for stable in (True, False):
            *_, last = subject.stages(truth, options=SearchOptions(stable=stable))
            whole = subject.truth_of(truth)
            require(last.pag == whole, f"The graph is {_line(last.pag)} and not {_line(whole)}, on {truth}.")


def _only_removals(subject: _Subject) -> None:
    """Stages lose edges and never gain any; each missing edge keeps the set that separates it."""
    for truth in subject.graphs[::SOME]:
        before = None
        for stage in subject.stages(truth):
            missing = np.argwhere(np.triu(stage.oriented.marks == NONE, 1)).tolist()
            for x, y in missing:
                given = stage.sepsets.find(x, y)
                require(given is not None, f"{truth.names[x]} and {truth.names[y]} have no separating set, on {truth}.")
                names = [truth.names[z] for z in given]
                separated = is_separated(truth.dag, truth.names[x], truth.names[y], given=names)
                require(separated, f"{names} does not separate {truth.names[x]} and {truth.names[y]}, on {truth}.")
            sets = {(x, y): stage.sepsets.find(x, y) for x, y in missing}
            if before is not None:
                require(before.items() <= sets.items(), f"An edge came back, or its set changed, on {truth}.")
            before = sets


# -- what is asked ----------------------------------------------------------------------------------------------------


def _counts(subject: _Subject) -> None:
    """Every question is counted, by the size of its set, once."""
    for truth in subject.graphs[::SOME]:
        asked: Counter[int] = Counter()

        def answer(x: str, y: str, given: tuple[str, ...], truth: _Truth = truth, n: Counter[int] = asked) -> float:
            n[len(given)] += 1
            return truth.answer(x, y, given)

        found = discover(answer, names=truth.names, algorithm=subject.name, progress=False)
        counted = found.tests + found.verify_tests
        require(counted == asked, f"It counted {dict(counted)} and asked {dict(asked)}, on {truth}.")
        history = sum(record.questions for record in found.history)
        require(history == found.tests.total(), f"The history has {history} questions, not {found.tests.total()}.")


def _max_radius(subject: _Subject) -> None:
    """With `max_radius` no larger set is asked about, and what is claimed is true."""
    for truth in subject.graphs[::SOME]:
        for most in (0, 1, 2):
            for stage in subject.stages(truth, options=SearchOptions(max_radius=most)):
                largest = max([*stage.tests, 0])
                require(largest <= most, f"It asked about sets of {largest} nodes with max_radius={most}, on {truth}.")
                require(not truth.false_claims(stage), f"False with max_radius={most}, on {truth}.")


def _order_of_columns(subject: _Subject) -> None:
    """The order of columns makes no difference to what is asked and found."""
    for number, truth in enumerate(subject.graphs[::SOME]):
        order = np.random.default_rng(number).permutation(len(truth.dag.nodes))
        roles = {"latent": truth.dag.latent, "selection": truth.dag.selection}
        turned = DAG([truth.dag.nodes[i] for i in order], truth.dag.marks[np.ix_(order, order)], **roles)
        one, other = (discover(Oracle(dag), algorithm=subject.name, progress=False) for dag in (truth.dag, turned))
        require(one.pag == other.pag, f"The graph changed when columns changed places, on {truth}.")
        same = (one.tests, one.verify_tests) == (other.tests, other.verify_tests)
        require(same, f"The number of questions changed when columns changed places, on {truth}.")


def _threads(subject: _Subject) -> None:
    """Several threads ask and find the same as one."""
    for truth in subject.graphs[::FEW]:
        helpers = [truth.questions() for _ in range(2)]
        together = subject.stages(truth, helpers=helpers, tuning=Tuning(min_sets_for_threads=0))
        require_same_stages(subject.stages(truth), together, f"with threads, on {truth}")


# -- knowledge --------------------------------------------------------------------------------------------------------


def _knowledge(subject: _Subject) -> None:
    """Every stage keeps to what is known, whether the data agree with it or not; if it is true, all claims are."""
    for truth in subject.graphs[::SOME]:
        if truth.dag.selection:
            continue  # what a variable does not cause would have to be free of the selection, too
        for known, is_true in _statements(truth):
            constraints = known.constraints(truth.names, not subject.algorithm.sufficient)
            for stage in subject.stages(truth, constraints=constraints):
                kept = constraints.is_kept_by(stage.oriented.marks)
                require(kept, f"The graph denies {known.as_dict()}, on {truth}.")
                false = truth.false_claims(stage) if is_true else []
                require(not false, f"False with {known.as_dict()}: {'; '.join(false)}, on {truth}.")


def _statements(truth: _Truth) -> Iterator[tuple[Knowledge, bool]]:
    """Knowledge about a graph, and whether it is true."""
    order = sorted(truth.names, key=lambda name: len(truth.dag.ancestors(name)))  # causes come before their effects
    half = len(order) // 2
    yield Knowledge(tiers=[order[:half], order[half:]]), True
    yield Knowledge(tiers=[order[half:], order[:half]]), False
    direct = [(a, b) for a, edge, b in truth.dag.edges() if edge == "-->" and {a, b} <= set(truth.names)]
    separate = [(a, b) for a, b in zip(order, order[2:], strict=False) if truth.mag.edge(a, b) is None]
    yield from ((Knowledge(required=[pair]), True) for pair in direct[:1])
    yield from ((Knowledge(causes=[pair]), True) for pair in direct[-1:])
    yield from ((Knowledge(no_edge=[pair]), False) for pair in direct[1:2])
    yield from ((Knowledge(no_edge=[pair]), True) for pair in separate[:1])
    yield from ((Knowledge(required=[pair]), False) for pair in separate[1:2])


# -- stopping and resuming --------------------------------------------------------------------------------------------


def _stops(subject: _Subject) -> None:
    """A search whose time is over ends at its next question, and the stages before stand."""
    for truth in subject.graphs[::FEW]:
        try:
            late = subject.stages(truth, watch=Watch(0.0))
        except Stopped:
            late = []
        require(not late, f"It went on although its time was over, on {truth}.")
        for asked, stage in _ends_of_stages(subject, truth):
            found = _stopped_after(asked, subject, truth)
            require(found.stopped == "time limit", f"stopped is {found.stopped!r}, on {truth}.")
            stands = (found.stage.phase, found.radius, found.pag) == (stage.phase, stage.radius, stage.pag)
            require(stands, f"Stopped after radius {stage.radius}, it returned another stage, on {truth}.")


def _resumes_from_stages(subject: _Subject) -> None:
    """A search that resumes from any of its stages ends as if it had not been stopped."""
    for truth in subject.graphs[::SOME]:
        for options in subject.ways:
            whole = subject.stages(truth, options=options)
            for number, stage in enumerate(whole[:-1]):
                again = subject.stages(truth, options=options, start=stage)
                require_same_stages(whole[number + 1 :], again, f"when resumed from stage {number}, on {truth}")


def _run_files(subject: _Subject) -> None:
    """A run file holds the whole run, and a run that is resumed from the file of any stage ends with the same file."""
    for truth in subject.graphs[::FEW]:
        with TemporaryDirectory() as folder:
            whole, part, copy = (Path(folder, name) for name in ("whole.json", "part.json", "copy.json"))
            found = discover(truth.answer, names=truth.names, algorithm=subject.name, save=whole, progress=False)
            again = load(whole)
            same = (found.pag, found.tests, found.history) == (again.pag, again.tests, again.history)
            same &= found.trace.orientations == again.trace.orientations
            require(same, f"The run file has another run, on {truth}.")
            again.save(copy)
            require(copy.read_bytes() == whole.read_bytes(), f"Saved again, the file is another one, on {truth}.")
            for asked, stage in _ends_of_stages(subject, truth):
                part.unlink(missing_ok=True)
                _stopped_after(asked, subject, truth, save=part)
                discover(truth.answer, names=truth.names, algorithm=subject.name, resume=part, progress=False)
                same = part.read_bytes() == whole.read_bytes()
                require(same, f"Resumed after radius {stage.radius}, the file is another one, on {truth}.")


def _ends_of_stages(subject: _Subject, truth: _Truth) -> list[tuple[int, Stage]]:
    """The stages after which more questions are asked, each with the number of questions up to its end."""
    found = stages(truth.answer, names=truth.names, algorithm=subject.name, progress=False)
    by_count = {stage.tests.total() + stage.verify_tests.total(): stage for stage in found}
    return sorted(by_count.items(), key=lambda item: item[0])[:-1]


def _stopped_after(asked: int, subject: _Subject, truth: _Truth, **options: Any) -> Discovery:
    """The result of a search that is stopped at the first question after `asked` others."""
    left = asked

    def answer(x: str, y: str, given: tuple[str, ...]) -> float:
        nonlocal left
        if not left:
            raise Stopped
        left -= 1
        return truth.answer(x, y, given)

    return discover(answer, names=truth.names, algorithm=subject.name, progress=False, **options)


def _line(graph: PAG) -> str:
    return str(graph).replace("\n", ", ")


_CHECKS: tuple[Callable[[_Subject], None], ...] = (
    _entry,
    _steps,
    _tiny_graphs,
    _true_claims,
    _early_stages,
    _exact,
    _only_removals,
    _counts,
    _max_radius,
    _order_of_columns,
    _threads,
    _knowledge,
    _stops,
    _resumes_from_stages,
    _run_files,
)
