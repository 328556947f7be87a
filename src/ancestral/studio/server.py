"""The requests of the page, and what answers them."""

import asyncio
import contextlib
import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ancestral.errors import AncestralError
from ancestral.printing import shown
from ancestral.studio.asking import QUESTIONS, asked
from ancestral.studio.choices import checked_options, choices
from ancestral.studio.comparing import changes, compared
from ancestral.studio.guard import Guard, TooLarge
from ancestral.studio.knowledge_form import checked_form, form_of_text
from ancestral.studio.names import checked_name, inside
from ancestral.studio.pictures import beside_picture, exported, policy_of, report, stage_picture
from ancestral.studio.project import KEPT, MADE
from ancestral.studio.refusals import Refused, sentence_of
from ancestral.studio.state import Studio
from ancestral.studio.uploading import received

__all__ = ["studio_app"]

Handler = Callable[[Request], Awaitable[Response]]

#: The type of a file by its ending; not that of the system, which may say of scripts that they are plain text.
_TYPES = {
    ".json": "application/json", ".toml": "text/plain", ".svg": "image/svg+xml", ".csv": "text/csv",
    ".html": "text/html", ".js": "text/javascript", ".css": "text/css",
}  # fmt: skip
#: What a picture may do when it is opened by itself: nothing but style its own shapes.
_PICTURE = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"


def studio_app(studio: Studio, secret: str, port: int) -> Guard:
    """The application of a studio that is served at this port under this secret."""
    pages = Pages(studio)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        studio.begin()
        yield
        await studio.close()

    routes = [Route(path, _answering(handler), methods=[method]) for method, path, handler in pages.routes()]
    return Guard(Starlette(routes=routes, lifespan=lifespan), secret=secret, port=port)


def _answering(handler: Handler) -> Handler:
    """The handler, with errors as answers."""

    async def answer(request: Request) -> Response:
        try:
            return await handler(request)
        except Refused as refused:
            return _refusal(refused.status, refused.sentence, **refused.more)
        except TooLarge as error:
            return _refusal(413, error.sentence)
        except AncestralError as error:
            return _refusal(400, sentence_of(error))
        except ClientDisconnect:
            return _refusal(400, "the page went away before all was sent; send it again")
        except Exception as error:
            return _refusal(500, sentence_of(error))

    return answer


def _refusal(status: int, sentence: str, **more: Any) -> Response:
    return JSONResponse({"error": sentence, **more}, status)


