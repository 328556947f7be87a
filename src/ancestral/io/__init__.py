"""What goes out to files and comes back: runs, and the text of graphs."""

from ancestral.io.run import SavedRun, read_run, write_run

__all__ = ["SavedRun", "read_run", "write_run"]
