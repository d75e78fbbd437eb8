"""The game interface: the functions of a game that engine code calls; specialization replaces them by compiled rules.

A generic kernel is plain Python that imports these names. `Specializer` creates a copy of the kernel
in which they are bound to the game's compiled functions. Called directly, the required ones raise
NotImplementedError. Optional parts of the protocol are defined here by their defaults.
"""

from collections.abc import Iterator
from typing import Any, NoReturn

from komi.arrays import F64, I64
from komi.game import CHANCE
from komi.typing import Rules, State

ROUNDING = 1e-9  # tolerance for probabilities that sum to less than 1


def _placeholder() -> NoReturn:
    raise NotImplementedError("a generic kernel runs only after it is specialized for a game")


def legal(rules: Rules, state: State) -> Iterator[int]:
    """Yield the legal actions of the player to move."""
    _placeholder()


def outcomes(rules: Rules, state: State, action: int) -> Iterator[tuple[float, Any, int]]:
    """Yield (probability, next state, seats the turn passes on) for each outcome of an action."""
    _placeholder()


def over(rules: Rules, state: State) -> bool:
    """Return whether the game has ended."""
    _placeholder()


def payoff(rules: Rules, state: State) -> float:
    """Return the payoff of the player to move in a state where the game is over, mapped to 0 to 1."""
    _placeholder()


def stated_payoff(rules: Rules, state: State) -> float:
    """Return the payoff of the player to move as the game file states it, in its `payoff_range`."""
    _placeholder()


def stated_seat_payoff(rules: Rules, state: State, seat: int) -> float:
    """Return the payoff of a seat as the game file states it, in its `payoff_range`."""
    _placeholder()


def payoff_range(rules: Rules) -> tuple[float, float]:
    """Return the lowest and the highest payoff that the game file states."""
    _placeholder()


def possible(rules: Rules, state: State) -> bool:
    """Return whether the rules allow such a state; true for all states by default."""
    _placeholder()


def decide(rules: Rules, state: State, *parameters: int) -> int:
    """Return the action that a policy takes."""
    _placeholder()


def like(rules: Rules, state: State, action: int, *parameters: int) -> float:
    """Rate an action by a policy: chance chooses among the actions rated highest."""
    _placeholder()


def seat_payoff(rules: Rules, state: State, seat: int) -> float:
    """Return the payoff of a seat, counted from the player to move, in a state where the game is over."""
    own = payoff(rules, state)
    return own if seat == 0 else 1.0 - own


def stated_seats(seats: int) -> int:
    """Return for how many of the seats the game file states payoffs: the mover's alone by default."""
    return 1


def is_opposed(rules: Rules, seats: int) -> bool:
    """Return whether the payoffs of all seats sum to a constant; true by default."""
    return True


def transient(rules: Rules, state: State) -> bool:
    """Return whether a state is transient: recomputed when needed rather than stored."""
    return False


def pack(layout: Any, state: State) -> int:
    """Pack a state into one integer; return -1 if a field does not fit into the layout."""
    _placeholder()


def unpack(layout: Any, key: int) -> Any:
    """Unpack the state that `pack` has packed into an integer."""
    _placeholder()


def pack_long(layout: Any, state: State) -> tuple[int, int]:
    """Pack a state into two halves of at most 63 bits; (-1, -1) if a field does not fit into the layout."""
    _placeholder()


def unpack_long(layout: Any, high: int, low: int) -> Any:
    """Unpack the state that `pack_long` has packed into two halves."""
    _placeholder()


def rules_from(integers: I64, floats: F64) -> Any:
    """Build the rules from their values, given both as integers and as floats."""
    _placeholder()


def state_from(fields: Any, row: int) -> Any:
    """Build the state from a row of an array of fields."""
    _placeholder()


def state_inside(state: State, fields: Any, row: int, inside: Any) -> Any:
    """Build a state whose fields marked in `inside` (bool[fields]) come from this row, the others from `state`."""
    _placeholder()


def view(rules: Rules, state: State) -> Any:
    """Return the observation of the player to move; the whole state by default."""
    return state


def deal(rules: Rules, observation: State, uniforms: F64) -> Any:
    """Draw a state that the player to move cannot tell from others, given its observation; the observation by default.

    Args:
        rules: the rules.
        observation: what the player to move observes.
        uniforms: as many random numbers as the game's `deal` takes, uniformly distributed in [0, 1).
    """
    return observation


def reward(rules: Rules, state: State, action: int, after: State) -> float:
    """Return the reward of the mover for a transition to the state `after`; 0 by default."""
    return 0.0


def leader(rules: Rules, state: State) -> int:
    """Return the leading seat, counted from the player to move, or -1."""
    return -1


def open_actions(rules: Rules, state: State, action: int) -> bool:
    """Return whether all players see that this action is taken; only the player who takes it by default."""
    return False


def stage(rules: Rules, state: State) -> int:
    """Return the stage of the game, an integer that never decreases during play; 0 by default."""
    return 0


def order(rules: Rules, state: State) -> int:
    """Return how near a state is to the end of its stage, approximately; 0 by default."""
    return 0


def turned(rules: Rules, state: State) -> Any:
    """Return the state as seen by the next player; unchanged by default."""
    return state


def symmetries(rules: Rules, state: State) -> Iterator[Any]:
    """Yield the images of a state under the symmetries of the game; the state itself by default."""
    yield state


def pick(rules: Rules, state: State, uniform: float) -> tuple[int, int]:
    """Pick one of the legal actions, all with the same probability.

    Args:
        uniform: a random number, uniformly distributed in [0, 1).

    Returns:
        The number of legal actions and the action picked; (0, CHANCE) in a chance node.
    """
    count = 0
    for action in legal(rules, state):
        if action == CHANCE:
            return 0, CHANCE
        count += 1
    index = int(uniform * count)
    for action in legal(rules, state):
        if index == 0:
            return count, action
        index -= 1
    return 0, CHANCE


def sample(rules: Rules, state: State, action: int, uniform: float) -> tuple[float, Any, int]:
    """Sample an outcome of an action with a random number, by inversion of the cumulative distribution.

    If the probabilities sum to less than 1 and no outcome is selected, the number of seats passed on is -1.

    Args:
        uniform: a random number, uniformly distributed in [0, 1).

    Returns:
        (probability, next state, seats the turn passes on) of the sampled outcome.
    """
    total = 0.0
    probability, after, passes = 0.0, state, -1
    for probability, after, passes in outcomes(rules, state, action):
        total += probability
        if uniform < total:
            return probability, after, passes
    return probability, after, passes if total > 1.0 - ROUNDING else -1


def call_policy(rules: Rules, state: State, policy: int, carried: Any, uniform: float) -> int:
    """Return the action of one of the players' policies in a state as the player to move sees it."""
    return CHANCE


VISITED = -2
"""The action of a witness that is the state in which a kernel runs the rules."""


def record_witness(state: State, action: int, witness: Any) -> None:
    """Write the state and the action at which a kernel stops early into an array: first the fields of the state."""
    for i in range(len(state)):
        witness[i] = state[i]
    witness[len(state)] = action
