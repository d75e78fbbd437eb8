"""A game turn by turn: how the first player's chance of winning spreads, how tense each turn is, and sampled games.

A turn ends when the turn passes. The game has one or two players.
"""

from dataclasses import dataclass

import numpy as np

from komi.arrays import F64
from komi.errors import SolveError
from komi.graph.transitions import begin
from komi.jit.kernels import engine_kernels
from komi.measures.chain import END, PlayChain
from komi.measures.tension import measure_moves

REMAINDER = 1e-3  # of the games, which last longer than the turns of a profile
MAX_TURNS = 10_000
MAX_PASSES = 100_000  # over the nodes of a turn
MAX_TURN_REMAINDER = 1e-12  # of the games inside one turn
BINS = 1000  # of the chance of winning
LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)  # quantiles


@dataclass(frozen=True, eq=False)
class TurnProfile:
    """The course of games between two policies.

    Attributes:
        quantiles: float64[turns + 1, LEVELS], the quantiles of the first player's chance of winning after each number
            of turns, games that are over included; exact up to a bin of 0.001.
        suspense: float64[turns], the expected suspense of each turn; a game that is over has none.
        running: float64[turns + 1], the share of games that are not over.
        games: float64[games, turns + 1], the first player's chance of winning in sampled games; at the end the result.
    """

    quantiles: F64
    suspense: F64
    running: F64
    games: F64


def profile_turns(chain: PlayChain, games: int, seed: int = 1) -> TurnProfile:
    """Follow all games turn by turn, until nearly all are over, and sample some of them.

    Args:
        chain: the chain of play.
        games: the number of games to sample.
        seed: the seed of the sample.

    Raises:
        SolveError: if the game is for points or for three or more players, or turns or games are too long.
    """
    if chain.sides != 2:
        raise SolveError("the course of a game is drawn for one or two players, and a chance of winning.")
    kernel, deviation = engine_kernels()[push_turn], measure_moves(chain).deviation
    value = chain.value[:, 0]
    mass, after = np.zeros((2, len(value)))
    mass[chain.start] = 1.0
    results = np.zeros(3)
    quantiles: list[F64] = []
    suspense: list[float] = []
    running: list[float] = []
    while True:
        turn = len(quantiles)
        is_first = chain.seats == 1 or turn % 2 == 0
        first = value if is_first else 1.0 - value
        histogram = np.bincount(np.rint(first * BINS).astype(np.int64), mass, BINS + 1).astype(np.float64)
        histogram[[0, BINS // 2, BINS]] += results
        quantiles.append(np.searchsorted(np.cumsum(histogram), np.array(LEVELS) * histogram.sum()) / BINS)
        running.append(float(mass.sum()))
        if running[-1] <= REMAINDER:
            break
        if turn == MAX_TURNS:
            raise SolveError(f"games take more than {MAX_TURNS:,} turns: there is no picture of them.")
        ended = np.zeros(3)
        suspense.append(float(kernel(chain, deviation, mass, after, ended)))
        if np.isnan(suspense[-1]):
            raise SolveError("a turn is too long to be followed: there is no picture of the game.")
        results += ended if is_first else ended[::-1]
        mass, after = after, mass
    random = np.random.default_rng(seed)
    sampled = np.array([_sample(chain, random, len(quantiles)) for _ in range(games)]).reshape(games, len(quantiles))
    return TurnProfile(np.array(quantiles), np.array(suspense), np.array(running), sampled)


def push_turn(chain: PlayChain, deviation: F64, mass: F64, after: F64, ended: F64) -> float:
    """Push the probability of all nodes through one turn.

    Args:
        chain: the chain of play.
        deviation: float64[nodes], the suspense of a move.
        mass: float64[nodes], the probability at the beginning of the turn; 0 afterwards.
        after: float64[nodes], all 0; filled in with that of the next turn.
        ended: float64[3], accumulates the games that the mover loses, draws and wins.

    Returns:
        The expected suspense of the turn; NaN if the turn is too long.
    """
    edges = chain.edges
    suspense = 0.0
    for _ in range(MAX_PASSES):
        remainder = 0.0
        for node in range(len(mass)):
            share = mass[node]
            if share == 0.0:
                continue
            mass[node] = 0.0
            suspense += share * deviation[node]
            for edge in range(begin(edges.ends, node), edges.ends[node]):
                target, moving = edges.target[edge], share * edges.probability[edge]
                if target == END:
                    ended[1 + (edges.after[edge, 0] > 0.5) - (edges.after[edge, 0] < 0.5)] += moving
                elif edges.passes[edge]:
                    after[target] += moving
                else:
                    mass[target] += moving
                    if target <= node:
                        remainder += moving
        if remainder <= MAX_TURN_REMAINDER:
            return suspense
    return np.nan


def _sample(chain: PlayChain, random: np.random.Generator, turns: int) -> F64:
    """Sample a game; return float64[turns], the first player's chance of winning at the beginning of each turn."""
    edges, node, is_first = chain.edges, chain.start, True
    course = [float(chain.value[node, 0])]
    while len(course) < turns:
        slot = slice(begin(edges.ends, node), edges.ends[node])
        shares = np.cumsum(edges.probability[slot])
        edge = slot.start + int(np.searchsorted(shares, random.random() * shares[-1], side="right"))
        if edges.target[edge] == END:
            result = float(edges.after[edge, 0])
            course += [result if is_first else 1.0 - result] * (turns - len(course))
            break
        node = int(edges.target[edge])
        if edges.passes[edge]:
            is_first = is_first != (chain.seats == 2)
            value = float(chain.value[node, 0])
            course.append(value if is_first else 1.0 - value)
    return np.array(course)
