"""Builds the graph of a component in rational arithmetic by running the rules."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from komi.arrays import F32, F64, I16
from komi.bellman.equations import ActionCode
from komi.bellman.rational_graph import MAXIMIZER, MINIMIZER, NO_PLAYER, ZERO, Action, Graph
from komi.graph.state_sets import StateSet
from komi.typing import Rules

ROUNDING = 64 * 2.0**-52  # the largest difference between a sum of probabilities and 1 that rounding explains

Key = tuple[Any, int, bool]
"""A node: the state, the role, whether player A is to move."""


class StoredValues(NamedTuple):
    """The storage layout of values; see `backup.ValueBackup`.

    Attributes:
        roles: the number of roles.
        is_zero_sum: whether the other of two players gets one minus the mover's value.
        sign: 1.0 to maximize, -1.0 to minimize: values are stored times this.
        is_probability: whether values are probabilities.
        policies: int16[all states, roles], or one row for all states.
        values: float64[all states, roles].
        bounds: float32[all states, roles], their error bounds.
    """

    roles: int
    is_zero_sum: bool
    sign: float
    is_probability: bool
    policies: I16
    values: F64
    bounds: F32


class GraphBuilder:
    """A builder of the graph of a component, with the transient states inside its rolls.

    Args:
        game, rules: the game.
        states: its states; transient states can be missing.
        stored: the storage layout, with the values at the component's boundary.
        members: the states of the component.
    """

    def __init__(self, game: Any, rules: Rules, states: StateSet, stored: StoredValues, members: Sequence[Any]) -> None:
        self._game, self._rules, self._states, self._stored = game, rules, states, stored
        sides = (True, False) if stored.is_zero_sum else (True,)
        self._keys = [(state, role, side) for state in members for role in range(stored.roles) for side in sides]
        self._node = {key: node for node, key in enumerate(self._keys)}
        self._has_rewards = not stored.is_probability and game.has("reward")
        self._is_rounded = True
        self._exits_bound = 0.0

    def build(self, max_nodes: int) -> Graph | None:
        """Build the graph; return None if it has too many nodes."""
        choosers, actions = [], []
        for key in self._keys:  # `_node_of` appends to this list
            if len(self._keys) > max_nodes:
                return None
            actions.append(self._actions(key))
            has_sides = self._stored.is_zero_sum or not self._stored.is_probability
            is_maximizer = key[2] if has_sides else self._stored.sign > 0.0
            choosers.append(NO_PLAYER if len(actions[-1]) == 1 else MAXIMIZER if is_maximizer else MINIMIZER)
        return Graph(self._keys, choosers, actions, self._is_rounded, self._exits_bound)

    def _actions(self, key: Key) -> list[Action]:
        """Return the actions of a node."""
        state, role, _ = key
        policies = self._stored.policies
        prescribed = int(policies[self._states.index_of(state) if len(policies) > 1 else 0, role])
        if prescribed == ActionCode.UNREACHED:
            return [Action(ActionCode.UNREACHED, {}, ZERO, ZERO, True)]
        numbers = [int(action) for action in self._game.part("legal")(self._rules, state)]
        if prescribed <= ActionCode.EXCEPT:
            numbers.remove(ActionCode.EXCEPT - prescribed)
        elif prescribed not in (ActionCode.FREE, ActionCode.UNIFORM):
            numbers = [prescribed]
        actions = [self._action(key, number) for number in numbers]
        return [_mixed(actions)] if prescribed == ActionCode.UNIFORM else actions

    def _action(self, key: Key, number: int) -> Action:
        state, role, side = key
        game, rules, stored = self._game, self._rules, self._stored
        outcomes = [outcome for outcome in game.outcomes(rules, state, number) if outcome[0] > 0.0]
        total = sum((Fraction(chance) for chance, _, _ in outcomes), ZERO)
        self._is_rounded = self._is_rounded and abs(float(total - 1)) <= ROUNDING
        successors: dict[int, Fraction] = {}
        reward = terms = ZERO
        can_leave = False
        for chance, after, passes in outcomes:
            share = Fraction(chance) / total
            next_role = (role + passes) % stored.roles if stored.roles > 1 else 0
            next_side = side != bool(passes % 2) if stored.is_zero_sum else side
            if self._has_rewards:
                gain = Fraction(stored.sign * game.part("reward")(rules, state, number, after))
                reward += share * gain
                terms += share * abs(gain)
            node = self._node_of((after, next_role, next_side))
            if node is not None:
                successors[node] = successors.get(node, ZERO) + share
                continue
            can_leave = True
            value = self._boundary_value((after, next_role, next_side))
            reward += share * value
            terms += share * abs(value)
        return Action(number, successors, reward, terms, can_leave)

    def _node_of(self, key: Key) -> int | None:
        """Return the node of a state in the component, or inside a roll that begins there; None for other states."""
        if key in self._node:
            return self._node[key]
        if self._game.part("over")(self._rules, key[0]) or self._states.index_of(key[0]) >= 0:
            return None
        self._node[key] = len(self._keys)
        self._keys.append(key)
        return self._node[key]

    def _boundary_value(self, key: Key) -> Fraction:
        """Return the value to player A of a state outside the component; rewards are multiplied by their sign."""
        state, role, side = key
        stored = self._stored
        sign = 1.0 if stored.is_probability else stored.sign
        if self._game.part("over")(self._rules, state):
            payoffs = self._game.shares(self._rules, state)
            return Fraction(sign * payoffs[(not side) if stored.is_zero_sum else -role % len(payoffs)])
        if not len(stored.values):
            return ZERO
        index = self._states.index_of(state)
        self._exits_bound = max(self._exits_bound, float(stored.bounds[index, role]))
        value = Fraction(float(stored.values[index, role]))
        if stored.is_probability:
            value *= Fraction(stored.sign)
        return value if side else 1 - value


def _mixed(actions: Sequence[Action]) -> Action:
    """Mix all actions with equal probabilities."""
    share = Fraction(1, len(actions))
    successors: dict[int, Fraction] = {}
    for action in actions:
        for node, chance in action.successors.items():
            successors[node] = successors.get(node, ZERO) + share * chance
    reward = share * sum((action.reward for action in actions), ZERO)
    terms = share * sum((action.terms for action in actions), ZERO)
    return Action(ActionCode.UNIFORM, successors, reward, terms, any(action.can_leave for action in actions))
