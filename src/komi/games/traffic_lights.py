"""Traffic Lights: red, orange, green on shared squares; the player who completes three in a line wins (Alan Parr).

Counters have no owner. A move puts a red one on an empty square, or an orange one in place of a red, or a
green one in place of an orange; green stays. Version 1 is played on 3x3 squares, version 2 on 4x3. In
version 3 the fourth row is a strip that a player may move instead of placing a counter: turn it round, or
lay it against another edge of the 3x3 square, turned or not. Play can then go on for ever: a draw.

A. Parr, "Traffic Lights", NRICH, University of Cambridge. Read so: a line is any three squares in a row of
the rectangle as it lies, and a move must change the position.

Notation: the squares row by row as `.`, `r`, `o`, `g`; in version 3 the nine of the square, the three of
the strip (left to right, or top to bottom), and the edge it lies on: N, E, S or W.
"""

from typing import NamedTuple

players = 2
EMPTY, RED, ORANGE, GREEN = range(4)
N, E, S, W = range(4)
SIDE = 3  # squares along the square, and along the strip
LETTERS = ".rog"
EDGES = "NESW"


class Rules(NamedTuple):
    version: int = 1  # 1: a fixed board; 2: the same, larger; 3: with a strip that moves
    rows: int = 0  # of a fixed board; 0: 3 in version 1, 4 in version 2
    columns: int = 0  # of a fixed board; 0: 3
    misere: bool = False  # whether completing a line loses


class State(NamedTuple):
    board: int  # a number in base 4: what stands on each square, the first square first, the strip last
    edge: int  # the edge that the strip lies on; 0 where there is none


def limits(rules):
    if rules.version == 3:
        side = (SIDE, SIDE)
        return Rules((1, 3), side if rules.rows else (0, 0), side if rules.columns else (0, 0), None)
    least = 1 if max(_rows(rules), _columns(rules)) >= SIDE else SIDE  # there must be room for a line
    rows = (least, 4) if rules.rows else (0, 0)
    columns = (least, 4) if rules.columns else (0, 0)
    return Rules((1, 3), rows, columns, None)


def _rows(rules):
    if rules.rows > 0:
        return rules.rows
    return 4 if rules.version == 2 else SIDE


def _columns(rules):
    return rules.columns if rules.columns > 0 else SIDE


def _squares(rules):
    """Return the number of squares, including those of the strip."""
    return SIDE * SIDE + SIDE if rules.version == 3 else _rows(rules) * _columns(rules)


def start(rules):
    return State(board=0, edge=S if rules.version == 3 else 0)


def domains(rules):
    return State(board=range(1 << 2 * _squares(rules)), edge=range(4 if rules.version == 3 else 1))


def possible(rules, state):
    edges = 4 if rules.version == 3 else 1
    return 0 <= state.board < 1 << 2 * _squares(rules) and 0 <= state.edge < edges


def legal(rules, state):
    squares = _squares(rules)
    for square in range(squares):
        if (state.board >> _shift(squares, square)) & 3 < GREEN:
            yield square
    if rules.version == 3:
        first, last = (state.board >> 4) & 3, state.board & 3
        for edge in range(4):
            if edge != state.edge:
                yield squares + 2 * edge
            if first != last:  # the strip looks different when turned
                yield squares + 2 * edge + 1


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    squares = _squares(rules)
    if action < squares:  # each colour is one more than the colour before
        yield 1.0, State(state.board + (1 << _shift(squares, action)), state.edge), 1
    else:
        edge, turned = (action - squares) >> 1, (action - squares) & 1
        yield 1.0, State(_turned(state.board) if turned else state.board, edge), 1


def _shift(squares, square):
    """Return the position of the two bits of a square in the board."""
    return 2 * (squares - 1 - square)


def _turned(board):
    """Reverse the strip of a board."""
    first, middle, last = (board >> 4) & 3, (board >> 2) & 3, board & 3
    return (board >> 6) << 6 | last << 4 | middle << 2 | first


def over(rules, state):
    shape = _shape(rules, state)
    for i in range(LINES_OF[shape]):
        line = LINES[shape][i]
        if _is_complete(state.board, line):
            return True
    return False


def _is_complete(board, line):
    """Return whether the squares of a line, given as a board with red counters on them, have one colour."""
    counters = board & (GREEN * line)
    return counters == RED * line or counters == ORANGE * line or counters == GREEN * line


def payoff(rules, state):
    return 1.0 if rules.misere else 0.0  # the opponent has just completed a line


def symmetries(rules, state):
    shape, squares = _shape(rules, state), _squares(rules)
    for i in range(IMAGES_OF[shape]):
        board = 0
        for square in range(squares):
            board |= ((state.board >> _shift(squares, square)) & 3) << IMAGES[shape][i][square]
        yield State(board, IMAGE_EDGE[shape][i])


def action_count(rules):
    return _squares(rules) + 2 * len(EDGES) * (rules.version == 3)


def label(rules, state, action):
    squares = _squares(rules)
    if action >= squares:
        edge, turned = (action - squares) >> 1, (action - squares) & 1
        if edge == state.edge:
            return "turn strip"
        return f"strip to {EDGES[edge]} turned" if turned else f"strip to {EDGES[edge]}"
    if rules.version == 3 and action >= SIDE * SIDE:
        return f"s{action - SIDE * SIDE + 1}"
    return f"{'abcd'[action % _columns(rules)]}{action // _columns(rules) + 1}"


