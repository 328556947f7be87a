# Everything happens in a virtual environment of its own, .venv; nothing outside this folder is touched,
# except that missing system packages are installed when make runs as root.

PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
SOURCES := $(shell find src -name '*.py' -o -name '*.pxd') setup.py pyproject.toml
KERNELS := $(shell find src -name '_*_cy.py' -o -name '*.pxd') setup.py

# two at a time; who runs out of tests takes some of the other's
PYTEST := $(PY) -m pytest -q -n 2 --dist worksteal

# what is tested compiled, interpreted and with bounds checks
BOTH_WAYS := tests/kernels tests/graphs tests/orientation

# rooms whose tests are done in a minute
QUICK := tests/kernels tests/graphs tests/orientation tests/knowledge tests/effects tests/show tests/independence tests/test_faults.py tests/test_discovery.py

# copies src beside the target, without anything compiled
COPY_SOURCES = tar -C src --exclude='*.so' --exclude=__pycache__ --exclude='*.egg-info' -cf - . | tar -C $(@D)/src -xf -

.PHONY: demo test quick lint suite interpreted checked exhaustive faults attack kill bench large count agreement reproduce pictures wheel clean

demo: $(VENV)/built
	@mkdir -p build
	@$(VENV)/bin/ancestral demo --report build/demo.html

test: suite interpreted checked lint

# the inner loop: what most changes break first, in less than two minutes
quick: lint
	ANCESTRAL_EXPECT=compiled $(PYTEST) $(QUICK)

## ---- the three ways in which the kernels run ------------------------------------------------------------

suite: $(VENV)/built $(VENV)/browser
	ANCESTRAL_EXPECT=compiled $(PYTEST)

# the same kernels as plain Python: a copy of the sources without anything compiled
interpreted: $(VENV)/built build/interpreted/made
	PYTHONPATH=build/interpreted/src ANCESTRAL_EXPECT=interpreted $(PYTEST) $(BOTH_WAYS)

# the same kernels compiled with bounds checks
checked: $(VENV)/built build/checked/made
	PYTHONPATH=build/checked/src ANCESTRAL_EXPECT=checked $(PYTEST) $(BOTH_WAYS)

build/interpreted/made: $(SOURCES)
	rm -rf $(@D) && mkdir -p $(@D)/src
	$(COPY_SOURCES)
	touch $@

build/checked/made: $(SOURCES) $(VENV)/installed
	mkdir -p $(@D)/src
	$(COPY_SOURCES)
	cp setup.py pyproject.toml README.md LICENSE $(@D)
	cd $(@D) && ANCESTRAL_CHECKED=1 ANCESTRAL_REQUIRE_COMPILED=1 ../../$(PY) setup.py -q build_ext --inplace -j2
	touch $@

lint: $(VENV)/built
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

## ---- longer checks; their results are kept in docs/ --------------------------------------------------------

exhaustive: $(VENV)/built
	$(PY) -m tests.checks.exhaustive

faults: $(VENV)/built
	$(PY) -m tests.faults.plant

attack: $(VENV)/built
	$(PY) -m tests.checks.attack

kill: $(VENV)/built
	$(PY) -m tests.checks.kill

bench: $(VENV)/built
	$(PY) -m benchmarks.bench

# rows past the memory: writes 8 GB into TMPDIR, and removes them
large: $(VENV)/built
	$(PY) -m benchmarks.streaming

agreement: $(VENV)/built
	$(PY) -m benchmarks.agreement

# the whole paper, as docs/paper.md; ended and begun again, it goes on
reproduce: $(VENV)/built
	$(VENV)/bin/ancestral reproduce --out build/paper
	mkdir -p docs/paper
	cp build/paper/*.svg docs/paper
	sed 's#](\([a-z0-9-]*\.svg\))#](paper/\1)#' build/paper/README.md > docs/paper.md

# of the README
pictures: $(VENV)/built $(VENV)/browser
	$(PY) -m tools.screenshots

count: $(VENV)/built $(VENV)/valgrind
	$(PY) -m benchmarks.counting

wheel: $(VENV)/built
	rm -rf dist build/wheel-venv
	$(PY) -m build
	$(PYTHON) -m venv build/wheel-venv
	build/wheel-venv/bin/pip install -q dist/*.whl
	cd build && ANCESTRAL_EXPECT=compiled wheel-venv/bin/python -W error ../tests/checks/smoke.py

## ---- set-up --------------------------------------------------------------------------------------------------

# what Debian may not have installed: a compiler, the headers of Python, the venv module
$(VENV)/system:
	@missing=""; \
	command -v gcc >/dev/null || missing="$$missing gcc"; \
	$(PYTHON) -c 'import ensurepip' 2>/dev/null || missing="$$missing python3-venv"; \
	$(PYTHON) -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_paths()["include"] + "/Python.h"))' \
		|| missing="$$missing python3-dev"; \
	if [ -n "$$missing" ]; then \
		if [ "$$(id -u)" = 0 ]; then apt-get update -q && apt-get install -q -y $$missing; \
		else echo "missing system packages; please run: sudo apt-get install$$missing"; exit 1; fi; \
	fi
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or later is needed, this is " + sys.version) if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	@touch $@

# in which reports are opened; the fonts are for names in any writing
$(VENV)/browser: $(VENV)/system
	@command -v chromium >/dev/null || \
	if [ "$$(id -u)" = 0 ]; then apt-get update -q && apt-get install -q -y chromium fonts-dejavu-core; \
	else echo "reports are tested in a browser; please run: sudo apt-get install chromium fonts-dejavu-core"; exit 1; fi
	@touch $@

# counts instructions; without it the other numbers are printed all the same
$(VENV)/valgrind: $(VENV)/system
	@command -v valgrind >/dev/null || \
	if [ "$$(id -u)" = 0 ]; then apt-get update -q && apt-get install -q -y valgrind; \
	else echo "instructions are not counted without valgrind: sudo apt-get install valgrind"; fi
	@if command -v valgrind >/dev/null; then touch $@; fi

$(VENV)/installed: pyproject.toml $(VENV)/system
	ANCESTRAL_PURE=1 $(PY) -m pip install -q -e '.[dev]' 'cython>=3.1'
	$(PY) -m pip install -q --no-deps 'pywhy-graphs==0.1.0'  # asks for numpy below 2, and works with later ones
	@touch $@

$(VENV)/built: $(KERNELS) $(VENV)/installed
	ANCESTRAL_REQUIRE_COMPILED=1 $(PY) setup.py -q build_ext --inplace -j2
	@touch $@

clean:
	rm -rf build dist .venv
	find src -name '*.so' -delete
