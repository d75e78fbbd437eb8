"""What races of points share at tables of two to four: who has how many, seats counted from the player to move."""


def handicaps(players, komi):
    """Return the points of all four seats at the start, the first player's first; 0 for an empty seat."""
    return 0, komi, 2 * komi if players > 2 else 0, 3 * komi if players > 3 else 0


def most_komi(players, goal):
    """Return the greatest komi with which no player has reached the goal at the start."""
    return (goal - 1) // max(players - 1, 1)


def are_below(players, goal, score, rival, rival2, rival3):
    """Return whether all points are below the goal, and 0 for empty seats."""
    taken = 0 <= score < goal and 0 <= rival < goal
    return taken and 0 <= rival2 < (goal if players > 2 else 1) and 0 <= rival3 < (goal if players > 3 else 1)


def passed(players, score, rival, rival2, rival3):
    """Return the points as seen by the next player."""
    if players == 2:
        return rival, score, 0, 0
    if players == 3:
        return rival, rival2, score, 0
    return rival, rival2, rival3, score


def before(players, rival, rival2, rival3):
    """Return the points of the previous player."""
    if players == 2:
        return rival
    return rival2 if players == 3 else rival3
