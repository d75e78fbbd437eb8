"""Strongly connected components of the reachable states, with their transitions, in reverse topological order.

Tarjan's depth-first search (R. Tarjan, SIAM J. Comput. 1(2), 1972), iterative, over the states that the
reachability analysis has found. Each state's rules are run once, when it is first visited; its transitions stay on a
stack until its strongly connected component is complete, and are then copied to a batch. When a component is complete,
all components that it leads to have been completed before.
"""

from typing import Any, NamedTuple

import numpy as np

from komi.graph.lookup import StateIndex, index_of, locate, state_at
from komi.graph.perspective import to_mover
from komi.graph.transitions import Transitions, begin, count_columns, gain_at, set_gain
from komi.jit.intrinsics import prefetch
from komi.rules.interface import legal, outcomes, over, payoff, reward, seat_payoff

DONE, FULL, TOO_LARGE, OVERFULL = range(4)

COMPLETE = 1  # `place` of a state whose component is complete; so is any other positive number


class Search(NamedTuple):
    """A depth-first search that can pause: its stacks and their heights."""

    found: Transitions  # those of the states on the component stack, and which of these the search has left
    word: Any  # int64[outcomes] parallel to `found.target`: its place in the set; once followed, its entry of `place`
    low: Any  # int32[states] Tarjan's low link: the lowest stack position that a state is known to lead to
    path: Any  # int32[states] positions on the component stack of the states on the current path
    next: Any  # int64[states] parallel to `path`: the next outcome to follow
    place: Any  # int32[all states] -1 less the position on the component stack; 0 if not visited; positive if COMPLETE
    top: Any  # int64[5]: path, states, actions, outcomes, roots in use

    @classmethod
    def over(cls, place: Any, states: int, actions: int, outcomes: int, gain_columns: int) -> "Search":
        """Create a search of a number of states, given their `place`. The stacks take memory only where used."""
        return cls(
            Transitions.empty(states, actions, outcomes, gain_columns),
            np.empty(outcomes, np.int64),
            np.empty(states, np.int32),
            np.empty(states, np.int32),
            np.empty(states, np.int64),
            place,
            np.zeros(5, np.int64),
        )


