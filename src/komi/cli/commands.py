"""The application, and the list of its commands: the help page imports none of them."""

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import typer

from komi import __version__

Function = TypeVar("Function", bound=Callable[..., Any])

app = typer.Typer(
    name="komi",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


COMMANDS = {
    "games": ("games", "List the built-in games with their rules."),
    "rules": ("rules", "Explain how a game is played."),
    "solve": ("solve", "Compute optimal play exactly, with a proved error bound."),
    "value": ("solve", "Show the value of a state and of each action in it."),
    "moves": ("moves", "List the legal actions in a state."),
    "check": ("check", "Check that a rule file is sound, or report what is wrong."),
    "play": ("play", "Play in the terminal against an opponent of any skill."),
    "opponents": ("play", "List a game's opponents, and how strong they are."),
    "serve": ("serve", "Start the web app, to play in the browser."),
    "review": ("review", "Review a recorded game: what each decision gave away."),
    "match": ("match", "Evaluate policies exactly: alone or against each other."),
    "compare": ("match", "Compare the decisions of two policies."),
    "measure": ("measure", "Measure how exciting a game is."),
    "fair": ("fair", "Find the komi that makes a game fair."),
    "sweep": ("sweep", "Solve a game under many rule sets and rank them."),
    "design": ("design", "Find rules whose measures meet targets."),
    "learn": ("learn", "Learn a game by value iteration, Q-learning and others."),
    "learn-chances": ("learn_chances", "Learn a game's chances from counts of throws."),
    "spread-total": ("spread_total", "Find the best split to spread a total over rules."),
    "teach": ("teach", "Find the best strategy that a person can remember."),
    "approximate": ("approximate", "Train a small network to play."),
    "export": ("export", "Write a policy as a program, or a game as a model for other tools."),
    "prove": ("prove", "Write a certificate: the proof of a game's value or of policies, for anyone to check."),
    "verify": ("prove", "Check a certificate in exact arithmetic."),
    "simulate": ("simulate", "Play many games and collect statistics."),
    "study": ("study", "Study how well people play."),
    "plot": ("plot", "Draw a game's positions, policies and results."),
    "table": ("table", "Show a policy as a table."),
    "report": ("report", "Write an HTML report about a game."),
    "reproduce": ("reproduce", "Compute every published number and compare."),
    "cache": ("cache", "Show or clear the cache of compiled rules and solutions."),
}
"""Every command: its module, and what it is for. Importing all modules takes longer than solving Pig."""


def command(name: str) -> Callable[[Function], Function]:
    """Return the decorator that makes a function a command; the help page has its entry in `COMMANDS`."""
    return app.command(name=name, short_help=COMMANDS[name][1])


def _version(is_requested: bool) -> None:
    if is_requested:
        print(f"komi {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _welcome(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001  # the callback answers
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Play, solve and design small games of chance and choice."""
    if context.invoked_subcommand is None:
        print(context.get_help())
