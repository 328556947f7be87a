"""What the page of a window of time series shows beside its run: fixed places, copies, remarks, a section."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from ancestral.graphs import PAG
from ancestral.show.labels import plain
from ancestral.show.layout import Arrangement
from ancestral.show.picture import Text

__all__ = ["Frame"]

Pair = tuple[str, str]

#: Nodes up to which a page has remarks about all pairs; of more, about edges.
MOST_REMARKED = 60


@dataclass(frozen=True)
class Frame:
    """How a page differs from that of other runs.

    - `title`: the title; `facts`: labels and values in the place of facts with these labels.
    - `boxes`: where the nodes stand, and how edges run.
    - `captions`: texts beside the boxes.
    - `latest`: for each pair that has a later copy, the copy that ends at t.
    - `remarks`: sentences about a pair, which come after its reasons.
    - `lessons`: how to read the picture: a kind of line, "latest", "copy" or "early", and a sentence each.
    - `doubt`: what is said if it was not checked how certain the marks are.
    - `section`: a section of the page, as HTML in which every name is escaped.
    """

    title: str
    facts: Mapping[str, tuple[str, str]]
    boxes: Arrangement
    captions: Sequence[Text]
    latest: Mapping[Pair, Pair]
    remarks: Callable[[str, str], Iterable[str]]
    lessons: Sequence[tuple[str, str]]
    doubt: str
    section: str

    def framed(self, values: dict[str, Any], pag: PAG, number: Mapping[str, int]) -> dict[str, Any]:
        """What the page shows, `values` of the run, with all that is different here."""
        pairs = combinations(number, 2) if len(number) <= MOST_REMARKED else [(a, b) for a, _, b in pag.edges()]
        remarks = [[number[a], number[b], [plain(text) for text in self.remarks(a, b)]] for a, b in pairs]
        return {
            **values,
            "title": plain(self.title),
            "facts": [(label, plain(text)) for label, text in (self.facts.get(row[0], row) for row in values["facts"])],
            "captions": [[*np.round(text.at, 1).tolist(), plain(text.text), text.anchor] for text in self.captions],
            "copies": [[number[a], number[b], number[c], number[d]] for (a, b), (c, d) in self.latest.items()],
            "remarks": [row for row in remarks if row[2]],
            "belief": [self.doubt] if values["belief"] else [],
            "lessons": [*self.lessons, *values["lessons"]],
        }
