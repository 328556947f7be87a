"""The test suite; a package, so that tests and longer checks share the modules in `tests.support`."""
