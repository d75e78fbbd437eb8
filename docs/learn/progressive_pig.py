# %% [markdown]
# # Progressive Pig by recursion
#
# In *Progressive Pig* two players take turns. On your turn you roll a die as often as
# you like. A 2 to 6 is added to your turn total; a 1 ends the turn and scores a single
# point. If you hold, you score your turn total, and at least one point. The first
# player with 100 points wins.
#
# <iframe class="game" src="../games/progressive-pig.html" title="Progressive Pig"></iframe>
#
# Every turn scores at least one point, so no situation can ever come back. That makes
# the game a problem for plain recursion with memory, as in [Fibonacci and
# memory](fibonacci.md).
#
# ## The equation
#
# Let i be your score, j the opponent's score and k your turn total, and P(i, j, k)
# your probability of winning if both play optimally. Your opponent's win is your loss:
# if you hold, you win with the probability 1 - P(j, i + max(k, 1), 0). If you roll,
# each face has a probability of one sixth. You choose what is better:

# %%
import functools
from pathlib import Path

import komi

GOAL = 20


@functools.cache
def win(i, j, k):
    """Return the probability that the player to move wins."""
    if j >= GOAL:
        return 0.0  # the opponent has just won
    return max(hold(i, j, k), roll(i, j, k))


def hold(i, j, k):
    return 1.0 - win(j, i + max(k, 1), 0)


def roll(i, j, k):
    if i + k >= GOAL:
        return 0.0  # with the goal reached, holding wins
    return (
        (1.0 - win(j, i + 1, 0)) + sum(win(i, j, k + face) for face in range(2, 7))
    ) / 6


print(f"To {GOAL} points the first player wins {100 * win(0, 0, 0):.4f} %")

# %% [markdown]
# That is all: a dozen lines solve the game. To 20 points the first player wins 61.9714
# % of the games.
#
# komi computes the same from a file of rules. Its solver contains nothing about
# Progressive Pig: it enumerates the states, finds that none of them comes back, and
# proves a bound on the error of every value.

# %%
solution = komi.solve("progressive-pig", goal=GOAL)
assert abs(solution.value() - win(0, 0, 0)) <= solution.error_bound + 1e-12

different = 0
for i in range(GOAL):
    for j in range(GOAL):
        for k in [0, *range(2, GOAL - i)]:
            state = solution.read({"score": i, "rival": j, "turn": k})
            different += abs(solution.value(state) - win(i, j, k)) > 1e-9
print(
    f"{win.cache_info().currsize:,} states, {different} of them with a different value"
)

# %% [markdown]
# ## A strange rule for the real game
#
# Now to 100 points. You have 15, your opponent has 70. How do you play? You would
# expect a limit: roll below it, hold from there on. Optimal play is stranger:

# %%
policy = komi.table("progressive-pig", x="score", y="rival", over="turn")
print(policy.cell(70, 15))
assert policy.cell(70, 15) == "roll 25 hold 35 roll 38 hold 77 roll 85 hold"

# %% [markdown]
# Roll up to 24, hold from 25, roll again from 35 to 37, hold from 38, and roll from
# 77; with 85 you have won. These are the numbers of the paper. The picture shows them
# for each of your scores, with 70 points of your opponent:

# %%
picture = komi.plot(
    "progressive-pig", Path("pictures/progressive-pig-70.png"), section="rival=70"
)

# %% [markdown]
# ![When to roll and when to hold in Progressive Pig](pictures/progressive-pig-70.png)
#
# The reason is the last stretch. What counts is not the points themselves but the
# number of turns that you still need. A few more points can be worth nothing, or
# everything.
#
# ## Summary
#
# - The state must contain all that matters for the future: both scores and the turn
#   total, but not how you came there.
# - In a game for two, one table is enough if it belongs to the player to move: the
#   value for the other is one minus that.
# - Recursion needs an order in which every state comes after those that it depends on.
#   Here the sum of the scores rises with each turn. In [Piglet](piglet.md) it does
#   not.
