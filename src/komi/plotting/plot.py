"""`komi.plot`: draws a plot of a game, chosen by its arguments."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from komi.errors import InputError, SolveError
from komi.evaluation.scores import score_distribution
from komi.evaluation.turn_decisions import is_press_your_luck
from komi.files import write_atomically
from komi.jit.kernels import Notice
from komi.plotting import formats, positions
from komi.plotting.decisions import MAX_SEARCHED, read_decisions
from komi.plotting.hold_values import parse_cross_section
from komi.plotting.policy_map import PolicyMap, read_map
from komi.plotting.score_plot import draw_scores
from komi.plotting.surfaces import draw_difference, draw_section, draw_surface
from komi.policies import named
from komi.progress import Progress, silent
from komi.rules import catalog
from komi.rules.enumeration import first_choice
from komi.solvers.solution import AnyState, Solution
from komi.solvers.solve import solve_all_states
from komi.solvers.tablebase.tablebase import Tablebase
from komi.tables.usual_axes import usual_map, varying_fields
from komi.typing import GameLike, State

MAX_MAPPED = 2  # fields that a map shows


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
    dark: bool = False,
    size: str = "",
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> Path:
    """Draw a board with the value of each move, hold values, or best actions over any two fields.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        file: the image file: png, svg, pdf or html.
        states: the position to draw; or the cards out of the deck, where several decks are drawn side by side.
        policy: the policy to draw: its name, or a Python function, as in `komi.match`.
        against: draw where this policy decides differently.
        section: draw a slice at "score=N" or "rival=N".
        x, y: draw best actions over these fields of the state.
        reachable: draw only states that the policy reaches in games against itself.
        scores: draw the probability of each final score in a game for one player, and beside it that of `against`.
        dark: draw on a dark background.
        size: the width and the height in inches, such as "7x4.5"; by default what suits the picture.
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
    with formats.look(dark, size):
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
        elif found.has("board") and _is_best_as_board(solution):
            _check_none("a position", policy=drawn, against=against, slice=section, reachable=reachable)
            given = _only_one("a position", states)
            positions.save(solution, solution.read(given) if given else first_choice(found, solution.rules), path)
        elif solution.kind.hidden or not is_press_your_luck(found):
            _check_none("a map", policy=drawn, against=against, slice=section, reachable=reachable)
            given = _only_one("a map", states)
            _draw_default(solution, path, solution.read(given) if given else None, progress)
        elif section:
            _check_none("a slice", against=against)
            draw_section(
                solution, path, parse_cross_section(section), _only_one("a slice", states), policy, reachable, progress
            )
        elif against:
            _check_none("a difference", reachable=reachable)
            draw_difference(solution, path, policy, against, _only_one("a difference", states), progress)
        else:
            try:
                draw_surface(solution, path, states or [""], policy, reachable, progress)
            except (InputError, SolveError):  # a turn has no hold value
                if drawn or states or reachable:
                    raise
                _draw_default(solution, path, None, progress)
    return path


def draw_policy_map(
    solution: Solution[Any],
    file: str | Path,
    x: str,
    y: str = "",
    state: AnyState = "",
    progress: Progress = silent,
) -> Path:
    """Draw the best action and the value of every state that differs from one in these fields only.

    Args:
        solution: the solved game.
        file: the image file: png, svg, pdf or html.
        x, y: fields of the state; without y the map has one row.
        state: the values of the other fields; those left out are as in the initial state.
        progress: called during long work; see `komi.progress`.

    Returns:
        The file.

    Raises:
        InputError: for an unknown field, suffix or state, or if play reaches none of these states.
        StorageError: if the file cannot be written.
    """
    path = Path(file)
    formats.format_of(path)  # fail before the computation
    _save_map(read_map(solution, x, y, state, progress), path)
    return path


def _save_map(policy_map: PolicyMap, path: Path) -> None:
    if formats.format_of(path) in formats.PAGES:
        from komi.plotting import interactive_plots, map_page

        write_atomically(path, lambda draft: interactive_plots.save(map_page.page(policy_map), draft))
    else:
        from komi.plotting import image_plots, map_plot

        image_plots.write(map_plot.figure(policy_map), path)


def _draw_default(solution: Solution[Any], path: Path, state: State | None, progress: Progress) -> None:
    """Draw a board, a map if it shows more than a list of decisions and its axes are ordered, else this list."""
    from komi.plotting import decisions_plot, image_plots

    walk = positions.draw_walk(solution) if solution.game.has("board") and state is None else None
    is_small = solution.all_states.size <= MAX_SEARCHED
    decisions = read_decisions(solution, state) if is_small and walk is None else None
    policy_map = None
    if walk is None and not (decisions and decisions.is_complete) and not solution.game.has("write"):
        policy_map = _usual_map(solution, state, progress)
    if not (walk or is_small or (policy_map and policy_map.is_readable)):
        decisions = read_decisions(solution, state)
    if walk:
        image_plots.write(walk, path)
    elif decisions and not (policy_map and policy_map.is_readable):
        image_plots.write(decisions_plot.figure(decisions), path)
    elif policy_map:
        _save_map(policy_map, path)
    else:
        raise InputError(
            f"{solution.game.name} has neither a choice nor a number that varies: `komi solve` and `komi simulate` "
            "show what there is to see."
        )


def _is_best_as_board(solution: Solution[Any]) -> bool:
    """Return whether a map of two fields would leave out a part of the state, or show numbers that mean nothing."""
    return isinstance(solution, Tablebase) or len(varying_fields(solution, is_observed=True)) > MAX_MAPPED


def _usual_map(solution: Solution[Any], base: State | None, progress: Progress) -> PolicyMap | None:
    """Return a map over the turn total, if there is one, and the first other fields that vary; None if none does."""
    turn = "turn" if "turn" in solution.game.fields(solution.rules) else ""
    try:
        shown, fields = usual_map(solution, base, turn)
    except InputError:  # no field is a number that varies
        return None
    x, y = [*filter(None, [turn]), *fields, "", ""][:2]
    return read_map(solution, x, y, shown, progress) if x else None


def _check_none(picture: str, **others: object) -> None:
    for name, given in others.items():
        if given:
            raise InputError(f"{picture} cannot be combined with '{name}'.")


def _only_one(picture: str, states: Sequence[AnyState]) -> AnyState:
    if len(states) > 1:
        raise InputError(f"{picture} shows one state: choose one 'state'.")
    return states[0] if states else ""
