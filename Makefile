# The two commands of the README are `make run` and `make test`; the rest is for people who build it.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test check fmt bench lock

run: .venv/run            ## embedded server: page, log and worker in one process
	$(BIN)/plybook serve

.venv/run: requirements.lock pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@ 

.venv/dev: requirements-dev.lock .venv/run
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	touch $@

test: .venv/dev           ## all tests, real PostgreSQL and RabbitMQ included
	$(BIN)/python -m ops.dev.test_services -- $(BIN)/python -m pytest $(ARGS)

check: .venv/dev          ## what a reviewer would say first
	$(BIN)/ruff format --check . && $(BIN)/ruff check . && $(BIN)/mypy && $(BIN)/lint-imports

lock: .venv/dev           ## after a change of dependencies
	$(BIN)/uv pip compile -q --universal --generate-hashes --no-header --python-version 3.11 --extra build pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile -q --universal --generate-hashes --no-header --python-version 3.11 --extra build --extra dev pyproject.toml -o requirements-dev.lock
