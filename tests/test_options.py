"""Each option is declared once; signatures, docstrings and error messages follow from the declaration."""

import ast
import inspect
import re
import typing
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import griffe
import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral import options
from ancestral.cli.parsing import kinds_of
from ancestral.discovery import OPTION_TYPES
from ancestral.estimator import PARAMETERS, DiscovererKeywords
from ancestral.independence import TESTS
from ancestral.option_groups import Combined, default_of, help_of, options_of
from ancestral.search.algorithms import ALGORITHMS
from ancestral.search.settings import Settings

GROUPS: list[tuple[type[Any], type[Any]]] = [
    (options.TableOptions, options.TableKeywords),
    (options.SourceOptions, options.SourceKeywords),
    (options.AlgorithmOptions, options.AlgorithmKeywords),
    (options.RunOptions, options.RunKeywords),
    (options.FileOptions, options.FileKeywords),
    (options.ResampleOptions, options.ResampleKeywords),
    (options.RepeatsOptions, options.RepeatsKeywords),
    (options.AnsweredOptions, options.AnsweredKeywords),
    (options.SweptOptions, options.SweptKeywords),
    (options.SweepRunOptions, options.SweepRunKeywords),
]
COMBINED: list[tuple[type[Combined], type[Any]]] = [
    (options.StagesOptions, options.StagesKeywords),
    (options.DiscoverOptions, options.DiscoverKeywords),
    (options.BootstrapOptions, options.BootstrapKeywords),
    (options.DescribeOptions, options.TableKeywords),
    (options.SweepOptions, options.SweepKeywords),
]
FUNCTIONS: list[tuple[Callable[..., Any], type[Combined]]] = [
    (an.stages, options.StagesOptions),
    (an.discover, options.DiscoverOptions),
    (an.bootstrap, options.BootstrapOptions),
    (an.describe, options.DescribeOptions),
    (an.sweep, options.SweepOptions),
]
NUMBERS = np.random.default_rng(1).standard_normal((60, 3))
FRAME = pl.DataFrame(NUMBERS, schema=list("abc"))


def types_of(declared: type[Any]) -> dict[str, Any]:
    return typing.get_type_hints(declared, None, {**OPTION_TYPES, "RepeatsProgress": an.RepeatsProgress})


@pytest.mark.parametrize(("group", "keywords"), GROUPS)
def test_groups_and_keywords_agree(group: type[Any], keywords: type[Any]) -> None:
    assert types_of(group) == types_of(keywords)


@pytest.mark.parametrize(("combined", "keywords"), COMBINED)
def test_combined_groups_and_keywords_agree(combined: type[Combined], keywords: type[Any]) -> None:
    names = [option.name for option in combined.options()]
    assert len(names) == len(set(names))
    assert set(names) == set(types_of(keywords))


def test_the_parameters_of_the_estimator_agree() -> None:
    mine, all_types = types_of(DiscovererKeywords), types_of(options.StagesKeywords)
    assert set(mine) == set(PARAMETERS)
    assert mine.pop("alpha") == all_types["alpha"] | None
    assert all(mine[name] == all_types[name] for name in mine)


def test_settings_have_the_defaults_of_the_options() -> None:
    declared = {option.name: option.default for option in options_of(options.AlgorithmOptions)}
    settings = {field.name: field.default for field in fields(Settings)}
    assert {name: settings[name] for name in declared} == {**declared, "algorithm": "icd"}  # theirs has a name
    assert set(settings) - set(declared) == {"test", "alpha", "algorithm_reason", "together"}
    # selection is allowed for unless the algorithm assumes that there is none
    chosen = options.AlgorithmOptions(algorithm="icd", selection_bias=True)
    assert options.AlgorithmOptions.from_attributes(Settings()) == chosen
    assert Settings(algorithm="scored").selection_bias is False


