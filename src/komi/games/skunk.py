"""Skunk: one die for all; after each roll all standing players decide simultaneously to hold or to stand (Swine Herd).

T. W. Neller and C. G. M. Presser's Pig pages, Gettysburg College; D. Brutlag, "Choice and Chance in Life: The Game of
SKUNK", 1994, for two players. All stand when a turn begins, and its first roll is compulsory. Holding banks the turn
total. A 1 ends the turn, and players who are standing then score nothing. The turn also ends when no player stands.

When the goal is reached is read in three ways. `ending=share` (the default): the game is judged at the end of a turn,
and all who have reached the goal share the victory. `ending=first`: it ends at once when a player holds with the goal
reached; if both do, more points win, and equal points share. `ending=higher`: it is judged at the end of a turn, and
of those who have reached the goal the one with more points wins: both may rationally stand for ever, and the game has
no proper value. With the goal reached holding can only gain in the first two, and is the only action there.

Of two who decide at once the mover decides first, which is hidden from the other.
"""

from typing import NamedTuple

from komi.game import CHANCE

players = 2
actions = ("stand", "hold")
STAND, HOLD = range(2)


class Rules(NamedTuple):
    goal: int = 100  # points that win
    sides: int = 6  # faces of the die
    ending: str = "share"  # what reaching the goal is worth: a shared victory, one for the first, or for the higher
    komi: int = 0  # points the second player starts with


class State(NamedTuple):  # as the player to move sees it
    score: int  # own points
    rival: int  # the opponent's points
    turn: int  # points rolled this turn, at risk for all standing players
    rolled: int = 0  # 1 where all standing players decide; 0 where the die is to be rolled
    chosen: int = 0  # what the opponent has just decided: 1 to stand, 2 to hold; hidden
    alone: int = 0  # 1 where the opponent has held this turn; 2, as the opponent sees it, where the mover has


def limits(rules):
    return Rules(goal=(1, 1000), sides=(2, 100), ending=("share", "first", "higher"), komi=(0, rules.goal - 1))


def no_value(rules):
    """Return why optimal play has no value; an empty text if it has one."""
    if rules.ending == "higher":
        return "where only more points win, both players may rationally stand for ever"
    return ""


def start(rules):
    return State(0, rules.komi, 0, 0, 0, 0)


def domains(rules):
    beyond = range(2 * rules.goal + rules.sides if rules.ending != "higher" else 1 << 16)
    return State(score=beyond, rival=beyond, turn=beyond, rolled=range(2), chosen=range(3), alone=range(3))


def possible(rules, state):
    score, rival, turn, rolled, chosen, alone = state
    if not (0 <= rolled <= 1 and 0 <= chosen <= 2 and 0 <= alone <= 1 and 0 <= score < rules.goal and rival >= 0):
        return False
    if rival >= rules.goal and (alone == 0 or rules.ending == "first"):
        return False
    if (chosen > 0 and (rolled == 0 or alone == 1)) or (alone == 1 and rival < 2):
        return False
    behind = score if alone else min(score, rival)
    in_reach = rules.ending == "higher" or turn < rules.goal - behind + rules.sides
    return in_reach and (turn >= 2 or (turn == 0 and rolled == 0 and alone == 0))


def view(rules, state):
    """Hide the opponent's decision: the mover only knows that it has been made."""
    return State(state.score, state.rival, state.turn, state.rolled, min(state.chosen, 1), state.alone)


def turned(rules, state):
    return State(state.rival, state.score, state.turn, state.rolled, state.chosen, -state.alone % 3)


def deal(rules, view, uniform):
    """Draw the opponent's decision: with the goal in reach it can only be to hold."""
    if view.chosen == 0:
        return view
    must_hold = rules.ending != "higher" and view.rival + view.turn >= rules.goal
    chosen = 1 + (HOLD if must_hold or uniform < 0.5 else STAND)
    return State(view.score, view.rival, view.turn, view.rolled, chosen, view.alone)


def legal(rules, state):
    if state.rolled == 0:
        yield CHANCE
    else:
        if rules.ending == "higher" or state.score + state.turn < rules.goal:
            yield STAND
        yield HOLD


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    score, rival, turn, _, chosen, alone = state
    if action == CHANCE:
        yield 1.0 / rules.sides, State(score, rival, 0, 0, 0, 0), 0
        for face in range(2, rules.sides + 1):
            yield 1.0 / rules.sides, State(score, rival, turn + face, 1, 0, alone), 0
    elif alone:
        if action == HOLD:
            yield 1.0, State(score + turn, rival, 0, 0, 0, 0), 0
        else:
            yield 1.0, State(score, rival, turn, 0, 0, 1), 0
    elif chosen == 0:
        yield 1.0, State(rival, score, turn, 1, 1 + action, 0), 1
    else:
        yield _decided(rules, state, action, chosen - 1)


def _decided(rules, state, own, other):
    """Return the outcome once both players have decided; `other` is the decision of the first."""
    score, rival, turn = state.score, state.rival, state.turn
    if own == HOLD and other == HOLD:
        return 1.0, State(rival + turn, score + turn, 0, 0, 0, 0), 1
    if own == STAND and other == STAND:
        return 1.0, State(rival, score, turn, 0, 0, 0), 1
    if own == HOLD:
        ended = rules.ending == "first" and score + turn >= rules.goal
        return 1.0, State(rival, score + turn, 0 if ended else turn, 0, 0, 0 if ended else 1), 1
    ended = rules.ending == "first" and rival + turn >= rules.goal
    return 1.0, State(score, rival + turn, 0 if ended else turn, 0, 0, 0 if ended else 1), 0


def event(rules, state, action, after):
    return str(after.turn - state.turn) if after.turn else "1"


def revealed(rules, state, action, after):
    if action == CHANCE or (state.chosen == 0 and state.alone == 0):
        return ""
    if state.alone:
        return f"The player who stands alone said {actions[action]}."
    return f"The first to decide said {actions[state.chosen - 1]}, the other {actions[action]}."


def over(rules, state):
    return state.turn == 0 and max(state.score, state.rival) >= rules.goal


def payoff(rules, state):
    both = state.score >= rules.goal and state.rival >= rules.goal
    if state.score == state.rival or (both and rules.ending == "share"):
        return 0.5
    return 1.0 if state.score > state.rival else 0.0


def leader(rules, state):
    if state.score == state.rival:
        return -1
    return 0 if state.score > state.rival else 1


def table(rules, state):
    """Yield what lies on the table: the points at risk, and for each player whether they stand."""
    yield "counter", "This turn", -1, "points at risk", state.turn
    yield "token", "", 0, "has held" if state.alone == 2 else "stands"
    rival = "stands"
    if state.alone == 1:
        rival = "has held"
    elif state.chosen > 0:
        rival = "has decided"
    yield "token", "", 1, rival


def laid(rules, event):
    yield "die", "This turn", -1, event


def how_to_play(rules):
    return f"""
    One die for both players: after each roll decide at once whether you stand or hold. First to {rules.goal} points
    wins.

    Both stand when a turn begins, and the first roll is compulsory. Each roll but a 1 is added to the turn total.
    After each roll all standing players decide, without knowing what the other decides: hold to bank the turn
    total and sit out, or stand for more. A 1 ends the turn, and players who still stand score nothing. The turn also
    ends when no player stands.

    Example: the die shows 5, then 4. You hold with 9 points; your opponent stands. The next roll is a 1: your
    opponent scores nothing this turn.
    """
