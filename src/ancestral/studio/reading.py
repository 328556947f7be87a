"""Answers that are loaded again and again, each kept until its file changes; what a list of answers shows of each."""

import os
from functools import lru_cache
from pathlib import Path
from typing import Any

import ancestral as an

__all__ = ["bootstrap_of", "found_in", "found_with_data", "overview", "stages_of"]

#: Answers that a process keeps in memory.
MOST_KEPT = 8

#: Why a search ended before it was complete, in sentences.
_STOPPED = {
    "max_radius": "The search ended at the largest radius that was asked for.",
    "time limit": "The search was stopped by the time limit.",
    "interrupt": "The search was stopped.",
    "executor": "The search was stopped because its executor was gone.",
}


def found_in(place: str) -> "an.Discovery":
    """The run of an answer, whose folder this is."""
    path = os.path.join(place, "run.json")
    return _loaded(path, _stamp(path))


def found_with_data(place: str, source: str) -> "an.Discovery":
    """The run of an answer together with its data."""
    path = os.path.join(place, "run.json")
    return _loaded_with_data(path, _stamp(path), source, _stamp(source))


def bootstrap_of(place: str) -> "an.Bootstrap | None":
    """The bootstrap of an answer, if there is one."""
    path = Path(place) / "bootstrap.json"
    return _loaded_bootstrap(str(path), _stamp(str(path))) if path.exists() else None


def stages_of(found: "an.Discovery") -> list[dict[str, Any]]:
    """The name and the number of edges of each stage."""
    phases = {record.phase for record in found.history}
    return [{"name": _stage_name(record, len(phases) > 1), "edges": record.edges} for record in found.history]


def overview(place: str) -> dict[str, Any]:
    """What a list of answers shows of one."""
    found = found_in(place)
    chosen, settings = found.settings.chosen, found.settings
    level = f", alpha {settings.alpha:g}" if chosen.asks and settings.alpha is not None else ""
    return {
        "title": f"{chosen.title}{level}",
        "edges": len(found.pag.edges()),
        "variables": list(found.pag.nodes),
        "complete": found.complete,
        "stopped": None
        if found.stopped is None
        else _STOPPED.get(found.stopped, f"The search was stopped: {found.stopped}."),
        "resumable": not found.complete and (found.stopped != "max_radius" or bool(chosen.resumable_beyond_max_radius)),
        "stages": stages_of(found),
    }


def _stage_name(record: Any, several: bool) -> str:
    if record.radius is None:
        return str(record.phase)
    name = f"radius {record.radius}"
    return f"{record.phase}, {name}" if several else name


def _stamp(path: str) -> tuple[int, int, int]:
    status = os.stat(path)
    return status.st_mtime_ns, status.st_size, status.st_ino


@lru_cache(MOST_KEPT)
def _loaded(path: str, stamp: object) -> "an.Discovery":
    return an.load(path)


@lru_cache(2)
def _loaded_with_data(path: str, stamp: object, source: str, of_data: object) -> "an.Discovery":
    from ancestral.discovery import load_with_data

    return load_with_data(path, source)


@lru_cache(MOST_KEPT)
def _loaded_bootstrap(path: str, stamp: object) -> "an.Bootstrap":
    return an.load_bootstrap(path)
