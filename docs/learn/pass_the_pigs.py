# %% [markdown]
# # Pass the Pigs, from throws
#
# *Pass the Pigs* is Pig with two small rubber pigs in place of a die. How a pig lands
# decides what you score: on its back or its feet it is worth more than on its side,
# leaning on its snout much more; if one lies on its left side and the other on its
# right, your turn ends with nothing.
#
# <iframe class="game" src="../games/pass-the-pigs.html" title="Pass the Pigs"></iframe>
#
# Nobody can calculate how a rubber pig lands. You have to throw it and count. This
# lesson shows how far counts take you.
#
# ## Count
#
# Say that you have thrown a pig 100 times:

# %%
import matplotlib.pyplot as plt

import komi

counts = {
    "right": 34,
    "left": 33,
    "razorback": 20,
    "trotter": 9,
    "snouter": 3,
    "jowler": 1,
}
GOAL = 50  # to win; 100 in the box

# %% [markdown]
# The share of each position estimates its chance. But a position that has not come up
# in 100 throws is not impossible. The usual remedy is to add a little to each count
# before dividing. Adding 1 is the mean of the *Dirichlet distribution*, which says how
# likely each set of chances is, given the counts, if all sets were equally likely
# before.

# %%
total = sum(counts.values())
print("           throws   share   with one more each")
for name, count in counts.items():
    print(
        f"{name:10s} {count:6d}  {count / total:.4f}   {(count + 1) / (total + len(counts)):.4f}"
    )

# %% [markdown]
# ## Solve for the mean, test on the draws
#
# komi solves the game for these mean chances. Then it tests your policy against other
# possible truths: it draws sets of chances from the Dirichlet distribution, and for
# each draw your policy plays against an opponent who knows the true chances.

# %%
found = komi.learn_chances("pass-the-pigs", counts, draws=40, goal=GOAL, workers=1)
assert all(
    abs(found.chances[name] - (count + 1) / (total + len(counts))) < 1e-12
    for name, count in counts.items()
)
low, high = found.first
print(f"first player under the mean chances: {100 * found.solution.value():.2f} %")
print(
    f"in {100 * found.credible:.0f} % of the draws: {100 * low:.2f} % to {100 * high:.2f} %"
)
print(f"mean loss of your policy: {100 * found.loss:.2f} %")
print(
    f"loss in {100 * found.credible:.0f} % of the draws: at most {100 * found.greatest_loss:.2f} %"
)

# %% [markdown]
# With 100 throws you lose 2.65 % of the games, on average over the draws, that a
# player who knows the pigs would not lose. If you are unlucky it is 9.58 %.
#
# ## How many throws are enough?
#
# Now take the same shares, from ten and a hundred times as many throws:

# %%
sizes = [1, 10, 100]
results = [found]
for size in sizes[1:]:
    more = {name: size * count for name, count in counts.items()}
    results.append(
        komi.learn_chances("pass-the-pigs", more, draws=40, goal=GOAL, workers=1)
    )
for size, result in zip(sizes, results, strict=True):
    low, high = result.first
    print(
        f"{100 * size:6,} throws: first player {100 * low:.2f} % to {100 * high:.2f} %, "
        f"loss {100 * result.loss:.3f} %"
    )

figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3.2), layout="constrained")
for size, result in zip(sizes, results, strict=True):
    left.plot(
        [100 * size] * len(result.draws),
        [100 * draw.first for draw in result.draws],
        "_",
        ms=12,
        alpha=0.6,
    )
left.set_xlabel("throws")
left.set_ylabel("first player wins (%)")
right.loglog(
    [100 * size for size in sizes], [100 * result.loss for result in results], "o-"
)
right.set_xlabel("throws")
right.set_ylabel("mean loss of the policy (%)")
left.set_xscale("log")
for axes in (left, right):
    axes.grid(alpha=0.3)
plt.show()
assert results[0].loss > 7 * results[1].loss and results[1].loss > 7 * results[2].loss

# %% [markdown]
# Ten times as many throws make the chances about three times as precise. The loss
# falls much faster, by a factor of more than seven each time: near the best policy,
# small errors of the chances rarely change a decision, and where they do, both actions
# are nearly equal.
#
# ## Two published counts
#
# J. C. Wong counted 3,939 throws, and J. C. Kern three times as many. Both are enough
# for a precise value, and yet the values differ:

# %%
rules = komi.find("pass-the-pigs").default_rules
thrown = (
    rules.right
    + rules.left
    + rules.razorback
    + rules.trotter
    + rules.snouter
    + rules.jowler
)
wong, kern = komi.solve("pass-the-pigs"), komi.solve("pass-the-pigs", throws="kern")
for source, solution in {"Wong": wong, "Kern": kern}.items():
    print(
        f"to {rules.goal} points, chances of {source}: "
        f"the first player wins {100 * solution.value():.2f} %"
    )
print(f"{thrown:,.0f} throws of Wong")

# %% [markdown]
# No statistics of one table can tell you about another one. Pigs differ, tables
# differ, and so do hands.
#
# ## Summary
#
# - Unknown chances are a distribution over games. Solve for its mean, and test on
#   draws from it.
# - Measure what matters: not how well you know the chances, but how many games that
#   costs you.
# - `komi learn-chances` does this for [your own pigs](../learned-chances.md), and for
#   any game that names its chances.
