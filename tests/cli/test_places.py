"""No command writes a file that it also reads, or writes as something else."""

import os
from itertools import permutations
from pathlib import Path

import pytest

import ancestral as an
from tests.support.command_line import ran

DAG = an.DAG.parse("a -> c, b -> c, c -> d")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file of each kind; all end in .html, so that a report may be written over them."""
    monkeypatch.chdir(tmp_path)
    rows = an.simulate.linear_gaussian(DAG, rows=200, seed=1)
    rows.write_csv("data.csv")
    an.discover(rows).save("run.html")
    an.bootstrap(rows, repeats=2, progress=False).save("boot.html")
    Path("knowledge.html").write_text("a < c\n")
    Path("graph.html").write_text("a --> c\n")
    return tmp_path


#: For each command what it reads and what it writes; {} stands for the file.
COMMANDS = {
    "discover data.csv": (
        ["--knowledge knowledge.html", "--resume run.html"],
        ["--output {}", "--report {}", "--save {}"],
    ),
    "bootstrap data.csv --repeats 2": (["--knowledge knowledge.html"], ["--output {}", "--report {}", "--save {}"]),
    "report run.html": (["--reliabilities boot.html", ""], ["--output {}"]),
    "convert graph.html --to dot": ([""], ["--out {}"]),
    "simulate --rows 10 --force": (["--graph graph.html"], ["--output {}", "--truth {}"]),
}
READ = {"report run.html": "run.html", "convert graph.html --to dot": "graph.html"}


def refused(command: str, folder: Path) -> str:
    before = {file: file.read_bytes() for file in folder.iterdir()}
    done = ran(*command.split())
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1), (command, done)
    assert {file: file.read_bytes() for file in folder.iterdir()} == before, command
    return done.err


def test_nothing_that_is_read_is_written(folder: Path) -> None:
    tried = 0
    for command, (reads, writes) in COMMANDS.items():
        for read in reads:
            file = read.split()[-1] if read else READ[command]
            link = Path("link.html")  # another way to say the same
            link.symlink_to(file)
            for write in writes:
                if (read, write) == ("--resume run.html", "--save {}"):
                    continue  # a run may be saved where it was begun
                for name in (file, f"./{file}", os.fspath(folder / file), link):
                    message = refused(f"{command} {read} {write.format(name)}", folder)
                    assert "would overwrite" in message or "is named twice" in message
                    tried += 1
            link.unlink()
    assert tried == 52


def test_no_two_files_that_are_written_are_the_same(folder: Path) -> None:
    for command, (_, writes) in COMMANDS.items():
        for one, other in permutations(writes, 2):
            for name in ("new.html", "new.csv") if command.startswith("simulate") else ("new.html",):
                message = refused(f"{command} {one.format(name)} {other.format(f'./{name}')}", folder)
                assert "is named twice" in message


def test_a_hard_link_is_the_same_file(folder: Path) -> None:
    Path("again.html").hardlink_to("knowledge.html")
    message = refused("discover data.csv --knowledge knowledge.html --output again.html", folder)
    assert message == (
        "ancestral: error: again.html: --output would overwrite --knowledge, which is left alone; choose another name\n"
    )


def test_what_goes_nowhere_may_be_named_twice(folder: Path) -> None:
    done = ran("discover", "data.csv", "--output", "/dev/null", "--save", "/dev/null", "--quiet")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert not Path("/dev/null").is_file()


def test_a_complete_run_is_saved_under_another_name(folder: Path) -> None:
    """Also over the run of other data, which is then gone."""
    other = an.simulate.linear_gaussian(DAG, rows=300, seed=2)
    an.discover(other).save("old.json")
    for name in ("old.json", "new.json"):
        done = ran("discover", "data.csv", "--resume", "run.html", "--save", name)
        assert done.code == 0
        assert f"run written to {name}\n" in done.err
        assert Path(name).read_bytes() == Path("run.html").read_bytes()


def test_a_report_that_cannot_be_written_keeps_nothing_back(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise an.RunError("page.html: cannot be written")

    monkeypatch.setattr(an.Discovery, "report", broken)
    done = ran("discover", "data.csv", "--report", "page.html", "--save", "new.json", "--output", "graph.txt")
    assert done.code == 1
    assert done.err.splitlines()[-3:] == [
        "run written to new.json",
        "graph written to graph.txt",
        "ancestral: error: page.html: cannot be written",
    ]
    assert an.PAG.parse(Path("graph.txt").read_text()) == an.load("new.json").pag


def test_an_empty_path_is_not_this_folder(folder: Path) -> None:
    """As `ancestral discover "$DATA"`, where there is no such variable."""
    for command in ("discover", "bootstrap"):
        done = ran(command, "")
        assert (done.code, done.out) == (2, "")
        assert "the path is empty; name a file or a folder" in done.err


def test_an_output_that_the_pattern_of_the_data_matches_is_refused(folder: Path) -> None:
    Path("parts").mkdir()
    Path("parts/one.csv").write_bytes(Path("data.csv").read_bytes())
    done = ran("discover", "parts/*.csv", "--output", "parts/out.csv")
    assert done.code == 2
    assert "matches the pattern of the data, and would be read as data" in done.err
    assert ran("discover", "parts/*.csv", "--output", "parts/graph.txt").code == 0
