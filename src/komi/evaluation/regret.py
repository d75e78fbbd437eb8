"""`komi.regret` and `komi.best_response`: the exact strength of a policy from anywhere."""

from typing import Any

from komi.evaluation.hidden import HiddenEvaluator
from komi.evaluation.strength_evaluator import BestResponse, Regret, StrengthEvaluator
from komi.jit.kernels import Notice
from komi.policies.named import PolicyLike, as_policy
from komi.progress import Progress, silent
from komi.solvers.solution import TOLERANCE, Solution
from komi.solvers.solve import solve_all_states
from komi.typing import GameLike


def regret(
    game: GameLike,
    policy: PolicyLike,
    *,
    opponent: PolicyLike | None = None,
    vectorized: bool = False,
    observation: str = "fields",
    tolerance: float = TOLERANCE,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> Regret:
    """Compute the exact regret of a policy against optimal play, or against another opponent.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        policy: the name of a policy, or a Python function of either form; as in `komi.match`.
        opponent: the policy to play against: the regret is then what the best response to it wins more than `policy`
            does. By default the opponent plays optimally, and that is the value of the game.
        vectorized: whether functions of arrays take int64[states, fields] and int8[states, actions], and return
            int[states], or, with hidden information, probabilities, float[states, actions].
        observation: the form of the observations of such functions, "fields" or, as float32[planes], "planes".
        tolerance: the largest error bound of optimal play to accept, as in `komi.solve`.
        progress: progress callback, called during long work; see `komi.progress`.
        notice: called with a sentence before a slow step that happens only once.
        rules: the rules to change, by name.

    Raises:
        InputError: for an unknown game, rule or policy, or if the function returns anything but numbers of actions.
        GameError: if the rules are broken, or the policy takes an action that is not legal.
        SolveError: if the game is of another kind than one player, or two with a constant sum who do not choose at the
            same time; if play with the policy may never end, or the result cannot be proved.

    Examples:
        >>> import komi
        >>> hold_at_2 = komi.regret("piglet", lambda observation, mask: 0 if mask[0] and observation[2] < 2 else 1)
        >>> round(hold_at_2.average, 4)
        0.026
        >>> komi.regret("piglet", "optimal").average < 1e-9
        True
        >>> round(komi.regret("piglet", "optimal", opponent="hold-at:5").average, 4)
        0.0025
    """
    solution = solve_all_states(game, tolerance=tolerance, progress=progress, notice=notice, **rules)  # type: ignore[arg-type]
    evaluator = evaluator_of(solution, progress)
    against = None if opponent is None else as_policy(opponent, solution, vectorized, observation)
    return evaluator.regret(as_policy(policy, solution, vectorized, observation), against)


def best_response(
    game: GameLike,
    policy: PolicyLike,
    *,
    vectorized: bool = False,
    observation: str = "fields",
    tolerance: float = TOLERANCE,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> BestResponse:
    """Compute the best response to a policy, exactly: what an opponent who knows it can win.

    Args:
        game, policy, vectorized, observation, tolerance, progress, notice, rules: as in `komi.regret`.

    Raises:
        InputError, GameError, SolveError: as in `komi.regret`; SolveError also in a game for one player.

    Examples:
        >>> import komi
        >>> response = komi.best_response("piglet", "hold-at:2")
        >>> round(response.average, 3), round(response.exploitability, 3)
        (0.526, 0.026)
    """
    solution = solve_all_states(game, tolerance=tolerance, progress=progress, notice=notice, **rules)  # type: ignore[arg-type]
    evaluator = evaluator_of(solution, progress)
    return evaluator.best_response(as_policy(policy, solution, vectorized, observation))


def evaluator_of(solution: Solution[Any], progress: Progress = silent) -> StrengthEvaluator | HiddenEvaluator:
    """Return the evaluator that measures the strength of policies in a solved game.

    Raises:
        SolveError: if there is none for this kind of game.
    """
    is_hidden = solution.kind.is_concealed and solution.kind.seats > 1
    return (HiddenEvaluator if is_hidden else StrengthEvaluator)(solution, progress)
