"""The preview of a link to a shared game in messengers: a title, a sentence, and a chart of the winning chances."""

import io
from collections.abc import Sequence
from importlib.util import find_spec
from threading import Lock

from komi.rules.vocabulary import title
from komi.web import models
from komi.web.language import say, translate
from komi.web.live_game import LiveGame

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
    from matplotlib.figure import Figure

    with _drawing:  # matplotlib is not thread-safe
        figure = Figure(figsize=(WIDTH, HEIGHT), dpi=DOTS, facecolor=PAPER)
        figure.text(0.06, 0.83, game, color=INK, fontsize=46, fontweight="bold", va="center")
        figure.text(0.06, 0.70, words, color=SOFT, fontsize=27, va="center")
        figure.text(0.94, 0.83, "komi", color=ACCENT, fontsize=34, fontweight="bold", ha="right", va="center")
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
        drawn = io.BytesIO()
        figure.savefig(drawn, format="png")
    return drawn.getvalue()
