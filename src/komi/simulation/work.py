"""One unit of work of a simulation: a range of deals, played by any worker."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

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
from komi.simulation import playout, streams
from komi.simulation.counting import Block
from komi.simulation.plan import Plan
from komi.simulation.soundness import FIRST_GAMES, GAMES, broken, meets_unsound


class Work:
    """Plays blocks of deals.

    It can be serialized for another process, which finds game and policies by name.
    """

    def __init__(self, game: Game, rules: Any, seated: tuple[Policy | str, ...], seed: int, plan: Plan) -> None:
        self.rules, self.seated, self.seed, self.plan = rules._asdict(), seated, seed, plan
        self.game, self.chosen = game, rules
        self._prepare()

    def _prepare(self) -> None:
        named = {text: find_or_solve(text, self.game, self.rules) for text in self.seated if isinstance(text, str)}
        self.policies = tuple(named[policy] if isinstance(policy, str) else policy for policy in self.seated)
        self.calls = PolicyCalls.of(self.policies)
        self.kernels = self.calls.kernels(compiled_game(self.game, fields=self.game.fields(self.chosen)))
        self.keys = np.array([streams.key(self.seed, purpose) for purpose in range(3)])
        self.stop = np.zeros(1, np.bool_)

    def __reduce__(self) -> tuple[Any, ...]:
        seated = tuple(policy.serialize() or seat for policy, seat in zip(self.policies, self.seated, strict=True))
        return _elsewhere, (
            SerializedModule.of(self.game.module),
            tuple(self.rules.items()),
            seated,
            self.seed,
            self.plan,
        )

    def __call__(self, deals: tuple[int, int], progress: Progress = silent) -> Block | None:  # noqa: ARG002
        """Play a range of deals; return None if stopped."""
        first, end = deals
        witness = np.zeros(len(self.game.module.State._fields) + 2, np.int64)
        self._look_at_rules(first, witness)
        block = Block.empty(len(self.policies), (end - first) * self.plan.repeats)
        calls = self.calls
        how = self.kernels[playout.play](
            self.chosen,
            calls.numbers,
            calls.data,
            self.keys[:2],
            deals,
            self.plan.per_deal,
            block,
            self.stop,
            witness,
        )
        if how == playout.STOPPED:
            return None
        if how != playout.DONE:
            raise not_played(how, self.game, self.chosen, self.policies, witness)
        return block

    def _look_at_rules(self, first: int, witness: I64) -> None:
        """Check the rules in a few games, starting with the number of the first deal."""
        games = first, first + (GAMES if first else FIRST_GAMES)
        calls = self.calls
        kernel = self.kernels[meets_unsound]
        if kernel(self.chosen, calls.numbers, calls.data, self.keys[2], games, self.stop, witness):
            raise broken(self.game, self.chosen, self.game.module.State(*map(int, witness[:-2])))


def not_played(how: int, game: Game, rules: Any, policies: Sequence[Policy], witness: I64) -> GameError:
    """Return the error for a failed playout: `how` is the return code of `playout.play`."""
    *fields, action, seat = map(int, witness)
    state = game.module.State(*fields)
    if how == playout.ENDLESS:
        written = game.write(rules, state)
        return GameError(f"a game of {game.name} goes on after {playout.MAX_ACTIONS:,} actions, in {written}.")
    if how == playout.ILLEGAL:
        return illegal_action_error(policies[seat], action, game, rules, state)
    return broken(game, rules, state)


@lru_cache(4)
def _elsewhere(
    game: SerializedModule,
    rules: tuple[tuple[str, Any], ...],
    seated: tuple[Policy | SerializedPolicy | str, ...],
    seed: int,
    plan: Plan,
) -> Work:
    """Create the work in another process, which compiles, or loads, the kernels once for all blocks."""
    found = game.game()
    arrived = tuple(one.restore() if hasattr(one, "restore") else one for one in seated)
    return Work(found, found.rules(dict(rules)), arrived, seed, plan)
