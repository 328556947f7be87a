"""Docstrings for the reference: options that are declared once are listed in full, and examples become code blocks.

An extension of Griffe, which reads the sources without running them. Functions under `with_options` get their signature
and the list of their options when the package is imported, so these are imported here, too; so are functions that
another function makes. Where a package holds a module and a function of one name, the reference shows the function.
"""

import importlib
import inspect
import re
from functools import reduce
from typing import Any

import griffe

__all__ = ["RunTimeDocstrings", "as_markdown"]

COMPLETED_BY = "with_options"
#: What makes the functions of `ancestral.testing` that run all checks of a kind.
MADE_BY = "suite("
MARK = re.compile(r"\*(?=[-<>])|(?<=[-<>])\*")  # the star of an edge pattern
#: The modules before a name in an annotation: `ancestral.knowledge.knowledge.` before `Knowledge`.
MODULES = re.compile(r"\b(?:[a-z_]\w*\.)+(?=[A-Za-z])")


class RunTimeDocstrings(griffe.Extension):
    """Completes what can be known from the sources alone."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Complete a function with options, and put the examples of a docstring into code blocks."""
        if isinstance(obj, griffe.Function) and any(COMPLETED_BY in str(by.value) for by in obj.decorators):
            _complete(obj)
        if obj.docstring is not None:
            obj.docstring.value = as_markdown(obj.docstring.value)

    def on_package(self, *, pkg: griffe.Module, **kwargs: Any) -> None:
        """Let public names stand for what is imported under them, not for modules of the same name."""
        for public in list(pkg.members.values()):
            if isinstance(public, griffe.Alias):
                home, _, name = public.target_path.rpartition(".")
                module = pkg.modules_collection[home] if home else pkg
                if name in module.modules and name in module.imports:
                    pkg.members[public.name] = griffe.Alias(public.name, module.imports[name], parent=pkg)
        for module in pkg["testing"].members.values():
            if isinstance(module, griffe.Module):
                _describe_made(module)


def _describe_made(module: griffe.Module) -> None:
    """Let the functions of a module that another function makes be functions."""
    for name, value in module.members.items():
        if isinstance(value, griffe.Attribute) and str(value.value).startswith(MADE_BY):
            made = griffe.Function(name, lineno=value.lineno, endlineno=value.endlineno, parent=module)
            made.docstring = griffe.Docstring("", parent=made)
            _complete(made)
            made.docstring.value = as_markdown(made.docstring.value)
            module.members[name] = made


def _complete(described: griffe.Function) -> None:
    """Take signature and docstring from the imported function."""
    module = described.module.path
    names = described.path.removeprefix(f"{module}.").split(".")
    value: Any = reduce(inspect.getattr_static, names, importlib.import_module(module))
    function = getattr(value, "__func__", value)
    if described.docstring is not None:
        described.docstring.value = inspect.getdoc(function) or ""
    described.parameters = griffe.Parameters(*map(_parameter, inspect.signature(function).parameters.values()))


def _parameter(parameter: inspect.Parameter) -> griffe.Parameter:
    empty = inspect.Parameter.empty
    annotation = parameter.annotation
    if annotation is not empty and not isinstance(annotation, str):
        annotation = MODULES.sub("", inspect.formatannotation(annotation))
    return griffe.Parameter(
        parameter.name,
        annotation=None if annotation is empty else annotation,
        kind=getattr(griffe.ParameterKind, parameter.kind.name.lower()),
        default=None if parameter.default is empty else repr(parameter.default),
    )


def as_markdown(text: str) -> str:
    """A docstring with each example that begins a paragraph in a code block, and without emphasis by chance: `*->`.

    >>> as_markdown("From *-> on.\\n\\n>>> 1 + 1\\n2\\n\\nMore.")
    'From \\\\*-> on.\\n\\n```pycon\\n>>> 1 + 1\\n2\\n```\\n\\nMore.'
    """
    paragraphs, fenced = [], False
    for paragraph in re.split(r"\n[ \t]*\n", text):
        if paragraph.startswith(">>> ") and not fenced:
            paragraph = f"```pycon\n{paragraph}\n```"
        elif paragraph.count("```") % 2:
            fenced = not fenced
        elif not fenced and ">>> " not in paragraph:
            pieces = paragraph.split("`")
            pieces[::2] = [MARK.sub(r"\\*", piece) for piece in pieces[::2]]
            paragraph = "`".join(pieces)
        paragraphs.append(paragraph)
    return "\n\n".join(paragraphs)
