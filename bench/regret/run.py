"""Regret minimization beside that of OpenSpiel, in one run: iterations a second, and seconds to a gain of 1e-3.

    python bench/regret/run.py

OpenSpiel (its CFR+ solver in C++) runs its own Kuhn and Leduc poker. The gain is that of best responses to both average
policies together, in chips; the time is that of iterations alone, without compiling, listing and computing gains.
"""

import time
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel  # type: ignore[import-untyped]

import komi
from komi.progress import silent
from komi.solvers.hidden import counterfactual_regret
from komi.solvers.hidden.equilibrium import behavior_of, best_response_value, plans_of
from komi.solvers.hidden.history_listing import sequence_form

EXAMPLES = Path(__file__).parents[2] / "examples"
GAMES = (("kuhn_poker", 4.0), ("leduc_poker", 26.0))
"""The name in both, and the range of payoffs in chips."""
GAIN = 1e-3
SECONDS = 5.0


def measure_openspiel(name: str) -> tuple[float, float]:
    """Return the iterations a second of OpenSpiel, and the seconds until the gain is reached."""
    game = pyspiel.load_game(name)
    solver = pyspiel.CFRPlusSolver(game)
    seconds, iterations, reached, check = 0.0, 0, np.nan, 16
    while seconds < SECONDS or np.isnan(reached):
        begin = time.perf_counter()
        for _ in range(check):
            solver.evaluate_and_update_policy()
        seconds += time.perf_counter() - begin
        iterations += check
        check = max(1, iterations // 8)
        if np.isnan(reached) and pyspiel.nash_conv(game, solver.average_policy()) <= GAIN:
            reached = seconds
    return iterations / seconds, reached


def measure_komi(name: str, width: float) -> tuple[float, float]:
    """Return the iterations a second of komi, and the seconds until the gain is reached."""
    game = komi.find(EXAMPLES / f"{name}.py")
    rules: Any = game.default_rules
    form = sequence_form(game, rules, game.part("start")(rules), silent)
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
        if seconds >= SECONDS:
            return done / seconds, reached
        iterations = 2 * iterations if not np.isnan(reached) else iterations + max(1, iterations // 8)


for name, width in GAMES:
    (theirs, their_time), (ours, our_time) = measure_openspiel(name), measure_komi(name, width)
    print(
        f"{name}: komi {ours:,.0f} iterations a second, OpenSpiel {theirs:,.0f} ({ours / theirs:.0f} times); to a gain "
        f"of {GAIN} chips {our_time:.4f} s and {their_time:.4f} s ({their_time / our_time:.0f} times)"
    )
