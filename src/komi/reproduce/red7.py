"""The published statistics of Red7.

The program of 2015 also compares with players who are out, and lists no discard after a play that neither changes the
rule nor draws: both are rules here. Its 10,000 deals have sampling errors of their own, so that numbers agree if they
differ by less than four combined standard errors.
"""

from functools import cache
from math import hypot
from typing import Any

from komi.reproduce.claim import Finding, PublishedClaim, percent
from komi.simulation.result import Estimate, Simulation
from komi.simulation.simulation import simulate

GAMES = 2_000_000  # standard error of a share: at most 0.00035
DEALS, PER_DEAL = 1_000, 2_000
PUBLISHED_DEALS = 10_000  # in the simulation of the published numbers
PROGRAM: dict[str, Any] = {"eliminated": "compared", "idle_discards": False}
READING = "eliminated=compared, idle_discards=false"


@cache
def _played() -> Simulation:
    return simulate("red7", GAMES, seed=2015, **PROGRAM)


@cache
def _official() -> Simulation:
    return simulate("red7", GAMES, seed=2015)


@cache
def _single() -> Simulation:
    return simulate("red7", GAMES // 10, seed=2015, policies="single", **PROGRAM)


@cache
def _dealt() -> Simulation:
    return simulate("red7", deals=DEALS, per_deal=PER_DEAL, seed=2015, **PROGRAM)


def _agree(estimate: Estimate, published: float, its_error: float) -> bool:
    return abs(estimate.mean - published) < 4 * hypot(estimate.stderr, its_error)


def _rates(simulation: Simulation) -> str:
    return " ".join(f"{100 * seat.mean:.2f}" for seat in simulation.wins) + " %"


def _wins() -> Finding:
    between = [_deal_error(seat) for seat in range(3)]
    published = (0.2720, 0.3242, 0.4037)
    agrees = all(map(_agree, _played().wins, published, between))
    return Finding(_rates(_played()), f"{READING}; under the official rules {_rates(_official())}", agrees)


def _deal_error(seat: int) -> float:
    """Estimate the standard error of a seat's win rate over 10,000 deals."""
    spread = float(_dealt().deal_rates[:, seat].std(ddof=1))
    return float(spread / PUBLISHED_DEALS**0.5)


def _turns() -> Finding:
    official = _official().turns.mean
    return Finding(f"{_played().turns.mean:.1f}", f"{READING}; under the official rules {official:.2f}")


def _other_turns() -> Finding:
    return Finding(f"{_played().turns.mean:.1f}", "both 14.1 and 14.2 are printed; 14.1 comes out")


def _longest() -> Finding:
    return Finding(f"{_played().most_turns}", f"of {GAMES:,} games; the longest of more games is longer")


def _worst() -> Finding:
    found = [_dealt().worst_seat_below(rate) for rate in (0.10, 0.05)]
    errors = [(share * (1 - share) / PUBLISHED_DEALS) ** 0.5 + 0.005 for share in (0.25, 0.07)]  # printed to 1 %
    agrees = all(map(_agree, found, (0.25, 0.07), errors))
    return Finding(", ".join(f"{100 * share.mean:.0f} %" for share in found), f"{DEALS:,} deals, {READING}", agrees)


def _single_variant() -> Finding:
    turns, last = _single().turns, _single().wins[2]
    agrees = _agree(turns, 14.6, 0.02) and _agree(last, 0.39, 0.005)  # printed to 0.1 turns and to 1 %
    return Finding(f"{turns.mean:.1f}, {percent(last.mean, 1)}", f"policy single, {READING}", agrees)


def _rare_moves() -> Finding:
    return Finding(percent(483_986 / 14e9, 4), "the quotient of the two numbers printed")


def _short_games() -> Finding:
    share = _played().turns_histogram.get(4, 0) / _played().games
    return Finding(percent(share, 4), "rarer, and clustered in few deals")


def _many_moves() -> Finding:
    return Finding(percent(_played().moves_at_least[10].mean, 1), "nearly a half")


CLAIMS = (
    PublishedClaim("red7-wins", "R7", "Red7, random valid moves: seats 1 to 3 win", "27.20 32.42 40.37 %", _wins),
    PublishedClaim("red7-turns", "R7", "... turns of a game", "14.1", _turns),
    PublishedClaim("red7-turns-2", "R7", "... turns of a game, printed elsewhere", "14.2", _other_turns, disputed=True),
    PublishedClaim("red7-longest", "R7", "... longest of a billion games, turns", "28", _longest, disputed=True),
    PublishedClaim(
        "red7-worst-seat", "R7", "... deals whose worst seat wins under 10 %, under 5 %", "25 %, 7 %", _worst
    ),
    PublishedClaim(
        "red7-single", "R7", "... no discard where a play suffices: turns, last seat", "14.6, 39 %", _single_variant
    ),
    PublishedClaim("red7-rare-moves", "R7", "... 483,986 of 14 x 10^9 moves are", "0.03 %", _rare_moves, disputed=True),
    PublishedClaim("red7-turn-4", "R7", "... games that are over on turn 4", "0.01 %", _short_games, disputed=True),
    PublishedClaim(
        "red7-ten-moves", "R7", "... decisions with ten or more options", "a third", _many_moves, disputed=True
    ),
)
