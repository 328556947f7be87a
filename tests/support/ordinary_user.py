"""Tests as an ordinary user, whoever runs the suite: root may write everywhere, and so sees nothing refused."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path

__all__ = ["ORDINARY", "as_ordinary_user", "ordinary_user"]

#: The number of a user, and of a group, without rights: the suite's own where it is not run by root.
ORDINARY = os.geteuid() or 65534


@contextmanager
def ordinary_user() -> Iterator[Path]:
    """Be an ordinary user for a while, with a folder of one's own; what is needed must have been imported before."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        was_root = os.geteuid() == 0
        if was_root:
            os.chown(folder, ORDINARY, ORDINARY)
            os.setegid(ORDINARY)
            os.seteuid(ORDINARY)
        try:
            yield folder
        finally:
            if was_root:
                os.seteuid(0)
                os.setegid(0)
            folder.chmod(0o700)


def as_ordinary_user(test: Callable[[Path], None]) -> Callable[[], None]:
    """A test that is given a folder of an ordinary user, and runs as that user."""

    @wraps(test)
    def wrapped() -> None:
        with ordinary_user() as folder:
            test(folder)

    del wrapped.__wrapped__  # pytest would ask for a fixture
    return wrapped
