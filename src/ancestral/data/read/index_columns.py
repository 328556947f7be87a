"""The column of row numbers that pandas and R write in front of a table, without a name of its own."""

import numpy as np

from ancestral.data.column_kinds import Floats, Labels
from ancestral.data.errors import DataError, DataWarning, leave_out
from ancestral.data.read.remarks import Remark
from ancestral.errors import Option

__all__ = ["UNNAMED", "counts_rows", "left_out", "not_row_numbers"]

#: What pandas calls a first column without a name; here it is the name of such a column in any file.
UNNAMED = "Unnamed: 0"


def counts_rows(values: Floats | Labels, first: int = 0) -> bool:
    """Whether the values are the numbers of rows, counted from 0 or 1; `first` rows came before these."""
    if isinstance(values, Labels):
        return False
    steps = values - np.arange(first, first + values.size)
    return bool(values.size) and steps[0] in (0.0, 1.0) and bool((steps == steps[0]).all())


def left_out() -> Remark:
    """The remark that the column was left out."""
    return Remark(
        UNNAMED,
        DataWarning(
            f"the first column has no name and numbers the rows, so it is left out; to keep it, give it a name, or "
            f"list {UNNAMED!r} in ",
            Option("columns"),
        ),
    )


def not_row_numbers(where: str = "") -> DataError:
    """The error for a first column without a name that does not number the rows; `where` tells which part shows it."""
    return DataError(
        f"the first column has no name (here it is called {UNNAMED!r}), and does not number the rows{where}; give it "
        "a name in the file, or ",
        *leave_out(UNNAMED),
    )
