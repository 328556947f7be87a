"""Who may talk to the studio: requests of others are refused, whatever they try."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import quote

import pytest

from ancestral.studio.guard import MOST_JSON, MOST_UPLOAD, POLICY, Guard, TooLarge
from tests.support.studio import RunningStudio

SECRET, PORT = "s3cret", 8123
HOST = {"host": f"127.0.0.1:{PORT}"}


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """An application that answers the path and the length of the body."""
    length, more = 0, True
    try:
        while more:
            message = await receive()
            length, more = length + len(message["body"]), message.get("more_body", False)
    except TooLarge:
        length = -1
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": json.dumps([scope["path"], length]).encode()})


def ask(
    path: str = f"/{SECRET}/api/state", method: str = "GET", pieces: list[bytes] | None = None, **headers: str
) -> tuple[int, dict[str, str], Any]:
    """What the guard answers to a request with these headers, _ for - in their names."""
    sent: list[Any] = []
    given = {key.replace("_", "-"): value for key, value in (HOST | headers).items() if value}
    scope = {
        "type": "http", "method": method, "path": path,
        "headers": [(key.encode(), value.encode()) for key, value in given.items()],
    }  # fmt: skip
    rest = iter(pieces or [b""])
    last = len(pieces or [b""]) - 1
    count = iter(range(10**6))

    async def receive() -> Any:
        return {"type": "http.request", "body": next(rest), "more_body": next(count) < last}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(Guard(echo, secret=SECRET, port=PORT)(scope, receive, send))
    start, body = sent
    return start["status"], {key.decode(): value.decode() for key, value in start["headers"]}, json.loads(body["body"])


def test_the_page_of_the_studio_is_answered_without_the_secret_in_its_path() -> None:
    status, headers, body = ask(origin=f"http://127.0.0.1:{PORT}", sec_fetch_site="same-origin")
    assert (status, body) == (200, ["/api/state", 0])
    assert headers["content-security-policy"] == POLICY
    assert "script-src 'self';" in POLICY and "unsafe" not in POLICY and "frame-ancestors 'none'" in POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer" and headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path",
    ["/", "", "/wrong/api/state", "/api/state", f"/{SECRET[:-1]}/", f"/{SECRET}x/", f"/{SECRET}", f"//{SECRET}/"],
)
def test_without_the_secret_nothing_is_found_and_nothing_is_told(path: str) -> None:
    status, headers, body = ask(path)
    assert (status, body) == (404, {"error": "not found"})
    assert headers["content-security-policy"] == POLICY


@pytest.mark.parametrize(
    "host", ["", "evil.example", f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:80", f"127.0.0.1.evil.example:{PORT}",
             f"localhost.evil.example:{PORT}", f"0.0.0.0:{PORT}", f"localhost:{PORT}1"],
)  # fmt: skip
def test_a_foreign_host_is_refused_even_with_the_secret(host: str) -> None:
    status, _, body = ask(host=host)
    assert status == 403 and SECRET not in str(body)


def test_both_names_of_this_machine_are_answered() -> None:
    assert ask(host=f"localhost:{PORT}")[0] == ask(host=f"LOCALHOST:{PORT}")[0] == 200


@pytest.mark.parametrize(
    "origin", ["null", "http://evil.example", f"https://127.0.0.1:{PORT}", "http://127.0.0.1", "http://localhost:1",
               f"http://127.0.0.1:{PORT}.evil.example"],
)  # fmt: skip
def test_a_foreign_origin_is_refused_even_with_the_secret(origin: str) -> None:
    assert ask(origin=origin)[0] == ask(method="POST", origin=origin)[0] == 403


@pytest.mark.parametrize(
    ("site", "get", "post"),
    [("same-origin", 200, 200), ("none", 200, 403), ("same-site", 403, 403), ("cross-site", 403, 403), ("x", 403, 403)],
)
def test_only_the_studio_itself_may_fetch(site: str, get: int, post: int) -> None:
    assert ask(sec_fetch_site=site)[0] == get
    assert ask(method="POST", sec_fetch_site=site)[0] == post


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"])
def test_other_methods_are_refused(method: str) -> None:
    status, headers, _ = ask(method=method, sec_fetch_site="same-origin")
    assert status == 405 and not any(name.startswith("access-control") for name in headers)


def test_a_body_that_says_it_is_too_large_is_refused() -> None:
    path = f"/{SECRET}/api/options"
    assert ask(path, "POST", content_length=str(MOST_JSON))[0] == 200
    assert ask(path, "POST", content_length=str(MOST_JSON + 1))[0] == 413
    assert ask(f"/{SECRET}/api/data", "POST", content_length=str(MOST_JSON + 1))[0] == 200
    assert ask(f"/{SECRET}/api/data", "POST", content_length=str(MOST_UPLOAD + 1))[0] == 413


def test_a_body_that_does_not_say_how_large_it_is_is_cut_off() -> None:
    whole, half = b"x" * MOST_JSON, b"x" * (MOST_JSON // 2 + 1)
    assert ask(pieces=[whole])[2] == ["/api/state", MOST_JSON]
    assert ask(pieces=[half, half])[2] == ["/api/state", -1]


def test_sockets_are_refused() -> None:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "websocket", "path": f"/{SECRET}/", "headers": [(b"host", HOST["host"].encode())]}
    asyncio.run(Guard(echo, secret=SECRET, port=PORT)(scope, None, send))  # type: ignore[arg-type]
    assert [message["type"] for message in sent] == ["websocket.close"]


# -- a real server -----------------------------------------------------------------------------------------------------


def test_a_real_server_refuses_the_same(studio: RunningStudio) -> None:
    path = f"/{studio.secret}/api/state"
    assert studio.raw("GET", path)[0] == 200
    assert studio.raw("GET", "/api/state")[0] == studio.raw("GET", f"/{'x' * 43}/api/state")[0] == 404
    assert studio.raw("GET", path, headers={"Host": "evil.example"})[0] == 403
    assert studio.raw("GET", path, headers={"Origin": "http://evil.example"})[0] == 403
    assert studio.raw("GET", path, headers={"Sec-Fetch-Site": "cross-site"})[0] == 403
    status, _, body = studio.raw("POST", f"/{studio.secret}/api/options", b"x" * (MOST_JSON + 1))
    assert status == 413 and b"at most 1,000,000 bytes" in body
    assert studio.address.startswith("http://127.0.0.1:") and len(studio.secret) >= 43


UP = [
    "../project.json",
    "..%2fproject.json",
    "%2e%2e/project.json",
    "....//project.json",
    "/etc/passwd",
    "..\\project.json",
]


@pytest.mark.parametrize("name", [*UP, "%2fetc%2fpasswd", "project.json\0.csv", "..", ".", "\0", "\u202e.csv"])
def test_no_name_leads_out_of_its_folder(studio: RunningStudio, name: str) -> None:
    for once in {quote(name, safe="%"), quote(name, safe="")}:
        for path in (
            f"static/{once}", f"answers/{once}/report", f"answers/{once}/stage/last", f"answers/001/files/{once}",
            f"answers/{once}/files/run.json", f"answers/001/stage/{once}", f"answers/001/beside/{once}",
            f"api/compare?one={once}&other=001",
        ):  # fmt: skip
            status, _, body = studio.raw("GET", f"/{studio.secret}/{path}")
            assert status in (400, 404, 405) and b"root:" not in body and b'"undone"' not in body, path
        status, _, body = studio.raw("POST", f"/{studio.secret}/api/data?name={once}", b"x\n1\n")
        assert status in (400, 403), body
    for call in ("choose", "current", "forget"):
        assert "error" in studio.post(call, 404 if call != "choose" else 400, name=name, id=name)
    assert "error" in studio.post("ask", 404, id=name, what="why", a="a", b="b")
    assert studio.get("api/state")["files"] == ["study.csv"]


def test_a_hundred_requests_at_once_are_all_answered(studio: RunningStudio) -> None:
    paths = ["api/state", "api/describe", "answers/001/report", "api/choices", "answers/001/stage/last"]
    with ThreadPoolExecutor(100) as pool:
        statuses = list(pool.map(lambda i: studio.raw("GET", f"/{studio.secret}/{paths[i % 5]}")[0], range(100)))
    assert statuses == [200] * 100


def test_a_report_keeps_its_own_policy_and_only_the_studio_may_frame_it(studio: RunningStudio) -> None:
    _, headers, page = studio.raw("GET", f"/{studio.secret}/answers/001/report")
    policy = headers["content-security-policy"]
    assert policy.endswith("; frame-ancestors 'self'") and "script-src 'sha256-" in policy
    assert b"Content-Security-Policy" in page and headers["content-type"].startswith("text/html")
    _, headers, _ = studio.raw("GET", f"/{studio.secret}/answers/001/files/report.html")
    assert headers["content-disposition"] == 'attachment; filename="report.html"'
