"""Run the commands in the pages of docs/worked, and write what they print into the pages.

    python -m tools.worked FOLDER

FOLDER holds the data files of the pages, whose first lines say where to get them. A block of a page that is marked as
`console` has a command on its first line, after `$ `; what follows is replaced by what the command prints. A line of
dots stands for lines that are left out: it and all that follows stay away after as many lines as stood before it.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PAGES = Path(__file__).resolve().parents[1] / "docs" / "worked"
BLOCK = re.compile(r"^```console\n\$ ([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LEFT_OUT = "…"


def printed(command: str, folder: Path) -> str:
    """What a command prints, results and messages in their order. Exits if it fails."""
    commands = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": commands, "COLUMNS": "120", "TERMINAL_WIDTH": "120", "NO_COLOR": "1"}
    done = subprocess.run(
        command, shell=True, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if done.returncode not in (0, 4):
        sys.exit(f"{command}\n{done.stdout}")
    return done.stdout.rstrip("\n") + "\n" if done.stdout.strip() else ""


def renewed(block: re.Match[str], folder: Path) -> str:
    """A block with the output of its command."""
    command, before = block.group(1), block.group(2).splitlines()
    output = printed(command, folder).splitlines()
    if LEFT_OUT in before:
        output = [*output[: before.index(LEFT_OUT)], LEFT_OUT]
    return "\n".join(["```console", f"$ {command}", *(line.rstrip() for line in output), "```"])


def main() -> None:
    """Renew all pages, each in a folder of its own with the data in it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    data = parser.parse_args().folder
    for page in sorted(PAGES.glob("*.md")):
        with tempfile.TemporaryDirectory() as name:
            for path in data.iterdir():
                shutil.copy(path, name)
            text = page.read_text(encoding="utf-8")
            page.write_text(BLOCK.sub(lambda block: renewed(block, Path(name)), text), encoding="utf-8")
        print(f"renewed {page.name}")


if __name__ == "__main__":
    main()
