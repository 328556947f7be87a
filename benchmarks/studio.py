"""Time from dropping a file into the studio to the first picture of its graph, in a browser, beside the search alone.

    python -m benchmarks.studio

Chromium and playwright are needed, as for the tests of the pages. The search alone is that of Python, from the file to
the first stage that is saved, in a process that has searched before. The figures are those of docs/studio.md.
"""

import argparse
import shutil
import time
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, sync_playwright

import ancestral as an
from benchmarks.measure import SCRATCH, short, table
from tests.browser.studio_pages import go, running, visiting

COLUMNS, ROWS = 30, 10_000
#: Searches whose first picture is measured; "automatic" is the scored search.
ALGORITHMS = ("icd", "automatic")
#: Seconds between opening the page and dropping the file, in which the studio starts its processes.
LOOKING = 12.0

_DESCRIBED = f"() => document.getElementById('data-facts').textContent.includes('{ROWS:,} rows')"
_PICTURE = """() => !document.getElementById("stage-figure").hidden
    && document.getElementById("stage-picture").naturalWidth > 0"""


def report(repeats: int) -> None:
    """Print the table."""
    SCRATCH.mkdir(parents=True, exist_ok=True)
    path = SCRATCH / "studio.csv"
    dag = an.simulate.random_dag(nodes=COLUMNS, degree=2, seed=1, latent=0)
    an.simulate.linear_gaussian(dag, rows=ROWS, seed=1).write_csv(path)
    rows = []
    with sync_playwright() as playwright:
        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for algorithm in ALGORITHMS:
            alone = median(_first_stage(path, algorithm) for _ in range(repeats + 1))
            seconds = [_drop(browser, path, algorithm) for _ in range(repeats)]
            described, picture, both = (median(column) for column in zip(*seconds, strict=True))
            cells = (described, picture, both, alone, both - alone)
            rows.append((algorithm, *map(short, cells)))
        browser.close()
    head = ("search", "drop to description, s", "click to picture, s", "together, s", "the search alone, s")
    table((*head, "beyond the search, s"), rows)


def _first_stage(path: Path, algorithm: str) -> float:
    """Seconds that Python takes from the file to the first stage of the search."""
    run = SCRATCH / "studio-run.json"
    run.unlink(missing_ok=True)
    begin = time.perf_counter()
    saved: list[float] = []

    def told(_: object) -> None:
        if run.exists():
            saved.append(time.perf_counter() - begin)

    an.discover(path, algorithm=None if algorithm == "automatic" else algorithm, progress=told, save=run)
    return saved[0] if saved else time.perf_counter() - begin


def _drop(browser: Browser, path: Path, algorithm: str) -> tuple[float, float, float]:
    """Seconds from drop to description, from click to picture, and their sum."""
    folder = SCRATCH / "studio"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    with running(folder) as studio, visiting(browser, studio) as person:
        page = person.opens()
        go(page, "search")
        time.sleep(LOOKING)
        go(page, "data")
        begin = time.perf_counter()
        page.set_input_files("#file", path)
        page.wait_for_function(_DESCRIBED)
        described = time.perf_counter() - begin
        go(page, "search")
        if algorithm != "automatic":
            page.select_option("#algorithm", algorithm)
            page.wait_for_function(
                "name => document.getElementById('command').textContent.includes(name)", arg=algorithm
            )
        begin = time.perf_counter()
        page.click("#start")
        page.wait_for_function(_PICTURE)
        picture = time.perf_counter() - begin
    return described, picture, described + picture


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    report(parser.parse_args().repeats)
