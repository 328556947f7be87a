"""A project: the folder with the data, what is known, the options and the answers, and the steps that can be undone.

Everything is kept in files that are replaced in one step, so a project is never half written. A running studio holds a
lock on its folder.
"""

import contextlib
import errno
import json
import os
import shutil
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from ancestral.data.read.file_lists import is_readable
from ancestral.errors import OptionError
from ancestral.io.files import write_atomically
from ancestral.studio.choices import DEFAULTS, checked_options
from ancestral.studio.knowledge_form import EMPTY, checked_form, faults_of, form_of_file, states_something, toml_of
from ancestral.studio.names import checked_id, inside
from ancestral.studio.refusals import Refused

try:
    import fcntl
except ImportError:  # on Windows, where a folder is not locked
    fcntl = None  # type: ignore[assignment]

__all__ = ["KEPT", "KNOWLEDGE", "MADE", "Project"]

KNOWLEDGE, PROJECT, ANSWERS, LOCK = "knowledge.toml", "project.json", "answers", ".studio-lock"

#: Files of an answer that can be saved: those that are there, and those that are made on request.
KEPT, MADE = ("run.json", KNOWLEDGE, "bootstrap.json"), ("report.html", "graph.svg", "pairs.csv")
#: Steps that can be undone.
MOST_STEPS = 100
#: Answers that a project may have, and bytes of a file that is read as a part of it.
MOST_ANSWERS, MOST_BYTES = 999_999, 100_000_000
#: Files that are offered to be chosen.
MOST_FILES = 1000


