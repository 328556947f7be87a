"""Reading: from files, frames and streams to columns."""
