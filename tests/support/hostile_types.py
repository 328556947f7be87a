"""Wrong types for every public parameter: each call must work, or end in an `AncestralError` that says what is wrong.

`called_wrongly()` calls the public functions and methods by their signatures, with one value of a wrong type at a time
and everything else right, and lists the calls that end in another exception, and those that end in an `OptionError`
which does not begin with the name of its option. By hand, for everything that is public:

    python -m tests.support.hostile_types [name …]
"""

import collections
import inspect
import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from causallearn.utils.PCUtils.BackgroundKnowledge import BackgroundKnowledge

import ancestral as an
from ancestral.graphs.window import Window
from ancestral.io.interop.texts import FORMATS

#: Values of different types: each is wrong for most parameters.
WRONG: tuple[Any, ...] = (3, True, 0.5, "nonsense", ["icd"], {"a": 1}, object(), None, b"x", float("nan"))

#: Classes whose constructors are not called by users.
RESULTS = "AdjustmentSet Bootstrap Certainty Check ClaimEvidence Claims Combined Comparison Consistency Counts "
RESULTS += "Description Discovery Effect EffectBounds Fit Identification Interventional Legality Moments "
RESULTS += "PossibleEffects Progress "
RESULTS += "Reliability RepeatsProgress ResampledEffect Sensitivity SeriesBootstrap SeriesDiscovery Suggestion "
RESULTS += "SummaryGraph Sweep Table"


