"""2048, on small boards too: slide the tiles, two equal ones become one; make the tile that wins (G. Cirulli, 2014)."""

from typing import NamedTuple

from komi.game import CHANCE, put

players = 1
actions = ("left", "up", "right", "down")


class Rules(NamedTuple):
    side: int = 2  # squares in each row
    target: int = 5  # the tile that wins, as a power of two: 5 is 32
    four: float = 0.1  # the chance that a new tile is a four, not a two


class State(NamedTuple):
    board: tuple[int, ...]  # the tile on each square, as a power of two; 0 for none
    new: int = 2  # tiles that are to come now


def limits(rules):
    return Rules(side=(2, 4), target=(3, 11), four=(0.0, 1.0))


def objective(rules):
    return f"chance of making a {2**rules.target}"


def start(rules):
    return State((0,) * (rules.side * rules.side))


def legal(rules, state):
    if state.new > 0:
        yield CHANCE
        return
    for direction in range(4):
        if can_slide(rules, state.board, direction):
            yield direction


def outcomes(rules, state, action):
    if action != CHANCE:
        yield 1.0, State(slid(rules, state.board, action), 1), 0
        return
    empty = 0
    for tile in state.board:
        empty += tile == 0
    for square in range(rules.side * rules.side):
        if state.board[square] == 0:
            yield (1 - rules.four) / empty, State(put(state.board, square, 1), state.new - 1), 0
            yield rules.four / empty, State(put(state.board, square, 2), state.new - 1), 0


def slid(rules, board, direction):
    for line in range(rules.side):
        end, joins = 0, False  # where the next tile stops, and whether it may join the one before
        for step in range(rules.side):
            square = square_of(rules, direction, line, step)
            tile = board[square]
            if tile == 0:
                continue
            board = put(board, square, 0)
            if joins and board[square_of(rules, direction, line, end - 1)] == tile:
                board = put(board, square_of(rules, direction, line, end - 1), tile + 1)
                joins = False
            else:
                board = put(board, square_of(rules, direction, line, end), tile)
                end, joins = end + 1, True
    return board


def square_of(rules, direction, line, step):
    """Return the square some steps from the side to which the tiles of a line slide."""
    last = rules.side - 1
    if direction == 0:
        return line * rules.side + step
    if direction == 1:
        return step * rules.side + line
    if direction == 2:
        return line * rules.side + last - step
    return (last - step) * rules.side + line


def can_slide(rules, board, direction):
    after, differs = slid(rules, board, direction), False
    for square in range(rules.side * rules.side):
        differs = differs or after[square] != board[square]
    return differs


def has_won(rules, state):
    return max(state.board) >= rules.target


def over(rules, state):
    if state.new > 0 or has_won(rules, state):
        return has_won(rules, state)
    is_stuck = True
    for direction in range(4):
        is_stuck = is_stuck and not can_slide(rules, state.board, direction)
    return is_stuck


def payoff(rules, state):
    return 1.0 if has_won(rules, state) else 0.0


# Display


def board(rules, state):
    for square in range(rules.side * rules.side):
        tile = state.board[square]
        yield square // rules.side, square % rules.side, str(2**tile) if tile > 0 else "", 0
