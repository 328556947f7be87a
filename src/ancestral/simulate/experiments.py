"""Experiments: a control sample and samples in which something is done, all from one system, and their joint DAG.

In the joint DAG each sample but the control has a context node with the name of the sample: 1 in the rows of that
sample, 0 in all others. It causes the nodes that are acted on in it. A row belongs to one sample, so contexts depend on
each other; a latent common cause of all of them stands for the design. This is joint causal inference (Mooij,
Magliacane & Claassen 2020), with a context for each sample.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ancestral.arguments import names_list, number_between, real, whole_number
from ancestral.errors import Option, OptionError, named_with_suggestions
from ancestral.graphs import DAG
from ancestral.graphs.names import by_name
from ancestral.printing import counted, listed, shown
from ancestral.simulate.interventions import RANDOM, acted_on, levels_at
from ancestral.simulate.mechanisms import weights
from ancestral.simulate.sampling import Seed, System, check
from ancestral.simulate.systems import system_of

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Experiment", "experiment"]

#: The name of the sample in which nothing is done.
CONTROL = "control"

#: The largest number of samples besides the control: each is a node of the joint DAG.
MOST_SAMPLES = 1000

#: What is done in a sample: the options `do` and `shift` of `intervene`, each a mapping from nodes to values.
Done = dict[str, Any]


@dataclass(frozen=True, eq=False, repr=False)
class Experiment:
    """Samples of one system, what was done in each, and the joint DAG of the system and the contexts; print it.

    Made by `experiment`.

    Attributes:
        samples: The frames by name; the first one is "control", in which nothing is done.
        targets: The nodes acted on, for each sample of which they are known and all observed.
        done: For each sample, the options `do` and `shift` of `intervene`.
        dag: It has a context node for each sample but the control, with an edge to each node that is acted on in it.

    Examples:
        >>> done = experiment(DAG.parse("x -> y"), {"drug": {"do": {"x": 0.0}}}, rows=50, seed=1)
        >>> list(done.samples), done.samples["drug"]["x"].unique().to_list(), done.targets
        (['control', 'drug'], [0.0], {'drug': ['x']})
    """

    samples: "dict[str, pl.DataFrame]"
    targets: dict[str, list[str]]
    done: dict[str, Done]
    dag: DAG

    def __str__(self) -> str:
        return "\n".join(f"{name}: {self._in_words(name)}" for name in self.samples)

    def __repr__(self) -> str:
        rows = sum(frame.height for frame in self.samples.values())
        return f"<Experiment: {counted(len(self.samples), 'sample')}, {counted(rows, 'row')}>"

    def _in_words(self, name: str) -> str:
        do, shift = self.done[name].get("do", {}), self.done[name].get("shift", {})
        acts = [
            f"{node} drawn at random" if isinstance(value, str) and value == RANDOM else f"{node} set to {value}"
            for node, value in do.items()
        ]
        acts += [f"{node} shifted by {by}" for node, by in shift.items()]
        known = "" if not acts or name in self.targets else "; targets not given"
        rows = counted(self.samples[name].height, "row")
        return f"{rows}, {listed(acts, spell=str) if acts else 'nothing done'}{known}"


def experiment(
    dag: DAG,
    samples: int | Mapping[str, Mapping[str, Mapping[str, Any]]] = 3,
    rows: int = 500,
    *,
    system: str = "gaussian",
    seed: Seed,
    unknown: Iterable[str] = (),
    latent_targets: float = 0.0,
    levels: int | Mapping[str, int] | None = None,
    discrete: float | Iterable[str] | None = None,
    keep: float | None = None,
) -> Experiment:
    """Draw a control sample, and samples of the same system in which something is done.

    Args:
        dag: The DAG of the system.
        samples: The number of samples besides the control, which are called e1, e2, …, or a mapping from their names to
            what is done in them, by the options of `intervene`: `{"drug": {"do": {"x": 0.0}, "shift": {"y": 1.5}}}`.
            For a number, one or two random nodes of each sample are set or shifted.
        rows: The number of rows of each sample.
        system: As in `intervene`.
        seed: As in `intervene`. The samples are those of `intervene` with the same seed and the numbers 0, 1, 2, …, so
            they are independent of each other.
        unknown: The samples that are left out of `targets`. Samples that act on a latent node always are.
        latent_targets: The probability that a random node is a latent one, if there are any.
        levels: As in `intervene`.
        discrete: As in `intervene`.
        keep: As in `intervene`.

    Returns:
        The samples; print them for a summary.

    Raises:
        OptionError: If an option is not of this form, or hardly any row is kept.

    Examples:
        >>> dag = DAG.parse("L -> x, L -> y, x -> y", latent=["L"])
        >>> done = experiment(dag, {"drug": {"do": {"x": 0.0}}, "mood": {"shift": {"L": 1.5}}}, rows=100, seed=1)
        >>> print(done)
        control: 100 rows, nothing done
        drug: 100 rows, x set to 0.0
        mood: 100 rows, L shifted by 1.5; targets not given
        >>> done.targets
        {'drug': ['x']}
        >>> print(done.dag)
        L --> x
        L --> y
        design --> drug
        design --> mood
        drug --> x
        mood --> L
        x --> y
        latent: L, design
    """
    check(dag, rows)
    share = number_between("latent_targets", latent_targets, 0, 1, with_low=True, with_high=True)
    undisturbed = system_of(dag, system, seed=seed, levels=levels, discrete=discrete, keep=keep)
    if isinstance(samples, Mapping):
        if share:
            raise OptionError(
                "is for random samples", option="latent_targets", way_out="leave it out, or pass a number of samples"
            )
        named = _checked(dag, samples)
    else:
        named = _random(undisturbed, whole_number("samples", samples, 1, MOST_SAMPLES), share)
    left_out = _chosen(unknown, named)
    acted = {CONTROL: undisturbed, **{name: _acted_on(undisturbed, name, done) for name, done in named.items()}}
    targets = {name: [node for nodes in done.values() for node in nodes] for name, done in named.items()}
    return Experiment(
        {name: one.draw(rows, number) for number, (name, one) in enumerate(acted.items())},
        {name: on for name, on in targets.items() if name not in left_out and not dag.latent.intersection(on)},
        {CONTROL: {}, **named},
        _joint_dag(dag, targets),
    )


def _checked(dag: DAG, samples: Mapping[Any, Any]) -> dict[str, Done]:
    """What is done in each sample; the nodes and values are checked by `acted_on`."""
    example: list[str | Option] = ["for example ", Option("samples", {"drug": {"do": {dag.observed[0]: 0.0}}})]
    out: dict[str, Done] = {}
    for name, done in samples.items():
        if not isinstance(name, str) or not name:
            raise OptionError(f"must have names that are strings, got {shown(name)}", option="samples", way_out=example)
        if name == CONTROL or name in dag.nodes:
            holder = "a node" if name in dag.nodes else "the sample in which nothing is done"
            raise OptionError(
                f"must not be called {name!r}, the name of {holder}", option="samples", way_out="rename it"
            )
        if not isinstance(done, Mapping) or not set(done) <= {"do", "shift"}:
            raise OptionError(
                f"must say what is done by 'do' and 'shift', got {shown(done)} for {name!r}",
                option="samples",
                way_out=example,
            )
        if not all(isinstance(nodes, Mapping) for nodes in done.values()):
            raise OptionError(
                f"must map nodes to values in 'do' and 'shift', got {shown(done)} for {name!r}",
                option="samples",
                way_out=example,
            )
        if idle := [node for node, by in done.get("shift", {}).items() if real(by) == 0]:
            raise OptionError(
                f"must change what it names, got a shift by 0 of {shown(idle[0])} for {name!r}",
                option="samples",
                way_out="leave it out",
            )
        out[name] = {how: dict(nodes) for how, nodes in done.items()}
    return out


def _acted_on(system: System, name: str, done: Done) -> System:
    """The system as it is in one sample; errors name the sample."""
    try:
        return acted_on(system, done.get("do"), done.get("shift"))
    except OptionError as error:
        raise OptionError([f"cannot be used for {name!r}: ", *error.args], option="samples") from None


def _random(system: System, count: int, latent_share: float) -> dict[str, Done]:
    """Samples with one or two random nodes each, which are set or shifted.

    None is drawn at random: of a node without causes, the rows could not show it.
    """
    # the model has the key (0,) and the samples have (1,), (2,), …, so this stream is neither's
    rng = np.random.default_rng(np.random.SeedSequence(system.noise.entropy, spawn_key=(0, 0)))
    out = {}
    for name in _free_names(system.dag, count):
        done: Done = {}
        for node in _nodes(system.dag, 1 + int(rng.integers(2)), latent_share, rng):
            size, levels = round(float(weights(rng, 1)[0]), 2), levels_at(system, node)
            if rng.random() < 0.5:
                done.setdefault("shift", {})[node] = size
            else:
                done.setdefault("do", {})[node] = levels[int(rng.integers(len(levels)))] if levels else size
        out[name] = done
    return out


def _nodes(dag: DAG, count: int, latent_share: float, rng: np.random.Generator) -> list[str]:
    """So many different random nodes, fewer if the DAG has fewer; each is latent with the given probability."""
    # in an order that does not depend on how the DAG was written
    observed, latent = sorted(dag.observed, key=by_name), sorted(dag.latent, key=by_name)
    out = []
    for _ in range(min(count, len(observed))):
        pool = latent if latent and rng.random() < latent_share else observed
        out.append(pool.pop(int(rng.integers(len(pool)))))
    return out


def _free_names(dag: DAG, count: int) -> list[str]:
    """The names e1, e2, …, with underscores after the e if nodes of the DAG are called so."""
    prefix = "e"
    while any(f"{prefix}{i + 1}" in dag.nodes for i in range(count)):
        prefix += "_"
    return [f"{prefix}{i + 1}" for i in range(count)]


def _chosen(unknown: object, named: Mapping[str, Done]) -> set[str]:
    """The samples whose targets are left out."""
    out = names_list("unknown", unknown)
    if missing := [name for name in out if name not in named]:
        raise OptionError(
            f"must name samples in which something is done, not {named_with_suggestions(missing, list(named))}",
            option="unknown",
            way_out=f"there are: {listed(named)}",
        )
    return set(out)


def _joint_dag(dag: DAG, targets: Mapping[str, list[str]]) -> DAG:
    """The DAG with a context node for each sample, and a latent common cause of all contexts if there are several."""
    design = "design"
    while design in dag.nodes or design in targets:
        design += "_"
    contexts = [(design, "-->", name) for name in targets] if len(targets) > 1 else []
    acts = [(name, "-->", node) for name, nodes in targets.items() for node in nodes]
    return DAG.from_edges(
        [*dag.edges(), *acts, *contexts],
        nodes=[*dag.nodes, *targets],
        latent=[*dag.latent, *({design} if contexts else ())],
        selection=dag.selection,
    )
