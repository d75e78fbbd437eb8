.PHONY: setup run play test test-slow check docs bench

PYTHON ?= python3
BIN := .venv/bin

setup: .venv/ready-to-develop

# Three sets of packages in one environment, each installed when it is first needed.

.venv/ready-to-run: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --editable .
	touch $@

.venv/ready-to-play: .venv/ready-to-run
	$(BIN)/pip install --quiet --editable '.[serve]'
	touch $@

.venv/ready-to-develop: .venv/ready-to-run
	$(BIN)/pip install --quiet --upgrade 'pip>=25.1' # the first that knows dependency groups
	$(BIN)/pip install --quiet --editable '.[onnx,plot,postgres,serve,study,tables]' --group dev
	touch .venv/ready-to-play $@

.venv/ready-for-clusters: .venv/ready-to-develop
	$(BIN)/pip install --quiet --editable '.[cluster]'
	touch $@

run: .venv/ready-to-run
	$(BIN)/komi solve red-light

play: .venv/ready-to-play
	$(BIN)/komi serve

test: setup
	$(BIN)/pytest --numprocesses 3 --dist loadfile

test-slow: .venv/ready-for-clusters
	$(BIN)/pytest -m slow

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/deptry src
	$(BIN)/pytest tests/test_layers.py
	$(BIN)/zensical build --clean --strict

docs: setup
	$(BIN)/zensical build --clean --strict

bench: setup
	$(BIN)/python bench/run.py
