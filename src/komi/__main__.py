"""Entry point of `python -m komi`."""

from komi.cli import main

main()
