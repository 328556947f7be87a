"""Every public name says what it is, what it takes, returns and raises, and shows it by an example that runs.

The docstrings are read as the reference of the documentation reads them: by griffe, in the style of Google. What it
warns of is a fault. That examples run is tested where they stand, as doctests.
"""

import ast
import builtins
import re
import textwrap
from collections.abc import Iterator, Sequence
from functools import cache

import griffe
import pytest
from griffe import DocstringSectionKind as Kind

import ancestral as an
from tools.reference import package, public_names

#: Calls that raise for an argument that cannot be used, by the words that their names begin with.
CHECKS = re.compile(r"_*(check|checked|refuse|from_keywords)(_|$)")


@pytest.mark.parametrize("name", sorted(public_names()))
def test_a_public_name_is_documented(name: str, caplog: pytest.LogCaptureFixture) -> None:
    subject = public(name)
    faults = [fault for item in [subject, *members(subject)] for fault in faults_of(item, subject)]
    faults += [f"griffe: {record.getMessage()}" for record in caplog.records if record.name.startswith("griffe")]
    assert not faults, "\n" + "\n".join(faults)


def test_faults_are_found() -> None:
    source = textwrap.dedent('''
        class Thing:
            """A thing

            Attributes:
                colour: Its colour.
            """

            def __init__(self, size: int) -> None:
                self.size = size

            def grow(self, by: int) -> int:
                """Make it larger.

                Args:
                    speed: How fast.

                Raises:
                    Trouble: Always.
                """
                raise GraphError("too large")

            @property
            def weight(self) -> float: ...
    ''')
    with griffe.temporary_visited_module(source, module_name="things", docstring_parser=griffe.Parser.google) as it:
        thing = it["Thing"]
        found = {fault for item in [thing, *members(thing)] for fault in faults_of(item, thing)}
    assert found == {
        "things.Thing: its first paragraph is not a sentence",
        "things.Thing has no example",
        "things.Thing: Args and the signature differ in ['size']",
        "things.Thing has no attribute 'colour'",
        "things.Thing.size is not under Attributes of Thing",
        "things.Thing.grow has no example, and is in none of Thing",
        "things.Thing.grow: Args and the signature differ in ['by', 'speed']",
        "things.Thing.grow has no Returns",
        "things.Thing.grow raises GraphError, and does not say so",
        "things.Thing.grow says that it raises Trouble, which is not a public error",
        "things.Thing.weight has no docstring",
    }


@cache
def public(name: str) -> griffe.Object:
    """The function or class with this name, where it is defined."""
    subject = package()[public_names()[name].removeprefix("ancestral.")]
    assert isinstance(subject, griffe.Object)
    return subject


def bases(subject: griffe.Object) -> list[griffe.Class]:
    """A class and those of this package that it inherits from; none for a function."""
    return [subject, *subject.mro()] if isinstance(subject, griffe.Class) else []


def members(subject: griffe.Object) -> list[griffe.Object]:
    """The public methods, properties and attributes of a class, with inherited ones that are not overridden."""
    found: dict[str, griffe.Object] = {}
    for holder in bases(subject):
        for name, member in holder.members.items():
            if isinstance(member, griffe.Function | griffe.Attribute) and not name.startswith("_"):
                found.setdefault(name, member)
    return list(found.values())


def faults_of(item: griffe.Object, subject: griffe.Object) -> Iterator[str]:
    """What the docstring of a public name, or of a member of it, lacks."""
    if isinstance(item, griffe.Attribute) and "property" not in item.labels:
        if not any(item.name in documented(holder, Kind.attributes) for holder in bases(subject)):
            yield f"{item.path} is not under Attributes of {subject.name}"
        return
    if item.docstring is None:
        yield f"{item.path} has no docstring"
        return
    if not item.docstring.value.partition("\n\n")[0].endswith("."):
        yield f"{item.path}: its first paragraph is not a sentence"
    if not exemplified(item, subject):
        yield f"{item.path} has no example" + ("" if item is subject else f", and is in none of {subject.name}")
    yield from faults_of_errors(item)
    if isinstance(item, griffe.Class):
        yield from faults_of_attributes(item)
        if (function := maker(item)) is not None:
            yield from faults_of_arguments(item, documented(function, Kind.parameters))
    elif isinstance(item, griffe.Function):
        yield from faults_of_arguments(item)
        if str(item.returns) != "None" and not sections(item, Kind.returns) + sections(item, Kind.yields):
            yield f"{item.path} has no Returns"


