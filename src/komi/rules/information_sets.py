"""Information sets of small games: the states that a player cannot tell apart, with their probabilities.

The probability of a state, given what the player to move observes, is that of *uniform chance*. Chance events have
the probabilities of the rules. A choice that only the player who makes it sees is uniformly random among the legal
actions that the others do not see. A choice that all players see (`open_actions`) tells nothing: the weight of a
history is the product of the probabilities of its chance events and hidden choices, whatever open choices it contains.
What the opponents' policies would tell is left out.
"""

from functools import lru_cache
from typing import Any

from komi.errors import GameError, SolveError
from komi.game import CHANCE
from komi.rules.game import Game
from komi.rules.interpreter import Interpreter, Move
from komi.typing import Rules, State

MAX_NODES = 100_000  # states of all plies together: enumerated in a few seconds

InformationSets = dict[Any, dict[Any, float]]
"""For each observation of a player who chooses, the states that have it, with their conditional probabilities."""


@lru_cache(8)
def information_sets(game: Game, rules: Rules) -> InformationSets:
    """Enumerate the information sets of a game ply by ply, with interpreted rules.

    Raises:
        GameError: if the rules are broken.
        SolveError: if the game is too large.
    """
    interpreter = Interpreter(game, rules)
    moves_of: dict[State, list[Move]] = {}
    weights: InformationSets = {}
    level, nodes = {interpreter.start(): 1.0}, 0
    while level:
        nodes += len(level)
        if nodes > MAX_NODES:
            raise SolveError(
                f"{game.name} hides something from its players, and its file does not say how to draw it: komi works "
                f"it out for games of at most {MAX_NODES:,} states, counted again in each ply, so let 'deal' draw a "
                "state with a given 'view'."
            )
        after: dict[State, float] = {}
        for state, weight in level.items():
            if state not in moves_of:
                moves_of[state] = [] if interpreter.is_over(state) else interpreter.moves(state)
            _visit(game, rules, state, weight, moves_of[state], weights, after)
        for problem in interpreter.problems.values():
            raise GameError(str(problem), problem.state)
        level = after
    for states in weights.values():
        total = sum(states.values())
        states |= {state: weight / total for state, weight in states.items()}
    return weights


def _visit(
    game: Game,
    rules: Rules,
    state: State,
    weight: float,
    moves: list[Move],
    weights: InformationSets,
    after: dict[State, float],
) -> None:
    """Add a state to its information set, and its successors to those of the next ply."""
    if moves and moves[0].action != CHANCE:
        states = weights.setdefault(game.part("view")(rules, state), {})
        states[state] = states.get(state, 0.0) + weight
    is_hidden = [move.action != CHANCE and not game.is_open(rules, state, move.action) for move in moves]
    for move, hidden in zip(moves, is_hidden, strict=True):
        share = weight / sum(is_hidden) if hidden else weight
        for probability, successor, _ in move.outcomes:
            if probability > 0.0:
                after[successor] = after.get(successor, 0.0) + share * probability
