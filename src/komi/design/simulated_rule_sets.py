"""Simulations of a game under many rule sets, with the same random numbers for each, and many in one launch of a GPU.

The results are those of a simulation of each rule set alone, to the last bit. That all share their random numbers
usually makes the differences between rule sets more precise (common random numbers; A. M. Law, Simulation Modeling and
Analysis, 2015, section 11.2).
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from komi.design.rule_space import RuleSpace
from komi.errors import InputError, KomiError, StorageError
from komi.jit.kernels import Notice
from komi.policies.named import PolicyLike
from komi.progress import Progress, silent
from komi.rules import catalog
from komi.rules.game import Game
from komi.simulation.result import Estimate, Simulation
from komi.simulation.run import SimulationRun, device_job
from komi.simulation.simulation import Device, SimulationSettings
from komi.tabular import Record, Tabular
from komi.typing import GameLike, Rules

Result = TypeVar("Result")


@dataclass(frozen=True)
class SimulatedRuleSets(Tabular):
    """The statistics of a game under many rule sets.

    Attributes:
        game: the game.
        varied: the rules that were varied.
        simulations: those of each rule set, in the order given; its rules are `simulation.rules`.
        forbidden: the number of rule sets that the game's limits do not allow.
        unplayed: rule sets that cannot be played, with the error.
        stopped: whether the user has stopped it before all were played.
    """

    game: Game
    varied: tuple[str, ...]
    simulations: tuple[Simulation, ...]
    forbidden: int
    unplayed: tuple[tuple[Rules, KomiError], ...]
    stopped: bool

    def __repr__(self) -> str:
        count = len(self.simulations)
        return f"<Simulations of {self.game.name} over {', '.join(self.varied)}: {count:,} rule sets>"

    @property
    def seats(self) -> int:
        """The largest number of seats under a rule set."""
        return max((simulation.tally.seats for simulation in self.simulations), default=0)

    def records(self) -> list[Record]:
        """List the rule sets: every rule, the number of games, then estimates and their standard errors.

        `first`, `seat_2` and so on are the seats' win rates or mean payoffs; in a game for one, `value` is its mean
        value. What a rule set does not have is None, as are errors that are not known.
        """
        names = list(dict.fromkeys(name for simulation in self.simulations for name in worth_of(simulation)))
        return [self._record(simulation, names) for simulation in self.simulations]

    def _record(self, simulation: Simulation, names: Sequence[str]) -> Record:
        worth = worth_of(simulation)
        record: Record = {**simulation.rules._asdict(), "games": simulation.games}
        lengths = {"mean_turns": simulation.turns, "mean_actions": simulation.actions}  # a rule can be called `turns`
        for name, estimate in {**{name: worth.get(name) for name in names}, **lengths}.items():
            record |= {name: estimate and estimate.mean, f"{name}_stderr": estimate and estimate.known_stderr}
        return record


def worth_of(simulation: Simulation) -> dict[str, Estimate]:
    """Return the estimate for each seat, `first`, `seat_2` and so on, or the `value` of a game for one."""
    if simulation.tally.seats == 1:
        return {"value": simulation.value if simulation.scale.is_chance else simulation.payoffs[0]}
    return {f"seat_{seat}" if seat > 1 else "first": each for seat, each in enumerate(simulation.payoffs, 1)}


def simulate_rule_sets(
    game: GameLike,
    vary: Mapping[str, Iterable[object]],
    games: int | None = None,
    *,
    policies: Sequence[PolicyLike] | PolicyLike = "random",
    seed: int = 0,
    until_stderr: float | None = None,
    deals: int | None = None,
    per_deal: int = 1,
    workers: int | None = None,
    cluster: str | None = None,
    device: Device = "cpu",
    keep: str | Path | None = None,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> SimulatedRuleSets:
    """Play many games under every combination of the values given.

    The results are those of `komi.simulate` under each. All use the same random numbers. A GPU plays many rule sets in
    one launch, if their policies do not depend on the rules.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        vary: the values of each rule to vary.
        games, policies, seed, until_stderr, deals, per_deal: what to play under each rule set, as in `komi.simulate`.
        workers, cluster, device: where to play, as in `komi.simulate`.
        keep: a folder for the results, of which each rule set has a file; if they exist, simulations resume from them.
        progress: progress callback, called during long work; see `komi.progress`.
        notice: callback that receives a message before work that takes seconds and happens only once.
        rules: values of other rules to change, by name.

    Returns:
        The statistics; after Ctrl-C those of the rule sets that are complete (`stopped`).

    Raises:
        InputError: for an unknown rule, values of the wrong type, if the game's limits allow no combination, or as
            `komi.simulate` does.
        KomiError: if no rule set can be played.
        StorageError: if a file cannot be written.

    Examples:
        >>> import komi
        >>> found = komi.simulate_rule_sets("piglet", {"goal": range(2, 5)}, 20_000)
        >>> [simulation.wins[0].mean > 0.5 for simulation in found.simulations]
        [True, True, True]
    """
    game = catalog.find(game)
    space = RuleSpace(game, vary, rules)
    rule_sets = space.rule_sets()
    settings = SimulationSettings(
        games, policies, seed, until_stderr, deals, per_deal, workers, cluster, device, notice
    )
    most_games = _most_games(settings, game, rule_sets)
    folder = _folder(keep)
    unplayed: list[tuple[Rules, KomiError]] = []

    def runs() -> Iterator[SimulationRun]:
        for number, rule_set in enumerate(rule_sets):
            progress("simulating rule sets", number, len(rule_sets))
            file = folder and folder / _file_name(space, rule_set)
            yield from _attempt(unplayed, rule_set, settings.prepare, game, rule_set, file, silent)
        progress("simulating rule sets", len(rule_sets), len(rule_sets))

    played = _play_on_card if settings.takes_card(most_games) else partial(_play_on_cores, workers, cluster)
    simulations: dict[Rules, Simulation] = {}
    stopped = False
    try:
        for simulation in played(runs(), unplayed):
            stopped = simulation.stopped
            if stopped:
                break
            simulations[simulation.rules] = replace(simulation, tally=simulation.tally.trimmed())
    except KeyboardInterrupt:
        stopped = True
    if unplayed and not simulations and not stopped:
        raise unplayed[0][1]
    return SimulatedRuleSets(
        game,
        tuple(vary),
        tuple(simulations[rule_set] for rule_set in rule_sets if rule_set in simulations),
        space.size - len(rule_sets),
        tuple(unplayed),
        stopped,
    )


def _most_games(settings: SimulationSettings, game: Game, rule_sets: Sequence[Rules]) -> int:
    """Return the most games that can be needed under all rule sets together.

    Raises:
        KomiError: if no rule set can be played.
    """
    unplayed: list[tuple[Rules, KomiError]] = []

    def most_games(rules: Rules) -> int:
        return settings.plan(game.payoff_scale(rules).width).most_games

    games = [each for rules in rule_sets for each in _attempt(unplayed, rules, most_games, rules)]
    if not games:
        raise unplayed[0][1]
    return sum(games)


def _folder(keep: str | Path | None) -> Path | None:
    """Return the folder for results, which is made if it does not exist.

    Raises:
        InputError: if it is a file.
        StorageError: if it cannot be made.
    """
    if keep is None:
        return None
    folder = Path(keep)
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file: the results of many rule sets are kept in a folder.")
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise StorageError(f"cannot make the folder {folder}: {error.strerror}.") from None
    return folder


def _file_name(space: RuleSpace, rules: Rules) -> str:
    """Return the name of a rule set's file: the values of the varied rules."""
    return ",".join(f"{name}={quote(str(getattr(rules, name)), safe='')}" for name in space.values) + ".npz"


