"""Kalah: sow the seeds of a house; a seed in your store scores, and ending there gives you another move.

The rules of Irving, Donkers and Uiterwijk, "Solving Kalah", ICGA Journal 23(3), 2000.
"""

from typing import NamedTuple

from komi.game import put

players = 2
HOUSES = 6


class Rules(NamedTuple):
    houses: int = 3  # of each player
    seeds: int = 3  # in each house at the start
    empty_captures: int = 1  # 1: a last seed in your empty house is captured even if the house opposite is empty


class State(NamedTuple):
    mine: tuple[int, ...]  # seeds in your houses, the one next to your store last
    theirs: tuple[int, ...]  # seeds in the opponent's houses
    margin: int = 0  # how many seeds your store has more than the opponent's


def limits(rules):
    return Rules(houses=(1, HOUSES), seeds=(1, 6), empty_captures=(0, 1))


def payoff_range(rules):
    return -2 * rules.houses * rules.seeds, 2 * rules.houses * rules.seeds


def objective(rules):
    return "expected margin"


def start(rules):
    return State((rules.seeds,) * rules.houses, (rules.seeds,) * rules.houses)


def legal(rules, state):
    for house in range(rules.houses):
        if state.mine[house] > 0:
            yield house


def outcomes(rules, state, house):
    mine, theirs, margin = put(state.mine, house, 0), state.theirs, state.margin
    place = house
    for _ in range(state.mine[house]):
        place = (place + 1) % (2 * rules.houses + 1)  # the opponent's store is passed over
        if place < rules.houses:
            mine = put(mine, place, mine[place] + 1)
        elif place == rules.houses:
            margin += 1
        else:
            across = place - rules.houses - 1
            theirs = put(theirs, across, theirs[across] + 1)
    opposite = rules.houses - 1 - place
    if place < rules.houses and mine[place] == 1 and (rules.empty_captures or theirs[opposite] > 0):
        margin += 1 + theirs[opposite]
        mine, theirs = put(mine, place, 0), put(theirs, opposite, 0)
    if sum(mine) == 0 or sum(theirs) == 0:  # the rest goes to its owner
        none = mine
        for each in range(rules.houses):
            none = put(none, each, 0)
        yield 1.0, State(none, none, margin + sum(mine) - sum(theirs)), 0
    elif place == rules.houses:
        yield 1.0, State(mine, theirs, margin), 0
    else:
        yield 1.0, State(theirs, mine, -margin), 1


def over(rules, state):
    return sum(state.mine) + sum(state.theirs) == 0


def payoff(rules, state):
    return float(state.margin)


def label(rules, state, house):
    return f"house {house + 1}"


def action_count(rules):
    return rules.houses
