"""`describe`, and the `Description` that it returns: how a source would be read and searched, before it is."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Unpack

from ancestral.arguments import flag, path_of
from ancestral.data import DataWarning, Moments, Table
from ancestral.data.audit import examine
from ancestral.data.doubts.row_doubts import NEED_ALL_ROWS, row_doubts
from ancestral.data.libraries import Library, frame_of, library_of
from ancestral.data.read.file_lists import located
from ancestral.data.read.kinds import MATRIX
from ancestral.data.read.matrix_files import is_matrix
from ancestral.data.read.samples import samples_in
from ancestral.data.stats.summary import Summary
from ancestral.data.survey.column_survey import ColumnSurvey
from ancestral.data.survey.survey import Survey, survey_of
from ancestral.describing.advice import Advice, Place, advice_on, in_shell
from ancestral.describing.choices import Choice, chosen_algorithm, chosen_test
from ancestral.describing.content import Content
from ancestral.describing.cures import cure_of
from ancestral.describing.page import fragment_of, page_of
from ancestral.describing.shapes import histogram_of
from ancestral.describing.template import template_of
from ancestral.describing.text import text_of
from ancestral.errors import AncestralError, Option, OptionError, RunError
from ancestral.independence.base import Makers
from ancestral.independence.choice import is_incomplete
from ancestral.independence.design_checks import fault_of_gaps, few_clusters
from ancestral.independence.registry import TESTS, name_in_registry
from ancestral.independence.sources import kind_of_source
from ancestral.io.files import write_atomically
from ancestral.io.frames import series
from ancestral.option_groups import with_options
from ancestral.options import DescribeOptions, Location, TableKeywords
from ancestral.printing import counted, listed

__all__ = ["Description", "describe"]

#: Sources that are not data.
_NO_DATA = ("test", "object", "deciding", "function")


class Description:
    """What a source holds, how `discover` would read and search it, what is wrong with it, and what to do.

    Print it to see all of it. Made by `describe`.

    Examples:
        >>> import polars as pl
        >>> description = describe(pl.DataFrame({"age": [31.5, 45, 39, 62, 28, 57], "site": ["a"] * 6}))
        >>> description.rows, description.complete_rows, [(column.name, column.kind) for column in description.columns]
        (6, 6, [('age', 'continuous'), ('site', 'discrete')])
        >>> description.test.name, description.algorithm.name, len(description.faults), len(description.warnings)
        ('mixed', 'icd', 1, 1)
        >>> print(description.text().partition("\\n")[0])
        data: 6 rows, 2 columns (1 continuous, 1 discrete)
        >>> print(description.advice[0])
        no options remove all faults: change the data as the faults say, and describe them again
        >>> description.to_dict()["rows"], description.to_frame()["median"].to_list()  # of 28, 31.5, 39, 45, 57, 62
        (6, [42.0, None])
        >>> '"rows": 6' in description.to_json(), description.to_html()[:15], description.template().splitlines()[-1]
        (True, '<!doctype html>', '# site')
    """

    def __init__(self, content: Content, library: Library = "polars") -> None:
        self._content = content
        self._library = library

    @property
    def columns(self) -> tuple[ColumnSurvey, ...]:
        """The columns, in their order: names, kinds and why, numbers of values, missing ones, levels and shapes."""
        return self._content.columns

    @property
    def rows(self) -> int:
        """The number of rows; 0 if no column can be read."""
        return self._content.rows

    @property
    def complete_rows(self) -> int | None:
        """The number of rows without a missing value; None if that is not known."""
        return self._content.complete_rows

    @property
    def test(self) -> Choice | None:
        """The test that would be chosen: its `name`, what it is `about`, and `why`; None if no column can be read."""
        return self._content.test

    @property
    def algorithm(self) -> Choice | None:
        """The algorithm that would be chosen, with its `name`, what it is `about`, and `why`; None if no column can be
        read.
        """
        return self._content.algorithm

    @property
    def faults(self) -> tuple[AncestralError, ...]:
        """The errors for which a search would be refused, all at once, each with its way out."""
        return self._content.faults

    @property
    def warnings(self) -> tuple[DataWarning, ...]:
        """The warnings that a search would give."""
        return self._content.warnings

    @property
    def advice(self) -> tuple[Advice, ...]:
        """What to do, with calls that can be followed."""
        return self._content.advice

    def text(self, *, for_shell: bool = False) -> str:
        """The description as text.

        Args:
            for_shell: Write options and calls as commands.

        Returns:
            The text.
        """
        return text_of(self._content, in_shell if flag("for_shell", for_shell) else str)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        faults = f", {counted(len(self.faults), 'fault')}" if self.faults else ""
        return f"<Description of {self._content.headline}{faults}>"

    def to_frame(self, library: Library | None = None) -> Any:
        """A frame with a row for each column.

        Args:
            library: "polars", "pandas" or "pyarrow"; by default that of the source, otherwise polars.

        Returns:
            The frame.

        Raises:
            OptionError: If there is no such library.
        """
        rows = [self._row(column) for column in self.columns]
        kinds = {
            "name": "text", "kind": "text", "why": "text", "values": "count", "missing": "count",
            "missing_share": "number", "different": "count", "levels": "text", "low": "number", "median": "number",
            "high": "number", "mean": "number", "sd": "number", "skewness": "number", "zeros": "count",
            "histogram": "text", "warning": "text",
        }  # fmt: skip
        columns = {name: series(name, [row[name] for row in rows], kind) for name, kind in kinds.items()}
        return frame_of(columns, self._library if library is None else library)

    def _row(self, column: ColumnSurvey) -> dict[str, Any]:
        levels = column.levels
        return {
            "name": column.name,
            "kind": column.kind,
            "why": column.why,
            "values": column.values,
            "missing": column.missing,
            "missing_share": column.missing_share,
            "different": column.different,
            "levels": None if levels is None else json.dumps(dict(levels), ensure_ascii=False),
            "low": column.low,
            "median": column.median,
            "high": column.high,
            "mean": column.mean,
            "sd": column.sd,
            "skewness": column.skewness,
            "zeros": column.zeros,
            "histogram": histogram_of(column) or None,
            "warning": "\n".join(map(str, self._content.about.get(column.name, ()))) or None,
        }

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values.

        Returns:
            A dictionary, which can be written as JSON.
        """
        columns = []
        for column in self.columns:
            row = self._row(column)
            row["levels"] = None if column.levels is None else dict(column.levels)
            row["histogram"] = None if column.histogram is None else list(column.histogram)
            row["warnings"] = [str(message) for message in self._content.about.get(column.name, ())]
            del row["warning"]
            columns.append(row)
        return {
            "source": self._content.title,
            "rows": self.rows,
            "complete_rows": self.complete_rows,
            "columns": columns,
            "test": _choice(self.test),
            "algorithm": _choice(self.algorithm),
            "faults": list(map(str, self.faults)),
            "warnings": list(map(str, self.warnings)),
            "not_known": "" if self._content.not_known is None else str(self._content.not_known),
            "advice": list(map(str, self.advice)),
        }

    def to_json(self) -> str:
        """All of it as JSON.

        Returns:
            The text.
        """
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)

    def to_html(self, path: Location | None = None, *, for_shell: bool = False) -> str:
        """All of it as an HTML page, which needs no network.

        Args:
            path: Where to write it, too.
            for_shell: Write options and calls as commands.

        Returns:
            The text of the page.

        Raises:
            RunError: If the file cannot be written.
        """
        page = page_of(self._content, in_shell if flag("for_shell", for_shell) else str)
        if path is not None:
            write_atomically(path_of("path", path), page.encode())
        return page

    def _repr_html_(self) -> str:
        return fragment_of(self._content)

    def template(self, path: Location | None = None) -> str:
        """The text of a file of knowledge that says nothing yet, with all names, ready to be sorted into tiers.

        Args:
            path: Where to write it, too; a file that exists is not overwritten.

        Returns:
            The text.

        Raises:
            RunError: If the file exists, or cannot be written.
        """
        text = template_of([column.name for column in self.columns if column.is_variable])
        if path is not None:
            place = path_of("path", path)
            if os.path.lexists(place):
                raise RunError(f"{place}: exists, and may hold knowledge; choose another name, or remove it first")
            write_atomically(place, text.encode())
        return text


