import pytest

from ancestral import OptionError
from ancestral.cli.parsing import as_on_the_command_line, names_in, seconds_in


def test_lists() -> None:
    assert names_in(None) is None
    assert names_in([]) is None
    assert names_in(["a", "b , c"]) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("30", 30), ("30s", 30), ("5m", 300), ("5 min", 300), ("2h", 7200), (".5H", 1800), ("1d", 86400)],
)
def test_durations(text: str, seconds: float) -> None:
    assert seconds_in(text) == seconds


@pytest.mark.parametrize("text", ["", "s", "-5", "5x", "1e3", "5m5", "nan", "inf"])
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(OptionError, match=r"must be a duration, got .*; write 90"):
        seconds_in(text)


@pytest.mark.parametrize(
    ("python", "shell"),
    [
        ("pass separator= if it is another", "pass --separator if it is another"),
        ("pass separator=' '", "pass --separator ' '"),
        ("keep one: drop=['b', 'c']", "keep one: --drop b,c"),
        ("say kinds={'a b': \"discrete\"}.", "say --discrete 'a b'."),
        ("time_limit=0.0 is no time", "--time-limit 0.0 is no time"),
        ("alpha=0.01, not 0.05", "--alpha 0.01, not 0.05"),
        ("a sentence with a = b in it", "a sentence with a = b in it"),
        ("missing='drop'; or not", "--missing drop; or not"),
    ],
)
def test_sentences(python: str, shell: str) -> None:
    assert as_on_the_command_line(python) == shell


def test_names_may_hold_any_character() -> None:
    assert names_in(["a\nb, c", '"x, ""y""\r\n" ,z']) == ["a\nb", "c", 'x, "y"\r\n', "z"]
    assert names_in(['in "the" middle']) == ['in "the" middle']
    for broken in ('"a', '"a"b', 'a,"'):
        with pytest.raises(OptionError, match="double quote that is not closed, or text after a closing one"):
            names_in([broken])
