"""The reference of the command line, made of the commands themselves: arguments, options by heading, examples."""

import re
from collections.abc import Iterator
from typing import Any

import typer

from ancestral.cli.app import app

__all__ = ["commands"]


def commands() -> str:
    """A section for each command, as Markdown."""
    group: Any = typer.main.get_command(app)
    return "\n".join(line for name, command in group.commands.items() for line in _section(name, command))


def _section(name: str, command: Any) -> Iterator[str]:
    context = typer.Context(command, info_name=f"ancestral {name}")
    usage = " ".join(["ancestral", name, *command.collect_usage_pieces(context)])
    yield from ["", f"## ancestral {name}", "", "```", usage, "```", "", *_paragraphs(command.help)]
    panels: dict[str, list[Any]] = {}
    for parameter in command.params:
        default = "Arguments" if parameter.param_type_name == "argument" else "Options"
        panels.setdefault(getattr(parameter, "rich_help_panel", None) or default, []).append(parameter)
    for panel, parameters in panels.items():
        yield from [f"**{panel}**", ""]
        for parameter in parameters:
            if (record := parameter.get_help_record(context)) is not None:
                yield from [f"`{record[0]}`", f":   {_indented(record[1])}", ""]
    yield from _epilog(command.epilog or "")


def _epilog(text: str) -> Iterator[str]:
    """What stands below the options: examples, one to a paragraph, and remarks."""
    examples: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        if paragraph.startswith("ancestral "):
            examples.append(paragraph)
        elif paragraph.strip() != "Examples:":
            yield from _paragraphs(paragraph)
    if examples:
        yield from ["**Examples**", "", "```", *examples, "```", ""]


def _paragraphs(text: str) -> Iterator[str]:
    """A help text as Markdown: each paragraph on a line, with the characters escaped that Markdown acts on."""
    for paragraph in re.split(r"\n\s*\n", text):
        escaped = re.sub(r"([*_<>|\[\]`])", r"\\\1", " ".join(paragraph.split()))
        yield from [re.sub(r"docs/([\w-]+\.md)", r"[docs/\1](../\1)", escaped), ""]


def _indented(text: str) -> str:
    """A help text below the option that it is about."""
    return "\n    ".join(_paragraphs(text)).rstrip()
