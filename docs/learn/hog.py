# %% [markdown]
# # Hog
#
# In *Hog* a turn is a single throw. You name a number of dice and roll them all at
# once. If any of them shows a 1, you score nothing; otherwise you score the sum. The
# first player with 100 points wins. There is no second decision in a turn, so the
# state is only the two scores.
#
# <iframe class="game" src="../games/hog.html" title="Hog"></iframe>
#
# ## Most points
#
# A die without a 1 shows 2 to 6, 4 on average. With n dice you score 4 n if none shows
# a 1, which has a probability of (5 / 6)^n. So the expected score is 4 n (5 / 6)^n:

# %%
import matplotlib.pyplot as plt
import numpy as np

import komi

for dice in range(1, 11):
    print(f"{dice:2d} dice: {4 * dice * (5 / 6) ** dice:.4f} points")
assert abs(4 * 5 * (5 / 6) ** 5 - 4 * 6 * (5 / 6) ** 6) < 1e-12

# %% [markdown]
# Five and six dice are best, and exactly equal: with one more die you win a fifth more
# points, and lose a sixth of the chance, and six fifths of five sixths is 1.
#
# ## To win
#
# Points are not wins. komi solves the game. There are only 9,801 states, but each has
# thirty actions with many results.

# %%
hog = komi.solve("hog")
print(f"{hog.states:,} states; the first player wins {100 * hog.value():.4f} %")
for action, value in list(hog.actions().items())[:4]:
    print(f"{action}: {value:.6f}, costs {hog.value() - value:.6f}")

# %% [markdown]
# At the start six dice are best by a small margin: five dice cost 0.000162 of the
# chance of winning. The expected points are equal, but six dice score more points less
# often.
#
# The map shows the best number of dice for all pairs of scores; no player has a
# single point:

# %%
table = komi.table("hog", x="score", y="rival")
best = np.full((100, 100), np.nan)
for (rival, score), [(_, label)] in table.runs.items():
    best[rival, score] = int(label.removeprefix("roll "))

plt.figure(figsize=(6, 4.6), layout="constrained")
plt.imshow(best, origin="lower", cmap="viridis")
plt.colorbar(label="best number of dice")
plt.xlabel("own points")
plt.ylabel("opponent's points")
plt.show()
share = np.isin(best[:60, :60], (5, 6)).mean()
print(f"dice used: {int(np.nanmin(best))} to {int(np.nanmax(best))}")
print(
    f"five or six dice, if both have less than 60 points: {100 * share:.0f} % of the states"
)

# %% [markdown]
# In the lower left corner, where both players have less than 60 points, five or six
# dice are best in 77 % of the states. At the right you need few points, and few dice
# are enough. At the top your opponent is about to win, and you must get all that you
# need at once, with many dice.
#
# ## What a simple rule costs
#
# `max-score` is the player who maximizes the expected points of each turn:

# %%
result = komi.match("hog", "max-score", "optimal")
print(
    f"max-score loses {100 * (0.5 - result.average):.2f} % of the games against optimal play"
)
agreement = komi.compare("hog", "max-score", most=3)
for mistake in agreement.mistakes:
    print(
        f"{mistake.state}: {mistake.action} instead of {mistake.best}, loses {mistake.loss:.4f}"
    )

# %% [markdown]
# ## Summary
#
# - The whole turn is one action here, so there are few states with many actions. In
#   Pig there are many states with two actions.
# - Between two actions with equal expected points, the distribution of the points
#   decides.
