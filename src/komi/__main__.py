"""Entry point of `komi` and of `python -m komi`.

It imports nothing outside `main`, so that Ctrl-C prints no traceback during the imports of the command line either.
"""


def main() -> None:
    """Run the command that the arguments name."""
    try:
        from komi.cli import main as run

        run()
    except KeyboardInterrupt:  # before the command line handles it; afterwards its exit code is the same
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
