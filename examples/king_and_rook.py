"""King and rook against king: the endgame of chess in which White mates, and Black tries to take the rook.

White moves first. Squares are numbered row by row from a1. Stalemate, a lost rook and endless play are draws.
"""

from typing import NamedTuple

players = 2
endless = 0.5


class Rules(NamedTuple):
    side: int = 8  # squares in each row
    king: int = 0  # the squares of White's king and rook, and of the lone king, at the start
    rook: int = 9
    lone: int = 18


class State(NamedTuple):
    black: int  # 1 if the lone king is to move
    king: int
    rook: int  # side * side if it was taken
    lone: int


def limits(rules):
    squares = (0, rules.side * rules.side - 1)
    return Rules(side=(3, 8), king=squares, rook=squares, lone=squares)


def start(rules):
    return State(0, rules.king, rules.rook, rules.lone)


def action_count(rules):
    return 2 * rules.side * rules.side


def label(rules, state, action):
    piece, square = action // (rules.side * rules.side), action % (rules.side * rules.side)
    return "KR"[piece] + "abcdefgh"[square % rules.side] + str(square // rules.side + 1)


def domains(rules):
    squares = range(rules.side * rules.side)
    return State(black=range(2), king=squares, rook=range(rules.side * rules.side + 1), lone=squares)


def legal(rules, state):
    squares = rules.side * rules.side
    for square in range(squares):
        if state.black:
            if is_step(rules, state.lone, square) and is_safe(rules, state, square):
                yield square
        elif is_step(rules, state.king, square) and square != state.rook and not is_near(rules, square, state.lone):
            yield square
    if state.black:
        return
    for up, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        row, column = state.rook // rules.side + up, state.rook % rules.side + right
        while is_free(rules, state, row, column):
            yield squares + row * rules.side + column
            row, column = row + up, column + right


def is_near(rules, one, other):
    down, across = one // rules.side - other // rules.side, one % rules.side - other % rules.side
    return max(abs(down), abs(across)) <= 1


def is_step(rules, king, square):
    return king != square and is_near(rules, king, square)


def is_free(rules, state, row, column):
    on_board = 0 <= row < rules.side and 0 <= column < rules.side
    return on_board and row * rules.side + column not in (state.king, state.lone)


def is_safe(rules, state, square):
    """Return whether no piece of White attacks a square of the lone king; the rook on it can be taken."""
    return not is_near(rules, state.king, square) and not is_attacked(rules, state, square)


def is_attacked(rules, state, square):
    """Return whether the rook attacks a square: it sees along its row and column, up to its king."""
    low, high = min(state.rook, square), max(state.rook, square)
    if low == high:
        return False
    if state.rook // rules.side == square // rules.side:
        return not low < state.king < high
    if state.rook % rules.side == square % rules.side:
        return not (low < state.king < high and state.king % rules.side == square % rules.side)
    return False


def outcomes(rules, state, action):
    squares = rules.side * rules.side
    if state.black:
        yield 1.0, State(0, state.king, squares if action == state.rook else state.rook, action), 1
    elif action < squares:
        yield 1.0, State(1, action, state.rook, state.lone), 1
    else:
        yield 1.0, State(1, state.king, action - squares, state.lone), 1


def is_taken(rules, state):
    return state.rook == rules.side * rules.side


def over(rules, state):
    if is_taken(rules, state):
        return True
    if not state.black:
        return False
    for _ in legal(rules, state):
        return False
    return True


def payoff(rules, state):
    is_draw = is_taken(rules, state) or not is_attacked(rules, state, state.lone)
    return 0.5 if is_draw else 0.0  # mate: Black is to move, and loses


# Display


def board(rules, state):
    for square in range(rules.side * rules.side):
        piece = "king" if square == state.king else "rook" if square == state.rook else ""
        yield rules.side - 1 - square // rules.side, square % rules.side, "lone" if square == state.lone else piece, 0


def square(rules, state, action):
    to = action % (rules.side * rules.side)
    return rules.side - 1 - to // rules.side, to % rules.side
