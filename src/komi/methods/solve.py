"""`komi.solve`: the solver that fits the game, as its rules tell."""

from komi import catalog
from komi.compile.kernels import Notice
from komi.game import Game
from komi.methods.race import solution
from komi.methods.race.solution import TOLERANCE, Solution, check_kind
from komi.methods.win_draw_loss.reachable import MeetsChanceError, meets_chance
from komi.methods.win_draw_loss.tablebase import Tablebase, solve_tablebase
from komi.progress import Progress, silent


def solve(
    game: str | Game,
    *,
    tolerance: float = TOLERANCE,
    fresh: bool = False,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> Solution | Tablebase:
    """Optimal play of a game of two players, proved.

    Args:
        game: a built-in game's name, the path of a rule file, or a Game.
        tolerance: the largest error bound to accept, in games of chance; others are solved without error.
        fresh: solve again, even if a solution was kept.
        progress: is told how far the work is.
        notice: is told what takes seconds and happens only once.
        rules: the rules to change, by name.

    Returns:
        a `Tablebase` (win, draw or loss, and plies) if the game is without chance, a `Solution` (chances of
        winning) if not.

    Raises:
        InputError: for an unknown game or rule, or a value out of its limits.
        GameError: if the rules are broken.
        SolveError: if the game cannot be solved, or not be proved to the tolerance.
        StorageError: if the cache folder cannot be written to.

    Example:
        >>> import komi
        >>> lights = komi.solve("traffic-lights")
        >>> lights.value(), lights.plies(), lights.best()
        ('win', 17, 'b2')
        >>> lights.worth("r.......o")
        Worth(value='loss', plies=18)
    """
    if isinstance(game, str):
        game = catalog.find(game)
    chosen = game.rules(rules)
    check_kind(game, chosen)
    if not meets_chance(game, chosen):
        try:
            return solve_tablebase(game, chosen, fresh=fresh, progress=progress, notice=notice)
        except MeetsChanceError:
            pass  # later than in the first states
    return solution.solve(game, tolerance=tolerance, fresh=fresh, progress=progress, notice=notice, **rules)
