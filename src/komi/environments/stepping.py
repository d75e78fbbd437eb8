"""Steps of environments, compiled for the game and for the policies of the opponents.

A step takes the action of the agent, and then plays until that player is to move again or the game is over:
chance moves are sampled, and opponents take the actions of their policies. A game that is over begins anew instead.
Each game draws its random numbers from its own stream. `play_row` makes the step of one game, and allocates nothing: a
CPU calls it for one game after the other, a GPU in one thread for each game.

A game can end before the agent's first decision. Its only step is then the action NO_OP, so that every episode has a
step that reports its rewards. The first step also reports the rewards of the moves before it.
"""

from komi.arrays import F64, I8, I64
from komi.compiling.planes import encode
from komi.compiling.steps import advance, is_legal, pay
from komi.environments.rows import ALL_SEATS, ANY_SEAT, Arrangement, Episodes, Observations
from komi.game import CHANCE
from komi.jit.specialization import always_inline
from komi.rules.interface import call_policy, legal, over, pick, state_from, turned, view
from komi.simulation.playout import MAX_ACTIONS, PlayoutStatus
from komi.streams import STREAM_BITS, number_at
from komi.typing import Rules, State

NO_OP = 0  # the only action of a game that is over before the agent's first decision
NO_ROW = -1  # no game has failed
REASON, ACTION, OPPONENT = range(3)  # entries of a failure


def step(rules: Rules, arrangement: Arrangement, actions: I64, episodes: Episodes, observations: Observations) -> int:
    """Take an action in each game, or begin a new one; no game changes if one of the actions is illegal.

    Args:
        rules: the rules, with words encoded as numbers.
        arrangement: what the games have in common.
        actions: int64[games]; those of games that are over are ignored.
        episodes: modified in place.
        observations: modified in place.

    Returns:
        NO_ROW, or a row that has failed.
    """
    for row in range(len(actions)):
        if not is_accepted(arrangement, actions[row], row, episodes, observations):
            return row
    for row in range(len(actions)):
        if not play_row(rules, arrangement, actions[row], row, episodes, observations):
            return row
    return NO_ROW


def begin(rules: Rules, arrangement: Arrangement, episodes: Episodes, observations: Observations) -> int:
    """Begin a new game in each row whose game is over; return NO_ROW, or a row that has failed."""
    for row in range(len(episodes.over)):
        if episodes.over[row] and not play_row(rules, arrangement, NO_OP, row, episodes, observations):
            return row
    return NO_ROW


@always_inline
def is_accepted(
    arrangement: Arrangement, action: int, row: int, episodes: Episodes, observations: Observations
) -> bool:
    """Return whether a step accepts an action: it is legal, or ignored, or replaced."""
    if arrangement.replaces or episodes.over[row] or _is_marked(action, row, observations.action_masks):
        return True
    return _failed(PlayoutStatus.REFUSED, row, action, 0, episodes)


@always_inline
def play_row(
    rules: Rules, arrangement: Arrangement, action: int, row: int, episodes: Episodes, observations: Observations
) -> bool:
    """Take an action in one game, or begin a new one if it is over; return False if it fails."""
    learner = episodes.learners[row]
    actor = episodes.movers[row] if learner == ALL_SEATS else learner
    begins = episodes.over[row]
    if begins:
        _begin(arrangement, row, episodes)
    else:
        if not episodes.is_new[row]:
            for seat in range(episodes.gains.shape[1]):
                episodes.gains[row, seat] = 0.0
        episodes.is_new[row] = False
        if not _take(rules, arrangement, action, row, episodes, observations.action_masks):
            return False
    if not _play_on(rules, arrangement, row, episodes, observations.rewards[row]):
        return False
    for seat in range(episodes.gains.shape[1]):
        observations.rewards[row, seat] = 0.0 if begins else arrangement.sign * episodes.gains[row, seat]
    observations.actor_rewards[row] = 0.0 if begins else observations.rewards[row, actor]
    if not _observe(rules, arrangement, row, episodes, observations):
        return False
    if begins and episodes.over[row]:
        episodes.over[row] = False
        observations.action_masks[row, NO_OP] = 1
    return True


@always_inline
def _begin(arrangement: Arrangement, row: int, episodes: Episodes) -> None:
    """Begin a new game."""
    game, seats = episodes.next_games[row], episodes.gains.shape[1]
    episodes.next_games[row] = game + len(episodes.next_games)
    episodes.positions[row] = game << STREAM_BITS
    episodes.learners[row] = arrangement.seat
    if arrangement.seat == ANY_SEAT:
        episodes.learners[row] = int(seats * number_at(arrangement.seat_key, game))
    episodes.movers[row] = 0
    episodes.is_new[row] = True
    episodes.over[row] = False
    for seat in range(seats):
        episodes.gains[row, seat] = 0.0
    for field in range(episodes.states.shape[1]):
        episodes.states[row, field] = arrangement.start[0, field]


