"""The site, built once for all processes that test it."""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.conftest import browser as browser
from tests.browser.conftest import page as page
from tools.site.outside import ROOT


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the built site. A warning of the build is an error."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder, done = shared / "site", shared / "site-is-built"
    with (shared / "site-lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(folder)]
            environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
            built = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
            assert built.returncode == 0, built.stdout + built.stderr
            done.touch()
    return folder
