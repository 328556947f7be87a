"""Seconds, questions and memory of every kind of search, beside peers: `make bench`.

    python -m benchmarks.bench [--large] [--only counts gaussian phases algorithms kinds oracle sets overhead
                                                 workers executors fci bootstrap]

It begins with the counts of `benchmarks.counting`, compared with those of the last release.

Each case runs in a process of its own. If ANCESTRAL_YARDSTICK names a folder with the yardstick (`peers`), the
Gaussian search is compared with it; causal-learn is installed into an environment of its own and measured, too.
docs/speed.md holds the output of a run.
"""

import argparse
import os
import platform
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks import (
    algorithms,
    bootstrap,
    counting,
    executors,
    fci,
    gaussian,
    icd_sep,
    kinds,
    oracle,
    overhead,
    phases,
    workers,
)


def machine() -> str:
    """A description of the machine."""
    info = Path("/proc/cpuinfo")
    models = (
        [line.split(":", 1)[1].strip() for line in info.read_text().splitlines() if "model name" in line]
        if info.exists()
        else []
    )
    return f"{os.cpu_count()} cores, {models[0] if models else platform.machine()}, Python {platform.python_version()}"


def main() -> None:
    """Print the tables."""
    sections: dict[str, Callable[[bool], object]] = {
        "counts": lambda _: counting.compare(counting.count()),
        "gaussian": gaussian.report,
        "phases": lambda _: phases.report(),
        "algorithms": lambda _: algorithms.report(),
        "kinds": kinds.report,
        "oracle": lambda _: oracle.report(),
        "sets": lambda _: icd_sep.report(),
        "overhead": lambda _: overhead.report(),
        "workers": lambda _: workers.report(),
        "executors": lambda _: executors.report(),
        "fci": lambda _: fci.report(),
        "bootstrap": lambda _: bootstrap.report(),
    }
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--large", action="store_true", help="also 10 000 variables, and 200 columns of 100 000 rows")
    parser.add_argument("--only", nargs="+", choices=sections, default=list(sections))
    options = parser.parse_args()
    print(f"Machine: {machine()}.\n", flush=True)
    begin = time.perf_counter()
    for name in options.only:
        sections[name](options.large)
    print(f"The whole took {time.perf_counter() - begin:.0f} s.")


if __name__ == "__main__":
    main()
