"""Attack the package for longer than the suite has time for, and write docs/attacks.md: `make attack`.

    python -m tests.checks.attack [--seed 1] [--share 1.0] [--only WORD ...]

Each class of attempts has a generator, which the suite runs for a few seconds with other seeds. The first attempt that
ends in a raw exception, a hang, a broken file or a difference ends its class, and the whole check fails.
"""

import argparse
import platform
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import ancestral as an
from ancestral.version import VERSION
from tests.checks.race import race
from tests.support.hostile_arguments import attack_arguments
from tests.support.hostile_csv import run as attack_csv
from tests.support.hostile_runs import attack as attack_runs
from tests.support.hostile_types import called_wrongly

PAGE = Path(__file__).resolve().parents[2] / "docs" / "attacks.md"

BEGINNING = f"""# Hostile use

`make attack` (`python -m tests.checks.attack`) calls the package with generated hostile input and writes this page. An
attempt fails if it raises an exception that is not an `AncestralError`, hangs, damages a file or changes one that it
should not, or if two ways to do the same thing differ. The suite runs the same generators for a few seconds each, with
other seeds.

ancestral {VERSION}, Python {platform.python_version()}.

"""


@dataclass(frozen=True)
class Attack:
    """A class of attempts: their number, and the function that makes them and describes the outcome."""

    name: str
    what: str
    attempts: int
    run: Callable[[int, int], str]


def _arguments(attempts: int, seed: int) -> str:
    codes = attack_arguments(attempts, seed)
    return "exit codes " + ", ".join(f"{code}: {count:,}" for code, count in sorted(codes.items()))


def _race(writers: int) -> Callable[[int, int], str]:
    def run(attempts: int, seed: int) -> str:
        with tempfile.TemporaryDirectory() as folder:
            saved, broken = race(Path(folder), writers, attempts)
        assert not broken, f"{broken} broken reads"
        return f"{saved:,} saves, no broken read"

    return run


def _kill(attempts: int, seed: int) -> str:
    # in a process of its own: forks of one in which threads of other libraries wait may wait forever
    script = Path(__file__).with_name("kill.py")
    command = [sys.executable, str(script), "--trials", str(attempts), "--seed", str(seed)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-500:]
    return done.stdout.strip()


def _csv(attempts: int, seed: int) -> str:
    accepted = attack_csv(attempts, seed)
    return f"{accepted:,} read alike by table, stream and Python's csv; the others refused by both"


def _runs(attempts: int, seed: int) -> str:
    with tempfile.TemporaryDirectory() as folder:
        outcomes = attack_runs(attempts, seed, Path(folder)).outcomes
    return ", ".join(f"{count:,} {outcome}" for outcome, count in outcomes.most_common())


def _types(attempts: int, seed: int) -> str:
    called = called_wrongly([name for name in dir(an) if name != "Discoverer"])
    assert not called.raw, called.raw[:5]
    return f"{called.count:,} calls, each an answer or an error of ours"


ATTACKS = [
    Attack("text files", "hostile CSV: table against stream against Python's csv module", 15_000, _csv),
    Attack("run files", "changed run and bootstrap files, loaded, used, saved and resumed", 20_000, _runs),
    Attack("types", "every parameter of every public function with ten wrong values", 1, _types),
    Attack("arguments", "every option of every command with hostile values", 15_000, _arguments),
    Attack("two writers", "two processes save to one file, two read it", 100_000, _race(2)),
    Attack("eight writers", "eight processes save to one file, two read it", 100_000, _race(8)),
    Attack("kill", "a run that saves itself is killed at a random moment, and resumed", 50, _kill),
]


def main() -> None:
    """Run the attacks that the command line asks for, and write the page if all were run in full."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=1.0, help="this part of the attempts only")
    parser.add_argument("--only", nargs="*", help="attacks whose name holds one of these words")
    arguments = parser.parse_args()
    rows, failed = [], False
    for attack in ATTACKS:
        if arguments.only and not any(word in attack.name for word in arguments.only):
            continue
        attempts = max(1, round(arguments.share * attack.attempts))
        began = time.perf_counter()
        try:
            outcome = attack.run(attempts, arguments.seed)
        except Exception as error:
            traceback.print_exc()
            failed = True
            outcome = f"FAILED: {' '.join(str(error).split())[:300]}"
        seconds = time.perf_counter() - began
        rows.append(f"| {attack.name} | {attack.what} | {attempts:,} | {arguments.seed} | {outcome} |")
        print(f"{attack.name}: {attempts:,} attempts in {seconds:.0f} s: {outcome}", flush=True)
    if not arguments.only and arguments.share == 1.0:
        head = "| class | attempts are | count | seed | outcome |\n| --- | --- | --- | --- | --- |\n"
        PAGE.write_text(BEGINNING + head + "\n".join(rows) + "\n", encoding="utf-8")
    sys.exit(failed)


if __name__ == "__main__":
    main()
