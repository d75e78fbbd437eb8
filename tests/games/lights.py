"""Traffic Lights on paper: positions as texts, lines looked for with one's eyes. Slow, and obviously right."""

from collections.abc import Iterator
from functools import cache

Result = tuple[str, int]
Places = list[tuple[int, int]]
NEXT = {".": "r", "r": "o", "o": "g"}
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))


def rectangle(rows: int, columns: int) -> Places:
    return [(row, column) for row in range(rows) for column in range(columns)]


def strip(edge: str) -> Places:
    """Return where the strip lies beside the 3x3 square, in the order in which it is read."""
    return [{"N": (-1, i), "S": (3, i), "W": (i, -1), "E": (i, 3)}[edge] for i in range(3)]


def has_line(letters: str, places: Places) -> bool:
    lying = {place: letter for place, letter in zip(places, letters, strict=True) if letter != "."}
    for row, column in lying:
        for down, right in STEPS:
            line = [lying.get((row + i * down, column + i * right)) for i in range(3)]
            if line[0] == line[1] == line[2]:
                return True
    return False


class Fixed:
    """The fixed board of some size: every position by memoised negamax."""

    def __init__(self, rows: int, columns: int, misere: bool = False) -> None:
        self.start = "." * (rows * columns)
        self.ending = "win" if misere else "loss"
        self.places = rectangle(rows, columns)
        self.lines = [
            tuple(self.places.index(place) for place in line)
            for row, column in self.places
            for down, right in STEPS
            if all(
                (line := [(row + i * down, column + i * right) for i in range(3)])[i] in self.places for i in range(3)
            )
        ]
        self.results: dict[str, Result] = {}
        self.over: set[str] = set()
        self.negamax(self.start)

    def negamax(self, board: str) -> Result:
        """Compute the result that the mover can force, and the number of plies."""
        if board in self.results:
            return self.results[board]
        if any(board[a] != "." and board[a] == board[b] == board[c] for a, b, c in self.lines):
            self.over.add(board)
            found = (self.ending, 0)
        else:
            after = [self.negamax(following) for following in self.moves(board)]
            lost = [plies for value, plies in after if value == "loss"]
            found = ("win", 1 + min(lost)) if lost else ("loss", 1 + max(plies for _, plies in after))
        self.results[board] = found
        return found

    @staticmethod
    def moves(board: str) -> Iterator[str]:
        for i, letter in enumerate(board):
            if letter != "g":
                yield board[:i] + NEXT[letter] + board[i + 1 :]


@cache
def moves_with_strip(position: str) -> frozenset[str]:
    """Return the moves of version 3: a counter placed, or the strip moved, with the position after it."""
    placed = {after + position[12] for after in Fixed.moves(position[:12])}
    laid = {position[:9] + way + edge for way in (position[9:12], position[11:8:-1]) for edge in "NESW"}
    return frozenset(placed | laid - {position})


def over_with_strip(position: str) -> bool:
    return has_line(position[:12], rectangle(3, 3) + strip(position[12]))
