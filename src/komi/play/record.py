"""The text format of a game record, which can be saved, shared and read again.

    komi record 1
    game: red-light
    rules: goal=20, komi=0
    players: Ann / Bob
    seat: 1

    draw
      green
    hold
    draw
      red

The first line identifies the format. Lines `name: text` follow, up to the first empty line: the game (a name, or the
path of a rule file), and where they are needed the rules that differ from the default, the initial position if it is
not the usual one (`start`), the name of the player at each seat (`players`), the seat whose game it is, from 1
(`seat`), and the seat that resigned (`resigned`). After them each line is the label of one action or one chance event;
events are indented by two spaces, which readers ignore. Lines that begin with `#` are comments.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from komi.errors import InputError
from komi.play.table import Table
from komi.rules.game import Game

FIRST_LINE = "komi record 1"
NAMES = ("game", "rules", "start", "players", "seat", "resigned")
MAX_CHARACTERS = 1_000_000  # maximum number of characters of a record
NAME_SEPARATOR = " / "  # separator of the players' names


@dataclass(frozen=True)
class GameRecord:
    """A game record.

    Attributes:
        game: its name, or the path of its rule file.
        labels: the labels of all actions and events, in order.
        rules: the rules that differ from the default, as text.
        start: the initial position, as `Game.read` accepts it; empty for the usual one.
        players: the players' names, by seat; empty if unknown.
        seat: the seat whose game it is, from 0.
        resigned: the seat that resigned, from 0.
    """

    game: str
    labels: tuple[str, ...] = ()
    rules: Mapping[str, str] = field(default_factory=dict)
    start: str = ""
    players: tuple[str, ...] = ()
    seat: int = 0
    resigned: int | None = None

    def table(self, game: Game) -> Table:
        """Return the game after all entries of the record.

        Raises:
            InputError: if the rules are not the game's, or an entry is not possible; the message has its number.
        """
        rules = game.rules(dict(self.rules))
        game = game.under(rules)
        table = Table(game, rules, initial_state=game.read(rules, self.start) if self.start else None)
        if not 0 <= self.seat < table.players:
            raise InputError(f"the record is for seat {self.seat + 1}, but the game has {table.players} seats.")
        for number, label in enumerate(self.labels):
            try:
                table.enter(label)
            except InputError as error:
                raise InputError(f"step {number} of the record: {error}") from None
        if self.resigned is not None and 0 <= self.resigned < table.players and not table.is_over:
            table.resign(self.resigned)
        return table


def record_of(table: Table, game: str, players: tuple[str, ...] = (), seat: int = 0) -> GameRecord:
    """Create the record of a game; `game` is its name, or the path of its rule file."""
    usual = table.game.default_rules._asdict()
    rules = {name: str(rule) for name, rule in table.rules._asdict().items() if rule != usual[name]}
    is_usual = table.initial_state == table.game.part("start")(table.rules)
    start = "" if is_usual else table.game.write(table.rules, table.initial_state)
    labels = tuple(entry.label for entry in table.log)
    return GameRecord(game, labels, rules, start, players, seat, table.resigned)


def format_record(record: GameRecord, events: frozenset[int] = frozenset()) -> str:
    """Format the record as text; `events` are the numbers of the entries that are chance events."""
    header = {
        "game": record.game,
        "rules": ", ".join(f"{name}={rule}" for name, rule in record.rules.items()),
        "start": record.start,
        "players": NAME_SEPARATOR.join(record.players),
        "seat": str(record.seat + 1),
        "resigned": "" if record.resigned is None else str(record.resigned + 1),
    }
    head = [f"{name}: {text}" for name, text in header.items() if text]
    steps = [f"{'  ' if number in events else ''}{label}" for number, label in enumerate(record.labels)]
    return "\n".join([FIRST_LINE, *head, "", *steps]) + "\n"


def format_game(table: Table, game: str, players: tuple[str, ...] = (), seat: int = 0) -> str:
    """Return the text of a game's record."""
    events = frozenset(entry.number for entry in table.log if entry.kind == "event")
    return format_record(record_of(table, game, players, seat), events)


def parse(text: str) -> GameRecord:
    """Parse the text of a record.

    Raises:
        InputError: if it is not a record, with the number of the line.
    """
    if len(text) > MAX_CHARACTERS:
        raise InputError(f"the record is too long: the maximum is {MAX_CHARACTERS:,} characters.")
    lines = [(number, line.strip()) for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1)]
    lines = [(number, line) for number, line in lines if not line.startswith("#")]
    if not lines or lines[0][1] != FIRST_LINE:
        raise InputError(f"this is not a game record: its first line must be {FIRST_LINE!r}.")
    end = next((index for index, (_, line) in enumerate(lines) if not line), len(lines))
    header = _parse_header(lines[1:end])
    if "game" not in header:
        raise InputError("the record does not name its game: a line such as 'game: pig' is missing.")
    return GameRecord(
        header["game"],
        tuple(line for _, line in lines[end:] if line),
        _parse_rules(header.get("rules", "")),
        header.get("start", ""),
        tuple(name.strip() for name in header["players"].split("/")) if "players" in header else (),
        _parse_seat(header.get("seat", "1"), "seat"),
        _parse_seat(header["resigned"], "resigned") if "resigned" in header else None,
    )


def _parse_header(lines: list[tuple[int, str]]) -> dict[str, str]:
    header: dict[str, str] = {}
    for number, line in lines:
        name, colon, text = line.partition(":")
        if not colon or name not in NAMES:
            raise InputError(
                f"line {number} of the record, {line[:60]!r}, must begin with one of {', '.join(NAMES)} and a ':'."
            )
        if name in header:
            raise InputError(f"line {number} of the record repeats {name!r}.")
        header[name] = text.strip()
    return header


def _parse_rules(text: str) -> dict[str, str]:
    pairs = [part.strip().partition("=") for part in text.split(",") if part.strip()]
    for name, equals, _ in pairs:
        if not equals:
            raise InputError(f"rule {name!r} of the record has no value: write {name}=...")
    return {name.strip(): rule.strip() for name, _, rule in pairs}


def _parse_seat(text: str, name: str) -> int:
    if not (text.isascii() and text.isdecimal() and 0 < int(text) < 100):
        raise InputError(f"{name!r} of the record must be the number of a seat, from 1, not {text!r}.")
    return int(text) - 1
