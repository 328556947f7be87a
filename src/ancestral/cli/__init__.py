"""The command line, built on the public Python API:
`ancestral discover | why | compare | simulate | reproduce | demo`.
"""

from ancestral.cli.app import main, run

__all__ = ["main", "run"]