class Project:
    """A project in a folder, which is made if it is not there.

    `version` grows with every change. Raises `OptionError` if another studio has the folder open, or if it cannot be
    used.
    """

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.folder = folder.resolve(strict=True)
            inside(self.folder, ANSWERS).mkdir(exist_ok=True)
            self._lock = _locked(inside(self.folder, LOCK))
        except OSError as error:
            raise OptionError(
                f"the project folder {str(folder)!r} cannot be used ({error.strerror}); choose another one: --project"
            ) from None
        except Refused as error:
            raise OptionError(error.sentence) from None
        self.version = 1
        try:
            kept = self._read()
        except Refused as refused:
            self.close()
            raise OptionError(refused.sentence) from None
        self.data: str | None = kept.get("data") if isinstance(kept.get("data"), str) else None
        self.options = _options(kept.get("options"))
        self.current: str | None = kept.get("current")
        self.last = kept["last"] if isinstance(kept.get("last"), int) and 0 <= kept["last"] < MOST_ANSWERS else 0
        self.done, self.undone = (_steps(kept.get(name)) for name in ("done", "undone"))
        self._remove_unfinished()
        if self.current not in self.answers():
            self.current = self.answers()[-1] if self.answers() else None

    def close(self) -> None:
        """Let another studio open the folder."""
        self._lock.close()

    # -- data and knowledge ----------------------------------------------------------------------------------------

    def files(self) -> list[str]:
        """The data files in the folder that could be chosen."""
        out = []
        with os.scandir(self.folder) as entries:
            for entry in entries:
                if not entry.name.startswith(".") and is_readable(Path(entry.name)):
                    with contextlib.suppress(OSError, Refused):
                        if inside(self.folder, entry.name).is_file():
                            out.append(entry.name)
        return sorted(out)[:MOST_FILES]

    @property
    def data_path(self) -> Path | None:
        """The chosen file; None if none is chosen, or it is gone."""
        if self.data is None:
            return None
        with contextlib.suppress(OSError, Refused):
            path = inside(self.folder, self.data)
            return path if path.is_file() else None
        return None

    @property
    def knowledge(self) -> dict[str, Any]:
        """What is known, as the page edits it."""
        return self._known()[0]

    def _known(self) -> tuple[dict[str, Any], str | None]:
        """The knowledge, and what is wrong with its file."""
        return _form_in(self.folder)

    def knowledge_faults(self, variables: list[str] | None) -> list[str]:
        """What is wrong with the knowledge, in sentences."""
        form, fault = self._known()
        return [fault] if fault is not None else faults_of(form, variables)

    @property
    def knowledge_name(self) -> str | None:
        """The name of the knowledge file, if it says anything."""
        return KNOWLEDGE if states_something(self.knowledge) else None

    # -- changes ---------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def step(self, sentence: str) -> Iterator[None]:
        """A change that can be undone, as the sentence says; it is written when the block ends."""
        before = self._now(sentence)
        yield
        if self._now(sentence) != before:
            self.done = [*self.done, before][-MOST_STEPS:]
            self.undone = []
            self.write()

    def undo(self) -> None:
        """Go back by a step."""
        self._move(self.done, self.undone, "undo")

    def redo(self) -> None:
        """Take back the last undo."""
        self._move(self.undone, self.done, "do again")

    def _move(self, out: list[dict[str, Any]], into: list[dict[str, Any]], what: str) -> None:
        if not out:
            raise Refused(f"there is nothing to {what}")
        step = out.pop()
        into.append(self._now(step["sentence"]))
        self.data, self.options = step["data"], step["options"]
        self.set_knowledge(step["knowledge"])
        self.current = step["current"] if step["current"] in self.answers() else self.current
        self.write()

    def _now(self, sentence: str) -> dict[str, Any]:
        return {
            "sentence": sentence,
            "data": self.data,
            "options": dict(self.options),
            "knowledge": self.knowledge,
            "current": self.current,
        }

    def set_knowledge(self, form: dict[str, Any]) -> None:
        """Write the knowledge file, or remove it if nothing is stated."""
        path, text = inside(self.folder, KNOWLEDGE), toml_of(form)
        if text is None:
            path.unlink(missing_ok=True)
        else:
            write_atomically(path, text.encode())

    def write(self) -> None:
        """Write the project file; the version grows."""
        kept = {name: getattr(self, name) for name in ("data", "options", "current", "last", "done", "undone")}
        write_atomically(inside(self.folder, PROJECT), json.dumps(kept, ensure_ascii=False, indent=1).encode())
        self.version += 1

    def _read(self) -> dict[str, Any]:
        path = inside(self.folder, PROJECT)
        if not path.exists():
            return {}
        try:
            kept = json.loads(_content(path))
        except (ValueError, RecursionError, OSError):
            kept = None
        if not isinstance(kept, dict):
            raise Refused(f"{path}: is not the file of a project; choose another folder, or remove this file")
        return kept

    # -- answers ---------------------------------------------------------------------------------------------------

    def answers(self) -> list[str]:
        """The numbers of the answers, in the order in which they were made."""
        out = []
        for path in sorted(inside(self.folder, ANSWERS).iterdir()):
            with contextlib.suppress(Refused, OSError):
                if (self.place(path.name) / "run.json").is_file():
                    out.append(path.name)
        return out

    def place(self, number: str) -> Path:
        """The folder of an answer; raises `Refused` if it is a link that leads elsewhere."""
        return inside(self.folder, ANSWERS, checked_id(number))

    def answer(self, number: object) -> Path:
        """The folder of an answer that is there; raises `Refused` otherwise."""
        place = self.place(checked_id(number))
        if not inside(self.folder, ANSWERS, place.name, "run.json").is_file():
            raise Refused(f"there is no answer {number}; choose one of the list", 404)
        return place

    def files_of(self, number: str) -> list[str]:
        """The files of an answer that can be saved, those that are made on request last."""
        place = self.place(number)
        kept = []
        for name in KEPT:
            with contextlib.suppress(Refused):
                if inside(place, name).is_file():
                    kept.append(name)
        return [*kept, *MADE]

    def begin_answer(self) -> str:
        """Make the folder of a new answer, with the options and the knowledge as they are now; its number."""
        number = max([self.last, *(int(name) for name in self.answers())]) + 1
        name, self.last = f"{number:03}", number
        place = self.place(name)
        place.mkdir()
        text = toml_of(self.knowledge) if self.knowledge_name else None
        if text is not None:
            write_atomically(place / KNOWLEDGE, text.encode())
        about = {"made": time.strftime("%Y-%m-%dT%H:%M:%S"), "data": self.data, "options": self.options}
        write_atomically(place / "options.json", json.dumps(about, ensure_ascii=False, indent=1).encode())
        return name

    def about(self, number: str) -> dict[str, Any]:
        """When an answer was made, of which data, with which options and knowledge."""
        place = self.place(number)
        about: Any = None
        with contextlib.suppress(OSError, ValueError, RecursionError, Refused):
            about = json.loads(_content(inside(place, "options.json")))
        about = about if isinstance(about, dict) else {}
        made, data, warnings = (about.get(name) for name in ("made", "data", "warnings"))
        return {
            "made": made if isinstance(made, str) else "",
            "data": data if isinstance(data, str) else self.data,
            "options": _options(about.get("options")),
            "knowledge": _form_in(place)[0],
            "warnings": [str(text) for text in warnings] if isinstance(warnings, list) else [],
        }

    def note_warnings(self, number: str, warnings: list[str]) -> None:
        """Keep the warnings of a search with its answer."""
        path = inside(self.place(number), "options.json")
        about = {**json.loads(path.read_bytes()), "warnings": warnings}
        write_atomically(path, json.dumps(about, ensure_ascii=False, indent=1).encode())

    def forget(self, number: str) -> None:
        """Remove an answer with all its files."""
        place = self.place(number)
        gone = inside(self.folder, ANSWERS) / f".forgotten-{number}"
        os.replace(place, gone)
        shutil.rmtree(gone, ignore_errors=True)
        if self.current == number:
            self.current = self.answers()[-1] if self.answers() else None

    def _remove_unfinished(self) -> None:
        """Remove folders of answers without a stage, and what was forgotten, or left behind by a killed process."""
        for path in inside(self.folder, ANSWERS).iterdir():
            if path.is_symlink() or not path.is_dir():
                continue
            begun = path.name.isdigit() and (path / "options.json").exists() and not (path / "run.json").exists()
            if begun or path.name.startswith(".forgotten-"):
                shutil.rmtree(path, ignore_errors=True)
        for path in self.folder.glob(".upload-*"):
            path.unlink(missing_ok=True)


