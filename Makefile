# Everything sets itself up: on a machine with only make and Python, `make demo` and `make test` work.
# PYTHON=python3.12 chooses the interpreter; PYTEST=… adds options to pytest.

PYTHON ?= python3
PYTEST ?= -n auto
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: help demo test check format accept bench build clean

help:
	@echo 'make demo    ingest the sample, print what its annotators and players did, say what to type next'
	@echo 'make test    the whole test suite'
	@echo 'make check   lint, types, SQL, layers, documentation'
	@echo 'make format  reformat Python and SQL'
	@echo 'make accept  score against the acceptance material, where it is at hand'
	@echo 'make bench   measure speed'
	@echo 'make build   wheel and source archive in dist/'
	@echo 'make clean   remove what make made, the virtual environment too'

demo: $(VENV)/.run
	@$(BIN)/notatio demo

test: $(VENV)/.test
	$(BIN)/python -m pytest $(PYTEST)

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/sqlfluff lint --disable-progress-bar --processes 0 sql
	$(BIN)/python -m pytest -q -m 'not slow' tests/test_layers.py tests/test_docs.py tests/test_tables.py

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/sqlfluff fix --disable-progress-bar sql

accept: $(VENV)/.test
	@$(BIN)/python tests/accept.py

bench: $(VENV)/.test
	@for script in benchmarks/bench_*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

build: $(VENV)/.test
	$(BIN)/python -m hatchling build

clean:
	rm -rf $(VENV) dist notatio-demo .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find pipeline tests benchmarks -name __pycache__ -type d -exec rm -rf {} +

# Stamps say what is installed. The package is installed in place, so that sources take effect at once; its build backend
# comes from constraints.txt too, so that nothing is fetched at a version that nobody tested.

$(VENV)/.run: pyproject.toml constraints.txt | $(BIN)/python
	@echo 'installing notatio into $(VENV) (once; about a minute)'
	@$(PIP) hatchling
	@$(PIP) --no-build-isolation --editable .
	@touch $@

$(VENV)/.test: $(VENV)/.run
	@echo 'installing what the tests need'
	@$(PIP) --no-build-isolation --editable '.[test]'
	@touch $@

$(VENV)/.dev: $(VENV)/.run
	@echo 'installing what the checks need'
	@$(PIP) --no-build-isolation --editable '.[dev]'
	@touch $@ $(VENV)/.test

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { echo 'make: there is no $(PYTHON). On Debian and Ubuntu: apt install python3 python3-venv' >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "make: $(PYTHON) is $$($(PYTHON) -V 2>&1), notatio needs 3.11 or later. Name one: make PYTHON=python3.12 …" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "make: this Python has no venv module. On Debian and Ubuntu: apt install $$($(PYTHON) -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
