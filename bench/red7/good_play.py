"""Measures searching players in Red7: `python bench/red7/good_play.py GAMES POLICY POLICY POLICY [RULE=VALUE ...]`.

The policies change seats from game to game. Reported are the wins of each seat and of each policy, and for each policy
what its turns consist of, how often they change the rule, and under which rule they end. Turns in which a player drops
out are not counted. The rules are run interpreted; searches are compiled.
"""

import random
import sys
from collections import Counter

from komi.game import CHANCE
from komi.games.red7.canvas import NONE
from komi.games.red7.steps import RETURN, TAKE
from komi.games.red7.table import COLOURS
from komi.policies.named import find_or_solve
from komi.rules.catalog import find


def played(game, rules, policies, chance):
    """Play one game; return the winning seat, the number of turns, and (seat, kind, changed, canvas) for each turn."""
    module = game.module
    state, seat, turns, acts = module.start(rules), 0, [], set()
    begun = state.canvas
    while not module.over(rules, state):
        mover = seat
        moves, action = module.pick(rules, state, chance.random())
        if moves > 1:
            action = policies[seat].choose(game, rules, module.view(rules, state), chance.random())
        if action != CHANCE:
            card, kind = action >> 6, action & 63
            acts |= {"play"} if card != NONE and kind not in (TAKE, RETURN) else set()
            acts |= {"discard"} if kind not in (NONE, TAKE) else set()
        _, state, passes = module.sample(rules, state, action, chance.random())
        seat = (seat + passes) % rules.players
        if passes:
            if action != CHANCE:
                turns.append((mover, " and ".join(sorted(acts)), state.canvas != begun, state.canvas))
            acts, begun = set(), state.canvas
    winner = next(
        seat_ for seat_ in range(rules.players) if module.payoff(rules, state, (seat_ - seat) % rules.players)
    )
    return winner, turns


def main(games: int, names: list[str], settings: dict[str, str]) -> None:
    """Play the games and print the tables."""
    game = find("red7")
    rules = game.rules(settings)
    policies = {name: find_or_solve(name, game, settings) for name in names}
    chance = random.Random(2015)
    seats, wins, plays, length = Counter(), Counter(), Counter(), []
    kinds, changes, canvases, taken = Counter(), Counter(), Counter(), Counter()
    for number in range(games):
        shift = number % len(names)
        order = names[shift:] + names[:shift]
        winner, turns = played(game, rules, [policies[name] for name in order], chance)
        seats[winner] += 1
        wins[order[winner]] += 1
        plays.update(order)
        length.append(len(turns))
        for seat, kind, changed, canvas in turns:
            name = order[seat]
            kinds[name, kind] += 1
            changes[name] += changed
            canvases[name, COLOURS[canvas]] += 1
            taken[name] += 1
    print(f"{games} games, {settings}")

    def rate(count: int, total: int) -> str:
        share = count / total
        return f"{100 * share:.1f} ± {100 * (share * (1 - share) / total) ** 0.5:.1f} %"

    print("seats:", *(rate(seats[seat], games) for seat in range(rules.players)))
    print(f"turns that end in the lead: {sum(length) / games:.2f}")
    for name in policies:
        print(f"{name}: wins {rate(wins[name], plays[name])}; changes the rule in {rate(changes[name], taken[name])}")
        print(
            "   ",
            *(f"{kind} {rate(kinds[name, kind], taken[name])};" for kind in ("play", "discard", "discard and play")),
        )
        print("   ", *(f"{colour} {100 * canvases[name, colour] / taken[name]:.1f}" for colour in reversed(COLOURS)))


if __name__ == "__main__":
    main(
        int(float(sys.argv[1])),
        [word for word in sys.argv[2:] if "=" not in word],
        dict(word.split("=") for word in sys.argv[2:] if "=" in word),
    )
