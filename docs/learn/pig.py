# %% [markdown]
# # Pig
#
# *Pig* is played with a die: a 2 to 6 is added to your turn total, a 1 ends your turn
# with nothing, and the first player to hold with 100 points wins. The equations are
# those of [Piglet](piglet.md) with six results in place of two, but there are 539,055
# of them. How good are the rules of thumb that people use?
#
# <iframe class="game" src="../games/pig.html" title="Pig"></iframe>
#
# ## Most points per turn
#
# With k points at risk, one more roll gains 2 to 6 points with a probability of one
# sixth each, and loses k points with one sixth. The expected gain is (2 + 3 + 4 + 5 +
# 6 - k) / 6, which is positive below 20. So *hold at 20* gains the most points per
# turn:

# %%
from pathlib import Path

import matplotlib.pyplot as plt

import komi

for k in (18, 19, 20, 21):
    print(
        f"turn total {k}: one more roll gains {(2 + 3 + 4 + 5 + 6 - k) / 6:+.3f} points"
    )
points = komi.solve("pig-solitaire", objective="score", turns=1)
print(f"expected points of a turn: {points.value():.3f}")

# %% [markdown]
# ## The best play
#
# But you do not want points, you want to win. The two are not the same: if your
# opponent has 99 points, 20 points in this turn are hardly better than none. komi
# solves the game exactly:

# %%
pig = komi.solve("pig")
print(f"{pig.states:,} states; the first player wins {100 * pig.value():.4f} %")
assert pig.error_bound < 1e-9

# %% [markdown]
# With best play on both sides the first player wins 53.0593 % of the games, the
# published 53.06 %. Here is when to hold, for each pair of scores:

# %%
picture = komi.plot("pig", Path("pictures/pig-hold-values.png"))
print(f"published: {round(100 * pig.value(), 2)} %")

# %% [markdown]
# ![When to hold in Pig, by both players' scores](pictures/pig-hold-values.png)
#
# The surface is not flat at 20. Behind, you take more risk; ahead, less. If either of
# you is near 100, you roll for the win. And it has gaps, the white dots, where you
# hold at some total and roll again at a larger one.
#
# ## What hold at 20 costs
#
# komi measures any policy exactly, from both seats:

# %%
policies = ["hold-at:20", "hold-at:25", "keep-pace"]
results = {policy: komi.match("pig", policy, "optimal") for policy in policies}
for policy, result in results.items():
    wins = 100 * result.average
    print(
        f"{policy:10s} wins {wins:.3f} % against optimal play: loses {50 - wins:.3f} %"
    )

# %% [markdown]
# A player who holds at 20 wins 46.008 % of the games against optimal play, averaged
# over both seats. Holding at 25 is better, although it gains fewer points per turn.
# The third policy, *keep pace and end race*, was published by Neller and Presser in
# 2010: roll if one of you has 71 points or more, otherwise hold at 21 plus an eighth
# of your opponent's lead. It loses only 0.461 %.
#
# Where does hold at 20 go wrong? komi lists the states in which it loses most:

# %%
agreement = komi.compare("pig", "hold-at:20", most=5)
for mistake in agreement.mistakes:
    print(
        f"{mistake.state:32s} {mistake.action} instead of {mistake.best}: loses {mistake.loss:.4f}"
    )

# %% [markdown]
# In all of them you are behind, and your opponent needs only one or two good turns.
# There 20 points are not enough.
#
# ## The best fixed number
#
# If you want to remember a single number, which one?

# %%
numbers = [16, 18, 19, 20, 22, 23, 24, 25, 26, 28, 30]
averages = [
    komi.match("pig", f"hold-at:{number}", "optimal").average for number in numbers
]
best = max(zip(averages, numbers, strict=True))
print(f"hold at {best[1]}: {100 * best[0]:.3f} %")

plt.figure(figsize=(6, 3.2), layout="constrained")
plt.plot(numbers, [100 * average for average in averages], "o-", ms=4)
plt.xlabel("hold at")
plt.ylabel("wins against optimal play (%)")
plt.grid(alpha=0.3)
plt.show()

# %% [markdown]
# There are two peaks. With 25 points a turn you need four good turns to win, with 20
# you need five. A number between them, such as 22, takes the risk of a large number
# and still needs five turns.
#
# ## Summary
#
# - Optimize what you want. The policy with the most points per turn loses 3.992 % of
#   the games that it need not lose.
# - With an exact solution you can measure every rule of thumb: "this rule seems good"
#   becomes a number.
# - Optimal play of a simple game need not be simple.
