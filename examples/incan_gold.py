"""Incan Gold: go on together for more gems, or leave the cave with what lies on the path (Moon and Faidutti, 2005).

Two players decide at the same time before each card. A treasure is shared by those in the cave; what cannot be shared
lies on the path until a player leaves. The second hazard of a kind drives everyone out with empty hands. The deck is
smaller than that of the published game, and without artifacts.
"""

from typing import NamedTuple

from komi.game import CHANCE

players = 2
actions = ("leave", "stay")
LEAVE, STAY = range(2)


class Rules(NamedTuple):
    rounds: int = 2
    treasures: int = 5  # cards worth 1, 2, ... gems
    hazards: int = 2  # kinds of hazard
    copies: int = 3  # cards of each kind of hazard


class State(NamedTuple):  # as the player to move sees it
    rounds: int  # rounds left, this one included
    lead: int = 0  # gems that you have brought home more than the opponent
    held: int = 0  # gems of each player in the cave
    path: int = 0  # gems on the path
    treasures: int = 0  # treasures that were turned, as bits
    hazards: int = 0  # kinds of hazard that were turned, as bits
    alone: int = 0  # 1: only you are left in the cave; 2, as the opponent sees it: only the opponent is
    chosen: int = 0  # the choice of the other player, still hidden: 1 leave, 2 stay
    draw: int = 1  # 1: a card is turned next


def limits(rules):
    return Rules(rounds=(1, 5), treasures=(1, 10), hazards=(1, 5), copies=(2, 3))


def start(rules):
    return State(rules.rounds)


def view(rules, state):
    return state._replace(chosen=min(state.chosen, 1))


def turned(rules, state):
    return state._replace(lead=-state.lead, alone=-state.alone % 3)


def deal(rules, view, uniform):
    return view if view.chosen == 0 else view._replace(chosen=1 + (uniform < 0.5))


def domains(rules):
    gems = rules.treasures * (rules.treasures + 1) // 2
    return State(
        rounds=range(rules.rounds + 1),
        lead=range(-gems * rules.rounds, gems * rules.rounds + 1),
        held=range(gems + 1),
        path=range(gems + 1),
        treasures=set(range(rules.treasures)),
        hazards=set(range(rules.hazards)),
        alone=range(3),
        chosen=range(2),
        draw=range(2),
    )


def legal(rules, state):
    if state.draw:
        yield CHANCE
    else:
        yield LEAVE
        yield STAY


def outcomes(rules, state, action):
    if action == CHANCE:
        cards = 0
        for treasure in range(rules.treasures):
            cards += 1 - (state.treasures >> treasure & 1)
        for hazard in range(rules.hazards):
            cards += rules.copies - (state.hazards >> hazard & 1)
        for treasure in range(rules.treasures):
            if not state.treasures >> treasure & 1:
                gems, inside = treasure + 1, 1 if state.alone else 2
                after = state._replace(
                    held=state.held + gems // inside,
                    path=state.path + gems % inside,
                    treasures=state.treasures | 1 << treasure,
                    draw=0,
                )
                yield 1 / cards, after, 0
        for hazard in range(rules.hazards):
            if state.hazards >> hazard & 1:
                yield (rules.copies - 1) / cards, State(state.rounds - 1, state.lead), 0
            else:
                yield rules.copies / cards, state._replace(hazards=state.hazards | 1 << hazard, draw=0), 0
    elif state.alone:
        if action == LEAVE:
            yield 1.0, State(state.rounds - 1, state.lead + state.held + state.path), 0
        else:
            yield 1.0, state._replace(draw=1), 0
    elif state.chosen == 0:
        yield 1.0, state._replace(lead=-state.lead, chosen=action + 1), 1
    else:
        first, second = state.chosen - 1, action
        if first == LEAVE and second == LEAVE:
            yield 1.0, State(state.rounds - 1, -state.lead), 1
        elif first == STAY and second == STAY:
            yield 1.0, state._replace(lead=-state.lead, chosen=0, draw=1), 1
        elif first == LEAVE:
            lead = state.lead - state.held - state.path
            yield 1.0, state._replace(lead=lead, path=0, alone=1, chosen=0, draw=1), 0
        else:
            lead = -state.lead - state.held - state.path
            yield 1.0, state._replace(lead=lead, path=0, alone=1, chosen=0, draw=1), 1


def over(rules, state):
    return state.rounds == 0


def payoff(rules, state):
    return 1.0 if state.lead > 0 else 0.5 if state.lead == 0 else 0.0


def event(rules, state, action, after):
    if after.rounds < state.rounds:
        return "second hazard"
    treasure = after.treasures & ~state.treasures
    if treasure:
        return f"{treasure.bit_length()} gems"
    return f"hazard {(after.hazards & ~state.hazards).bit_length()}"


def revealed(rules, state, action, after):
    if action == CHANCE or (state.chosen == 0 and state.alone == 0):
        return ""
    if state.alone:
        return f"The player left in the cave said {actions[action]}."
    return f"The first to choose said {actions[state.chosen - 1]}, the other {actions[action]}."
