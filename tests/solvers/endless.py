"""Random games without an end, as lists, and the average rewards of their policies in exact fractions."""

import random
from fractions import Fraction
from itertools import accumulate
from math import prod
from pathlib import Path

import numpy as np

from komi.game import CHANCE
from komi.graph.explicit import ExplicitModel

from exact import eliminated

Outcomes = list[tuple[Fraction, int, int]]  # the next states with their probabilities, and whether the turn passes
Action = tuple[Outcomes, Fraction]  # the outcomes, and the reward
States = list[tuple[bool, list[Action]]]  # whether chance moves, and the actions


def random_states(seed: int) -> States:
    """Draw a decision process: few states, so that there are several recurrent classes, cycles and moves of chance."""
    draw = random.Random(seed)
    size, states = draw.randint(1, 5), []
    for state in range(size):
        is_chance = state > 0 and draw.random() < 0.25
        actions = []
        for _ in range(1 if is_chance else draw.randint(1, 3)):
            reachable = range(state) if is_chance else range(size)  # chance comes to an end
            targets = draw.choices(reachable, k=draw.choice((1, 1, 2, 4)))
            chances = [(Fraction(1, len(targets)), target, 0) for target in targets]
            actions.append((chances, Fraction(draw.randint(-8, 8), draw.choice((1, 4)))))
        states.append((is_chance, actions))
    return states


def random_game(seed: int) -> States:
    """Draw a game for two with up to 16 policies: with chance or without, with many ties or few."""
    draw = random.Random(seed)
    has_chance, has_ties = draw.random() < 0.7, draw.random() < 0.5
    size, states = draw.randint(2, 8), States()
    for state in range(size):
        is_chance = has_chance and state > 0 and draw.random() < 0.2
        most = 16 // prod(len(actions) for _, actions in states)
        actions = []
        for _ in range(1 if is_chance else min(draw.randint(1, 3), most)):
            reachable = range(state) if is_chance else range(size)  # chance comes to an end
            targets = draw.choices(reachable, k=draw.choice((1, 1, 2, 4)) if has_chance else 1)
            outcomes = [(Fraction(1, len(targets)), target, draw.randint(0, 1)) for target in targets]
            reward = draw.randint(-1, 1) if has_ties else Fraction(draw.randint(-8, 8), draw.choice((1, 4)))
            actions.append((outcomes, Fraction(reward)))
        states.append((is_chance, actions))
    return states


def exact_gains(chain: list[Action], takes: list[int]) -> list[Fraction]:
    """Return the gain of each state of a Markov chain."""
    size = range(len(chain))
    reached = [{state} for state in size]
    for _ in size:
        reached = [set.union(reached[state], *(reached[after] for _, after, _ in chain[state][0])) for state in size]
    gain: dict[int, Fraction] = {}
    for state in size:
        if state in gain or any(state not in reached[after] for after in reached[state]):
            continue
        members = sorted(reached[state])
        first = next(member for member in members if takes[member])
        unknown = [first, *(member for member in members if member != first)]  # the gain takes the place of a bias
        equations = []
        for member in members:
            row = [Fraction(member == other) for other in unknown]
            for chance, after, _ in chain[member][0]:
                row[unknown.index(after)] -= chance
            row[0] = Fraction(takes[member])
            equations.append([*row, chain[member][1]])
        gain |= dict.fromkeys(members, eliminated(equations)[0])
    others = [state for state in size if state not in gain]
    equations = []
    for state in others:
        row = [Fraction(state == other) for other in others]
        right = Fraction(0)
        for chance, after, _ in chain[state][0]:
            if after in gain:
                right += chance * gain[after]
            else:
                row[others.index(after)] -= chance
        equations.append([*row, right])
    gain |= dict(zip(others, eliminated(equations), strict=True))
    return [gain[state] for state in size]


def model_of(states: States) -> ExplicitModel:
    """Return the process as the model that the solver reads."""
    actions = [action for _, each in states for action in each]
    outcomes = [(*each, reward) for outcomes, reward in actions for each in outcomes]
    return ExplicitModel(
        np.arange(len(states))[:, None],
        np.array(list(accumulate(len(each) for _, each in states))),
        np.array([CHANCE if is_chance else number for is_chance, each in states for number in range(len(each))]),
        np.array(list(accumulate(len(each) for each, _ in actions))),
        np.array([float(chance) for chance, *_ in outcomes]),
        np.array([after for _, after, *_ in outcomes], np.int32),
        np.array([bool(passes) for _, _, passes, _ in outcomes]),
        np.array([float(reward) for *_, reward in outcomes]),
    )


def rule_file(folder: Path, states: States, aim: str = "most", players: int = 1) -> Path:
    """Write a process as a rule file."""
    table = [[(outcomes, float(reward)) for outcomes, reward in actions] for _, actions in states]
    chance = [is_chance for is_chance, _ in states]
    text = f'''"""A process."""

from typing import NamedTuple

from komi.game import CHANCE

players = {players}
actions = ("first", "second", "third")
average = True
aim = "{aim}"


class Rules(NamedTuple):
    begin: int = 0


class State(NamedTuple):
    at: int = 0


def start(rules):
    return State(rules.begin)


def legal(rules, state):
'''
    for number, is_chance in enumerate(chance):
        text += f"    if state.at == {number}:\n"
        text += "".join(f"        yield {'CHANCE' if is_chance else action}\n" for action in range(len(table[number])))
    text += "\n\ndef outcomes(rules, state, action):\n"
    for number, actions in enumerate(table):
        for action, (chances, _) in enumerate(actions):
            text += f"    if state.at == {number} and action == {'CHANCE' if chance[number] else action}:\n"
            merged: dict[tuple[int, int], float] = {}
            for share, *after in chances:
                merged[*after] = merged.get((*after,), 0.0) + float(share)
            text += "".join(
                f"        yield {share!r}, State({after}), {passes}\n" for (after, passes), share in merged.items()
            )
    text += "\n\ndef reward(rules, state, action, after):\n"
    for number, actions in enumerate(table):
        for action, (_, reward) in enumerate(actions):
            text += f"    if state.at == {number} and action == {'CHANCE' if chance[number] else action}:\n"
            text += f"        return {reward!r}\n"
    text += "    return 0.0\n\n\ndef over(rules, state):\n    return False\n\n\n"
    text += "def payoff(rules, state):\n    return 0.0\n"
    path = folder / "process.py"
    path.write_text(text)
    return path
