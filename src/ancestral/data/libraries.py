"""Libraries of frames: a frame of the library that a user works with."""

from collections.abc import Mapping
from typing import Any, Literal, get_args

from ancestral.arguments import one_of

__all__ = ["Library", "frame_of", "library_of"]

#: The libraries whose frames are given.
Library = Literal["polars", "pandas", "pyarrow"]


def frame_of(columns: dict[str, Any], library: Library = "polars") -> Any:
    """A frame of the given library, made of lists or of series of polars; None becomes a null of that library."""
    one_of("library", library, get_args(Library))
    if library == "pandas":
        import pandas as pd

        return pd.DataFrame({name: _listed(values) for name, values in columns.items()})
    import polars as pl

    frame = pl.DataFrame(columns, strict=False)
    return frame.to_arrow() if library == "pyarrow" else frame


def _listed(values: Any) -> list[Any]:
    return list(values.to_list() if hasattr(values, "to_list") else values)


def library_of(source: Any) -> Library:
    """The library of the source, in which its user may want to see results; polars if the source is not a frame.

    Of samples it is the library of the first.
    """
    if isinstance(source, Mapping):
        return library_of(next(iter(source.values()), None))
    match type(source).__module__.split(".")[0]:
        case "pandas":
            return "pandas"
        case "pyarrow":
            return "pyarrow"
    return "polars"
