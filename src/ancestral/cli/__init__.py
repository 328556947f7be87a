"""The command line, built on the public Python API:
`ancestral discover | why | compare | simulate | reproduce | demo`.
"""

from ancestral.cli.app import run

__all__ = ["run"]
