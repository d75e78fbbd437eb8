"""The functions that compiled engine code may call of a game; each game puts its own in their place.

An engine template is plain Python that imports these names. `specialise` makes a copy of the template
in which they are the game's compiled functions. Called as they stand they only say so. What a game may
have, but need not, stands here as it follows from what a game must have.
"""

from collections.abc import Iterator
from typing import Any, NoReturn

from komi.game import CHANCE

ROUNDING = 1e-9  # by which probabilities may sum to less than 1


def _placeholder() -> NoReturn:
    raise NotImplementedError("an engine template runs only after it was specialised for a game")


def start(rules: Any) -> Any:
    """The first state."""
    _placeholder()


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


def like(rules: Any, state: Any, action: int, *parameters: int) -> float:
    """How much a policy likes an action."""
    _placeholder()


def seat_payoff(rules: Any, state: Any, seat: int) -> float:
    """What a seat, counted from the player to move, gets in a state where the game is over."""
    own = payoff(rules, state)
    return own if seat == 0 else 1.0 - own


def transient(rules: Any, state: Any) -> bool:
    """Whether a state is one of a moment, to be worked out again rather than stored."""
    return False


def symmetries(rules: Any, state: Any) -> Iterator[Any]:
    """The images of a state; none if the game does not say."""
    _placeholder()


def pack(layout: Any, state: Any) -> int:
    """The state as one integer, or -1 if a field does not fit into the layout."""
    _placeholder()


def unpack(layout: Any, word: int) -> Any:
    """The state that `pack` made the word of."""
    _placeholder()


def pack_long(layout: Any, state: Any) -> tuple[int, int]:
    """The two halves of the state's word, of any length; -1 and -1 if a field does not fit into the layout."""
    _placeholder()


def unpack_long(layout: Any, high: int, low: int) -> Any:
    """The state that `pack_long` made the halves of."""
    _placeholder()


def state_from(fields: Any, row: int) -> Any:
    """The state with the fields of this row."""
    _placeholder()


def state_inside(state: Any, fields: Any, row: int, inside: Any) -> Any:
    """The state with those fields of this row that are marked in bool[fields], and its own others."""
    _placeholder()


def view(rules: Any, state: Any) -> Any:
    """What the player to move may know of the state."""
    return state


def reward(rules: Any, state: Any, action: int, after: Any) -> float:
    """What the mover gains on the way to the next state."""
    return 0.0


def leader(rules: Any, state: Any) -> int:
    """The seat, counted from the player to move, that is ahead; -1 if there is none."""
    return -1


def stage(rules: Any, state: Any) -> int:
    """How far the game is, a number that never falls; 0 if the game does not say."""
    return 0


def order(rules: Any, state: Any) -> int:
    """About how near a state is to the end of its stage; 0 if the game does not say."""
    return 0


def turned(rules: Any, state: Any) -> Any:
    """The state as the next player would see it; as it is if the game does not say."""
    return state


def pick(rules: Any, state: Any, luck: float) -> tuple[int, int]:
    """(how many actions are legal, the one that luck, from 0 to 1, falls on); (0, CHANCE) if nobody chooses."""
    count = 0
    for action in legal(rules, state):
        if action == CHANCE:
            return 0, CHANCE
        count += 1
    index = int(luck * count)
    for action in legal(rules, state):
        if index == 0:
            return count, action
        index -= 1
    return 0, CHANCE


def sample(rules: Any, state: Any, action: int, luck: float) -> tuple[float, Any, int]:
    """The outcome that luck, from 0 to 1, falls on, if all lie side by side as wide as they are probable.

    Where it falls on none, because the probabilities do not sum to 1, the turn passes on by -1 seats.
    """
    total = 0.0
    probability, after, passes = 0.0, state, -1
    for probability, after, passes in outcomes(rules, state, action):
        total += probability
        if luck < total:
            return probability, after, passes
    return probability, after, passes if total > 1.0 - ROUNDING else -1


def ask(rules: Any, state: Any, policy: int, carried: Any, luck: float) -> int:
    """The action that one of the policies at the table takes, in a state as the player to move sees it."""
    return CHANCE