@pytest.mark.parametrize(("function", "combined"), FUNCTIONS)
def test_signatures_and_docstrings_are_complete(function: Callable[..., Any], combined: type[Combined]) -> None:
    parameters = inspect.signature(function).parameters
    own = ["source", "effects"] if combined is options.BootstrapOptions else ["source"]
    assert list(parameters) == [*own, *(option.name for option in combined.options())]
    hints = {name: kind for group in combined.groups().values() for name, kind in types_of(group).items()}
    document = inspect.getdoc(function) or ""
    for option in combined.options():
        assert parameters[option.name].kind is inspect.Parameter.KEYWORD_ONLY
        assert parameters[option.name].default == default_of(option)
        assert parameters[option.name].annotation == hints[option.name]
        assert document.count(f"\n    {option.name}: ") == 1
    assert "{" not in document.replace('{"origin"', "").split(">>>")[0]
    assert max(map(len, document.splitlines())) <= 116


@pytest.mark.parametrize(("function", "combined"), FUNCTIONS)
def test_each_option_stands_in_the_section_of_its_heading(
    function: Callable[..., Any], combined: type[Combined]
) -> None:
    docstring = griffe.Docstring(inspect.getdoc(function) or "", parser="google")
    sections = [part for part in docstring.parse() if part.kind is griffe.DocstringSectionKind.parameters]
    own, *of_options = [(part.title, [entry.name for entry in part.value]) for part in sections]
    declared = {option.name: option.metadata["panel"] for option in combined.options()}
    assert not {*own[1]} & declared.keys()
    headings = [heading for heading, _ in of_options]
    assert len(set(headings)) == len(headings) == len(set(declared.values()))
    assert {name: heading for heading, names in of_options for name in names} == declared


def test_the_signature_shows_types_and_defaults() -> None:
    shown = inspect.signature(an.discover).parameters
    assert (str(shown["workers"]), str(shown["selection_bias"])) == (
        "workers: int = 1",
        "selection_bias: bool | None = None",
    )


@pytest.mark.parametrize("combined", [combined for combined, _ in COMBINED])
def test_help_is_in_sentences_and_mentions_options(combined: type[Combined]) -> None:
    names = {option.name for option in combined.options()}
    for option in combined.options():
        mentioned: list[str] = []
        text = help_of(option, lambda name, seen=mentioned: seen.append(name) or name)  # type: ignore[misc]
        assert text.endswith(".")
        assert text[0].isupper() or text[0] == '"'
        assert set(mentioned) <= names


def test_help_names_every_algorithm_and_every_test() -> None:
    declared = {option.name: help_of(option, str) for option in options.DiscoverOptions.options()}
    assert all(f'"{name}"' in declared["algorithm"] for name in ALGORITHMS)
    assert all(f'"{name}"' in declared["test"] for name in TESTS)


@pytest.mark.parametrize(("function", "combined"), FUNCTIONS)
def test_an_unknown_option_gets_the_nearest_name(function: Callable[..., Any], combined: type[Combined]) -> None:
    name = function.__name__
    expected = rf"^{name}\(\) got an unexpected keyword argument 'mising'. Did you mean 'missing'\?$"
    with pytest.raises(TypeError, match=expected):
        function(NUMBERS, mising=0.05)
    with pytest.raises(TypeError, match=rf"^{name}\(\) got an unexpected keyword argument 'quux'$"):
        function(NUMBERS, quux=1)
    with pytest.raises(TypeError, match=r"Discoverer\(\) got .* 'max_radios'. Did you mean 'max_radius'\?"):
        an.Discoverer(max_radios=2)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("given", "option", "value", "message"),
    [
        ({"alpha": 2.0}, "alpha", 2.0, "alpha must be between 0 and 1, got 2.0; common choices are 0.05 and 0.01"),
        ({"decimal": ";"}, "decimal", ";", "decimal must be one of '.', ',', got ';'"),
        (
            {"separator": "ab"},
            "separator",
            "ab",
            "separator must be one ASCII character other than a quotation mark or a line end, got 'ab'; "
            "common choices are ',' and '\\t'",
        ),
        (
            {"kinds": 3},
            "kinds",
            3,
            "kinds must be 'continuous', 'discrete', 'ordinal' or a mapping of columns to these, got 3; for example "
            "kinds={'origin': 'discrete'}",
        ),
        (
            {"algorithm": "rfci", "verify": False},
            "verify",
            False,
            'verify=False cannot be combined with algorithm="rfci"; leave it out: RFCI verifies in the place of FCI\'s '
            "second search",
        ),
        (
            {"algorithm": "fci", "possible_ancestors": "all"},
            "possible_ancestors",
            "all",
            'possible_ancestors="all" cannot be combined with algorithm="fci"; leave it out: it is a condition of ICD',
        ),
    ],
)
def test_errors_name_the_option_and_its_value(given: dict[str, Any], option: str, value: Any, message: str) -> None:
    for function in (an.discover, an.bootstrap):
        with pytest.raises(an.OptionError) as refused:
            function(NUMBERS, **given)
        assert (refused.value.option, refused.value.value, str(refused.value)) == (option, value, message)


