"""`komi.teach_by_simulation`: the best strategy that a person can remember, for games that are too large to solve."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.errors import SolveError
from komi.files import write_atomically
from komi.game import Game
from komi.jit.kernels import Notice
from komi.policies import named
from komi.policies.policy import Policy, UniformPolicy
from komi.progress import Progress, silent
from komi.rules import catalog
from komi.simulation.result import Estimate
from komi.simulation.soundness import check_beginning
from komi.teaching import cheat_sheets
from komi.teaching.simulated.observed_measures import ObservedMeasures
from komi.teaching.simulated.paired_games import PairedGames
from komi.teaching.simulated.preference_policy import NAME, PreferencePolicy
from komi.teaching.simulated.preference_rendering import sentences, source, text
from komi.teaching.simulated.preference_search import PreferenceSearch, Range
from komi.teaching.simulated.preferences import Preferences
from komi.teaching.validation import check_file, check_numbers, check_seconds

DEALS = 20_000  # of the final evaluation
FIRST_DEAL = 1 << 36  # of the final evaluation: beyond those of any search
BLOCK = 2_000  # deals between two reports of progress
COUNTING = "measuring strategies"


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
        file: the policy as Python; `komi simulate` takes it as FILE.py:by_the_card.
        front: the best strategy found for each number of numbers.
    """

    game: Game
    rules: Any
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


def teach_by_simulation(
    game: str | Game,
    file: Path | str,
    *,
    against: Sequence[str] = (),
    numbers: int = 3,
    seconds: float = 60.0,
    seed: int = 1,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> SimulatedTeachingResult:
    """Search for the strategy with at most a number of numbers to remember that wins most against some rivals.

    Strategies rank moves by their results: as many cards in the hand as possible, and so on.

    Args:
        game: a built-in game's name, the path of a rule file, or a Game; a multiplayer game.
        file: the file to write the strategy to as a policy, with a name that ends in .py.
        against: policies by name; by default the opponents that the game offers, or else one that picks random moves.
        numbers: the greatest number of numbers to remember.
        seconds: the time limit of the search.
        seed: the seed of the search and of the games.
        progress: called during long work; see `komi.progress`.
        notice: called with a sentence before a slow step that happens only once.
        rules: the rules to change, by name.

    Raises:
        InputError: for an unknown game, rule or policy, or numbers or seconds out of range.
        GameError: if the rules are broken.
        SolveError: if it is a single-player game, or does not define the state as observed from another seat.
        StorageError: if the file cannot be written.
    """
    file, found = Path(file), catalog.find(game) if isinstance(game, str) else game
    check_numbers(numbers)
    check_seconds(seconds, "a search")
    check_file(file, "a strategy", NAME)
    chosen = found.rules(rules)
    check_beginning(found, chosen)
    rivals = [named.find_or_solve(name, found, rules) for name in against or _offered(found, chosen)]
    table, seats = _table(found, chosen), found.players(chosen)

    def following(preferences: Preferences) -> PreferencePolicy:
        return PreferencePolicy(preferences, table, found, seats)

    trials = PairedGames(found, chosen, following(Preferences((), ())), rivals, seed, notice)

    def rates(preferences: Preferences, deals: Range) -> NDArray[np.float64]:
        return np.asarray(trials.rates(following(preferences), deals).mean(axis=(1, 2)))

    trials.rates(following(Preferences((), ())), (0, 1))  # compile before the time limit starts
    search = PreferenceSearch(table, rates, numbers, seed)
    search.look(seconds, progress)
    points = _measured(trials, [following(each) for each in dict.fromkeys(search.best)], rivals, progress)
    front = _front(points)
    best, won = front[-1]
    code = source(found, seats, best.preferences, table, file.name)
    write_atomically(file, lambda draft: draft.write_text(code, encoding="utf-8"))
    cheat_sheets.keep(found, chosen, text(best.preferences), code)
    return SimulatedTeachingResult(
        game=found,
        rules=chosen,
        strategy=tuple(sentences(best.preferences)),
        numbers=best.preferences.numbers,
        rivals=tuple(rival.name for rival in rivals),
        against=tuple(_estimate(won[:, place].mean(axis=1)) for place in range(len(rivals))),
        wins=tuple(_estimate(won[:, :, seat].mean(axis=1)) for seat in range(seats)),
        average=_average(won),
        in_its_place=tuple(_average(points[rival]) for rival in rivals),
        deals=DEALS,
        file=file,
        front=tuple(
            SimulatedFrontPoint(each.preferences.numbers, _average(rate), text(each.preferences))
            for each, rate in front
        ),
    )


def _table(game: Game, rules: Any) -> ObservedMeasures:
    """Infer the measures that players read off the table.

    Raises:
        SolveError: if there are no rivals, no visible measure varies, or the observation after a turn is undefined.
    """
    seats = game.players(rules)
    if seats == 1:
        raise SolveError(f"strategies are found by simulation for games of several players: {game.name} is for one.")
    table = ObservedMeasures.of(game, rules)
    if not (game.has("turned") or (seats == 2 and table.facing)):
        raise SolveError(
            "strategies are found by simulation for games of two players in which what is mine becomes what is the "
            f"other's when the turn passes, or whose rule file says 'turned': {game.file.name} does not."
        )
    if not table.results:
        raise SolveError(
            f"strategies rank moves by what they lead to: in {game.name} nothing that players see differs."
        )
    return table


def _offered(game: Game, rules: Any) -> list[str]:
    """Return the opponents that the game's file offers and that need no solution; `random` if there are none."""
    offered = [str(name) for name, _ in game.part("opponents")(rules)] if game.has("opponents") else []
    known = {UniformPolicy.name, *named.game_policies(game)}
    return [name for name in offered if name in known] or [UniformPolicy.name]


def _measured(
    trials: PairedGames, strategies: Sequence[PreferencePolicy], rivals: Sequence[Policy], progress: Progress
) -> dict[Policy, NDArray[np.float64]]:
    """Play new deals; return float64[deals, rivals, seats] for each strategy, and for each rival in its place."""
    policies: list[Policy] = [*strategies, *rivals]
    blocks = range(FIRST_DEAL, FIRST_DEAL + DEALS, BLOCK)
    found = {}
    for done, policy in enumerate(policies):
        parts = []
        for number, first in enumerate(blocks):
            progress(COUNTING, done * len(blocks) + number, len(policies) * len(blocks))
            parts.append(trials.rates(policy, (first, first + BLOCK)))
        found[policy] = np.concatenate(parts)
    return found


def _front(points: dict[Policy, NDArray[np.float64]]) -> list[tuple[PreferencePolicy, NDArray[np.float64]]]:
    """Return the strategies that win more than all with as few numbers, the fewest numbers first."""
    strategies = [(each, won) for each, won in points.items() if isinstance(each, PreferencePolicy)]
    front: list[tuple[PreferencePolicy, NDArray[np.float64]]] = []
    for each, won in sorted(strategies, key=lambda point: (point[0].preferences.numbers, -point[1].mean())):
        if not front or won.mean() > front[-1][1].mean():
            front.append((each, won))
    return front


def _average(won: NDArray[np.float64]) -> Estimate:
    return _estimate(won.mean(axis=(1, 2)))


def _estimate(won: NDArray[np.float64]) -> Estimate:
    """Estimate the mean over deals, with its standard error."""
    return Estimate(float(won.mean()), float(won.std(ddof=1) / len(won) ** 0.5))
