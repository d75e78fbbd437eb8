"""Measures searching players in Red7: `python bench/red7/good_play.py GAMES POLICY POLICY POLICY [RULE=VALUE ...]`.

The policies change seats from game to game. Reported are the wins of each seat and of each policy, and for each policy
what its turns consist of, how often they change the rule, under which rule they end, and between how many moves it
chooses. Where odd cards do not act, the changes are divided into those of players who could also lead under the old
rule and of those who had to change it, by the number of cards in hand. Turns in which a player drops out are not
counted. The rules are run interpreted; searches are compiled.
"""

import random
import sys
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

from komi.bitset import count
from komi.game import CHANCE
from komi.games.red7.canvas import NONE
from komi.games.red7.steps import RETURN, TAKE
from komi.games.red7.table import COLOURS
from komi.policies.named import find_or_solve
from komi.rules.catalog import find

HANDS = ((6, 7), (4, 5), (1, 3))


class Turn(NamedTuple):
    """A turn of one player."""

    seat: int
    kind: str  # "play", "discard" or both
    changed: bool  # whether it ends under another rule
    canvas: int  # the colour of that rule
    moves: int  # that were legal in its first decision
    can_keep: bool  # whether one of them leaves the rule
    hand: int  # cards in hand before it


def played(game: Any, rules: Any, policies: Any, chance: random.Random) -> tuple[int, list[Turn]]:
    """Play one game; return the winning seat and the turns."""
    module = game.module
    state, seat, turns, acts, begun = module.start(rules), 0, [], set(), None
    while not module.over(rules, state):
        moves, action = module.pick(rules, state, chance.random())
        if moves > 0 and begun is None:
            options = [option & 63 for option in module.legal(rules, state)]
            can_keep = any(discarded == NONE or discarded & 7 == state.canvas for discarded in options)
            begun = seat, state.canvas, moves, can_keep, count(state.hand)
        if moves > 1:
            action = policies[seat].choose(game, rules, module.view(rules, state), chance.random())
        if action != CHANCE:
            card, kind = action >> 6, action & 63
            acts |= {"play"} if card != NONE and kind not in (TAKE, RETURN) else set()
            acts |= {"discard"} if kind not in (NONE, TAKE) else set()
        _, state, passes = module.sample(rules, state, action, chance.random())
        seat = (seat + passes) % rules.players
        if passes:
            if action != CHANCE and begun:
                mover, canvas, *rest = begun
                turns.append(Turn(mover, " and ".join(sorted(acts)), state.canvas != canvas, state.canvas, *rest))
            acts, begun = set(), None
    winner = next(
        seat_ for seat_ in range(rules.players) if module.payoff(rules, state, (seat_ - seat) % rules.players)
    )
    return winner, turns


def rate(hits: Iterable[bool]) -> str:
    """Format a share with its standard error."""
    counted = list(hits)
    share = sum(counted) / max(len(counted), 1)
    return f"{100 * share:.1f} ± {100 * (share * (1 - share) / max(len(counted), 1)) ** 0.5:.1f} %"


def report(turns: list[Turn], acting: bool) -> None:
    """Print what a policy does in its turns."""
    kinds = (f"{kind} {rate(turn.kind == kind for turn in turns)};" for kind in ("play", "discard", "discard and play"))
    print("   ", *kinds, f"changes the rule {rate(turn.changed for turn in turns)}")
    colours = (f"{COLOURS[colour]} {rate(turn.canvas == colour for turn in turns)}" for colour in reversed(range(7)))
    print("   ", *colours)
    moves = sum(turn.moves for turn in turns) / len(turns)
    print(f"    {moves:.2f} moves; at least 2 {rate(turn.moves >= 2 for turn in turns)}", end="")
    print(f", 10 {rate(turn.moves >= 10 for turn in turns)}")
    if acting:
        return
    for least, most in ((0, 99), *HANDS):
        own = [turn for turn in turns if least <= turn.hand <= most]
        free = [turn for turn in own if turn.can_keep]
        print(
            f"    {least} to {most} cards, {len(own)} turns: has to change {rate(not turn.can_keep for turn in own)};"
            f" changes without need {rate(turn.changed for turn in free)};"
            f" does both {rate(turn.kind == 'discard and play' for turn in own)}"
        )


def main(games: int, names: list[str], settings: dict[str, str]) -> None:
    """Play the games and print the tables."""
    game = find("red7")
    rules = game.rules(settings)
    policies = {name: find_or_solve(name, game, settings) for name in names}
    chance = random.Random(2015)
    winners, lengths, wins, taken = [], [], defaultdict(list), defaultdict(list)
    for number in range(games):
        shift = number % len(names)
        order = names[shift:] + names[:shift]
        winner, turns = played(game, rules, [policies[name] for name in order], chance)
        winners.append(winner)
        lengths.append(len(turns))
        for seat, name in enumerate(order):
            wins[name].append(seat == winner)
        for turn in turns:
            taken[order[turn.seat]].append(turn)
    print(f"{games} games, {settings}")
    print("seats:", *(rate(winner == seat for winner in winners) for seat in range(rules.players)))
    print(f"turns that end in the lead: {sum(lengths) / games:.2f}")
    for name in policies:
        print(f"{name}: wins {rate(wins[name])}")
        report(taken[name], rules.actions)


if __name__ == "__main__":
    main(
        int(float(sys.argv[1])),
        [word for word in sys.argv[2:] if "=" not in word or ":" in word],
        dict(word.split("=") for word in sys.argv[2:] if "=" in word and ":" not in word),
    )
