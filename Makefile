# Everything runs in .venv, which `make setup` builds once; afterwards nothing here needs the network.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# A copy of the pyproject.toml that was installed: touching the file costs nothing, changing it installs again.
STAMP := $(VENV)/installed-pyproject.toml

# Long conversations to measure retrieval with; nothing is measured where there are none.
TALKS := ../shared/data/locomo/locomo_first5.json

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1

.PHONY: setup demo test coverage lint format bench docs clean

setup: $(STAMP)

demo: setup
	@PATH="$(CURDIR)/$(BIN):$$PATH" bash docs/demo.sh

test: setup
	$(BIN)/pytest -n 2 --dist worksteal $(ARGS)

coverage: setup
	$(BIN)/pytest -n 2 --dist worksteal --cov --cov-report=term-missing --cov-fail-under=95 $(ARGS)

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: setup
	$(BIN)/python -m benchmarks --data $(TALKS) $(ARGS)

docs: setup
	$(BIN)/python docs/render.py

clean:
	rm -rf $(VENV) .coverage* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(STAMP): pyproject.toml | $(BIN)/pip
	@if cmp -s pyproject.toml $@; then touch $@; \
	else $(BIN)/pip install --quiet -e '.[dev]' && cp pyproject.toml $@; fi

$(BIN)/pip:
	@command -v $(PYTHON) >/dev/null || \
		{ echo "gitmem needs Python 3.11 or newer. On Debian: apt install python3 python3-venv" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "gitmem needs Python 3.11 or newer; $(PYTHON) is older. Name another: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "$(PYTHON) cannot create virtual environments. On Debian: apt install python3-venv" >&2; exit 1; }
	@command -v git >/dev/null || { echo "gitmem needs git. On Debian: apt install git" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
