"""An equilibrium of several seats, component by component, with a proof of how much a seat could gain by deviating.

All seats play by one policy, a function of the state as the player to move sees it. With n seats the value of a state
is a vector: V[r] is what a seat gets when the turn is r seats after it, so that V[0] is the mover's. One backup takes
the action that gives the mover most and gives every seat what that action gives it:

    V(s)[r] = gain(s, a)[r] + sum of p V(s')[(r + passes) mod n],   a the best for r = 0.

Where V keeps this equation the policy is a subgame-perfect equilibrium. Iteration may circle instead, since the others'
best answers change with one's own (plain iteration need not converge for n > 2); the actions are then held as they are,
and V solves the linear equations of these.

Two certificates prove what is found (see `backup.certificate`). With all seats bound to the policy, values are those
of a Markov chain: each is off by at most the first bound. With one seat free and all others bound, the game is a
one-player problem, whose value the second certificate bounds from above: no seat can gain more than both bounds
together by deviating, however it deviates.
"""

from types import FunctionType
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from komi.compile.kernels import Kernels, engine_with
from komi.methods.backup.batch import Findings, above
from komi.methods.backup.certificate import certify
from komi.methods.backup.endless import CHANCE
from komi.methods.backup.fixed_point import settle
from komi.methods.backup.ordering import order_rows
from komi.methods.backup.rows import VALUE, Objective, Scratch, lay_out, role_after, rounding, rounding_slack
from komi.model.components import BACKED_UP
from komi.model.survey import Counts
from komi.model.transitions import Transitions, begin


class VectorBackup:
    """Finds an equilibrium of several seats: a `model.components.Backup`.

    Args:
        states: how many states there are, those known before too.
        counts: what the survey has counted.
        failed: the error for a component that cannot be proved, given the index of one of its states.
        seats: how many.
        first_guess: float64[seats], what each seat is taken to get before anything is known: other guesses may lead to
            other equilibria.

    Attributes:
        findings: of all states; `value` and `choice` at index state * seats + r.
    """

    def __init__(self, states: int, counts: Counts, failed: Any, seats: int, first_guess: NDArray[np.float64]) -> None:
        self._seats, self._failed, self._first_guess = seats, failed, first_guess
        self._objective = Objective(False, 1.0, 0.0, 1.0, rounding_slack(counts, mixing=False))
        self._stop = np.zeros(1, np.bool_)
        self.findings = Findings.empty(seats * states, lengths=False)

    def make_room(self, states: int, actions: int, outcomes: int) -> None:
        """Room for components of so many states, actions and outcomes."""
        self._scratch = Scratch.empty(self._seats, states, actions, outcomes)
        self._passes = np.empty(outcomes, np.int8)
        self._constants = np.empty((actions, self._seats))

    def back_up(self, batch: Transitions, ends: NDArray[np.int64]) -> int:
        """Find the values of a batch's states."""
        return int(
            _kernels()[solve_vectors](
                batch,
                ends,
                self._seats,
                self._first_guess,
                self._objective,
                self._scratch,
                self._passes,
                self._constants,
                self.findings,
                self._stop,
            )
        )

    def stop(self) -> None:
        """Have `back_up` end early."""
        self._stop[0] = True

    def failed(self, index: int) -> Exception:
        """Why the component of this state could not be solved."""
        return self._failed(index, 0.0, 1.0, CHANCE)  # type: ignore[no-any-return]


def _kernels() -> Kernels:
    """Engine code in which one sweep is that of vectors."""
    return engine_with("several", sweep=cast(FunctionType, sweep_vectors))


def sweep_vectors(rows: Any, value: Any) -> None:
    """One Gauss-Seidel sweep of backups of vectors; in place of `fixed_point.sweep`.

    Args:
        rows: (int64[states], float64[actions, seats], int64[actions], int32[outcomes], float64[outcomes],
            int8[outcomes], int32[states], bool[1]): ends of actions, constants, ends of outcomes, targets,
            probabilities, passes, the action that each state takes, counted over all actions, and whether these are
            held as they are.
        value: float64[states * seats], read and written.
    """
    actions_end, constant, outcomes_end, target, weight, passes, choice, is_held = rows
    seats = constant.shape[1]
    for i in range(len(actions_end)):
        if not is_held[0]:
            best = -np.inf
            for action in range(begin(actions_end, i), actions_end[i]):
                total = constant[action, 0]
                for outcome in range(begin(outcomes_end, action), outcomes_end[action]):
                    after = target[outcome] * seats + role_after(0, passes[outcome], seats)
                    total += weight[outcome] * value[after]
                if total > best:
                    best = total
                    choice[i] = action
        action = choice[i]
        for role in range(seats):
            total = constant[action, role]
            for outcome in range(begin(outcomes_end, action), outcomes_end[action]):
                after = target[outcome] * seats + role_after(role, passes[outcome], seats)
                total += weight[outcome] * value[after]
            value[i * seats + role] = total


