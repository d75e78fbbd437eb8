"""The job of a simulation: a range of deals, played by any worker."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from komi import streams
from komi.arrays import I64
from komi.errors import GameError
from komi.game import Game
from komi.policies.calls import PolicyCalls
from komi.policies.named import find_or_solve
from komi.policies.policy import Policy, SerializedPolicy
from komi.policies.tabulate import illegal_action_error
from komi.progress import Progress, silent
from komi.rules.bundle import SerializedModule
from komi.rules.compiled import compiled_game
from komi.simulation import playout
from komi.simulation.counting import BlockStatistics
from komi.simulation.plan import SimulationPlan
from komi.simulation.playout import Deals, Interruption
from komi.simulation.soundness import FIRST_GAMES, GAMES, find_unsound_state, unsound_rules_error
from komi.typing import Rules


class SimulationJob:
    """Plays blocks of deals.

    It can be serialized for another process, which finds game and policies by name.
    """

    def __init__(
        self, game: Game, rules: Rules, seats: tuple[Policy | str, ...], seed: int, plan: SimulationPlan
    ) -> None:
        game = game.under(rules)
        self.settings, self.seats, self.seed, self.plan = rules._asdict(), seats, seed, plan
        self.game, self.rules = game, rules
        named = {text: find_or_solve(text, self.game, self.settings) for text in seats if isinstance(text, str)}
        self.policies = tuple(named[policy] if isinstance(policy, str) else policy for policy in seats)
        self.calls = PolicyCalls.of(self.policies)
        compiled = compiled_game(self.game, fields=self.game.fields(self.rules))
        self.kernels, self._checked_kernels = self.calls.kernels(compiled), self.calls.kernels(compiled.checked)
        self._start = compiled.start(self.rules)
        self.keys = np.array([streams.key(self.seed, purpose) for purpose in range(3)])
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

    def __call__(self, deals: tuple[int, int], progress: Progress = silent) -> BlockStatistics | None:  # noqa: ARG002
        """Play a range of deals; return None if stopped."""
        first, end = deals
        interruption = Interruption.of(self.game, self.stop)
        self._check_rules(first, interruption)
        block = BlockStatistics.empty(len(self.policies), (end - first) * self.plan.stores_deals)
        status = self.kernels[playout.play](
            self.rules,
            self._start,
            self.calls.players,
            self.keys[:2],
            Deals(first, end, self.plan.per_deal),
            block,
            interruption,
        )
        if status == playout.STOPPED:
            return None
        if status != playout.DONE:
            raise playout_error(status, self.game, self.rules, self.policies, interruption.witness)
        return block

    def _check_rules(self, first: int, interruption: Interruption) -> None:
        """Check the rules in a few games, starting with the number of the first deal."""
        games = Deals(first, first + (GAMES if first else FIRST_GAMES), 1)
        kernel = self._checked_kernels[find_unsound_state]
        if kernel(self.rules, self._start, self.calls.players, self.keys[2], games, interruption):
            state = self.game.module.State(*map(int, interruption.witness[:-2]))
            raise unsound_rules_error(self.game, self.rules, state)


def playout_error(status: int, game: Game, rules: Rules, policies: Sequence[Policy], witness: I64) -> GameError:
    """Return the error for a failed playout: `status` is the return code of `playout.play`."""
    *fields, action, seat = map(int, witness)
    state = game.module.State(*fields)
    if status == playout.ENDLESS:
        text = game.write(rules, state)
        return GameError(f"a game of {game.name} continues after {playout.MAX_ACTIONS:,} actions, in {text}.")
    if status == playout.ILLEGAL:
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
