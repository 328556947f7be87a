"""The content of a description, which text, page and files show: columns, choices, faults, warnings and advice."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ancestral.data.doubts.doubt import Doubt
from ancestral.data.errors import DataWarning
from ancestral.data.survey.column_survey import ColumnSurvey
from ancestral.describing.advice import Advice
from ancestral.describing.choices import Choice
from ancestral.describing.cures import dropped_by
from ancestral.errors import AncestralError, Message
from ancestral.printing import counted

__all__ = ["Content"]


def _place(column: ColumnSurvey) -> tuple[bool, bool, str]:
    """Where a column is counted: variables by their kinds, then what cannot be read, then weights and clusters."""
    return not column.is_variable, column.kind is None, column.kind or ""


def _in_words(column: ColumnSurvey) -> str:
    if column.kind is None:
        return "not readable"
    return column.kind if column.is_variable else f"of {column.kind}"


@dataclass(frozen=True)
class Content:
    """What a description says. `title` names the source, and `not_known` says what sums over rows cannot tell."""

    title: str
    columns: tuple[ColumnSurvey, ...]
    rows: int
    complete_rows: int | None
    test: Choice | None
    algorithm: Choice | None
    faults: tuple[AncestralError, ...]
    warnings: tuple[DataWarning, ...]
    advice: tuple[Advice, ...]
    not_known: Advice | None

    @property
    def headline(self) -> str:
        """The source in a sentence."""
        kinds = Counter(_in_words(column) for column in sorted(self.columns, key=_place))
        parts = [f"{count:,} {kind}" for kind, count in kinds.items()] if self.rows else []
        out = f"{self.title}: {counted(self.rows, 'row')}, {counted(len(self.columns), 'column')}"
        out += f" ({', '.join(parts)})" if parts else ""
        if self.complete_rows is not None and self.complete_rows < self.rows:
            out += f"; {counted(self.complete_rows, 'row')} without missing values"
        return out

    @cached_property
    def about(self) -> dict[str, list[Message]]:
        """The faults and warnings that name a column, by its name."""
        out: dict[str, list[Message]] = {}
        names = [column.name for column in self.columns]
        messages: list[Message] = [*self.faults, *self.warnings]
        for message in messages:
            text = str(message)
            columns = {*dropped_by(message), *(message.columns if isinstance(message, Doubt) else ())}
            for name in names:
                if name in columns or repr(name) in text:
                    out.setdefault(name, []).append(message)
        return out

    def references(self, name: str) -> str:
        """The numbers of the faults and warnings that name a column, as in "fault 1, warning 2"."""
        told: Sequence[Message] = self.about.get(name, [])
        numbered: list[tuple[Sequence[Message], str]] = [(self.faults, "fault"), (self.warnings, "warning")]
        return ", ".join(
            f"{what} {i}"
            for messages, what in numbered
            for i, message in enumerate(messages, start=1)
            if any(message is one for one in told)
        )