def _attempt(
    unplayed: list[tuple[Rules, KomiError]], rules: Rules, work: Callable[..., Result], *arguments: Any
) -> list[Result]:
    """Return the result; if the rule set cannot be played, note why, and return nothing."""
    try:
        return [work(*arguments)]
    except StorageError:
        raise
    except KomiError as error:
        unplayed.append((rules, error))
        return []


def _play_on_cores(
    workers: int | None,
    cluster: str | None,
    runs: Iterable[SimulationRun],
    unplayed: list[tuple[Rules, KomiError]],
) -> Iterator[Simulation]:
    for run in runs:
        yield from _attempt(unplayed, run.job.rules, run.run, workers, cluster)


def _play_on_card(runs: Iterable[SimulationRun], unplayed: list[tuple[Rules, KomiError]]) -> Iterator[Simulation]:
    """Play as many rule sets in each launch as it has room for."""
    groups: list[tuple[Any, list[SimulationRun]]] = []  # jobs on the card, and the runs that wait for each
    for run in runs:
        if not any(card.plays_like(run.job) for card, _ in groups):
            groups.append((device_job(run.job), []))
        card, waiting = next(group for group in groups if group[0].plays_like(run.job))
        if run.tally.deals:  # from a file
            yield from _attempt(unplayed, run.job.rules, _play_alone, card, run)
            continue
        if waiting and not card.has_room([each.job for each in waiting], run.job):
            yield from _play_together(card, waiting, unplayed)
            waiting.clear()
        waiting.extend(_attempt(unplayed, run.job.rules, run.check))
    for card, waiting in groups:
        yield from _play_together(card, waiting, unplayed)


def _play_alone(card: Any, run: SimulationRun) -> Simulation:
    return run.run(None, None, card.under(run.job))


def _play_together(
    card: Any, runs: Sequence[SimulationRun], unplayed: list[tuple[Rules, KomiError]]
) -> Iterator[Simulation]:
    """Play runs in one launch; one after the other if there is only one, or one of them fails."""
    begin = time.perf_counter()
    blocks = card.play_together([run.job for run in runs], runs[0].block) if len(runs) > 1 else None
    seconds = (time.perf_counter() - begin) / max(len(runs), 1)
    if blocks is None:
        for run in runs:
            yield from _attempt(unplayed, run.job.rules, _play_alone, card, run)
    else:
        for run, block in zip(runs, blocks, strict=True):
            yield run.finish(block, seconds)
