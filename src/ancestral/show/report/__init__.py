"""A run as one HTML file, which needs neither a server nor a network.

`content` has all that it shows, as plain values; `page.html`, `style.css` and `script.js` show it. Names and other
values of the user are embedded as JSON, and the script puts them on the page as text; a policy in the page lets no
other script run.
"""

import base64
import hashlib
import json
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path

from ancestral.errors import OptionError
from ancestral.io.files import check_writable
from ancestral.show.asked_effects import AskedEffect
from ancestral.show.reliabilities import Reliabilities
from ancestral.show.report.content import content
from ancestral.show.report.frame import Frame
from ancestral.show.run import ReportedRun

__all__ = ["check_report", "report_page"]


def check_report(path: Path, option: str = "path") -> None:
    """Raise OptionError if the name of a report is not that of a page, RunError if it cannot be written there.

    `option` is the option that gave the name, for the message.
    """
    if path.suffix.lower() not in (".html", ".htm"):
        raise OptionError("must end in .html", option=option, value=str(path))
    check_writable(path)


def report_page(
    run: ReportedRun,
    reliabilities: Reliabilities | None = None,
    effects: Sequence[AskedEffect] = (),
    frame: Frame | None = None,
) -> str:
    """The text of the HTML file; with how often resamples agree, if that is known, and effects that were asked for.

    `frame` has what the page of a window of time series shows beside.
    """
    folder = files(__name__)
    page, style, script = (folder.joinpath(name).read_text("utf-8") for name in ("page.html", "style.css", "script.js"))
    values = content(run, reliabilities, effects, frame)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    filled = {
        "{{policy}}": f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'",
        "{{title}}": escape(values["title"]),
        "{{style}}": style,
        "{{section}}": "" if frame is None else frame.section,
        "{{script}}": script,
        # so that nothing in the user's data can close the script element
        "{{content}}": json.dumps(values, separators=(",", ":")).replace("<", "\\u003c").replace(">", "\\u003e"),
    }
    out = []
    for piece in page.split("§"):  # one pass, so that what is filled in is not searched for placeholders
        out.append(filled.get(piece, piece))
    return "".join(out)
