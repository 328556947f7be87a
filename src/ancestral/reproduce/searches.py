"""The searches that are compared, by the names they have in tables and legends."""

from typing import Any

__all__ = ["FCI", "FCI_PLUS", "ICD_12", "ICD_13", "ICD_OPTIONS", "OURS", "PUBLISHED", "RFCI", "VERIFIED", "ways"]

Options = dict[str, Any]

_PRINTED: Options = {"stable": False, "verify": False}

FCI: Options = {"algorithm": "fci", **_PRINTED}
FCI_PLUS: Options = {"algorithm": "fci+", **_PRINTED}
RFCI: Options = {"algorithm": "rfci", "stable": False}  # its checks belong to it

#: With the conditions that are necessary, and with all of them.
ICD_12: Options = {"possible_ancestors": "off", **_PRINTED}
ICD_13: Options = {"possible_ancestors": "all", **_PRINTED}

PUBLISHED = "ICD as published"
OURS = "ICD, our defaults"
VERIFIED = "ICD, verified"

#: ICD as published, with each of our options apart, and with all of them.
ICD_OPTIONS: dict[str, Options] = {
    PUBLISHED: ICD_13,
    "ICD, stable": {**ICD_13, "stable": True},
    VERIFIED: {**ICD_13, "verify": True},
    "ICD, distant": {**ICD_13, "possible_ancestors": "distant"},
    OURS: {},
}

_ALL: dict[str, Options] = {
    "FCI": FCI,
    "FCI+": FCI_PLUS,
    "RFCI": RFCI,
    "ICD (1–2)": ICD_12,
    "ICD (1–3)": ICD_13,
    **ICD_OPTIONS,
}


def ways(*names: str) -> dict[str, Options]:
    """The options of searches by their names."""
    return {name: _ALL[name] for name in names}
