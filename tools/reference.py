"""The public names as the reference shows them: griffe reads the sources, and what is completed at import is added.

Functions that take options as keywords get their signature and the sections of these options when they are imported
(`ancestral.option_groups`), and `check_test` and its like are made then; the sources alone do not show that.
"""

import inspect
import types
from functools import cache
from pathlib import Path
from typing import Any

import griffe

import ancestral
from ancestral import testing

__all__ = ["PARSING", "Completed", "package", "public_names"]

SOURCES = Path(__file__).resolve().parents[1] / "src"

#: How griffe reads the sections of a docstring; the site has the same options under `docstring_options`.
PARSING: griffe.GoogleOptions = {"returns_multiple_items": False, "trim_doctest_flags": True}

_KINDS = {kind: griffe.ParameterKind[kind.name.lower()] for kind in inspect._ParameterKind}


class Completed(griffe.Extension):
    """Give a function that was completed at import the signature and the docstring that it has then."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Look at every function and attribute of the package."""
        if pkg.path == "ancestral":
            _complete(pkg)


def _complete(holder: griffe.Module | griffe.Class) -> None:
    for name, member in list(holder.members.items()):
        if isinstance(member, griffe.Module | griffe.Class):
            _complete(member)
        elif isinstance(member, griffe.Function | griffe.Attribute):
            found = _imported(member)
            if isinstance(found, types.FunctionType) and "__signature__" in vars(found):
                holder.set_member(name, _as_completed(member, found))


def _imported(member: griffe.Object) -> Any:
    """The imported object; None if its module was not imported, as no test may import all of them."""
    found: Any = None
    try:
        found = griffe.dynamic_import(member.path)
    except ImportError:
        return None
    return getattr(found, "__func__", found)


def _as_completed(member: griffe.Function | griffe.Attribute, found: types.FunctionType) -> griffe.Function:
    function = griffe.Function(member.name, lineno=member.lineno, endlineno=member.endlineno, parent=member.parent)
    signature = inspect.signature(found)
    written = member.parameters if isinstance(member, griffe.Function) else griffe.Parameters()
    parameters = [
        griffe.Parameter(
            name,
            annotation=written[name].annotation if name in written else inspect.formatannotation(parameter.annotation),
            kind=_KINDS[parameter.kind],
            default=None if parameter.default is parameter.empty else repr(parameter.default),
        )
        for name, parameter in signature.parameters.items()
    ]
    function.parameters = griffe.Parameters(*parameters)
    if isinstance(member, griffe.Function):
        function.returns = member.returns
        function.decorators = member.decorators
        function.labels |= member.labels
    else:
        function.returns = inspect.formatannotation(signature.return_annotation)
    function.docstring = griffe.Docstring(
        inspect.cleandoc(found.__doc__ or ""),
        lineno=member.docstring.lineno if member.docstring else member.lineno,
        parent=function,
        parser=griffe.Parser.google,
        parser_options=PARSING,
    )
    return function


@cache
def package() -> griffe.Module:
    """The package as griffe reads it, completed."""
    found = griffe.load(
        "ancestral",
        search_paths=[SOURCES],
        extensions=griffe.load_extensions(Completed),
        docstring_parser=griffe.Parser.google,
        docstring_options=PARSING,
        resolve_aliases=True,
    )
    assert isinstance(found, griffe.Module)
    return found


@cache
def public_names() -> dict[str, str]:
    """The public functions and classes of `ancestral`, `ancestral.simulate` and `ancestral.testing`: where each is."""
    found = {}
    for prefix, module in [("", ancestral), ("simulate.", ancestral.simulate), ("testing.", testing)]:
        for name in module.__all__:
            value = getattr(module, name)
            if isinstance(value, type | types.FunctionType):
                found[prefix + name] = f"{value.__module__}.{value.__qualname__}"
    return found
