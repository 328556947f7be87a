"""Kill a run that saves itself, at random moments and without warning; then resume it.

`python -m tests.checks.kill --trials 200 --seed 1` (also `make kill`) prints one line. It fails if a file is ever half
written, or if a resumed run ends with a file that differs from that of an uninterrupted run.
"""

import argparse
import os
import signal
import tempfile
import time
from pathlib import Path

import numpy as np

import ancestral as an
import ancestral.cli.discover
import ancestral.discovery  # before there are children, which then need not
from ancestral.cli.app import run

__all__ = ["Trials"]


class Trials:
    """Runs of the command line on one table, in processes that are killed."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.data = folder / "data.csv"
        self.run = folder / "run.json"
        # each column depends on all before it, so hardly anything is separated and every radius has its work
        values = self.rng.normal(size=(2000, 15))
        for i in range(1, values.shape[1]):
            values[:, i] += values[:, :i] @ self.rng.uniform(0.2, 0.5, size=i)
            values[:, i] /= values[:, i].std()
        header = ",".join(f"v{i}" for i in range(values.shape[1]))
        np.savetxt(self.data, values, delimiter=",", header=header, comments="")
        self.killed = 0
        self.found_half_way = 0
        began = time.monotonic()
        self.finish("--save")
        self.seconds = time.monotonic() - began
        self.expected = self.run.read_bytes()
        self.run.unlink()

    def start(self, how: str) -> int:
        """Start a process that runs the search; its id."""
        child = os.fork()
        if child:
            return child
        try:
            quiet = os.open(os.devnull, os.O_WRONLY)
            os.dup2(quiet, 1)
            os.dup2(quiet, 2)
            options = ["--possible-ancestors", "off", "--alpha", "0.05", "--no-progress"]
            code = run(["discover", str(self.data), *options, how, str(self.run)])
        except BaseException:
            code = 70
        os._exit(code)

    def finish(self, how: str) -> None:
        """Run the search to its end."""
        _, status = os.waitpid(self.start(how), 0)
        assert os.waitstatus_to_exitcode(status) == 0, status

    def kill(self, how: str) -> None:
        """Start the search, and kill it at a random moment: of the whole run, or soon after it has saved a stage."""
        before = self.saved()
        child = self.start(how)
        if self.rng.random() < 0.5:
            time.sleep(self.rng.uniform(0, 1.1 * self.seconds))
        else:
            while self.saved() == before and os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                time.sleep(0.001)
            time.sleep(self.rng.uniform(0, 0.1 * self.seconds))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        self.killed += 1

    def saved(self) -> int:
        """When the run file was last written; 0 if there is none."""
        return self.run.stat().st_mtime_ns if self.run.exists() else 0

    def trial(self) -> None:
        """Kill a run once or more often, and resume it."""
        self.run.unlink(missing_ok=True)
        self.kill("--save")
        while self.run.exists() and self.rng.random() < 0.4:
            self.kill("--resume")
        if self.run.exists():
            self.found_half_way += not an.load(self.run).complete  # never half-written
        self.finish("--resume" if self.run.exists() else "--save")
        assert self.run.read_bytes() == self.expected


def main() -> None:
    """Run the trials that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        trials = Trials(Path(folder), arguments.seed)
        for _ in range(arguments.trials):
            trials.trial()
    print(
        f"{arguments.trials} runs (seed {arguments.seed}), killed {trials.killed} times, {trials.found_half_way} files "
        f"found unfinished: each resumed to the identical file of {len(trials.expected):,} bytes"
    )


if __name__ == "__main__":
    main()
