"""Programs to compare with: causal-learn's FCI, and a yardstick in C++ if there is one.

causal-learn is installed into a virtual environment of its own when it is first needed (`environments`). The yardstick
is a folder named by ANCESTRAL_YARDSTICK, with `icd.cpp` and `yardstick.py`; it is compiled into `build/`.
"""

import ctypes
import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.environments import NotInstalled, python_of

FCI = Path(__file__).with_name("peer_fci.py")
#: Seconds after which a peer is stopped.
PATIENCE = 60.0


def causal_learn() -> str | None:
    """The Python that has causal-learn; None where it cannot be installed."""
    try:
        return python_of("causal-learn")
    except NotInstalled as problem:
        print(problem, file=sys.stderr)
        return None


def fci_seconds(data: Path, test: str) -> float | None:
    """Seconds of causal-learn's FCI on a saved array, without reading it; None if it is stopped."""
    python = causal_learn()
    if python is None:
        return None
    command = [python, str(FCI), str(data), test]
    try:
        answer = subprocess.run(command, check=True, timeout=PATIENCE, capture_output=True, text=True)
    except subprocess.TimeoutExpired:
        return None
    return float(answer.stdout.split()[-1])


def yardstick() -> Callable[[NDArray[np.float64], int], tuple[NDArray[np.uint8], NDArray[np.float64]]] | None:
    """A function from correlations and a number of rows to marks and counts; alpha 0.01, condition 3 "distant"."""
    named = os.environ.get("ANCESTRAL_YARDSTICK")
    if not named:
        return None
    folder = Path(named)
    compiled = Path("build/libyardstick.so").resolve()
    source = folder / "icd.cpp"
    if not compiled.exists() or compiled.stat().st_mtime < source.stat().st_mtime:
        flags = ["-O3", "-march=x86-64-v3", "-shared", "-fPIC"]
        subprocess.run(["g++", *flags, str(source), "-o", str(compiled)], check=True)
    spec = importlib.util.spec_from_file_location("yardstick", folder / "yardstick.py")
    assert spec is not None and spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    library = ctypes.CDLL(str(compiled))
    module.build = lambda: library
    run: Callable[[NDArray[np.float64], int], tuple[NDArray[np.uint8], NDArray[np.float64]]] = module.icd
    return run
