"""Small calls that import what larger ones need, made by processes that wait for something to do."""

import warnings

__all__ = ["warm_reading", "warm_search"]

#: Twelve rows of two columns, which neither a description nor a search complains of.
_ROWS = {
    "x": [3.1, 1.4, 4.5, 1.9, 9.2, 2.6, 6.5, 5.3, 3.5, 8.9, 7.9, 0.3],
    "y": [2.7, 7.1, 1.8, 8.2, 2.5, 8.5, 1.6, 8.1, 2.2, 8.3, 4.4, 5.9],
}


def warm_reading() -> None:
    """Import what descriptions, answers, reports and pictures need."""
    import igraph  # places the boxes of pictures
    import polars as pl

    import ancestral as an
    from ancestral.show import plot, report
    from ancestral.studio import asking, comparing, describing, pictures

    assert all((asking, comparing, describing, igraph, an.load, an.load_bootstrap, pictures, plot, report))
    an.describe(pl.DataFrame(_ROWS)).to_dict()


def warm_search() -> None:
    """Import what searches and bootstraps need."""
    import polars as pl

    import ancestral as an
    from ancestral.studio import refusals

    assert all((an.bootstrap, refusals))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        an.discover(pl.DataFrame(_ROWS), algorithm="icd", progress=False)
