"""Reports of the solutions of two-player games with chance."""

from collections.abc import Sequence
from typing import Any

from komi.methods.answer import Answer
from komi.text import Text, percent


def rows(answer: Answer[Any]) -> Sequence[tuple[str, str]]:
    """List the first player's probability of winning, the error bound, and the number of states."""
    return [
        ("first player wins", percent(answer.value())),
        ("proved: no probability is off by more than", f"{answer.error_bound:.1e}"),
        ("states that play can reach", f"{answer.states:,}"),
    ]


def text(answer: Answer[Any], remark: str) -> Text:
    """Format the players' probabilities of winning under optimal play, the error bound, and a remark on how to play."""
    first = answer.value()
    start = answer.game.write(answer.rules, answer.game.part("start")(answer.rules))
    lines = [
        answer.settings(),
        "",
        f"With best play on both sides the first player wins {percent(first)} of the games,",
        f"the second {percent(1 - first)}: a difference of {percent(abs(2 * first - 1))}.",
        f"Proved: no probability is off by more than {answer.error_bound:.1e}.{remark}",
        *answer.reliance_lines(),
        f"{answer.states:,} state{'s' * (answer.states != 1)}, {answer.took()}.",
        "",
    ]
    return Text(answer.game.summary, lines, next_state=start)
