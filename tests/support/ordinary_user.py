"""Run tests as an ordinary user even if root runs the suite: root may write everywhere, so nothing is refused."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path

__all__ = ["ORDINARY", "as_ordinary_user", "ordinary_user"]

#: Id of a user and of a group without privileges; the user who runs the suite, if that is not root.
ORDINARY = os.geteuid() or 65534


@contextmanager
def ordinary_user() -> Iterator[Path]:
    """Become an ordinary user with a folder of its own; needed modules must have been imported before."""
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
    """Decorate a test to run as an ordinary user, with a folder of that user as its argument."""

    @wraps(test)
    def wrapped() -> None:
        with ordinary_user() as folder:
            test(folder)

    del wrapped.__wrapped__  # pytest would ask for a fixture
    return wrapped
