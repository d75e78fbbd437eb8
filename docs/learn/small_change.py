# %% [markdown]
# # Why a small change is not a bound
#
# Value iteration repeats sweeps until the values hardly change. Many programs, and
# some published results, stop when the largest change in the last sweep is below a
# number epsilon, and report the values as exact to about epsilon. This lesson shows
# that they are not, by how much, and what does give a bound.
#
# ## The smallest example
#
# You repeat a game alone until you win. Each round you win with a probability of one
# in a thousand, and nothing else can happen. So you win with certainty: the value is
# 1. Value iteration starts at 0:

# %%
import matplotlib.pyplot as plt

import komi

CHANCE = 0.001
EPSILON = 0.001

value, change, sweeps = 0.0, 1.0, 0
while change >= EPSILON:
    new = CHANCE + (1.0 - CHANCE) * value
    value, change, sweeps = new, new - value, sweeps + 1
print(
    f"{sweeps} sweeps: value {value:.6f}, last change {change:.6f}, error {1.0 - value:.6f}"
)

# %% [markdown]
# After 2 sweeps the change is below 0.001 and the program stops, with a value of
# 0.001999 where 1 is right. The change is the error times the chance of winning: each
# sweep closes only a thousandth of the gap. A small change means that the values are
# nearly right *or* that they move slowly.
#
# ## Games
#
# In a game the gap closes slowly where play lasts long. komi has this method as
# `naive`: it sweeps from values of 0 until no value changes by epsilon, and komi,
# which knows the exact values, measures the error that remains.


# %%
def naive(game, epsilon, **rules):
    """Return the largest error of a value when the naive method stops."""
    return (
        komi.learn(
            game, "naive", settings=komi.LearningSettings(tolerance=epsilon), **rules
        )
        .curve[-1]
        .largest_error
    )


games = {"Piglet": ("piglet", {}), "Pig to 30": ("pig", {"goal": 30})}
epsilons = [1e-3, 1e-4, 1e-5, 1e-6]
errors = {}
for title, (game, rules) in games.items():
    errors[title] = [naive(game, epsilon, **rules) for epsilon in epsilons]
    for epsilon, error in zip(epsilons, errors[title], strict=True):
        print(
            f"{title:9s}  epsilon {epsilon:.6f}  error {error:.7f}"
            f"  = {error / epsilon:4.1f} epsilon"
        )
        assert error > epsilon

# %%
error = naive("pig", 1e-6)
print(
    f"Pig to 100 epsilon {1e-6:.6f}  error {error:.7f}  = {error / 1e-6:4.1f} epsilon"
)
assert error > 1e-6

plt.figure(figsize=(6, 3.4), layout="constrained")
for title, found in errors.items():
    plt.loglog(epsilons, found, "o-", ms=4, label=title)
plt.loglog(1e-6, error, "s", label="Pig to 100")
plt.loglog(epsilons, epsilons, "k:", label="error = epsilon")
plt.xlabel("epsilon")
plt.ylabel("largest error of a value")
plt.legend(frameon=False)
plt.grid(alpha=0.3)
plt.show()

# %% [markdown]
# The error is larger than epsilon every time: 1.6 to 4.2 times in Piglet, about 10
# times in Pig to 30 points, and 19.3 times in Pig to 100 points. You cannot know this
# factor without knowing the exact values.
#
# Is a smaller epsilon the answer? It makes the error smaller, but it leaves you with
# the same question: how large is it?
#
# ## A bound from both sides
#
# Value iteration can give an answer if you run it twice: once from below, with values
# that are certainly too low, and once from above. In a game for two the lower bound of
# one player comes from the upper bound of the other, since their chances sum to 1.
# Here is Piglet:

# %%
GOAL = 10
states = [(i, j, k) for i in range(GOAL) for j in range(GOAL) for k in range(GOAL - i)]


def sweep(own, other):
    """Return new bounds of one side, from these and those of the other side."""
    new = {}
    for i, j, k in states:
        heads = 1.0 if i + k + 1 >= GOAL else own[i, j, k + 1]
        tails = 1.0 - other[j, i, 0]
        holding = 1.0 - other[j, i + k, 0]
        new[i, j, k] = max((heads + tails) / 2, holding)
    return new


low, high = dict.fromkeys(states, 0.0), dict.fromkeys(states, 1.0)
for number in range(1, 161):
    low, high = sweep(low, high), sweep(high, low)
    if number % 40 == 0:
        print(
            f"{number:3d} sweeps: the first player wins {low[0, 0, 0]:.8f} to {high[0, 0, 0]:.8f}"
        )

exact = komi.solve("piglet", goal=GOAL)
print(f"                          komi: {exact.value():.8f}")
assert low[0, 0, 0] <= exact.value() <= high[0, 0, 0]
assert max(high[state] - low[state] for state in states) < 1e-7

# %% [markdown]
# At every moment the exact value lies between the two, so the difference *is* a bound,
# whatever the chances are. This is called *interval iteration*. Two more things are
# needed for a proof. The two sides must meet: in some games they never do, because a
# player can stall forever, and then the value depends on what an endless game counts.
# And the rounding of each operation must be added. komi proves a bound for every value
# that it reports, rounding included, by a [certificate](../architecture.md).
#
# ## Summary
#
# - "It changed less than epsilon in the last sweep" says nothing about the error by
#   itself.
# - The longer play lasts, the larger the factor between the change and the error.
# - Values that are certainly too low and values that are certainly too high enclose
#   the truth.
