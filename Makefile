# Every target sets up what it needs in .venv and does nothing twice: one stamp per set of packages.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# The versions that the tests have passed with; scripts/write_constraints.py writes them down.
INSTALL := $(PIP) install --constraint constraints.txt
SITE := examples/site
OUT := build

# Two processes more than there are cores: many tests wait for a browser, a service or a worker.
TESTERS ?= $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 2)')

# Threads of linear algebra get in each other's way in small fits and add up in any order.
export OPENBLAS_NUM_THREADS ?= 1

# Tests start hundreds of processes: without bytecode, each would compile the package once more.
export PYTHONDONTWRITEBYTECODE =

.DEFAULT_GOAL := help
.PHONY: help run test check format bench evaluate soak docs pictures clean

help:  ## list the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

$(VENV)/stamp-venv:
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade pip
	touch $@

# Where there is a C compiler, the compiled core is built too, and again when its sources change.
CORE := hatch_build.py scripts/build_core.py $(wildcard src/pagelet_core/*)

$(VENV)/stamp-core: pyproject.toml constraints.txt $(CORE) | $(VENV)/stamp-venv
	$(INSTALL) --editable .
	touch $@

$(VENV)/stamp-test: pyproject.toml constraints.txt | $(VENV)/stamp-core
	$(INSTALL) --group test
	touch $@

$(VENV)/stamp-soak: pyproject.toml constraints.txt | $(VENV)/stamp-browser $(VENV)/stamp-fonts
	sh scripts/browser firefox
	$(INSTALL) --group soak --group core
	touch $@

$(VENV)/stamp-check: pyproject.toml constraints.txt | $(VENV)/stamp-test
	$(INSTALL) --group check
	touch $@

# Benchmarks read hostile pages and archives of the tests, and open the explorer in the browser.
$(VENV)/stamp-bench: pyproject.toml constraints.txt | $(VENV)/stamp-browser
	$(INSTALL) --group bench
	touch $@

$(VENV)/stamp-train: pyproject.toml constraints.txt | $(VENV)/stamp-core
	$(INSTALL) --editable '.[train]'
	touch $@

$(VENV)/stamp-peers: pyproject.toml constraints.txt | $(VENV)/stamp-core
	$(INSTALL) --editable '.[peers]'
	touch $@

$(VENV)/stamp-docs: pyproject.toml constraints.txt | $(VENV)/stamp-core
	$(INSTALL) --group docs
	touch $@

# Chromium draws pages; it comes from Debian's packages where they may be installed.
$(VENV)/stamp-browser: | $(VENV)/stamp-test
	sh scripts/browser chromium
	touch $@

# The tests that measure widths see these fonts and no others.
$(VENV)/stamp-fonts: scripts/fonts | $(VENV)/stamp-venv
	sh scripts/fonts $(VENV)/share/fonts
	touch $@

run: $(VENV)/stamp-core  ## content, menu and clutter of sample pages, and a report to open
	@mkdir -p $(OUT)
	$(BIN)/pagelet --version
	$(BIN)/pagelet content $(SITE)/news/wall-repair.html --format markdown
	$(BIN)/pagelet menu $(SITE)/index.html
	$(BIN)/pagelet clutter $(SITE)/index.html
	$(BIN)/pagelet inspect $(SITE)/index.html --output $(OUT)/report.html

test: $(VENV)/stamp-test $(VENV)/stamp-train $(VENV)/stamp-docs $(VENV)/stamp-browser $(VENV)/stamp-fonts  ## the whole test suite; needs no data
	$(BIN)/python -m pytest --numprocesses $(TESTERS) --dist worksteal

check: $(VENV)/stamp-check  ## format, lint, types, imports between packages
	$(BIN)/ruff format --check src tests bench eval scripts
	$(BIN)/ruff check src tests bench eval scripts
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/stamp-check  ## put the code in order
	$(BIN)/ruff format src tests bench eval scripts
	$(BIN)/ruff check --fix src tests bench eval scripts

bench: $(VENV)/stamp-bench  ## times as ratios to the bare parse, peers beside, hostile pages; ONLY=part PAGES=most
	$(BIN)/python -m bench $(if $(ONLY),--only $(ONLY)) $(if $(PAGES),--pages $(PAGES))

evaluate: $(VENV)/stamp-train $(VENV)/stamp-peers $(VENV)/stamp-browser  ## every accuracy floor, on the data in PAGELET_DATA or data/
	$(BIN)/python -m eval

soak: $(VENV)/stamp-soak $(VENV)/stamp-train $(VENV)/stamp-docs $(VENV)/stamp-peers  ## what takes longer than a test may
	$(BIN)/python -m pytest --run-soak -m soak
	$(BIN)/python -m pytest --hypothesis-profile deep -m "hypothesis and not soak"

docs: $(VENV)/stamp-docs  ## write the generated parts of docs/ again and build the site in build/docs
	$(BIN)/python -m scripts.write_docs
	$(BIN)/python -m scripts.build_docs

pictures: $(VENV)/stamp-bench $(VENV)/stamp-peers  ## draw the pictures of docs/ again
	$(BIN)/python scripts/draw_docs.py
	$(BIN)/python scripts/draw_ui_docs.py
	$(BIN)/python -m scripts.draw_annotator_docs
	$(BIN)/python -m scripts.draw_extension_docs
	$(BIN)/python -m scripts.draw_speed_docs

clean:  ## forget everything that was set up or built
	rm -rf $(VENV) $(OUT)
