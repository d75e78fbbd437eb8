"""Rounds of Red7: what their winners score, and who wins the game."""

from komi.bitset import count
from komi.games.red7.canvas import ALL, counting, points


def scored_round(state):
    """Let the mover, who has won a round, score the cards that count."""
    scored = state.scored | counting(state.canvas, state.palette)
    return state._replace(scored=scored, palette=state.palette & ~scored)


def is_decided(rules, state):
    """Return whether the mover, who has won a round, has the points to win, or too few cards are left for another."""
    goal = rules.goal if rules.goal > 0 else 50 - 5 * rules.players
    return points(state.scored) >= goal or count(unscored(state)) < rules.players * (rules.hand + 1)


def unscored(state):
    """Return the cards that no player has scored."""
    return ALL & ~(state.scored | state.scored1 | state.scored2 | state.scored3)


def share(rules, state, seat):
    """Return the payoff of a seat: those who have the most points share the win."""
    won = _points(state)
    winners = 0
    for other in range(rules.players):
        winners += won[other] == max(won)
    return 1.0 / winners if won[seat] == max(won) else 0.0


def leading_seat(rules, state):
    """Return the seat that has the most points; -1 if several have."""
    won = _points(state)
    first = -1
    for seat in range(rules.players):
        if won[seat] == max(won):
            if first >= 0:
                return -1
            first = seat
    return first


def _points(state):
    return points(state.scored), points(state.scored1), points(state.scored2), points(state.scored3)
