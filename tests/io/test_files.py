"""Writing: the old file or the new one, whole, whatever the target is and whoever else writes."""

import gzip
import os
import signal
import socket
import stat
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import ancestral as an
from ancestral.io import files
from ancestral.io.files import check_writable, replacing, write_atomically
from tests.support.ordinary_user import ORDINARY, as_ordinary_user


def names_in(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(autouse=True)
def every_folder_is_new_to_the_process() -> None:
    files._cleaned.clear()


# -- what is there before ------------------------------------------------------------------------------------------


def test_content_replaces_content_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for content in (b"first", b"", b"third" * 100_000):
        write_atomically(path, content)
        assert path.read_bytes() == content
    assert names_in(tmp_path) == ["file"]


def test_a_name_that_ends_in_gz_is_packed(tmp_path: Path) -> None:
    path = tmp_path / "run.json.gz"
    write_atomically(path, b"content")
    assert gzip.decompress(path.read_bytes()) == b"content"
    first = path.read_bytes()
    write_atomically(path, b"content")
    assert path.read_bytes() == first  # no time and no name in it


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755])
def test_a_file_keeps_its_permissions(mode: int, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(mode)
    write_atomically(path, b"new")
    assert (path.read_bytes(), mode_of(path)) == (b"new", mode)


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_a_new_file_has_the_usual_permissions(mask: int, tmp_path: Path) -> None:
    before = os.umask(mask)
    try:
        write_atomically(tmp_path / "file", b"new")
        assert os.umask(mask) == mask  # it was not changed
    finally:
        os.umask(before)
    assert mode_of(tmp_path / "file") == 0o666 & ~mask


def test_a_part_file_is_private_while_it_is_written(tmp_path: Path) -> None:
    with replacing(tmp_path / "file") as file:
        file.write(b"new")
        (part,) = tmp_path.iterdir()
        assert mode_of(part) == 0o600
        assert part.name != "file"


def test_a_file_keeps_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    os.chown(path, ORDINARY, ORDINARY)
    write_atomically(path, b"new")
    assert (path.stat().st_uid, path.stat().st_gid) == (ORDINARY, ORDINARY)


def test_a_read_only_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(0o444)
    for attempt in (check_writable, lambda path: write_atomically(path, b"new")):
        with pytest.raises(an.RunError, match="is read-only, so it is left alone; choose another name, or allow"):
            attempt(path)
    assert (path.read_bytes(), mode_of(path)) == (b"old", 0o444)
    assert names_in(tmp_path) == ["file"]


def test_other_names_of_a_file_keep_the_old_content(tmp_path: Path) -> None:
    path, other = tmp_path / "file", tmp_path / "other"
    path.write_bytes(b"old")
    other.hardlink_to(path)
    write_atomically(path, b"new")
    assert (path.read_bytes(), other.read_bytes()) == (b"new", b"old")


# -- what is no regular file ---------------------------------------------------------------------------------------


def device(path: Path, standard: str) -> None:
    """A device of the same kind as a standard one; who may not make devices has a link to it."""
    if os.geteuid() == 0:
        os.mknod(path, 0o666 | stat.S_IFCHR, os.stat(standard).st_rdev)
    else:
        path.symlink_to(standard)


def test_a_character_device_is_written_into_and_stays_one(tmp_path: Path) -> None:
    null, full = tmp_path / "null", tmp_path / "full"
    device(null, "/dev/null")
    device(full, "/dev/full")
    check_writable(null)
    write_atomically(null, b"new")
    assert stat.S_ISCHR(null.stat().st_mode)
    with pytest.raises(an.RunError, match=r"cannot be written .No space left on device"):
        write_atomically(full, b"new")
    assert stat.S_ISCHR(full.stat().st_mode)
    assert names_in(tmp_path) == ["full", "null"]


def test_a_block_device_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "disk"
    path.write_bytes(b"old")
    seen = list(path.stat())
    seen[0] = 0o660 | stat.S_IFBLK
    with monkeypatch.context() as patched:
        patched.setattr(os, "stat", lambda path: os.stat_result(seen))
        with pytest.raises(an.RunError, match="must be a regular file, got a block device, which is left alone"):
            write_atomically(path, b"new")
    assert path.read_bytes() == b"old"


def test_a_socket_is_refused(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        refused(tmp_path / "s", "must be a regular file, got a socket, which is left alone")


def refused(path: Path, message: str) -> None:
    before = path.stat().st_mode
    for attempt in (check_writable, lambda path: write_atomically(path, b"new")):
        with pytest.raises(an.RunError, match=message):
            attempt(path)
    assert path.stat().st_mode == before


def test_a_pipe_is_written_into_if_somebody_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    check_writable(path)
    with pytest.raises(an.RunError, match=r"cannot be written .No such device or address"):  # instead of a hang
        write_atomically(path, b"new")
    content = b"x" * 1_000_000  # more than a pipe holds
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()))
    reader.start()
    while True:
        try:
            write_atomically(path, content)
            break
        except an.RunError:  # the reader has not opened it yet
            assert reader.is_alive()
    reader.join()
    assert read == [content]
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_the_file_behind_a_descriptor_is_not_replaced(tmp_path: Path) -> None:
    """As in `--output /dev/stdout >> log.txt`: what the log holds must stay."""
    log = tmp_path / "log.txt"
    log.write_bytes(b"old\n")
    with log.open("ab") as file:
        for name in (f"/dev/fd/{file.fileno()}", f"/proc/self/fd/{file.fileno()}"):
            with pytest.raises(an.RunError, match="is a file that this process has open, and it would be replaced"):
                write_atomically(Path(name), b"new")
    assert log.read_bytes() == b"old\n"


