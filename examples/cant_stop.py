"""Can't Stop for one player or two: climb columns by the sums of two dice, and stop before a throw moves nothing.

Sid Sackson's race (1980): who has climbed three columns wins, alone in as few turns as possible. Four dice are thrown
and paired; each pair moves a runner up the column of its sum, and only three columns can be climbed in a turn. A throw
that moves no runner costs all steps of the turn. A column that one player has climbed is closed to the other. The game
in the box has dice of six sides and columns of 3 to 13 steps (`sides=6, shortest=3`); the small board of the default
is solved in seconds.
"""

from typing import NamedTuple

from komi.game import put

aim = "least"  # of one player
STOP, ROLL = 0, 1  # any other action is 32 times the column of one pair, plus that of the other if it moves, too
REPEATED = (24, 12, 4, 1)  # orders of four dice, by how many times an equal one follows; two pairs have 6


class Rules(NamedTuple):
    sides: int = 3  # of a die
    shortest: int = 2  # steps of the outer columns
    rise: int = 2  # steps that a column has more than the next one outside
    runners: int = 3  # columns that can be climbed in one turn
    needed: int = 3  # columns to climb in all
    players: int = 1


class State(NamedTuple):
    columns: tuple[int, ...]  # steps climbed in earlier turns
    climb: tuple[int, ...]  # steps climbed in this turn
    dice: tuple[int, ...] = (0, 0, 0, 0)  # in ascending order; 0 before the throw
    rival: tuple[int, ...] = (0,)  # steps that the opponent has climbed in earlier turns


def players(rules):
    return rules.players


def limits(rules):
    needed = (1, 3 if rules.players == 1 else min(3, rules.sides))  # of two players, one always gets there
    return Rules((2, 6), (1, 3), (0, 2), (1, 3), needed, (1, 2))


def fields(rules):
    return ("columns", "climb", "dice", "rival")[: 2 + rules.players]


def action_count(rules):
    return 32 * (2 * rules.sides + 1)


def objective(rules):
    return "expected turns" if rules.players == 1 else "chance of winning"


def start(rules):
    none = (0,) * (2 * rules.sides - 1)
    return State(none, none, rival=none if rules.players == 2 else (0,))


def length(rules, column):
    return rules.shortest + rules.rise * min(column - 2, 2 * rules.sides - column)


def can_climb(rules, state, climb, column):
    runners = 0
    for steps in climb:
        runners += steps > 0
    is_open = state.columns[column - 2] + climb[column - 2] < length(rules, column)
    if rules.players == 2:
        is_open = is_open and state.rival[column - 2] < length(rules, column)
    return is_open and (climb[column - 2] > 0 or runners < rules.runners)


def climbed(climb, column):
    return put(climb, column - 2, climb[column - 2] + 1)


def domains(rules):
    steps = tuple(range(length(rules, column) + 1) for column in range(2, 2 * rules.sides + 1))
    return State(columns=steps, climb=steps, dice=range(rules.sides + 1), rival=steps if rules.players == 2 else 0)


def legal(rules, state):
    climb, (a, b, c, d) = state.climb, state.dice
    if a == 0:
        yield ROLL
        if max(climb) > 0:
            yield STOP
        return
    for one in range(2, (a + b + c + d) // 2 + 1):
        other = a + b + c + d - one
        if one == a + b or one in (a + c, b + d) or one in (a + d, b + c):
            first, second = can_climb(rules, state, climb, one), can_climb(rules, state, climb, other)
            if first and can_climb(rules, state, climbed(climb, one), other):
                yield 32 * one + other
            else:
                if first:
                    yield 32 * one
                if second and other != one:
                    yield 32 * other


def can_move(rules, state, a, b, c, d):
    """Return whether a throw moves a runner."""
    for column in (a + b, a + c, a + d, b + c, b + d, c + d):  # noqa: SIM110  compiles faster
        if can_climb(rules, state, state.climb, column):
            return True
    return False


def outcomes(rules, state, action):
    columns, climb = state.columns, state.climb
    if action == STOP:
        for i in range(len(climb)):
            columns = put(columns, i, columns[i] + climb[i])
        yield 1.0, next_turn(rules, state, columns), 1
    elif action == ROLL:
        for a in range(1, rules.sides + 1):
            for b in range(a, rules.sides + 1):
                for c in range(b, rules.sides + 1):
                    for d in range(c, rules.sides + 1):
                        orders = 6 if a == b < c == d else REPEATED[(a == b) + (b == c) + (c == d)]
                        if can_move(rules, state, a, b, c, d):
                            yield orders / rules.sides**4, state._replace(dice=(a, b, c, d)), 0
                        else:
                            yield orders / rules.sides**4, next_turn(rules, state, columns), 1
    else:
        climb = climbed(climb, action // 32)
        if action % 32:
            climb = climbed(climb, action % 32)
        yield 1.0, state._replace(climb=climb, dice=(0, 0, 0, 0)), 0


def next_turn(rules, state, columns):
    none = state.climb
    for i in range(len(none)):
        none = put(none, i, 0)
    mine, theirs = columns, state.rival
    if rules.players == 2:
        for i in range(len(columns)):
            mine, theirs = put(mine, i, state.rival[i]), put(theirs, i, columns[i])
    return State(mine, none, (0, 0, 0, 0), theirs)


def over(rules, state):
    won = 0
    for i in range(len(state.columns)):
        steps = state.rival[i] if rules.players == 2 else state.columns[i]  # of the player who has just stopped
        won += steps == length(rules, i + 2)
    return won >= rules.needed


def payoff(rules, state):
    return 0.0  # the opponent has just won; alone only turns count


def reward(rules, state, action, after):
    ends_turn = action == STOP or (action == ROLL and after.dice[0] == 0)
    return 1.0 if rules.players == 1 and ends_turn else 0.0


def transient(rules, state):
    return max(state.climb) > 0 or state.dice[0] > 0


def stage(rules, state):
    return sum(state.columns) + sum(state.rival)


def label(rules, state, action):
    if action in (STOP, ROLL):
        return ("stop", "roll")[action]
    return f"climb {action // 32}" + (f" and {action % 32}" if action % 32 else "")


def event(rules, state, action, after):
    return "-".join(map(str, after.dice)) if after.dice[0] else "no move"


def table(rules, state):
    """Yield the columns, climbed from below, with this turn's runners and the camps of earlier turns, and the dice."""
    top = max(length(rules, column) for column in range(2, 2 * rules.sides + 1))
    for i in range(len(state.columns)):
        yield "square", "Columns", -1, str(i + 2), top, i
        for step in range(1, length(rules, i + 2) + 1):
            yield "square", "Columns", -1, "", top - step, i
        if state.columns[i] > 0:
            yield "token", "Columns", 0, "camp", top - state.columns[i], i
        if state.climb[i] > 0:
            yield "token", "Columns", 0, "runner", top - state.columns[i] - state.climb[i], i
        if rules.players == 2 and state.rival[i] > 0:
            yield "token", "Columns", 1, "camp", top - state.rival[i], i
    for die in state.dice:
        yield "die", "Dice", -1, str(die) if die else ""