def test_lists_of_names_are_shown_as_lists() -> None:
    with pytest.raises(an.OptionError, match=r"^names=\['a', 'b'\] does not apply to a frame"):
        an.discover(an.simulate.linear_gaussian(an.DAG.parse("a -> b"), rows=50, seed=1), names=("a", "b"))


@pytest.mark.parametrize(
    ("call", "option"),
    [
        (lambda: an.discover([FRAME], test="rank"), "test"),
        (lambda: an.discover([FRAME], test=lambda x, y, given: 1.0), "test"),
        (lambda: an.discover(FRAME, test="g"), "test"),
        (lambda: an.discover([FRAME], missing="testwise"), "missing"),
        (lambda: an.Moments.of(FRAME, missing="testwise"), "missing"),
        (lambda: an.Counts.of(FRAME, missing="testwise"), "missing"),
        (lambda: an.discover(FRAME).plot(colour="tier"), "colour"),
        (lambda: an.discover(an.Oracle(an.DAG.parse("a -> b"))).plot(colour="kind"), "colour"),
        (lambda: kinds_of(["*"], ["a"]), "discrete"),
        (lambda: kinds_of(["a"], ["a"]), "discrete"),
    ],
)
def test_errors_about_an_option_carry_its_name(call: Callable[[], Any], option: str) -> None:
    with pytest.raises(an.OptionError) as refused:
        call()
    assert refused.value.option == option


def test_options_are_kept_in_one_plain_type() -> None:
    chosen = options.TableOptions(columns="a", drop=iter(["id", "date"]))
    assert (chosen.columns, chosen.drop) == (("a",), ("id", "date"))


def test_options_are_checked_before_anything_is_read() -> None:
    def unread() -> Any:
        raise AssertionError("read")
        yield

    for given in ({"max_radius": -1}, {"algorithm": "magic"}, {"save": 3}, {"workers": 0}, {"test": "magic"}):
        with pytest.raises(an.OptionError, match=f"^{next(iter(given))}"):
            an.discover(unread(), **given)


def texts_of(path: Path) -> Iterator[tuple[int, str]]:
    """The texts in a module that are not docstrings, and their lines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    scopes = (ast.Module, ast.ClassDef, ast.FunctionDef)
    documented = [node for node in ast.walk(tree) if isinstance(node, scopes) and ast.get_docstring(node, clean=False)]
    docstrings = {node.body[0].value for node in documented if isinstance(node.body[0], ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docstrings:
            yield node.lineno, node.value


def test_messages_hold_options_as_objects() -> None:
    """A text such as `pass missing="drop"` would be shown so on the command line, too; `Option` is spelled its way."""
    declared = {option.name for combined, _ in COMBINED for option in combined.options()}
    spelled = re.compile(rf"(?<![\w.`-])({'|'.join(sorted(declared))})=(?!=)")
    root = Path(an.__file__).parent
    found = [
        f"{path.relative_to(root)}:{line}: {text}"
        for path in sorted(root.rglob("*.py"))
        if path.relative_to(root).parts[0] != "testing"  # for authors, in Python
        for line, text in texts_of(path)
        if spelled.search(text)
    ]
    xml = 'io/interop/graphml.py:78: <?xml version="1.0" encoding="UTF-8"?>\n'
    assert found == [xml]
