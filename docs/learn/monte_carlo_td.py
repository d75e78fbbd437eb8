# %% [markdown]
# # Monte Carlo against temporal differences
#
# So far you knew the rules. A learner that only plays games does not: it sees states,
# and who won. Two ideas turn that into values.
#
# - **Monte Carlo**: the value of a state is the mean result of the games that came
#   through it.
# - **Temporal differences** (TD): the value of a state should agree with the value of
#   the next state. After each step, move the first towards the second.
#
# Monte Carlo waits for the end of the game and uses nothing else. TD learns from
# its own estimates: it *bootstraps*.
#
# ## Evaluate a fixed policy
#
# Two players play [Piglet](piglet.md) to 10 points, and both hold at 2. What is the
# value of each state? Sweeps give the answer to compare with:

# %%
import random

import matplotlib.pyplot as plt
import numpy as np

import komi

GOAL, HOLD_AT = 10, 2
WON = "won"


def step(state, heads):
    """Return the next state and whether the turn passes; WON if the player to move has won."""
    i, j, k = state
    if k >= HOLD_AT or i + k >= GOAL:
        return (WON, False) if i + k >= GOAL else ((j, i + k, 0), True)
    return ((i, j, k + 1), False) if heads else ((j, i, 0), True)


def value_of(values, next_state, passes):
    """Return the value of the next state to the player who moved."""
    if next_state == WON:
        return 1.0
    return 1.0 - values[next_state] if passes else values[next_state]


states = [
    (i, j, k)
    for i in range(GOAL)
    for j in range(GOAL)
    for k in range(min(HOLD_AT, GOAL - i) + 1)
]
exact = dict.fromkeys(states, 0.5)
for _ in range(500):
    exact = {
        s: sum(value_of(exact, *step(s, heads)) for heads in (True, False)) / 2
        for s in states
    }
print(f"{len(states)} states; the first player wins {exact[0, 0, 0]:.4f}")

# %% [markdown]
# Now the two learners. They see the same games. Both move a value by a step size
# towards a target; only the target differs. Each value's n-th update has the step size
# 1 / n^0.6.


# %%
def play(rng):
    """Return one game: each state with the next one, and whether the turn passed."""
    state, game = (0, 0, 0), []
    while state != WON:
        next_state, passes = step(state, rng.random() < 0.5)
        game.append((state, next_state, passes))
        state = next_state
    return game


def move(values, counts, state, target):
    counts[state] += 1
    values[state] += (target - values[state]) / counts[state] ** 0.6


def learn_monte_carlo(values, counts, game):
    result = 1.0  # of the player who moved last, who won
    for state, _, passes in reversed(game):
        result = 1.0 - result if passes else result
        move(values, counts, state, result)


def learn_td(values, counts, game):
    for state, next_state, passes in reversed(game):
        move(values, counts, state, value_of(values, next_state, passes))


def error(values, weights):
    """Return the root of the weighted mean of the squared errors."""
    return (
        sum(weights[s] * (values[s] - exact[s]) ** 2 for s in states)
        / sum(weights.values())
    ) ** 0.5


rng = random.Random(1)
learners = {"Monte Carlo": learn_monte_carlo, "TD": learn_td}
tables = {
    name: (dict.fromkeys(states, 0.5), dict.fromkeys(states, 0)) for name in learners
}
curves = {name: [] for name in learners}
checkpoints = [10, 30, 100, 300, 1000, 3000, 10000]
for number in range(1, checkpoints[-1] + 1):
    game = play(rng)
    for name, learner in learners.items():
        learner(*tables[name], game)
    if number in checkpoints:
        weights = tables["TD"][1]  # how often each state was visited
        for name in learners:
            curves[name].append(error(tables[name][0], weights))

print("games       " + "".join(f"{games:8d}" for games in checkpoints))
for name, curve in curves.items():
    print(f"{name:12s}" + "".join(f"{each:8.4f}" for each in curve))

# %% [markdown]
# The error is weighted by how often a state occurs. TD's error after 10,000 games is a
# fraction of Monte Carlo's. The reason: the result of a game, 0 or 1, depends on all
# the coin flips that are still to come. The next state's value is the mean of many
# games that came through it, also of games that came there by another way.
#
# TD has a weakness, too: its targets are estimates, and wrong at first. The truth
# enters at the end of a game and travels back, step by step. Here all values begin at
# one half, which is not far off, so that costs little.
#
# ## Learn to play
#
# The same ideas learn optimal play, if the policy is improved along the way.
# `komi.learn` has the methods of the textbooks. It solves the game first, but only to
# measure: at each checkpoint you see the exact loss of the greedy policy against
# optimal play.

# %%
methods = ["monte-carlo", "td", "q-learning"]
settings = komi.LearningSettings(games=100_000, exploring_starts=True)
learned = {
    method: komi.learn("piglet", method, settings=settings) for method in methods
}
for method, result in learned.items():
    print(
        f"{method:12s} loses {100 * result.loss:6.3f} %, "
        f"largest error of a value {result.curve[-1].largest_error:.3f}"
    )

plt.figure(figsize=(6.4, 3.6), layout="constrained")
for method, result in learned.items():
    points = [point for point in result.curve if point.loss is not None]
    plt.loglog(
        [point.games for point in points],
        [max(100 * point.loss, 1e-3) for point in points],
        "o-",
        ms=3,
        label=method,
    )
plt.xlabel("games")
plt.ylabel("loss against optimal play (%)")
plt.legend(frameon=False)
plt.grid(alpha=0.3)
plt.show()

# %% [markdown]
# Loss and error are two different things. `td` has values for states and looks one
# step ahead with the rules. The others learn a value for each action in each state,
# without the rules; they compare two estimates that may differ by less than their
# noise.
#
# ## Rare states have large errors
#
# Let every game now begin at the start, as real games do. The map shows the mean error
# of the values for each pair of scores, over all turn totals:

# %%
piglet = komi.solve("piglet")
result = komi.learn("piglet", "td", settings=komi.LearningSettings(games=100_000))
errors, kept = np.full((10, 10), np.nan), piglet.optimal_play.states
for i in range(10):
    for j in range(10):
        known = [
            kept.index_of(piglet.read({"score": i, "rival": j, "turn": k}))
            for k in range(10 - i)
        ]
        errors[j, i] = np.mean(np.abs(result.values[known] - result.exact[known]))

plt.figure(figsize=(4.6, 3.6), layout="constrained")
plt.imshow(errors, origin="lower", cmap="viridis")
plt.colorbar(label="mean error of a value")
plt.xlabel("own points")
plt.ylabel("opponent's points")
plt.show()

last = result.curve[-1]
print(
    f"mean error {last.value_error:.4f}; "
    f"weighted by visits under optimal play {last.visited_error:.4f}"
)
print(f"loss {100 * last.loss:.3f} %")
assert last.visited_error < last.value_error

# %% [markdown]
# The errors are largest at low scores: most states there have a large turn total,
# which players who hold at two or three never reach. So the mean error over all states
# is much larger than the error weighted by visits. For playing well from the start
# that does not matter much: a state that never occurs cannot cost you a game. For a
# table of exact values it does.
#
# ## Summary
#
# - Monte Carlo targets are right on average but noisy. TD targets are less noisy but
#   wrong at first.
# - A small loss does not need small errors, and small errors do not promise a small
#   loss.
# - A learner has good values only for the states that it visits often. [Exploration,
#   step sizes and more methods](../learning.md) are settings of `komi learn`.
