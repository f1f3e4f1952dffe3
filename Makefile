# Everything that Nardi needs, made from Debian's python3 (with venv), make and a network.
SHELL := /bin/bash
VENV := .venv
PY := $(VENV)/bin/python
STAMP := $(VENV)/.installed-all
DEVSTAMP := $(VENV)/.installed-dev
# Pinned only so far as `pip install --group` needs.
PIP := $(PY) -m pip --disable-pip-version-check

.PHONY: demo test check lint system clean

demo: $(STAMP)
	@bash tests/system_packages.sh fonts
	@$(VENV)/bin/nardi demo $(DEMO)

test: $(DEVSTAMP)
	@bash tests/system_packages.sh all
	@$(MAKE) --no-print-directory lint
	$(PY) -m pytest -n 2 $(PYTEST)

# The quick half of `make test`: no browser, no firmware, no long simulations.
check: $(DEVSTAMP)
	@$(MAKE) --no-print-directory lint
	$(PY) -m pytest -n 2 -m "not slow" $(PYTEST)

lint: $(DEVSTAMP)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

$(PY):
	@python3 -c 'import sys; assert sys.version_info >= (3, 11), "Nardi needs Python 3.11 or later"'
	python3 -m venv $(VENV)
	$(PIP) install --quiet --upgrade 'pip>=25.1'

$(STAMP): pyproject.toml | $(PY)
	$(PIP) install --quiet -e '.[all]'
	@touch $@

$(DEVSTAMP): pyproject.toml $(STAMP)
	$(PIP) install --quiet --group dev
	@touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis build dist
