"""A run as one HTML file: no server, no network, nothing else needed to read it.

`content` says what is in it, as plain values; `page.html`, `style.css` and `script.js` show it. Names and other values
of the user travel as JSON, and the script puts them on the page as text; a policy in the page lets no other script run.
"""

import base64
import hashlib
import json
from html import escape
from importlib.resources import files

from ancestral.show.reliabilities import Reliabilities
from ancestral.show.report.content import Run, content

__all__ = ["report_page"]


def report_page(run: Run, reliabilities: Reliabilities | None = None) -> str:
    """The text of the HTML file; with how often resamples agree, where that is known."""
    room = files(__name__)
    page, style, script = (room.joinpath(name).read_text("utf-8") for name in ("page.html", "style.css", "script.js"))
    said = content(run, reliabilities)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    filled = {
        "{{policy}}": f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'",
        "{{title}}": escape(said["title"]),
        "{{style}}": style,
        "{{script}}": script,
        # what stands in the user's data cannot end the element
        "{{content}}": json.dumps(said, separators=(",", ":")).replace("<", "\\u003c").replace(">", "\\u003e"),
    }
    out = []
    for piece in page.split("§"):  # one pass: what is filled in is never looked at again
        out.append(filled.get(piece, piece))
    return "".join(out)
