"""The job of a simulation: a range of deals, played by any worker."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from komi import streams
from komi.arrays import I64, U64
from komi.compiling.compiled import compiled_game
from komi.errors import GameError
from komi.jit.kernels import Kernels, Notice
from komi.policies.calls import PolicyCalls
from komi.policies.named import find_or_solve
from komi.policies.playing import CompiledPlaying, compiled_kernels, playing_of
from komi.policies.policy import Policy, SerializedPolicy
from komi.policies.tabulate import illegal_action_error
from komi.progress import Progress, silent
from komi.rules.catalog import SerializedModule
from komi.rules.game import Game
from komi.simulation import playout
from komi.simulation.counting import BlockStatistics, GameStatistics
from komi.simulation.plan import SimulationPlan
from komi.simulation.playout import Deals, Interruption, PlayoutStatus
from komi.simulation.soundness import FIRST_GAMES, GAMES, MAX_VISITED, check_visited, unsound_rules_error
from komi.typing import Rules


class SimulationJob:
    """Plays blocks of deals.

    It can be serialized for another process, which finds game and policies by name.
    """

    def __init__(
        self,
        game: Game,
        rules: Rules,
        seats: tuple[Policy | str, ...],
        seed: int,
        plan: SimulationPlan,
        notice: Notice = lambda message: None,
    ) -> None:
        game = game.under(rules)
        self.settings, self.seats, self.seed, self.plan = rules._asdict(), seats, seed, plan
        self.game, self.rules = game, rules
        named = {text: find_or_solve(text, self.game, self.settings) for text in seats if isinstance(text, str)}
        self.policies = tuple(named[policy] if isinstance(policy, str) else policy for policy in seats)
        self.calls = PolicyCalls.of(self.policies, from_start=True)
        self._play = playing_of(compiled_game(self.game, notice), self.rules, self.calls, plan.most_games)
        self.keys = np.array([streams.key(self.seed, purpose) for purpose in range(4)])
        self.stop = np.zeros(1, np.bool_)

    def __reduce__(self) -> tuple[Any, ...]:
        seats = tuple(policy.serialize() or seat for policy, seat in zip(self.policies, self.seats, strict=True))
        return _restore, (
            SerializedModule.of(self.game.module),
            tuple(self.settings.items()),
            seats,
            self.seed,
            self.plan,
        )

    @property
    def kernels(self) -> Kernels:
        """The kernels with rules and policies in them, whether or not they are the ones that play."""
        return compiled_kernels(compiled_game(self.game), self.rules, self.calls)

    def __call__(self, deals: tuple[int, int], progress: Progress = silent) -> BlockStatistics | None:  # noqa: ARG002
        """Play a range of deals; return None if stopped."""
        first, end = deals
        if isinstance(self._play, CompiledPlaying):
            checked = Deals(first, first + (GAMES if first else FIRST_GAMES), 1)
            interruption = Interruption.of(self.game, self.stop, MAX_VISITED)
            self._run(self.keys[2:], checked, BlockStatistics.empty(len(self.policies), 0), interruption)
            check_visited(self._play.compiled, self.rules, interruption.visited)
        interruption = Interruption.of(self.game, self.stop)
        block = BlockStatistics.empty(len(self.policies), (end - first) * self.plan.stores_deals)
        status = self._run(self.keys[:2], Deals(first, end, self.plan.per_deal), block, interruption)
        if status == PlayoutStatus.STOPPED:
            return None
        if status != PlayoutStatus.DONE:
            witness = self._play.unpacked(interruption.witness)
            raise playout_error(status, self.game, self.rules, self.policies, witness)
        return block

    def _run(self, keys: U64, deals: Deals, block: BlockStatistics, interruption: Interruption) -> int:
        """Play the deals, and return how this ended."""
        record, _kept = GameStatistics.into(block)
        return int(self._play(playout.play, keys, deals, record, interruption))


def playout_error(status: int, game: Game, rules: Rules, policies: Sequence[Policy], witness: I64) -> GameError:
    """Return the error for a failed playout: `status` is the return code of `playout.play`."""
    *fields, action, seat = map(int, witness)
    state = game.module.State(*fields)
    if status == PlayoutStatus.ENDLESS:
        text = game.write(rules, state)
        return GameError(f"a game of {game.name} continues after {playout.MAX_ACTIONS:,} actions, in {text}.")
    if status == PlayoutStatus.ILLEGAL:
        return illegal_action_error(policies[seat], action, game, rules, state)
    return unsound_rules_error(game, rules, state)


@lru_cache(4)
def _restore(
    game: SerializedModule,
    rules: tuple[tuple[str, Any], ...],
    seats: tuple[Policy | SerializedPolicy | str, ...],
    seed: int,
    plan: SimulationPlan,
) -> SimulationJob:
    """Create the job in another process, which compiles, or loads, the kernels once for all blocks."""
    found = game.game()
    checked = found.rules(dict(rules))
    policies = tuple(seat.restore() if hasattr(seat, "restore") else seat for seat in seats)
    return SimulationJob(found.under(checked), checked, policies, seed, plan)
