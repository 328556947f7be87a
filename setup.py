"""The list of kernels to compile; all else is in pyproject.toml.

ANCESTRAL_REQUIRE_COMPILED=1   a kernel that does not compile is an error, not a warning
ANCESTRAL_CHECKED=1            compile with bounds and division checks, for tests
ANCESTRAL_QUICK=1              compile without optimisation: slow kernels, soon made (planted faults)
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

DIRECTIVES = {
    "language_level": 3,
    "freethreading_compatible": True,
    "wraparound": False,
    "boundscheck": CHECKED,
    "initializedcheck": CHECKED,
    "cdivision": not CHECKED,
}


def compile_arguments() -> list[str]:
    """How the C compiler is called. No -march=native: wheels must run on other machines."""
    if sys.platform == "win32":
        return ["/O2"]
    if QUICK:
        return ["-O0"]
    if CHECKED:
        return ["-O1", "-g"]
    # no contraction to fused multiply-add: the same numbers on every machine; no debug symbols, which take longer to
    # make than the code and are five times as large
    return ["-O3", "-g0", "-fno-math-errno", "-ffp-contract=off"]


def link_arguments() -> list[str]:
    """How the linker is called: without symbols that nobody needs to import the kernel."""
    return [] if CHECKED or sys.platform in ("win32", "darwin") else ["-Wl,--strip-all"]


def extensions() -> list[Extension]:
    """One extension per file `_*_cy.py`."""
    if PURE:
        return []
    try:
        from Cython.Build import cythonize
    except ImportError:
        if REQUIRED:
            raise
        print("ancestral: Cython is missing, the kernels will run interpreted", file=sys.stderr)
        return []
    files = sorted(Path("src").rglob("_*_cy.py"))
    modules = [".".join(file.relative_to("src").with_suffix("").parts) for file in files]
    arguments = compile_arguments()
    out = cythonize(
        [
            Extension(module, [str(file)], extra_compile_args=arguments, extra_link_args=link_arguments())
            for module, file in zip(modules, files, strict=True)
        ],
        compiler_directives=DIRECTIVES,
        include_path=["src"],
        build_dir="build/checked-c" if CHECKED else "build/c",  # generated C stays out of src/
        nthreads=0 if sys.platform == "win32" else os.cpu_count() or 1,
    )
    for extension in out:  # cythonize() forgets `optional`, so it is set here: no compiler, no failure
        extension.optional = not REQUIRED
    return list(out)


setup(ext_modules=extensions(), options={"build_ext": {"parallel": os.cpu_count() or 1}})
