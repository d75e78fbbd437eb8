"""Counterfactual regret minimization: policies of any number of players that hardly gain by deviating alone.

In each information set I a player follows the positive part of its regrets, of which the last one counts twice:

    v(I) = sum over a of s(I, a) q(I, a),   R(I, a) = [R(I, a) + q(I, a) - v(I)]+,
    s(I, a) proportional to [R(I, a) + q(I, a) - v(I)]+,

where q(I, a), the counterfactual value, is the sum of the payoffs after the action, each times the probability that
chance and the others play along. The average of the realization plans, iteration t with weight t^2, converges to an
equilibrium of two players with opposite interests; with more players nothing is proved beforehand, and what deviations
gain is computed afterwards. In sequence form all q of a player are one product of the payoffs and the plans of the
others, and one pass over its information sets, the last ones first.

M. Zinkevich, M. Johanson, M. Bowling and C. Piccione, "Regret minimization in games with incomplete information", 2007;
O. Tammelin, "Solving large imperfect information games using CFR+", 2014; the prediction: G. Farina, C. Kroer and
T. Sandholm, "Faster game solving via predictive Blackwell approachability", 2021.
"""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64, I32, I64
from komi.jit.kernels import engine_kernels
from komi.progress import Progress
from komi.solvers.hidden.sequence_form import SequenceForm

ACCURACY = 2e-10  # of the shares that deviations gain, at which iteration ends
MAX_WORK = 1e10  # visits of payoffs in all iterations, up to a minute
WORK_AT_ONCE = 3e7  # visits between calls of `progress`
MIN_ITERATIONS = 32  # before the first time that gains are computed; then after each quarter more


class RegretGame(NamedTuple):
    """A game in sequence form, the sets and sequences of all players numbered one after the other.

    Attributes:
        sets_end: int64[seats], one past the last information set of each player.
        roots: int64[seats + 1], the empty sequence of each player; at the end the number of sequences.
        parent: int64[sets], the sequence that leads to each information set.
        first, end: int64[sets], the first sequence that ends with an action of each information set, and one past the
            last.
        entries_end: int64[sequences], one past the last entry of each sequence; an entry is an end of the game.
        others: int32[entries, seats - 1], the sequences of the other players there.
        payoffs: float64[entries], the sum of probability times the share of the sequence's player there.
    """

    sets_end: I64
    roots: I64
    parent: I64
    first: I64
    end: I64
    entries_end: I64
    others: I32
    payoffs: F64


class RegretPlay(NamedTuple):
    """What regret minimization knows of each sequence, all float64[sequences].

    Attributes:
        regret: the regret of its last action.
        behavior: the probability of its last action.
        plan: the product of the probabilities of all its actions.
        total: the sum of all plans so far, each times its weight.
        gain: a buffer for counterfactual values.
    """

    regret: F64
    behavior: F64
    plan: F64
    total: F64
    gain: F64