class Pages:
    """The handlers of all requests."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self._page = files("ancestral.studio").joinpath("page")

    def routes(self) -> list[tuple[str, str, Handler]]:
        """Method, path and handler of each request."""
        changing = {
            "choose": self._choose, "options": self._options, "knowledge": self._knowledge,
            "knowledge_text": self._knowledge_text, "search": self._search, "bootstrap": self._bootstrap,
            "resume": self._resume, "undo": self._undo, "redo": self._redo, "current": self._current,
            "forget": self._forget,
        }  # fmt: skip
        return [
            ("GET", "/", self.index),
            ("GET", "/static/{name}", self.static),
            ("GET", "/api/state", self.state),
            ("GET", "/api/describe", self.describe),
            ("GET", "/api/choices", self.choices),
            ("GET", "/api/compare", self.compare),
            ("POST", "/api/data", self.data),
            ("POST", "/api/stop", self.stop),
            ("POST", "/api/ask", self.ask),
            ("GET", "/answers/{number}/report", self.report),
            ("GET", "/answers/{number}/stage/{stage}", self.stage),
            ("GET", "/answers/{number}/beside/{other}", self.beside),
            ("GET", "/answers/{number}/files/{name}", self.file),
            *(("POST", f"/api/{name}", self._changing(change)) for name, change in changing.items()),
        ]

    # -- the page ----------------------------------------------------------------------------------------------------

    async def index(self, request: Request) -> Response:
        """The page."""
        return self._static("index.html")

    async def static(self, request: Request) -> Response:
        """A script or style of the page."""
        return self._static(request.path_params["name"])

    def _static(self, name: str) -> Response:
        if name not in {entry.name for entry in self._page.iterdir() if entry.is_file()}:
            raise Refused("not found", 404)
        kind = _TYPES.get(name[name.rindex(".") :] if "." in name else "", "application/octet-stream")
        return Response(self._page.joinpath(name).read_bytes(), media_type=kind)

    # -- reading -----------------------------------------------------------------------------------------------------

    async def state(self, request: Request) -> Response:
        """The state, at once or when there is news."""
        after, news = (_count(request.query_params.get(name, "")) for name in ("after", "news"))
        if after is not None:
            await self.studio.wait(after, news)
        return JSONResponse(await self.studio.as_dict())

    async def describe(self, request: Request) -> Response:
        """What the data are."""
        return JSONResponse(await self.studio.describe())

    async def choices(self, request: Request) -> Response:
        """What can be chosen."""
        return JSONResponse(choices())

    async def compare(self, request: Request) -> Response:
        """Two answers side by side."""
        project = self.studio.project
        one, other = (project.answer(request.query_params.get(name)) for name in ("one", "other"))
        found = await self.studio.aside.run(compared, str(one), str(other))
        settings = changes(project.about(one.name), project.about(other.name))
        return JSONResponse({**found, "settings": settings})

    async def ask(self, request: Request) -> Response:
        """A question about two variables."""
        body = await _json(request)
        place = self.studio.project.answer(body.get("id"))
        if body.get("what") not in QUESTIONS:
            raise Refused(f"what must be one of {', '.join(QUESTIONS)}, got {shown(body.get('what'))}")
        a, b = body.get("a"), body.get("b")
        if not isinstance(a, str) or not isinstance(b, str):
            raise Refused("a question is about two variables; choose two")
        source = self.studio.source_of(place.name)
        return JSONResponse(await self.studio.aside.run(asked, str(place), source, body["what"], a, b))

    async def report(self, request: Request) -> Response:
        """The report of an answer, for a frame of the page."""
        place = self.studio.project.answer(request.path_params["number"])
        page = await self.studio.aside.run(report, str(place))
        policy = f"{policy_of(page)}; frame-ancestors 'self'"
        return Response(page, media_type="text/html", headers={"Content-Security-Policy": policy})

    async def stage(self, request: Request) -> Response:
        """The picture of a stage, while or after searching."""
        place = self.studio.project.answer(request.path_params["number"])
        drawn = await self.studio.aside.run(stage_picture, str(place), request.path_params["stage"])
        return Response(drawn, media_type="image/svg+xml", headers={"Content-Security-Policy": _PICTURE})

    async def beside(self, request: Request) -> Response:
        """The picture of an answer beside another one, which is the first of the two if `first` is "other"."""
        project, asked_for = self.studio.project, request.path_params
        drawn, other = (str(project.answer(asked_for[name])) for name in ("number", "other"))
        first, second = (other, drawn) if request.query_params.get("first") == "other" else (drawn, other)
        made = await self.studio.aside.run(beside_picture, first, second, drawn)
        return Response(made, media_type="image/svg+xml", headers={"Content-Security-Policy": _PICTURE})

    async def file(self, request: Request) -> Response:
        """A file of an answer, to save."""
        place = self.studio.project.answer(request.path_params["number"])
        name = request.path_params["name"]
        if name in MADE:
            content = await self.studio.aside.run(exported, str(place), name)
        elif name in KEPT and (path := inside(place, name)).is_file():
            content = await asyncio.to_thread(path.read_bytes)
        else:
            raise Refused("not found: this answer has no such file", 404)
        ending = name[name.rindex(".") :]
        headers = {
            "Content-Disposition": f'attachment; filename="{name}"',
            "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
        }
        return Response(content, media_type=_TYPES[ending], headers=headers)

    # -- changing ----------------------------------------------------------------------------------------------------

    def _changing(self, change: Callable[[dict[str, Any]], Awaitable[None]]) -> Handler:
        """A handler of a change, which answers the new state; the version that the page has seen must be the last."""

        async def answer(request: Request) -> Response:
            body = await _json(request)
            if body.get("version") != self.studio.project.version:
                raise Refused(
                    "the project was changed meanwhile, in another tab or by a search that ended; look at it as it is "
                    "now, and try again",
                    409,
                    state=await self.studio.as_dict(),
                )
            await change(body)
            self.studio.changed()
            return JSONResponse(await self.studio.as_dict())

        return answer

    async def data(self, request: Request) -> Response:
        """A file that is sent: kept in the project, and chosen."""
        name = await received(self.studio.project, checked_name(request.query_params.get("name")), request.stream())
        await self._choose({"name": name})
        self.studio.changed()
        return JSONResponse(await self.studio.as_dict())

    async def _choose(self, body: dict[str, Any]) -> None:
        project, name = self.studio.project, checked_name(body.get("name"))
        if name not in project.files():
            raise Refused(f"there is no data file {name!r} in the project folder; choose one of the list, or send it")
        with project.step(f"data {project.data or 'none'} → {name}"):
            project.data = name

    async def _options(self, body: dict[str, Any]) -> None:
        project = self.studio.project
        before: dict[str, Any] = {"data": None, "options": project.options, "knowledge": project.knowledge}
        options = checked_options(body.get("options"), project.options)
        with project.step("; ".join(changes(before, {**before, "options": options}))):
            project.options = options

    async def _knowledge(self, body: dict[str, Any]) -> None:
        self._know(checked_form(body.get("knowledge"), self.studio.project.knowledge))

    async def _knowledge_text(self, body: dict[str, Any]) -> None:
        self._know(form_of_text(body.get("text")))

    def _know(self, form: dict[str, Any]) -> None:
        project = self.studio.project
        before = {"data": None, "options": project.options, "knowledge": project.knowledge}
        with project.step("; ".join(changes(before, {**before, "knowledge": form})) or "knowledge"):
            project.set_knowledge(form)

    async def _search(self, body: dict[str, Any]) -> None:
        await self.studio.search()

    async def _bootstrap(self, body: dict[str, Any]) -> None:
        await self.studio.bootstrap(body.get("repeats", 100))

    async def _resume(self, body: dict[str, Any]) -> None:
        await self.studio.resume()

    async def stop(self, request: Request) -> Response:
        """Stop what runs; its last stage is kept."""
        await _json(request)
        self.studio.jobs.stop()
        return JSONResponse(await self.studio.as_dict())

    async def _undo(self, body: dict[str, Any]) -> None:
        self.studio.project.undo()

    async def _redo(self, body: dict[str, Any]) -> None:
        self.studio.project.redo()

    async def _current(self, body: dict[str, Any]) -> None:
        project = self.studio.project
        place = project.answer(body.get("id"))
        with project.step(f"answer {project.current} → {place.name}"):
            project.current = place.name

    async def _forget(self, body: dict[str, Any]) -> None:
        place = self.studio.project.answer(body.get("id"))
        if self.studio.jobs.job is not None and self.studio.jobs.job.number == place.name:
            raise Refused(f"answer {place.name} is being worked on; stop it first", 409)
        self.studio.project.forget(place.name)
        self.studio.project.write()


async def _json(request: Request) -> dict[str, Any]:
    """The body of a request, which must be a JSON object."""
    content = await request.body()
    try:
        body = json.loads(content or b"{}")
    except (ValueError, RecursionError):
        raise Refused("the body of the request must be JSON") from None
    if not isinstance(body, dict):
        raise Refused("the body of the request must be a JSON object")
    return body


def _count(text: str) -> int | None:
    """The count that a text in an address states, if it does."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None


def new_secret() -> str:
    """A secret for the address of a studio."""
    return secrets.token_urlsafe(32)