def read(rules, text):
    squares = _squares(rules)
    text = text.strip()
    if len(text) != squares + (rules.version == 3):
        needed = f"{squares} squares"
        if rules.version == 3:
            needed = "9 squares, 3 of the strip and the edge it lies on, 13 letters"
        raise ValueError(f"it must have {needed}, not {len(text)}")
    board = 0
    for letter in text[:squares].lower():
        if letter not in LETTERS:
            raise ValueError(f"{letter!r} is not a counter, only . (empty), r (red), o (orange) and g (green) are")
        board = 4 * board + LETTERS.index(letter)
    edge = text[squares:].upper()
    if edge not in EDGES:
        raise ValueError(f"{edge!r} is not an edge, only N, E, S and W are")
    return State(board, EDGES.index(edge) if edge else 0)


def write(rules, state):
    squares = _squares(rules)
    text = "".join(LETTERS[(state.board >> _shift(squares, square)) & 3] for square in range(squares))
    return text + (EDGES[state.edge] if rules.version == 3 else "")


def board(rules, state):
    """Yield (row, column, colour of the counter, tint) for each square."""
    squares = _squares(rules)
    for square in range(squares):
        counter = ("", "red", "orange", "green")[(state.board >> _shift(squares, square)) & 3]
        row, column = SHAPES[_shape(rules, state)][square]
        yield row, column, counter, int(rules.version == 3 and square >= SIDE * SIDE)


def square(rules, state, action):
    """Return the row and column of an action's square; None if the action moves the strip."""
    return SHAPES[_shape(rules, state)][action] if action < _squares(rules) else None


def decisive(rules, state):
    """Yield the row and column of each square of a completed line."""
    shape, squares = _shape(rules, state), _squares(rules)
    lines = [line for line in LINES[shape][: LINES_OF[shape]] if _is_complete(state.board, line)]
    for square in range(squares):
        if any(line >> _shift(squares, square) & 1 for line in lines):
            yield SHAPES[shape][square]


def _shape(rules, state):
    """Return the index into `SHAPES` of the shape that the squares form."""
    if rules.version == 3:
        return 16 + state.edge
    return 4 * (_rows(rules) - 1) + _columns(rules) - 1


def _rectangle(rows, columns):
    return [(row, column) for row in range(rows) for column in range(columns)]


def _with_strip(edge):
    strip = {N: [(-1, i) for i in range(SIDE)], S: [(SIDE, i) for i in range(SIDE)]}
    strip |= {W: [(i, -1) for i in range(SIDE)], E: [(i, SIDE) for i in range(SIDE)]}
    return _rectangle(SIDE, SIDE) + strip[edge]


# The squares' (row, column) in order: the fixed boards, then the square with the strip on each edge.
SHAPES = [_rectangle(rows, columns) for rows in range(1, 5) for columns in range(1, 5)]
SHAPES += [_with_strip(edge) for edge in range(4)]


def _lines(places):
    """Yield the lines, each as a board with red counters on its three squares."""
    for row, column in places:
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            line = [(row + step * down, column + step * right) for step in range(SIDE)]
            if all(place in places for place in line):
                yield sum(RED << _shift(len(places), places.index(place)) for place in line)


def _images(shape):
    """Yield the images of a shape under rotations and reflections: (edge, new bit position of each square)."""
    with_strip = shape >= 16
    height, width = (SIDE, SIDE) if with_strip else (shape // 4 + 1, shape % 4 + 1)
    for i in range(1, 8):
        places = [(height - 1 - row if i & 1 else row, column) for row, column in SHAPES[shape]]
        places = [(row, width - 1 - column if i & 2 else column) for row, column in places]
        places = [(column, row) if i & 4 else (row, column) for row, column in places]
        for edge, new in enumerate(SHAPES[16:] if with_strip else SHAPES[shape : shape + 1]):
            if sorted(new) == sorted(places):
                yield edge, [_shift(len(new), new.index(place)) for place in places]


LINES = [[0] * 24 for _ in SHAPES]
LINES_OF = [0] * len(SHAPES)  # how many lines each shape has
IMAGES = [[[0] * 16 for _ in range(7)] for _ in SHAPES]
IMAGE_EDGE = [[0] * 7 for _ in SHAPES]
IMAGES_OF = [0] * len(SHAPES)
for shape, places in enumerate(SHAPES):
    for i, line in enumerate(_lines(places)):
        LINES[shape][i] = line
        LINES_OF[shape] = i + 1
    for i, (edge, image) in enumerate(_images(shape)):
        IMAGES[shape][i][: len(image)] = image
        IMAGE_EDGE[shape][i] = edge
        IMAGES_OF[shape] = i + 1


def how_to_play(rules):
    wins = "loses" if rules.misere else "wins"
    more = ""
    if rules.version == 3:
        more = " Instead of a counter you may move the strip: lay it against another edge, or turn it round."
    return f"""
    Put red on an empty square, orange in place of a red, or green in place of an orange: pressing a square again turns
    red to orange to green. The player who completes three of one colour in a line {wins}.

    Counters have no owner: both players use all of them. A line is three squares in a row, across, down or
    diagonally. Green counters stay to the end.{more}

    Example: two reds stand in a row, and the third square of the row is empty. A red there makes the line. But an
    opponent may already have turned one of the two to orange.
    """
