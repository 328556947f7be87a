from pathlib import Path

import pytest

from ancestral import OptionError
from ancestral.cli.app import spelling
from ancestral.cli.parsing import kinds_of, names_in, seconds_in, words_in
from ancestral.errors import Option
from ancestral.shell import option_words


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
    ("option", "shell"),
    [
        (Option("separator"), "--separator"),
        (Option("separator", " "), "--separator ' '"),
        (Option("drop", ["b", "c"]), "--drop b,c"),
        (Option("na", ("NA", "a, b", "")), "--na 'NA,\"a, b\",'"),
        (Option("columns", ("a, b", 'c "d"', "e")), '--columns \'"a, b","c ""d""",e\''),
        (Option("kinds", {"a b": "discrete"}), "--discrete 'a b'"),
        (Option("kinds", {"a": "continuous", "b": "discrete"}), "--discrete b --continuous a"),
        (Option("kinds", "continuous"), "--continuous '*'"),
        (Option("kinds"), "--discrete, --continuous and --ordinal"),
        (Option("kinds", {"a": ("lo", "hi"), "b": "ordinal"}), "--ordinal 'a=lo<hi,b'"),
        (Option("max_radius", 3), "--max-radius 3"),
        (Option("max_radius", None), "no --max-radius"),
        (Option("verify", False), "--no-verify"),
        (Option("selection_bias", True), "--selection-bias"),
        (Option("knowledge", Path("a b.txt")), "--knowledge 'a b.txt'"),
        (Option("executor"), "executor="),  # the command has no such option
        (Option("pairs", "all"), 'pairs="all"'),
    ],
)
def test_options_in_messages(option: Option, shell: str) -> None:
    assert spelling("discover", "data.csv")(option) == shell


def test_a_command_spells_its_own_options_only() -> None:
    assert spelling("simulate")(Option("rows", 10)) == "--rows 10"
    assert spelling("discover")(Option("rows", 10)) == "--rows 10"
    assert spelling("causes")(Option("rows", 10)) == "rows=10"
    assert spelling("no such command")(Option("alpha", 0.1)) == "alpha=0.1"


@pytest.mark.parametrize("names", [["a"], ["a b", "c"], ["a, b", 'c "d"', '"', ","], ["x\ny", "z"]])
def test_names_are_read_as_they_are_spelled(names: list[str]) -> None:
    flag, value = option_words("drop", names)
    assert (flag, names_in([value])) == ("--drop", names)
    chosen = {name: ("discrete", "continuous")[i % 2] for i, name in enumerate(names)}
    words = option_words("kinds", chosen)
    given = {words[i]: [words[i + 1]] for i in range(0, len(words), 2)}
    assert kinds_of(given.get("--discrete"), given.get("--continuous")) == chosen


@pytest.mark.parametrize("words", [["NA"], [""], ["", "-999"], ["a, b", 'c "d"', "?"], ["."]])
def test_words_for_missing_values_are_read_as_they_are_spelled(words: list[str]) -> None:
    flag, value = option_words("na", words)
    assert (flag, words_in([value])) == ("--na", words)
    assert words_in(None) is None


def test_names_may_hold_any_character() -> None:
    assert names_in(["a\nb, c", '"x, ""y""\r\n" ,z']) == ["a\nb", "c", 'x, "y"\r\n', "z"]
    assert names_in(['in "the" middle']) == ['in "the" middle']
    for broken in ('"a', '"a"b', 'a,"'):
        with pytest.raises(OptionError, match="double quote that is not closed, or text after a closing one"):
            names_in([broken])
