"""Optional packages: where one is needed and missing, the error tells how to install it."""

from importlib.util import find_spec

from ancestral.errors import OptionError

__all__ = ["require_package"]


def require_package(package: str, extra: str | None, what: str) -> None:
    """Raise OptionError if a package is not installed that is needed for `what`, as in "to plot a graph".

    `extra` is the extra of ancestral that installs it; None if there is none.
    """
    if find_spec(package) is None:
        name = package if extra is None else f"'ancestral[{extra}]'"
        raise OptionError(f"{what}, {package} is needed; install it: pip install {name}")
