"""Payloads: values that many tasks need, pickled once, and loaded once by each process that gets them."""

import pickle
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Any

__all__ = ["Payload", "load_cached", "pickled"]

#: Payloads that a process keeps loaded: the test and the last radius of two searches, or the data of a bootstrap.
MOST_CACHED = 4


@dataclass(frozen=True)
class Payload:
    """A pickled value, or the `value` itself where workers are threads of this process."""

    token: str
    content: bytes = b""
    value: Any = None


_cache: OrderedDict[str, Any] = OrderedDict()
_lock = Lock()


def load_cached(payload: Payload) -> Any:
    """The value of a payload; the last few that were loaded are kept."""
    if payload.value is not None:
        return payload.value
    with _lock:
        if payload.token not in _cache:
            _cache[payload.token] = pickle.loads(payload.content)
        _cache.move_to_end(payload.token)
        while len(_cache) > MOST_CACHED:
            _cache.popitem(last=False)
        return _cache[payload.token]


def pickled(value: Any) -> bytes:
    """Pickle a value, by cloudpickle where it is installed: that also takes functions of a script or a notebook."""
    try:
        import cloudpickle as pickler
    except ImportError:
        pickler = pickle
    return bytes(pickler.dumps(value, protocol=pickle.HIGHEST_PROTOCOL))
