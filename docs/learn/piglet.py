# %% [markdown]
# # Piglet, by hand and by value iteration
#
# *Piglet* is Pig with a coin: heads adds one point to your turn total, tails ends your
# turn with nothing. You may hold at any time. To keep it as small as possible, two
# points win.
#
# <iframe class="game" src="../games/piglet.html" title="Piglet"></iframe>
#
# Let P(i, j, k) again be the probability that the player to move wins, with i points,
# j of the opponent, and a turn total of k. There are six situations in which the game
# is not over: two players with 0 or 1 points, and a turn total of 0 or 1. They depend
# on each other in a circle: after tails the opponent moves, and after their tails you
# are where you were. Recursion would never end.
#
# ## Six equations
#
# Assume first that both players always flip, and hold only with two points. Each
# equation says what one flip leads to:

# %%
from fractions import Fraction

import matplotlib.pyplot as plt
import numpy as np

import komi

situations = [(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 1, 0)]


def name(i, j, k):
    return f"P{i}{j}{k}"


def flip(i, j, k):
    """Return the equation of a flip: a number, and the factor of each situation."""
    if i + k + 1 >= 2:  # heads wins
        return Fraction(1), {(j, i, 0): Fraction(-1, 2)}  # 1/2 + 1/2 (1 - P)
    return Fraction(1, 2), {(i, j, k + 1): Fraction(1, 2), (j, i, 0): Fraction(-1, 2)}


for situation in situations:
    number, factors = flip(*situation)
    terms = [
        f"{'+' if factor > 0 else '-'} {abs(factor)} {name(*other)}"
        for other, factor in factors.items()
    ]
    print(name(*situation), "=", number, *terms)

# %% [markdown]
# Six linear equations with six unknowns. You can solve them on paper; NumPy solves
# them in floating point, and exact fractions confirm the result.

# %%
matrix, right = np.eye(6), np.zeros(6)
for row, situation in enumerate(situations):
    number, factors = flip(*situation)
    right[row] = number
    for other, factor in factors.items():
        matrix[row, situations.index(other)] -= factor
solved = np.linalg.solve(matrix, right)
exact = {
    s: Fraction(x).limit_denominator(100)
    for s, x in zip(situations, solved, strict=True)
}

for s in situations:
    number, factors = flip(*s)
    assert exact[s] == number + sum(
        factor * exact[other] for other, factor in factors.items()
    )
    print(f"{name(*s)} = {exact[s]}")

# %% [markdown]
# The first player wins 4/7 of the games. But is it right always to flip? You hold only
# if that is better. The value of holding is 1 - P(j, i + k, 0):


# %%
def hold(i, j, k):
    return 1 - exact[j, i + k, 0]


for s in situations:
    print(f"{name(*s)}: flip {exact[s]}, hold {hold(*s)}")
assert all(exact[s] > hold(*s) for s in situations)

# %% [markdown]
# Flipping is better in all six. So these values satisfy P = max(flip, hold) in every
# situation, which is the *Bellman equation*, and the policy is optimal. For P001,
# flipping wins 5/7 and holding only 3/5.
#
# komi agrees:

# %%
solution = komi.solve("piglet", goal=2)
for i, j, k in situations:
    value = solution.value({"score": i, "rival": j, "turn": k})
    assert abs(value - exact[i, j, k]) <= solution.error_bound
assert solution.error_bound < 1e-9
print(f"the first player wins {solution.value():.6f}")

# %% [markdown]
# ## Value iteration
#
# To 10 points there are hundreds of equations, and you do not know beforehand who
# holds where. *Value iteration* needs neither algebra nor a guess: begin with any
# values, compute the right side of each Bellman equation, take it as the new value,
# and repeat.


# %%
def sweep(values, goal):
    """Return the values after one sweep over all states, and the largest change."""
    new, change = {}, 0.0
    for (i, j, k), old in values.items():

        def get(own, other, turn):
            return 1.0 if own + turn >= goal else values[own, other, turn]

        heads = get(i, j, k + 1)
        tails = 1.0 - values[j, i, 0]
        holding = 1.0 - values[j, i + k, 0]
        new[i, j, k] = max((heads + tails) / 2, holding)
        change = max(change, abs(new[i, j, k] - old))
    return new, change


values = dict.fromkeys(situations, 0.0)
history = [values]
for _ in range(20):
    values, change = sweep(values, goal=2)
    history.append(values)

plt.figure(figsize=(6.4, 3.6), layout="constrained")
for s in situations:
    [line] = plt.plot([each[s] for each in history], "o-", ms=3, label=name(*s))
    plt.axhline(float(exact[s]), color=line.get_color(), lw=0.6, ls=":")
plt.xlabel("sweeps")
plt.ylabel("probability of winning")
plt.xticks(range(0, 21, 5))
plt.legend(frameon=False, ncols=2)
plt.show()

error = max(abs(values[s] - float(exact[s])) for s in situations)
print(f"largest error after 20 sweeps: {error:.6f}")

# %% [markdown]
# The values start at 0 and approach the exact ones, the dotted lines. Now to 10
# points, where players also hold:

# %%
goal = 10
values = {
    (i, j, k): 0.0 for i in range(goal) for j in range(goal) for k in range(goal - i)
}
sweeps, change = 0, 1.0
while change > 1e-9:
    values, change = sweep(values, goal)
    sweeps += 1
ten = komi.solve("piglet", goal=goal)
error = max(
    abs(ten.value({"score": i, "rival": j, "turn": k}) - value)
    for (i, j, k), value in values.items()
)
print(
    f"{len(values)} states, {sweeps} sweeps: {values[0, 0, 0]:.6f} "
    f"(komi: {ten.value():.6f}); largest error {error:.1e}"
)
assert error < 1e-8

# %% [markdown]
# The first player wins 52.2479 % of the games to 10 points. With how many heads do you
# hold? That depends on both scores:

# %%
print("own score down, opponent's across")
least = np.full((goal, goal), goal)
for i in range(goal):
    for j in range(goal):
        for k in range(1, goal - i):
            if ten.best({"score": i, "rival": j, "turn": k}) == "hold":
                least[i, j] = min(least[i, j], k)
print("   " + "".join(f"{j:3d}" for j in range(goal)))
for i in range(goal):
    print(
        f"{i:2d} "
        + "".join(
            f"{least[i, j]:3d}" if least[i, j] < goal else "  -" for j in range(goal)
        )
    )
print(f"first player: {100 * ten.value():.4f} %")

# %% [markdown]
# The dash means: flip to the end. Where the opponent is about to win, you never hold.
#
# ## Summary
#
# - Where situations come back, the values are the solution of equations: linear ones
#   for a fixed policy, with a maximum for optimal play.
# - Value iteration solves them by repetition. The largest change in the last sweep was
#   below 1e-9 here, but the error is larger than the change. [A small change is no
#   bound](small_change.md) is about that.
