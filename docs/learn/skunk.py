# %% [markdown]
# # The gambler's fallacy and Skunk
#
# "There has been no 1 for six rolls. It is due." This is the *gambler's fallacy*. A
# die has no memory: the next roll is a 1 with a probability of one sixth, whatever
# came before. This lesson checks that with data, measures what the belief costs, and
# ends with a game in which it does matter what others expect you to do.
#
# ## Look at the data

# %%
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import komi

rolls = np.random.default_rng(1).integers(1, 7, 1_000_000)
is_one = rolls == 1
last_one = np.maximum.accumulate(np.where(is_one, np.arange(len(rolls)), 0))
run = np.arange(len(rolls)) - last_one  # rolls since the last 1
print(f"share of 1s: {is_one.mean():.4f}")
for length in (0, 2, 4, 6, 10):
    after = is_one[1:][run[:-1] == length]
    print(
        f"after {length:2d} rolls without a 1: {after.mean():.4f}, in {len(after):7,} cases"
    )
    assert abs(after.mean() - 1 / 6) < 4 * (5 / 36 / len(after)) ** 0.5

print(f"six rolls in a row without a 1: {(5 / 6) ** 6:.3f}")

# %% [markdown]
# The share of 1s is the same after any run. The differences are within four standard
# errors, which the code checks.
#
# What confuses people is that six rolls without a 1 in a row *are* unlikely: they
# happen with a probability of 0.335. But that is what you know before the first of
# them. After five good rolls, only the sixth is still open.
#
# ## What it costs
#
# Take [Pig](pig.md) to 50 points, and give the players a counter: the state contains
# how often you have rolled this turn. A player who believes in due 1s holds after some
# number of rolls, whatever the turn total is. Here are the rules and this player:

# %%
RULES = '''
"""Pig with a counter of the rolls."""

from typing import NamedTuple

players = 2
actions = ("roll", "hold")
ROLL, HOLD = range(2)


class Rules(NamedTuple):
    goal: int = 50  # points that win
    patience: int = 5  # rolls after which a player who believes in due 1s holds


class State(NamedTuple):
    score: int
    rival: int
    turn: int
    rolls: int  # rolls this turn


def start(rules):
    return State(0, 0, 0, 0)


def legal(rules, state):
    if state.score + state.turn < rules.goal:
        yield ROLL
    if state.turn > 0:
        yield HOLD


def outcomes(rules, state, action):
    score, rival, turn, rolls = state
    if action == HOLD:
        yield 1.0, State(rival, score + turn, 0, 0), 1
        return
    yield 1 / 6, State(rival, score, 0, 0), 1
    for face in range(2, 7):
        yield 1 / 6, State(score, rival, turn + face, rolls + 1), 0


def over(rules, state):
    return state.rival >= rules.goal


def payoff(rules, state):
    return 0.0


def superstitious(rules, state):
    return HOLD if state.rolls >= rules.patience or state.score + state.turn >= rules.goal else ROLL
'''

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "counted_pig.py"
    path.write_text(RULES)
    counted, pig = komi.solve(str(path)), komi.solve("pig", goal=50)
    superstitious = {
        patience: komi.match(
            str(path), f"{path}:superstitious", "optimal", patience=patience
        ).average
        for patience in range(3, 9)
    }
by_total = {
    number: komi.match("pig", f"hold-at:{number}", "optimal", goal=50).average
    for number in range(14, 32)
}

# %% [markdown]
# First, does the counter help anyone who plays optimally? If it did, the game with the
# counter would have a value of its own.

# %%
print(
    f"first player: {counted.value():.8f} with the counter, {pig.value():.8f} without"
)
assert abs(counted.value() - pig.value()) <= counted.error_bound + pig.error_bound

# The same turn total after two and after four rolls:
for turn in (8, 12):
    two, four = (
        counted.actions({"score": 20, "rival": 25, "turn": turn, "rolls": n})
        for n in (2, 4)
    )
    assert all(abs(two[action] - four[action]) < 1e-9 for action in two)

# %% [markdown]
# It does not help. A state needs only what changes the future, and the number of past
# rolls does not. Now the player who believes in it, against optimal play:

# %%
for patience, average in superstitious.items():
    print(f"hold after {patience} rolls: loses {100 * (0.5 - average):5.2f} %")
best = max(by_total, key=by_total.get)
print(f"hold at {best} points: loses {100 * (0.5 - by_total[best]):5.2f} %")
assert 0.5 - max(superstitious.values()) > 2.5 * (0.5 - by_total[best])

# %% [markdown]
# The best number of rolls costs about three times as much as the best number of
# points. After five rolls you may have 10 points at risk or 30, and they do not
# deserve the same decision.
#
# ## Skunk: when others try to read you
#
# In *Skunk* one die is rolled for both players. After each roll that is not a 1, both
# decide at the same moment, without seeing the other's decision: hold and take the
# turn total, or stand and risk it on the next roll. The dice have no memory here,
# either. But your opponent has: a player who can be predicted can be exploited. So
# optimal play is *mixed*: in some states it holds with some probability.

# %%
skunk = komi.solve("skunk", goal=50)
print(f"first player: {skunk.value():.4f}")
totals = range(20, 38)
stands = [
    skunk.mixed({"score": 0, "rival": 5, "turn": turn, "rolled": 1}).get("stand", 0.0)
    for turn in totals
]
for turn, stand in zip(totals, stands, strict=True):
    if 0.01 < stand < 0.99:
        print(f"five points behind, {turn} at risk: stand with {100 * stand:.1f} %")

assert all(
    (0.01 < stand < 0.99) == (27 <= turn <= 32)
    for turn, stand in zip(totals, stands, strict=True)
)

plt.figure(figsize=(6, 3.2), layout="constrained")
plt.plot(totals, stands, "o-", ms=4)
plt.xlabel("points at risk")
plt.ylabel("probability of standing")
plt.xticks(totals[::4])
plt.grid(alpha=0.3)
plt.show()

# %% [markdown]
# Five points behind, the player stands for certain with up to 26 points at risk, mixes
# from 27 to 32, and stands for certain again with more. If both take the points, the
# one behind stays behind; if you stand while the leader holds, a good roll puts you
# ahead. So you want to do what the leader does not, and the leader wants to do what
# you do. Neither can afford to be predictable, as in rock, paper, scissors.
#
# How bad is it to be predictable? A player who always holds at 20 loses most games
# against optimal play:

# %%
fixed = komi.match("skunk", "hold-at:20", "optimal", goal=50)
print(f"hold at 20 wins {100 * fixed.average:.2f} % against optimal play")

# %% [markdown]
# ## Summary
#
# - Dice have no memory. The past belongs in the state only if it changes what can
#   still happen.
# - Solving a game with and without a piece of information measures what that
#   information is worth.
# - Where two players choose at once, optimal play can be random, although nothing in
#   the rules tells the players to be.
