"""`komi.measure`: the tension, the choices, the luck and the length of a game, exactly."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from komi.errors import InputError
from komi.evaluation.requirements import check_two_player, check_won_or_lost
from komi.game import Game
from komi.jit.kernels import Notice
from komi.measures.bounded import Bounded
from komi.measures.chain import Play, follow_play
from komi.measures.choice import measure_choice
from komi.measures.flow import Flow, Thresholds, compute_flow
from komi.measures.tension import measure_moves, measure_tension
from komi.policies.named import PolicyLike, as_policy
from komi.progress import Progress, silent
from komi.rules import catalog
from komi.rules.kind import Kind, kind_of
from komi.solvers.solution import TOLERANCE, Solution
from komi.solvers.solve import solve
from komi.tabular import Record, Tabular
from komi.typing import GameLike, Rules

COMEBACK_AT = 0.1  # of winning: the winner was once at this chance or below
DECIDED_AT = 0.95  # a game is decided when a player first has this chance of winning
PACE = 5.0  # seconds for an action of a player
NAMES = {
    "first": "chance of the first player to win",
    "unfairness": "distance of this chance from one half",
    "moves": "moves: actions, and moves of chance",
    "actions": "actions of both players",
    "chance_moves": "separate moves of chance",
    "turns": "turns of both players",
    "minutes": "minutes",
    "suspense": "suspense",
    "surprise": "surprise",
    "suspense_per_minute": "suspense per minute",
    "lead_changes": "changes of the leader",
    "drama": "drama",
    "mean_drama": "drama per move",
    "comeback": "chance that the winner was nearly lost",
    "decisive": "share of the moves that follow the decisive moment",
    "decisions": "decisions of both players",
    "legal_actions": "legal actions in a decision",
    "near_best": "actions nearly as good as the best",
    "random_loss": "loss of a random action",
    "narrowness": "narrowness",
    "luck": "share of the variance of the result that is chance",
}
"""The measures of a game for two players, in words."""


@dataclass(frozen=True, eq=False)
class Measures(Tabular):
    """The measures of a game under two policies; `docs/measures.md` defines them.

    Attributes:
        game: the game.
        rules: its rules.
        policies: the names of the policies, the first player's first.
        numbers: each measure with its error bound, by its name in `NAMES`; a measure that is not defined is missing:
            `luck` if the result is certain, and those of choice if states beyond play have no value.
        comeback_at: the chance at which, or below which, the winner was nearly lost.
        decided_at: the chance at which a game is decided.
        pace: the seconds for an action of a player.
    """

    game: Game
    rules: Rules
    policies: tuple[str, str]
    numbers: Mapping[str, Bounded]
    comeback_at: float
    decided_at: float
    pace: float

    def __repr__(self) -> str:
        shown = ", ".join(f"{name} {self[name]:.4g}" for name in ("suspense", "lead_changes", "drama"))
        return f"<Measures of {self.game.name}, {' against '.join(self.policies)}: {shown}>"

    def __getitem__(self, name: str) -> float:
        """Return a measure by its name."""
        return self.numbers[name].value

    @property
    def error_bound(self) -> float:
        """The largest error bound of all measures."""
        return max(number.error for number in self.numbers.values())

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
    """Measure how exciting a game for two players is, how much its players can choose, and how long it takes.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        policies: that of the first player and that of the second, as in `komi.match`; one is both; by default both play
            optimally.
        comeback_at: the winner was nearly lost at this chance of winning, or below it.
        decided_at: the game is decided when a player first has this chance of winning.
        pace: the seconds for an action of a player.
        progress: progress callback, called during long work; see `komi.progress`.
        notice: called with a sentence before a slow step that happens only once.
        rules: values of rules to change, by name.

    Raises:
        InputError: for an unknown game, rule or policy, more than two policies, or a threshold or pace out of range.
        GameError: if the rules are broken, or a policy takes an action that is not legal.
        SolveError: if the game is not a two-player game of perfect information that is won or lost; if it cannot be
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
    check_measured(kind_of(found, checked))
    return solve(found, tolerance=TOLERANCE, fresh=fresh, progress=progress, notice=notice, **checked._asdict())


def measure_solution(
    solution: Solution[Any],
    policies: tuple[PolicyLike, ...] = (),
    comeback_at: float = COMEBACK_AT,
    decided_at: float = DECIDED_AT,
    pace: float = PACE,
    progress: Progress = silent,
) -> Measures:
    """Measure a solved game; see `measure`."""
    check_measured(solution.kind)
    if len(policies) > 2:
        raise InputError(f"measures are of two policies, not of {len(policies)}.")
    if not 0.0 <= comeback_at < 0.5 < decided_at <= 1.0:
        raise InputError("a comeback is from a chance below 0.5, and a game is decided at one above 0.5.")
    if not 0.0 < pace < math.inf:
        raise InputError(f"the pace must be above 0 seconds, not {pace:g}.")
    play, flow = follow_policies(solution, policies or ("optimal",), comeback_at, decided_at, progress)
    numbers = measure_play(play, flow, pace)
    return Measures(solution.game, solution.rules, play.policies, numbers, comeback_at, decided_at, pace)


def check_measured(kind: Kind) -> None:
    """Check that games of this kind have measures.

    Raises:
        SolveError: if they have not.
    """
    check_two_player(kind)
    check_won_or_lost(kind, "games are measured")


def follow_policies(
    solution: Solution[Any],
    policies: tuple[PolicyLike, ...],
    comeback_at: float = COMEBACK_AT,
    decided_at: float = DECIDED_AT,
    progress: Progress = silent,
) -> tuple[Play, Flow]:
    """Follow play between two policies, or of one against itself."""
    first, second = as_policy(policies[0], solution), as_policy(policies[-1], solution)
    if policies[0] == policies[-1]:
        second = first
    play = follow_play(solution, first, second, progress)
    return play, compute_flow(play.chain, Thresholds(play.chain.bound, comeback_at, decided_at))


def measure_play(play: Play, flow: Flow, pace: float) -> dict[str, Bounded]:
    """Compute all measures, in the order of `NAMES`."""
    chain = play.chain
    tension = measure_tension(chain, flow, measure_moves(chain))
    actions, turns, chance_moves = play.lengths
    minutes = actions.times(pace / 60.0)
    first = Bounded(float(chain.value[chain.start]), chain.bound)
    numbers = {
        "first": first,
        "unfairness": Bounded(abs(first.value - 0.5), first.error),
        "moves": tension.moves,
        "actions": actions,
        "chance_moves": chance_moves,
        "turns": turns,
        "minutes": minutes,
        "suspense": tension.suspense,
        "surprise": tension.surprise,
        "suspense_per_minute": tension.suspense.over(minutes),
        "lead_changes": tension.lead_changes,
        "drama": tension.drama,
        "mean_drama": tension.drama.over(tension.moves),
        "comeback": tension.comeback,
        "decisive": tension.decisive,
    }
    if play.has_all_values:
        choice = measure_choice(play, flow)
        numbers |= {
            "decisions": choice.decisions,
            "legal_actions": choice.actions,
            "near_best": choice.near_best,
            "random_loss": choice.random_loss,
            "narrowness": choice.narrowness,
        }
        if tension.variance.value > tension.variance.error:
            numbers["luck"] = choice.choice_variance.over(tension.variance).complement()
    return numbers
