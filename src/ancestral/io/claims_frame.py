"""The claims of a graph as a frame, with a row for each."""

from collections.abc import Sequence
from typing import Any

from ancestral.data.libraries import Library, frame_of
from ancestral.graphs import PAG
from ancestral.io.frames import series
from ancestral.search.claims import ClaimEvidence

__all__ = ["claims_frame"]


def claims_frame(pag: PAG, rows: Sequence[tuple[str, str, ClaimEvidence]], library: Library) -> Any:
    """A frame with a row for each of these pairs and claims; see `Discovery.claims_frame`."""
    import polars as pl

    claims = [claim for _, _, claim in rows]
    columns = [
        series("a", [a for a, _, _ in rows], "text"),
        series("edge", [pag.edge(a, b) for a, b, _ in rows], "text"),
        series("b", [b for _, b, _ in rows], "text"),
        series("claim", [claim.kind for claim in claims], "text"),
        series("at", [None if claim.kind in ("edge", "no edge") else claim.y for claim in claims], "text"),
        series("evidence", [claim.evidence for claim in claims], "number"),
        pl.Series("known", [claim.known for claim in claims], dtype=pl.Boolean),
        series("true_share", [claim.true_share for claim in claims], "number"),
    ]
    return frame_of({column.name: column for column in columns}, library)
