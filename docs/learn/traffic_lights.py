# %% [markdown]
# # Traffic Lights backwards
#
# *Traffic Lights* has no dice. Two players share a board. A move puts a red counter on
# an empty square, or replaces a red counter by an orange one, or an orange one by a
# green one. Green counters stay. The player who completes three of one colour in a row
# wins. Every position is a win or a loss for the player to move. Which?
#
# <iframe class="game" src="../games/traffic-lights.html" title="Traffic Lights"></iframe>
#
# The answer is found from the end: *retrograde analysis*. A position whose player has
# just lost is a loss. A position with a move to a loss is a win. A position with moves
# only to wins is a loss. Start at the positions where the game is over, and go
# backwards.
#
# ## A board of one row
#
# On three squares in a row the game is small enough to do it by hand, or in a few
# lines. A position is three digits, 0 for empty to 3 for green:

# %%
from collections import deque
from itertools import product
from pathlib import Path

import matplotlib.pyplot as plt

import komi

ROWS, COLUMNS = 1, 3


def lines(rows, columns):
    """Return all lines of three squares."""
    squares = {
        (row, column): row * columns + column
        for row in range(rows)
        for column in range(columns)
    }
    for (row, column), (down, right) in product(
        squares, ((0, 1), (1, 0), (1, 1), (1, -1))
    ):
        line = [squares.get((row + n * down, column + n * right)) for n in range(3)]
        if None not in line:
            yield line


def is_over(position, rows, columns):
    return any(
        position[a] == position[b] == position[c] > 0
        for a, b, c in lines(rows, columns)
    )


def moves(position):
    return [
        (*position[:n], color + 1, *position[n + 1 :])
        for n, color in enumerate(position)
        if color < 3
    ]


# %% [markdown]
# First go forward and list the positions that play can reach, each with its
# predecessors. Then go backwards. Each position counts its moves that are not yet
# known to lose: when none is left, it is a loss. The number of plies to the end comes
# with it, since positions are solved in the order of their distance: the winner takes
# the first loss found, and the loser the last win.


# %%
def analyze(rows, columns):
    """Return the plies to the end of each position; odd if the player to move wins."""
    start = (0,) * (rows * columns)
    before, order = {start: []}, [start]
    for position in order:
        if not is_over(position, rows, columns):
            for after in moves(position):
                if after not in before:
                    before[after] = []
                    order.append(after)
                before[after].append(position)

    plies = {position: 0 for position in order if is_over(position, rows, columns)}
    open_moves = {position: len(moves(position)) for position in order}
    queue = deque(plies)
    while queue:
        position = queue.popleft()
        for earlier in before[position]:
            if earlier in plies:
                continue
            open_moves[earlier] -= 1
            if (
                plies[position] % 2 == 0 or open_moves[earlier] == 0
            ):  # a loss for the opponent, or all moves lose
                plies[earlier] = plies[position] + 1
                queue.append(earlier)
    return plies


def describe(plies, start):
    return f"{'win' if plies[start] % 2 else 'loss'} for the first player in {plies[start]} plies"


one_row = analyze(1, 3)
print(describe(one_row, (0, 0, 0)))

# %% [markdown]
# The first player wins, in 9 plies if the second holds out as long as possible. Is it
# right? komi solves the same game from its rule file:

# %%
small = komi.solve("traffic-lights", rows=1)
print(f"komi: {small.value()} in {small.plies()} plies")
assert (small.value(), small.plies()) == ("win", one_row[0, 0, 0])

two_rows = analyze(2, 3)
larger = komi.solve("traffic-lights", rows=2)
print(
    f"2x3: {describe(two_rows, (0,) * 6)}; komi: {larger.value()} in {larger.plies()} plies"
)

for position, plies in two_rows.items():
    state = "".join(".rog"[color] for color in position)
    assert plies == 0 or larger.plies(state) == plies
counts = larger.counts
print(
    f"2x3: {counts.win + counts.loss:,} positions compared, "
    f"{counts.win:,} are wins and {counts.loss:,} losses"
)
assert sum(plies > 0 for plies in two_rows.values()) == counts.win + counts.loss

# %% [markdown]
# On 2x3 squares the second player wins. All 3,721 positions have the same plies in
# both programs.
#
# ## Three by three
#
# The real board has 180,400 positions that play can reach. That is nothing for a
# compiled program:

# %%
lights = komi.solve("traffic-lights")
counts = lights.counts
print(
    f"{lights.value()} for the first player in {lights.plies()} plies; "
    f"{counts.win + counts.loss:,} positions"
)
print("perfect play:", *lights.line())

# %% [markdown]
# You can remember how to win: begin in the centre. From then on complete a line if you
# can; if you cannot, move on the square opposite to the one on which the other player
# has just moved. The program tries all replies:


# %%
def mirror_wins(position, square):
    """Return whether the rule always wins, after a move on this square."""
    if any(is_over(after, 3, 3) for after in moves(position)):
        return True
    answer = list(position)
    answer[8 - square] += 1
    if answer[8 - square] > 3:
        return False
    return all(
        not is_over(after, 3, 3)
        and mirror_wins(after, next(n for n in range(9) if after[n] != answer[n]))
        for after in moves(tuple(answer))
    )


centre = (0, 0, 0, 0, 1, 0, 0, 0, 0)
assert all(
    mirror_wins(after, next(n for n in range(9) if after[n] != centre[n]))
    for after in moves(centre)
)
print("the rule wins against all replies")
picture = komi.plot(
    "traffic-lights", Path("pictures/traffic-lights-reply.png"), states=["r........"]
)

# %% [markdown]
# A line through the centre is its own mirror image, so it is always the other player
# who first offers a line. Here is the board after an opening in the corner, with what
# each reply leads to:
#
# ![What each reply to the corner leads to](pictures/traffic-lights-reply.png)
#
# How far away is the end? The distances of all positions on 2x3 squares show how the
# analysis proceeds, step by step backwards:

# %%
distances = sorted(set(two_rows.values()))
numbers = [
    sum(plies == distance for plies in two_rows.values()) for distance in distances
]
colors = ["tab:blue" if distance % 2 else "tab:orange" for distance in distances]
plt.figure(figsize=(6.4, 3.2), layout="constrained")
plt.bar(distances, numbers, color=colors)
plt.xlabel("plies to the end (blue: the player to move wins)")
plt.ylabel("positions")
plt.xticks(distances)
plt.show()
print(
    f"{numbers[1]:,} positions are won in one move; "
    f"the longest perfect play takes {distances[-1]} plies"
)

# %% [markdown]
# ## Summary
#
# - Without chance a value is a result and a distance, and there is no error at all.
# - Backwards, each position is solved once. No sweep is repeated, even in games where
#   positions come back: those that are never solved are draws.
# - Counting the open moves of each position makes the work proportional to the number
#   of moves.
