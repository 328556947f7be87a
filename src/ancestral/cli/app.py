"""The commands together, and how a command ends: exit codes, errors and warnings in one line, signals.

No large library is imported here: what a command needs is imported when it runs, so that `--help` comes at once.
"""

import contextlib
import os
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Annotated, Any

import typer

from ancestral.cli import (
    bootstrap,
    causes,
    compare,
    convert,
    demo,
    describe,
    discover,
    identify,
    plot,
    possible,
    report,
    reproduce,
    series,
    simulate,
    studio,
    sweep,
    why,
)
from ancestral.cli.exit_codes import Ending, Failure, ReaderLeft
from ancestral.cli.output import note
from ancestral.errors import AncestralError, Function, Message, Method, Option
from ancestral.printing import visible
from ancestral.shell import spelled
from ancestral.version import VERSION

__all__ = ["app", "run", "spelling"]

app = typer.Typer(
    name="ancestral",
    help="Causal structure from data when not everything was measured.",
    epilog="Exit codes: 0 complete; 3 stopped early, a true graph is written; 2 bad input or usage; 1 an error in the "
    "program.\n\nExamples:\n\nancestral demo\n\nancestral discover data.csv --save run.json",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("discover", epilog=discover.EXAMPLES)(discover.discover)
app.command("series", epilog=series.EXAMPLES)(series.series)
app.command("describe", epilog=describe.EXAMPLES)(describe.describe)
app.command("bootstrap", epilog=bootstrap.EXAMPLES)(bootstrap.bootstrap)
app.command("sweep", epilog=sweep.EXAMPLES)(sweep.sweep)
app.command("why", epilog=why.EXAMPLES)(why.why)
app.command("report", epilog=report.EXAMPLES)(report.report)
app.command("plot", epilog=plot.EXAMPLES)(plot.plot)
app.command("causes", epilog=causes.CAUSES_EXAMPLES)(causes.causes)
app.command("adjust", epilog=causes.ADJUST_EXAMPLES)(causes.adjust)
app.command("identify", epilog=identify.IDENTIFY_EXAMPLES)(identify.identify)
app.command("effect", epilog=identify.EFFECT_EXAMPLES)(identify.effect)
app.command("possible", epilog=possible.POSSIBLE_EXAMPLES)(possible.possible)
app.command("sensitivity", epilog=possible.SENSITIVITY_EXAMPLES)(possible.sensitivity)
app.command("compare", epilog=compare.EXAMPLES)(compare.compare)
app.command("convert", epilog=convert.EXAMPLES)(convert.convert)
app.command("simulate", epilog=simulate.EXAMPLES)(simulate.simulate)
app.command("reproduce", epilog=reproduce.EXAMPLES)(reproduce.reproduce)
app.command("studio", epilog=studio.EXAMPLES)(studio.studio)
app.command("demo", epilog=demo.EXAMPLES)(demo.demo)


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"ancestral {VERSION}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    pass


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command; its exit code."""
    spell = spelling(*(sys.argv[1:] if arguments is None else arguments))
    with one_line_warnings(spell), termination_as_interrupt() as terminated:
        try:
            ended = app(arguments, prog_name="ancestral", standalone_mode=False)
        except (KeyboardInterrupt, typer.Abort):
            ended = Ending.INTERRUPTED
        except ReaderLeft:
            return Ending.READER_LEFT
        except Failure as error:
            return _fail(error.worded(spell), Ending.FAILURE)
        except AncestralError as error:
            for fault in getattr(error, "faults", [error]):  # of data there may be several
                _fail(fault.worded(spell), Ending.BAD_INPUT)
            return Ending.BAD_INPUT
        except OSError as error:
            place = f"{error.filename}: " if error.filename is not None else ""
            return _fail(f"{place}{error.strerror or error}", Ending.BAD_INPUT)
        except Exception as error:
            if hasattr(error, "format_message"):  # typer's own: bad usage
                return _bad_usage(error)
            return _apologize(error)
        if ended == Ending.INTERRUPTED:  # also what typer makes of Ctrl-C
            note("ancestral: interrupted")
            return Ending.TERMINATED if terminated else ended
        return ended if isinstance(ended, int) else Ending.COMPLETE


def spelling(*arguments: str) -> Callable[[Option], str]:
    """How messages spell an option while a command runs: its way, or Python's, if it has no such option."""

    @cache
    def known() -> set[str]:
        commands: Any = typer.main.get_command(app)
        command = next((commands.commands[word] for word in arguments if word in commands.commands), None)
        names = {parameter.name for parameter in command.params} if command is not None else set()
        return names | {"kinds"} if "discrete" in names else names

    def spell(option: Option) -> str:
        return spelled(option) if isinstance(option, (Function, Method)) or option.name in known() else str(option)

    return spell


def _fail(what: object, code: int) -> int:
    note(f"ancestral: error: {visible(str(what))}")
    return code


def _bad_usage(error: Any) -> int:
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()
        return Ending.BAD_INPUT
    command = getattr(getattr(error, "ctx", None), "command_path", "ancestral")
    sentence = " ".join(str(error.format_message()).split())
    return _fail(f"{sentence.rstrip('.')}; see {command} --help", Ending.BAD_INPUT)


def _apologize(error: Exception) -> int:
    if os.environ.get("ANCESTRAL_TRACEBACK"):
        traceback.print_exc()
    described = " ".join(f"{type(error).__name__}: {error}".split())
    return _fail(
        f"sorry, this should not have happened: {described}; ANCESTRAL_TRACEBACK=1 shows where, for a report",
        Ending.FAILURE,
    )


@contextlib.contextmanager
def one_line_warnings(spell: Callable[[Option], str] = str) -> Iterator[None]:
    """Show each warning in one line, without the place in the code, and with options spelled by the function."""

    def show(message: Warning | str, *place: object, **more: object) -> None:
        text = message.worded(spell) if isinstance(message, Message) else str(message)
        note(f"ancestral: warning: {visible(' '.join(text.split()))}")

    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)  # the root of DataWarning and RunWarning
        warnings.showwarning = show
        yield


@contextlib.contextmanager
def termination_as_interrupt() -> Iterator[list[int]]:
    """Let SIGTERM do what Ctrl-C does; the list is empty unless it came."""
    received: list[int] = []

    def interrupt(number: int, frame: object) -> None:
        received.append(number)
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield received
        return
    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield received
    finally:
        signal.signal(signal.SIGTERM, before)
