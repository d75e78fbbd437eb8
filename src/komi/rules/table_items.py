"""What lies on the table: the items that `table` and `laid` of a rule file yield, and their text.

An item is a tuple (kind, place, owner, text, numbers of its kind): items of one place and one owner lie together. A
token with a row and a column stands on the squares of its place, whoever owns it.
"""

from collections.abc import Iterator, Mapping, Sequence
from numbers import Integral
from typing import Any, NamedTuple

from komi.errors import GameError
from komi.game import CHANCE
from komi.rules.game import Game
from komi.typing import Rules, State

NUMBERS = {
    "card": (),
    "die": (),
    "token": (),
    "stack": ("how many",),
    "counter": ("number",),
    "track": ("position", "length"),
    "square": ("row", "column"),
}
"""The kinds of items, and the numbers that each has behind its text."""
NOBODY = -1  # the owner of what belongs to no player
MAX_ITEMS = 400  # on a table
MAX_TEXT = 80  # characters
MAX_TRACK = 1000  # positions of a track
MAX_INDEX = 39  # of the row and the column of a square
POINTS = ("score", "rival", "rival2", "rival3")  # fields with the points of all players, from the mover on
SIDES = "◌⚀⚁⚂⚃⚄⚅"  # of a die, by its number


class Item(NamedTuple):
    """A thing on the table.

    Attributes:
        kind: one of `NUMBERS`.
        place: the name of the place where it lies.
        owner: its seat, counted from the player to move, or `NOBODY`.
        text: what it shows; empty for the back of a card, a die that is not rolled, and an empty square.
        numbers: those of its kind.
        action: the action that taking it means, or `CHANCE` if it means none.
    """

    kind: str
    place: str
    owner: int
    text: str
    numbers: tuple[int, ...] = ()
    action: int = CHANCE

    @property
    def is_button(self) -> bool:
        """True if taking it means an action."""
        return self.action != CHANCE


def wrong_item(entry: Any, players: int) -> str:
    """Return what is wrong with an item that a rule file yields, or an empty text."""
    if not (isinstance(entry, tuple) and len(entry) >= 4 and entry[0] in NUMBERS):
        return f"must yield (kind, place, owner, text, ...), and a kind is {', '.join(NUMBERS)}"
    kind, place, owner, text, *numbers = entry
    if not all(isinstance(each, str) and len(each) <= MAX_TEXT for each in (place, text)):
        return f"the place and the text of a {kind} are texts of up to {MAX_TEXT} characters"
    if not (isinstance(owner, Integral) and NOBODY <= int(owner) < players):
        return f"the owner of a {kind} is a seat from 0 to {players - 1}, or {NOBODY} for nobody"
    stated = ("row", "column") if kind == "token" and len(numbers) > 1 else NUMBERS[kind]
    if not all(isinstance(each, Integral) for each in numbers) or len(numbers) - len(stated) not in (0, 1):
        return f"a {kind} has {' and '.join(stated) or 'no number'} behind its text, and can have an action"
    if kind == "track" and not 0 <= numbers[0] <= numbers[1] <= MAX_TRACK:
        return f"the position on a track is from 0 to its length, which is at most {MAX_TRACK}"
    if "row" in stated and not all(0 <= each <= MAX_INDEX for each in numbers[:2]):
        return f"the row and the column of a {kind} are from 0 to {MAX_INDEX}"
    return "a stack has no fewer than 0" if kind == "stack" and numbers[0] < 0 else ""


def items(game: Game, rules: Rules, part: str, *given: Any) -> list[Item]:
    """Return the items that `table` yields for a state, or `laid` for the name of a chance event.

    Raises:
        GameError: if one does not have its form.
    """
    if not game.has(part):
        return []
    entries, players = list(game.part(part)(rules, *given)), game.players(rules)
    for entry in entries:
        if problem := wrong_item(entry, players):
            raise GameError(f"{game.file.name}: {part!r} yields {entry!r}: {problem}.")
    return [item_of(entry) for entry in entries]


