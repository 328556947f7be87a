"""The process of one search or bootstrap: it calls the public function and tells its progress in lines of JSON.

The task is the first line of standard input. Interrupted (SIGINT), a search keeps its last stage. It ends when the
server does, which holds the other end of its standard input.
"""

import json
import os
import sys
import threading
import warnings
from pathlib import Path
from typing import IO, Any

from ancestral.studio.limits import limit_memory
from ancestral.studio.warming import warm_search

__all__ = ["main"]


class Lines:
    """Lines of JSON to the server, from any thread."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self._lock = threading.Lock()

    def tell(self, **values: Any) -> None:
        """Write a line."""
        with self._lock:
            print(json.dumps(values), file=self._file, flush=True)


def main() -> int:
    """Read the task, carry it out, and tell how it ended; the exit code is 0 unless this program has a fault."""
    lines = Lines(os.fdopen(os.dup(1), "w", encoding="ascii"))
    os.dup2(2, 1)  # what libraries print goes elsewhere
    try:
        warm_search()  # imports, before the folder changes, which may hold files with names of modules
        line = sys.stdin.readline()
        if not line:  # the server is gone
            return 0
        task = json.loads(line)
        _end_with_server()
        limit_memory(task["memory"])
        os.chdir(task["folder"])
        _carry_out(task, lines)
    except KeyboardInterrupt:
        lines.tell(stopped=True)
    except BaseException as error:
        from ancestral.studio.refusals import sentence_of

        lines.tell(error=sentence_of(error))
    return 0


def _end_with_server() -> None:
    """End at once when the server is gone: the last stage is saved, and files are replaced in one step."""

    def watch() -> None:
        sys.stdin.read()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _carry_out(task: dict[str, Any], lines: Lines) -> None:
    import ancestral as an
    from ancestral.studio.refusals import sentence_of

    def show(message: Warning | str, *place: object, **more: object) -> None:
        lines.tell(warning=sentence_of(message) if isinstance(message, BaseException) else str(message))

    def progress(now: Any) -> None:
        lines.tell(progress=_plain(now))

    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.showwarning = show
        if task["kind"] == "search":
            found = an.discover(task["source"], **task["keywords"], progress=progress)
            copy = Path(task["copy"])
            if found.settings.knowledge != (an.Knowledge.read(copy) if copy.exists() else None):
                Path(task["keywords"]["save"]).unlink(missing_ok=True)
                raise an.RunError("the knowledge was changed while the search began; search again")
        else:
            boot = an.bootstrap(task["source"], **task["keywords"], progress=progress)
            if boot.repeats == 0:
                raise an.RunError("the bootstrap was stopped before a resample was searched; nothing was kept")
            boot.save(task["save"])
    lines.tell(end=True)


def _plain(now: Any) -> dict[str, Any]:
    """The progress of a search, or of a bootstrap, as plain values."""
    if hasattr(now, "repeats"):
        label, total = "resamples", now.repeats
    else:
        label, total = str(now.label) or f"radius {now.radius}", now.edges
    return {"label": label, "done": now.done, "total": total, "elapsed": now.elapsed, "remaining": now.remaining}


if __name__ == "__main__":
    os._exit(main())  # at once: everything is written, and the server waits for this
