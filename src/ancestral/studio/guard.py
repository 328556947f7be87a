"""Who may talk to the server: only a page that it has served itself, on this machine, with the secret of its address.

Every request is checked before anything of it is read: the name of the host, so that no other name can be made to
lead here; the origin and the site, so that no other page can send requests; the secret, which is the first part of
every path; and the size. Every answer forbids scripts from elsewhere, framing and caching.
"""

import asyncio
import contextlib
import hmac
import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

__all__ = ["MOST_JSON", "MOST_UPLOAD", "POLICY", "Guard", "TooLarge"]

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

#: Bytes of a body of JSON, and of an uploaded file.
MOST_JSON, MOST_UPLOAD = 1_000_000, 512_000_000
#: Bytes of a body that is too large which are still received, so that the page learns why it is refused.
MOST_DISCARDED = 4 * MOST_UPLOAD
#: Seconds to wait for the next piece of such a body.
PATIENCE = 1.0
#: The path whose body is a file.
UPLOAD = "/api/data"

#: What pages of the studio may do: load their own scripts, styles, pictures, reports and data, and nothing else.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)

_HEADERS = {
    b"content-security-policy": POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cache-control": b"no-store",
    b"cross-origin-resource-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
}


class TooLarge(Exception):
    """The body of a request is larger than allowed, in bytes."""

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.sentence = f"a request of this kind must have at most {most:,} bytes; send less"


class Guard:
    """Middleware of ASGI that lets through what the studio's own page asks, and refuses everything else.

    `port` is that of the server; requests that pass go to `app` with the secret removed from their path.
    """

    def __init__(self, app: Any, *, secret: str, port: int) -> None:
        self._app, self._secret = app, secret.encode()
        self._hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        reason = self._foreign(scope)
        if reason is not None:
            await _refuse(send, 403, reason)
            return
        begin, first, rest = (*scope["path"].split("/", 2), "", "", "")[:3]
        known = hmac.compare_digest(first.encode("utf-8", "surrogatepass"), self._secret)
        if begin or not known or scope["path"].count("/") < 2:
            await _refuse(send, 404, "not found")
            return
        scope = {**scope, "path": f"/{rest}", "raw_path": None, "root_path": ""}
        if scope["method"] not in ("GET", "HEAD", "POST"):
            await _refuse(send, 405, "the studio takes GET and POST only")
            return
        most = MOST_UPLOAD if scope["path"] == UPLOAD else MOST_JSON
        lengths = _values(scope, b"content-length")
        if lengths and lengths[0].isdigit() and int(lengths[0]) > most:
            await _discard(receive)
            await _refuse(send, 413, TooLarge(most).sentence)
            return
        await self._app(scope, _at_most(receive, most), _with_headers(send))

    def _foreign(self, scope: Scope) -> str | None:
        """Why a request does not come from the studio's own page on this machine; None if it does."""
        hosts = _values(scope, b"host")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return "the studio answers only under the address that it has printed"
        if any(
            origin.lower() not in {f"http://{host}" for host in self._hosts} for origin in _values(scope, b"origin")
        ):
            return "the studio answers only its own page"
        allowed = {"same-origin", "none"} if scope["method"] in ("GET", "HEAD") else {"same-origin"}
        if any(site not in allowed for site in _values(scope, b"sec-fetch-site")):
            return "the studio answers only its own page"
        return None


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name]


def _at_most(receive: Receive, most: int) -> Receive:
    """Receive a body; raises `TooLarge` as soon as it exceeds so many bytes, whatever its headers say."""
    got = 0

    async def limited() -> MutableMapping[str, Any]:
        nonlocal got
        message = await receive()
        got += len(message.get("body", b""))
        if got > most:
            raise TooLarge(most)
        return message

    return limited


async def _discard(receive: Receive) -> None:
    """Receive a body and forget it, up to a limit: a browser reads no answer before it has sent everything."""
    got, more = 0, True
    with contextlib.suppress(TimeoutError):
        while more and got < MOST_DISCARDED:
            message = await asyncio.wait_for(receive(), PATIENCE)
            got, more = got + len(message.get("body", b"")), message.get("more_body", False)


def _with_headers(send: Send) -> Send:
    """Send answers with the headers of every answer, unless an answer has its own."""

    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            own = {key.lower() for key, _ in message.get("headers", [])}
            added = [(key, value) for key, value in _HEADERS.items() if key not in own]
            message = {**message, "headers": [*message.get("headers", []), *added]}
        await send(message)

    return sending


async def _refuse(send: Send, status: int, sentence: str) -> None:
    body = json.dumps({"error": sentence}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    headers.append((b"connection", b"close"))  # what else comes on this connection is not read
    sending = _with_headers(send)
    await sending({"type": "http.response.start", "status": status, "headers": headers})
    await sending({"type": "http.response.body", "body": body})