def _choice(choice: Choice | None) -> dict[str, str] | None:
    return None if choice is None else {"name": choice.name, "about": choice.about, "why": choice.why}


@with_options(DescribeOptions)
def describe(source: Any, **options: Unpack[TableKeywords]) -> Description:
    """Describe data before they are searched: how they would be read, what is wrong with them, and what to do.

    Of a source that is read some rows at a time, one pass is made, and what needs all rows at once is left out.

    Args:
        source: Any data that `discover` takes.

    {options}

    Returns:
        A description to print. Faults of the data, for which `discover` would refuse them, are listed in it.

    Raises:
        OptionError: If an option is wrong, or the source is not data.
        DataError: If the source cannot be opened.

    Examples:
        >>> import polars as pl
        >>> description = describe(pl.DataFrame({"age": [31, 45, 39, 62, 28, 57], "site": ["a"] * 6}))
        >>> for fault in description.faults:
        ...     print(fault)
        column 'site' has a single value; leave it out: drop=['site']
    """
    chosen = DescribeOptions.from_keywords("describe", options).reading
    found = located(samples_in(source))
    kind = MATRIX if is_matrix(found, chosen) else kind_of_source(found)
    if kind.name in _NO_DATA:
        raise OptionError(
            f"{kind.what} was given, and only data can be described; pass a table, a file, Moments or Counts"
        )
    if kind.name == "combined":
        raise OptionError(
            "combined tables were given, and one table is described at a time; describe each of them, and print what "
            "combine() returned to see what was measured together"
        )
    chosen.refuse_unused(kind)
    place, takes_kinds = Place.of(source), "kinds" in kind.takes
    content = _content(survey_of(found, chosen), dict(chosen.given), place, takes_kinds=takes_kinds)
    return Description(content, library_of(source))