def sections(item: griffe.Object, kind: Kind) -> list[griffe.DocstringSection]:
    """The sections of this kind in the docstring."""
    return [section for section in item.docstring.parsed if section.kind is kind] if item.docstring else []


def documented(item: griffe.Object, kind: Kind) -> list[str]:
    """The names, or the errors, in the sections of this kind."""
    entries = [entry for section in sections(item, kind) for entry in section.value]
    return [str(entry.annotation) if kind is Kind.raises else entry.name for entry in entries]


def examples(item: griffe.Object) -> str:
    """The code of the examples in the docstring, without what it prints."""
    blocks = [str(code) for section in sections(item, Kind.examples) for _, code in section.value]
    return "\n".join(line for code in blocks for line in code.splitlines() if line.startswith((">>>", "...")))


def exemplified(item: griffe.Object, subject: griffe.Object) -> bool:
    """Whether there is an example, or the one of the class, or of a class that it inherits from, uses this member."""
    used = re.compile(rf"\.{item.name}\b")
    return bool(examples(item)) or (
        item is not subject and any(used.search(examples(holder)) for holder in bases(subject))
    )


def maker(subject: griffe.Class) -> griffe.Function | None:
    """The written `__init__` of a class whose objects users make; None if another function makes them.

    A dataclass without one has its attributes for arguments.
    """
    found = subject.members.get("__init__")
    told = "Made by" in (subject.docstring.value if subject.docstring else "")
    return found if isinstance(found, griffe.Function) and found.lineno and not told else None


def faults_of_arguments(item: griffe.Function | griffe.Class, beside: Sequence[str] = ()) -> Iterator[str]:
    star = {griffe.ParameterKind.var_positional: "*", griffe.ParameterKind.var_keyword: "**"}
    taken = {star.get(each.kind or griffe.ParameterKind.keyword_only, "") + each.name for each in item.parameters}
    if differing := {*documented(item, Kind.parameters), *beside} ^ (taken - {"self", "cls"}):
        yield f"{item.path}: Args and the signature differ in {sorted(differing)}"


def faults_of_attributes(item: griffe.Class) -> Iterator[str]:
    known = {name for holder in bases(item) for name in [*holder.members, *re.findall(r"self\.(\w+)\b", holder.source)]}
    yield from (
        f"{item.path} has no attribute {name!r}" for name in documented(item, Kind.attributes) if name not in known
    )


def faults_of_errors(item: griffe.Object) -> Iterator[str]:
    """Errors that a function raises itself must be under Raises; if it calls a check of what it is given, so must some.

    Of a class, the functions are those that make an object.
    """
    functions = [item]
    if isinstance(item, griffe.Class):
        written = [item.members[name] for name in ("__init__", "__post_init__") if name in item.members]
        functions = [each for each in written if isinstance(each, griffe.Function) and each.lineno]
    nodes = [node for each in functions for node in ast.walk(ast.parse(textwrap.dedent(each.source)))]
    calls = [node.exc for node in nodes if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)]
    told = documented(item, Kind.raises)
    for error in sorted({name_of(call) for call in calls if hasattr(an, name_of(call))} - set(told)):
        yield f"{item.path} raises {error}, and does not say so"
    takes = isinstance(item, griffe.Class) or (isinstance(item, griffe.Function) and len(item.parameters) > 1)
    if takes and not told and any(isinstance(node, ast.Call) and CHECKS.match(name_of(node)) for node in nodes):
        yield f"{item.path} checks what it is given, and has no Raises"
    for error in told:
        if not (hasattr(an, error) or hasattr(builtins, error)):
            yield f"{item.path} says that it raises {error}, which is not a public error"


def name_of(call: ast.Call) -> str:
    """The name of the function that is called, without what it is an attribute of."""
    return ast.unparse(call.func).rpartition(".")[2]
