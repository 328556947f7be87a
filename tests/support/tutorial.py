"""Run docs/tutorial.md from beginning to end."""

import contextlib
import doctest
import tempfile
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "tutorial.md"


def ran_through(folder: Path | None = None) -> dict[str, Any]:
    """The values of the tutorial's variables at its end. Its files stay in the folder, if one is given."""
    test = doctest.DocTestParser().get_doctest(PAGE.read_text(encoding="utf-8"), {}, PAGE.name, None, 0)
    with tempfile.TemporaryDirectory() as passing, contextlib.chdir(folder or passing):
        outcome = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, clear_globs=False)
    assert not outcome.failed
    return test.globs
