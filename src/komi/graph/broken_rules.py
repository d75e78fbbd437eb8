"""Errors for rules that the kernels of a graph find to be broken in a state."""

from komi.arrays import I64
from komi.compiling.compiled import CompiledGame
from komi.errors import GameError
from komi.game import ACTIONS_END, MAX_ACTIONS, MAX_PASSES
from komi.graph.expansion import MAX_STATE_OUTCOMES
from komi.graph.reachability_kernel import ExplorationStatus
from komi.rules.interpreter import expected_sum, out_of_range
from komi.typing import Rules


def broken_rule(compiled: CompiledGame, rules: Rules, reason: int, witness: I64) -> GameError:
    """Create the error for the violation of the rules that a reachability analysis has found.

    Args:
        compiled, rules: the game.
        reason: how the exploration ended.
        witness: int64[fields + 1], the state, and the action or -1.
    """
    game = compiled.game
    state = game.module.State(*map(int, witness[:-1]))
    action = int(witness[-1])
    if reason == ExplorationStatus.ACTION:
        written = game.write(rules, state)
        limit = ACTIONS_END if action >= MAX_ACTIONS else ""
        return GameError(
            f"{game.file.name}: 'legal' yields {action} in {written}, which is not an action{limit}.", written
        )
    name = game.label(rules, state, action)
    players, scale = game.players(rules), game.payoff_scale(rules)
    what: dict[int, str] = {
        ExplorationStatus.IMPOSSIBLE: "play reaches a state that 'possible' rules out",
        ExplorationStatus.DEAD_END: "there is no legal action, and the game is not over",
        ExplorationStatus.MIXED: "where chance moves, 'legal' must yield CHANCE and nothing else",
        ExplorationStatus.PROBABILITY: f"the probabilities of {name!r} do not sum to 1",
        ExplorationStatus.PAYOFF: f"the payoff is {out_of_range(scale, players)}",
        ExplorationStatus.SUM: f"the payoffs of the {players} seats do not sum to {expected_sum(scale, players)}",
        ExplorationStatus.FULL_STATE: f"there are {MAX_STATE_OUTCOMES:,} actions or outcomes or more",
        ExplorationStatus.REWARD: f"the reward of {name!r} is not a finite number",
        ExplorationStatus.PASSES: f"{name!r} passes the turn on by a negative number of seats, or by {MAX_PASSES:,} or "
        "more",
    }
    return broken_in(compiled, rules, what[reason], witness)


def broken_in(
    compiled: CompiledGame, rules: Rules, what: str, witness: I64, error: type[GameError] = GameError
) -> GameError:
    """Create an error that says what is wrong in the state of a witness."""
    game = compiled.game
    written = game.write(rules, game.module.State(*map(int, witness[:-1])))
    return error(f"{game.file.name}: {what} in {written}.", written)
