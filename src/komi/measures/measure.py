"""`komi.measure`: the tension, the choices, the luck and the length of a game, exactly."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from komi.errors import InputError, SolveError
from komi.evaluation.requirements import check_two_player, check_won_or_lost
from komi.jit.kernels import Notice
from komi.measures.bounded import Bounded
from komi.measures.chain import Play, follow_play
from komi.measures.choice import measure_choice
from komi.measures.flow import Flow, Thresholds, compute_flow
from komi.measures.single_player import measure_result
from komi.measures.tension import Tension, measure_moves, measure_tension
from komi.policies.named import PolicyLike, as_policies
from komi.policies.policy import Policy
from komi.progress import Progress, silent
from komi.rules import catalog
from komi.rules.declarations import keywords
from komi.rules.game import Game
from komi.rules.kind import Kind, check_no_average, check_no_discount, kind_of
from komi.solvers.solution import TOLERANCE, Solution
from komi.solvers.solve import solve_all_states
from komi.tabular import Record, Tabular
from komi.typing import GameLike, Rules

COMEBACK_AT = 0.1  # of winning: the winner was once at this chance or below
DECIDED_AT = 0.95  # a game is decided when a player first has this chance of winning
PACE = 5.0  # seconds for an action of a player
NAMES = {
    "first": "chance of the first player to win",
    "unfairness": "largest distance of a chance from a fair share",
    "moves": "moves: actions, and moves of chance",
    "actions": "actions of all players",
    "chance_moves": "separate moves of chance",
    "turns": "turns of all players",
    "minutes": "minutes",
    "suspense": "suspense",
    "surprise": "surprise",
    "suspense_per_minute": "suspense per minute",
    "lead_changes": "changes of the leader",
    "drama": "drama",
    "mean_drama": "drama per move",
    "comeback": "chance that the winner was nearly lost",
    "decisive": "share of the moves that follow the decisive moment",
    "decisions": "decisions of all players",
    "legal_actions": "legal actions in a decision",
    "near_best": "actions nearly as good as the best",
    "random_loss": "loss of a random action",
    "narrowness": "narrowness",
    "luck": "share of the variance of the result that is chance",
}
"""The measures of a game for two players, in words."""
OTHER_NAMES = {
    "value": "expected result",
    "deviation": "standard deviation of the result",
    "quantile_5": "one game of 20 ends with no more than",
    "quantile_25": "one game of 4 ends with no more than",
    "quantile_50": "half of the games end with no more than",
    "quantile_75": "3 games of 4 end with no more than",
    "quantile_95": "19 games of 20 end with no more than",
    "lost_early": "chance that the game is lost before its last turn",
    "kingmaker_decisions": "decisions of players who cannot win any more",
    "kingmaking": "kingmaking",
}
"""The measures that only games for one player, or for three and more, have."""


@dataclass(frozen=True, eq=False)
class Measures(Tabular):
    """The measures of a game under its players' policies; `docs/measures.md` defines them.

    Attributes:
        game: the game.
        rules: its rules.
        policies: the names of the policies, one for each player, the first player's first.
        numbers: each measure with its error bound, by its name in `NAMES` or `OTHER_NAMES`. A measure that is not
            defined is missing: `luck` if the result is certain, those of choice if states beyond play have no value,
            and those of the lead in games for points.
        seats: the chance of each player to win, with three or more; else empty.
        objective: what `value` counts in games for one player: "expected points"; else empty.
        comeback_at: the chance at which, or below which, the winner was nearly lost.
        decided_at: the chance at which a game is decided.
        pace: the seconds for an action of a player.
    """

    game: Game
    rules: Rules
    policies: tuple[str, ...]
    numbers: Mapping[str, Bounded]
    seats: tuple[Bounded, ...]
    objective: str
    comeback_at: float
    decided_at: float
    pace: float

    def __repr__(self) -> str:
        names = ("suspense", "lead_changes", "drama") if "drama" in self.numbers else ("value", "deviation", "suspense")
        shown = ", ".join(f"{name} {self[name]:.4g}" for name in names)
        return f"<Measures of {self.game.name}, {' against '.join(dict.fromkeys(self.policies))}: {shown}>"

    def __getitem__(self, name: str) -> float:
        """Return the named measure."""
        return self.numbers[name].value

    @property
    def error_bound(self) -> float:
        """The largest error bound of all measures."""
        return max(number.error for number in (*self.numbers.values(), *self.seats))

    def records(self) -> list[Record]:
        """List the measures."""
        return [
            {"measure": name, "value": each.value, "error_bound": each.error} for name, each in self.numbers.items()
        ]


def measure(
    game: GameLike,
    *policies: PolicyLike,
    comeback_at: float = COMEBACK_AT,
    decided_at: float = DECIDED_AT,
    pace: float = PACE,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> Measures:
    """Measure how exciting a game is, how much its players can choose, and how long it takes.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        policies: one for each player, as in `komi.match`, the first player's first; or one for all; by default all play
            optimally.
        comeback_at: the winner was nearly lost at this chance of winning, or below it.
        decided_at: the game is decided when a player first has this chance of winning.
        pace: the seconds for an action of a player.
        progress: progress callback, called during long work; see `komi.progress`.
        notice: called with a sentence before a slow step that happens only once.
        rules: values of rules to change, by name.

    Raises:
        InputError: for an unknown game, rule or policy, a number of policies that does not fit, or a threshold or pace
            out of range.
        GameError: if the rules are broken, or a policy takes an action that is not legal.
        SolveError: if players do not see everything, or two or more play for points or money; if the game cannot be
            solved, or play may never end.

    Examples:
        >>> import komi
        >>> piglet = komi.measure("piglet")
        >>> round(piglet["lead_changes"], 4), round(piglet["suspense"], 4)
        (6.5894, 2.6522)
    """
    solution = solve_measured(catalog.find(game), rules, progress=progress, notice=notice)
    return measure_solution(solution, policies, comeback_at, decided_at, pace, progress)


def solve_measured(
    game: Game,
    rules: Mapping[str, object],
    *,
    fresh: bool = False,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
) -> Solution[Any]:
    """Solve a game whose kind has measures; see `measure`."""
    checked = game.rules(rules)
    found = game.under(checked)
    check_kind(kind_of(found, checked))
    return solve_all_states(
        found, tolerance=TOLERANCE, fresh=fresh, progress=progress, notice=notice, **keywords(checked)
    )


def measure_solution(
    solution: Solution[Any],
    policies: tuple[PolicyLike, ...] = (),
    comeback_at: float = COMEBACK_AT,
    decided_at: float = DECIDED_AT,
    pace: float = PACE,
    progress: Progress = silent,
) -> Measures:
    """Measure a solved game; see `measure`."""
    check_kind(solution.kind)
    if not 0.0 <= comeback_at < 0.5 < decided_at <= 1.0:
        raise InputError("a comeback is from a chance below 0.5, and a game is decided at one above 0.5.")
    if not 0.0 < pace < math.inf:
        raise InputError(f"the pace must be above 0 seconds, not {pace:g}.")
    chosen = choose_policies(solution, policies or ("optimal",))
    play = follow_play(solution, chosen, progress)
    flow = compute_flow(play.chain, Thresholds(play.chain.bound, comeback_at, decided_at))
    tension = measure_tension(play.chain, flow, measure_moves(play.chain))
    numbers = _measure(play, flow, tension, pace)
    objective = ""
    if solution.kind.seats == 1:
        numbers = measure_result(solution, chosen[0], play, tension.variance, progress) | numbers
        objective = solution.objective
    start = play.chain.value[play.chain.start] if solution.kind.seats > 2 else ()
    seats = tuple(Bounded(float(value), play.chain.bound) for value in start)
    return Measures(
        solution.game, solution.rules, play.policies, numbers, seats, objective, comeback_at, decided_at, pace
    )


def check_measured(kind: Kind) -> None:
    """Check that games of this kind are for two players, and have measures.

    Raises:
        SolveError: if they are not.
    """
    check_two_player(kind)
    check_won_or_lost(kind, "games are measured")


def check_kind(kind: Kind) -> None:
    """Check that games of this kind have measures.

    Raises:
        SolveError: if they have not.
    """
    check_no_average(kind)
    check_no_discount(kind)
    if kind.hidden:
        raise SolveError(f"games are measured if their players see everything: in {kind.name} {kind.reason_to_mix}.")
    if kind.seats > 1 and kind.rewards:
        raise SolveError(f"games for two or more are measured by the probability of winning: {kind.name} has rewards.")
    check_won_or_lost(kind, "games are measured")


def choose_policies(solution: Solution[Any], policies: Sequence[PolicyLike]) -> list[Policy]:
    """Return the policy of each player, or one if all have the same.

    Raises:
        InputError: for an unknown policy, or a number of policies that does not fit.
        SolveError: if optimal play mixes actions.
    """
    seats = solution.kind.seats
    if len(policies) not in (1, seats):
        numbers = "one policy" if seats == 1 else f"one policy or {seats}"
        raise InputError(f"{solution.game.name} is measured with {numbers}, not with {len(policies)}.")
    if "optimal" in policies and not solution.is_pure:
        raise SolveError(f"optimal play of {solution.game.name} mixes actions: only other policies are measured.")
    return as_policies(policies, solution)


def follow_policies(
    solution: Solution[Any],
    policies: Sequence[PolicyLike],
    comeback_at: float = COMEBACK_AT,
    decided_at: float = DECIDED_AT,
    progress: Progress = silent,
) -> tuple[Play, Flow]:
    """Follow play between policies, one for each player or one for all."""
    play = follow_play(solution, choose_policies(solution, policies), progress)
    return play, compute_flow(play.chain, Thresholds(play.chain.bound, comeback_at, decided_at))


def measure_play(play: Play, flow: Flow, pace: float) -> dict[str, Bounded]:
    """Compute all measures that do not need the solution, in the order of `NAMES`."""
    return _measure(play, flow, measure_tension(play.chain, flow, measure_moves(play.chain)), pace)


def _measure(play: Play, flow: Flow, tension: Tension, pace: float) -> dict[str, Bounded]:
    chain, numbers = play.chain, dict[str, Bounded]()
    actions, turns, chance_moves = play.lengths
    minutes = actions.times(pace / 60.0)
    if chain.seats > 1:
        uneven = max(abs(float(value) - 1.0 / chain.seats) for value in chain.value[chain.start])
        numbers |= {"first": play.first, "unfairness": Bounded(uneven, play.first.error)}
    numbers |= {
        "moves": tension.moves,
        "actions": actions,
        "chance_moves": chance_moves,
        "turns": turns,
        "minutes": minutes,
        "suspense": tension.suspense,
        "surprise": tension.surprise,
    }
    if minutes.value > minutes.error:
        numbers["suspense_per_minute"] = tension.suspense.over(minutes)
    if chain.sides > 1:
        numbers |= {
            "lead_changes": tension.lead_changes,
            "drama": tension.drama,
            "mean_drama": tension.drama.over(tension.moves),
            "comeback": tension.comeback,
            "decisive": tension.decisive,
        }
    if not play.results.is_complete:
        return numbers
    choice = measure_choice(play, flow)
    numbers |= {
        "decisions": choice.decisions,
        "legal_actions": choice.actions,
        "near_best": choice.near_best,
        "random_loss": choice.random_loss,
        "narrowness": choice.narrowness,
    }
    if chain.seats > 2:
        numbers |= {"kingmaker_decisions": choice.kingmaker_decisions, "kingmaking": choice.kingmaking}
    if tension.variance.value > tension.variance.error:
        numbers["luck"] = choice.choice_variance.over(tension.variance).complement()
    return numbers
