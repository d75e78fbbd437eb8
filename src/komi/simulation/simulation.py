"""Monte Carlo: games of any game of the protocol, played by any policies, and what is seen in them."""

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi import catalog
from komi.agents.policy import Policy
from komi.agents.seated import find as find_policy
from komi.compile.compiled import CompiledGame
from komi.compile.kernels import Notice
from komi.errors import GameError, InputError
from komi.game import Game
from komi.progress import Progress, silent
from komi.simulation import luck, playout, running_file, streams
from komi.simulation.playout import (
    ACTION_COUNT,
    LEAD_CHANGES,
    NEVER_ACTED,
    SCORE,
    SHARE,
    SOME_NEVER_ACTED,
    TURN_COUNT,
    Block,
)
from komi.simulation.seating import NO_ACTION, Seating
from komi.simulation.tally import Tally
from komi.spread import Cluster, Spread, Threads

BLOCK = 1 << 14  # games of a block, at most: some hundredths of a second
BLOCKS = 128  # of a simulation, at least: standard errors between blocks need many
KEEP_EVERY = 10.0  # seconds
MOST_GAMES = 1 << (63 - streams.STREAM_BITS)


@dataclass(frozen=True)
class Estimate:
    """A mean over games, and its standard error; where deals repeat, the deal is the unit."""

    mean: float
    stderr: float


@dataclass(frozen=True, eq=False)
class Simulation:
    """What was seen in many games.

    Attributes:
        game: the game.
        rules: its rules.
        policies: who sat where, the first to move first.
        seed: of the random numbers.
        seconds: of playing, in all runs together; compiling is not counted.
        stopped: whether it was interrupted before its end.
        tally: all sums.
    """

    game: Game
    rules: Any
    policies: tuple[Policy, ...]
    seed: int
    seconds: float
    stopped: bool
    tally: Tally = field(repr=False)

    @property
    def games(self) -> int:
        """How many were played."""
        return self.tally.games

    @property
    def games_per_second(self) -> float:
        """Of all workers together."""
        return self.games / self.seconds if self.seconds else 0.0

    @property
    def wins(self) -> tuple[Estimate, ...]:
        """Each seat's win rate, a shared win counting half (or its part)."""
        return self._by_seat(SHARE)

    @property
    def never_acted(self) -> tuple[Estimate, ...]:
        """The share of games in which the seat never had a choice to make."""
        return self._by_seat(NEVER_ACTED)

    @property
    def some_never_acted(self) -> Estimate:
        """The share of games in which some seat never had a choice to make."""
        return Estimate(*self.tally.of_table(SOME_NEVER_ACTED))

    @property
    def scores(self) -> tuple[Estimate, ...] | None:
        """What each seat gains on the way; None where a game has no rewards."""
        return self._by_seat(SCORE) if self.game.has("reward") else None

    @property
    def turns(self) -> Estimate:
        """Turns of all players together; one on which a player can only drop out is a turn."""
        return Estimate(*self.tally.of_table(TURN_COUNT))

    @property
    def actions(self) -> Estimate:
        """Actions that players chose, of all together."""
        return Estimate(*self.tally.of_table(ACTION_COUNT))

    @property
    def lead_changes(self) -> Estimate | None:
        """How often the lead passes to another seat, looked at after each turn; None if the game names no leader."""
        return Estimate(*self.tally.of_table(LEAD_CHANGES)) if self.game.has("leader") else None

    @property
    def fewest_turns(self) -> int:
        """Of any game."""
        return int(self.tally.extremes[0])

    @property
    def most_turns(self) -> int:
        """Of any game."""
        return int(self.tally.extremes[1])

    @property
    def turns_histogram(self) -> dict[int, int]:
        """Games by number of turns."""
        return {int(turns): int(self.tally.turns.counts[turns]) for turns in np.flatnonzero(self.tally.turns.counts)}

    @property
    def still_running(self) -> list[Estimate]:
        """The share of games that are not over after 0, 1, 2, ... turns."""
        shares, errors = self.tally.turns.at_least(self.tally.blocks)
        return [Estimate(float(share), float(error)) for share, error in zip(shares[1:], errors[1:], strict=True)]

    @property
    def most_moves(self) -> int:
        """The largest number of legal moves that was seen."""
        return int(self.tally.extremes[2])

    @property
    def moves_histogram(self) -> dict[int, int]:
        """Decisions by number of legal moves."""
        return {int(moves): int(self.tally.moves.counts[moves]) for moves in np.flatnonzero(self.tally.moves.counts)}

    @property
    def mean_moves(self) -> float:
        """Legal moves of a decision, on average."""
        counts = self.tally.moves.counts
        return float(np.arange(len(counts)) @ counts / max(int(counts.sum()), 1))

    @property
    def moves_at_least(self) -> list[Estimate]:
        """The share of decisions with at least 0, 1, 2, ... legal moves."""
        shares, errors = self.tally.moves.at_least(self.tally.blocks)
        return [Estimate(float(share), float(error)) for share, error in zip(shares, errors, strict=True)]

    @property
    def deal_rates(self) -> NDArray[np.float64]:
        """float64[deals, seats], each deal's win rates; no rows where deals do not repeat."""
        return self.tally.rows / self.tally.per_deal

    def worst_seat_below(self, rate: float) -> Estimate:
        """The share of deals in which some seat wins less than so often."""
        below = self.deal_rates.min(axis=1) < rate
        share = float(below.mean())
        return Estimate(share, float(np.sqrt(share * (1 - share) / max(len(below) - 1, 1))))

    def variance(self, seat: int) -> luck.Variance:
        """How much of a seat's result the deal explains, and how much the play."""
        return luck.variance(self.tally.rows[:, seat], self.tally.per_deal)

    def _by_seat(self, quantity: int) -> tuple[Estimate, ...]:
        return tuple(Estimate(*self.tally.of_seat(seat, quantity)) for seat in range(self.tally.seats))


