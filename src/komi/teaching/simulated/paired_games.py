"""Games of a strategy against rivals, in every seat, with the same deals for all strategies that are compared.

The random numbers of a deal are the same for all players, as far as play uses them in the same order (common random
numbers; A. Law, Simulation Modeling and Analysis, 2015, chapter 11). The difference between two strategies in a deal
therefore has a smaller variance than the payoff of each.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from komi import streams
from komi.arrays import F64, U64
from komi.compiling.compiled import compiled_game
from komi.jit.kernels import Notice
from komi.parallel import spread
from komi.policies.calls import PolicyCalls
from komi.policies.policy import Policy
from komi.progress import Progress, silent
from komi.rules.game import Game
from komi.simulation import playout
from komi.simulation.counting import PER_SEAT, SHARE, BlockStatistics, GameStatistics
from komi.simulation.job import playout_error
from komi.simulation.playout import Deals, Interruption, PlayoutStatus
from komi.typing import Rules

Job = tuple[int, int]  # the rival, and the seat of the learner


class PairedGames:
    """Matches of one policy against several rivals, each of which takes all other seats.

    Args:
        game: a multiplayer game.
        rules: its rules.
        learner: a policy with the same compiled call as those that are tried.
        rivals: the opponents.
        seed: the seed of the random numbers.
        notice: called with a sentence before a compilation.
        device: "cpu" or "gpu", which play the same games.

    Raises:
        InputError: if there is no GPU, or a rival cannot play on it.
    """

    def __init__(
        self,
        game: Game,
        rules: Rules,
        learner: Policy,
        rivals: Sequence[Policy],
        seed: int,
        notice: Notice,
        device: str = "cpu",
    ) -> None:
        self._game, self._rules, self._rivals = game, rules, tuple(rivals)
        self._seats, self._scale = game.players(rules), game.payoff_scale(rules)
        self._calls = PolicyCalls.of([learner, *rivals])
        compiled = compiled_game(game, fields=game.fields(rules))
        self._start, self._kernels = compiled.start(rules), self._calls.kernels(compiled)
        self._kernels.notice = notice
        self._keys = np.array([streams.key(seed, purpose) for purpose in range(2)])
        self._on_card = _playouts(game, rules, self._calls, self._keys) if device == "gpu" else None

    def play(self, policy: Policy, deals: tuple[int, int]) -> F64:
        """Play the deals; return float64[deals, rivals, seats], the policy's payoffs.

        Args:
            policy: one like the learner, or one of the rivals.
            deals: the first, and one past the last.

        Raises:
            GameError: if a rival takes an action that is not legal, or a game does not end.
        """
        payoffs = np.empty((deals[1] - deals[0], len(self._rivals), self._seats))
        calls = self._calls_of(policy)

        def play_job(job: Job, progress: Progress = silent) -> F64:  # noqa: ARG001
            return self._play_job(calls, job, deals)

        def play_on_card(job: Job) -> F64:
            return self._play_on_card(calls, job, deals)

        jobs = [(rival, seat) for rival in range(len(self._rivals)) for seat in range(self._seats)]
        played = spread(play_job, jobs) if self._on_card is None else zip(jobs, map(play_on_card, jobs), strict=True)
        for (rival, seat), result in played:
            if isinstance(result, Exception):
                raise result
            payoffs[:, rival, seat] = result
        return payoffs

    def _calls_of(self, policy: Policy) -> PolicyCalls:
        """Return the interface to the policies, with the learner's seat taken by this policy."""
        calls = self._calls
        if policy in self._rivals:
            number = calls.numbers[1 + self._rivals.index(policy)]
            return replace(calls, policies=(policy, *self._rivals), numbers=np.array([number, *calls.numbers[1:]]))
        code = policy.code()
        assert code is not None
        data = list(calls.data)
        data[calls.numbers[0] - 1] = code.data
        return replace(calls, policies=(policy, *self._rivals), data=tuple(data))

    def _play_job(self, calls: PolicyCalls, job: Job, deals: tuple[int, int]) -> F64:
        """Play the deals of one job; return float64[deals], the learner's payoffs."""
        assignment, seat = self._assignment(job), job[1]
        block = BlockStatistics.empty(self._seats, deals[1] - deals[0])
        interruption = Interruption.of(self._game, np.zeros(1, np.bool_))
        players = calls.players._replace(policies=calls.numbers[assignment])
        record, _kept = GameStatistics.into(block)
        status = self._kernels[playout.play](
            self._rules, self._start, players, self._keys, Deals(*deals, 1), record, interruption
        )
        if status != PlayoutStatus.DONE:
            policies = [calls.policies[index] for index in assignment]
            raise playout_error(status, self._game, self._rules, policies, interruption.witness)
        return self._scale.payoff(np.asarray(block.deals[:, seat * PER_SEAT + SHARE], np.float64))

    def _play_on_card(self, calls: PolicyCalls, job: Job, deals: tuple[int, int]) -> F64:
        """Play the deals of one job on the card; return what `_play_job` does."""
        assert self._on_card is not None
        record = self._on_card(calls.numbers[self._assignment(job)], calls.data, Deals(*deals, 1))
        if record.failed.copy_to_host()[0] < deals[1]:
            self._play_job(calls, job, deals)  # raises the error that says why
            raise self._on_card.error()
        return self._scale.payoff(record.sums[job[1] * PER_SEAT + SHARE].copy_to_host())

    def _assignment(self, job: Job) -> list[int]:
        """Return the index of the policy in each seat: 0 for the learner's."""
        rival, seat = job
        assignment = [1 + rival] * self._seats
        assignment[seat] = 0
        return assignment


def _playouts(game: Game, rules: Rules, calls: PolicyCalls, keys: U64) -> Any:
    """Return the playouts on the card."""
    from komi.gpu.card import check_card

    check_card()
    from komi.simulation.device_playouts import DevicePlayouts  # needs numba-cuda

    return DevicePlayouts(game, rules, calls, keys)
