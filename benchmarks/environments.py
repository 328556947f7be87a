"""Virtual environments of their own for the programs that benchmarks compare with, below `build/`.

`python_of("causal-learn")` is the Python that has causal-learn; it is installed when it is first needed.
"""

import subprocess
import sys
from functools import cache
from pathlib import Path

__all__ = ["PACKAGES", "NotInstalled", "python_of", "version_of"]

#: What is installed for each program; the first package is the program itself.
PACKAGES: dict[str, tuple[str, ...]] = {
    "causal-learn": ("causal-learn==0.1.4.8",),
    "lingam": ("lingam==1.13.0",),
    "pgmpy": ("pgmpy==1.1.2",),
    "pyagrum": ("pyagrum==3.3.1", "pandas"),
    "tigramite": ("tigramite==5.2.10.1", "joblib"),  # it imports joblib, but does not ask for it
}

#: Seconds after which an installation is given up.
PATIENCE = 600.0


class NotInstalled(Exception):
    """A program that cannot be installed here."""


def version_of(program: str) -> str:
    """The version of a program that is compared with."""
    return PACKAGES[program][0].partition("==")[2]


@cache
def python_of(program: str) -> str:
    """The Python that has the program. Raises `NotInstalled` if it cannot be installed."""
    folder = Path("build") / f"{program}-venv"
    python = folder / "bin" / "python"
    ready = folder / PACKAGES[program][0]
    if not ready.exists():
        print(f"installing {program} into {folder}", file=sys.stderr)
        try:
            subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
            install = [str(python), "-m", "pip", "install", "-q", *PACKAGES[program]]
            subprocess.run(install, check=True, timeout=PATIENCE)
        except (subprocess.SubprocessError, OSError) as problem:
            raise NotInstalled(f"{program} cannot be installed: {problem}") from problem
        ready.touch()
    return str(python)
