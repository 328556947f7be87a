"""The ICD paper in one command: every experiment, figure and table, with our numbers beside the printed ones.

Experiments use the public names of ancestral alone, as a user would; the code around them also uses internal helpers,
to check arguments, write files and show progress. `ancestral reproduce` is the command.
"""

from collections.abc import Sequence
from pathlib import Path

from ancestral.arguments import MOST_SEED, whole_number, worker_count
from ancestral.errors import refuse_unknown
from ancestral.io.files import write_atomically
from ancestral.reproduce.accuracy import ACCURACY
from ancestral.reproduce.conclusions import conclusions
from ancestral.reproduce.example import SEVEN
from ancestral.reproduce.experiment import FULL, QUICK, Experiment, Results, Scale
from ancestral.reproduce.figures import need_matplotlib, save
from ancestral.reproduce.large import LARGE
from ancestral.reproduce.oracle import AGAINST_FCI, AGAINST_RFCI
from ancestral.reproduce.order import ORDER
from ancestral.reproduce.page import Block, Drawing, Heading, Text, as_html, as_markdown
from ancestral.reproduce.runner import finished, results, run_jobs
from ancestral.reproduce.stages import STAGES
from ancestral.version import VERSION

__all__ = ["EXPERIMENTS", "FULL", "QUICK", "Scale", "reproduce"]

#: The experiments by name, in the order of the page.
EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment for experiment in (AGAINST_FCI, AGAINST_RFCI, ACCURACY, SEVEN, STAGES, ORDER, LARGE)
}

TITLE = "The ICD paper, reproduced"


def reproduce(
    out: Path, *, scale: Scale = FULL, only: Sequence[str] | None = None, workers: int = 2, seed: int = 0
) -> list[Path]:
    """Run the experiments, or some of them; write a CSV and figures for each, and a page about all.

    Parameters: `out` is the folder; `scale` is how many graphs and rows are used; `only` are names of experiments, all
    of them if None; `workers` is the number of processes; DAG number i of a size has the seed `seed` + i.

    Returns the paths of the page, as Markdown and as HTML. Results that are in the folder already, with the same
    settings, are used again, and are on the page, too.

    Raises `UnknownName` for names that are not experiments, `OptionError` for other options that are not of this form
    and if matplotlib is missing, `RunError` if the folder cannot be written.
    """
    chosen = _chosen(only)
    worker_count("workers", workers)
    whole_number("seed", seed, 0, MOST_SEED)
    need_matplotlib()
    run_jobs(chosen, scale, seed, out, workers)
    blocks: list[Block] = []
    collected: dict[str, Results] = {}
    for experiment in EXPERIMENTS.values():
        if experiment not in chosen and not finished(experiment, scale, seed, out):
            continue
        collected[experiment.name] = results(experiment, scale, seed, out)
        part = list(experiment.report(collected[experiment.name]))
        for block in part:
            if isinstance(block, Drawing):
                save(block.draw(), out / block.name)
        seconds = (
            f", seconds in `{experiment.name}.seconds.json`"
            if (out / f"{experiment.name}.seconds.json").exists()
            else ""
        )
        blocks += [Heading(experiment.title), *part, Text(f"Raw results: `{experiment.name}.csv`{seconds}.")]
    blocks = [Heading(TITLE, 1), Text(_introduction(scale, seed)), *conclusions(collected), *blocks]
    pages = {"README.md": as_markdown(blocks), "index.html": as_html(TITLE, blocks)}
    for name, page in pages.items():
        write_atomically(out / name, page.encode())
    return [out / name for name in pages]


def _chosen(only: Sequence[str] | None) -> list[Experiment]:
    refuse_unknown(only or (), tuple(EXPERIMENTS), "experiment")
    return [experiment for name, experiment in EXPERIMENTS.items() if not only or name in only]


def _introduction(scale: Scale, seed: int) -> str:
    kind = {FULL: "the full run", QUICK: "the quick run, with fewer DAGs,"}.get(scale, "a run of another size")
    command = f"`ancestral reproduce{' --quick' if scale == QUICK else ''} --seed {seed}`"
    return (
        f"{command}: {kind} of ancestral {VERSION}. All numbers here are computed from the CSVs that the "
        "command writes, which have the same bytes each time; only seconds differ from run to run. The paper: Rohekar, "
        "Nisimov, Gurwicz & Novik (2021), “Iterative Causal Discovery in the Possible Presence of Latent Confounders "
        "and Selection Bias”."
    )
