# %% [markdown]
# # Red Light by design
#
# The first player of Pig wins 53 % of the games between perfect players. Is there a
# game of this kind that is fair? *Red Light* was designed to be: both players draw
# chips from one bag, with green chips that each put a point at risk and red ones that
# end the turn. Drawn chips stay out until the last red one. The first player with 50
# points wins. The designers chose the number of chips, and points that the second
# player has at the start: the *komi*.
#
# <iframe class="game" src="../games/red-light.html" title="Red Light"></iframe>
#
# Each rule is a number, and a solver turns the rules into the value of the game. So
# you can search for good rules.

# %%
import matplotlib.pyplot as plt

import komi

pig = komi.solve("pig")
print(f"Pig: the first player wins {100 * pig.value():.0f} %")
rules = komi.find("red-light").default_rules
print(
    f"Red Light: {rules.red} red and {rules.green} green chips, "
    f"to {rules.goal} points, komi {rules.komi}"
)

# %% [markdown]
# ## One number: komi
#
# Each point that the second player starts with makes the game better for the second
# player. `komi.fair` solves the game for each komi:

# %%
fair = komi.fair("red-light", max_komi=3)
for points, opening in fair.rows:
    print(
        f"komi {points}: the first player wins {100 * opening.first:.4f} %, "
        f"in {opening.expected_actions:.2f} actions"
    )
print(f"fairest: komi {fair.best}")

# %% [markdown]
# With komi 1 the first player wins 50.0011 %. Points are whole, so komi alone cannot
# come as close in most games: each point of it moves the value by about 2 % here. That
# the value with komi 1 is so near to a half is because the chips were chosen for it.
#
# ## Two numbers
#
# `komi.sweep` solves the game under every combination of rules. How do the green
# chips and komi work together?

# %%
greens, komis = range(16, 33, 4), range(3)
sweep = komi.sweep("red-light", {"green": greens, "komi": komis}, workers=1)
openings = {(row.rules.green, row.rules.komi): row.opening for row in sweep.rows}
print(f"{len(sweep.rows)} rule sets, the fairest:")
for row in sweep.rows[:4]:
    rules, opening = row.rules, row.opening
    print(
        f"{rules.green} green, komi {rules.komi}: {100 * opening.first:.4f} %, "
        f"{opening.expected_actions:.1f} actions"
    )

figure, (left, right) = plt.subplots(1, 2, figsize=(8.4, 3.4), layout="constrained")
for points in komis:
    left.plot(
        greens,
        [100 * openings[green, points].first for green in greens],
        "o-",
        ms=3,
        label=f"komi {points}",
    )
    found = [openings[green, points] for green in greens]
    right.semilogy(
        [each.expected_actions for each in found],
        [100 * each.unfairness for each in found],
        "o",
        ms=4,
    )
left.axhline(50, color="black", lw=0.8, ls=":")
left.set_xlabel("green chips")
left.set_ylabel("first player wins (%)")
left.legend(frameon=False)
right.set_xlabel("expected actions")
right.set_ylabel("distance from a fair game (%)")
for axes in (left, right):
    axes.grid(alpha=0.3)
plt.show()
assert sweep.rows[0].rules.green == 24 and sweep.rows[0].rules.komi == 1

# %% [markdown]
# The left picture shows how: more green chips raise the value for the first player,
# each point of komi lowers it, and the line of komi 1 crosses a half at 24 green
# chips. The right picture adds what a designer also cares about: the length of a game.
# A rule set is a candidate if no other is both shorter and fairer. The candidates are
# the *Pareto front*:

# %%
for row in sweep.front():
    rules, opening = row.rules, row.opening
    length, distance = opening.expected_actions, 100 * opening.unfairness
    print(
        f"{length:.1f} actions: {distance:.4f} % from fair, {rules.green} green, komi {rules.komi}"
    )

# %% [markdown]
# ## A surprising decision
#
# A fair game need not be a simple one. You have 48 points, your opponent 49. One point
# is at risk, and the bag holds two chips, both red:

# %%
red_light = komi.solve("red-light")
state = "score=48,rival=49,turn=1,red=2,green=24"
for action, value in red_light.actions(state).items():
    print(f"{action}: {value:.4f}")
assert red_light.best(state) == "draw"

# %% [markdown]
# The next chip is red for certain. And yet you should draw it, and lose your point:
# that wins with a probability of 0.7561, holding only with 0.1282. Count the red
# chips. If you draw one, your opponent must draw the last one, all chips go back, and
# the fresh bag is yours. If you hold, your opponent draws a red chip, you draw the
# last one, and the fresh bag is your opponent's, who needs a single green chip.
#
# ## Summary
#
# - A solver makes rules comparable: fairness and length are functions of the rules.
# - Whole numbers limit what one rule can do. Two or three rules together come much
#   closer.
# - Look at the whole front, not at one best rule set. [Fair games](../fair-games.md)
#   examines many more.
