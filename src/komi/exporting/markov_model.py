"""The model of a game for other tools: a stochastic game, or what remains of it when policies are fixed.

A state of the model is a state of the rules with the seat of the player to move; it is numbered in the order of a
breadth-first search from the initial state, which is 0. Where the game ends, play enters one of a few final states, one
for each payoff, and stays there. Probabilities and rewards are exact fractions (see `exact_numbers`).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.arrays import F64, I32, I64, Flags
from komi.compiling.compiled import compiled_game
from komi.errors import InputError
from komi.exporting.exact_numbers import exact_distribution, exact_number
from komi.exporting.identifiers import identifiers
from komi.game import CHANCE
from komi.graph.explicit import OVER, ExplicitModel
from komi.graph.reachability import find_reachable
from komi.graph.sources import GameTransitions
from komi.jit.kernels import Notice
from komi.policies.policy import Policy
from komi.policies.tabulate import action_probabilities
from komi.progress import Progress, silent
from komi.rules.game import Game
from komi.rules.kind import Kind, check_no_average, kind_of
from komi.simulation.soundness import unsound_rules_error
from komi.solvers.solver import check_initial_state
from komi.typing import Rules

MAX_TRANSITIONS = 20_000_000  # half a gigabyte; a file of Storm has twice as many, one for each seat
SEATS = ("first", "second")
REWARD = "payoff"  # what the first player gains: rewards, and the payoff at the end
MIXED = "mixed"  # the label of a fixed policy's choice that picks among several actions
END_LABELS = (
    {1.0: "wins", 0.0: "loses"},
    {1.0: "first_wins", 0.5: "draw", 0.0: "second_wins"},
)  # by the number of players and the payoff of the first


@dataclass(frozen=True)
class MarkovModel:
    """A stochastic game, a Markov decision process or a Markov chain (compressed sparse rows).

    Attributes:
        seats: the names of the players who choose: none in a Markov chain.
        variables: int64[states] by name: the seat to move, the fields, and how the game has ended.
        player: int64[states], the index in `seats` of the player who chooses.
        choice_ends: int64[states], one past the last choice of each state.
        action: int32[choices], the index in `actions`.
        reward: int32[choices], the index in `numbers` of the expected payoff and reward of the first player.
        branch_ends: int64[choices], one past the last branch of each choice.
        target: int64[branches], the next state.
        probability: int32[branches], the index in `numbers`.
        actions: the labels of the choices.
        numbers: exact numbers.
        labels: bool[states] by name, such as "over" and "first_wins".
    """

    seats: tuple[str, ...]
    variables: dict[str, I64]
    player: I64
    choice_ends: I64
    action: I32
    reward: I32
    branch_ends: I64
    target: I64
    probability: I32
    actions: list[str]
    numbers: list[Fraction]
    labels: dict[str, Flags]

    @property
    def states(self) -> int:
        """The number of states."""
        return len(self.choice_ends)

    @property
    def kind(self) -> str:
        """The kind of the model, as PRISM names it."""
        return ("dtmc", "mdp", "smg")[len(self.seats)]


class _Numbers:
    """Distinct objects by number, in the order in which they are added."""

    def __init__(self, *first: Any) -> None:
        self.index_of: dict[Any, int] = {}
        for each in first:
            self.add(each)

    def add(self, each: Any) -> int:
        return self.index_of.setdefault(each, len(self.index_of))


def check_model_kind(kind: Kind) -> None:
    """Check that these models can hold a game of this kind.

    Raises:
        InputError: if they cannot.
    """
    check_no_average(kind)
    if kind.hidden:
        raise InputError(
            f"{kind.name} has hidden information, which these models cannot hide: export a small game as .efg."
        )
    if kind.has_seat_values or (kind.seats == 2 and kind.rewards):
        reason = f"{kind.seats} players" if kind.seats > 2 else "rewards during play" if kind.rewards else "another sum"
        raise InputError(f"models are for one player, or for two whose payoffs sum to 1: {kind.name} has {reason}.")


def build_model(
    game: Game, rules: Rules, fixed: Mapping[int, Policy], progress: Progress = silent, notice: Notice | None = None
) -> MarkovModel:
    """Build the model of a game in which some seats play fixed policies.

    Args:
        game, rules: the game.
        fixed: policies by seat, counted from 0.
        progress: called during long work.
        notice: called with a sentence before a slow step that happens only once.

    Raises:
        InputError: if the game is of another kind.
        GameError: if the rules are broken, or a policy takes an action that is not legal.
        SolveError: if the game is too large, or a policy does not cover all states.
    """
    kind = kind_of(game, rules)
    check_model_kind(kind)
    compiled = compiled_game(game, notice)
    root = check_initial_state(game, rules)
    states, _ = find_reachable(GameTransitions(compiled, rules), [root], progress=progress)
    listed = ExplicitModel.of(compiled, rules, states, MAX_TRANSITIONS)
    progress("exact numbers", 0, 0)
    most = int(np.diff(listed.ends, prepend=0).max())
    weights = {}
    for seat, policy in fixed.items():
        chosen = action_probabilities(policy, compiled, rules, states, most)[_positions(listed)]
        weights[seat] = np.where(listed.actions == CHANCE, 1.0, chosen)
    return _Builder(game, rules, kind.seats, kind.rewards, listed, weights).build(states.index_of(root))


def _positions(listed: ExplicitModel) -> tuple[I64, I64]:
    """Return the state of each action, and the action's position among the actions of the state."""
    counts = np.diff(listed.ends, prepend=0)
    begins = listed.ends - counts
    state = np.repeat(np.arange(len(counts)), counts)
    return state, np.arange(len(listed.actions)) - begins[state]


