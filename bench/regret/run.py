"""Regret minimization beside that of OpenSpiel, in one run: iterations a second, and seconds to a gain of 1e-3.

    python bench/regret/run.py [GAME ...]

OpenSpiel (its CFR+ solver in C++) runs its own games; those with 13 ranks are its universal poker, which deals cards
where komi deals ranks. The gain is that of best responses to both average policies together, in OpenSpiel's
units; the time is that of iterations alone, without compiling, listing and computing gains. A dash is a gain
that is not reached within `MAX_SECONDS`.
"""

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel  # type: ignore[import-untyped]

import komi
from komi.compiling.compiled import compiled_game
from komi.progress import silent
from komi.solvers.hidden import counterfactual_regret
from komi.solvers.hidden.equilibrium import behavior_of, best_response_value, plans_of
from komi.solvers.hidden.history_listing import sequence_form

EXAMPLES = Path(__file__).parents[2] / "examples"
POKER = (
    "universal_poker(betting=limit,numPlayers=2,numRounds=2,blind=1 1,raiseSize=2 4,firstPlayer=1 1,maxRaises=2 2,"
    "numSuits=2,numRanks=13,numHoleCards=1,numBoardCards=0 1,stack=100 100)"
)
GAMES = {
    "kuhn": ("kuhn_poker", {}, "kuhn_poker", 4.0),
    "leduc": ("leduc_poker", {}, "leduc_poker", 26.0),
    "leduc-13": ("leduc_poker", {"ranks": 13}, POKER, 26.0),
    "liars-dice": ("liars_dice", {}, "liars_dice", 2.0),
}
"""The example and its rules, the name in OpenSpiel, and the range of payoffs there."""
GAIN = 1e-3
SECONDS = 5.0
MAX_SECONDS = 60.0


def measure_openspiel(name: str) -> tuple[float, float]:
    """Return the iterations a second of OpenSpiel, and the seconds until the gain is reached."""
    game = pyspiel.load_game(name)
    solver = pyspiel.CFRPlusSolver(game)
    seconds, iterations, reached, check = 0.0, 0, np.nan, 16
    while seconds < SECONDS or (np.isnan(reached) and seconds < MAX_SECONDS):
        begin = time.perf_counter()
        for _ in range(check):
            solver.evaluate_and_update_policy()
        seconds += time.perf_counter() - begin
        iterations += check
        check = max(1, iterations // 8)
        if np.isnan(reached) and pyspiel.nash_conv(game, solver.average_policy()) <= GAIN:
            reached = seconds
    return iterations / seconds, reached


def measure_komi(name: str, settings: dict[str, int], width: float) -> tuple[float, float]:
    """Return the iterations a second of komi, and the seconds until the gain is reached."""
    game = komi.find(EXAMPLES / f"{name}.py")
    rules: Any = game.rules(settings)
    form = sequence_form(compiled_game(game), rules, game.part("start")(rules), silent)
    counterfactual_regret.minimize_regret(form, silent, counterfactual_regret.MIN_ITERATIONS)  # compiles
    reached, iterations = np.nan, 16
    while True:
        begin = time.perf_counter()
        plans, done = counterfactual_regret.minimize_regret(form, silent, iterations, accuracy=-1.0)
        seconds = time.perf_counter() - begin
        plans = plans_of(form, [behavior_of(*each) for each in zip(form.players, plans, strict=True)])
        gain = width * (sum(best_response_value(player, plans) for player in form.players) - 1.0)
        if np.isnan(reached) and gain <= GAIN:
            reached = seconds
        if seconds >= (MAX_SECONDS if np.isnan(reached) else SECONDS):
            return done / seconds, reached
        iterations = 2 * iterations if not np.isnan(reached) else iterations + max(1, iterations // 8)


print("| game | komi, iterations a second | OpenSpiel | times | komi, seconds to a gain of 0.001 | OpenSpiel | times |")
print("|---|---|---|---|---|---|---|")
for title in sys.argv[1:] or GAMES:
    name, settings, theirs, width = GAMES[title]
    (slow, slow_time), (fast, fast_time) = measure_openspiel(theirs), measure_komi(name, settings, width)
    print(
        f"| {title} | {fast:,.1f} | {slow:,.1f} | {fast / slow:,.0f} | {fast_time:.3g} | {slow_time:.3g} "
        f"| {slow_time / fast_time:,.0f} |".replace("nan", "-"),
        flush=True,
    )
