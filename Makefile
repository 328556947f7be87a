# Everything happens in a virtual environment inside this folder, .venv. Nothing outside the folder is changed, except
# that missing system packages are installed when make runs as root.

PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
SOURCES := $(shell find src -name '*.py' -o -name '*.pxd') setup.py pyproject.toml
KERNELS := $(shell find src -name '_*_cy.py' -o -name '*.pxd') setup.py

export PIP_DISABLE_PIP_VERSION_CHECK := 1

# two processes; the one that runs out of tests takes over some of the other's
PYTEST := $(PY) -m pytest -q -n 2 --dist worksteal

# the tests that run compiled, interpreted and with bounds checks
BOTH_WAYS := tests/kernels tests/graphs tests/orientation

# folders whose tests take less than a minute together
QUICK := tests/kernels tests/graphs tests/orientation tests/knowledge tests/effects tests/show tests/independence tests/test_faults.py tests/test_discovery.py

# copies src beside the target, without anything compiled
COPY_SOURCES = tar -C src --exclude='*.so' --exclude=__pycache__ --exclude='*.egg-info' -cf - . | tar -C $(@D)/src -xf -

# installs a file of dist/ into an environment of its own, and uses it there: $(call TRY,name of the environment,file)
define TRY
	rm -rf build/$(1)-venv
	$(PYTHON) -m venv build/$(1)-venv
	build/$(1)-venv/bin/pip install -q $(2)
	cd build && ANCESTRAL_EXPECT=compiled $(1)-venv/bin/python -W error ../tests/checks/smoke.py
	cd build && $(1)-venv/bin/ancestral --version
endef

.PHONY: demo test quick lint suite interpreted checked exhaustive faults attack kill bench large count agreement calibration accuracy believe evidence experiments series-bench peers reproduce pictures studies docs docs-serve wheel release clean

demo: $(VENV)/kernels
	@mkdir -p build
	@$(VENV)/bin/ancestral demo --report build/demo.html

test: suite interpreted checked lint

# the inner loop: what most changes break first, in less than two minutes
quick: lint
	ANCESTRAL_EXPECT=compiled $(PYTEST) $(QUICK)

## ---- the three ways in which the kernels run ------------------------------------------------------------

suite: $(VENV)/ready $(VENV)/browser
	ANCESTRAL_EXPECT=compiled $(PYTEST)

# the same kernels as plain Python: a copy of the sources without anything compiled
interpreted: $(VENV)/ready build/interpreted/copied
	PYTHONPATH=build/interpreted/src ANCESTRAL_EXPECT=interpreted $(PYTEST) $(BOTH_WAYS)

# the same kernels compiled with bounds checks
checked: $(VENV)/ready build/checked/compiled
	PYTHONPATH=build/checked/src ANCESTRAL_EXPECT=checked $(PYTEST) $(BOTH_WAYS)

build/interpreted/copied: $(SOURCES)
	rm -rf $(@D) && mkdir -p $(@D)/src
	$(COPY_SOURCES)
	touch $@

build/checked/compiled: $(SOURCES) $(VENV)/runtime
	mkdir -p $(@D)/src
	$(COPY_SOURCES)
	cp setup.py pyproject.toml README.md LICENSE $(@D)
	cd $(@D) && ANCESTRAL_CHECKED=1 ANCESTRAL_REQUIRE_COMPILED=1 ../../$(PY) setup.py -q build_ext --inplace
	touch $@

lint: $(VENV)/ready
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	$(PY) -m tools.prose

## ---- longer checks and measurements; their results are kept in docs/ --------------------------------------

exhaustive: $(VENV)/ready
	$(PY) -m tests.checks.exhaustive
	$(PY) -m tests.checks.identification
	$(PY) -m tests.checks.series
	$(PY) -m tests.checks.experiments
	$(PY) -m tests.checks.overlapping

faults: $(VENV)/ready
	$(PY) -m tests.faults.plant

attack: $(VENV)/ready
	$(PY) -m tests.checks.attack

kill: $(VENV)/ready
	$(PY) -m tests.checks.kill

bench: $(VENV)/ready $(VENV)/valgrind
	$(PY) -m benchmarks.bench

# more rows than fit into memory: writes 8 GB into TMPDIR, and removes them
large: $(VENV)/ready
	$(PY) -m benchmarks.streaming

agreement: $(VENV)/ready
	$(PY) -m benchmarks.agreement

# whether independence tests keep their level, and their power, for each kind of data: docs/calibration*.md
calibration: $(VENV)/ready
	$(PY) -m benchmarks.calibration
	$(PY) -m benchmarks.calibration_labels
	$(PY) -m benchmarks.calibration_ordinal
	for part in size power speed graphs; do $(PY) -m benchmarks.calibration_curves --part $$part || exit 1; done
	$(PY) -m benchmarks.calibration_regression
	$(PY) -m benchmarks.calibration_missing
	$(PY) -m benchmarks.calibration_design
	$(PY) -m benchmarks.accuracy_by_test
	$(PY) -m benchmarks.false_discoveries
	$(PY) -m benchmarks.series_size

