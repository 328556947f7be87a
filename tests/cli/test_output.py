"""What is printed: on a terminal names cannot command it, in a file or a pipe they are as they are."""

import io
import sys

import pytest

from ancestral.cli.output import print_result


class Terminal(io.StringIO):
    """Standard output that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("out", "styled", "printed"),
    [
        (Terminal(), False, "a\\u001b[31m --> b\n"),
        (Terminal(), True, "a\x1b[31m --> b\n"),
        (io.StringIO(), False, "a\x1b[31m --> b\n"),
    ],
)
def test_control_characters_in_names_are_shown_on_a_terminal(
    out: io.StringIO, styled: bool, printed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", out)
    print_result("a\x1b[31m --> b", styled=styled)
    assert out.getvalue() == printed
