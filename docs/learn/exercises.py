# %% [markdown]
# # Exercises
#
# T. W. Neller, I. Russell and Z. Markov end the sections of *Solving the Dice Game
# Pig* (2005) with exercises and projects. Here are eight, in our own words and order.
# Try each before you read the answer: describe the state, write down the equations,
# decide between recursion and value iteration, and solve it with a program of your
# own. komi computes the answers.

# %%
import functools

import matplotlib.pyplot as plt

import komi

# %% [markdown]
# ## 1. Pig Solitaire: in time
#
# You play Pig alone. You have 10 turns to reach 100 points. A turn begins with a roll.
# What is the best chance that you can have? How many turns do you need for an even
# chance?
#
# *Hint*: the number of turns left falls with each turn. Nothing comes back.


# %%
@functools.cache
def reach(score, turn, turns):
    """Return the chance of reaching 40 points with so many turns left, this one counted."""
    if score + turn >= 40:
        return 1.0
    if turns == 0:
        return 0.0
    roll = (
        reach(score, 0, turns - 1)
        + sum(reach(score, turn + face, turns) for face in range(2, 7))
    ) / 6
    return max(roll, reach(score + turn, 0, turns - 1)) if turn else roll


forty = komi.solve("pig-solitaire", goal=40, turns=4)
print(f"40 points in 4 turns: {reach(0, 0, 4):.6f}, komi: {forty.value():.6f}")
ten = komi.solve("pig-solitaire", goal=100, turns=10)
print(f"100 points in 10 turns: {100 * ten.value():.4f} %")
sweep = komi.sweep("pig-solitaire", {"turns": range(5, 16)}, workers=1)
enough = sweep.first_reaching(0.5)
print(f"an even chance: {enough.rules.turns} turns, {100 * enough.opening.first:.4f} %")
assert abs(reach(0, 0, 4) - forty.value()) < 1e-9

# %% [markdown]
# The best chance is 46.5443 % with ten turns, and 55.2371 % with eleven. Late and
# behind, you roll on far beyond 20:

# %%
limits = {}
for turns in (1, 2, 3):
    totals = [
        turn
        for turn in range(2, 75)
        if ten.best({"score": 30, "turn": turn, "turns": turns}) == "hold"
    ]
    limits[turns] = min(totals)
print("with 30 points, hold at:", limits)

# %% [markdown]
# ## 2. Pig Solitaire: for points
#
# Now points count, and there is no goal. How many points can you expect in one turn,
# and in ten? Must you know how many turns are left?
#
# *Hint*: look at the equation of the last turn first.

# %%
for turns in (1, 10):
    solution = komi.solve("pig-solitaire", objective="score", turns=turns)
    print(
        f"{turns:2d} turns: {solution.value():.4f} points, {solution.value() / turns:.4f} each"
    )
distribution = komi.scores(
    "pig-solitaire", "hold-at:20", objective="score", turns=1
).distribution
print(f"a turn with 0 points: {100 * distribution[0]:.2f} %")

# %% [markdown]
# The turns do not affect each other, so each is played alike: hold at 20. Nearly two
# thirds of such turns score nothing.
#
# ## 3. Think
#
# Alone again, with two dice and five turns. A throw without a 1 adds the sum to the
# turn total. A single 1 ends the turn and loses the turn total; two 1s also lose all
# that you have scored before. Maximize the expected points. Is it enough to look at
# the turn total?
#
# *Hint*: what can you lose, and what does it depend on?

# %%
think = komi.solve("think")
fixed = komi.match("think", "hold-at:25")
print(f"optimal play: {think.value():.4f} points; hold at 25: {fixed.value:.4f} points")
for score in (0, 30, 60, 90):
    totals = [
        total
        for total in range(4, 60)
        if think.best({"score": score, "turn": total, "turns": 1}) == "hold"
    ]
    print(f"last turn with {score} points: hold at {min(totals)}")

# %% [markdown]
# No. The points that you have already scored are at risk, too: the more you have, the
# sooner you hold.
#
# ## 4. Pig Solitaire: fewest turns
#
# You play Pig alone until you have 100 points, however long it takes. Minimize the
# expected number of turns. What does hold at 20 cost?
#
# *Hint*: a turn can score nothing, so the state comes back. Recursion alone does not
# do it.