# how close the graphs of each algorithm come to the truth, as docs/accuracy.md; a run that was stopped continues
accuracy: $(VENV)/ready
	$(PY) -m benchmarks.accuracy

# whether answers can be believed: contradictions, denials, false alarms and firm marks, as docs/believe.md
believe: $(VENV)/ready
	$(PY) -m benchmarks.believe

# what experiments add at the same number of rows, as docs/experiments-benchmark.md
experiments: $(VENV)/ready
	$(PY) -m benchmarks.experiments --graphs 60

# time series beside tigramite, which is installed into build/, as docs/series-benchmark.md; a run that was stopped continues
series-bench: $(VENV)/ready
	$(PY) -m benchmarks.series

# our searches beside those of other packages, which are installed into build/, as docs/peers.md; a run that was stopped continues
peers: $(VENV)/ready
	$(PY) -m benchmarks.beside

# how many claims of the scored search with some evidence are true: docs/evidence.md, and the table that words follow
evidence: $(VENV)/ready
	$(PY) -m benchmarks.evidence

# costs that do not depend on the machine, beside those of the last release; fails if they are worse
count: $(VENV)/ready $(VENV)/valgrind
	$(PY) -m benchmarks.counting

# the experiments of the ICD paper, as docs/paper.md; a run that was stopped continues where it was
reproduce: $(VENV)/ready
	$(VENV)/bin/ancestral reproduce --out build/paper
	mkdir -p docs/paper
	cp build/paper/*.svg docs/paper
	sed 's#](\([a-z0-9-]*\.svg\))#](paper/\1)#' build/paper/README.md > docs/paper.md

# the pictures of README.md and docs/, and the cheat sheet for the printer
pictures: $(VENV)/ready $(VENV)/browser
	$(PY) -m tools.screenshots
	$(PY) -m tools.series_examples
	$(PY) -m tools.site.pictures
	$(PY) -m tools.marks
	$(PY) -m tools.overview
	$(PY) -m tools.cheat_sheet

# runs the studies of docs/studies, and writes what they print and their notebooks
studies: $(VENV)/ready
	$(PY) -m tools.notebooks

# the documentation site, in build/site; a warning is an error. What MkDocs says about its own future is left out.
docs: export NO_MKDOCS_2_WARNING := 1
docs: $(VENV)/ready
	$(PY) -m mkdocs build --quiet
	$(PY) -m tools.site.links build/site

# the same while pages are written: http://localhost:8000 shows each change; pictures are those of docs/pictures
docs-serve: $(VENV)/ready
	NO_MKDOCS_2_WARNING=1 ANCESTRAL_DOCS_PICTURES=tree $(PY) -m mkdocs serve --no-strict

# builds the distribution, and tries the wheel in an environment of its own
wheel: $(VENV)/ready
	rm -rf dist
	$(PY) -m build
	$(call TRY,wheel,dist/*.whl)

# what would be published, in dist/: sources and wheel, each tried in an environment of its own, the site, and checksums;
# nothing is uploaded
release: $(VENV)/ready
	$(PY) -m tools.release check
	$(MAKE) wheel
	$(call TRY,sdist,dist/*.tar.gz)
	$(MAKE) docs
	$(PY) -m tools.release pack

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

# the package in place with the dependencies that it has at run time, and what compiles the kernels: enough for the demo
$(VENV)/runtime: pyproject.toml $(VENV)/system
	$(PY) -m pip install -q 'setuptools>=77' 'cython>=3.1'
	ANCESTRAL_PURE=1 $(PY) -m pip install -q --no-build-isolation -e .
	@touch $@

# compiles the kernels that have changed
$(VENV)/kernels: $(KERNELS) $(VENV)/runtime
	ANCESTRAL_REQUIRE_COMPILED=1 $(PY) setup.py -q build_ext --inplace
	@touch $@

# what tests, linters and benchmarks need
$(VENV)/dev: pyproject.toml $(VENV)/runtime
	ANCESTRAL_PURE=1 $(PY) -m pip install -q --no-build-isolation -e '.[dev]'
	$(PY) -m pip install -q --no-deps 'pywhy-graphs==0.1.0'  # requires numpy below 2, and works with later versions
	@touch $@

# kernels and tools together
$(VENV)/ready: $(VENV)/kernels $(VENV)/dev
	@touch $@

# the browser in which reports are tested; the fonts cover names in any script
$(VENV)/browser: $(VENV)/system
	@command -v chromium >/dev/null || \
	if [ "$$(id -u)" = 0 ]; then apt-get update -q && apt-get install -q -y chromium fonts-dejavu-core; \
	else echo "reports are tested in a browser; please run: sudo apt-get install chromium fonts-dejavu-core"; exit 1; fi
	@touch $@

# counts instructions; without it the other counts are printed all the same
$(VENV)/valgrind: $(VENV)/system
	@command -v valgrind >/dev/null || \
	if [ "$$(id -u)" = 0 ]; then apt-get update -q && apt-get install -q -y valgrind; \
	else echo "instructions are not counted without valgrind: sudo apt-get install valgrind"; fi
	@if command -v valgrind >/dev/null; then touch $@; fi

clean:
	rm -rf build dist .venv
	find src -name '*.so' -delete
