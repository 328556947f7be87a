"""Start the studio: a server on this machine only, at an address with a secret."""

import contextlib
import os
import shutil
import socket
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ancestral.errors import OptionError
from ancestral.extras import require_package

if TYPE_CHECKING:
    from ancestral.studio.project import Project

__all__ = ["serve"]

#: The only address that the server listens on: no other machine can reach it.
LOOPBACK = "127.0.0.1"


def serve(
    folder: Path,
    data: Path | None = None,
    *,
    port: int = 0,
    browser: bool = True,
    tell: Callable[[str], None] = print,
    memory: int | None = None,
    ahead: bool = True,
) -> None:
    """Serve a project until Ctrl-C.

    `data` is a file that is copied into the folder, unless it is there, and chosen. `port` 0 is any that is free.
    `tell` is called with the address, which is opened in the browser if `browser`; `memory` is the number of bytes that
    a search may use, by default three quarters of those of the machine. `ahead` starts processes before they are
    needed, so that nobody waits for them. Raises `OptionError` if it cannot be started.
    """
    require_package("starlette", "studio", "to open the studio")
    require_package("uvicorn", "studio", "to open the studio")
    import uvicorn

    from ancestral.studio.server import new_secret, studio_app
    from ancestral.studio.state import Studio

    with contextlib.ExitStack() as stack:
        listening = stack.enter_context(_listening(port))
        studio = Studio(folder, memory, ahead=ahead)
        stack.callback(studio.project.close)
        if data is not None:
            _choose(studio.project, data)
        secret, port = new_secret(), listening.getsockname()[1]
        address = f"http://{LOOPBACK}:{port}/{secret}/"
        config = uvicorn.Config(
            studio_app(studio, secret, port),
            log_level="warning",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=2,
        )

        class Server(uvicorn.Server):
            async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
                studio.leave()  # before open requests are waited for: pages wait for news
                await super().shutdown(sockets)

        server = Server(config)
        tell(address)
        if browser:
            webbrowser.open(address)
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listening])


def _listening(port: int) -> socket.socket:
    out = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    out.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        out.bind((LOOPBACK, port))
        out.listen(1024)  # so that a request that comes before the server runs waits for it
    except (OSError, OverflowError) as error:
        out.close()
        reason = getattr(error, "strerror", None) or error
        raise OptionError(f"port {port} cannot be used ({reason}); leave --port out, for one that is free") from None
    return out


def _choose(project: "Project", data: Path) -> None:
    """Copy a file into the project, unless it is there, and choose it."""
    from ancestral.studio.names import checked_name
    from ancestral.studio.refusals import Refused
    from ancestral.studio.uploading import check_ending, place_of

    try:
        name = checked_name(data.name)
        check_ending(name)
        if Path(os.path.abspath(data)).parent.resolve() != project.folder:
            part = project.folder / ".upload-copy"
            try:
                shutil.copyfile(data, part)
                name = place_of(project, part, name)
            finally:
                part.unlink(missing_ok=True)
        if name not in project.files():
            raise Refused(
                f"{data}: cannot be read; it must be a file inside the folder, not a link that leads out of it"
            )
    except Refused as refused:
        raise OptionError(refused.sentence) from None
    with project.step(f"data {project.data or 'none'} → {name}"):
        project.data = name
