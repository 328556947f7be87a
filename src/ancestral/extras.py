"""Packages that only some need: where one is missing, the error says how to get it."""

from importlib.util import find_spec

from ancestral.errors import OptionError

__all__ = ["require_package"]


def require_package(package: str, extra: str, what: str) -> None:
    """Raise if a package is not installed."""
    if find_spec(package) is None:
        raise OptionError(f"{what}, {package} is needed; install it: pip install 'ancestral[{extra}]'")
