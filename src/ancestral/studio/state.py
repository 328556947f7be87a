"""The studio as one object: the project, the job that runs, and what the page is told about both."""

import asyncio
import contextlib
from pathlib import Path
from typing import Any

from ancestral.studio.aside import Aside
from ancestral.studio.choices import READING, keywords_of
from ancestral.studio.comparing import changes
from ancestral.studio.describing import described
from ancestral.studio.jobs import Job, Jobs
from ancestral.studio.knowledge_form import text_of
from ancestral.studio.limits import default_memory
from ancestral.studio.project import KNOWLEDGE, Project
from ancestral.studio.reading import overview
from ancestral.studio.refusals import Refused, sentence_of
from ancestral.studio.repeating import repeat, source_of

__all__ = ["Studio"]

#: Seconds that a page may wait for news.
WAIT = 20.0
#: The largest number of resamples of a bootstrap.
MOST_REPEATS = 10_000


class Studio:
    """A project with its jobs. Everything happens in one event loop.

    `memory` is what a process may map, in bytes; `ahead` starts processes before they are needed.
    """

    def __init__(self, folder: Path, memory: int | None = None, *, ahead: bool = True) -> None:
        self.project = Project(folder)
        memory = default_memory() if memory is None else memory
        self.aside = Aside(self.project.folder, memory)
        self.jobs = Jobs(self.aside, self._news, self._over, memory, ahead=ahead)
        self._ahead = ahead
        self.last_error: str | None = None
        self._told = asyncio.Event()
        self._news_told = 0
        self._closing = False
        self._overviews: dict[tuple[str, int], dict[str, Any]] = {}
        self._described: tuple[Any, dict[str, Any]] | None = None
        self._describing: dict[str, asyncio.Task[dict[str, Any]]] = {}

    def begin(self) -> None:
        """Start processes that will be needed soon, so that nobody waits for them later."""
        if self._ahead:
            self.aside.begin()
            self.jobs.prepare()

    def leave(self) -> None:
        """Answer all who wait for news, now and from now on."""
        self._closing = True
        self._news()

    async def close(self) -> None:
        """Stop what runs; the project is kept as it is."""
        self.leave()
        await self.jobs.close()
        self.aside.close()
        self.project.close()

    # -- news ------------------------------------------------------------------------------------------------------

    def _news(self) -> None:
        """Wake all who wait for a change."""
        self._news_told += 1
        self._told.set()
        self._told = asyncio.Event()

    async def wait(self, after: int, news: int | None = None) -> None:
        """Wait until the version is not this one, or the job goes on, for `WAIT` seconds at most.

        `news` is the count that the page has seen: what happened since then, while it did not wait, is not missed.
        """
        if self.project.version == after and news in (None, self._news_told) and not self._closing:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._told.wait(), WAIT)

    def changed(self) -> None:
        """Tell the pages that the project has changed."""
        self._news()

    async def as_dict(self) -> dict[str, Any]:
        """The state, as the page gets it."""
        project, news = self.project, self._news_told
        answers = await self._answers()
        data = project.data_path
        return {
            "version": project.version,
            "news": news,
            "folder": str(project.folder),
            "data": None if data is None else {"name": data.name, "bytes": data.stat().st_size},
            "files": project.files(),
            "options": project.options,
            "knowledge": project.knowledge,
            "knowledge_text": text_of(project.knowledge),
            "knowledge_faults": project.knowledge_faults(self._variables()),
            "job": None if self.jobs.job is None else self.jobs.job.as_dict(),
            "last_error": self.last_error,
            "answers": answers,
            "current": project.current,
            "undo": project.done[-1]["sentence"] if project.done else None,
            "redo": project.undone[-1]["sentence"] if project.undone else None,
            "repeat": repeat(project.data, project.options, project.knowledge_name),
        }

    async def _answers(self) -> list[dict[str, Any]]:
        out: list[dict[str, Any]] = []
        before = None
        running = self.jobs.job.number if self.jobs.job is not None and self.jobs.job.kind == "search" else None
        for number in self.project.answers():
            if number == running:
                continue
            about = self.project.about(number)
            try:
                shown = await self.overview(number)
            except Exception as error:  # whatever the file holds, the others are shown
                sentence = error.sentence if isinstance(error, Refused) else sentence_of(error)
                shown = {"title": "cannot be read", "edges": 0, "complete": False, "stopped": sentence}
            out.append(
                {
                    "id": number,
                    "made": about["made"],
                    **{
                        name: shown.get(name)
                        for name in ("title", "variables", "edges", "complete", "stopped", "resumable")
                    },
                    "files": (files := self.project.files_of(number)),
                    "bootstrap": "bootstrap.json" in files,
                    "changed": [] if before is None else changes(before, about),
                    "warnings": about["warnings"],
                    "stages": shown.get("stages", []),
                }
            )
            before = about
        return out

    async def overview(self, number: str) -> dict[str, Any]:
        """What the list shows of an answer, kept until its file changes."""
        place = self.project.answer(number)
        key = number, (place / "run.json").stat().st_mtime_ns
        if key not in self._overviews:
            self._overviews[key] = await self.aside.run(overview, str(place))
        return self._overviews[key]

    # -- data ------------------------------------------------------------------------------------------------------

    def data(self) -> str:
        """The name of the chosen file; raises `Refused` if there is none."""
        if self.project.data_path is None or self.project.data is None:
            gone = "" if self.project.data is None else f"{self.project.data} is no longer in the project folder; "
            raise Refused(f"{gone}choose a file with data first")
        return self.project.data

    async def describe(self) -> dict[str, Any]:
        """What `describe` says of the data with the options as they are; several who ask at once share the work."""
        name, reading = self.data(), self._reading()
        key = self._key(name, reading)
        if self._described is not None and self._described[0] == key:
            return self._described[1]
        if key not in self._describing:
            self._describing[key] = asyncio.create_task(self.aside.run(described, source_of(name), reading))
            self._describing[key].add_done_callback(lambda task: self._describing.pop(key, None))
        found = await asyncio.shield(self._describing[key])
        self._described = key, found
        return found

    def _reading(self) -> dict[str, Any]:
        given = keywords_of(self.project.options)
        return {name: given[name] for name in READING if name in given}

    def _key(self, name: str, reading: dict[str, Any]) -> str:
        status = (self.project.folder / name).stat()
        return repr((name, status.st_mtime_ns, status.st_size, reading))

    def _variables(self) -> list[str] | None:
        """The variables of the data, if they were described as they are now."""
        if self.project.data_path is None or self.project.data is None or self._described is None:
            return None
        key, found = self._described
        now = self._key(self.project.data, self._reading())
        return found["variables"] if key == now and found["variables"] else None

    # -- jobs ------------------------------------------------------------------------------------------------------

    async def search(self) -> None:
        """Begin a search with the options and the knowledge as they are."""
        self.jobs.check_free()
        name = self.data()
        if faults := self.project.knowledge_faults(self._variables()):
            raise Refused("\n".join(faults))
        number = self.project.begin_answer()
        known = self.project.knowledge_name
        keywords = keywords_of(self.project.options) | ({} if known is None else {"knowledge": known})
        await self._begin_search(number, name, {**keywords, "save": f"answers/{number}/run.json"})

    async def resume(self) -> None:
        """Let the current answer, which was stopped, go on."""
        self.jobs.check_free()
        number = self._current()
        if (await self.overview(number))["complete"]:
            raise Refused(f"answer {number} is complete; change something, and search again")
        about = self.project.about(number)
        run = f"answers/{number}/run.json"
        await self._begin_search(number, self._data_of(about), {**self._keywords(number, about), "resume": run})

    async def _begin_search(self, number: str, name: str, keywords: dict[str, Any]) -> None:
        task = {
            "folder": str(self.project.folder),
            "source": source_of(name),
            "keywords": keywords,
            "copy": f"answers/{number}/{KNOWLEDGE}",
        }
        self.last_error = None
        try:
            await self.jobs.begin("search", number, self.project.place(number), task)
        except OSError as error:
            if number not in self.project.answers():
                self.project.forget(number)
            raise Refused(f"a search cannot be started ({error.strerror}); try again later", 507) from None
        self.project.write()
        self._news()

    async def bootstrap(self, repeats: object) -> None:
        """Search resamples of the data of the current answer."""
        self.jobs.check_free()
        if type(repeats) is not int or not 1 <= repeats <= MOST_REPEATS:
            raise Refused(f"repeats must be a whole number from 1 to {MOST_REPEATS:,}, got {repeats!r}")
        number = self._current()
        about = self.project.about(number)
        task = {
            "folder": str(self.project.folder),
            "source": source_of(self._data_of(about)),
            "keywords": {**self._keywords(number, about), "repeats": repeats},
            "save": f"answers/{number}/bootstrap.json",
        }
        self.last_error = None
        await self.jobs.begin("bootstrap", number, self.project.place(number), task)
        self.project.write()
        self._news()

    def _current(self) -> str:
        if self.project.current is None:
            raise Refused("there is no answer yet; search first")
        self.project.answer(self.project.current)
        return self.project.current

    def _data_of(self, about: dict[str, Any]) -> str:
        name = about["data"]
        if name is None or name not in self.project.files():
            raise Refused(f"the data of this answer, {name}, are no longer in the project folder; put the file back")
        return str(name)

    def _keywords(self, number: str, about: dict[str, Any]) -> dict[str, Any]:
        known = (self.project.place(number) / KNOWLEDGE).is_file()
        return keywords_of(about["options"]) | ({"knowledge": f"answers/{number}/{KNOWLEDGE}"} if known else {})

    def source_of(self, number: str) -> str | None:
        """The path of the data of an answer, relative to the project folder; None if they are gone."""
        try:
            return source_of(self._data_of(self.project.about(number)))
        except Refused:
            return None

    def _over(self, job: Job) -> None:
        """Keep what a job has found."""
        self.last_error = job.error
        there = (job.place / "run.json").is_file()
        if job.kind == "search" and there:
            self.project.current = job.number
            with contextlib.suppress(OSError, ValueError):
                self.project.note_warnings(job.number, job.warnings)
        elif job.kind == "search":
            self.last_error = job.error or "the search was stopped before its first stage, so there is nothing to keep"
            self.project.forget(job.number)
        elif job.stopping and not job.ended:
            self.last_error = job.error or "the bootstrap was stopped before a resample was searched"
        self.project.write()
        self._news()
