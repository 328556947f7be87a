"""What the page shows of data before they are searched: `describe` as plain values."""

from typing import Any

import ancestral as an
from ancestral.describing.advice import in_shell
from ancestral.describing.shapes import histogram_of, shape_in_words
from ancestral.printing import visible
from ancestral.studio.refusals import sentence_of

__all__ = ["described"]

#: Levels of a column that are sent.
MOST_VALUES = 50
#: Characters of a level that are sent.
LONGEST_VALUE = 200


def described(source: str, keywords: dict[str, Any]) -> dict[str, Any]:
    """The description of a file, read with these options; one that cannot be read at all is `refused` in a sentence."""
    try:
        description = an.describe(source, **keywords)
    except an.AncestralError as error:
        return {
            "rows": 0, "columns": [], "advice": [], "errors": [], "refused": sentence_of(error), "variables": [],
            "warnings": [], "test": None, "algorithm": None,
        }  # fmt: skip
    faults = [sentence_of(fault) for fault in description.faults]
    values = description.to_dict()
    about = {row["name"]: row["warnings"] for row in values["columns"]}
    on_page = {str(said): sentence_of(said) for said in (*description.warnings, *description.faults)}
    kinds = keywords.get("kinds") or {}
    columns = [
        {
            "name": column.name,
            "kind": column.kind,
            "given": column.name in kinds,
            "why": column.why,
            "distinct": column.different,
            "missing": column.missing,
            "summary": shape_in_words(column),
            "histogram": histogram_of(column),
            "doubts": [on_page.get(text, visible(text)) for text in about[column.name]],
            "values": [level[:LONGEST_VALUE] for level in list(column.levels or ())[:MOST_VALUES]],
        }
        for column in description.columns
    ]
    return {
        "rows": description.rows,
        "columns": columns,
        "advice": [visible(advice.worded(in_shell)) for advice in description.advice],
        "errors": faults,
        "warnings": [sentence_of(warning) for warning in description.warnings],
        "refused": "\n".join(faults) or None,
        "variables": [column.name for column in description.columns if column.is_variable],
        "test": values["test"],
        "algorithm": values["algorithm"],
    }
