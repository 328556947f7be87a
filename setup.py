"""The kernels to compile; everything else is in pyproject.toml.

Environment variables:

ANCESTRAL_REQUIRE_COMPILED=1   a kernel that does not compile is an error, not a warning
ANCESTRAL_CHECKED=1            compile with bounds and division checks, for tests
ANCESTRAL_QUICK=1              compile without optimisation: slow kernels, built quickly (planted faults)
ANCESTRAL_PURE=1               compile nothing: the kernels run interpreted
"""

import os
import sys
from pathlib import Path

from setuptools import Extension, setup

CHECKED = os.environ.get("ANCESTRAL_CHECKED") == "1"
QUICK = os.environ.get("ANCESTRAL_QUICK") == "1"
PURE = os.environ.get("ANCESTRAL_PURE") == "1"
REQUIRED = os.environ.get("ANCESTRAL_REQUIRE_COMPILED") == "1"
QUIET = "-q" in sys.argv

DIRECTIVES = {
    "language_level": 3,
    "freethreading_compatible": True,
    "wraparound": False,
    "boundscheck": CHECKED,
    "initializedcheck": CHECKED,
    "cdivision": not CHECKED,
    "show_performance_hints": not QUIET,
}

#: The extension that holds Cython's code for memoryviews. Without it each kernel has a copy of its own, which takes
#: longer to compile than the kernel.
SHARED = "ancestral._cyutility"

#: Processes that translate and compile: one per core.
JOBS = os.cpu_count() or 1


def compile_arguments() -> list[str]:
    """The options of the C compiler. No -march=native: wheels must run on other machines."""
    if sys.platform == "win32":
        return ["/O2"]
    if QUICK:
        return ["-O0", "-g0"]
    if CHECKED:
        return ["-O1", "-g"]
    # no contraction to fused multiply-add: the same numbers on every machine; no debug symbols, which take longer to
    # make than the code and are five times as large
    return ["-O3", "-g0", "-fno-math-errno", "-ffp-contract=off"]


def link_arguments() -> list[str]:
    """The options of the linker: drop the symbols that are not needed to import the kernel."""
    return [] if CHECKED or sys.platform in ("win32", "darwin") else ["-Wl,--strip-all"]


def extensions() -> list[Extension]:
    """One extension per file `_*_cy.py`, and the one that they share."""
    if PURE:
        return []
    try:
        from Cython.Build import cythonize
    except ImportError:
        if REQUIRED:
            raise
        print("ancestral: Cython is missing, the kernels will run interpreted", file=sys.stderr)
        return []
    sources = {SHARED: Path("src", *SHARED.split(".")).with_suffix(".c")}
    for file in sorted(Path("src").rglob("_*_cy.py")):
        sources[".".join(file.relative_to("src").with_suffix("").parts)] = file
    out = cythonize(
        [
            Extension(name, [str(file)], extra_compile_args=compile_arguments(), extra_link_args=link_arguments())
            for name, file in sources.items()
        ],
        compiler_directives=DIRECTIVES,
        include_path=["src"],
        build_dir="build/checked-c" if CHECKED else "build/c",  # generated C stays out of src/
        nthreads=0 if sys.platform == "win32" else JOBS,
        shared_utility_qualified_name=SHARED,
        quiet=QUIET,
    )
    for extension in out:  # cythonize() drops `optional`, so it is set here: no compiler, no failure
        extension.optional = not REQUIRED
    return list(out)


setup(ext_modules=extensions(), options={"build_ext": {"parallel": JOBS}})
