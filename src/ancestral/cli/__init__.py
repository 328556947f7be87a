"""The command line, built on the public Python API; each command is a module, and `app` puts them together."""

from ancestral.cli.app import run

__all__ = ["run"]
