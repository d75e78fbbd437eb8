"""What races of points share at tables of two to four: who has how many, seats counted from the player to move."""


def handicaps(players, komi):
    """(the first player's points, the next one's, and so on) at the start; 0 where nobody sits."""
    return 0, komi, 2 * komi if players > 2 else 0, 3 * komi if players > 3 else 0


def most_komi(players, goal):
    """The greatest komi with which nobody has reached the goal at the start."""
    return (goal - 1) // max(players - 1, 1)


def are_below(players, goal, score, rival, rival2, rival3):
    """Whether nobody has reached the goal, nor has points where nobody sits."""
    taken = 0 <= score < goal and 0 <= rival < goal
    return taken and 0 <= rival2 < (goal if players > 2 else 1) and 0 <= rival3 < (goal if players > 3 else 1)


def passed(players, score, rival, rival2, rival3):
    """The same points as the next player sees them."""
    if players == 2:
        return rival, score, 0, 0
    if players == 3:
        return rival, rival2, score, 0
    return rival, rival2, rival3, score


def before(players, rival, rival2, rival3):
    """The points of the player before."""
    if players == 2:
        return rival
    return rival2 if players == 3 else rival3