def _content(survey: Survey, given: Mapping[str, Any], place: Place, *, takes_kinds: bool) -> Content:
    data, faults = survey.data, list(survey.faults)
    warnings: list[DataWarning] = list(survey.notes)
    if data is not None:
        test = TESTS[name_in_registry(chosen_test(data, given).name)].makers
        if not isinstance(data, Moments) and data.design is not None:
            if is_incomplete(data) and not survey.refuses_gaps:
                faults.append(fault_of_gaps(data.design.facts, given["missing"]))
            few = few_clusters(data.design.facts)
            warnings += [] if few is None else [few]
        findings = examine(data, squares=_needs_squares(data, test))
        faults += findings.errors
        warnings += findings.warnings
        if not isinstance(data, Moments):
            warnings += row_doubts(data)
            doubt = test.doubt(data)
            warnings += [] if doubt is None else [doubt]
    cure = cure_of(survey, faults, given)
    options = given if cure is None else {**given, **cure.options}
    searched = data if cure is None else cure.data
    chosen = None if searched is None else chosen_test(searched, options)
    title = listed([Path(path).name for path in place.paths], 3, spell=str) or "data"
    return Content(
        title,
        survey.columns,
        survey.rows,
        survey.complete,
        chosen,
        None if searched is None or chosen is None else chosen_algorithm(searched, chosen, options),
        tuple(faults),
        tuple(warnings),
        advice_on(survey, faults, warnings, cure, given, place, takes_kinds=takes_kinds),
        _not_known(data) if survey.streamed else None,
    )


def _needs_squares(data: Table | Summary | Moments, test: Makers) -> bool:
    """Whether the test computes squares of the numbers of a table, which must not underflow."""
    return isinstance(data, Table) and not is_incomplete(data) and test.takes_sums({"continuous"})


def _not_known(data: Table | Summary | Moments | None) -> Advice:
    """What sums over rows cannot tell, as a sentence."""
    doubts = listed(NEED_ALL_ROWS, len(NEED_ALL_ROWS), spell=str, last="or")
    if isinstance(data, Moments):
        return Advice(
            f"Moments do not tell the range, the shape and the levels of columns, nor whether there are {doubts}."
        )
    return Advice(
        "The rows were read once and not kept, so medians and histograms of numbers are not known, nor whether there "
        f"are {doubts}; to know, read all rows as one table: ",
        Option("in_memory", True),
    )