def test_links(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    link = tmp_path / "link"
    link.symlink_to(real / "file")
    for content in (b"first", b"second"):  # it need not be there
        write_atomically(link, content)
        assert (real / "file").read_bytes() == content
        assert link.is_symlink()
    assert names_in(real) == ["file"]
    loop = tmp_path / "loop"
    loop.symlink_to(tmp_path / "loop")
    for attempt in (check_writable, lambda path: write_atomically(path, b"new")):
        with pytest.raises(an.RunError, match=r"cannot be written .Too many levels of symbolic links"):
            attempt(loop)


@pytest.mark.parametrize("name", ["", "."])
def test_an_empty_path_is_refused(name: str) -> None:
    with pytest.raises(an.RunError, match="must be a file, got a directory"):
        write_atomically(Path(name), b"new")


def test_names_that_are_not_utf_8_or_very_long(tmp_path: Path) -> None:
    for name in (os.fsdecode(b"bad\xff.json"), "x" * 255, "\N{SNOWMAN}" * 85):
        write_atomically(tmp_path / name, b"new")
        assert (tmp_path / name).read_bytes() == b"new"
    with pytest.raises(an.RunError, match=r"cannot be written .File name too long"):
        write_atomically(tmp_path / ("x" * 256), b"new")


# -- what goes wrong in the middle ----------------------------------------------------------------------------------


def test_an_exception_in_the_middle_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "file.gz"
    path.write_bytes(b"old")

    def write_and_raise(error: type[BaseException]) -> None:
        with replacing(path) as file:
            file.write(b"x" * 1_000_000)
            raise error

    for error in (KeyboardInterrupt, MemoryError, ValueError):
        with pytest.raises(error):
            write_and_raise(error)
    assert path.read_bytes() == b"old"
    assert names_in(tmp_path) == ["file.gz"]


def test_a_folder_that_vanishes(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()

    def write_and_remove_the_folder() -> None:
        with replacing(folder / "file") as file:
            file.write(b"new")
            for entry in folder.iterdir():
                entry.unlink()
            folder.rmdir()

    with pytest.raises(an.RunError, match=r"cannot be written .No such file or directory"):
        write_and_remove_the_folder()
    assert names_in(tmp_path) == []


def killed_while_writing(path: Path) -> Path:
    """Kill a process in the middle of a write; its part file."""
    code = f"""
        import sys, time
        from pathlib import Path
        from ancestral.io.files import replacing
        with replacing(Path({str(path)!r})) as file:
            file.write(b"half")
            file.flush()
            print(flush=True)
            time.sleep(60)
        """
    process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    (part,) = (entry for entry in path.parent.iterdir() if entry != path)
    write_atomically(path.with_name("other"), b"")  # does not take it for abandoned while it is written
    assert part.exists()
    path.with_name("other").unlink()
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    return part


def test_a_killed_writer_changes_nothing_and_its_part_file_goes_with_the_next_write(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    part = killed_while_writing(path)
    assert path.read_bytes() == b"old"
    assert part.read_bytes() == b"half"
    files._cleaned.clear()
    write_atomically(path, b"new")
    assert names_in(tmp_path) == ["file"]
    assert path.read_bytes() == b"new"


def test_part_files_that_look_like_ours_and_are_not_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".file.part").write_text("of another program")
    (tmp_path / "secret").write_text("kept")
    (tmp_path / ".x.ancestral-part").symlink_to(tmp_path / "secret")
    os.mkfifo(tmp_path / ".pipe")
    write_atomically(tmp_path / "file", b"new")
    assert names_in(tmp_path) == [".file.part", ".pipe", ".x.ancestral-part", "file", "secret"]


# -- whoever runs it ------------------------------------------------------------------------------------------------


@as_ordinary_user
def test_an_ordinary_user_in_a_read_only_folder(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    tmp_path.chmod(0o555)
    attempts: list[Callable[[], None]] = [lambda: check_writable(path), lambda: write_atomically(path, b"new")]
    for attempt in attempts:
        with pytest.raises(an.RunError, match="cannot be written"):
            attempt()
    assert path.read_bytes() == b"old"
    tmp_path.chmod(0o755)
    assert names_in(tmp_path) == ["file"]


@as_ordinary_user
def test_an_ordinary_user_and_a_file_that_may_not_be_written(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(0o400)
    with pytest.raises(an.RunError, match="is read-only"):
        write_atomically(path, b"new")
    path.chmod(0o600)
    write_atomically(path, b"new")
    assert (path.read_bytes(), mode_of(path)) == (b"new", 0o600)
