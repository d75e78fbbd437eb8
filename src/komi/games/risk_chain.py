"""Risk Chain: one territory's armies attack a chain of others, one after the other, and never retreat.

T. W. Neller, I. Russell and Z. Markov, "Solving the Dice Game Pig", 2005, exercises; the dice as in J. A. Osborne,
"Markov Chains for the RISK Board Game Revisited", 2003. One army stays behind in the first territory, and one in each
that is conquered; all others go on. The chain ends before the first territory without defenders.
"""

from typing import NamedTuple

from komi.game import CHANCE
from komi.games._risk_dice import CHANCES, MAX_ATTACK, MAX_DEFENCE

players = 1
actions = ()
TERRITORIES = 8


class Rules(NamedTuple):
    armies: int = 30  # in the first territory, that which stays behind counted
    defenders1: int = 3  # armies that defend the first territory attacked
    defenders2: int = 3  # those in the next, and so on; 0: the chain has ended
    defenders3: int = 3
    defenders4: int = 3
    defenders5: int = 3
    defenders6: int = 0
    defenders7: int = 0
    defenders8: int = 0
    attack_dice: int = 3  # that the attacker rolls at most
    defence_dice: int = 2  # that the defender rolls at most
    objective: str = "win"  # the chance to take the whole chain, or the armies lost by attackers or defenders


class State(NamedTuple):
    taken: int  # territories conquered
    attackers: int  # armies able to attack that are left
    defenders: int  # armies that defend the territory attacked


def limits(rules):
    last = (0, 200)
    return Rules(
        armies=(2, 1000),
        defenders1=(1, 200),
        defenders2=(0, 200),
        defenders3=last if rules.defenders2 else (0, 0),
        defenders4=last if rules.defenders3 else (0, 0),
        defenders5=last if rules.defenders4 else (0, 0),
        defenders6=last if rules.defenders5 else (0, 0),
        defenders7=last if rules.defenders6 else (0, 0),
        defenders8=last if rules.defenders7 else (0, 0),
        attack_dice=(1, MAX_ATTACK),
        defence_dice=(1, MAX_DEFENCE),
        objective=("win", "attackers", "defenders"),
    )


def objective(rules):
    if rules.objective == "win":
        return "chance that the whole chain is taken"
    return "expected " + rules.objective + " lost"


def _chain(rules):
    """Return the number of armies that defend each territory."""
    return (
        rules.defenders1,
        rules.defenders2,
        rules.defenders3,
        rules.defenders4,
        rules.defenders5,
        rules.defenders6,
        rules.defenders7,
        rules.defenders8,
    )


def start(rules):
    return State(0, rules.armies - 1, rules.defenders1)


def possible(rules, state):
    able = 0 < state.attackers <= rules.armies - 1 - state.taken
    return able and 0 <= state.taken < TERRITORIES and 0 < state.defenders <= _chain(rules)[state.taken]


def legal(rules, state):
    yield CHANCE


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    attack, defence = min(state.attackers, rules.attack_dice), min(state.defenders, rules.defence_dice)
    for lost in range(min(attack, defence) + 1):
        attackers, defenders = state.attackers - lost, state.defenders - (min(attack, defence) - lost)
        if defenders > 0:
            yield CHANCES[attack][defence][lost], State(state.taken, attackers, defenders), 0
        else:  # one army stays in the territory, the others attack the next
            taken = state.taken + 1
            following = _chain(rules)[taken] if taken < TERRITORIES else 0
            yield CHANCES[attack][defence][lost], State(taken, attackers - 1, following), 0


def event(rules, state, action, after):
    lost = state.attackers - after.attackers - (after.taken > state.taken)
    won = state.defenders if after.taken > state.taken else state.defenders - after.defenders
    return f"{lost} : {won} lost"


def reward(rules, state, action, after):
    taken = after.taken > state.taken
    if rules.objective == "attackers":
        return float(state.attackers - after.attackers - taken)
    if rules.objective == "defenders":
        return float(state.defenders if taken else state.defenders - after.defenders)
    return 0.0


def over(rules, state):
    return state.attackers == 0 or state.defenders == 0


def payoff(rules, state):
    return 1.0 if rules.objective == "win" and state.defenders == 0 else 0.0  # all are taken


def table(rules, state):
    """Yield the territories of the chain, the armies in them, and the dice that are rolled next."""
    for number, defenders in enumerate(_chain(rules)):
        if defenders > 0:
            place = f"Territory {number + 1}"
            if number < state.taken:
                yield "token", place, -1, "conquered"
            else:
                armies = state.defenders if number == state.taken else defenders
                yield "stack", place, -1, "army" if armies == 1 else "armies", armies
                if number == state.taken:
                    yield "token", place, -1, "under attack"
                    for _ in range(min(state.defenders, rules.defence_dice)):
                        yield "die", place, -1, ""
    yield "stack", "Attacker", -1, "army" if state.attackers == 1 else "armies", state.attackers
    for _ in range(min(state.attackers, rules.attack_dice)):
        yield "die", "Attacker", -1, ""


def laid(rules, event):
    """Yield the armies that a roll such as "1 : 1 lost" has cost."""
    yield "counter", "Last roll", -1, "attackers lost", int(event[0])
    yield "counter", "Last roll", -1, "defenders lost", int(event[4])


def how_to_play(rules):
    return f"""
    One territory's armies conquer a chain of others, one after the other. The dice decide: there is nothing to
    choose.

    Each territory is attacked until the attacker has a single army left or the defenders are gone, as in Risk: up
    to {rules.attack_dice} dice against {rules.defence_dice}, highest against highest, and the defender wins ties.
    One army stays behind in each territory; all others go on.

    Example: 10 armies take the first territory and lose 2. One stays behind where they came from, one stays in what
    they took, and the others attack the next.
    """