def minimize_regret(
    form: SequenceForm, progress: Progress, most: int | None = None, accuracy: float = ACCURACY
) -> tuple[list[F64], int]:
    """Compute a realization plan of each player, an approximate equilibrium, from uniform play.

    Args:
        form: the sequence form.
        progress: called during long work.
        most: the number of iterations at most; by default those of `MAX_WORK`.
        accuracy: the share that deviations gain, at which iteration ends.

    Returns:
        (float64[sequences] of each player, the number of iterations)
    """
    game = _game_of(form)
    sequences = sum(player.sequences for player in form.players)
    play = RegretPlay(*(np.full(sequences, start) for start in (0.0, 1.0, 1.0, 0.0, 0.0)))
    kernels = engine_kernels()
    kernels[_play_uniformly](game, play)
    visits, done, check = len(game.payoffs), 0, MIN_ITERATIONS
    limit = int(MAX_WORK / visits) + 1 if most is None else most
    while done < limit:
        count = min(check - done, limit - done, max(1, int(WORK_AT_ONCE / visits)))
        kernels[_iterate](game, play, done, done + count)
        done += count
        progress("minimizing regret", done, 0)
        if done == check:
            if kernels[_largest_gain](game, play) <= accuracy:
                break
            check += max(1, check // 4)
    return [play.total[a:b] / play.total[a] for a, b in pairwise(game.roots.tolist())], done


def _game_of(form: SequenceForm) -> RegretGame:
    """Return the arrays of a game in sequence form."""
    players = form.players
    roots = np.cumsum([0, *(player.sequences for player in players)])
    first, end = (
        [root + each.firsts[part] for root, each in zip(roots, players, strict=False)]
        for part in (slice(-1), slice(1, None))
    )
    keys = players[0].payoffs.keys
    entries, seats = keys.shape
    others, payoffs = np.empty((seats * entries, seats - 1), np.int32), np.empty(seats * entries)
    for seat, player in enumerate(players):
        order, part = np.argsort(keys[:, seat], kind="stable"), slice(seat * entries, (seat + 1) * entries)
        payoffs[part] = player.payoffs.values[order]
        for column, other in enumerate(each for each in range(seats) if each != seat):
            others[part, column] = roots[other] + keys[order, other]
    counts = [np.bincount(keys[:, seat], minlength=player.sequences) for seat, player in enumerate(players)]
    return RegretGame(
        np.cumsum([player.sets for player in players]),
        roots,
        np.concatenate([root + player.parents for root, player in zip(roots, players, strict=False)]),
        np.concatenate(first),
        np.concatenate(end),
        np.cumsum(np.concatenate(counts)),
        others,
        payoffs,
    )


def _play_uniformly(game: RegretGame, play: RegretPlay) -> None:
    """Set all policies to uniform play."""
    for number in range(len(game.parent)):
        first, end = game.first[number], game.end[number]
        for sequence in range(first, end):
            play.behavior[sequence] = 1.0 / (end - first)
            play.plan[sequence] = play.plan[game.parent[number]] * play.behavior[sequence]


def _iterate(game: RegretGame, play: RegretPlay, start: int, stop: int) -> None:
    """Run some iterations, in which the players change their policies in turn."""
    for iteration in range(start, stop):
        for seat in range(len(game.sets_end)):
            _update_player(game, play, seat)
        weight = (iteration + 1.0) * (iteration + 1.0)
        for sequence in range(len(play.total)):
            play.total[sequence] += weight * play.plan[sequence]


def _update_player(game: RegretGame, play: RegretPlay, seat: int) -> None:
    """Update the regrets of a player, then its policy and its plan."""
    _sum_payoffs(game, play.plan, seat, play.gain)
    first_set = game.sets_end[seat - 1] if seat > 0 else 0
    sets = game.sets_end[seat] - first_set
    for count in range(sets):
        number = first_set + sets - 1 - count
        first, end = game.first[number], game.end[number]
        value, total = 0.0, 0.0
        for sequence in range(first, end):
            value += play.behavior[sequence] * play.gain[sequence]
        play.gain[game.parent[number]] += value
        for sequence in range(first, end):
            regret = play.gain[sequence] - value
            play.regret[sequence] = max(play.regret[sequence] + regret, 0.0)
            play.behavior[sequence] = max(play.regret[sequence] + regret, 0.0)
            total += play.behavior[sequence]
        for sequence in range(first, end):
            play.behavior[sequence] = play.behavior[sequence] / total if total > 0.0 else 1.0 / (end - first)
    for number in range(first_set, first_set + sets):
        for sequence in range(game.first[number], game.end[number]):
            play.plan[sequence] = play.plan[game.parent[number]] * play.behavior[sequence]


def _sum_payoffs(game: RegretGame, plan: F64, seat: int, gain: F64) -> None:
    """Compute the payoffs of a player in each of its sequences, times the probabilities of the others."""
    begin = game.entries_end[game.roots[seat] - 1] if seat > 0 else 0
    for sequence in range(game.roots[seat], game.roots[seat + 1]):
        total = 0.0
        for entry in range(begin, game.entries_end[sequence]):
            payoff = game.payoffs[entry]
            for other in range(game.others.shape[1]):
                payoff *= plan[game.others[entry, other]]
            total += payoff
        gain[sequence], begin = total, game.entries_end[sequence]


def _largest_gain(game: RegretGame, play: RegretPlay) -> Any:
    """Return the most that a player gains by deviating alone from the average plans, up to rounding."""
    largest = 0.0
    average = np.empty(len(play.total))
    for seat in range(len(game.sets_end)):
        for sequence in range(game.roots[seat], game.roots[seat + 1]):
            average[sequence] = play.total[sequence] / play.total[game.roots[seat]]
    for seat in range(len(game.sets_end)):
        _sum_payoffs(game, average, seat, play.gain)
        root = game.roots[seat]
        share = 0.0
        for sequence in range(root, game.roots[seat + 1]):
            share += average[sequence] * play.gain[sequence]
        first_set = game.sets_end[seat - 1] if seat > 0 else 0
        sets = game.sets_end[seat] - first_set
        for count in range(sets):
            number = first_set + sets - 1 - count
            best = play.gain[game.first[number]]
            for sequence in range(game.first[number], game.end[number]):
                best = max(best, play.gain[sequence])
            play.gain[game.parent[number]] += best
        largest = max(largest, play.gain[root] - share)
    return largest
