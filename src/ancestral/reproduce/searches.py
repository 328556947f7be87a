"""The searches that are compared: their options, by the names that tables and legends use."""

from typing import Any

__all__ = ["FCI", "FCI_PLUS", "ICD_12", "ICD_13", "ICD_OPTIONS", "OURS", "PUBLISHED", "RFCI", "VERIFIED", "options_of"]

Options = dict[str, Any]

#: The algorithms as printed: edges are removed at once, and nothing is verified.
_PRINTED: Options = {"stable": False, "verify": False}

FCI: Options = {"algorithm": "fci", **_PRINTED}
FCI_PLUS: Options = {"algorithm": "fci+", **_PRINTED}
RFCI: Options = {"algorithm": "rfci", "stable": False}  # verification is part of RFCI

#: ICD with conditions 1 and 2 of the paper, and with all three.
ICD_12: Options = {"algorithm": "icd", "possible_ancestors": "off", **_PRINTED}
ICD_13: Options = {"algorithm": "icd", "possible_ancestors": "all", **_PRINTED}

PUBLISHED = "ICD as published"
OURS = "ICD, our defaults"
VERIFIED = "ICD, verified"

#: ICD as published, with each of our options alone, and with all of them.
ICD_OPTIONS: dict[str, Options] = {
    PUBLISHED: ICD_13,
    "ICD, stable": {**ICD_13, "stable": True},
    VERIFIED: {**ICD_13, "verify": True},
    "ICD, distant": {**ICD_13, "possible_ancestors": "distant"},
    OURS: {"algorithm": "icd"},
}

_ALL: dict[str, Options] = {
    "FCI": FCI,
    "FCI+": FCI_PLUS,
    "RFCI": RFCI,
    "ICD (1–2)": ICD_12,
    "ICD (1–3)": ICD_13,
    **ICD_OPTIONS,
}


def options_of(*names: str) -> dict[str, Options]:
    """The options of the searches with these names."""
    return {name: _ALL[name] for name in names}
