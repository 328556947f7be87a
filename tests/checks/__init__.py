"""Checks that take too long for every change: run by `make` or by hand, as `python -m tests.checks.<name>`."""