# %%
def fewest_turns(goal, accuracy=1e-12):
    """Return the least expected number of turns to the goal, from each score."""
    turns = {goal: 0.0}
    for score in range(
        goal - 1, -1, -1
    ):  # only this score comes back: one unknown at a time
        guess, change = 10.0, 1.0
        while change > accuracy:
            left = {}
            for turn in range(goal - score + 5, 1, -1):
                rolled = sum(left.get(turn + face, 0.0) for face in range(2, 7)) + guess
                left[turn] = (
                    0.0
                    if score + turn >= goal
                    else min(turns[score + turn], rolled / 6)
                )
            new = (
                1.0
                + (guess + sum(left[face] for face in range(2, 7) if face in left)) / 6
            )
            guess, change = new, abs(new - guess)
        turns[score] = guess
    return turns


solved = komi.solve("pig-solitaire", objective="turns")
twenty = komi.match("pig-solitaire", "hold-at:20", objective="turns")
print(f"fewest turns: {fewest_turns(100)[0]:.6f}, komi: {solved.value():.6f}")
print(f"hold at 20: {twenty.value:.3f} turns, {twenty.loss:.3f} more than needed")

# %% [markdown]
# ## 5. Pig
#
# Solve Pig for two players. Who has the advantage, and how large is it for smaller
# goals?
#
# *Hint*: this is the game of the [lesson on Pig](pig.md); use value iteration, and
# remember [what a small change means](small_change.md).

# %%
goals = [10, 20, 30, 40, 60, 80, 100]
values = [komi.solve("pig", goal=goal).value() for goal in goals]
for goal, value in zip(goals, values, strict=True):
    print(f"to {goal:3d} points: the first player wins {100 * value:.3f} %")

plt.figure(figsize=(6, 3.2), layout="constrained")
plt.plot(goals, [100 * value for value in values], "o-", ms=4)
plt.xlabel("goal")
plt.ylabel("first player wins (%)")
plt.grid(alpha=0.3)
plt.show()

# %% [markdown]
# The shorter the game, the more it is worth to begin.
#
# ## 6. Two-Dice Pig
#
# Two dice are thrown. A single 1 ends the turn with nothing; two 1s also lose the
# score. Solve it. Which fixed hold value is best against optimal play?
#
# *Hint*: the score can fall back to 0 now, so no order of scores helps.

# %%
two_dice = komi.solve("two-dice-pig")
averages = {
    number: komi.match("two-dice-pig", f"hold-at:{number}", "optimal").average
    for number in range(20, 27)
}
best = max(averages, key=averages.get)
print(f"the first player wins {100 * two_dice.value():.3f} %")
print(
    f"best hold value: {best}, which wins {averages[best]:.4f} on average against optimal play"
)

# %% [markdown]
# Zhu and Ma (2022) published the same: 23, with 0.4747.
#
# ## 7. Risk
#
# In Risk an attacker throws up to three dice and a defender up to two; the highest are
# compared, then the second highest, and ties go to the defender. How likely do 10
# armies that can attack defeat 10 that defend? And nine armies defend a chain of three
# territories against ten: how should they be spread, with at least one in each?
#
# *Hint*: there is nothing to decide in a battle. It is a Markov chain, and the number
# of armies only falls.

# %%
battle = komi.solve("risk-battle", attackers=10, defenders=10)
print(f"10 against 10: the attacker wins {battle.value():.3f}")
territories = ["defenders1", "defenders2", "defenders3"]
spread = komi.spread_total(
    "risk-chain",
    territories,
    9,
    aim="least",
    armies=10,
    defenders4=0,
    defenders5=0,
    workers=1,
)
for split in [*spread.splits[:3], spread.splits[-1]]:
    print(f"{split.numbers}: the attacker takes all with {100 * split.value:.2f} %")

# %% [markdown]
# Osborne (2003) published 0.568. Two armies in front throw two dice, one only one; the
# others wait at the end, where the fewest attackers arrive.
#
# ## 8. Hooligan
#
# Alone, with five dice: seven turns of up to three throws, between which you may keep
# any dice. Each turn is scored in one of seven boxes: 1 to 6 for the sum of the dice
# with that number, and H for a straight of five, which is worth 20 points. Each box
# can be used once. How many points can you expect, and what does it cost if you must
# name the box after the first throw?
#
# *Hint*: the dice matter only within a turn. Between turns the state is the set of
# filled boxes.

# %%
free, declared = komi.solve("hooligan"), komi.solve("hooligan", declare=True)
print(
    f"{free.states} states between turns; {free.value():.4f} points, "
    f"{declared.value():.4f} if you must name the box"
)
for dice in (12345, 11334, 44456):
    print(f"first throw {dice}: {free.best({'rolls': 2, 'dice': dice})}")