def solve_vectors(
    batch: Any,
    ends: Any,
    seats: int,
    first_guess: Any,
    objective: Any,
    scratch: Any,
    passes: Any,
    constants: Any,
    findings: Any,
    stop: Any,
) -> int:
    """Find an equilibrium of components in the order given, which must have all that they lead to before them.

    Args:
        batch: the `Transitions` of the components, one after the other, with a view for each seat.
        ends: int64[components] one past the last state of each.
        seats: how many.
        first_guess: float64[seats].
        objective: an `Objective` without flips.
        scratch: a `Scratch` with room for the largest, with a role for each seat.
        passes: int8[outcomes], room beside `scratch.target`.
        constants: float64[actions, seats], room.
        findings: `Findings` of states solved before; filled in.
        stop: bool[1], set from outside to end early.

    Returns:
        BACKED_UP, or a state of the component that was not solved
    """
    first: Any = np.int64(0)  # a plain 0 would have all that it is handed to compiled twice
    for component in range(len(ends)):
        if ends[component] == first + 1 and _leads_on(batch, first):
            _back_up_single(batch, first, seats, objective, findings)
        elif not _solve_component(
            batch, first, ends[component] - first, seats, first_guess, objective, scratch, passes, constants, findings,
            stop,
        ):  # fmt: skip
            return batch.state[first]  # type: ignore[no-any-return]
        first = ends[component]
    return BACKED_UP


def _leads_on(batch: Any, row: int) -> bool:
    """Whether a component of one state does not lead to itself at once."""
    first = begin(batch.outcomes_end, begin(batch.actions_end, row))
    for outcome in range(first, batch.outcomes_end[batch.actions_end[row] - 1]):  # noqa: SIM110  no all()
        if batch.target[outcome] < 0:
            return False
    return True


def _back_up_single(batch: Any, row: int, seats: int, objective: Any, findings: Any) -> None:
    """Back up a state that does not lead to itself, from those after it: its best action is right but for rounding."""
    _, actions_end, gains, numbers, outcomes_end, targets, probabilities, passes = batch
    values, bounds, choices = findings.value, findings.bound, findings.choice
    here = batch.state[row] * seats
    best, choice = -np.inf, begin(actions_end, row)
    worst = np.float32(0.0)
    for action in range(begin(actions_end, row), actions_end[row]):
        total = gains[action, 0]
        for outcome in range(begin(outcomes_end, action), outcomes_end[action]):
            after = targets[outcome] * seats + role_after(0, passes[outcome], seats)
            total += probabilities[outcome] * values[after]
            worst = max(worst, bounds[after])
        if total > best:
            best, choice = total, action
    bound = above(worst + rounding(objective, 1.0))
    for role in range(seats):
        total = gains[choice, (seats - role) % seats]
        for outcome in range(begin(outcomes_end, choice), outcomes_end[choice]):
            after = targets[outcome] * seats + role_after(role, passes[outcome], seats)
            total += probabilities[outcome] * values[after]
        values[here + role] = total
        bounds[here + role] = bound
        choices[here + role] = numbers[choice]


