"""Files of covariance and correlation matrices: Tetrad's triangle and square tables, and what is wrong with others."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ancestral as an
from tests.support.command_line import ran

DAG = an.DAG.parse("a -> c, b -> c, c -> d")
ROWS = an.simulate.linear_gaussian(DAG, rows=3000, seed=1)
NAMES = ROWS.columns
COVARIANCE = np.cov(ROWS.to_numpy().T)
CORRELATION = np.corrcoef(ROWS.to_numpy().T)


def tetrad(matrix: Any = COVARIANCE, names: Any = NAMES, rows: int | None = 3000, separator: str = "\t") -> str:
    head = [] if rows is None else [str(rows)]
    triangle = [separator.join(repr(float(value)) for value in matrix[i][: i + 1]) for i in range(len(names))]
    return "\n".join([*head, separator.join(names), *triangle]) + "\n"


def square(matrix: Any = COVARIANCE, separator: str = ",", row_names: bool = True) -> str:
    lines = [separator.join([""] * row_names + NAMES)]
    for name, values in zip(NAMES, matrix, strict=True):
        lines.append(separator.join([name] * row_names + [repr(float(value)) for value in values]))
    return "\n".join(lines) + "\n"


def file(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder / name


@pytest.mark.parametrize("name", ["x.cov", "x.cov.txt", "x.txt", "X.COV"])
@pytest.mark.parametrize("separator", ["\t", " ", ",", "  "])
def test_the_file_of_tetrad_is_known_by_its_name_or_its_first_lines(name: str, separator: str, tmp_path: Path) -> None:
    path = file(tmp_path, name, tetrad(separator=separator))
    moments = an.Moments.read(path)
    assert (moments.names, moments.rows) == (tuple(NAMES), 3000)
    assert np.allclose(moments.covariance, COVARIANCE, rtol=1e-14)
    found = an.discover(path, alpha=0.01, progress=False)
    assert found.pag == an.discover(ROWS, alpha=0.01, progress=False).pag == an.pag_of(DAG)
    assert an.Moments.of(path, columns=["c", "a"]).names == ("c", "a")


def test_remarks_blank_lines_and_a_marker_are_left_out(tmp_path: Path) -> None:
    path = file(tmp_path, "x.txt", "// from Tetrad\n\n/covariance\n" + tetrad().replace("\n", "\n\n", 2))
    assert np.allclose(an.Moments.read(path).covariance, COVARIANCE)
    path = file(tmp_path, "y.txt", "/Correlation\n" + tetrad(CORRELATION))
    assert np.allclose(an.Moments.read(path).correlation, CORRELATION)
    with pytest.raises(an.OptionError, match=r'matrix="covariance" is not what y.txt says .*, a correlation matrix'):
        an.Moments.read(path, matrix="covariance")


@pytest.mark.parametrize("text", [square(), square(separator=";"), square(row_names=False), tetrad(rows=None)])
def test_a_square_table_or_a_triangle_needs_the_number_of_rows(text: str, tmp_path: Path) -> None:
    path = file(tmp_path, "x.csv", text)
    assert np.allclose(an.Moments.read(path, rows=3000).covariance, COVARIANCE)
    found = an.discover(path, rows=3000, alpha=0.01, progress=False)
    assert found.pag == an.pag_of(DAG) and found.test.rows == 3000
    assert an.discover(path, rows=3000, matrix="covariance", drop=["b"], progress=False).pag.nodes == ("a", "c", "d")
    with pytest.raises(
        an.OptionError, match=r"rows must be the number of rows that the covariance matrix in x.csv is of"
    ):
        an.discover(path, matrix="covariance")


def test_a_correlation_matrix(tmp_path: Path) -> None:
    path = file(tmp_path, "x.csv", square(CORRELATION))
    moments = an.Moments.read(path, rows=3000, matrix="correlation")
    assert np.allclose(moments.correlation, CORRELATION) and moments.rows == 3000
    with pytest.raises(an.DataError, match=r"x.csv: the correlation of 'a' with itself is"):
        an.Moments.read(file(tmp_path, "x.csv", square()), rows=3000, matrix="correlation")


def test_decimal_commas(tmp_path: Path) -> None:
    path = file(tmp_path, "x.csv", square(separator=";").replace(".", ","))
    assert np.allclose(an.Moments.read(path, rows=3000).covariance, COVARIANCE)


CROOKED = COVARIANCE.copy()
CROOKED[0, 1] += 0.5
INDEFINITE = np.array([[1, 0.9, -0.9, 0], [0.9, 1, 0.9, 0], [-0.9, 0.9, 1, 0], [0, 0, 0, 1]])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (square(CROOKED), "x.csv: the covariance matrix is not symmetric: .* for 'a' and 'c', but .* for 'c' and 'a'"),
        (square(INDEFINITE), "x.csv: no data have this covariance matrix: it is not positive semi-definite"),
        (square().replace("\nc,", "\nz,"), "line 3 of x.csv is of 'z', but name 2 in the first line is 'c'; give rows"),
        (tetrad(names=[*NAMES[:3], "a"]), "columns 1 and 4 are both named 'a'"),
        (tetrad() + "7\n", "x.csv has 4 names and 5 lines below them"),
        (tetrad().rstrip() + "\t7\n", "line 6 of x.csv has 5 numbers; row 4 of a matrix of 4 variables has 4 .a lower"),
        ("\n".join(tetrad().splitlines()[:-1]), "x.csv has 4 names and 3 lines below them; a matrix has one line"),
        (tetrad().replace(repr(float(COVARIANCE[1][0])), "abc"), "line 4 of x.csv: 'abc' is not a number, where the"),
        ("", "x.csv is empty; a file of a matrix has"),
        ("1,2\n3,4\n5,6\n", "x.csv has numbers where the names of the variables should be"),
        (tetrad(-COVARIANCE), "the variance of 'a' is -"),
    ],
)
def test_faults_are_told_with_their_place(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(an.DataError, match=message):
        an.discover(file(tmp_path, "x.csv", text), matrix="covariance", rows=3000)


def test_two_numbers_of_rows_are_refused(tmp_path: Path) -> None:
    path = file(tmp_path, "x.cov", tetrad())
    with pytest.raises(
        an.OptionError, match=r"rows=200 is not the number of rows in x.cov, which is 3000; leave rows= out"
    ):
        an.discover(path, rows=200)
    assert an.discover(path, rows=3000, progress=False).test.rows == 3000


def test_where_rows_are_needed_a_matrix_is_refused(tmp_path: Path) -> None:
    path = file(tmp_path, "x.cov", tetrad())
    for read in (an.Table.of, an.Counts.of):
        with pytest.raises(an.DataError, match=r"x.cov is read as a matrix, which has no rows of its own; search it"):
            read(path)
    with pytest.raises(
        an.OptionError, match=r"^the file of a matrix has no rows to draw; pass the rows that the matrix was"
    ):
        an.bootstrap(path, repeats=2)
    with pytest.raises(an.OptionError, match='missing="drop" does not apply to the file of a matrix'):
        an.discover(path, missing="drop")
    with pytest.raises(an.DataError, match=r"there is no file 'y.cov' in .*; did you mean 'x.cov'\?"):
        an.discover(tmp_path / "y.cov")
    (tmp_path / "x.parquet").write_bytes(b"PAR1")
    with pytest.raises(an.OptionError, match="rows=3000 does not apply to a parquet file"):
        an.discover(tmp_path / "x.parquet", rows=3000)


def test_a_table_is_not_taken_for_a_matrix(tmp_path: Path) -> None:
    table = file(tmp_path, "x.txt", "a\tb\n" + "".join(f"{i * 7 % 31}.5\t{i * i % 17}.25\n" for i in range(40)))
    assert an.Table.of(table).rows == 40
    assert an.Table.of(file(tmp_path, "y.txt", "12\n13\n"), names=["n"]).rows == 2


def test_on_the_command_line_and_again(tmp_path: Path) -> None:
    path, run = file(tmp_path, "scores.csv", square()), tmp_path / "run.json"
    done = ran("discover", path, "--rows", "3000", "--alpha", "0.01", "--save", run)
    assert (done.code, done.out) == (0, f"{an.pag_of(DAG)}\n")
    assert an.load(run).reading.options() == {"rows": 3000}
    assert ran("discover", path, "--rows", "3000", "--alpha", "0.01", "--resume", run, "--quiet").code == 0
    done = ran("discover", path, "--matrix", "correlation")
    assert (
        done.code == 2
        and "--rows must be the number of rows that the correlation matrix in scores.csv is of" in done.err
    )
    assert ran("discover", file(tmp_path, "s.cov.txt", tetrad()), "--quiet", "--alpha", "0.01").out == done_out(path)


def done_out(path: Path) -> str:
    return f"{an.discover(path, rows=3000, alpha=0.01, progress=False).pag}\n"
