# %% [markdown]
# # Fibonacci and memory
#
# Dynamic programming solves a problem by solving smaller problems of the same kind,
# each of them once. This lesson shows what "once" is worth, first with the Fibonacci
# numbers and then with one turn of the dice game Pig.
#
# Each Fibonacci number is the sum of the two before it: F(n) = F(n - 1) + F(n - 2),
# with F(0) = 0 and F(1) = 1. The definition is already a program:

# %%
import functools
from collections import Counter

import matplotlib.pyplot as plt

import komi

calls = Counter()


def fibonacci(n):
    calls[n] += 1
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


print(
    f"F(20) = {fibonacci(20):,}, after {calls.total():,} calls; "
    f"F(2) was computed {calls[2]:,} times"
)

# %% [markdown]
# The answer is 6,765, and the program made 21,891 calls to find it, although there are
# only 21 different questions, F(0) to F(20). F(2) alone was computed 4,181 times. The
# questions *overlap*: F(20) needs F(19) and F(18), and F(19) needs F(18) once more.
#
# ## Remember the answers
#
# If the function stores each answer, it computes each of them once. Python needs one
# line for that:

# %%
calls.clear()


@functools.cache
def remembered(n):
    calls[n] += 1
    return n if n < 2 else remembered(n - 1) + remembered(n - 2)


print(f"F(20) = {remembered(20):,}, after {calls.total()} calls")
assert calls.total() == 21 and max(calls.values()) == 1

# %% [markdown]
# This is *memoization*: from the top down, with a memory. From the bottom up it is a
# loop, which also shows that the memory can be small: each answer depends only on the
# two before it.

# %%
first, second = 0, 1
for _ in range(20):
    first, second = second, first + second
print(f"F(20) = {first:,}")

# %% [markdown]
# The number of calls without memory grows as fast as the Fibonacci numbers themselves:
# by a factor of about 1.618 with each step. With memory it grows by one.

# %%
sizes = range(1, 26)
without = []
for n in sizes:
    calls.clear()
    fibonacci(n)
    without.append(calls.total())
print(
    f"calls for n = 25 and n = 24: {without[-1]:,} and {without[-2]:,}, "
    f"a ratio of {without[-1] / without[-2]:.3f}"
)

plt.figure(figsize=(6, 3.2), layout="constrained")
plt.semilogy(sizes, without, "o-", ms=3, label="without memory")
plt.semilogy(sizes, [n + 1 for n in sizes], "o-", ms=3, label="with memory")
plt.xlabel("n")
plt.ylabel("calls")
plt.legend(frameon=False)
plt.grid(alpha=0.3)
plt.show()

# %% [markdown]
# ## A turn of Pig
#
# In Pig you roll a die as often as you like. A 2 to 6 is added to your turn total; a 1
# ends the turn with nothing. Suppose that you hold as soon as your turn total is 20 or
# more. How likely is each result?
#
# Let p(k) be the probability that the turn total is k at some moment. It was k - 2 to
# k - 6 before, and below 20, and the right face came with a probability of one sixth.
# So p(k) is the sum of p(k - face) / 6, over the faces 2 to 6 with k - face < 20.
# These questions overlap just as the Fibonacci numbers do:

# %%
HOLD_AT = 20


@functools.cache
def visited(k):
    """Return the probability that the turn total is k at some moment."""
    calls["turn"] += 1
    if k == 0:
        return 1.0
    return sum(visited(k - face) / 6 for face in range(2, 7) if 0 <= k - face < HOLD_AT)


calls.clear()
turn = {k: visited(k) for k in range(HOLD_AT, HOLD_AT + 6)}
turn[0] = 1.0 - sum(turn.values())
for k in sorted(turn):
    print(f"{k:2d} points: {turn[k]:.6f}")
print(f"{calls['turn']} calls")

# %% [markdown]
# A player who holds at 20 scores nothing in 62.4541 % of all turns. komi computes the
# same distribution from the rules of the game, and so do the authors of the paper that
# these lessons follow (T. W. Neller, I. Russell and Z. Markov, *Solving the Dice Game
# Pig*, 2005).

# %%
exact = komi.scores("pig-solitaire", "hold-at:20", objective="score", turns=1)
print(f"komi: no points in {100 * exact.distribution[0]:.4f} %")
assert all(abs(exact.distribution[k] - turn[k]) < 1e-12 for k in turn)

# %% [markdown]
# ## Summary
#
# - A recursive definition is a correct program, but it may ask the same question very
#   often.
# - If the questions are few, store the answers. The time is then the number of
#   questions times the work for each.
# - Memoization needs questions that do not depend on each other in a circle.
#   [Progressive Pig](progressive_pig.md) has no such circles, [Piglet](piglet.md) and
#   [Pig](pig.md) have.
