"""Search in place of a solution: opponents, hints and reviews of games that are not solved.

Estimates come from random playouts and have standard errors, as if the results of the playouts were independent: they
measure the noise of the search, not how far its playouts are from good play.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from komi.errors import InputError
from komi.jit.clock import HAS_CLOCK
from komi.play.table import Table
from komi.policies.named import find_or_solve
from komi.policies.searchers import ActionEstimate, Searcher
from komi.policies.searchers_by_name import is_searcher
from komi.rules.game import Game
from komi.rules.kind import kind_of
from komi.typing import Rules, State

MEDIUM, HARD = 0.1, 1.0  # seconds for a move
SUMMARY_MEDIUM = "Searches for a tenth of a second before each move."
SUMMARY_HARD = "Searches for about a second before each move."
PLAYOUTS_PER_SECOND = 20_000  # of the opponents where compiled code cannot read a clock
HINT_PLAYOUTS, REVIEW_PLAYOUTS = 20_000, 5_000
SIGNIFICANCE = 2.0  # standard errors that a loss must exceed to be reported


@dataclass(frozen=True)
class EstimatedDecision:
    """A decision as a search judges it.

    Attributes:
        number: the number of its entry in the log.
        state: the state as the player observed it.
        chosen: the action.
        best: the action that the search prefers.
        loss: how much more it expects from the best action, as a probability of winning, a payoff or points.
        stderr: the standard error of the loss.
    """

    number: int
    state: State
    chosen: str
    best: str
    loss: float
    stderr: float


@lru_cache(64)
def policy_name(game: Game, rules: Rules, seconds: float) -> str | None:
    """Return the name of the policy that searches for some time; None if the game cannot be searched."""
    name = "ismcts" if kind_of(game, rules).hidden else "mcts"
    text = on_this_system(f"{name}:{seconds:g}s")
    return None if _searcher(game, rules, text) is None else text


def on_this_system(policy: str) -> str:
    """Return the name of a policy, with playouts in place of seconds where compiled code cannot read a clock."""
    if HAS_CLOCK or not is_searcher(policy):
        return policy
    return re.sub(r":([\d.]+)s\b", lambda found: f":{round(float(found[1]) * PLAYOUTS_PER_SECOND)}", policy)


def hint(game: Game, rules: Rules, observation: State, playouts: int) -> dict[str, ActionEstimate] | None:
    """Return the estimates of a search for each action by its label, the preferred one first.

    Args:
        game: the game.
        rules: its rules.
        observation: the state as the player to move observes it.
        playouts: how many playouts the search has.

    Returns:
        None if the game cannot be searched. Estimates are in the unit of the game's values.

    Raises:
        GameError: if the search finds no end of the game.
    """
    name = "ismcts" if kind_of(game, rules).hidden else "mcts"
    searcher = _searcher(game, rules, f"{name}:{playouts}")
    if searcher is None:
        return None
    action, estimates = searcher.estimate(game, rules, observation, 0.5)
    labels = {number: label for label, number in game.labels(rules, observation).items()}
    ordered = sorted(estimates, key=lambda estimate: (estimate.action != action, -estimate.tried))
    return {labels[estimate.action]: _in_unit(game, rules, estimate) for estimate in ordered}


def review(table: Table, seat: int, playouts: int) -> Iterator[EstimatedDecision]:
    """Judge each decision of a seat in a finished game by a search from what the player observed.

    Args:
        table: the game.
        seat: the seat.
        playouts: how many playouts the search has for each decision.
    """
    game, rules, state = table.game, table.rules, table.initial_state
    for entry in table.log:
        if entry.kind == "action" and entry.seat == seat and len(game.labels(rules, state)) > 1:
            observation = game.part("view")(rules, state) if game.has("view") else state
            estimates = hint(game, rules, observation, playouts)
            if estimates is None:
                return
            yield _judge(entry.number, observation, entry.label, estimates)
        state = entry.state


def costliest(table: Table, seat: int, playouts: int) -> EstimatedDecision | None:
    """Return the decision of a seat that lost most by a search's estimate; None if no loss exceeds its error."""
    worst = max(review(table, seat, playouts), key=lambda decision: decision.loss, default=None)
    return worst if worst is not None and worst.loss > SIGNIFICANCE * worst.stderr else None


def _judge(number: int, state: State, chosen: str, estimates: Mapping[str, ActionEstimate]) -> EstimatedDecision:
    best = next(iter(estimates))
    own, other = estimates.get(chosen), estimates[best]
    if own is None or own.stderr is None or other.stderr is None:  # tried too rarely to be judged
        return EstimatedDecision(number, state, chosen, best, 0.0, math.inf)
    error = 0.0 if chosen == best else math.hypot(own.stderr, other.stderr)
    return EstimatedDecision(number, state, chosen, best, abs(other.value - own.value), error)


@lru_cache(64)
def _searcher(game: Game, rules: Rules, text: str) -> Searcher | None:
    """Return the searcher with this specification; None if it does not fit the game."""
    try:
        found = find_or_solve(text, game, rules._asdict())
    except InputError:
        return None
    assert isinstance(found, Searcher)
    return found


def _in_unit(game: Game, rules: Rules, estimate: ActionEstimate) -> ActionEstimate:
    """Map an estimate to the unit of the game's values."""
    scale = game.payoff_scale(rules)
    if scale.is_chance:
        return estimate
    error = None if estimate.stderr is None else scale.difference(estimate.stderr)
    return ActionEstimate(estimate.action, estimate.tried, scale.payoff(estimate.value), error)