def _content(path: Path) -> bytes:
    """The content of a file of a project; raises OSError unless it is a plain file of a usual size."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode) or status.st_size > MOST_BYTES:
        raise OSError(errno.EFBIG, "not a file, or too large", str(path))
    return path.read_bytes()


def _form_in(folder: Path) -> tuple[dict[str, Any], str | None]:
    """The knowledge in a folder, and what is wrong with its file."""
    try:
        return form_of_file(inside(folder, KNOWLEDGE))
    except Refused as refused:
        return checked_form({}, EMPTY), refused.sentence


def _options(value: object) -> dict[str, Any]:
    """The options in a file; the defaults if they cannot be used."""
    try:
        known = {name: own for name, own in value.items() if name in DEFAULTS} if isinstance(value, dict) else {}
        return checked_options(known, DEFAULTS)
    except (Refused, ValueError):
        return dict(DEFAULTS)


def _steps(value: object) -> list[dict[str, Any]]:
    """The steps in a file; none if they are not as this version writes them."""
    keys = {"sentence", "data", "options", "knowledge", "current"}
    if not isinstance(value, list) or not all(isinstance(step, dict) and set(step) == keys for step in value):
        return []
    try:
        return [
            {
                **step,
                "sentence": str(step["sentence"]),
                "data": step["data"] if isinstance(step["data"], str) else None,
                "options": _options(step["options"]),
                "knowledge": checked_form(step["knowledge"], EMPTY),
            }
            for step in value[-MOST_STEPS:]
        ]
    except Refused:
        return []


def _locked(path: Path) -> IO[bytes]:
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, f"{path.name} is not a file")
    file = path.open("ab")
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise OptionError(
                f"the project folder {str(path.parent)!r} is open in another studio; use its page, end it, or choose "
                "another folder: --project"
            ) from None
        except OSError:  # a file system without locks
            pass
    return file
