"""Files and frames: run files, graphs for other programs, frames of results, and writing that is never half done."""
