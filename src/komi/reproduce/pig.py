"""The published numbers of Pig and its family."""

from collections import defaultdict
from functools import cache
from itertools import pairwise

from komi.evaluation.match_result import Match
from komi.evaluation.two_player import match_two_player
from komi.policies.named import find
from komi.reproduce.claim import Finding, PublishedClaim, percent, solved


@cache
def _match(a: str, b: str, game: str = "pig", komi: int = 0) -> Match:
    solution = solved(game, komi=komi)
    one = find(a, solution)
    return match_two_player(solution, one, one if a == b else find(b, solution))


def _first_wins() -> Finding:
    return Finding(percent(solved("pig").value()))


def _komi_four() -> Finding:
    return Finding(percent(solved("pig", komi=4).value()))


def _actions() -> Finding:
    actions = [_match("optimal", "optimal", komi=komi).expected_actions for komi in (0, 4)]
    note = f"draws and holds are {actions[0]:.2f} and {actions[1]:.2f}; the published figures are twice that, less one"
    return Finding(", ".join(f"{2 * number - 1:.2f}" for number in actions), note)


def _one_turn() -> Finding:
    solution = solved("pig")
    game, rules = solution.game, solution.rules
    points: dict[int, float] = defaultdict(float)
    going = {game.part("start")(rules): 1.0}
    while going:
        later: dict[object, float] = defaultdict(float)
        for state, mass in going.items():
            action = "hold" if state.turn >= 20 else "roll"
            for chance, after, passes in game.outcomes(rules, state, game.labels(rules, state)[action]):
                if passes:
                    points[after.rival] += mass * chance
                else:
                    later[after] += mass * chance
        going = later
    return Finding(" ".join(f"{points[total]:.6f}".lstrip("0") for total in (0, 20, 21, 22, 23, 24, 25)))


def _hold_at_20() -> Finding:
    return Finding(f"{_match('hold-at:20', 'hold-at:20').first.wins:.4f}".lstrip("0"))


def _disadvantages() -> Finding:
    behind = [1 - 2 * _match(policy, "optimal").average for policy in ("hold-at:20", "hold-at:25", "keep-pace")]
    exact = ", ".join(percent(number) for number in behind)
    return Finding(f"{percent(behind[0], 0)}; {percent(behind[1], 1)}; {percent(behind[2], 1)}", exact)


def _piglet() -> Finding:
    piglet = solved("piglet", goal=2)
    fractions = {"000": "4/7", "001": "5/7", "010": "2/5", "011": "3/5", "100": "4/5", "110": "2/3"}
    ours = []
    for digits, fraction in fractions.items():
        score, rival, turn = tuple(digits)
        value = piglet.value(f"score={score},rival={rival},turn={turn}")
        numerator, denominator = map(int, fraction.split("/"))
        ours.append(fraction if abs(value - numerator / denominator) < 1e-12 else f"{value:.15f}")
    return Finding(" ".join(ours), "to 1e-12")


def _policy_line() -> Finding:
    solution = solved("progressive-pig")
    line = [(turn, solution.best(f"score=15,rival=70,turn={turn}")) for turn in range(2, 85)]
    changes = [f"{turn} {best}" for (_, before), (turn, best) in pairwise(line) if best != before]
    return Finding(" ".join([str(line[0][1]), *changes]))


def _two_dice() -> Finding:
    solution = solved("two-dice-pig")
    optimal = find("optimal", solution)
    averages = {}
    for points in range(20, 27):
        averages[points] = match_two_player(solution, find(f"hold-at:{points}", solution), optimal).average
    best = max(averages, key=lambda points: averages[points])
    return Finding(f"{best}; {averages[best]:.4f}", "of hold values 20 to 26")


CLAIMS = (
    PublishedClaim("pig-first", "P04", "Pig: first player wins with optimal play", "53.06 %", _first_wins),
    PublishedClaim("pig-komi", "F14", "... with komi 4", "50.16 %", _komi_four),
    PublishedClaim("pig-actions", "F14", '"expected player actions" of Pig, komi 0 and 4', "167.29, 164.01", _actions),
    PublishedClaim(
        "hold-at-20-turn",
        "N10",
        "hold at 20: chances of 0, 20, 21, 22, 23, 24, 25 in one turn",
        ".624541 .099713 .094991 .074189 .054196 .035198 .017173",
        _one_turn,
    ),
    PublishedClaim("hold-at-20-self", "N10", "hold at 20 against itself: first player wins", ".5347", _hold_at_20),
    PublishedClaim(
        "practical-play",
        "NP10",
        "behind optimal play: hold at 20; hold at 25; keep pace and end race",
        "8 %; 4.2 %; 0.9 %",
        _disadvantages,
    ),
    PublishedClaim(
        "piglet", "P04", "Piglet, goal 2: P000 P001 P010 P011 P100 P110", "4/7 5/7 2/5 3/5 4/5 2/3", _piglet
    ),
    PublishedClaim(
        "progressive-pig",
        "N05",
        "Progressive Pig, 15 to 70: the policy line",
        "roll 25 hold 35 roll 38 hold 77 roll",
        _policy_line,
    ),
    PublishedClaim(
        "two-dice-pig", "Z22", "Two-Dice Pig: best hold value; its wins against optimal", "23; 0.4747", _two_dice
    ),
)