def _drained(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, with the iterator that it returns used up: what it yields is part of the call."""

    def call(**arguments: Any) -> Any:
        return list(function(**arguments))

    call.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    return call


def _targets() -> Iterator[tuple[str, Callable[..., Any], dict[str, Any]]]:
    """Every public function and method: its name, how it is called, and right values of its required parameters."""
    dag = an.DAG.parse("a -> c, b -> c, c -> d")
    mag = an.mag_of(dag)
    pag = an.pag_of(dag)
    frame = an.simulate.linear_gaussian(dag, rows=60, seed=1)
    levels = an.simulate.discrete(dag, rows=200, seed=1)
    found = an.discover(frame, progress=False)
    labelled = an.discover(levels, progress=False)
    weighed = an.discover(frame, algorithm="scored", progress=False)
    boot = an.bootstrap(frame, repeats=3, progress=False, effects=[("a", "d")])
    swept = an.sweep(frame, alphas=[0.01, 0.05], progress=False)
    processes = an.SeriesDAG.parse("a -1-> a, a -1-> b, b -1-> b")
    steps = an.simulate.linear_series(processes, rows=80, seed=1)
    lagged = an.discover_series(steps, lags=2, progress=False)
    lagged.save("series.json")
    Path("processes.txt").write_text("own past: a", encoding="utf-8")
    run, kept, known = "run.json", "boot.json", "known.txt"
    Path(known).write_text("a < b", encoding="utf-8")
    Path("m.cov").write_text("40\na b\n1\n0.5 1\n", encoding="utf-8")
    found.save(run)
    boot.save(kept)
    tables = [frame[:30].select("a", "b"), frame[30:].select("b", "d")]
    marks = pag.marks
    network = an.to_networkx(pag)
    matrix, names = an.to_pcalg(pag)
    knowledge = an.Knowledge(tiers=[["a", "b"], ["c"]])
    right: dict[str, Any] = {
        "source": frame, "X": frame, "nodes": pag.nodes, "marks": marks, "name": "a", "a": "a", "b": "b", "x": "a",
        "y": "d", "pattern": "*->", "given": ["b"], "pag": pag, "dag": dag, "mag": mag, "graph": pag, "one": dag,
        "other": dag, "estimate": pag, "truth": pag, "variables": ["a", "b"], "names": ["a", "b"], "seed": 1,
        "rows": 40, "matrix": np.eye(2), "amat": matrix, "g": network, "n": 2, "radius": 1, "root": "a", "least": 6,
    }  # fmt: skip
    special: dict[str, dict[str, Any]] = {
        "DAG": {"nodes": dag.nodes, "marks": dag.marks},
        "MAG": {"nodes": mag.nodes, "marks": mag.marks},
        "CPDAG": {"nodes": dag.nodes, "marks": dag.marks},
        "load": {"path": run},
        "load_bootstrap": {"path": kept},
        "load_series": {"path": "series.json"},
        "discover_series": {"source": steps},
        "SeriesDAG": {"processes": ["a", "b"]},
        "SeriesDAG.parse": {"text": "a -1-> b"},
        **{f"SeriesDAG.{method}": {"lags": 2} for method in ("window", "mag")},
        "SeriesKnowledge.parse": {"text": "own past: a"},
        "SeriesKnowledge.read": {"path": "processes.txt"},
        "SeriesKnowledge.of": {"source": "processes.txt"},
        "SeriesKnowledge.window": {"window": Window(("a", "b"), 1)},
        "SeriesDiscovery.save": {"path": "series.json"},
        "SeriesDiscovery.effect": {"x": "a[t-1]", "y": "b"},
        "SeriesDiscovery.adjustment_set": {"x": "a[t-1]", "y": "b"},
        **{f"simulate.{kind}_series": {"dag": processes, "seed": 1} for kind in ("linear", "nonlinear")},
        "simulate.series_model": {"dag": processes, "seed": 1},
        "simulate.random_series_dag": {"processes": 4, "seed": 1},
        "from_pcalg": {"amat": matrix, "names": names},
        "from_causal_learn": {"g": an.to_causal_learn(pag)},
        "from_pywhy_graphs": {"g": network},
        "Oracle": {"graph": dag},
        "combine": {"tables": tables},
        "equivalent_mags": {"graph": dag},
        "pag_of": {"graph": dag},
        "most_tests": {"variables": 3, "radius": 1},
        "pds_tree": {"pag": pag, "root": "a", "other": "d", "radius": 1},
        "Knowledge.constraints": {"names": ["a", "b", "c"]},
        "Knowledge.assumes": {"assumption": "exogenous"},
        "Knowledge.is_context": {"name": "a"},
        "Knowledge.targets_of": {"name": "a"},
        "Knowledge.parse": {"text": "a < b"},
        "Knowledge.from_causal_learn": {"background": BackgroundKnowledge()},
        "Knowledge.read": {"path": known},
        "Knowledge.of": {"source": known},
        "Moments.read": {"path": "m.cov"},
        "Discovery.save": {"path": "found.json"},
        "Discovery.effect": {"x": "c", "y": "d"},
        "Discovery.interventional": {"x": "c", "y": "d"},
        "Discovery.sensitivity": {"x": "c", "y": "d"},
        "EffectBounds.bound": {"cause": "0", "outcome": "0"},
        "Sensitivity.effect_beside": {"of_x": 0.1, "of_y": 0.1},
        "effect_bounds": {"counts": an.Counts.of(levels)},
        "possible_effects": {"moments": an.Moments.of(frame)},
        "Certainty.mark": {"a": "a", "b": "c"},
        "Counts.of": {"source": levels},
        "Sweep.at": {"alpha": 0.01},
        "simulate.random_dag": {"nodes": 4, "seed": 1},
        "bootstrap": {"source": frame, "repeats": 2},
        **{f"{kind}.parse": {"text": "a -> b"} for kind in ("DAG", "MAG", "CPDAG")},
        **{f"{kind}.edge_text": {"a": "a", "b": "c"} for kind in ("DAG", "MAG", "CPDAG", "PAG")},
        **{f"{kind}.path_text": {"nodes": ["a", "c", "d"]} for kind in ("DAG", "MAG", "CPDAG", "PAG")},
        **{f"{kind}.from_edges": {"edges": [("a", "-->", "b")]} for kind in ("DAG", "MAG", "CPDAG", "PAG")},
        "PAG.parse": {"text": "a o-> b"},
    }
    for form in ("pcalg_csv" if form == "pcalg" else form.replace("-", "_") for form in FORMATS if form != "text"):
        special[f"from_{form}"] = {"text": getattr(an, f"to_{form}")(pag)}
    instances: dict[str, Any] = {
        "DAG": dag,
        "MAG": mag,
        "PAG": pag,
        "CPDAG": an.CPDAG.parse("a --> c, b --> c, c --> d"),
        "AdjustmentSet": an.adjustment_set(dag, "a", "d"),
        "Bootstrap": boot,
        "Certainty": weighed.certainty(2),
        "Comparison": an.compare(pag, pag),
        "Counts": an.Counts.of(levels),
        "Description": an.describe(frame),
        "Combined": an.combine(tables),
        "Discoverer": an.Discoverer(),
        "Discovery": found,
        "Discovery.effect_bounds": labelled,
        "Discovery.interventional": labelled,
        "Identification": found.identify("a", "d"),
        "Interventional": labelled.interventional("d", "a"),
        **{f"Discovery.{method}": weighed for method in ("at_evidence", "claims", "claims_frame")},
        "EffectBounds": labelled.effect_bounds("a", "d"),
        "PossibleEffects": found.possible_effects("a", "d"),
        "Sensitivity": found.sensitivity("c", "d"),
        "Fit": weighed.fit,
        "Check": weighed.check,
        "Effect": found.effect("c", "d") if found.adjustment_set("c", "d").exists else None,
        "Knowledge": knowledge,
        "Moments": an.Moments.of(frame),
        "Oracle": an.Oracle(dag),
        "ResampledEffect": boot.effect("a", "d"),
        "SeriesBootstrap": lagged.bootstrap(3, progress=False),
        "SeriesDAG": processes,
        "SeriesDiscovery": lagged,
        "SeriesKnowledge": an.SeriesKnowledge(own_past=["a"]),
        "SummaryGraph": lagged.summary,
        "Suggestion": swept.best(),
        "Sweep": swept,
        "Table": an.Table.of(frame),
    }
    iterators = ("stages", "equivalent_mags")
    inner = (
        "Oracle.checked_names",
        "Oracle.column_blocks",
        "Oracle.effect_moments",
        "Oracle.evidence",
        "Oracle.level_table",
        "Oracle.p_values",
        "Oracle.questions",
        "Oracle.readings",
        "Oracle.resampler",
        "Oracle.with_alpha",
        "Counts.of_codes",
        "Counts.arranged",
        "Counts.with_order",
        "Moments.arranged",
        "Moments.designed_blocks",
        "SeriesBootstrap.effect",
        "SummaryGraph.of",
        "Table.keep",
    )

    def target(label: str, function: Callable[..., Any]) -> tuple[str, Callable[..., Any], dict[str, Any]]:
        parameters = inspect.signature(function).parameters.values()
        given = special.get(label, {})
        base = {p.name: right[p.name] for p in parameters if p.default is p.empty and p.name in right}
        for p in parameters:
            if p.name == "path" and p.default is p.empty:
                base["path"] = "out.html" if label.endswith("report") else "out.json"
        return label, _drained(function) if label in iterators else function, {**base, **given}

    for label in dir(an):
        thing = getattr(an, label)
        if inspect.isclass(thing) and issubclass(thing, Exception):
            continue
        if inspect.isclass(thing):
            if label not in RESULTS.split():
                yield target(label, thing)
            for method in dir(thing):
                if method.startswith("_") or f"{label}.{method}" in inner or method.endswith(("_params", "_routing")):
                    continue
                subject = instances.get(f"{label}.{method}", instances.get(label))
                static = inspect.getattr_static(thing, method)
                if isinstance(static, classmethod):
                    yield target(f"{label}.{method}", getattr(thing, method))
                elif inspect.isfunction(static) and subject is not None:
                    yield target(f"{label}.{method}", getattr(subject, method))
        elif callable(thing):
            yield target(label, thing)
    for label in an.simulate.__all__:
        thing = getattr(an.simulate, label)
        if inspect.isfunction(thing):
            yield target(f"simulate.{label}", thing)


@dataclass
class WrongCalls:
    """The number of calls, those that end in a raw exception, and those whose error names no option, in words."""

    count: int = 0
    raw: list[str] = field(default_factory=list)
    unnamed: list[str] = field(default_factory=list)


def called_wrongly(wanted: Iterable[str] | None = None) -> WrongCalls:
    """Call everything that is public with wrong types; `wanted` chooses by name, or by the part before the dot."""
    chosen = None if wanted is None else set(wanted)
    calls = WrongCalls()
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        os.chdir(folder)
        try:
            for label, function, right in _targets():
                if chosen is not None and label not in chosen and label.split(".")[0] not in chosen:
                    continue
                function(**right)  # with right values it works
                for parameter in inspect.signature(function).parameters.values():
                    if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
                        continue
                    for value in WRONG:
                        calls.count += 1
                        call = f"{label}({parameter.name}={value!r})"
                        try:
                            function(**{**right, parameter.name: value})
                        except an.OptionError as error:
                            if error.option is None or not str(error).startswith(error.option):
                                calls.unnamed.append(f"{call}: {_first_line(error)}")
                        except an.AncestralError:
                            continue
                        except Exception as error:
                            calls.raw.append(f"{call}: {type(error).__name__}: {_first_line(error)}")
        finally:
            os.chdir(here)
    return calls


def _first_line(error: Exception) -> str:
    return str(error).split("\n")[0][:90]


def main() -> None:
    """Print the calls that end in a raw exception or name no option, and how many there are of each function."""
    calls = called_wrongly(sys.argv[1:] or None)
    for failures, what in ((calls.raw, "end in a raw exception"), (calls.unnamed, "name no option")):
        print("\n".join(failures))
        for label, count in collections.Counter(failure.split("(")[0] for failure in failures).most_common():
            print(f"{count:6} {label}", file=sys.stderr)
        print(f"{len(failures)} of {calls.count} calls {what}", file=sys.stderr)


if __name__ == "__main__":
    main()
