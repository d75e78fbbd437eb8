"""Pictures for messengers: of a shared game, with its title and a chart of the winning chances, and of a puzzle."""

import io
from collections.abc import Sequence
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING

from komi.rules import table_items
from komi.rules.game import Game
from komi.rules.vocabulary import field_label, title
from komi.typing import Rules, State
from komi.web import models
from komi.web.language import say, translate
from komi.web.live_game import LiveGame

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, HEIGHT, DOTS = 12.0, 6.3, 100  # inches, and dots an inch: 1200 by 630
PAPER, INK, SOFT, ACCENT = "#11141a", "#eef1f6", "#a9b3c4", "#64d8b4"
_drawing = Lock()


def sentence(code: str) -> str:
    """Return the description for the preview."""
    return say(
        code,
        "View it step by step: the chance of winning, the value of each decision, and whether chance was fair.",
    )


def headline(live: LiveGame, view: models.GameView, code: str) -> str:
    """Return the game, its result and the opponent as a title in a language."""
    game = translate(code, title(live.settings.game))
    if view.names:
        return f"{game}: {say(code, ' against ').join(view.names)}"
    if view.result is None or view.players == 1:
        return say(code, "A game of {0}", game)
    rival = translate(code, view.opponent.title)
    match view.result.you:
        case "won":
            return say(code, "{0}: won against {1}", game, rival)
        case "lost":
            return say(code, "{0}: lost against {1}", game, rival)
        case "drew":
            return say(code, "{0}: a draw against {1}", game, rival)
        case "shared":
            return say(code, "{0}: a shared win against {1}", game, rival)
    return say(code, "{0}: a game against {1}", game, rival)


def can_draw() -> bool:
    """Return whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def draw(game: str, words: str, chances: Sequence[float]) -> bytes:
    """Draw the preview image as PNG.

    Args:
        game: the game's title.
        words: the result of the game.
        chances: winning probabilities at the start and after each entry; empty if they are not known.
    """
    with _drawing:  # matplotlib is not thread-safe
        figure = _headed(game, words)
        if chances:
            axes = figure.add_axes((0.12, 0.10, 0.82, 0.50), facecolor=PAPER)
            axes.plot(chances, color=ACCENT, linewidth=4)
            axes.fill_between(range(len(chances)), chances, color=ACCENT, alpha=0.16)
            axes.axhline(0.5, color=SOFT, linewidth=1.5, linestyle=(0, (4, 4)))
            axes.set_ylim(0.0, 1.02)
            axes.set_xlim(0, max(len(chances) - 1, 1))
            axes.set_xticks([])
            axes.set_yticks([0.0, 0.5, 1.0], ["0 %", "50 %", "100 %"], color=SOFT, fontsize=17)
            axes.tick_params(length=0)
            axes.spines[:].set_visible(False)
        return _png(figure)


def has_picture(game: Game) -> bool:
    """Return whether there are pictures of positions: dice to keep and score cards are drawn by the page alone."""
    return can_draw() and (game.has("table") or game.has("board") or not (game.has("faces") or game.has("card")))


def draw_puzzle(game: Game, rules: Rules, state: State, words: str, code: str) -> bytes:
    """Draw the position of a puzzle as PNG, as the player to move sees it, and nothing of its solution.

    Args:
        game: the game.
        rules: its rules.
        state: the position.
        words: the text below the title.
        code: the language.
    """
    from komi.plotting.positions import draw_squares
    from komi.plotting.table_plot import draw_items

    with _drawing:
        figure = _headed(translate(code, title(game)), words)
        if game.has("board"):
            draw_squares(figure.add_axes((0.06, 0.05, 0.88, 0.58)), list(game.part("board")(rules, state)))
        else:
            names = [say(code, "You"), *[say(code, "Your opponent")] * (game.players(rules) - 1)]
            found = [
                item._replace(place=_caption(game, item.place, code), text=translate(code, item.text))
                for item in table_items.items_or_fields(game, rules, state)
            ]
            draw_items(figure, (0.06, 0.05, 0.88, 0.58), found, names, INK)
        return _png(figure)


def _caption(game: Game, place: str, code: str) -> str:
    fields = {field.replace("_", " "): field for field in game.names(game.default_rules)}
    words = translate(code, field_label(game, fields[place]) if place in fields else place)
    return words[:1].upper() + words[1:]


def _headed(heading: str, words: str) -> "Figure":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, HEIGHT), dpi=DOTS, facecolor=PAPER)
    figure.text(0.06, 0.83, heading, color=INK, fontsize=46, fontweight="bold", va="center")
    figure.text(0.06, 0.70, words, color=SOFT, fontsize=27, va="center", parse_math=False)  # names can have a $
    figure.text(0.94, 0.83, "komi", color=ACCENT, fontsize=34, fontweight="bold", ha="right", va="center")
    return figure


def _png(figure: "Figure") -> bytes:
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png")
    return drawn.getvalue()
