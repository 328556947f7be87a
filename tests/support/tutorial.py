"""Run docs/tutorial.md from beginning to end."""

import contextlib
import doctest
import tempfile
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "tutorial.md"


def ran_through() -> dict[str, Any]:
    """The values of the tutorial's variables at its end."""
    test = doctest.DocTestParser().get_doctest(PAGE.read_text(encoding="utf-8"), {}, PAGE.name, None, 0)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        outcome = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, clear_globs=False)
    assert not outcome.failed
    return test.globs