def items_or_fields(game: Game, rules: Rules, state: State) -> list[Item]:
    """Return the items on the table in a state, below the points of all players, or its fields without `table`."""
    fields = {name.replace("_", " "): value for name, value in game.shown(rules, state).items()}
    if game.has("table"):
        points = [name for name in POINTS if "rival" in fields and name in fields]
        scores = [Item("counter", "Points", seat, "", (int(fields[name]),)) for seat, name in enumerate(points)]
        return [*scores, *items(game, rules, "table", state)]
    return [
        Item("token", name, NOBODY, value[:MAX_TEXT])
        if isinstance(value, str)
        else Item("counter", name, NOBODY, "", (value,))
        for name, value in fields.items()
    ]


def item_of(entry: Any) -> Item:
    """Return an item that a rule file yields in its form."""
    kind, place, owner, text, *numbers = entry
    more = [int(each) for each in numbers]
    stated = 2 if kind == "token" and len(more) > 1 else len(NUMBERS[kind])
    return Item(kind, place, int(owner), text, tuple(more[:stated]), *more[stated:])


def item_of_action(game: Game, rules: Rules, state: State, action: int) -> int | None:
    """Return the index of the item that means an action, or None. What the player to move does not see is not there."""
    found = items(game, rules, "table", game.observed(rules, state)) if action != CHANCE else []
    return next((index for index, item in enumerate(found) if item.action == action), None)


def table_lines(found: Sequence[Item], names: Sequence[str], labels: Mapping[int, str]) -> list[str]:
    """Describe items in lines of text: a line for each place and owner, and the rows of squares below it.

    Args:
        found: the items.
        names: the names of the players, beginning with the one to move.
        labels: of the actions that can be taken, which are named beside their items.
    """
    lines, on_squares = [], [item for item in found if len(item.numbers) == 2 and item.kind in ("square", "token")]
    grids = {item.place: item.owner for item in reversed(on_squares) if item.kind == "square"}
    for place, owner in dict.fromkeys((item.place, item.owner) for item in found):
        head = " of ".join(filter(None, (place, names[owner] if owner != NOBODY else "")))
        group = [item for item in found if (item.place, item.owner) == (place, owner)]
        others = [_text(item, labels) for item in group if item not in on_squares or place not in grids]
        squares = [item for item in group if item.kind == "square"]
        if others or squares:
            lines += [": ".join(filter(None, (head, "  ".join(others))))] if others or head else []
        if squares:
            tokens = [item for item in on_squares if item.kind == "token" and item.place == place]
            lines += _grid(squares, tokens if grids[place] == owner else [], names, labels)
    return lines


def _text(item: Item, labels: Mapping[int, str]) -> str:
    """Return an item as a text, with the label of its action."""
    number = item.numbers[0] if item.numbers else 0
    text = {
        "card": f"[{item.text or '?'}]",
        "die": f"{SIDES[int(item.text)]} {item.text}" if item.text in tuple("123456") else item.text or SIDES[0],
        "stack": f"{number} {item.text}",
        "counter": f"{number} {item.text}",
        "track": f"{number} of {item.numbers[-1]} {item.text}" if item.numbers else "",
        "square": item.text or "·",
    }.get(item.kind, item.text)
    label = labels.get(item.action, "") if item.is_button else ""
    return f"{text} ({label})" if label and label != text else text


def _grid(
    squares: Sequence[Item], tokens: Sequence[Item], names: Sequence[str], labels: Mapping[int, str]
) -> Iterator[str]:
    """Yield the rows of squares, with the tokens on them, in columns of equal width."""
    texts = {item.numbers: _text(item, labels) for item in squares}
    for token in tokens:
        owner = f" of {names[token.owner]}" if token.owner != NOBODY else ""
        before = texts.get(token.numbers, "·").strip("·")
        texts[token.numbers] = ", ".join(filter(None, (before, f"{_text(token, labels)}{owner}")))
    width = max(map(len, texts.values()), default=0)
    columns = range(max((column for _, column in texts), default=-1) + 1)
    for row in sorted({row for row, _ in texts}):
        yield "  " + "  ".join(texts.get((row, column), "").ljust(width) for column in columns).rstrip()