def simulate(
    game: str | Game,
    games: int | None = None,
    *,
    policies: Sequence[Policy | str] | Policy | str = "random",
    seed: int = 0,
    until_stderr: float | None = None,
    deals: int | None = None,
    per_deal: int = 1,
    workers: int | None = None,
    cluster: bool = False,
    keep: str | Path | None = None,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> Simulation:
    """Play many games, and say what was seen in them with standard errors.

    What comes of it depends on the game, its rules, the policies, the seed and the number of games only: not
    on the number of workers, nor on interruptions.

    Args:
        game: a built-in game's name, the path of a rule file, or a Game.
        games: how many.
        policies: one for each seat, the first to move first, or one for all; a policy or a name of one.
        seed: of the random numbers, 0 to 2**62.
        until_stderr: instead, play until no win rate has a larger standard error.
        deals: instead, so many deals; `per_deal` games of each have the same chance: the same cards, dice
            and order of the deck, as far as play uses it in the same order.
        per_deal: games of each deal.
        workers: cores to use; all by default.
        cluster: use the workers of a Ray cluster.
        keep: a file that what was played is kept in, and that is gone on with if it is there.
        progress: is told how far the work is.
        notice: is told what takes seconds and happens only once.
        rules: the rules to change, by name.

    Returns:
        what was seen; after Ctrl-C, until then (`stopped`).

    Raises:
        InputError: for an unknown game, rule or policy, a number out of its range, or a file of something else.
        GameError: if the rules are broken, a policy takes an action that is not legal, or a game has no end.
        StorageError: if a file cannot be written.

    Example:
        >>> import komi
        >>> pig = komi.simulate("pig", 20_000, seed=1, goal=20)
        >>> pig.games, abs(pig.wins[0].mean - 0.52) < 0.02
        (20000, True)
    """
    if isinstance(game, str):
        game = catalog.find(game)
    chosen = game.rules(rules)
    plan = _Plan.of(games, until_stderr, deals, per_deal)
    if not 0 <= seed <= 1 << 62:
        raise InputError(f"the seed must be 0 to 2**62, not {seed}.")
    if workers is not None and not 1 <= workers <= 1024:
        raise InputError(f"the number of workers must be 1 to 1024, not {workers}.")
    work = _Work(game, chosen, _seated(game, chosen, policies), seed, plan)
    workers = workers or os.cpu_count() or 1
    spread: Spread = Cluster(workers) if cluster else Threads(workers)
    return _Run(work, Path(keep) if keep else None, spread, progress, notice).played()


def _seated(game: Game, rules: Any, policies: Sequence[Policy | str] | Policy | str) -> tuple[Policy | str, ...]:
    """A policy, or the name of one, for each seat."""
    players = game.players(rules)
    if isinstance(policies, str) or not isinstance(policies, Sequence):
        return (policies,) * players
    if len(policies) != players:
        raise InputError(f"{game.name} is for {players} players, not for {len(policies)} policies.")
    return tuple(policies)


@dataclass(frozen=True)
class _Plan:
    """How much to play."""

    deals: int | None  # None: until the standard error is small enough
    per_deal: int
    stderr: float | None
    repeats: bool  # whether each deal's results are kept

    @classmethod
    def of(cls, games: int | None, stderr: float | None, deals: int | None, per_deal: int) -> "_Plan":
        if sum(amount is not None for amount in (games, stderr, deals)) != 1:
            raise InputError("say how much to play: a number of games, or of deals, or a standard error to reach.")
        if per_deal < 1:
            raise InputError(f"the number of games of each deal must be 1 or more, not {per_deal}.")
        if games is not None and per_deal != 1:
            raise InputError("games of each deal go with a number of deals, not of games.")
        if stderr is not None and not 0 < stderr < 1:
            raise InputError(f"the standard error must be between 0 and 1, not {stderr:g}.")
        amount = games if deals is None else deals
        if amount is not None and not 1 <= amount * per_deal <= MOST_GAMES:
            what = "games" if deals is None else "deals"
            raise InputError(f"the number of {what} must be 1 to {MOST_GAMES // per_deal:,}, not {amount}.")
        return cls(amount, per_deal, stderr, deals is not None)

    @property
    def block(self) -> int:
        """Deals of one block."""
        if self.deals is None:
            return BLOCK // 4  # so that there are soon enough blocks to judge by
        return max(min(BLOCK // self.per_deal, self.deals // BLOCKS), 1)

    def is_enough(self, tally: Tally) -> bool:
        """Whether to end here."""
        if self.stderr is None:
            return tally.deals == self.deals
        return tally.blocks >= BLOCKS and tally.stderr <= self.stderr

    def left(self, first: int, block: int) -> Iterator[tuple[int, int]]:
        """The blocks to play from a deal on, as (first deal, one past the last)."""
        while self.deals is None or first < self.deals:
            end = first + block if self.deals is None else min(first + block, self.deals)
            yield first, end
            first = end

    def games(self, tally: Tally) -> int:
        """How many games there are to play; a guess where the standard error decides."""
        if self.deals is not None:
            return self.deals * self.per_deal
        assert self.stderr is not None
        return int(tally.games * max((tally.stderr / self.stderr) ** 2, 1.0)) if tally.deals > 1 else 0


class _Work:
    """Plays blocks of deals; can be sent to another process, which finds game and policies by name itself."""

    def __init__(self, game: Game, rules: Any, seated: tuple[Policy | str, ...], seed: int, plan: _Plan) -> None:
        self.rules, self.seated, self.seed, self.plan = rules._asdict(), seated, seed, plan
        self.game, self.chosen = game, rules
        self._prepare()

    def _prepare(self) -> None:
        named = {text: find_policy(text, self.game, self.rules) for text in self.seated if isinstance(text, str)}
        self.policies = tuple(named[policy] if isinstance(policy, str) else policy for policy in self.seated)
        self.compiled = CompiledGame(self.game)
        self.seating = Seating.of(self.policies)
        self.kernels = self.seating.kernels(self.compiled)
        self.keys = np.array([streams.key(self.seed, 0), streams.key(self.seed, 1)])
        self.stop = np.zeros(1, np.bool_)

    def __getstate__(self) -> dict[str, Any]:
        name = self.game.name if self.game.name in catalog.names() else str(self.game.file)
        return {"game": name, "rules": self.rules, "seated": self.seated, "seed": self.seed, "plan": self.plan}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.rules, self.seated, self.seed, self.plan = (state[key] for key in ("rules", "seated", "seed", "plan"))
        self.game = catalog.find(state["game"])
        self.chosen = self.game.rules(self.rules)
        self._prepare()

    def __call__(self, deals: tuple[int, int]) -> Block | None:
        """Play a range of deals; None if stopped meanwhile."""
        first, end = deals
        block = Block.empty(len(self.policies), (end - first) * self.plan.repeats)
        witness = np.zeros(len(self.game.module.State._fields) + 2, np.int64)
        how = self.kernels[playout.play](
            self.chosen,
            self.seating.seats,
            self.seating.choosers,
            self.keys,
            deals,
            self.plan.per_deal,
            block,
            self.stop,
            witness,
        )
        if how in (playout.ILLEGAL, playout.ENDLESS):
            raise self._broken(how, witness)
        return None if how == playout.STOPPED else block

    def _broken(self, how: int, witness: NDArray[np.int64]) -> GameError:
        *fields, action, seat = map(int, witness)
        state = self.game.module.State(*fields)
        written = self.game.write(self.chosen, state)
        if how == playout.ENDLESS:
            return GameError(
                f"a game of {self.game.name} goes on after {playout.MOST_ACTIONS:,} actions, in {written}."
            )
        who = f"policy {self.policies[seat].name}"
        if action == NO_ACTION:
            return GameError(f"{who} does not know what to do in {written}.")
        legal = ", ".join(self.game.labels(self.chosen, state))
        return GameError(f"{who} takes action {action} in {written}, where only {legal} is legal.")


class _Run:
    """A simulation under way."""

    def __init__(self, work: _Work, keep: Path | None, spread: Spread, progress: Progress, notice: Notice) -> None:
        self.work, self.plan, self.keep, self.spread, self.progress = work, work.plan, keep, spread, progress
        plan = self.plan
        work.kernels.notice = notice
        self.header = {
            "version": running_file.version(),
            "game": work.game.name,
            "files": work.kernels.mark,
            "rules": work.chosen._asdict(),
            "policies": [policy.name for policy in work.policies],
            "seed": work.seed,
            "per_deal": plan.per_deal,
        }
        self.tally = Tally.empty(len(work.policies), plan.per_deal)
        self.block, self.before = plan.block, 0.0
        kept = running_file.load(keep, self.header) if keep else None
        if kept:
            self.tally, self.block, self.before = kept
        if plan.deals is not None and self.tally.deals > plan.deals:
            raise InputError(f"{keep} has {self.tally.games:,} games already, more than are asked for.")

    def played(self) -> Simulation:
        """Play what is left."""
        work = self.work
        work((0, 0))  # compiles, or loads
        self.begin = self.kept_at = time.perf_counter()
        stopped = False
        try:
            if not self.plan.is_enough(self.tally):
                self._go_on()
        except KeyboardInterrupt:
            stopped = True
        except BaseException:
            self._keep()
            raise
        self._keep()
        return Simulation(work.game, work.chosen, work.policies, work.seed, self._seconds(), stopped, self.tally)

    def _go_on(self) -> None:
        ranges = list[tuple[int, int]]()
        results = self.spread(self.work, self._handed_out(ranges))
        try:
            for result in results:
                first, end = ranges.pop(0)
                assert result is not None
                self.tally = self.tally.plus(result, end - first)  # at once, whatever interrupts
                self.progress("playing", self.tally.games, self.plan.games(self.tally), self._interval())
                if self.plan.is_enough(self.tally):
                    break
                if time.perf_counter() - self.kept_at > KEEP_EVERY:
                    self._keep()
        finally:
            self.work.stop[0] = True  # what runs ahead is not needed any more
            results.close()

    def _handed_out(self, ranges: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        for part in self.plan.left(self.tally.deals, self.block):
            ranges.append(part)
            yield part

    def _interval(self) -> str:
        mean, stderr = self.tally.of_seat(0, SHARE)
        return f"first {100 * mean:.3f} ± {100 * stderr:.3f} %"

    def _seconds(self) -> float:
        return self.before + time.perf_counter() - self.begin

    def _keep(self) -> None:
        if self.keep and self.tally.deals:
            running_file.save(self.keep, self.header, self.tally, self.block, self._seconds())
            self.kept_at = time.perf_counter()