class _Builder:
    """Builds the model of a game from its listed outcomes.

    An entry is an action of a state, a pair a state with the seat to move. Choices are first numbered
    seat * entries + entry, those of a fixed policy by the first entry of their state.
    """

    def __init__(
        self,
        game: Game,
        rules: Rules,
        seats: int,
        has_rewards: bool,
        listed: ExplicitModel,
        weights: Mapping[int, F64],
    ) -> None:
        self.game, self.rules, self.seats, self.has_rewards = game, rules, seats, has_rewards
        self.listed, self.weights = listed, weights
        self.numbers = _Numbers(Fraction(0), Fraction(1))
        self.size, self.entries = len(listed.ends), len(listed.actions)
        self.state_of, self.position = _positions(listed)
        self.entry_of = np.repeat(np.arange(self.entries), np.diff(listed.outcome_ends, prepend=0))
        self.codes, self.rewards = self._exact_entries()

    def _exact_entries(self) -> tuple[I32, NDArray[np.int32]]:
        """Return int32[outcomes], the numbers of the probabilities, and int32[seats, entries], those of the rewards."""
        listed, known = self.listed, {}
        codes = np.empty(len(listed.probability), np.int32)
        rewards = np.empty((self.seats, self.entries), np.int32)
        bounds = [0, *listed.outcome_ends.tolist()]
        is_over = listed.target == OVER
        for entry, (begin, end) in enumerate(pairwise(bounds)):
            arrays = listed.probability[begin:end], listed.gain[begin:end], is_over[begin:end]
            key = b"".join(array.tobytes() for array in arrays)
            if key not in known:
                known[key] = self._exact_entry(*(array.tolist() for array in arrays))
            codes[begin:end], rewards[:, entry] = known[key]
        return codes, rewards

    def _exact_entry(
        self, probabilities: list[float], gains: list[float], is_over: list[bool]
    ) -> tuple[list[int], list[int]]:
        exact = exact_distribution(probabilities)
        rewards = [sum((p * exact_number(gain) for p, gain in zip(exact, gains, strict=True)), Fraction(0))]
        if self.seats == 2:
            rewards.append(sum((p for p, ends in zip(exact, is_over, strict=True) if ends), -rewards[0]))
        return [self.numbers.add(each) for each in exact], [self.numbers.add(each) for each in rewards]

    def build(self, start: int) -> MarkovModel:
        listed, size = self.listed, self.size
        ending = listed.target == OVER
        gains = [listed.gain, 1.0 - listed.gain][: self.seats]
        payoffs = np.zeros(1) if self.has_rewards else np.unique(np.concatenate([gain[ending] for gain in gains]))
        finals = self.seats * size + np.arange(len(payoffs))
        origins, choices, targets, codes = [], [], [], []
        for seat, gain in enumerate(gains):
            choice, code, kept = self._fixed(seat) if seat in self.weights else self._free(seat)
            after = np.where(listed.passes, 1 - seat, seat) * size + listed.target
            final = finals[0] if self.has_rewards else finals[np.searchsorted(payoffs, gain).clip(max=len(payoffs) - 1)]
            origins.append((seat * size + self.state_of[self.entry_of])[kept])
            choices.append(choice[kept])
            targets.append(np.where(ending, final, after)[kept])
            codes.append(code[kept])
        origins.append(finals)  # they stay as they are
        choices.append(self.seats * self.entries + np.arange(len(finals)))
        targets.append(finals)
        codes.append(np.full(len(finals), self.numbers.add(Fraction(1))))
        return self._assemble(start, payoffs, *map(np.concatenate, (origins, choices, targets, codes)))

    def _free(self, seat: int) -> tuple[I64, I32, Flags]:
        """Return the choice and the probability of each outcome where the player chooses, and which outcomes remain."""
        return seat * self.entries + self.entry_of, self.codes, np.ones(len(self.codes), np.bool_)

    def _fixed(self, seat: int) -> tuple[I64, I32, Flags]:
        """Return the same where a policy chooses, and set the expected reward of the policy."""
        weights = self.weights[seat]
        begins = np.arange(self.entries) - self.position
        exact = [Fraction(1)] * self.entries
        for begin in np.unique(begins[(weights > 0.0) & (weights < 1.0)]).tolist():
            end = self.listed.ends[self.state_of[begin]]
            exact[begin:end] = exact_distribution(weights[begin:end].tolist())
        numbers, rewards = list(self.numbers.index_of), self.rewards[seat].copy()
        expected: dict[int, Fraction] = {}
        for entry in np.flatnonzero(weights > 0.0).tolist():
            begin = int(begins[entry])
            expected[begin] = expected.get(begin, Fraction(0)) + exact[entry] * numbers[rewards[entry]]
        for begin, value in expected.items():
            self.rewards[seat, begin] = self.numbers.add(value)
        code = self.codes.copy()
        for outcome in np.flatnonzero(((weights > 0.0) & (weights < 1.0))[self.entry_of]).tolist():
            code[outcome] = self.numbers.add(exact[self.entry_of[outcome]] * numbers[code[outcome]])
        return seat * self.entries + begins[self.entry_of], code, (weights > 0.0)[self.entry_of]

    def _assemble(self, start: int, payoffs: F64, origins: I64, choices: I64, targets: I64, codes: I64) -> MarkovModel:
        """Assign numbers to the reachable pairs, and merge branches of a choice that lead to the same state."""
        from scipy.sparse import csr_array  # type: ignore[import-untyped]  # slow to import
        from scipy.sparse.csgraph import breadth_first_order  # type: ignore[import-untyped]

        pairs = self.seats * self.size + len(payoffs)
        indptr = np.concatenate([[0], np.cumsum(np.bincount(origins, minlength=pairs))])
        graph = csr_array((np.ones(len(targets)), targets, indptr), shape=(pairs, pairs))
        order = breadth_first_order(graph, start, return_predecessors=False).astype(np.int64)
        number = np.full(pairs, -1, np.int64)
        number[order] = np.arange(len(order))
        origins, targets = number[origins], number[targets]
        kept = np.flatnonzero(origins >= 0)
        kept = kept[np.lexsort((targets[kept], choices[kept], origins[kept]))]
        origins, choices, targets, codes = origins[kept], choices[kept], targets[kept], codes[kept]
        is_new_choice = np.append(True, np.diff(choices) != 0)
        is_new = is_new_choice | np.append(True, np.diff(targets) != 0)
        probability = self._merged(codes, is_new)
        branch_begins, choice_begins = np.flatnonzero(is_new), np.flatnonzero(is_new_choice)
        branches_before = np.cumsum(is_new)
        branch_ends = np.append(branches_before[choice_begins[1:] - 1], branches_before[-1])
        keys = choices[choice_begins]
        choice_ends = np.cumsum(np.bincount(origins[choice_begins], minlength=len(order)))
        actions, action = self._labels(keys)
        self._check_labels(keys, origins[choice_begins], action)
        seat = np.where(order < self.seats * self.size, order // self.size, 0)
        free = [each for each in range(self.seats) if each not in self.weights]
        reward = np.append(self.rewards.reshape(-1), np.zeros(len(payoffs), np.int32))[keys]
        ended = np.maximum(order - self.seats * self.size + 1, 0)
        return MarkovModel(
            seats=tuple(SEATS[each] for each in free),
            variables=self._variables(order, seat, ended),
            player=seat if len(free) == 2 else np.zeros(len(order), np.int64),
            choice_ends=choice_ends,
            action=action,
            reward=reward,
            branch_ends=branch_ends,
            target=targets[branch_begins],
            probability=probability,
            actions=actions,
            numbers=list(self.numbers.index_of),
            labels=self._state_labels(payoffs, ended),
        )

    def _merged(self, codes: I64, is_new: Flags) -> I32:
        """Add up the probabilities of the outcomes of each branch."""
        begins = np.flatnonzero(is_new)
        sizes = np.diff(begins, append=len(codes))
        merged = codes[begins].astype(np.int32)
        numbers, known = list(self.numbers.index_of), {}
        for branch in np.flatnonzero(sizes > 1).tolist():
            terms = tuple(codes[begins[branch] : begins[branch] + sizes[branch]].tolist())
            if terms not in known:
                known[terms] = self.numbers.add(sum((numbers[term] for term in terms), Fraction(0)))
            merged[branch] = known[terms]
        return merged

    def _labels(self, keys: I64) -> tuple[list[str], I32]:
        """Return the distinct labels of choices, and the index of each choice's."""
        game, listed, labels = self.game, self.listed, _Numbers()
        action = np.empty(len(keys), np.int32)
        state_class = game.module.State
        for choice, key in enumerate(keys.tolist()):
            seat, entry = divmod(key, self.entries)
            if seat >= self.seats:
                action[choice] = labels.add("over")
                continue
            state = int(self.state_of[entry])
            if seat in self.weights:
                taken = entry + np.flatnonzero(self.weights[seat][entry : listed.ends[state]] > 0.0)
                if len(taken) > 1:
                    action[choice] = labels.add(MIXED)
                    continue
                entry = int(taken[0])
            row = listed.fields[state].tolist() if game.has("label") else ()
            label = game.label(self.rules, state_class(*row) if row else None, int(listed.actions[entry]))
            action[choice] = labels.add(label)
        return list(labels.index_of), action

    def _check_labels(self, keys: I64, origins: I64, action: I32) -> None:
        """Check that the choices of each state have different labels.

        Raises:
            GameError: if two have the same.
        """
        order = np.lexsort((action, origins))
        is_repeated = (np.diff(origins[order]) == 0) & (np.diff(action[order]) == 0)
        if is_repeated.any():
            entry = int(keys[order[np.flatnonzero(is_repeated)[0]]]) % self.entries
            row = self.listed.fields[self.state_of[entry]].tolist()
            raise unsound_rules_error(self.game, self.rules, self.game.module.State(*row))

    def _variables(self, order: I64, seat: I64, ended: I64) -> dict[str, I64]:
        """Return the seat to move (from 1), the fields, and the number of the final state (0 while play goes on)."""
        rows = np.where(ended > 0, 0, order % self.size)
        all_fields, used = self.game.module.State._fields, self.game.fields(self.rules)
        fields = [name for name in all_fields if name in used]
        *names, mover, end = identifiers([*fields, "seat", "end"], (), re.UNICODE)
        variables = {} if self.seats == 1 else {mover: seat + 1}
        for name, field in zip(names, fields, strict=True):
            variables[name] = self.listed.fields[rows, all_fields.index(field)]
        return {**variables, end: ended}

    def _state_labels(self, payoffs: F64, ended: I64) -> dict[str, Flags]:
        labels = {"over": ended > 0}
        if not self.has_rewards:
            for number, payoff in enumerate(payoffs.tolist(), 1):
                value = exact_number(payoff)
                other = f"payoff_{value.numerator}_{value.denominator}"
                label = END_LABELS[self.seats - 1].get(payoff, other)
                labels[label] = labels.get(label, False) | (ended == number)  # 0.1 and 1 - 0.9 are the same
        return labels
