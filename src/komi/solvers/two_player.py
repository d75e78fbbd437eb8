"""Reports of the solutions of two-player games with chance."""

from collections.abc import Sequence
from typing import Any

from komi.solvers.solution import Solution
from komi.text import Text, percent


def rows(solution: Solution[Any]) -> Sequence[tuple[str, str]]:
    """List the first player's probability of winning, the error bound, and the number of states."""
    return [
        ("first player wins", percent(solution.value())),
        ("proved: no probability is off by more than", f"{solution.error_bound:.1e}"),
        ("states that play can reach", f"{solution.states:,}"),
    ]


def text(solution: Solution[Any], remark: str) -> Text:
    """Format the players' probabilities of winning under optimal play, the error bound, and a remark on how to play."""
    first = solution.value()
    start = solution.game.write(solution.rules, solution.game.part("start")(solution.rules))
    lines = [
        solution.settings(),
        "",
        f"With best play on both sides the first player wins {percent(first)} of the games,",
        f"the second {percent(1 - first)}: a difference of {percent(abs(2 * first - 1))}.",
        f"Proved: no probability is off by more than {solution.error_bound:.1e}.{remark}",
        *solution.hint_lines(),
        f"{solution.states:,} state{'s' * (solution.states != 1)}, {solution.took()}.",
        "",
    ]
    return Text(solution.game.summary, lines, next_state=start)
