"""Monte Carlo simulation of any game with any policies, and statistics of the games."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from komi.errors import InputError
from komi.jit.kernels import Notice
from komi.policies.named import PolicyLike, find_or_solve
from komi.policies.policy import Policy
from komi.progress import Progress, silent
from komi.rules import catalog
from komi.rules.game import Game
from komi.rules.kind import check_no_average, kind_of
from komi.simulation.job import SimulationJob
from komi.simulation.plan import SimulationPlan
from komi.simulation.result import Simulation
from komi.simulation.run import SimulationRun, device_job
from komi.simulation.soundness import check_start
from komi.typing import GameLike, Rules

Device = Literal["cpu", "gpu", "auto"]
"""Where games are played."""
MIN_GAMES = 20_000_000
"""The fewest games for which "auto" takes a card: some seconds on two cores."""


@dataclass(frozen=True)
class SimulationSettings:
    """The settings of a simulation apart from the rules.

    Attributes: as the arguments of `simulate`.

    Raises:
        InputError: for a seed, a number of workers or a device out of range.
    """

    games: int | None
    policies: Sequence[PolicyLike] | PolicyLike
    seed: int
    until_stderr: float | None
    deals: int | None
    per_deal: int
    workers: int | None
    cluster: str | None
    device: Device
    notice: Notice

    def __post_init__(self) -> None:
        if not (isinstance(self.seed, int | np.integer) and 0 <= self.seed <= 1 << 62):
            raise InputError(f"the seed must be a whole number, 0 to 2**62, not {self.seed!r}.")
        if self.workers is not None and not 1 <= self.workers <= 1024:
            raise InputError(f"the number of workers must be 1 to 1024, not {self.workers}.")
        if self.device not in get_args(Device):
            raise InputError(f"the device is 'cpu', 'gpu' or 'auto', not {self.device!r}.")
        if self.device == "gpu" and (self.workers or self.cluster):
            raise InputError("a GPU plays all games by itself: leave out the number of workers and the cluster.")

    def plan(self, width: float = 1.0) -> SimulationPlan:
        """Return the number of games, of a game whose payoffs have a range of this width.

        Raises:
            InputError: for no amount or several, or a number out of range.
        """
        error = None if self.until_stderr is None else self.until_stderr / width
        return SimulationPlan.of(self.games, error, self.deals, self.per_deal)

    def prepare(self, game: Game, rules: Rules, keep: Path | None, progress: Progress) -> SimulationRun:
        """Return the simulation of a game under its rules, ready to run.

        Raises:
            KomiError: as `simulate` does.
        """
        game = game.under(rules)
        plan = self.plan(game.payoff_scale(rules).width)
        check_no_average(kind_of(game, rules))
        check_start(game, rules)
        job = SimulationJob(game, rules, _policies_by_seat(game, rules, self.policies), self.seed, plan, self.notice)
        return SimulationRun(job, keep, progress)

    def takes_card(self, games: int) -> bool:
        """Return whether so many games are played on a graphics processor.

        With "auto" they are if there is one, and they take longer on the cores than their compilation for it.
        """
        from komi.gpu.card import has_card

        is_free = self.device == "auto" and self.workers is None and self.cluster is None
        return self.device == "gpu" or (is_free and games >= MIN_GAMES and has_card())


def simulate(
    game: GameLike,
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
) -> Simulation:
    """Play many games, and report statistics with standard errors.

    The result depends only on the game, its rules, the policies, the seed and the number of games. It does not depend
    on the number of workers or on interruptions.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        games: number of games.
        policies: one for each seat, the first to move first, or one for all; a policy, its name, or a
            function (rules, state) -> action, in the language of rule files.
        seed: seed of the random numbers, 0 to 2**62.
        until_stderr: instead of a number of games, the largest standard error of a win rate, or of a mean payoff in
            a game with a `payoff_range`; play continues until it is reached.
        deals: instead of a number of games, the number of deals; `per_deal` games of each share their random numbers:
            the same cards, dice and order of the deck, as far as play uses them in the same order.
        per_deal: number of games of each deal.
        workers: number of cores to use; all by default.
        cluster: the address of a Ray cluster, or "auto" for a running one or a new one on this machine.
        device: "gpu" to play on a graphics processor, which takes `komi[gpu]`; "auto" to do so if there is one and the
            games are many; "cpu", the default, on the cores. The results are the same.
        keep: a file for the results; if it exists, the simulation resumes from it.
        progress: progress callback, called during long work; see `komi.progress`.
        notice: callback that receives a message before work that takes seconds and happens only once.
        rules: values of rules to change, by name.

    Returns:
        The statistics; after Ctrl-C those of the games played so far (`stopped`).

    Raises:
        InputError: for an unknown game, rule or policy, a number out of range, or a file of another simulation.
        GameError: if the rules are broken, a policy takes an action that is not legal, or a game has no end.
        StorageError: if a file cannot be written.

    Examples:
        >>> import komi
        >>> pig = komi.simulate("pig", 20_000, seed=1, goal=20)
        >>> pig.games, abs(pig.wins[0].mean - 0.52) < 0.02
        (20000, True)
    """
    game = catalog.find(game)
    chosen = game.rules(rules)
    settings = SimulationSettings(
        games, policies, seed, until_stderr, deals, per_deal, workers, cluster, device, notice
    )
    run = settings.prepare(game, chosen, Path(keep) if keep else None, progress)
    return run.run(workers, cluster, device_job(run.job) if settings.takes_card(run.plan.most_games) else None)


def _policies_by_seat(
    game: Game, rules: Rules, policies: Sequence[PolicyLike] | PolicyLike
) -> tuple[Policy | str, ...]:
    """Return a policy, or the name of one, for each seat."""
    players = game.players(rules)
    listed = (policies,) * players if isinstance(policies, str) or not isinstance(policies, Sequence) else policies
    if len(listed) != players:
        raise InputError(f"{game.name} is for {players} players, not for {len(listed)} policies.")
    return tuple(each if isinstance(each, str) else find_or_solve(each, game, {}) for each in listed)
