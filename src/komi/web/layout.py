"""The layout of the table in a position, for the page to draw: squares, pieces, dice, and the score card."""

from typing import Any

from komi.game import CHANCE
from komi.rules.game import Game
from komi.typing import Action, Rules, State
from komi.web import models

HIDDEN_LAYOUT: dict[str, Any] = dict.fromkeys(("squares", "beside", "throw", "faces", "filled"))
"""The layout of a hidden position."""
NO_EFFECT: dict[str, Any] = {"keeps": None, "scores": []}


def layout_of(game: Game, rules: Rules, state: State, seats: int) -> dict[str, Any]:
    """Return the layout fields of a position. A field is None if the game does not have it.

    Args:
        game: the game.
        rules: its rules.
        state: the position.
        seats: the offset of the viewer's seat from the seat whose view the state is.
    """
    turned = game.turned(rules, state, seats)
    return {
        "squares": _squares(game, rules, turned) if game.has("board") else None,
        "beside": _beside(game, rules, turned) if game.has("beside") else None,
        "throw": _pair(game.part("throw")(rules, state)) if game.has("throw") else None,
        "faces": faces(game, rules, state),
        "filled": [int(row) for row in game.part("filled")(rules, state)] if game.has("filled") else None,
    }


def faces(game: Game, rules: Rules, state: State) -> list[int] | None:
    """Return the face of each die, 0 where it is irrelevant. Return None without dice."""
    return [int(face) for face in game.part("faces")(rules, state)] if game.has("faces") else None


def card(game: Game, rules: Rules) -> list[models.ScoreRowView] | None:
    """Return the rows of the score card, or None without one."""
    if not game.has("card"):
        return None
    return [models.ScoreRowView(name=str(name), part=str(part)) for name, part in game.part("card")(rules)]


def effect_of(game: Game, rules: Rules, state: State, action: Action) -> dict[str, Any]:
    """Return the dice that an action keeps and the scores that it writes, as far as the game defines them."""
    if action == CHANCE:
        return NO_EFFECT
    kept = game.part("keeps")(rules, state, action) if game.has("keeps") else None
    scored = game.part("scores")(rules, state, action) if game.has("scores") else ()
    return {
        "keeps": None if kept is None else [int(face) for face in kept],
        "scores": [(int(row), int(points)) for row, points in scored],
    }


def action_view(game: Game, rules: Rules, state: State, label: str, action: Action) -> models.ActionView:
    """Return an action as the API lists it."""
    effect = effect_of(game, rules, state, action)
    return models.ActionView(
        label=label,
        square=_coordinates(game, "square", rules, state, action),
        target=_coordinates(game, "target", rules, state, action),
        then=[] if effect["keeps"] is None else _next_actions(game, rules, state, action),
        **effect,
    )


def _next_actions(game: Game, rules: Rules, state: State, action: Action) -> list[str]:
    """Return the labels of the same player's next actions if the action has one outcome and keeps the turn."""
    events = game.events(rules, state, action)
    if len(events) > 1 or events[0].passes or game.part("over")(rules, events[0].after):
        return []
    return [label for label, following in game.labels(rules, events[0].after).items() if following != CHANCE]


def _coordinates(game: Game, part: str, rules: Rules, state: State, action: Action) -> tuple[int, int] | None:
    if action == CHANCE or not game.has(part):
        return None
    return _pair(game.part(part)(rules, state, action))


def _pair(numbers: Any) -> tuple[int, int] | None:
    return None if numbers is None else (int(numbers[0]), int(numbers[1]))


def _squares(game: Game, rules: Rules, state: State) -> list[models.SquareView]:
    decisive = _decisive(game, rules, state)
    return [
        models.SquareView(row=row, column=column, shows=str(shows), tint=tint, decisive=(row, column) in decisive)
        for row, column, shows, tint in game.part("board")(rules, state)
    ]


def _decisive(game: Game, rules: Rules, state: State) -> set[tuple[int, int]]:
    """Return the squares that ended the game."""
    if not (game.has("decisive") and game.part("over")(rules, state)):
        return set()
    return {(int(row), int(column)) for row, column in game.part("decisive")(rules, state)}


def _beside(game: Game, rules: Rules, state: State) -> list[models.BesideView]:
    return [
        models.BesideView(doing=str(what), whose=str(whose), number=int(number))
        for what, whose, number in game.part("beside")(rules, state)
    ]
