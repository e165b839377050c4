# The commands of the project. A user's machine needs Python 3.11+, git and make.
.PHONY: setup run test test-all check lock

PYTHON ?= python3
UV := .uv/bin/uv
BIN := .venv/bin
# Two at once: each worker that needs it loads the model, 2 GB.
PYTEST := $(BIN)/python -m pytest -n 2 --dist loadfile $(PYTEST_ARGS)
export OPENBLAS_NUM_THREADS := 1

setup: .venv/.installed .env
	$(BIN)/zp assets prepare

run: setup
	$(if $(WIKI),ZP_WIKI_URL="$(WIKI)") $(if $(BRANCH),ZP_WIKI_BRANCH="$(BRANCH)") $(BIN)/zp up

test: setup
	$(PYTEST) -m "not system"

test-all: setup
	$(PYTEST)

check: .venv/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -q tests/docs

lock: $(UV)
	$(UV) pip compile pyproject.toml --group dev --python-version 3.11 --universal \
		--generate-hashes --no-emit-index-url --no-annotate --no-header -o requirements.lock

$(UV): requirements-uv.lock
	$(PYTHON) -m venv .uv
	.uv/bin/pip install --quiet --require-hashes -r requirements-uv.lock
	touch $(UV)

.venv/.installed: $(UV) requirements.lock pyproject.toml
	test -d .venv || $(UV) venv --quiet --python $(PYTHON) .venv
	$(UV) pip sync --quiet --python $(BIN)/python requirements.lock
	$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	touch $@

.env:
	$(BIN)/python -m zp_pipeline.first_settings .env
