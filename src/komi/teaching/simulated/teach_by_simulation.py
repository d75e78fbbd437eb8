"""`komi.teach_by_simulation`: the best strategy that a person can remember, for games that are too large to solve."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from komi.arrays import F64
from komi.errors import InputError, SolveError
from komi.evaluation.requirements import teaching_refusal
from komi.files import write_atomically
from komi.jit.kernels import Notice
from komi.policies import from_files, named
from komi.policies.policy import Policy, UniformPolicy
from komi.progress import Progress, silent
from komi.rules import catalog
from komi.rules.game import Game
from komi.rules.kind import Kind, check_choices, kind_of
from komi.rules.payoff_scale import PayoffScale
from komi.simulation.result import Estimate
from komi.simulation.soundness import check_start
from komi.teaching import cheat_sheets
from komi.teaching.simulated.observed_quantities import ObservedQuantities
from komi.teaching.simulated.orders import Preferences
from komi.teaching.simulated.paired_games import PairedGames
from komi.teaching.simulated.preference_policy import RankingPolicy
from komi.teaching.simulated.preference_rendering import PreferenceRenderer
from komi.teaching.simulated.preference_search import PreferenceSearch, Range
from komi.teaching.strategy_rendering import NAME
from komi.teaching.validation import check_file, check_numbers, check_seconds
from komi.typing import GameLike, Rules

DEALS = 20_000  # of the final evaluation
FIRST_DEAL = 1 << 36  # of the final evaluation: beyond those of any search
BLOCK = 2_000  # deals between two reports of progress
STAGE = "evaluating strategies"


@dataclass(frozen=True)
class SimulatedFrontPoint:
    """A strategy on the front: none found with as few numbers wins more.

    Attributes:
        numbers: the number of numbers to remember.
        average: its payoff, averaged over all rivals and seats.
        strategy: the strategy in words.
    """

    numbers: int
    average: Estimate
    strategy: str


@dataclass(frozen=True)
class SimulatedTeachingResult:
    """A strategy to remember, evaluated by simulation.

    Attributes:
        game: the game.
        rules: its rules.
        strategy: the strategy, one sentence each.
        numbers: the number of numbers to remember.
        rivals: the policies that it was played against, each in all other seats.
        against: its payoff against each rival, averaged over all seats.
        wins: its payoff in each seat, averaged over all rivals.
        average: its payoff, averaged over all rivals and seats.
        in_its_place: the payoff of each rival in its place, averaged over all rivals and seats.
        deals: the number of deals of the evaluation, each played with every rival and in every seat.
        file: the policy as Python; `komi simulate` accepts it as FILE.py:cheat_sheet.
        front: the best strategy found for each number of numbers.
    """

    game: Game
    rules: Rules
    strategy: tuple[str, ...]
    numbers: int
    rivals: tuple[str, ...]
    against: tuple[Estimate, ...]
    wins: tuple[Estimate, ...]
    average: Estimate
    in_its_place: tuple[Estimate, ...]
    deals: int
    file: Path
    front: tuple[SimulatedFrontPoint, ...]

    def __repr__(self) -> str:
        found = f"{self.numbers} numbers, payoff {self.average.mean:.4f}"
        return f"<SimulatedTeachingResult of {self.game.name}: {found}, in {self.file}>"

    @property
    def scale(self) -> PayoffScale:
        """The scale of the payoffs: that of probabilities of winning, or the game's `payoff_range`."""
        return self.game.payoff_scale(self.rules)

    @property
    def fair_share(self) -> float:
        """The payoff of each of several equal players."""
        return self.scale.payoff(1.0 / len(self.wins))