def _solve_component(
    batch: Any,
    first: int,
    size: int,
    seats: int,
    first_guess: Any,
    objective: Any,
    scratch: Any,
    passes: Any,
    constants: Any,
    findings: Any,
    stop: Any,
) -> bool:
    """Find and prove the equilibrium of one component. Returns whether that was done."""
    count = seats * order_rows(batch, first, size, scratch, findings.value)
    feedback = scratch.feedback
    for j in range(count - 1, -1, -1):  # from positions to rows, in place
        feedback[j] = feedback[j // seats] * seats + j % seats
    _lay_out_vectors(batch, first, size, seats, scratch, passes, constants, findings.value)
    is_held = np.zeros(1, np.bool_)
    rows = (
        scratch.actions_end[:size],
        constants,
        scratch.outcomes_end,
        scratch.target,
        scratch.weight,
        passes,
        scratch.choice,
        is_held,
    )
    value = scratch.value
    for i in range(size * seats):
        value[i] = first_guess[i % seats]
    for _ in range(2):  # with the best actions, then with these held as they are
        if settle(rows, value, feedback[:count], objective.lowest, objective.highest, stop):
            return False
        sweep_vectors(rows, value)
        is_held[0] = True
    for i in range(size):
        row = first + scratch.order[i]
        number = batch.action[begin(batch.actions_end, row) + _place(scratch, i)]
        for role in range(seats):
            findings.value[batch.state[row] * seats + role] = value[i * seats + role]
            findings.choice[batch.state[row] * seats + role] = number
    return _prove(batch, first, size, seats, objective, scratch, count, findings, stop)


def _place(scratch: Any, i: int) -> int:
    """Which of its actions a state takes, counted from its first."""
    return scratch.choice[i] - begin(scratch.actions_end, i)  # type: ignore[no-any-return]


def _lay_out_vectors(
    batch: Any, first: int, size: int, seats: int, scratch: Any, into_passes: Any, into_constant: Any, exits: Any
) -> None:
    """Copy the component's states in solving order, exits folded into constants, one for each seat."""
    _, actions_end, gains, _, outcomes_end, targets, probabilities, passes = batch
    order, position = scratch.order, scratch.position
    into_actions_end, into_outcomes_end = scratch.actions_end, scratch.outcomes_end
    into_target, into_weight = scratch.target, scratch.weight
    action_height = 0
    outcome_height = 0
    for i in range(size):
        row = first + order[i]
        for action in range(begin(actions_end, row), actions_end[row]):
            for role in range(seats):
                into_constant[action_height, role] = gains[action, (seats - role) % seats]
            for outcome in range(begin(outcomes_end, action), outcomes_end[action]):
                target, weight, turn = targets[outcome], probabilities[outcome], passes[outcome]
                if target < 0:
                    into_target[outcome_height] = position[-1 - target]
                    into_weight[outcome_height] = weight
                    into_passes[outcome_height] = turn
                    outcome_height += 1
                else:
                    for role in range(seats):
                        after = target * seats + role_after(role, turn, seats)
                        into_constant[action_height, role] += weight * exits[after]
            into_outcomes_end[action_height] = outcome_height
            action_height += 1
        into_actions_end[i] = action_height


def _prove(
    batch: Any,
    first: int,
    size: int,
    seats: int,
    objective: Any,
    scratch: Any,
    count: int,
    findings: Any,
    stop: Any,
) -> bool:
    """Bound what one seat that is free could gain, and the error of values; by one certificate where that is enough.

    With one seat free the bound from above holds for the policy too, and that from below for what the certificate has
    the free seat play: where this is the policy nothing else is to be proved.
    """
    worst = np.float32(0.0)
    states, order = batch.state, scratch.order
    for free in (1, 0):
        exits_bound, _ = lay_out(
            batch, first, size, findings.choice, free, seats, VALUE, objective, scratch, findings.value, findings.bound
        )
        for i in range(size * seats):
            scratch.value[i] = findings.value[states[first + order[i // seats]] * seats + i % seats]
        distance, longest = certify(
            (
                scratch.actions_end[: size * seats],
                scratch.constant,
                scratch.outcomes_end,
                scratch.target,
                scratch.weight,
            ),
            scratch.value,
            scratch.feedback[:count],
            rounding(objective, 1.0),
            objective.lowest,
            objective.highest,
            scratch.mine,
            scratch.theirs,
            scratch.choice,
            stop,
        )
        if longest < 0.0:
            return False
        worst = max(worst, np.float32(above(exits_bound + distance * longest)))
        same = True
        for i in range(size):
            chosen = scratch.number[scratch.choice[i * seats]]
            same = same and chosen == findings.choice[states[first + order[i]] * seats]
        if same:
            break
    for i in range(size):
        for role in range(seats):
            findings.bound[states[first + order[i]] * seats + role] = worst
    return True
