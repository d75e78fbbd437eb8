"""What pictures of turns say of what they show."""

from komi.evaluation.turns import Turns
from komi.vocabulary import meaning, settings


def whose(turns: Turns) -> str:
    """What is drawn, and whose play."""
    return f"when to hold, {turns.policy} play"


def describe(turns: Turns, decks: int = 1) -> str:
    """The rules in one line, and what is out of the deck if there is only one."""
    rules, deck = settings(turns.rules), describe_deck(turns)
    return f"{rules};  {deck}" if deck and decks == 1 else rules


def describe_deck(turns: Turns, between: str = ", ") -> str:
    """What is out of the deck as the turns begin; nothing for a game without one."""
    return between.join(f"{value} {meaning(turns.game, field)}" for field, value in turns.deck.items())
