"""Risk Battle: armies attack a territory until one side has none left; there are no decisions.

J. A. Osborne, "Markov Chains for the RISK Board Game Revisited", Mathematics Magazine 76(2), 2003. The attacker's
armies are those that are able to attack: the one that must stay behind is not counted. Each side rolls as many dice as
it may and has armies for.
"""

from typing import NamedTuple

from komi.game import CHANCE
from komi.games._risk_dice import CHANCES, MAX_ATTACK, MAX_DEFENCE

players = 1
actions = ()


class Rules(NamedTuple):
    attackers: int = 10  # armies able to attack
    defenders: int = 10  # armies that defend
    attack_dice: int = 3  # that the attacker rolls at most
    defence_dice: int = 2  # that the defender rolls at most
    objective: str = "win"  # the attacker's chance to win, or the armies lost by attackers or defenders


class State(NamedTuple):
    attackers: int  # armies able to attack that are left
    defenders: int  # armies that defend that are left


def limits(rules):
    return Rules(
        attackers=(1, 1000),
        defenders=(1, 1000),
        attack_dice=(1, MAX_ATTACK),
        defence_dice=(1, MAX_DEFENCE),
        objective=("win", "attackers", "defenders"),
    )


def objective(rules):
    if rules.objective == "win":
        return "chance that the attacker wins"
    return "expected " + rules.objective + " lost"


def start(rules):
    return State(rules.attackers, rules.defenders)


def possible(rules, state):
    return 0 < state.attackers <= rules.attackers and 0 < state.defenders <= rules.defenders


def legal(rules, state):
    yield CHANCE


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    attack, defence = min(state.attackers, rules.attack_dice), min(state.defenders, rules.defence_dice)
    for lost in range(min(attack, defence) + 1):
        won = min(attack, defence) - lost
        yield CHANCES[attack][defence][lost], State(state.attackers - lost, state.defenders - won), 0


def event(rules, state, action, after):
    return f"{state.attackers - after.attackers} : {state.defenders - after.defenders} lost"


def reward(rules, state, action, after):
    if rules.objective == "attackers":
        return float(state.attackers - after.attackers)
    return float(state.defenders - after.defenders) if rules.objective == "defenders" else 0.0


def over(rules, state):
    return state.attackers == 0 or state.defenders == 0


def payoff(rules, state):
    return 1.0 if rules.objective == "win" and state.defenders == 0 else 0.0


def table(rules, state):
    """Yield the armies of both sides, and the dice that they roll next."""
    yield "stack", "Attacker", -1, "army" if state.attackers == 1 else "armies", state.attackers
    for _ in range(min(state.attackers, rules.attack_dice)):
        yield "die", "Attacker", -1, ""
    yield "stack", "Defender", -1, "army" if state.defenders == 1 else "armies", state.defenders
    for _ in range(min(state.defenders, rules.defence_dice)):
        yield "die", "Defender", -1, ""


def laid(rules, event):
    """Yield the armies that a roll such as "1 : 1 lost" has cost."""
    yield "counter", "Attacker", -1, "armies lost", int(event[0])
    yield "counter", "Defender", -1, "armies lost", int(event[4])


def how_to_play(rules):
    return f"""
    Armies attack a territory until one side has none left. The dice decide: there is nothing to choose.

    In each round the attacker rolls up to {rules.attack_dice} dice and the defender up to {rules.defence_dice},
    each with no more dice than armies. The highest dice of both are compared, and then the next: the lower one
    loses an army, and the defender wins ties.

    Example: the attacker rolls 6, 4 and 1, the defender 5 and 4. 6 beats 5, 4 does not beat 4: each side loses an
    army.
    """