@always_inline
def _take(rules: Rules, arrangement: Arrangement, action: int, row: int, episodes: Episodes, action_masks: I8) -> bool:
    """Take the action of the agent; none in a game that is over before it."""
    state, seat = state_from(episodes.states, row), episodes.movers[row]
    if over(rules, state):
        return True
    position = episodes.positions[row]
    if arrangement.replaces and not _is_marked(action, row, action_masks):
        action = _any_marked(row, action_masks, number_at(arrangement.action_key, position))
    episodes.positions[row] = position + 1
    number = number_at(arrangement.play_key, position)
    action = arrangement.actions[action]
    after = advance(rules, state, seat, episodes.gains.shape[1], action, number)
    if after.passes < 0:
        return _failed(PlayoutStatus.BROKEN, row, action, 0, episodes)
    episodes.gains[row, seat] += after.gain
    episodes.movers[row] = after.seat
    _write(after.after, row, episodes.states)
    return True


@always_inline
def _play_on(rules: Rules, arrangement: Arrangement, row: int, episodes: Episodes, payoffs: F64) -> bool:
    """Play until the agent is to move, or the game is over; float64[seats] is modified.

    The payoffs of a game that is over before the agent's first decision are those of the step that follows.
    """
    state, seat = state_from(episodes.states, row), episodes.movers[row]
    seats, learner = len(payoffs), episodes.learners[row]
    position = episodes.positions[row]
    failure, action, opponent = PlayoutStatus.ENDLESS, CHANCE, 0
    for _ in range(MAX_ACTIONS):
        if over(rules, state):
            episodes.over[row] = True
            failure = PlayoutStatus.DONE
            if not episodes.is_new[row]:
                if not pay(rules, state, seat, payoffs):
                    failure = PlayoutStatus.UNFAIR
                for payee in range(seats):
                    episodes.gains[row, payee] += payoffs[payee]
            break
        if (learner == ALL_SEATS or seat == learner) and not _is_chance(rules, state):
            failure = PlayoutStatus.DONE
            break
        number = number_at(arrangement.play_key, position)
        moves, action = pick(rules, state, number)
        if moves > 0:
            opponent = (seat - learner - 1) % seats
            policy = arrangement.players.policies[opponent]
            if policy > 0:
                action = call_policy(rules, view(rules, state), policy, arrangement.players.data, number)
                if not is_legal(rules, state, action):
                    failure = PlayoutStatus.ILLEGAL
                    break
        after = advance(rules, state, seat, seats, action, number_at(arrangement.play_key, position + 1))
        position += 2
        if after.passes < 0:
            failure = PlayoutStatus.BROKEN
            break
        episodes.gains[row, seat] += after.gain
        state, seat = after.after, after.seat
    episodes.positions[row] = position
    episodes.movers[row] = seat
    _write(state, row, episodes.states)
    return failure == PlayoutStatus.DONE or _failed(failure, row, action, opponent, episodes)


@always_inline
def _observe(rules: Rules, arrangement: Arrangement, row: int, episodes: Episodes, observations: Observations) -> bool:
    """Write the observation of the agent; if it plays all seats, that of the player to move."""
    state, seat = state_from(episodes.states, row), episodes.movers[row]
    masks = observations.action_masks
    for action in range(masks.shape[1]):
        masks[row, action] = 0
    if episodes.over[row]:
        if episodes.learners[row] != ALL_SEATS:
            while seat != episodes.learners[row]:
                state = turned(rules, state)
                seat = (seat + 1) % episodes.gains.shape[1]
    else:
        for action in legal(rules, state):
            if not 0 <= action < len(arrangement.numbers) or arrangement.numbers[action] < 0:
                return _failed(PlayoutStatus.UNLISTED, row, action, 0, episodes)
            masks[row, arrangement.numbers[action]] = 1
    seen = view(rules, state)
    for field in range(len(seen)):
        observations.fields[row, arrangement.columns[field]] = seen[field]
    if not encode(row, observations.fields, arrangement.encoding, observations.planes):
        return _failed(PlayoutStatus.OUTSIDE, row, CHANCE, 0, episodes)
    return True


@always_inline
def _is_chance(rules: Rules, state: State) -> bool:
    """Return whether a state where the game is not over is a chance node."""
    for action in legal(rules, state):
        return action == CHANCE
    return False


@always_inline
def _is_marked(action: int, row: int, action_masks: I8) -> bool:
    return 0 <= action < action_masks.shape[1] and bool(action_masks[row, action] == 1)


@always_inline
def _any_marked(row: int, action_masks: I8, number: float) -> int:
    """Return the legal action that a random number in [0, 1) selects."""
    count = 0
    for action in range(action_masks.shape[1]):
        count += action_masks[row, action]
    index = int(number * count)
    for action in range(action_masks.shape[1]):
        index -= action_masks[row, action]
        if index < 0:
            return action
    return NO_OP


@always_inline
def _write(state: State, row: int, rows: I64) -> None:
    for field in range(len(state)):
        rows[row, field] = state[field]


def _failed(reason: int, row: int, action: int, opponent: int, episodes: Episodes) -> bool:
    episodes.failures[row, REASON] = reason
    episodes.failures[row, ACTION] = action
    episodes.failures[row, OPPONENT] = opponent
    return False
