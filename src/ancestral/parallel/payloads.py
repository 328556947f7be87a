"""Parcels: what workers somewhere else get once, and the exceptions that they send home.

A worker opens a payload once and keeps the last few on a shelf for what it is asked next. An exception of what it does,
such as one of the user's own function, is brought home as a value. So whatever a future raises by itself is trouble
with workers, not with their work.
"""

import pickle
import traceback
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Any

from ancestral.errors import AncestralError, RunError
from ancestral.parallel.clock import Stopped
from ancestral.version import VERSION

__all__ = ["Payload", "TaskError", "check_version", "load_cached", "pickled"]

#: How many payloads a process keeps: the test and the last radius of two searches, or the data of a bootstrap.
KEPT = 4


@dataclass(frozen=True)
class Payload:
    """Something that many tasks need: pickled, or `thing` itself where workers are threads of this process."""

    token: str
    content: bytes = b""
    thing: Any = None


class _Shelf:
    """The payloads that this process load_cached last."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[str, Any] = OrderedDict()

    def open(self, payload: Payload) -> Any:
        """What is in the payload."""
        if payload.thing is not None:
            return payload.thing
        with self._lock:
            if payload.token not in self._kept:
                self._kept[payload.token] = pickle.loads(payload.content)
            self._kept.move_to_end(payload.token)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return self._kept[payload.token]


_SHELF = _Shelf()


def load_cached(payload: Payload) -> Any:
    """What is in the payload."""
    return _SHELF.open(payload)


def pickled(thing: Any) -> bytes:
    """Pickled: by cloudpickle where it is installed, which also takes functions of a script or a notebook."""
    try:
        import cloudpickle as pickler
    except ImportError:
        pickler = pickle
    return bytes(pickler.dumps(thing, protocol=pickle.HIGHEST_PROTOCOL))


@dataclass(frozen=True)
class TaskError:
    """An exception that the work led to."""

    error: Exception

    @classmethod
    def by(cls, error: Exception) -> "TaskError":
        """What a worker sends home when this was raised."""
        return cls(_portable(error))


def check_version(home: str) -> None:
    """Raise unless the worker has the version that sent it its work."""
    if home != VERSION:
        raise RunError(
            f"a worker has ancestral {VERSION}, this is ancestral {home}; install the same version everywhere"
        )


def _portable(error: Exception) -> Exception:
    """The exception, with a note of where it happened unless it explains itself; its text where it cannot travel."""
    if isinstance(error, (AncestralError, Stopped)):
        return error
    where = "".join(traceback.format_exception(error))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        error = RuntimeError(f"{type(error).__name__}: {error}")
    error.add_note(f"A worker asked:\n{where}")
    return error
