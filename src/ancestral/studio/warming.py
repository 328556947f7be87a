"""Small calls that import what larger ones need, made by processes that wait for something to do."""

import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

__all__ = ["warm_reading", "warm_search"]

#: Twelve rows of two columns, which neither a description nor a search complains of.
_ROWS = {
    "x": [3.1, 1.4, 4.5, 1.9, 9.2, 2.6, 6.5, 5.3, 3.5, 8.9, 7.9, 0.3],
    "y": [2.7, 7.1, 1.8, 8.2, 2.5, 8.5, 1.6, 8.1, 2.2, 8.3, 4.4, 5.9],
}


def warm_reading() -> None:
    """Import what descriptions, answers, reports and pictures need."""
    _import_igraph()
    import polars as pl

    import ancestral as an
    from ancestral.show import report
    from ancestral.studio import asking, comparing, describing
    from ancestral.studio.pictures import stage_picture
    from ancestral.studio.reading import overview

    assert all((asking, comparing, describing, an.load_bootstrap, report))
    an.describe(pl.DataFrame(_ROWS)).to_dict()
    with tempfile.TemporaryDirectory() as folder:
        _search_small(folder)
        overview(folder)
        stage_picture(folder, "last")


def warm_search() -> None:
    """Import what searches and bootstraps need."""
    import ancestral as an
    from ancestral.studio import refusals

    assert all((an.bootstrap, refusals))
    with tempfile.TemporaryDirectory() as folder:
        _search_small(folder)


def _search_small(folder: str) -> None:
    """Search the small table, and save the run in a folder."""
    import polars as pl

    import ancestral as an

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        an.discover(pl.DataFrame(_ROWS), algorithm="icd", progress=False, save=Path(folder) / "run.json")


def _import_igraph() -> None:
    """Import what places the boxes of pictures, without matplotlib: igraph would import it, for half a second."""
    modules: dict[str, Any] = sys.modules
    before = modules.get("matplotlib")
    modules["matplotlib"] = None  # what `import` understands as a package that is not there
    try:
        import igraph

        assert igraph
    finally:
        del modules["matplotlib"]
        if before is not None:
            modules["matplotlib"] = before
