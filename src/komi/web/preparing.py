"""Solving a game on offer under its default rules in advance, so that no player waits for it.

A game is prepared once its solution and the code of its opponents are in the cache, whose files have checksums; where
komi only searches, once the search is compiled. A game that is prepared already takes a moment: a preparation that was
interrupted continues with the next game.
"""

import time

from komi.errors import KomiError
from komi.play import searching
from komi.progress import Progress
from komi.rules.game import Game
from komi.rules.vocabulary import title
from komi.solvers.solve import is_solvable
from komi.web import jobs


def prepare_game(game: Game, source: str, progress: Progress) -> str:
    """Solve a game under its default rules, or compile its search, and return a line that tells how that has ended.

    Args:
        game: the game.
        source: its name, or the path of its file.
        progress: receives the progress.
    """
    rules, begin = game.alone(game.default_rules), time.perf_counter()
    searched = None if is_solvable(game, rules) else searching.policy_name(game, rules, searching.HARD)
    try:
        if searched is not None:
            jobs.compile_search(source, rules._asdict(), searched, progress)
        else:
            jobs.solve(source, rules._asdict(), progress)
    except KomiError as error:
        return f"{title(game)}: {error}"
    return f"{title(game)}: ready after {time.perf_counter() - begin:.1f} s."
