.PHONY: setup run play test test-plain test-slow test-install examples check check-page docs bench

PYTHON ?= python3
BIN := .venv/bin

setup: .venv/ready-to-develop

# Sets of packages in one environment, each installed when it is first needed.

.venv/ready-to-run: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

.venv/ready-to-play: .venv/ready-to-run
	$(BIN)/python -m pip install --quiet --editable '.[serve]'
	touch $@

.venv/ready-to-develop: .venv/ready-to-run
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1' # the first that knows dependency groups
	$(BIN)/python -m pip install --quiet --editable '.[design,gymnasium,onnx,openspiel,pandas,pettingzoo,plot,polars,postgres,serve,study,tables]' --group dev
	touch .venv/ready-to-play $@

.venv/ready-for-clusters: .venv/ready-to-develop
	$(BIN)/python -m pip install --quiet --editable '.[cluster]'
	touch $@

.venv/ready-for-examples: .venv/ready-to-develop
	$(BIN)/python -m pip install --quiet --group examples
	touch $@

run: .venv/ready-to-run
	$(BIN)/komi solve red-light

play: .venv/ready-to-play
	$(BIN)/komi serve

# Processes that tests start load komi from bytecode, also where the shell forbids to write it. All run at the lowest
# priority, as the workers of the server do, which would wait behind the other tests.
test: export PYTHONDONTWRITEBYTECODE =
test: setup
	nice -n 19 $(BIN)/pytest --numprocesses 3 --dist loadfile --no-loadscope-reorder

# Every kind of game once more on plain numba; `test-slow` includes them.
test-plain: setup
	$(BIN)/pytest -m 'slow or not slow' tests/jit/test_plain_numba.py

test-slow: .venv/ready-for-clusters
	$(BIN)/pytest -m slow

# The wheel in an empty environment, with each Python from 3.11 to 3.14 on the PATH; the others are named as skipped.
test-install: setup
	$(BIN)/pytest -m slow -rs tests/test_install.py

# The learners in examples/, which need PyTorch. `make test` skips these tests unless it is installed.
examples: .venv/ready-for-examples
	$(BIN)/pytest tests/examples/test_learners.py tests/environments/test_stable_baselines.py

check: setup check-page
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/deptry src
	$(BIN)/pytest tests/test_layers.py
	$(BIN)/zensical build --clean --strict

# The page's JavaScript is served as it is; only its checks need Node.
ifeq ($(shell command -v npm),)
check-page:
	@echo "Skipped the checks of the page's JavaScript: npm is not installed."
else
check-page: node_modules/.package-lock.json
	npm run --silent check
endif

node_modules/.package-lock.json: package.json package-lock.json
	npm ci --silent
	touch $@

docs: setup
	$(BIN)/zensical build --clean --strict
	$(BIN)/python scripts/game_pages.py site/games

bench: setup
	$(BIN)/python bench/run.py
