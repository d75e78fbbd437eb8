.PHONY: setup run play test test-slow check bench

PYTHON ?= python3
BIN := .venv/bin

setup: .venv/ready

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet --editable . --group dev
	touch $@

run: setup
	$(BIN)/komi solve red-light

play: setup
	$(BIN)/komi serve

test: setup
	$(BIN)/pytest --numprocesses 2 --dist loadfile

test-slow: setup
	$(BIN)/pytest -m slow

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest tests/test_layers.py

bench: setup
	$(BIN)/python bench/run.py
