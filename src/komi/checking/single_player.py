"""Checks that players declared to play alone (`alone`) do not affect each other."""

from typing import Any

from komi.errors import InputError
from komi.policies.single_player import single_player_state
from komi.rules.enumeration import StateMoves
from komi.rules.interpreter import FAILED, Interpreter, Move
from komi.typing import State


def check(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that the mover has the same actions, outcomes and rewards alone, and does not affect the other players."""
    game, rules = interpreter.game, interpreter.rules
    alone = _rules(interpreter)
    if alone is None or alone == rules:
        return
    if not game.has("turned"):
        _note(interpreter, "needs 'turned', which assigns fields to players", None)
        return
    own = Interpreter(game, alone)
    owned = _owned(interpreter, enumerated, game.fields(alone))
    for state, moves in enumerated.items():
        if not moves:
            continue
        there = single_player_state(game, alone, state)
        if own.is_over(there):
            _note(interpreter, "returns rules under which the mover's own game is over", state)
        elif [move.action for move in own.moves(there)] != [move.action for move in moves]:
            _note(interpreter, "has other legal actions", state)
        elif any(_told(interpreter, state, move, alone) != _own(own, there, move) for move in moves):
            _note(interpreter, "has other outcomes or rewards", state)
        elif any(not _leaves_others(interpreter, state, move, alone, owned) for move in moves):
            _note(interpreter, "does not hold: the mover's action changes what the next player can do", state)
    for problem in own.problems.values():
        interpreter.record("alone", f"{problem.message}, under the rules of 'alone'", problem.state)


def _rules(interpreter: Interpreter) -> Any:
    """Return the rules for a single player. Return None, and report it, if 'alone' does not give valid ones."""
    game, rules = interpreter.game, interpreter.rules
    try:
        alone = game.alone(rules)
        if game.rules(alone._asdict()) == alone and game.alone(alone) == alone:
            return alone
        _note(interpreter, f"returns {alone!r}, for which it returns other rules", None)
    except InputError as error:
        _note(interpreter, f"returns rules that 'limits' does not allow: {str(error).rstrip('.')}", None)
    except Exception as error:
        _note(interpreter, f"fails: {type(error).__name__}: {error}", None)
    return None


def _owned(interpreter: Interpreter, enumerated: StateMoves, fields: tuple[str, ...]) -> frozenset[str]:
    """Return the fields of the mover's own game that the next player does not share."""
    turned = {state: interpreter.call("turned", state) for state in enumerated}
    return frozenset(
        name
        for name in fields
        if any(after is not FAILED and getattr(state, name) != getattr(after, name) for state, after in turned.items())
    )


def _told(interpreter: Interpreter, state: State, move: Move, alone: Any) -> list[tuple[float, Any, float]]:
    """Return the sorted outcomes of a move, restricted to the mover's own game, as (probability, state, reward)."""
    game, rules = interpreter.game, interpreter.rules
    players = game.players(rules)
    return sorted(
        (
            round(probability, 9),
            single_player_state(game, alone, game.turned(rules, after, -passes % players)),
            _gained(interpreter, state, move, after),
        )
        for probability, after, passes in move.outcomes
    )


def _own(own: Interpreter, there: Any, same: Move) -> list[tuple[float, Any, float]]:
    """Return the sorted outcomes of the same move in the single-player game, as (probability, state, reward)."""
    move = next(move for move in own.moves(there) if move.action == same.action)
    return sorted(
        (round(probability, 9), after, _gained(own, there, move, after)) for probability, after, _ in move.outcomes
    )


def _gained(interpreter: Interpreter, state: State, move: Move, after: State) -> float:
    gained = interpreter.call("reward", state, move.action, after) if interpreter.game.has("reward") else 0.0
    return 0.0 if gained is FAILED else round(float(gained), 9)


def _leaves_others(interpreter: Interpreter, state: State, move: Move, alone: Any, owned: frozenset[str]) -> bool:
    """Return whether a move leaves the others' fields unchanged and resets the shared ones when it ends a turn."""
    game, rules = interpreter.game, interpreter.rules
    players, start = game.players(rules), game.part("start")(alone)
    shared = [name for name in game.fields(alone) if name not in owned]
    for _, after, passes in move.outcomes:
        if passes and any(getattr(after, name) != getattr(start, name) for name in shared):
            return False
        for seat in range(1, players):
            before = game.turned(rules, state, seat)
            now = game.turned(rules, after, (seat - passes) % players)
            if any(getattr(before, name) != getattr(now, name) for name in owned):
                return False
    return True


def _note(interpreter: Interpreter, problem: str, state: State) -> None:
    interpreter.record("alone", f"{interpreter.game.file.name}: 'alone' {problem}", state)
