"""Roles of fields that follow from play: points at risk, where they are banked, and mine and the rival's."""

from itertools import permutations
from typing import Any

from komi.rules import enumeration
from komi.rules.game import Game
from komi.rules.interpreter import Interpreter
from komi.typing import Rules

SAMPLED_STATES = 300  # states from the start


def find_mirrored_fields(game: Game, rules: Rules) -> set[tuple[str, str]]:
    """Find pairs of fields, in both orders, that swap roles when the turn passes: mine and the rival's.

    They are inferred from random games, not from the first states of play, where too many fields are 0.
    """
    state_moves = enumeration.sample_states(Interpreter(game, rules), SAMPLED_STATES)
    over = game.part("over")
    turn_passes = [
        (state, after)
        for state, after, passes in _list_transitions(state_moves)
        if passes % 2 and not over(rules, after)
    ]
    pairs = set()
    for mine, other in permutations(game.fields(rules), 2):
        values = {getattr(state, other) for state, _ in turn_passes}
        if len(values) > 1 and all(getattr(after, mine) == getattr(state, other) for state, after in turn_passes):
            pairs |= {(mine, other), (other, mine)}
    return pairs


def find_banked_fields(game: Game, rules: Rules, risk: str) -> tuple[str, str] | None:
    """Find the field to which the points at risk are added when a turn ends well, and the rival's counterpart.

    They are inferred from random games. Return None if there is no such pair.
    """
    transitions = _list_transitions(enumeration.sample_states(Interpreter(game, rules), SAMPLED_STATES))
    for mine, other in sorted(find_mirrored_fields(game, rules)):
        shares = {
            (getattr(after, other) - getattr(state, mine)) / getattr(state, risk)
            for state, after, passes in transitions
            if passes % 2 and getattr(state, risk)
        }
        if 1 in shares and shares <= {0, 1}:
            return mine, other
    return None


def find_risk_field(game: Game, rules: Rules) -> str | None:
    """Find the field that grows and never falls during a turn, and returns to its initial value when the turn passes.

    Return None if there is no such field; the first one if there are several.
    """
    start, transitions = game.part("start")(rules), _first_transitions(game, rules)
    for name in game.fields(rules):
        initial = getattr(start, name)
        after_passes = {getattr(after, name) for _, after, passes in transitions if passes}
        changes = [getattr(after, name) - getattr(state, name) for state, after, passes in transitions if not passes]
        if after_passes == {initial} and min(changes, default=0) >= 0 and any(changes):
            return str(name)
    return None


def _first_transitions(game: Game, rules: Rules) -> list[tuple[Any, Any, int]]:
    """Enumerate (state, next state, seats that the turn passes on) of the first states of play."""
    state_moves, _ = enumeration.explore(Interpreter(game, rules), SAMPLED_STATES)
    return _list_transitions(state_moves)


def _list_transitions(state_moves: enumeration.StateMoves) -> list[tuple[Any, Any, int]]:
    """List (state, next state, seats that the turn passes on) of all transitions from some states."""
    return [
        (state, after, passes)
        for state, moves in state_moves.items()
        for move in moves
        for _, after, passes in move.outcomes
    ]
