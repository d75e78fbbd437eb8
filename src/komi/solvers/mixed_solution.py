"""The base class of solutions whose optimal play is mixed: a probability of each action in each state."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

import numpy as np

from komi.arrays import F64, I16, I64
from komi.errors import AuditError, SolveError
from komi.game import CHANCE
from komi.graph.expanded_rules import GraphKernels
from komi.graph.lookup import StateIndex, members, state_at
from komi.graph.state_sets import StateSet
from komi.progress import silent
from komi.proof.audit import WIDTH, ListedPlay, rows
from komi.proof.certificate import Fields, as_read, rule_fields
from komi.proof.nodes import check_claims, play_claim
from komi.rules.interface import legal
from komi.rules.tuple_fields import author_of
from komi.solvers.columns import Columns
from komi.solvers.numeric_solution import NumericSolution
from komi.solvers.solution import AnyState, OptimalPlay
from komi.typing import Rules

MAX_NODES = 3_000  # nodes that an audit evaluates, in exact arithmetic, for each player
WEIGHT_BITS = 32  # of the weight of an action that the policy is sure to take


class HasMixes(Protocol):
    """The interface of the solution data: besides the states, what optimal play does in them."""

    @property
    def states(self) -> StateSet:
        """The states, without terminal ones."""
        ...

    @property
    def values(self) -> F64:
        """float64[states], the value of each to the player to move."""
        ...

    @property
    def mixes(self) -> F64:
        """float64[states, actions], the probability of each legal action, in the order of the rules."""
        ...


Mixes = TypeVar("Mixes", bound=HasMixes)
"""The solution data of a solver whose optimal play is mixed."""


class MixedSolution(NumericSolution[Mixes]):
    """Optimal play that gives each action a probability; see `mixed`."""

    @property
    def optimal_play(self) -> OptimalPlay:
        """Optimal play in all states solved so far, as arrays; a choice is the likeliest action."""
        data = self.data
        choices = np.empty(data.states.size, np.int16)
        GraphKernels(self.compiled)[_list_actions](self.rules, data.states, data.mixes.argmax(axis=1), choices)
        return OptimalPlay(data.states, data.values, choices)

    @property
    def weight_bits(self) -> int:
        """The binary logarithm of the weight that an audit gives to an action that the policy is sure to take."""
        return WEIGHT_BITS

    @property
    def is_provable(self) -> bool:
        """Whether an audit of both policies is sure to prove the value, and not only an interval that contains it."""
        return self.kind.simultaneous

    def audit(self, play: ListedPlay) -> bool:
        """Check what each player's policy guarantees by a certificate, with the rules as the checker runs them."""
        name, near = self.game.name, self.error_bound + self.scale * WIDTH
        proved = self._proved(play, [(0, [0, None]), (0, [None, 0])])
        if not proved:
            return False
        low, high = proved[0]["lower"], proved[1]["upper"]
        value = self.value()
        if not low - near <= value <= high + near or (self.is_provable and high - low > 2 * near):
            raise AuditError(
                f"the value of {name} was computed as {value:.12g}, off by at most {self.error_bound:.1e}, but the "
                f"policies prove that it is from {low:.12g} to {high:.12g}: this is an error in komi."
            )
        return bool(high - low <= 2 * near)

    def _proved(self, play: ListedPlay, plays: Sequence[tuple[int, list[int | None]]]) -> list[Fields]:
        """Return what certificates prove; nothing if there are too many nodes.

        Args:
            play: all of play.
            plays: seats, each with 0 for the seats that follow the policy, and None for one that plays its best.
        """
        certificate = as_read({**rule_fields(self.game, self.rules), "policies": [self._policy(play)]})
        try:
            claims = [play_claim(certificate, seat, seats, silent, max_nodes=MAX_NODES) for seat, seats in plays]
            return check_claims(certificate, claims, silent)
        except SolveError:
            return []

    def _policy(self, play: ListedPlay) -> Fields:
        """Return the policy of all players as fields of a certificate.

        Raises:
            AuditError: if it tells apart states that look alike to the player to move.
        """
        view = author_of(self.game.module).view
        shares: dict[Any, tuple[list[int], list[int]]] = {}
        for state, index, span in zip(
            play.states, self.data.states.indices_of_fields(play.flat_fields(self.game)), rows(play), strict=True
        ):
            actions = play.actions[span].tolist()
            if actions == [CHANCE] or index < 0:  # play leads to some states with probability 0 only
                continue
            weights = [round(share * 2.0**self.weight_bits) for share in self.data.mixes[index, : len(actions)]]
            seen = view(self.rules, state)
            if shares.setdefault(seen, (actions, weights)) != (actions, weights):
                raise AuditError(
                    f"the policy of {self.game.name} tells apart states that look like {seen}: this is an error in "
                    "komi."
                )
        chosen = {seen: weights for seen, (actions, weights) in shares.items() if len(actions) > 1}
        return {"name": "optimal", "states": list(zip(*chosen, strict=True)), "shares": list(chosen.values())}

    def _more_columns(self) -> Columns:
        """Return "probability_0", ...: the probability of each legal action, in the order of the rules."""
        return {f"probability_{number}": column for number, column in enumerate(self.data.mixes.T)}

    def mixed(self, state: AnyState | None = None) -> dict[str, float]:
        """Return the probability of each legal action in optimal play, in the order of the rules.

        Empty where the game is over.
        """
        read = self.read(state)
        if self._is_over(read):
            return {}
        self.include([read])
        labels = self.game.labels(self.rules, read)
        mix = self.data.mixes[self.data.states.index_of(read)]
        return {label: float(share) for label, share in zip(labels, mix, strict=False)}

    def best(self, state: AnyState | None = None) -> str | None:
        """Return the likeliest action in optimal play; None where the game is over."""
        mixed = self.mixed(state)
        return max(mixed, key=lambda label: mixed[label]) if mixed else None


def _list_actions(rules: Rules, states: StateIndex, ranks: I64, actions: I16) -> None:
    """Fill in int16[states], the legal action of each state with this rank in the order of the rules."""
    for index, handle in members(states.keys):
        for rank, action in enumerate(legal(rules, state_at(states, handle))):
            if rank == ranks[index]:
                actions[index] = action
