"""`komi.plot`: draws a plot of a game, chosen by its arguments."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from komi.errors import InputError
from komi.evaluation.scores import score_distribution
from komi.evaluation.turn_decisions import is_press_your_luck
from komi.jit.kernels import Notice
from komi.plotting import formats, positions
from komi.plotting.hold_values import parse_cross_section
from komi.plotting.policy_map import draw_policy_map
from komi.plotting.score_plot import draw_scores
from komi.plotting.surfaces import draw_difference, draw_section, draw_surface
from komi.policies import named
from komi.progress import Progress, silent
from komi.rules import catalog
from komi.solvers.solution import AnyState, Solution
from komi.solvers.solve import solve_all_states
from komi.solvers.tablebase.tablebase import Tablebase
from komi.tables.usual_axes import usual_map
from komi.typing import GameLike, State


def plot(
    game: GameLike,
    file: str | Path,
    *,
    states: Sequence[AnyState] = (),
    policy: named.PolicyLike = "optimal",
    against: named.PolicyLike = "",
    section: str = "",
    x: str = "",
    y: str = "",
    reachable: bool = False,
    scores: bool = False,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> Path:
    """Draw a board with the value of each move, hold values, or best actions over any two fields.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        file: the image file: png, svg or html.
        states: the position to draw; or the cards out of the deck, where several decks are drawn side by side.
        policy: the policy to draw: its name, or a Python function, as in `komi.match`.
        against: draw where this policy decides differently.
        section: draw a slice at "score=N" or "rival=N".
        x, y: draw best actions over these fields of the state.
        reachable: draw only states that the policy reaches in games against itself.
        scores: draw the probability of each final score in a game for one player, and beside it that of `against`.
        progress: called during long work; see `komi.progress`.
        notice: called with a sentence before something that takes seconds and happens only once.
        rules: the rules to change, by name.

    Returns:
        The file.

    Raises:
        InputError: for an unknown game, rule, policy, state or suffix, or if the game has no such plot.
        GameError: if the rules are broken.
        SolveError: if the game cannot be solved.
        StorageError: if the file cannot be written.
    """
    path = Path(file)
    formats.format_of(path)  # fail before the computation
    found = catalog.find(game)
    solution = solve_all_states(found, progress=progress, notice=notice, **rules)  # type: ignore[arg-type]  # the game's rules
    found = solution.game
    drawn = policy if policy != "optimal" else ""  # maps and positions show optimal play
    if scores:
        _check_none("a distribution of scores", slice=section, reachable=reachable, state=states, x=x, y=y)
        policies = dict.fromkeys(named.as_policies([each for each in (policy, against) if each], solution))
        draw_scores(solution, [score_distribution(solution, each, progress) for each in policies], path)
    elif x or y:
        _check_none("a map", policy=drawn, against=against, slice=section, reachable=reachable)
        draw_policy_map(solution, path, x or y, y if x else "", _only_one("a map", states), progress)
    elif isinstance(solution, Tablebase) and found.has("board"):
        _check_none("a position", policy=drawn, against=against, slice=section, reachable=reachable)
        positions.save(solution, solution.read(_only_one("a position", states) or None), path)
    elif solution.kind.hidden or not is_press_your_luck(found):
        _check_none("a map", policy=drawn, against=against, slice=section, reachable=reachable)
        given = _only_one("a map", states)
        base, x, y = _usual_axes(solution, solution.read(given) if given else None)
        draw_policy_map(solution, path, x, y, base, progress)
    elif section:
        _check_none("a slice", against=against)
        draw_section(
            solution, path, parse_cross_section(section), _only_one("a slice", states), policy, reachable, progress
        )
    elif against:
        _check_none("a difference", reachable=reachable)
        draw_difference(solution, path, policy, against, _only_one("a difference", states), progress)
    else:
        draw_surface(solution, path, states or [""], policy, reachable, progress)
    return path


def _usual_axes(solution: Solution[Any], base: State | None) -> tuple[State, str, str]:
    """Return the state and the fields of a map: the turn total, if there is one, and the first other that varies."""
    turn = "turn" if "turn" in solution.game.fields(solution.rules) else ""
    shown, fields = usual_map(solution, base, turn)
    y, x = [*fields, "", ""][:2]
    return shown, turn or x or y, y if turn or x else ""


def _check_none(picture: str, **others: object) -> None:
    for name, given in others.items():
        if given:
            raise InputError(f"{picture} cannot be combined with '{name}'.")


def _only_one(picture: str, states: Sequence[AnyState]) -> AnyState:
    if len(states) > 1:
        raise InputError(f"{picture} shows one state: choose one 'state'.")
    return states[0] if states else ""