def teach_by_simulation(
    game: GameLike,
    file: Path | str,
    *,
    against: Sequence[named.PolicyLike] = (),
    numbers: int = 3,
    seconds: float = 60.0,
    seed: int = 1,
    device: str = "cpu",
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> SimulatedTeachingResult:
    """Search for the strategy with at most a number of numbers to remember that wins most against some rivals.

    Strategies rank moves by their results: as many cards in the hand as possible, and so on.

    Args:
        game: as `komi.find` accepts it; a multiplayer game.
        file: the file to write the strategy to as a policy, with a name that ends in .py.
        against: policies by name, or functions (rules, state); by default the opponents that the game offers, or else
            one that picks random moves.
        numbers: the greatest number of numbers to remember.
        seconds: the time limit of the search.
        seed: the seed of the search and of the games.
        device: "gpu" to play the games on a graphics processor, which takes `komi[gpu]`: they are the same.
        progress: called during long work; see `komi.progress`.
        notice: called with a sentence before a slow step that happens only once.
        rules: the rules to change, by name.

    Raises:
        InputError: for an unknown game, rule or policy, or numbers or seconds out of range.
        GameError: if the rules are broken.
        SolveError: if it is a single-player game, or does not define the state as observed from another seat.
        StorageError: if the file cannot be written.
    """
    file, found = Path(file), catalog.find(game)
    check_numbers(numbers)
    check_seconds(seconds, "a search")
    if device not in ("cpu", "gpu"):
        raise InputError(f"the device is 'cpu' or 'gpu', not {device!r}.")
    check_file(file, "a strategy", NAME)
    chosen = found.rules(rules)
    found = found.under(chosen)
    check_start(found, chosen)
    check_choices(found, chosen, "there is no strategy to find")
    rivals = [named.find_or_solve(name, found, rules) for name in against or _available_opponents(found, chosen)]
    table, seats = _observed_quantities(found, chosen), found.players(chosen)

    def create_policy(preferences: Preferences) -> RankingPolicy:
        return RankingPolicy(preferences, table, found, seats)

    games = PairedGames(found, chosen, create_policy(Preferences((), ())), rivals, seed, notice, device)

    def play(preferences: Preferences, deals: Range) -> F64:
        return np.asarray(games.play(create_policy(preferences), deals).mean(axis=(1, 2)))

    games.play(create_policy(Preferences((), ())), (0, 1))  # compile before the time limit starts
    search = PreferenceSearch(table, play, numbers, seed)
    search.run(seconds, progress)
    points = _evaluate(games, [create_policy(each) for each in dict.fromkeys(search.best)], rivals, progress)
    front = _front(points)
    best, payoffs = front[-1]
    renderer = PreferenceRenderer(found, chosen, table)
    code = renderer.source(best.preferences, file.name)
    write_atomically(file, lambda draft: draft.write_text(code, encoding="utf-8"))
    cheat_sheets.store(found, chosen, renderer.text(best.preferences), code)
    return SimulatedTeachingResult(
        game=found,
        rules=chosen,
        strategy=tuple(renderer.sentences(best.preferences)),
        numbers=best.preferences.numbers,
        rivals=tuple(rival.name for rival in rivals),
        against=tuple(_estimate(payoffs[:, rival].mean(axis=1)) for rival in range(len(rivals))),
        wins=tuple(_estimate(payoffs[:, :, seat].mean(axis=1)) for seat in range(seats)),
        average=_average(payoffs),
        in_its_place=tuple(_average(points[rival]) for rival in rivals),
        deals=DEALS,
        file=file,
        front=tuple(
            SimulatedFrontPoint(policy.preferences.numbers, _average(policy_payoffs), renderer.text(policy.preferences))
            for policy, policy_payoffs in front
        ),
    )


def check_multiplayer(kind: Kind) -> None:
    """Check that a game has rivals to win against.

    Raises:
        SolveError: if it is for one player, or a general-sum game.
    """
    if kind.seats == 1:
        raise SolveError(
            f"{kind.name} is for one player: in games that hide something, or are not solved, komi searches strategies "
            "by simulation against other players."
        )
    if refusal := teaching_refusal(kind, has_plies=False):
        raise SolveError(refusal)


def _observed_quantities(game: Game, rules: Rules) -> ObservedQuantities:
    """Infer the quantities that players read off the table.

    Raises:
        SolveError: if there are no rivals, no visible quantity varies, or the observation after a turn is undefined.
    """
    seats = game.players(rules)
    check_multiplayer(kind_of(game, rules))
    table = ObservedQuantities.of(game, rules)
    if not (game.has("turned") or (seats == 2 and table.mirrored)):
        raise SolveError(
            "komi searches strategies by simulation for two-player games in which the fields of the players swap when "
            f"the turn passes, and for games whose rule file defines 'turned': {game.file.name} does not."
        )
    if not table.results:
        raise SolveError(
            f"strategies rank moves by their results: in {game.name} all results look the same to the player."
        )
    return table


def _available_opponents(game: Game, rules: Rules) -> list[str]:
    """Return the opponents that the game's file offers and that need no solution; `random` if there are none."""
    offered = [str(name) for name, _ in game.part("opponents")(rules)] if game.has("opponents") else []
    known = {UniformPolicy.name, *from_files.game_policies(game)}
    return [name for name in offered if name in known] or [UniformPolicy.name]


def _evaluate(
    games: PairedGames, strategies: Sequence[RankingPolicy], rivals: Sequence[Policy], progress: Progress
) -> dict[Policy, F64]:
    """Play new deals; return float64[deals, rivals, seats] for each strategy, and for each rival in its place."""
    policies: list[Policy] = [*strategies, *rivals]
    blocks = range(FIRST_DEAL, FIRST_DEAL + DEALS, BLOCK)
    found = {}
    for done, policy in enumerate(policies):
        parts = []
        for number, first in enumerate(blocks):
            progress(STAGE, done * len(blocks) + number, len(policies) * len(blocks))
            parts.append(games.play(policy, (first, first + BLOCK)))
        found[policy] = np.concatenate(parts)
    return found


def _front(points: dict[Policy, F64]) -> list[tuple[RankingPolicy, F64]]:
    """Return the strategies that win more than all with as few numbers, the fewest numbers first."""
    strategies = [(each, payoffs) for each, payoffs in points.items() if isinstance(each, RankingPolicy)]
    front: list[tuple[RankingPolicy, F64]] = []
    for each, payoffs in sorted(strategies, key=lambda point: (point[0].preferences.numbers, -point[1].mean())):
        if not front or payoffs.mean() > front[-1][1].mean():
            front.append((each, payoffs))
    return front


def _average(payoffs: F64) -> Estimate:
    return _estimate(payoffs.mean(axis=(1, 2)))


def _estimate(payoffs: F64) -> Estimate:
    """Estimate the mean over deals, with its standard error."""
    return Estimate(float(payoffs.mean()), float(payoffs.std(ddof=1) / len(payoffs) ** 0.5))
