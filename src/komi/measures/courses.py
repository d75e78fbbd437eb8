"""Single games: how exciting one was beside many sampled ones.

The *course* of a game is the first player's chance of winning under optimal play, at the start and after each move. Its
figures are the measures of tension of this one game:

| figure | definition |
|---|---|
| lead changes | how often the player with V > 1/2 changes; at exactly 1/2 the last leader stays |
| surprise | the sum over moves of abs(V' - V) |
| lowest | the lowest chance of the player who won; NaN in a draw |
| decisive | the share of the moves that followed once a player had a chance of 95 % |

**Error.** The distribution of a figure is known from sampled games. The share of n games that lies below a number is
off by more than e, for any number, with a probability of at most 2 exp(-2 n e^2) (Dvoretzky, Kiefer and Wolfowitz, with
the constant of P. Massart, The Annals of Probability 18(3), 1990). A `FigureDistribution` stores evenly spaced order
statistics, which adds at most the distance between two of them.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from komi.arrays import F64, I16
from komi.errors import SolveError
from komi.evaluation.play_search import policy_outcomes
from komi.graph.expanded_rules import GraphKernels
from komi.graph.lookup import StateIndex, index_of, locate, state_at
from komi.measures.measure import DECIDED_AT
from komi.policies.policy import Policy
from komi.policies.tabulate import tabulate
from komi.rules.interface import over, payoff
from komi.solvers.solution import Solution
from komi.streams import Stream, key, new_stream, next_number
from komi.typing import Rules

FIGURES = ("lead_changes", "surprise", "lowest", "decisive")
GAMES = 50_000  # sampled games
LEVELS = 500  # order statistics that a distribution stores
UNSURE = 0.05  # probability that a share is off by more than the stated error
SAME = 1e-7  # figures that differ by less are equal: their values are rounded differently
MAX_MOVES = 100_000  # of a sampled game


@dataclass(frozen=True)
class FigureDistribution:
    """The distribution of a figure over sampled games.

    Attributes:
        levels: evenly spaced order statistics, ascending.
    """

    levels: tuple[float, ...]

    def share_below(self, value: float) -> float:
        """Return the share of games with a smaller figure."""
        return float(np.searchsorted(self.levels, value - SAME, side="left")) / len(self.levels)

    def share_above(self, value: float) -> float:
        """Return the share of games with a larger figure."""
        return 1.0 - float(np.searchsorted(self.levels, value + SAME, side="right")) / len(self.levels)


def share_error(games: int = GAMES) -> float:
    """Return the error that the shares of a distribution exceed with a probability of at most `UNSURE`."""
    return math.sqrt(math.log(2.0 / UNSURE) / (2.0 * games)) + 1.0 / LEVELS


def figure_distributions(figures: F64) -> dict[str, FigureDistribution]:
    """Return the distribution of each figure, by name; one that no game has is missing.

    Args:
        figures: float64[games, figures], as `sample_figures` returns them.
    """
    found = {}
    for name, column in zip(FIGURES, figures.T, strict=True):
        known = np.sort(column[~np.isnan(column)])
        if len(known):
            ranks = (np.arange(LEVELS) + 0.5) * len(known) / LEVELS
            found[name] = FigureDistribution(tuple(known[ranks.astype(np.int64)].tolist()))
    return found


def course_figures(course: F64, bound: float) -> dict[str, float]:
    """Return the figures of a game, by name; in a draw without `lowest`.

    Args:
        course: float64[moves + 1], the first player's chance of winning at the start and after each move.
        bound: the error bound of these chances.
    """
    figures = np.empty(len(FIGURES))
    fill_figures(course, bound, figures)
    return {name: float(each) for name, each in zip(FIGURES, figures, strict=True) if not np.isnan(each)}


def sample_figures(solution: Solution[Any], first: Policy, second: Policy, games: int = GAMES, seed: int = 1) -> F64:
    """Sample games between two policies; return float64[games, figures], the figures of each.

    The chances of winning are those of optimal play, whatever the policies do.

    Raises:
        GameError: if a policy takes an action that is not legal.
        SolveError: if a table cannot represent a policy, or a game is too long.
    """
    play = solution.optimal_play
    tables = np.stack([tabulate(policy, solution.compiled, solution.rules, play.states) for policy in (first, second)])
    stream = new_stream(key(seed, 0))
    course, figures = np.empty(MAX_MOVES + 1), np.empty((games, len(FIGURES)))
    kernel, bound, rules = GraphKernels(solution.compiled)[play_games], solution.error_bound, solution.rules
    start = play.states.handle(solution.game.part("start")(rules))
    if kernel(rules, start, play.states, tables, np.asarray(play.values), bound, stream, course, figures) < games:
        raise SolveError(f"a game takes more than {MAX_MOVES:,} moves: there is no comparison with others.")
    return figures


def play_games(
    rules: Rules,
    start: int,
    states: StateIndex,
    policies: I16,
    values: F64,
    bound: float,
    stream: Stream,
    course: F64,
    figures: F64,
) -> int:
    """Play games, and fill in their figures; return the number of games that were played to the end.

    Args:
        rules: the rules.
        start: the handle of the initial state.
        states: the set of states.
        policies: int16[2, states], the policy of each seat.
        values: float64[states], the value to the player to move.
        bound: the error bound of the values.
        stream: the random numbers.
        course: float64[moves + 1], a buffer.
        figures: float64[games, figures], filled in.
    """
    for game in range(len(figures)):
        handle, seat, moves, is_over, result = start, 0, 0, False, 0.0
        while not is_over:
            if moves == len(course) - 1:
                return game
            state, index = state_at(states, handle), index_of(states, handle)
            course[moves] = values[index] if seat == 0 else 1.0 - values[index]
            moves += 1
            number = next_number(stream)
            after, passes = state, 0
            for _, probability, following, passed in policy_outcomes(rules, state, policies[seat, index]):
                if probability > 0.0:
                    after, passes = following, passed
                    number -= probability
                    if number < 0.0:
                        break
            seat, is_over = (seat + passes) % 2, over(rules, after)
            if is_over:
                result = payoff(rules, after)
            else:
                handle = locate(states, after)
        course[moves] = result if seat == 0 else 1.0 - result
        fill_figures(course[: moves + 1], bound, figures[game])
    return len(figures)


def fill_figures(course: F64, bound: float, figures: F64) -> None:
    """Fill in float64[figures], the figures of a game; see `course_figures`."""
    moves, leader, changes, surprise = len(course) - 1, 0, 0, 0.0
    lowest, highest, decided = course[0], course[0], moves
    for move in range(moves + 1):
        value = course[move]
        ahead = 1 if value > 0.5 + bound else -1 if value < 0.5 - bound else leader
        changes += leader != 0 and ahead != leader
        leader = ahead
        lowest, highest = min(lowest, value), max(highest, value)
        if move > 0:
            surprise += abs(value - course[move - 1])
        if decided == moves and max(value, 1.0 - value) >= DECIDED_AT - bound:
            decided = move
    result = course[moves]
    figures[0], figures[1] = changes, surprise
    figures[2] = np.nan if result == 0.5 else lowest if result > 0.5 else 1.0 - highest
    figures[3] = (moves - decided) / moves
