"""The functions that compiled engine code may call of a game; each game puts its own in their place.

An engine template is plain Python that imports these names. `specialise` makes a copy of the template
in which they are the game's compiled functions. Called as they stand they only say so.
"""

from collections.abc import Iterator
from typing import Any, NoReturn


def _placeholder() -> NoReturn:
    raise NotImplementedError("an engine template runs only after it was specialised for a game")


def legal(rules: Any, state: Any) -> Iterator[int]:
    """The actions open to the player to move."""
    _placeholder()


def outcomes(rules: Any, state: Any, action: int) -> Iterator[tuple[float, Any, int]]:
    """(probability, next state, seats the turn passes on) of an action."""
    _placeholder()


def over(rules: Any, state: Any) -> bool:
    """Whether the game has ended."""
    _placeholder()


def payoff(rules: Any, state: Any) -> float:
    """What the player to move gets in a state where the game is over."""
    _placeholder()


def possible(rules: Any, state: Any) -> bool:
    """Whether the rules allow such a state at all; true everywhere if the game does not say."""
    _placeholder()


def decide(rules: Any, state: Any, *parameters: int) -> int:
    """The action that a policy takes."""
    _placeholder()


def seat_payoff(rules: Any, state: Any, seat: int) -> float:
    """What a seat, counted from the player to move, gets in a state where the game is over."""
    _placeholder()


def view(rules: Any, state: Any) -> Any:
    """The state as the player to move may know it."""
    _placeholder()


def reward(rules: Any, state: Any, action: int, after: Any) -> float:
    """What the mover gains on the way from a state to the next."""
    _placeholder()


def transient(rules: Any, state: Any) -> bool:
    """Whether a state is one of a moment, to be worked out again rather than stored."""
    _placeholder()


def symmetries(rules: Any, state: Any) -> Iterator[Any]:
    """The images of a state; none if the game does not say."""
    _placeholder()


def pack(layout: Any, state: Any) -> int:
    """The state as one integer, or -1 if a field does not fit into the layout."""
    _placeholder()


def unpack(layout: Any, word: int) -> Any:
    """The state that `pack` made the word of."""
    _placeholder()
