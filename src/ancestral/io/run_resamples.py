"""The resamples of a run in its file: the graphs that were found in them, for each reading of the data."""

from typing import Any

from ancestral.certainty.resamples import Resamples
from ancestral.io.checked_json import JsonValue
from ancestral.io.graph_lists import graphs_part, read_graphs
from ancestral.io.saved import PartsReader, PartsWriter

__all__ = ["KEY", "read_resamples", "resamples_part"]

#: The key of this part; files of runs without resamples do not have it.
KEY = "resamples"

#: The most resamples of a reading, and the most readings: a small file must not ask for much memory.
MOST_RESAMPLES, MOST_READINGS = 1_000_000, 16

#: Reasons why fewer resamples were searched than asked for.
STOPPED = ("time limit", "interrupt", "executor")


def resamples_part(write: PartsWriter, resamples: Resamples | None) -> dict[str, Any]:
    """The key with the resamples; empty if there are none."""
    if resamples is None:
        return {}
    readings = [{"reading": reading, **graphs_part(write, graphs)} for reading, graphs in resamples.graphs.items()]
    return {
        KEY: {
            "seed": resamples.seed,
            "wanted": resamples.wanted,
            "repeats": resamples.repeats,
            "stopped": resamples.stopped,
            "readings": readings,
        }
    }


def read_resamples(reader: PartsReader, document: JsonValue) -> Resamples | None:
    """The resamples of a document, checked; None if it has none. Its columns are the last ones of the file."""
    if KEY not in document.value:
        return None
    place = document.key(KEY)
    place.only("seed", "wanted", "repeats", "stopped", "readings")
    wanted = place.key("wanted").whole(1, MOST_RESAMPLES)
    repeats = place.key("repeats").whole(0, wanted)
    stopped = place.key("stopped")
    reason = None if stopped.is_null else stopped.text(*STOPPED)
    if (reason is None) != (repeats == wanted):
        stopped.fail("null where all resamples were searched, and otherwise the reason")
    items = place.key("readings")
    if not isinstance(items.value, list) or not 0 < len(items.value) <= MOST_READINGS:
        items.fail(f"a list of 1 to {MOST_READINGS} readings")
    graphs = {}
    for item in items.items():
        item.only("reading", "found", "graphs")
        graphs[item.key("reading").text()] = read_graphs(reader, item, repeats)
    if len(graphs) < len(items.value):
        items.fail("readings with different names")
    seed = place.key("seed").whole(0, (1 << 64) - 1)
    return Resamples(tuple(reader.names), seed, wanted, graphs, reason)
