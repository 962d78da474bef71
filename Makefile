# `make run` and `make test` need Python 3.11 or newer, make and git; nothing else.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
COMPILE := --quiet --universal --generate-hashes --no-header --python-version 3.11 --extra build
ARGS ?= tests

SEASONS ?= 200
MOVES ?= 500
MATCHES ?= 10000
RUN_MATCHES ?= 20
STUCK_GAMES ?= 1000

.PHONY: help run test check fmt bench league simulate matches stuck solo rerun services lock
help:                     ## this list
	@grep -E '^[a-z]+:.*##' Makefile | sed 's/:.*## /\t/'

run: .venv/run            ## the whole service in one process: page, log and computer players
	$(BIN)/plybook serve

test: .venv/dev           ## all tests, on a real PostgreSQL and RabbitMQ; engines are compiled first
	$(BIN)/plybook warm
	$(BIN)/python -m ops.dev.test_services --programs -- \
	  $(BIN)/python -m pytest -n 2 --dist loadgroup $(ARGS)

check: .venv/dev          ## what a reviewer would say first
	$(BIN)/ruff format --check . && $(BIN)/ruff check . && $(BIN)/mypy && $(BIN)/lint-imports --no-logo

fmt: .venv/dev            ## layout and import order, in place
	$(BIN)/ruff check --fix-only . && $(BIN)/ruff format .

bench: .venv/dev          ## docs/benchmarks.md anew: this machine's numbers beside their anchors
	$(BIN)/python -m ops.dev.test_services -- $(BIN)/plybook bench --write docs/benchmarks.md

league: .venv/dev         ## docs/league.md anew: games between levels and outside programs; GAMES=20
	$(BIN)/python -m ops.dev.league plan --write docs/league.md $(if $(GAMES),--games $(GAMES))

simulate: .venv/dev       ## many seasons of lost messages and dead workers; SEASONS=200
	PLYBOOK_SEASONS=$(SEASONS) $(BIN)/python -m pytest -n 2 tests/simulation --timeout 0

matches: .venv/dev        ## whole matches of all games, held to every law of the sheets; MATCHES=10000
	PLYBOOK_MATCHES=$(MATCHES) $(BIN)/python -m pytest -n 2 tests/games/test_matches.py --timeout 0

stuck: .venv/dev          ## Hedgerow's engine against all who might get it stuck; STUCK_GAMES=1000
	PLYBOOK_HEDGEROW_GAMES=$(STUCK_GAMES) $(BIN)/python -m pytest tests/engines/test_hedgerow_tree.py -k stuck --timeout 0

solo: .venv/dev           ## Caltrop's solo game on each difficulty, over HTTP and Celery; RUN_MATCHES=20
	PLYBOOK_RUN_MATCHES=$(RUN_MATCHES) $(BIN)/python -m pytest --log-cli-level=INFO --log-disable=httpx \
	  tests/journeys/test_solo.py tests/campaigns/test_celery.py --timeout 0

rerun: .venv/run          ## computer moves of every level, played again from the log by cold engines; MOVES=500
	$(BIN)/python -m ops.dev.rerun --moves $(MOVES)

services: .venv/dev       ## a shell with a throw-away PostgreSQL and RabbitMQ beside it
	$(BIN)/python -m ops.dev.test_services --own -- $${SHELL:-sh}

lock: .venv/dev           ## both lock files, after a change of dependencies
	$(BIN)/uv pip compile $(COMPILE) pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile $(COMPILE) --extra dev pyproject.toml -o requirements-dev.lock

.venv/run: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo 'Plybook needs Python 3.11 or newer; name one: make PYTHON=python3.12 …'; exit 1; }
	@$(PYTHON) -m venv .venv || { echo 'This Python cannot make a virtual environment; on Debian: apt-get install python3-venv'; exit 1; }
	$(PIP) --require-hashes -r requirements.lock
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

.venv/dev: requirements-dev.lock .venv/run
	$(PIP) --require-hashes -r requirements-dev.lock
	@touch $@