def search_components(
    rules: Any,
    seats: int,
    states: StateIndex,
    roots: Any,
    search: Any,
    batch: Any,
    components: Any,
    rolls: Any,
    spare: int,
) -> Any:
    """Continue the search until the batch is full or the search is complete.

    Args:
        rules: the rules.
        seats: the number of seats.
        states: the `StateSet` that is searched.
        roots: int64[.], places of the initial states.
        search: a `Search`, read and written.
        batch: `Transitions`, filled in.
        components: int64[.], filled in: one past the last state of each component in the batch.
        rolls: the `rolls` argument of `enter`; None if there are no rolls, in which case the rules are run here: a call
            in every state would count references to all arrays.
        spare: the maximal number of actions and outcomes of a state, if the stacks may be too small for all; else 0.

    All arrays are taken out of their tuples once, before the loop: inside it, each access to a tuple would
    count references.

    Returns:
        (how it ended, components in the batch, its states, actions and outcomes). TOO_LARGE: the batch
        is empty and the next component does not fit; the other numbers are its size. OVERFULL: the stacks of
        actions or outcomes have no capacity for `spare` more.
    """
    found, words, lows, path, nexts, place, top = search
    (
        found_state,
        left,
        found_actions_end,
        found_gain,
        found_action,
        found_outcomes_end,
        found_target,
        found_probability,
        found_passes,
        found_ending,
    ) = found
    (
        batch_state,
        batch_left,
        batch_actions_end,
        batch_gain,
        batch_action,
        batch_outcomes_end,
        batch_target,
        batch_probability,
        batch_passes,
        batch_ending,
    ) = batch
    gain_columns = count_columns(found_gain)
    if gain_columns == 1:
        seats = 2
    depth, height, action_height, outcome_height, root = top
    count = closed = actions = transitions = 0
    entering = index = -1
    before = 0
    while True:
        if entering >= 0:  # run the rules of a state visited for the first time
            if rolls is not None and (
                action_height + spare > len(found_action) or outcome_height + spare > len(found_target)
            ):
                return OVERFULL, 0, height, action_height, outcome_height
            ahead = index - before  # successive indices often have equal distances
            prefetch(place, index + 2 * ahead)
            prefetch(place, index + 4 * ahead)
            before = index
            place[index] = -1 - height
            lows[height] = height
            found_state[height] = index
            path[depth] = height
            nexts[depth] = outcome_height
            if rolls is None:
                state = state_at(states, entering)
                for action in legal(rules, state):
                    gain = ending = 0.0
                    for view in range(1, gain_columns):
                        set_gain(found_gain, action_height, view, 0.0)
                    first = outcome_height
                    for probability, after, passes in outcomes(rules, state, action):
                        turn = passes
                        while turn > seats:
                            turn -= seats
                        gained = reward(rules, state, action, after)
                        if gained != 0.0:  # the compiler removes this in a game without rewards
                            gain += probability * gained
                            if seats == 1 and gain_columns > 1:
                                so_far = gain_at(found_gain, action_height, 1)
                                set_gain(found_gain, action_height, 1, so_far + probability * abs(gained))
                        if over(rules, after):
                            ending += probability
                            if gain_columns == 1:
                                mine = payoff(rules, after)
                                gain += probability * to_mover(mine, turn)
                            else:
                                gain += probability * seat_payoff(rules, after, (seats - turn) % seats)
                                for view in range(1, gain_columns):
                                    theirs = abs(seat_payoff(rules, after, (view + seats - turn) % seats))
                                    so_far = gain_at(found_gain, action_height, view)
                                    set_gain(found_gain, action_height, view, so_far + probability * theirs)
                            continue
                        word = locate(states, after)
                        target = index_of(states, word)
                        prefetch(place, target)
                        same = first
                        while same < outcome_height and (found_target[same] != target or found_passes[same] != turn):
                            same += 1
                        if same < outcome_height:
                            found_probability[same] += probability
                            continue
                        found_target[outcome_height] = target
                        found_probability[outcome_height] = probability
                        found_passes[outcome_height] = turn
                        words[outcome_height] = word
                        outcome_height += 1
                    set_gain(found_gain, action_height, 0, gain)
                    found_action[action_height] = action
                    found_ending[action_height] = ending
                    found_outcomes_end[action_height] = outcome_height
                    action_height += 1
            else:
                action_height, outcome_height = enter(
                    rules,
                    seats,
                    states,
                    entering,
                    index,
                    found_gain,
                    found_action,
                    found_outcomes_end,
                    found_target,
                    found_probability,
                    found_passes,
                    words,
                    place,
                    action_height,
                    outcome_height,
                    rolls,
                )
            found_actions_end[height] = action_height
            depth += 1
            height += 1
            entering = -1
        elif depth == 0:
            if root == len(roots):
                break
            index = index_of(states, roots[root])
            if place[index] == 0:
                entering = roots[root]
            root += 1
            continue
        here = path[depth - 1]
        follow = nexts[depth - 1]
        end = found_outcomes_end[found_actions_end[here] - 1]
        low = lows[here]
        while follow < end:
            target_place = place[found_target[follow]]
            if target_place == 0:
                entering, index = words[follow], found_target[follow]
                break
            if -1 - low < target_place < 0:
                low = -1 - target_place
            words[follow] = target_place
            follow += 1
        lows[here] = low
        nexts[depth - 1] = follow
        if entering >= 0:
            continue
        if low < here:
            depth -= 1
            left[height - depth - 1] = here
            parent = path[depth - 1]
            lows[parent] = min(lows[parent], low)
            continue
        first_action = begin(found_actions_end, here)
        first_outcome = begin(found_outcomes_end, first_action)
        size = height - here
        if (
            count == len(components)
            or closed + size > len(batch_state)
            or actions + action_height - first_action > len(batch_action)
            or transitions + outcome_height - first_outcome > len(batch_target)
        ):
            top[0], top[1], top[2], top[3], top[4] = depth, height, action_height, outcome_height, root
            if count == 0:
                return TOO_LARGE, 0, size, action_height - first_action, outcome_height - first_outcome
            return FULL, count, closed, actions, transitions
        depth -= 1
        left[height - depth - 1] = here
        first_left = height - depth - size
        for i in range(size):
            batch_state[closed + i] = found_state[here + i]
            batch_left[closed + i] = left[first_left + i] - here
            batch_actions_end[closed + i] = found_actions_end[here + i] - first_action + actions
            place[found_state[here + i]] = COMPLETE
        for i in range(action_height - first_action):
            for view in range(gain_columns):
                set_gain(batch_gain, actions + i, view, gain_at(found_gain, first_action + i, view))
            batch_action[actions + i] = found_action[first_action + i]
            batch_ending[actions + i] = found_ending[first_action + i]
            batch_outcomes_end[actions + i] = found_outcomes_end[first_action + i] - first_outcome + transitions
        for i in range(outcome_height - first_outcome):
            within = words[first_outcome + i]
            batch_target[transitions + i] = here + within if within < 0 else found_target[first_outcome + i]
            batch_probability[transitions + i] = found_probability[first_outcome + i]
            batch_passes[transitions + i] = found_passes[first_outcome + i]
        closed += size
        actions += action_height - first_action
        transitions += outcome_height - first_outcome
        components[count] = closed
        count += 1
        height, action_height, outcome_height = here, first_action, first_outcome
    top[0], top[1], top[2], top[3], top[4] = depth, height, action_height, outcome_height, root
    return DONE, count, closed, actions, transitions


def enter(
    rules: Any,
    seats: int,
    states: StateIndex,
    entering: int,
    index: int,
    found_gain: Any,
    found_action: Any,
    found_outcomes_end: Any,
    found_target: Any,
    found_probability: Any,
    found_passes: Any,
    words: Any,
    place: Any,
    action_height: int,
    outcome_height: int,
    rolls: Any,
) -> Any:
    """Push the transitions of a state visited for the first time; return the heights of the action and outcome stacks.

    Arrays are those of `Search` and its `Transitions`; `entering` is the place of the state, `index` its index.
    Specialization replaces this function by `transient.entry.enter_roll`.
    """
    raise NotImplementedError
