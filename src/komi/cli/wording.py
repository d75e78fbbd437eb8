"""Rewording of typer's messages about mistakes in a command."""

import re
from typing import Any

PLAINER = (  # (typer's message, its replacement)
    (r"Invalid value for '?(\S+?)'?: Input should be a valid integer.*", r"\1 takes a whole number"),
    (r"Invalid value for '?(\S+?)'?: Input should be a valid number.*", r"\1 takes a number"),
    (r"Invalid value for '?(\S+?)'?: Input should be (.*)", r"\1 should be \2"),
    (r"Missing (?:argument|option) '(\S+)'.*", r"\1 is missing"),
    (r"Option '(\S+)' requires an argument", r"\1 needs a value"),
    (r"Got unexpected extra argument\S* \((.*)\)", r"there are too many arguments: \1"),
    (r"No such command (\S+)\. Did you mean (\S+?)[,?].*", r"there is no command \1 (did you mean \2?)"),
    (r"No such option: (\S+) \(Possible options: (\S+?)[,)].*", r"there is no option \1 (did you mean \2?)"),
    (r"No such (command|option):? (\S+)", r"there is no \1 \2"),
)


def plain_sentence(error: Any) -> str:
    """Rewrite typer's error message as a plain sentence that refers to the right help page."""
    message = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    for said, plain in PLAINER:
        found = re.fullmatch(said, message)
        if found:
            message = found.expand(plain)
            break
    return f"{message}: '{context.command_path if context else 'komi'} --help' shows what is possible."
