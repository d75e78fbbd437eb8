"""Captions of plots of hold values."""

from komi.evaluation.turns import Turns
from komi.rules.vocabulary import field_label, format_rules


def whose(turns: Turns) -> str:
    """Describe the plot: hold values, and the policy that has them."""
    return f"when to hold, {turns.policy} play"


def describe(turns: Turns, decks: int = 1) -> str:
    """Format the rules on one line, with the cards out of the deck if the plot shows only one deck."""
    rules, deck = format_rules(turns.rules), describe_deck(turns)
    return f"{rules};  {deck}" if deck and decks == 1 else rules


def describe_deck(turns: Turns, between: str = ", ") -> str:
    """Describe the cards out of the deck at the start of a turn; an empty text for a game without a deck."""
    return between.join(f"{value} {field_label(turns.game, field)}" for field, value in turns.deck.items())
