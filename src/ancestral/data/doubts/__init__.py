"""Doubts: what the rows themselves show to be unlike independent measurements, told by name, with the way out."""
