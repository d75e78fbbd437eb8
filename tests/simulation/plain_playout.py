"""Games played straight from the protocol, with the same random numbers: a slow twin of the playouts."""

from komi import streams
from komi.game import CHANCE

MASK = (1 << 64) - 1


def number(key, place):
    """Return the random number at a position of a stream, from 0 to 1."""

    def rotated(x):
        return (x >> 32) | (x << 32) & MASK

    y = x = place * int(key) & MASK
    z = (y + int(key)) & MASK
    x = rotated((x * x + y) & MASK)
    x = rotated((x * x + z) & MASK)
    x = rotated((x * x + y) & MASK)
    t = x = (x * x + z) & MASK
    x = rotated(x)
    return ((t ^ ((x * x + y) & MASK) >> 32) >> 11) * 2.0**-53


def play(game, rules, seed, deal, number_of_game, policies=None):
    """Play one game: (payoffs by seat, turns, decisions, numbers of legal moves, seats that acted)."""
    chance_key, choice_key = streams.key(seed, 0), streams.key(seed, 1)
    chance_at, choice_at = deal << streams.STREAM_BITS, number_of_game << streams.STREAM_BITS
    players = game.players(rules)
    state, seat, turns, moves, acted, passes = game.part("start")(rules), 0, 0, [], set(), 0
    while not game.part("over")(rules, state):
        actions = list(game.part("legal")(rules, state))
        if actions == [CHANCE]:
            action = CHANCE
        else:
            moves.append(len(actions))
            acted.add(seat)
            action = actions[int(number(choice_key, choice_at) * len(actions))]
            choice_at += 1
            if policies and policies[seat]:
                action = policies[seat](rules, state)
        outcomes = list(game.outcomes(rules, state, action))
        luck, total = number(chance_key, chance_at), 0.0
        for probability, after, passes in outcomes:  # noqa: B007  the last is gone on with
            total += probability
            if luck < total:
                break
        chance_at += probability < 1.0
        state, seat = after, (seat + passes) % players
        turns += passes > 0
    payoffs = [0.0] * players
    for place, payoff in enumerate(game.payoffs(rules, state)):
        payoffs[(seat + place) % players] = payoff
    return payoffs, turns + (passes == 0), len(moves), moves, acted
