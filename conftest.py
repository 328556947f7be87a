"""Import the whole package before pytest collects doctests: it would make a second copy of a module not yet imported.

The registries would then exist twice, and what a page adds to one of them would be missing in the other.
"""

import pkgutil
from importlib import import_module

import pytest

import ancestral

for module in pkgutil.walk_packages(ancestral.__path__, "ancestral."):
    if not module.name.endswith(".__main__"):
        import_module(module.name)


@pytest.fixture(autouse=True)
def _examples_of_pages_write_elsewhere(request: pytest.FixtureRequest) -> None:
    """Run the examples of a page in an empty folder: some draw pictures."""
    if request.node.path.suffix == ".md":
        request.getfixturevalue("monkeypatch").chdir(request.getfixturevalue("tmp_path"))
